"""The decision against published cases of another evaluator, read from beside the repository; their licence keeps them out of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from partywall.model.evidence import Evidence
from partywall.model.facts_data import ResourcePolicy, Store
from partywall.model.facts_iam import Holder, HolderKind, InlinePolicy, ManagedPolicy, Policy, Principal
from partywall.parse.policy import policy
from partywall.resolve.iam.context import Context, SessionTags, Value
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import node_of
from partywall.resolve.iam.rights import Ceiling, Guard, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.ways import ways

AT = Evidence("case.json", "")
# What these cases ask beyond a principal's own rights: service control levels, resource control policies, session policies, endpoint
# policies,
# anonymous callers, sessions given as the caller, rules of single services. They belong to later steps and to resolvers of their own.
LATER = frozenset(
    {
        "serviceControlPolicies",
        "resourceControlPolicies",
        "sessionPolicy",
        "endpointPolicies",
        "vpcEndpointPolicies",
        "resourcePolicies",
        "simulation",
    }
)
NOT_ASKED = (
    "anonymous.json",
    "kms/aliases.json",
    "iam/",
    "s3/abac.json",
    "discoveryMode/",
    "endpoints/",
    "sts/servicePrincipals/",
    "resourceWildcards/requestWildcards.json",
    "integrationTests.json",
)


def cases(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(folder.rglob("*.json")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(NOT_ASKED):
            continue
        for case in json.loads(path.read_text(encoding="utf-8")):
            if (
                not LATER & set(case)
                and ":assumed-role/" not in case["request"]["principal"]
                and "federated-user" not in case["request"]["principal"]
            ):
                yield f"{name}: {case['name']}", case


def rights_of(case: Mapping[str, Any]) -> Rights | None:
    arn = case["request"]["principal"]
    if not arn.startswith("arn:aws:iam::"):
        return None
    kind = HolderKind.USER if ":user/" in arn else HolderKind.ROLE
    principal = Principal(
        Holder(kind, arn.split(":")[4], arn.rsplit("/", 1)[-1]), arn, AT, boundary="boundary" if case.get("permissionBoundaries") else None
    )
    inline = [InlinePolicy(principal.holder, policy("p", found.get("policy", found), AT), AT) for found in case.get("identityPolicies", [])]
    grants = tuple(Grant(statement, found) for found in inline for statement in found.policy.statements)
    limits = [ManagedPolicy("b", policy("b", found.get("policy", found), AT), AT) for found in case.get("permissionBoundaries") or []]
    ceiling = Ceiling("b", tuple(Grant(statement, limit) for limit in limits for statement in limit.policy.statements)) if limits else None
    return Rights(principal, node_of(principal), context_of(case, principal), grants, ceiling)


def context_of(case: Mapping[str, Any], principal: Principal) -> Context:
    given = case["request"].get("context") or {}
    known: dict[str, Value] = {key.lower(): tuple(value) if isinstance(value, list) else (str(value),) for key, value in given.items()}
    known["aws:principalarn"] = (principal.arn,)
    known["aws:principalaccount"] = (principal.holder.account,)
    known["aws:username"] = (principal.holder.name,) if principal.holder.kind is HolderKind.USER else ()
    return Context(
        absent_unless(known),
        SessionTags(
            {
                key.split("/", 1)[1]: values[0]
                for key, values in known.items()
                if key.startswith("aws:principaltag/") and isinstance(values, tuple)
            }
        ),
        {},
    )


class absent_unless(dict[str, Value]):  # noqa: N801 - reads as what it is
    """Keys that a case does not give are absent in it."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Value:
        return ()


def guard_of(case: Mapping[str, Any]) -> Guard:
    resource = case["request"]["resource"]
    action = case["request"]["action"].lower()
    found = case.get("resourcePolicy")
    held = ResourcePolicy(Store.S3, "x", resource["accountId"], policy("r", found, AT) if found else Policy("r", (), AT), AT)
    sole = action.startswith("kms:") or action.startswith("sts:assume")
    return Guard(resource["accountId"], tuple(Grant(statement, held) for statement in held.policy.statements), sole)


def answer(case: Mapping[str, Any]) -> str | None:
    rights = rights_of(case)
    if rights is None:
        return None
    request = Request(case["request"]["action"].lower(), case["request"]["resource"]["resource"], rights.context)
    return "Allowed" if ways(rights, request, guard_of(case)) else "Denied"


def disagreements(found: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    wrong = []
    for name, case in found:
        given = answer(case)
        wanted = "Allowed" if case["expected"]["response"] == "Allowed" else "Denied"
        if given is not None and given != wanted:
            wrong.append(f"{name}: {given}, wanted {wanted}")
    return wrong


# Each with the page that decides against the case, or the reason why it is another question than ours.
LEDGER: Mapping[str, str] = {
    # IAM user guide, "Grammar of the IAM JSON policy language": a principal is `*` or an object; a bare ARN is refused when the policy
    # is saved.
    "permissionBoundaries-SameAccount.json: Permission boundary implicit deny resource policy allows user": "no valid Principal",
}


def test_the_published_cases_agree(shared: Path) -> None:
    folder = shared / "vectors/iam/iam-simulate/core"
    if not folder.is_dir():
        pytest.skip("no IAM cases beside the repository")
    found = list(cases(folder))

    wrong = [line for line in disagreements(found) if not any(line.startswith(name) for name in LEDGER)]

    assert len(found) > 100
    assert wrong == []
