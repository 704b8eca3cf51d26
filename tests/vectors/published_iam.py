"""Published IAM cases, read from beside the repository into the case format of `tests/judges/iam.py`.

iam-simulate's core folder and IAMSpy's cases are run against and never copied; their licences keep them out of the project.
What an adapter changes: a principal that is written as a bare ARN, which the policy grammar does not know, becomes {"AWS": ARN}; a
principal in an identity policy or another that takes none, which IAM refuses to save, is left out; an empty list of boundaries,
endpoint or session policies is none.

An open case (`Open`) has keys whose presence and value are not known. `answer_open` tries contexts on the judge: "allowed" and
"denied" where all of them agree, otherwise "conditional".
"""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Decider = Callable[[Mapping[str, Any]], str]

WORDS = {"Allowed": "allowed", "ExplicitlyDenied": "explicit", "ImplicitlyDenied": "implicit"}


@dataclass(frozen=True, slots=True)
class Strict:
    """A case with every key known, and the word that is expected."""

    name: str
    case: Json
    expected: str


@dataclass(frozen=True, slots=True)
class Open:
    """A case with keys that are not known, the word of three that is expected, and the published conditions (None where there are none).

    `known` holds the keys (lower case, or a pattern between slashes) that are known as given, absent included; `present` those that are
    in the request with a value that is not known. Every other key may be absent or have any value.
    """

    name: str
    case: Json
    expected: str
    conditions: Json | None
    known: tuple[str, ...]
    present: tuple[str, ...]


def mended(document: Any) -> Any:
    """Return a document whose bare ARN principals are maps."""
    if not isinstance(document, dict) or "Statement" not in document:
        return document
    found = document["Statement"]
    return {**document, "Statement": [mended_statement(one) for one in (found if isinstance(found, list) else [found])]}


def mended_statement(statement: Any) -> Any:
    bare = {
        key: {"AWS": statement[key]}
        for key in ("Principal", "NotPrincipal")
        if isinstance(statement, dict) and isinstance(statement.get(key), str) and statement[key].startswith("arn:")
    }
    return {**statement, **bare} if bare else statement


def without_principals(documents: list[Any]) -> list[Any]:
    return [
        {**one, "Statement": [{key: value for key, value in part.items() if key != "Principal"} for part in one["Statement"]]}
        for one in documents
    ]


def documents(found: Any) -> list[Any]:
    """Return policies that are given as documents, as {"name", "policy"}, or one alone."""
    entries = found if isinstance(found, list) else [] if found is None else [found]
    return [mended(one["policy"] if isinstance(one, dict) and "policy" in one else one) for one in entries]


def levels(found: Any) -> list[list[Any]] | None:
    return [documents(level["policies"]) for level in found] if found else None


def settings_of(published: Mapping[str, Any]) -> Json:
    """Return facts of S3 wherever a case puts them."""
    places = [published, published.get("simulation") or {}, published.get("request") or {}]
    given = [place.get(name) for place in places for name in ("additionalSettings", "settings")]
    s3: Json = {}
    for one in given:
        if isinstance(one, dict):
            s3 |= one.get("s3") or one
    names = {"blockPublicAccess": "blockPublicAccess", "bucketAbacEnabled": "bucketAbac"}
    return {ours: s3[theirs] for theirs, ours in names.items() if theirs in s3}


def resource_policy(published: Mapping[str, Any]) -> Any:
    """Return the resource's policy; several are one with all their statements."""
    found = documents(published.get("resourcePolicy")) + documents(published.get("resourcePolicies"))
    if len(found) < 2:
        return found[0] if found else None
    return {**found[0], "Statement": [statement for one in found for statement in one["Statement"]]}


def iam_simulate_case(name: str, published: Mapping[str, Any]) -> Json:
    request = published["request"]
    principal = request["principal"]
    case: Json = {
        "name": name,
        "page": "",
        "principal": principal if isinstance(principal, str) else "anonymous",
        "action": request["action"],
        "resource": request["resource"]["resource"],
        "resourceAccount": request["resource"]["accountId"],
        "context": request.get("context") or request.get("contextVariables") or {},
        "identity": without_principals(documents(published.get("identityPolicies"))),
    }
    wildcard_only = request.get("wildcardOnlyAction", published.get("wildcardOnlyAction"))
    optional = {
        "resourcePolicy": resource_policy(published),
        "boundary": without_principals(documents(published.get("permissionBoundaries"))),
        "session": without_principals(documents(published.get("sessionPolicy")) + documents(published.get("sessionPolicies"))),
        "serviceControl": levels(published.get("serviceControlPolicies")),
        "resourceControl": levels(published.get("resourceControlPolicies")),
        "endpoint": documents(published.get("endpointPolicies") or published.get("vpcEndpointPolicies")),
        "settings": settings_of(published),
        "wildcardOnly": bool(wildcard_only),
    }
    return case | {key: value for key, value in optional.items() if value}


