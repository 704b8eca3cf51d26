"""Small clusters for the tests of the Kubernetes resolvers: YAML and AWS answers in, sentences out."""

import json
from collections.abc import Iterator

import yaml

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.edge import Certainty, Edge
from partywall.model.evidence import Json
from partywall.model.facts import Fact, Facts
from partywall.model.node import Node
from partywall.model.thing import Thing
from partywall.parse import eks, iam, kubernetes
from partywall.resolve import Resolver

CLUSTER = "111122223333/us-east-2/lab"
ORIGIN = Origin("111122223333", "us-east-2", CLUSTER)
PARSERS = {**kubernetes.PARSERS, **eks.PARSERS, **iam.PARSERS}


def document(kind: str, value: Json, name: str = "") -> Document:
    """Make a document as the reader would."""
    return Document(name or kind.replace(":", "-") + ".json", kind, Form.JSON, value, json.dumps(value), "", origin=ORIGIN)


def manifests(text: str, name: str = "k8s.yaml") -> Document:
    """Make a document of Kubernetes objects."""
    return document("kubernetes", list(yaml.safe_load_all(text)), name)


def parsed(*documents: Document | str) -> list[Fact | Gap]:
    """Parse documents; a text is Kubernetes YAML."""
    return [item for one in documents for item in _parse(manifests(one) if isinstance(one, str) else one)]


def _parse(one: Document) -> Iterator[Fact | Gap]:
    return PARSERS[one.kind](one)


def facts(*documents: Document | str, more: tuple[Fact, ...] = ()) -> Facts:
    """Return the facts of documents."""
    return Facts([*(item for item in parsed(*documents) if not isinstance(item, Gap)), *more])


def word(node: Node) -> str:
    """Print a node short: the last part of an ARN, no cluster."""
    name = node.name.rsplit("role/", 1)[-1].rsplit("user/", 1)[-1] if node.name.startswith("arn:") else node.name
    return f"{node.kind.name.lower()}:{name}"


def sentence(edge: Edge) -> str:
    """Print an edge; what is not sure says so."""
    doubt = "" if edge.certainty is Certainty.SURE else f" ({edge.certainty.word})"
    return f"{word(edge.source)} {edge.verb} {word(edge.target)}{doubt}"


def edges(resolver: Resolver, given: Facts) -> list[Edge]:
    """Return the edges that a grant makes; those by nature are left out."""
    return [item for item in resolver.resolve(given) if isinstance(item, Edge) and not item.kind.nature]


def said(resolver: Resolver, *documents: Document | str, more: tuple[Fact, ...] = ()) -> set[str]:
    """Return all sentences of a resolver over documents."""
    return {sentence(edge) for edge in edges(resolver, facts(*documents, more=more))}


def gaps(resolver: Resolver, *documents: Document | str) -> list[Gap]:
    """Return the gaps of a resolver over documents."""
    return [item for item in resolver.resolve(facts(*documents)) if isinstance(item, Gap)]


def things(resolver: Resolver, *documents: Document | str, more: tuple[Fact, ...] = ()) -> list[Thing]:
    """Return what a resolver says of nodes."""
    return [item for item in resolver.resolve(facts(*documents, more=more)) if isinstance(item, Thing)]


def role(name: str, rules: str, namespace: str = "") -> str:
    """Write a Role, or a ClusterRole without namespace; `rules` is `VERBS RESOURCES [GROUP]` for each rule, split by `;`."""
    written = [rule.split() for rule in rules.split(";")]
    value = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role" if namespace else "ClusterRole",
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "rules": [
            {"verbs": words[0].split(","), "resources": words[1].split(","), "apiGroups": [words[2] if len(words) > 2 else ""]}
            for words in written
        ],
    }
    return "---\n" + yaml.safe_dump(value)


def binding(name: str, role_ref: str, subject: str, namespace: str = "") -> str:
    """Write a binding; `role_ref` is `KIND/NAME`, `subject` is `Group:NAME`, `User:NAME` or `ServiceAccount:NAMESPACE/NAME`."""
    kind, _, subject_name = subject.partition(":")
    who: dict[str, str] = {"kind": kind, "name": subject_name}
    if kind == "ServiceAccount":
        home, _, account = subject_name.partition("/")
        who = {"kind": kind, "name": account, "namespace": home}
    value = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding" if namespace else "ClusterRoleBinding",
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": role_ref.split("/")[0], "name": role_ref.split("/")[1]},
        "subjects": [who],
    }
    return "---\n" + yaml.safe_dump(value)


def namespace(name: str, **labels: str) -> str:
    """Write a namespace; `enforce=...` is its pod-security label."""
    marks = {f"pod-security.kubernetes.io/{key}": value for key, value in labels.items()}
    return "---\n" + yaml.safe_dump({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": marks}})


def inside(resolver: Resolver, verb: str, *documents: Document | str) -> set[str]:
    """Return the names of the targets of the edges that nature makes."""
    found = resolver.resolve(facts(*documents))
    return {item.target.name for item in found if isinstance(item, Edge) and item.verb == verb}
