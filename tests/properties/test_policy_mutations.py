"""Real policies, spoilt: reading, joining and deciding never raise, and nobody else's answer changes."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from partywall.model.document import Document, Gap
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.node import Node
from partywall.parse.policy import policy
from partywall.resolve import Resolved
from partywall.resolve.data import RESOLVER as DATA
from partywall.resolve.iam import RESOLVER as IAM
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.vocabulary import complaints
from partywall.resolve.iam.ways import identity_ways
from tests.unit.aws import ACCOUNT, account, allow, answer, arn, cluster, deny, facts, managed, role, trust

ROOT = Path(__file__).resolve().parents[2]
SPOILT = "spoilt"
REQUESTS = (
    Request("s3:getobject", "arn:aws:s3:::models/x"),
    Request("sts:assumerole", arn("vision")),
    Request("iam:passrole", arn("vision")),
)


def nested(levels: int) -> Any:
    value: Any = "*"
    for number in range(levels):
        value = [value] if number % 2 else {"x": value}
    return value


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5e308,
    "",
    " ",
    "*",
    "${",
    "${aws:username",
    "${aws:PrincipalTag/team, 'x}",
    [],
    {},
    [None],
    [[["s3:*"]]],
    {"Ref": "Bucket"},
    nested(30),
    nested(500),
    ["s3:GetObject"] * 10_000,
    [arn(f"r{number}") for number in range(10_000)],
    [f"arn:aws:s3:::b{number}/*" for number in range(300)],  # AWS takes 6,144 characters: less than that many
    "*a" * 3_000,
    "?*" * 500 + "z",
    "arn",
    "arn:aws",
    "arn:::::",
    "arn:aws:s3:::",
    "ARN:AWS:S3:::MODELS/*",
    "arn:aws:iam::x:role/*",
    "arn:aws:iam::111122223333:role/\u202e\u0000",
    "пользователь:*",
    "\ue000\ue001",
    "s3:Get\nObject",
    "S3:GETOBJECT",
    "deny",
    "9" * 5_000,
    {"AWS": {"AWS": "*"}},
    {"StringEquals": {"aws:username": nested(40)}},
    {"StringIs": {"aws:username": "x"}},
    {"ForAllValues:NullIfExists": {"": ""}},
    {"NumericLessThan": {"s3:max-keys": ["1e999", "nan", "0x10", "十"]}},
    {"IpAddress": {"aws:SourceIp": "10.0.0.0/33"}},
    {"DateLessThan": {"aws:CurrentTime": ["9999-99-99", "-1"]}},
    {"BinaryEquals": {"aws:username": "\u00ff"}},
)
NAMES = (
    "",
    "effect",
    "ACTION",
    "NotAction",
    "NotResource",
    "NotPrincipal",
    "Principal",
    "Condition",
    "🦜",
    "StringEqualsIgnoreCases",
    "x" * 5_000,
)
TEXTS = (
    "",
    "%",
    "%7B",
    "{",
    "[" * 50_000,
    '{"Statement": "\\ud800"}',
    '{"Statement": [], "Statement": []}',
    "null",
    '"x"',
    "\ufeff{}",
    "é" * 10_000,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every part of a document."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, (*path, number))


def spoil(value: Any, random: Random) -> Any:
    """Return a copy of a document with one part replaced, renamed, doubled or gone."""
    made = copy.deepcopy(value)
    path = random.choice(list(places(made)))
    if not path:
        return random.choice(ODD)
    holder = made
    for step in path[:-1]:
        holder = holder[step]
    last = path[-1]
    match random.choice(("replace", "replace", "rename", "remove", "double", "case")):
        case "rename" if isinstance(holder, dict):
            holder[random.choice(NAMES)] = holder.pop(last)
        case "remove":
            del holder[last]
        case "double":
            holder[last] = [holder[last], random.choice(ODD), holder[last]]
        case "case" if isinstance(holder[last], str):
            holder[last] = holder[last].swapcase()
        case _:
            holder[last] = random.choice(ODD)
    return made


def documents_in(value: Any) -> Iterator[Any]:
    """Yield the policy documents that stand anywhere in a JSON value."""
    if isinstance(value, dict):
        if "Statement" in value and "Version" in value:
            yield value
        else:
            for item in value.values():
                yield from documents_in(item)
    if isinstance(value, list):
        for item in value:
            yield from documents_in(item)
    if isinstance(value, str) and '"Statement"' in value:
        yield from documents_in(json.loads(value))


def policies_of(folder: Path) -> list[Any]:
    """Return the different policies of a folder, in a fixed order."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.json")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "Statement" in text:
            try:
                loaded = json.loads(text)
            except ValueError:
                continue  # some cases are about files that are no JSON
            for document in documents_in(loaded):
                found.setdefault(json.dumps(document, sort_keys=True), document)
    return [found[key] for key in sorted(found)]


