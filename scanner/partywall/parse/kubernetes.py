"""One dispatch over all Kubernetes objects: every kind is read, known to have no effect, or a gap."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from partywall.model.document import Direction, Document, Gap, Origin, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Listed
from partywall.model.facts_kubernetes import Admission, ConfigMap, Namespace, OtherObject
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse import kueue, netpol, rbac, workloads
from partywall.parse.aws_auth import aws_auth
from partywall.parse.kubernetes_kinds import (
    ADMISSION,
    ADMISSION_ENGINES,
    DECIDING,
    NETWORK_ENGINES,
    NETWORK_KINDS,
    PLURALS,
    RIGHTS_ENGINES,
    SKIPPED,
    TOOL_KINDS,
    TOOLS,
)
from partywall.parse.kubernetes_objects import Object, group_of, lists, mapping, name_of, namespace_of, objects, parts, string_map, text
from partywall.parse.rbac import ObjectParser


def namespace(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a namespace; the server sets the label that holds its name."""
    name = name_of(obj)
    labels = {**string_map(obj, "metadata", "labels"), "kubernetes.io/metadata.name": name}
    yield Namespace(origin.cluster, name, labels, at, string_map(obj, "metadata", "annotations"))


def config_map(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a ConfigMap that decides something; the data of others is nobody's business."""
    name = name_of(obj)
    if (namespace_of(obj), name) == ("kube-system", "aws-auth"):
        yield from aws_auth(obj, at, origin)
    if name in DECIDING:
        yield ConfigMap(origin.cluster, namespace_of(obj), name, string_map(obj, "data"), at)
    else:
        yield OtherObject(origin.cluster, "ConfigMap", namespace_of(obj), name, at)


def admission(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Note that something may refuse or rewrite objects."""
    home = text(mapping(obj, "metadata"), "namespace")
    yield Admission(origin.cluster, text(obj, "kind"), home, name_of(obj), at)


KINDS: Mapping[tuple[str, str], ObjectParser] = {
    **rbac.KINDS,
    **workloads.KINDS,
    ("", "Namespace"): namespace,
    ("", "ConfigMap"): config_map,
    **dict.fromkeys(ADMISSION, admission),
}

_RIGHTS = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)

# What other domains read of the objects.
_CONTRIBUTED: tuple[Mapping[tuple[str, str], ObjectParser], ...] = (netpol.KINDS, kueue.KINDS)


def kinds() -> Mapping[tuple[str, str], tuple[ObjectParser, ...]]:
    """Return the parsers of every kind; an object may say something to several domains."""
    table: dict[tuple[str, str], list[ObjectParser]] = {key: [parser] for key, parser in KINDS.items()}
    for contributed in _CONTRIBUTED:
        for key, parser in contributed.items():
            table.setdefault(key, []).append(parser)
    return {key: tuple(parsers) for key, parsers in table.items()}


def parse(document: Document) -> Iterator[Fact | Gap]:
    """Read all objects of a document, and say which kinds it lists completely."""
    table = kinds()
    yield from listings(document)
    for obj, at in objects(document):
        if not obj and not at.pointer:
            continue
        yield from read_object(obj, at, document.origin, table)


def read_object(
    obj: Object, at: Evidence, origin: Origin, table: Mapping[tuple[str, str], tuple[ObjectParser, ...]]
) -> Iterator[Fact | Gap]:
    """Read one object by the parsers of its kind; what none reads is noted, or a gap where it may decide something."""
    kind, group = text(obj, "kind"), group_of(obj)
    parsers = table.get((group, kind), ())
    is_tools = _is_of(group, TOOLS) or (not group and kind in TOOL_KINDS)
    if obj and not is_tools and (not kind or not mapping(obj, "metadata") or not name_of(obj)):
        yield _nameless(obj, at, origin)
        return
    for parser in parsers:
        yield from parser(obj, at, origin)
    if _is_of(group, ADMISSION_ENGINES):
        yield from admission(obj, at, origin)
    elif obj and not parsers and (group, kind) not in SKIPPED and not is_tools:
        yield from _other(obj, at, origin)


def _nameless(obj: Object, at: Evidence, origin: Origin) -> Gap:
    kind = text(obj, "kind") or "an object without a kind"
    lacks = "kind" if not text(obj, "kind") else "metadata.name"
    nodes = (Node(Kind.NAMESPACES, origin.cluster, "*"),)
    remedy = f"give the object with its {lacks}"
    return Gap(at.document, f"{kind} lacks {lacks}", Reason.UNPARSABLE, Direction.INCOMING, nodes, _lanes(kind), remedy, at)


def _lanes(kind: str) -> tuple[Lane, ...]:
    if kind in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ServiceAccount"):
        return _RIGHTS
    return (Lane.NETWORK,) if "Policy" in kind else tuple(Lane)


def _other(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """An object that no table reads: an engine that may change rights or network, a workload by its shape, or a bystander."""
    group = group_of(obj)
    home = text(mapping(obj, "metadata"), "namespace")
    if _is_of(group, NETWORK_ENGINES) or text(obj, "kind").endswith(NETWORK_KINDS):
        yield _unevaluable(obj, at, origin, "may allow or deny traffic", (Lane.NETWORK,), "judge its rules by hand")
    elif _is_of(group, RIGHTS_ENGINES):
        remedy = "give the RoleBindings that its controller made, and judge the object by hand"
        yield _unevaluable(obj, at, origin, "makes its controller grant rights", _RIGHTS, remedy)
    else:
        if workloads.has_pods(obj):
            yield from workloads.workload(obj, at, origin)
        yield OtherObject(origin.cluster, text(obj, "kind"), home, name_of(obj), at)


def _unevaluable(obj: Object, at: Evidence, origin: Origin, does: str, lanes: tuple[Lane, ...], remedy: str) -> Gap:
    home = text(mapping(obj, "metadata"), "namespace")
    node = Node(Kind.NAMESPACE, origin.cluster, home) if home else Node(Kind.NAMESPACES, origin.cluster, "*")
    what = f"{text(obj, 'kind')} {name_of(obj)} ({group_of(obj)}) {does} and is not evaluated"
    return Gap(at.document, what, Reason.UNEVALUABLE, Direction.INCOMING, (node,), lanes, remedy, at)


@lru_cache(maxsize=4096)
def _is_of(group: str, groups: frozenset[str]) -> bool:
    return any(group == each or group.endswith(f".{each}") for each in groups)


def listings(document: Document) -> Iterator[Fact]:
    """Name the kinds that a document lists completely; where a list is empty, the file's name says which kind it is."""
    for value, at in lists(document):
        found = dict.fromkeys(text(item, "kind") for _, item in parts(value, "items"))
        declared = text(value, "kind").removesuffix("List")
        names = [declared] if declared else [name for name in found if name]
        if not names and not declared:
            names = [kind for plural, kind in PLURALS.items() if plural in _words(document.name)]
        yield from (Listed(name, document.origin.cluster, at.below("items")) for name in names)


def _words(name: str) -> frozenset[str]:
    stem = name.rsplit("/", 1)[-1].lower()
    for mark in "-_.,":
        stem = stem.replace(mark, " ")
    return frozenset(stem.split())


PARSERS: Mapping[str, Callable[[Document], Iterator[Fact | Gap]]] = {"kubernetes": parse}
