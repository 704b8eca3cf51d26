"""The dated tables of outside facts that the tool carries: a report names them, since the world they describe moves on."""

import json
from functools import cache
from importlib.resources import files

from partywall.model.report import ToolTable
from partywall.resolve.eks.policies import RECORDED as ACCESS_POLICIES_RECORDED

_SHIPPED = (
    ("AWS managed policies", "partywall.resolve.iam", "managed_policies.json", "as_of"),
    ("Kubernetes built-in roles", "partywall.resolve.rbac", "built_in_roles.json", "recorded"),
)


@cache
def tables() -> tuple[ToolTable, ...]:
    """Return each table with the day on which it was recorded."""
    shipped = (
        ToolTable(name, str(json.loads((files(package) / file).read_text(encoding="utf-8"))[key])) for name, package, file, key in _SHIPPED
    )
    return (ToolTable("EKS access policies", ACCESS_POLICIES_RECORDED), *shipped)