def documents(spoilt: Any, place: str) -> tuple[Document, ...]:
    """Return a small account in which one policy, at some place, is the spoilt one."""
    own: dict[str, Any] = dict(role(SPOILT, allow("s3:GetObject", "arn:aws:s3:::models/*"), trusts=[trust({"AWS": arn("nlp")})]))
    kept = managed("spoilt-managed", allow("s3:ListBucket", "arn:aws:s3:::models"))
    attached: dict[str, Any] = {**kept, "PolicyVersionList": [{"VersionId": "v1", "IsDefaultVersion": True, "Document": spoilt}]}
    policies = [attached] if place == "managed" else []
    match place:
        case "inline":
            own["RolePolicyList"] = [{"PolicyName": "own", "PolicyDocument": spoilt}]
        case "trust":
            own["AssumeRolePolicyDocument"] = spoilt
        case "managed":
            own["AttachedManagedPolicies"] = [{"PolicyName": "spoilt-managed", "PolicyArn": kept["Arn"]}]
        case _:
            own["PermissionsBoundary"] = {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": kept["Arn"]}
            policies = [attached]
    roles = (
        own,
        role("nlp", allow("sts:AssumeRole", arn("vision")), deny("s3:*", "arn:aws:s3:::secret/*"), trusts=[trust({"AWS": ACCOUNT})]),
        role(
            "vision",
            allow(["s3:GetObject", "iam:PassRole"]),
            trusts=[trust({"AWS": arn("nlp")})],
            attached=["arn:aws:iam::aws:policy/ReadOnlyAccess"],
        ),
    )
    bucket = spoilt if isinstance(spoilt, str) else json.dumps(spoilt)
    store = answer(
        "s3api:get-bucket-policy",
        {"Policy": bucket if place == "bucket" else json.dumps({"Version": "2012-10-17", "Statement": []})},
        subject="models",
    )
    listed = answer("s3api:list-buckets", {"Buckets": [{"Name": "models"}, {"Name": "other"}]})
    return account(*roles, policies=policies), store, listed, cluster()


def nodes_of(item: Resolved) -> tuple[Node, ...]:
    if isinstance(item, Edge):
        return (item.source, item.target)
    return item.nodes if isinstance(item, Gap) else ()


def is_of_others(node: Node) -> bool:
    return SPOILT not in node.name and not node.name.startswith("models")


def others(said: list[Resolved], known: frozenset[Node]) -> list[str]:
    """Return what is said of known things that have nothing to do with the spoilt policy; it may bring in others by naming them."""
    kept = [item for item in said if nodes_of(item) and all(node in known and is_of_others(node) for node in nodes_of(item))]
    return sorted(f"{item.source} {item.verb} {item.target} {item.certainty}" if isinstance(item, Edge) else repr(item) for item in kept)


def asked(known: Facts) -> list[str]:
    """Ask the decision itself of everybody."""
    rights = estate(known).rights
    found = [(name, request, tuple(identity_ways(rights[name], request))) for name in sorted(rights) for request in REQUESTS]
    return [f"{name} {request.action} {ways}" for name, request, ways in found if SPOILT not in name]


def said(spoilt: Any, place: str) -> tuple[list[Resolved], list[str]]:
    known = facts(*documents(spoilt, place))
    return [*IAM.resolve(known), *DATA.resolve(known)], asked(known)


PLACES = ("inline", "trust", "managed", "boundary", "bucket")


@cache
def whole(place: str) -> tuple[frozenset[Node], list[str], list[str]]:
    """Return what there is beside the policy while it is whole, what is said of it, and what the decision says of others."""
    spoken, decided = said({"Version": "2012-10-17", "Statement": [allow("s3:GetObject", "arn:aws:s3:::models/*")]}, place)
    known = frozenset(node for item in spoken for node in nodes_of(item))
    return known, others(spoken, known), decided


def check(spoilt: Any, place: str) -> None:
    found = policy("p", spoilt, documents(spoilt, place)[0].at())
    assert [complaint for statement in found.statements for complaint in complaints(statement) if not complaint.text] == []
    known, spoken, decided = whole(place)
    now, decided_now = said(spoilt, place)
    assert (others(now, known), decided_now) == (spoken, decided)


@pytest.mark.parametrize("place", PLACES)
def test_a_spoilt_policy_raises_nothing_and_changes_nobody_elses_answer(place: str) -> None:
    random = Random(place)
    policies = policies_of(ROOT / "fixtures")

    assert len(policies) > 100
    assert all(whole(place))
    for _ in range(60):
        check(spoil(random.choice(policies), random), place)


@pytest.mark.parametrize("place", PLACES)
def test_each_odd_value_stands_where_a_policy_should(place: str) -> None:
    for odd in (*TEXTS, *ODD):
        check(odd, place)


@pytest.mark.parametrize("member", ["Effect", "Action", "NotAction", "Resource", "Principal", "Condition", "Sid", "Version"])
def test_each_odd_value_stands_in_each_member(member: str) -> None:
    for odd in ODD:
        statement = allow("s3:GetObject", "arn:aws:s3:::models/*")
        spoilt = (
            {"Version": odd, "Statement": statement}
            if member == "Version"
            else {"Version": "2012-10-17", "Statement": [{**statement, member: odd}]}
        )
        check(spoilt, "trust" if member == "Principal" else "inline")


def test_perimeter_policies_of_others_spoilt(shared: Path) -> None:
    folder = shared / "vectors/iam/data-perimeter"
    if not folder.is_dir():
        pytest.skip("no data-perimeter policies beside the repository")
    random = Random(7)
    policies = policies_of(folder)

    for place in PLACES:
        for _ in range(20):
            check(spoil(random.choice(policies), random), place)


def test_statements_beside_a_spoilt_one_are_read_as_ever() -> None:
    random = Random(11)
    policies = [found for found in policies_of(ROOT / "fixtures") if isinstance(found["Statement"], list) and len(found["Statement"]) > 1]
    at = documents({}, "inline")[0].at()

    for _ in range(300):
        written = random.choice(policies)
        number = random.randrange(len(written["Statement"]))
        spoilt = {
            **written,
            "Statement": [*written["Statement"][:number], spoil(written["Statement"][number], random), *written["Statement"][number + 1 :]],
        }
        before, after = (policy("p", document, at).statements for document in (written, spoilt))

        assert [each for place, each in enumerate(after) if place != number] == [
            each for place, each in enumerate(before) if place != number
        ]
