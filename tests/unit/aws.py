"""Small AWS accounts for tests, written as the CLI's answers and read by the real parsers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts, Named
from partywall.model.node import Kind, Node
from partywall.model.thing import Thing
from partywall.parse import data, datazone, eks, iam, identity_center, studio
from partywall.resolve import Resolver

ACCOUNT = "111122223333"
OTHER = "444455556666"
STRANGER = "999900001111"
REGION = "us-east-2"
CLUSTER = f"{ACCOUNT}/{REGION}/capacity"
NO_TAGS: Mapping[str, str] = {}
ISSUER = "oidc.eks.us-east-2.amazonaws.com/id/0A1B2C3D4E5F60718293A4B5C6D7E8F9"
PARSERS = {kind: parser for module in (iam, identity_center, data, studio, datazone, eks) for kind, parser in module.PARSERS.items()}
Json = Mapping[str, Any]


def arn(name: str, account: str = ACCOUNT) -> str:
    return f"arn:aws:iam::{account}:role/{name}"


def allow(action: str | Sequence[str], resource: str | Sequence[str] = "*", **more: Any) -> Json:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action: str | Sequence[str], resource: str | Sequence[str] = "*", **more: Any) -> Json:
    return {"Effect": "Deny", "Action": action, "Resource": resource, **more}


def trust(principal: Any, action: str | Sequence[str] = "sts:AssumeRole", **more: Any) -> Json:
    return {"Effect": "Allow", "Principal": principal, "Action": action, **more}


def policy(*statements: Json) -> Json:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def role(
    name: str,
    *statements: Json,
    trusts: Iterable[Json] = (),
    account: str = ACCOUNT,
    attached: Iterable[str] = (),
    boundary: str = "",
    tags: Mapping[str, str] = NO_TAGS,
) -> Json:
    """Write one entry of RoleDetailList."""
    made: dict[str, Any] = {
        "RoleName": name.rsplit("/", 1)[-1],
        "RoleId": "AROA" + name.upper().replace("/", "")[:16].ljust(16, "X"),
        "Arn": arn(name, account),
        "AssumeRolePolicyDocument": policy(*trusts),
        "RolePolicyList": [{"PolicyName": "own", "PolicyDocument": policy(*statements)}] if statements else [],
        "AttachedManagedPolicies": [{"PolicyName": found.rsplit("/", 1)[-1], "PolicyArn": found} for found in attached],
        "InstanceProfileList": [],
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }
    if boundary:
        made["PermissionsBoundary"] = {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": boundary}
    return made


def managed(name: str, *statements: Json) -> Json:
    """Write one entry of Policies."""
    version = {"VersionId": "v1", "IsDefaultVersion": True, "Document": policy(*statements)}
    return {"PolicyName": name, "Arn": f"arn:aws:iam::{ACCOUNT}:policy/{name}", "PolicyVersionList": [version]}


def account(
    *roles: Json, policies: Sequence[Json] = (), users: Sequence[Json] = (), groups: Sequence[Json] = (), name: str = "gaad.json"
) -> Document:
    """Write an answer of get-account-authorization-details."""
    value = {"UserDetailList": list(users), "GroupDetailList": list(groups), "RoleDetailList": list(roles), "Policies": list(policies)}
    return answer("iam:get-account-authorization-details", value, name=name)


def answer(command: str, value: Json, *, subject: str = "", name: str = "", home: str = ACCOUNT) -> Document:
    """Write an answer of an AWS command."""
    file = name or f"aws-{command.replace(':', '-')}--{subject or 'x'}.json"
    return Document(file, f"aws:{command}", Form.JSON, value, "", "", origin=Origin(home, REGION, CLUSTER, subject))


def cluster() -> Document:
    """Write an answer of eks describe-cluster."""
    value = {
        "cluster": {
            "name": "capacity",
            "arn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity",
            "version": "1.32",
            "roleArn": arn("control-plane"),
            "identity": {"oidc": {"issuer": f"https://{ISSUER}"}},
            "accessConfig": {"authenticationMode": "API"},
            "resourcesVpcConfig": {"endpointPublicAccess": False, "publicAccessCidrs": []},
        },
    }
    return answer("eks:describe-cluster", value)


def facts(*documents: Document, more: Iterable[Fact] = (), named: Iterable[Node] = ()) -> Facts:
    """Parse documents and add facts."""
    read = [fact for document in documents for fact in PARSERS[document.kind](document) if not isinstance(fact, Gap)]
    return Facts([*read, *more, *(Named(node, Evidence("tenants.yaml", "/tenants/0")) for node in named)])


def lines(resolver: Resolver, known: Facts) -> list[str]:
    """Return the edges of a resolver in words, with their certainty where it is not sure."""
    found = [edge for edge in resolver.resolve(known) if isinstance(edge, Edge)]
    return sorted(
        {
            f"{short(edge.source)} {edge.verb} {short(edge.target)}" + ("" if edge.certainty == 0 else f" ({edge.certainty.word})")
            for edge in found
        }
    )


def edges(resolver: Resolver, known: Facts) -> list[Edge]:
    return [edge for edge in resolver.resolve(known) if isinstance(edge, Edge)]


def gaps(resolver: Resolver, known: Facts) -> list[Gap]:
    return [gap for gap in resolver.resolve(known) if isinstance(gap, Gap)]


def starters(resolver: Resolver, known: Facts) -> set[str]:
    return {short(thing.node) for thing in resolver.resolve(known) if isinstance(thing, Thing) and thing.starts}


def short(node: Node) -> str:
    """Name a node briefly."""
    name = (
        node.name.rsplit("/", 1)[-1]
        if node.kind in (Kind.ROLE, Kind.IAM_USER, Kind.IAM_GROUP, Kind.KEY, Kind.SECRET, Kind.REPOSITORY)
        else node.name
    )
    return f"{node.kind.value.replace(' ', '-')}:{name}"


def bucket(name: str) -> Node:
    return Node(Kind.PREFIX if "/" in name else Kind.BUCKET, "", name)
