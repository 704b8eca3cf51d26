"""A published catalogue of escalation paths, read from beside the repository: each is found, and none once one right is gone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from partywall.resolve.iam import RESOLVER
from tests.unit.aws import ACCOUNT, account, allow, arn, facts, lines, managed, policy, role, trust

OWN = f"arn:aws:iam::{ACCOUNT}:policy/own"
SERVICES = {"bedrock": "bedrock-agentcore", "apprunner": "tasks.apprunner", "ecs": "ecs-tasks"}
# What runs already and can be changed (functions, stacks, projects, notebooks) is not read; sessions on instances are another resolver's.
NOT_READ = frozenset({"existing-passrole"})
# The stack's role is passed when the stack is made, not with the change set: with no role of its own a change set is the caller's.
WITHOUT_PASSING = frozenset({"cloudformation-005"})


def found(path: dict[str, Any], required: list[str]) -> list[str]:
    service = SERVICES.get(path["services"][-1], path["services"][-1])
    target = {
        **role(
            "target",
            trusts=[trust({"Service": f"{service}.amazonaws.com"}), trust({"AWS": f"arn:aws:iam::{ACCOUNT}:root"})],
            attached=[OWN],
        )
    }
    target["InstanceProfileList"] = [{"Arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/target"}]
    user = {
        "UserName": "ana",
        "Arn": f"arn:aws:iam::{ACCOUNT}:user/ana",
        "GroupList": ["ops"],
        "AttachedManagedPolicies": [{"PolicyArn": OWN}],
        "UserPolicyList": [{"PolicyName": "p", "PolicyDocument": policy(*map(allow, required))}] if required else [],
    }
    groups: list[dict[str, Any]] = [
        {"GroupName": name, "Arn": f"arn:aws:iam::{ACCOUNT}:group/{name}", "GroupPolicyList": [], "AttachedManagedPolicies": []}
        for name in ("ops", "admins")
    ]
    other = {
        "UserName": "bo",
        "Arn": f"arn:aws:iam::{ACCOUNT}:user/bo",
        "GroupList": [],
        "AttachedManagedPolicies": [],
        "UserPolicyList": [],
    }
    starter = role("start", *map(allow, required), trusts=[trust({"AWS": arn("nobody")})], attached=[OWN])
    described = account(target, starter, users=[user, other], groups=groups, policies=[managed("own", allow("sts:GetCallerIdentity"))])
    return [line for line in lines(RESOLVER, facts(described)) if line.startswith(("IAM-user:ana ", "role:start "))]


def test_every_path_is_found_and_none_without_one_of_its_rights(shared: Path) -> None:
    file = shared / "vectors/iam/pathfinding/paths-min.json"
    if not file.is_file():
        pytest.skip("no catalogue of paths beside the repository")
    paths = [
        path
        for path in json.loads(file.read_text(encoding="utf-8"))
        if path["category"] not in NOT_READ and path["id"] not in WITHOUT_PASSING
    ]

    missed = [path["id"] for path in paths if not found(path, path["required"])]
    kept = [path["id"] for path in paths if path["category"] == "new-passrole" for left in _shortened(path, paths) if found(path, left)]

    assert len(paths) > 45
    assert missed == []
    assert kept == []


def _shortened(path: dict[str, Any], paths: list[dict[str, Any]]) -> Iterator[list[str]]:
    """Yield what is left of a path without one of its rights, where that is no other path."""
    for gone in path["required"]:
        left = [right for right in path["required"] if right != gone]
        if not any(set(other["required"]) <= set(left) for other in paths):
            yield left
