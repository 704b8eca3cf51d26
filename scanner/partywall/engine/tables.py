"""The dated tables of outside facts that the tool carries: a report names them, since the world they describe moves on."""

import json
from functools import cache
from importlib.resources import files

from partywall.model.report import ToolTable
from partywall.resolve.eks.policies import RECORDED as ACCESS_POLICIES_RECORDED
from partywall.resolve.iam import actions, shipped


@cache
def tables() -> tuple[ToolTable, ...]:
    """Return each table with the day on which it was recorded."""
    roles = json.loads((files("partywall.resolve.rbac") / "built_in_roles.json").read_text(encoding="utf-8"))
    return (
        ToolTable("EKS access policies", ACCESS_POLICIES_RECORDED),
        ToolTable("AWS managed policies", shipped.as_of()),
        ToolTable("IAM actions", actions.as_of()),
        ToolTable("Kubernetes built-in roles", str(roles["recorded"])),
    )