def iam_simulate(folder: Path) -> Iterator[Strict | Open]:
    """Yield every case of a folder laid out as iam-simulate's core tests are."""
    for path in sorted(folder.rglob("*.json")):
        for published in json.loads(path.read_text(encoding="utf-8")):
            name = f"{path.relative_to(folder).as_posix()}: {published['name']}"
            case = iam_simulate_case(name, published)
            expected = WORDS[published["expected"]["response"]]
            simulation = published.get("simulation") or {}
            if simulation.get("mode", "Strict") == "Strict":
                yield Strict(name, case, expected)
                continue
            conditions = published["expected"].get("conditions")
            word = "denied" if expected != "allowed" else "conditional" if conditions else "allowed"
            constraints = simulation.get("discoveryContextKeyConstraints") or []
            known = tuple(one["keyName"].lower() for one in constraints if one["presenceIsKnown"] and one["valueIsKnown"])
            present = tuple(one["keyName"].lower() for one in constraints if one["presenceIsKnown"] and not one["valueIsKnown"])
            yield Open(name, case, word, conditions, known, present)


# IAMSpy: account authorization details, resource policies and a tree of an organization, with questions.


def holders(gaad: Mapping[str, Any]) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Yield each role and user with its identity policies and its boundary."""
    managed = {one["Arn"]: default_version(one) for one in gaad["Policies"]}
    groups = {one["GroupName"]: one for one in gaad["GroupDetailList"]}
    for one in gaad["RoleDetailList"] + gaad["UserDetailList"]:
        sources = [one, *(groups[name] for name in one.get("GroupList", []))]
        own = [
            inline["PolicyDocument"]
            for source in sources
            for inline in source.get("RolePolicyList", []) + source.get("UserPolicyList", []) + source.get("GroupPolicyList", [])
        ]
        own += [managed[attached["PolicyArn"]] for source in sources for attached in source.get("AttachedManagedPolicies", [])]
        boundary = one.get("PermissionsBoundary")
        yield one["Arn"], own, [managed[boundary["PermissionsBoundaryArn"]]] if boundary else []


def default_version(policy: Mapping[str, Any]) -> Any:
    return next(one["Document"] for one in policy["PolicyVersionList"] if one["IsDefaultVersion"])


def organization_levels(node: Mapping[str, Any], account: str) -> list[list[Any]] | None:
    """Return the policies of each level from here down to an account; None where the account is not below."""
    here = [policy["Content"] for policy in node.get("Policies", [])]
    if node["Id"] == account:
        return [here]
    below = [found for child in node.get("Children", []) if (found := organization_levels(child, account)) is not None]
    return [here, *below[0]] if below else None


def iamspy(folder: Path) -> Iterator[tuple[str, list[tuple[str, str, Strict | Open]], Any]]:
    """Yield each question with its cases as (principal, resource, case), and the answer that is expected.

    The answer is a boolean for can_i, the principals for who_can, and pairs of principal and resource for the batch. A principal can
    where the answer to its case is "allowed" or "conditional": IAMSpy takes a key that is not given as free unless told otherwise.
    """
    asked = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    for kind, questions in asked.items():
        for number, question in enumerate(questions):
            read = {
                what: [json.loads((folder / "files" / file).read_text(encoding="utf-8")) for file in question["files"].get(what, [])]
                for what in ("gaads", "resources", "scps")
            }
            given = question["input"]
            principal = given[0] if kind == "test_can_i" else None
            action, resources, *options = given[1:] if principal else given
            name = f"iamspy {kind} {number}"
            yield (
                name,
                [
                    (arn, resource, iamspy_case(name, read, (arn, own, boundary), action, resource, options))
                    for gaad in read["gaads"]
                    for arn, own, boundary in holders(gaad)
                    if principal in (None, arn)
                    for resource in (resources if isinstance(resources, list) else [resources])
                ],
                question["expected"],
            )


def iamspy_case(
    name: str, read: Mapping[str, Any], holder: tuple[str, list[Any], list[Any]], action: str, resource: str, options: Sequence[Any]
) -> Strict | Open:
    arn, own, boundary = holder
    entries = [one for file in read["resources"] for one in file]
    entry = next((one for one in entries if resource == one["Resource"] or resource.startswith(one["Resource"] + "/")), None)
    account = arn.split(":")[4]
    trees = [organization_levels(tree, account) for tree in read["scps"]]
    case: Json = {
        "name": name,
        "page": "",
        "principal": arn,
        "action": action,
        "resource": resource,
        # S3's ARNs hold no account: a bucket without an entry is the caller's.
        "resourceAccount": entry["Account"] if entry else resource.split(":")[4] or account,
        "context": dict(text.split("=", 1) for text in (options[0] if options else [])),
        "identity": own,
    }
    optional = {
        "resourcePolicy": mended(entry["Policy"]) if entry else None,
        "boundary": boundary,
        "serviceControl": next((found for found in trees if found is not None), None),
    }
    case |= {key: value for key, value in optional.items() if value}
    managers = [tree["Arn"].split(":")[4] for tree, found in zip(read["scps"], trees, strict=True) if found is not None]
    case |= {"settings": {"managementAccount": managers[0]}} if managers else {}
    if len(options) > 2 and options[2]:
        return Strict(name, case, "")
    return Open(name, case, "", None, tuple(key.lower() for key in case["context"]), ())


# Open cases on a decider of closed ones.

OTHER = "another-value"


def every_document(case: Mapping[str, Any]) -> Iterator[Any]:
    for name in ("identity", "boundary", "session", "endpoint"):
        yield from case.get(name) or ()
    for name in ("serviceControl", "resourceControl"):
        yield from (document for level in case.get(name) or () for document in level)
    if case.get("resourcePolicy") is not None:
        yield case["resourcePolicy"]


def tested(case: Mapping[str, Any]) -> dict[str, set[tuple[str, ...]]]:
    """Return the keys of a case's conditions, in lower case, with values worth trying: fitting ones and one that fits nothing."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for document in every_document(case):
        for statement in document["Statement"] if isinstance(document["Statement"], list) else [document["Statement"]]:
            for operator, tests in (statement.get("Condition") or {}).items():
                for key, wanted in tests.items():
                    texts = [str(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
                    values = found.setdefault(key.lower(), set())
                    values |= {(sample(text),) for text in texts} | {(unlike(operator),)}
                    if ":" in operator:
                        values |= {tuple(map(sample, texts)), (*map(sample, texts), unlike(operator))}
    return found


def sample(pattern: str) -> str:
    """Return a text that fits a pattern or lies in a range."""
    return re.sub(r"/\d+$", "", pattern).replace("*", "x").replace("?", "x")


def unlike(operator: str) -> str:
    base = operator.rpartition(":")[2]
    kinds = {"Numeric": "987654", "Date": "2099-01-01T00:00:00Z", "Bool": "false", "IpAddress": "192.0.2.77", "NotIp": "192.0.2.77"}
    arn = "arn:aws:none:us-east-1:000000000000:none"
    return next((value for kind, value in kinds.items() if base.startswith(kind)), arn if base.startswith("Arn") else OTHER)


def is_known(key: str, names: Sequence[str]) -> bool:
    return any(re.fullmatch(name[1:-1], key) is not None if name.startswith("/") and name.endswith("/") else name == key for name in names)


def answer_open(question: Open, decide: Decider) -> str:
    """Try the contexts that the case's own conditions tell apart, at most 4,096 of them."""
    given = {key.lower(): value for key, value in question.case["context"].items()}
    choices: dict[str, list[tuple[str, ...] | None]] = {}
    for key, values in sorted(tested(question.case).items()):
        if is_known(key, question.known):
            continue
        choices[key] = sorted(values) + ([] if is_known(key, question.present) else [None])
    answers = set()
    for picked in itertools.islice(itertools.product(*choices.values()), 4096):
        context = {key: value for key, value in given.items() if key not in choices}
        context |= {key: list(value) for key, value in zip(choices, picked, strict=True) if value is not None}
        answers.add(decide({**question.case, "context": context}) == "allowed")
    return "conditional" if len(answers) > 1 else "allowed" if True in answers else "denied"
