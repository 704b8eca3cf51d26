"""Small folders of files for the tests of the whole engine: a tenancy of two, and whatever else a test writes."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from partywall.config import ScanSettings
from partywall.engine.scan import Scan, scan
from partywall.files import ReadSettings, read
from partywall.model.evidence import Json
from partywall.model.report import Report
from partywall.model.severity import Severity
from partywall.packs import rules

NOW = "2026-11-30T00:00:00Z"
TODAY = date(2026, 11, 30)
RESTRICTED = "pod-security.kubernetes.io/enforce: restricted"
TENANTS = """\
schema: partywall/tenants/v1
clusters:
- {name: quay, account: '222233334444', region: us-west-2, orchestrator: eks}
tenants:
- name: orchid
  namespaces: [orchid]
  kubernetes_groups: [orchid-team]
- name: maple
  namespaces: [maple]
  kubernetes_groups: [maple-team]
"""


def namespace(name: str) -> str:
    """Write a namespace in which pods may not break out."""
    labels = f"    kubernetes.io/metadata.name: {name}\n    {RESTRICTED}\n"
    return f"---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n  labels:\n{labels}"


def binding(group: str, place: str, role: str, name: str = "helpers") -> str:
    """Bind a group to a built-in role in a namespace."""
    return (
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
        f"metadata: {{name: {name}, namespace: {place}}}\n"
        f"roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {role}}}\n"
        f"subjects:\n- {{apiGroup: rbac.authorization.k8s.io, kind: Group, name: {group}}}\n"
    )


BOTH = namespace("orchid") + namespace("maple")
CLEAN = BOTH + binding("orchid-team", "orchid", "edit", "own")


def folder(into: Path, *, tenants: str = TENANTS, k8s: str = CLEAN, files: Mapping[str, Json] | None = None) -> Path:
    """Write a folder; a value that is no text is written as JSON."""
    into.mkdir(parents=True, exist_ok=True)
    given: dict[str, Json] = {"tenants.yaml": tenants, "k8s.yaml": k8s, **(files or {})}
    for name, value in given.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1), encoding="utf-8")
    return into


def scanned(
    path: Path, *, prove: int = 200, fail_on: Severity = Severity.HIGH, allow_incomplete: bool = False, require: tuple[str, ...] = ()
) -> Scan:
    """Scan a folder on a fixed day."""
    settings = ScanSettings(now=TODAY, prove=prove, fail_on=fail_on, allow_incomplete=allow_incomplete, require=require)
    return scan(read(path, ReadSettings(now=NOW)), rules(), settings)


def told(path: Path) -> Report:
    """Return the report of a folder."""
    return scanned(path).report
