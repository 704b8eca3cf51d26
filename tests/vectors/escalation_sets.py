"""The sets of escalation paths: published ones, a published training ground, and our own catalogue, each as positives and negatives."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as File
from typing import Any

from partywall.model.edge import Edge
from partywall.resolve.iam import RESOLVER
from partywall.resolve.iam.catalogue import Path, catalogue
from tests.unit.aws import ACCOUNT, STRANGER, Json, account, allow, deny, facts, managed, policy, role, trust
from tests.vectors.escalation_worlds import ROOT, SERVICES, full, group, own_policy, plain, user, yields

PATHS = {path.id: path for path in catalogue().paths}


def published(folder: File) -> list[dict[str, Any]]:
    """Return the published paths."""
    return list(json.loads((folder / "pathfinding/paths-min.json").read_text(encoding="utf-8")))


def is_found(path: dict[str, Any]) -> bool:
    """Tell whether a published path is found, as its own entry says, where somebody has just its rights."""
    entry = PATHS[path["id"]]
    return yields(entry, plain(entry, [allow(right) for right in path["required"]], [entry.service] if entry.service else []))


def kept(path: dict[str, Any], paths: list[dict[str, Any]]) -> list[str]:
    """Return the rights of a published path without which something is still found, and what is left is no other path."""
    entry = PATHS[path["id"]]
    services = [entry.service] if entry.service else []
    found = []
    for gone in path["required"]:
        left = [right for right in path["required"] if right != gone]
        if not any(set(other["required"]) <= set(left) for other in paths) and plain(entry, list(map(allow, left)), services):
            found.append(gone)
    return found


def own_positive(path: Path) -> bool:
    """Tell whether an entry of the catalogue yields what it says."""
    return yields(path, full(path, [allow(action) for action in _actions(path)]))


def own_negatives(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield in which way an entry of the catalogue is closed, and whether it still yields something."""
    for action in _actions(path):
        left = [other for other in _actions(path) if other != action]
        if not _another(path, left):
            yield f"without {action}", yields(path, full(path, list(map(allow, left))))
            yield f"denied {action}", yields(path, full(path, [*map(allow, _actions(path)), deny(action)]))
    yield "elsewhere", yields(path, full(path, [allow(action, _elsewhere(action)) for action in _actions(path)]))
    if path.service:
        open_to_all = list(map(allow, _actions(path)))
        yield "no trust", any(edge.verb == path.verb and edge.target.name in _targets(path) for edge in plain(path, open_to_all, []))


def _elsewhere(action: str) -> str:
    """Return resources of the action's service that are not in the estate."""
    service = action.partition(":")[0].replace("ec2-instance-connect", "ec2").replace("sts", "iam")
    return "arn:aws:s3:::elsewhere-*" if service == "s3" else f"arn:aws:{service}:{'' if service == 'iam' else 'eu-west-1'}:{STRANGER}:*"


def _targets(path: Path) -> set[str]:
    return {path.service, f"arn:aws:iam::{ACCOUNT}:role/target"}


def _actions(path: Path) -> list[str]:
    return list(dict.fromkeys(need.action for need in path.needs))


def _another(path: Path, left: Sequence[str]) -> bool:
    """Tell whether what is left of a path is another one that yields the same."""
    same = (other for other in catalogue().paths if (other.verb, other.target) == (path.verb, path.target))
    return any(set(_actions(other)) <= set(left) for other in same)


def training_ground(folder: File) -> list[Mapping[str, Any]]:
    """Return the files of the training ground: name and actions."""
    return list(json.loads((folder / "iam-vulnerable/scenarios-min.json").read_text(encoding="utf-8")))


def escalating(files: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the files that hold one escalation each: not what they share, and not a role for a chain of several."""
    shared = {"service-linked-role-common.tf", "sre.tf"}
    return [file for file in files if "/privesc-paths/" in file["file"] and File(file["file"]).name not in shared]


def traps(files: list[Mapping[str, Any]], sort: str) -> list[str]:
    """Return the names of the traps of one sort: `fn` that tools miss, `fp` that they report for nothing."""
    return [File(file["file"]).stem for file in files if File(file["file"]).name.startswith(sort)]


def escalation(file: Mapping[str, Any]) -> list[str]:
    """Return what the principals of a file get to, in an account that has what the training ground has."""
    actions = [action for action in file["actions"] if action != "sts:AssumeRole" or len(file["actions"]) == 1]
    return _ground(File(file["file"]).stem, [[allow(actions)]])


LATER = {"aws:TokenIssueTime": "2020-01-01T00:00:01Z"}
# Each trap as its name and the facts of it say, with one list of statements for each managed policy.
TRAPS: Mapping[str, list[list[Json]]] = {
    "fn1-privesc3-multiple-policies": [[allow(["ec2:DescribeInstances", "ec2:RunInstances"])], [allow("iam:PassRole")]],
    "fn2-ExploitableResourceConstraint": [[allow("iam:CreatePolicyVersion", "arn:aws:iam::*:policy/fn2-*")]],
    "fn3-ExploitableConditionConstraint": [[allow("iam:CreatePolicyVersion", Condition={"DateGreaterThan": LATER})]],
    "fn4-ExploitableNotAction": [[{"Effect": "Allow", "NotAction": ["iam:Attach*", "iam:Create*", "iam:Update*"], "Resource": "*"}]],
    "fp1-allow-and-deny-same-policy": [[allow("iam:*"), deny("iam:*")]],
    "fp2-allow-and-deny-multiple-policies": [[allow("*")], [deny("*")]],
    "fp3-deny": [[deny("iam:*")]],
    "fp4-NonExploitableResourceConstraint": [[allow("iam:CreatePolicyVersion", "arn:aws:iam::aws:policy/fp4-*")]],
    "fp5-NonExploitableConditionConstraint": [[allow("iam:CreatePolicyVersion", Condition={"DateLessThan": LATER})]],
}


def trap(name: str) -> list[str]:
    """Return what the principals of a trap get to."""
    return _ground(name, TRAPS[name])


def _ground(name: str, policies: list[list[Json]]) -> list[str]:
    held = [managed(f"{name}-{number}", *statements) for number, statements in enumerate(policies)]
    arns = [str(found["Arn"]) for found in held]
    # An older version of each is wider: the training ground says that its second path needs one.
    older = {"VersionId": "v0", "IsDefaultVersion": False, "Document": policy(allow("*"))}
    held = [{**found, "PolicyVersionList": [*found["PolicyVersionList"], older]} for found in held]
    service = {**role("high-priv-service-role", allow("*"), trusts=[ROOT, *(trust({"Service": each}) for each in SERVICES)])}
    service["InstanceProfileList"] = [{"Arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/high-priv"}]
    weak = role("weak", trusts=[trust({"AWS": f"arn:aws:iam::{ACCOUNT}:user/somebody"})], attached=arns)
    people = [user("weak", [], ["ops"], arns), user("bo", [], [], [])]
    document = account(service, weak, users=people, groups=[group("ops"), group("admins")], policies=[*held, own_policy()])
    names = {f"arn:aws:iam::{ACCOUNT}:role/weak", f"arn:aws:iam::{ACCOUNT}:user/weak"}
    found = (edge for edge in RESOLVER.resolve(facts(document)) if isinstance(edge, Edge))
    return sorted(f"{edge.source} {edge.verb} {edge.target}" for edge in found if edge.source.name in names)
