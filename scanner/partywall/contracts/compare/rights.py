"""What a provider group or permission set may do, beside what its holders really can."""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from partywall.contracts.compare.access import set_name
from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.model.document import Gap
from partywall.model.edge import Certainty, Edge
from partywall.model.facts_eks import AccessEntry, AssociationsRead
from partywall.model.facts_kubernetes import Binding, Role, SubjectKind
from partywall.model.tenancy import Right
from partywall.model.verbs import VERBS, Family, Lane


class Level(IntEnum):
    """How much somebody may do; each level holds the ones below it."""

    NONE = 0
    VIEW = 1
    SUBMIT = 2
    ADMIN = 3


# Creating pods means running anything in them, so what goes on inside one's own pods is part of submitting, and so are the ConfigMaps,
# Secrets and Services that a job needs (aws/sagemaker-hyperpod-cli, Helm chart team-role-and-bindings).
_SUBMITS = frozenset(
    {
        "create workloads",
        "patch workloads",
        "create pods/exec",
        "delete workloads",
        "change",
        "delete",
        "consume capacity of",
        "associates pod identity of",
    }
)
_ADMINISTERS = frozenset(
    {
        "rewrites roles of",
        "impersonates",
        "becomes administrator of",
        "creates access entry for",
        "edits policies of",
        "edits trust of",
        "update cluster",
        "send command to",
        "change network rules of",
        "change quota of",
        "change priorities of",
        "preempt",
        "coordinates",
    }
)
_WORDS: Mapping[Level, str] = {Level.NONE: "nothing", Level.VIEW: "view", Level.SUBMIT: "submit", Level.ADMIN: "admin"}


def level_of(verb: str) -> Level:
    """Return how much a verb lets somebody do on a cluster; data and network are judged by other fields."""
    if verb in _ADMINISTERS:
        return Level.ADMIN
    if verb in _SUBMITS:
        return Level.SUBMIT
    return Level.VIEW if VERBS[verb].lane is Lane.VIEW else Level.NONE


def compare_rights(case: Case) -> Iterator[Difference | Gap]:
    """Yield groups that can do more than their contract says, even inside their own team, and groups that can do nothing at all."""
    if case.reality.does is None:
        return
    for number, right in enumerate(case.contract.rights):
        edges = list(case.reality.does(right.group))
        yield from _more(case, right, number, edges)
        if right.can and not any(_is_something(edge) for edge in edges) and _is_known(case, right.group):
            allowed = ", ".join(right.can)
            message = f"{right.group} of {case.tenant} may {allowed} by its contract and can do nothing in cluster {case.cluster_word}"
            yield case.differs("rights", f"{right.group}/nothing", Drift.NOT_REAL, allowed, "nothing", message, place=f"rights.{number}")


def _is_something(edge: Edge) -> bool:
    """Tell whether an edge is more than a name by which somebody comes in."""
    return VERBS[edge.verb].family is Family.MAY or level_of(edge.verb) is not Level.NONE


def _more(case: Case, right: Right, number: int, edges: Iterable[Edge]) -> Iterator[Difference | Gap]:
    allowed = max((Level[each.upper()] for each in right.can), default=Level.NONE)
    can = ", ".join(right.can) or "nothing"
    for level, edge in sorted(_beyond(right, allowed, edges).items()):
        if edge.certainty is Certainty.UNKNOWN:
            source = edge.because[0].document
            yield case.unjudged(
                "rights", f"whether {right.group} can {edge.verb} {edge.target} is not known", f"see what {source} leaves open"
            )
            continue
        message = f"{right.group} of {case.tenant} may {can} by its contract, and has more: {edge.verb} {edge.target}"
        real = f"{_WORDS[level]} ({edge.verb} {edge.target})"
        subject = f"{right.group}/{right.where}/{_WORDS[level]}"
        yield case.differs("rights", subject, Drift.DIFFERS, can, real, message, edge.because, f"rights.{number}.can")


def _beyond(right: Right, allowed: Level, edges: Iterable[Edge]) -> Mapping[Level, Edge]:
    """Return, for each level above what is allowed, the surest edge that reaches it."""
    found: dict[Level, Edge] = {}
    for edge in edges:
        level = level_of(edge.verb)
        if (
            level > allowed
            and (not right.where or _is_where(right, edge))
            and (level not in found or edge.certainty < found[level].certainty)
        ):
            found[level] = edge
    return found


def _is_where(right: Right, edge: Edge) -> bool:
    """Tell whether an edge leads to where the right holds, or wider: elsewhere another right, or the wall, says what may be done."""
    return right.where in (edge.target.name, edge.target.name.split("/")[0]) or edge.target.name == "*"


def _is_known(case: Case, group: str) -> bool:
    """Tell whether all that could give a group, or a permission set with an entry, its rights was read: else its silence means nothing."""
    if any(case.listing(kind) is None for kind in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "AccessEntry")):
        return False
    entries = [entry for entry in case.facts.of(AccessEntry) if entry.cluster == case.cluster]
    read = {each.principal for each in case.facts.of(AssociationsRead) if each.cluster == case.cluster}
    named = any(group in entry.groups or (set_name(entry.principal) == group and entry.principal in read) for entry in entries)
    bindings = [
        binding
        for binding in case.facts.of(Binding)
        if binding.cluster == case.cluster
        and any(subject.kind is SubjectKind.GROUP and subject.name == group for subject in binding.subjects)
    ]
    return (named or bool(bindings)) and all(_has_role(case, binding) for binding in bindings)


def _has_role(case: Case, binding: Binding) -> bool:
    """Tell whether the role of a binding was read, or is known not to exist. Kubernetes makes its own ClusterRoles."""
    if case.listing(binding.role_kind) is not None:
        return True
    home = binding.namespace if binding.role_kind == "Role" else ""
    return any((role.cluster, role.namespace, role.name) == (case.cluster, home, binding.role) for role in case.facts.of(Role))
