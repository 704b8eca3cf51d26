"""Who is given which rules, where: each subject of each binding, one by one, because each is a lever of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from partywall.model.atom import Atom, Control
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Certainty, Change, Condition, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster
from partywall.model.facts_kubernetes import Binding, Role, Rule, Subject, SubjectKind, subject_node
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.residual import that
from partywall.model.verbs import Lane
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import everybody, place
from partywall.resolve.rbac.roles import roles_of
from partywall.resolve.twins import distinct

RIGHTS_LANES = tuple(Lane)
T = TypeVar("T")

_ANONYMOUS = ("system:unauthenticated", "system:anonymous")
_OF_NAMESPACE = "system:serviceaccounts:"
_OF_ALL = "system:serviceaccounts"


@dataclass(frozen=True, slots=True)
class Grant:
    """`source` has `rules` in `namespace` (empty: the whole cluster; it may be a glob). `lever` takes them away."""

    source: Node
    cluster: str
    namespace: str
    rules: tuple[Rule, ...]
    because: tuple[Evidence, ...]
    lever: Lever
    role: str
    certainty: Certainty = Certainty.SURE
    condition: Condition | None = None

    @property
    def is_wide(self) -> bool:
        """Tell whether the grant holds for the whole cluster, cluster-scoped objects included."""
        return not self.namespace

    def shown(self, rule: Rule) -> tuple[Evidence, ...]:
        """Return the evidence for one rule of the grant; a rule that is shipped with us has no place of its own."""
        return (*self.because[:1], rule.at, *self.because[1:]) if rule.at.document else self.because


def grants(facts: Facts, known: Mapping[str, Mapping[str, Evidence]]) -> Iterator[Grant | Gap]:
    """Yield what each subject of each binding gets; a role that is not there gives nothing, and is a gap unless all roles were listed."""
    rules = roles_of(facts)
    doors = {cluster.cluster: cluster for cluster in facts.of(EksCluster)}
    for binding, copies in distinct(facts.of(Binding), _content):
        home = binding.namespace if binding.role_kind == "Role" else ""
        held = rules[binding.cluster].get((home, binding.role))
        if held is None:
            yield from dangling(binding, facts)
            continue
        for number, subject in enumerate(binding.subjects):
            if subject.kind is SubjectKind.GROUP and subject.name == MASTERS:
                continue  # may do everything anyway, whatever is bound
            lever = _lever(binding, number, copies)
            here = (binding.places[number],) if binding.places else (binding.at,)
            for source, condition in _sources(binding.cluster, subject, known.get(binding.cluster, {}), doors.get(binding.cluster)):
                sure = Certainty.CONDITIONAL if condition else Certainty.SURE
                yield Grant(
                    source,
                    binding.cluster,
                    binding.namespace,
                    held,
                    (*here, binding.at.below("roleRef")),
                    lever,
                    binding.role,
                    sure,
                    condition,
                )


def dangling(binding: Binding, facts: Facts) -> Iterator[Gap]:
    """Yield a gap for a binding whose role is not there, unless all roles were listed."""
    if facts.listed(binding.role_kind, binding.cluster) and _covers(binding, facts):
        return
    nodes = tuple(subject_node(binding.cluster, subject) for subject in binding.subjects)
    if not nodes:
        return
    what = f"{binding.role_kind} {binding.role}, which {binding.kind} {binding.name} refers to, is not among the files"
    plural = binding.role_kind.lower() + "s"
    remedy = f"kubectl get {plural} {'-A ' if binding.role_kind == 'Role' else ''}-o json > kubectl-get-{plural}.json"
    yield Gap(binding.at.document, what, Reason.ABSENT, Direction.OUTGOING, nodes, RIGHTS_LANES, remedy, binding.at.below("roleRef"))


def _covers(binding: Binding, facts: Facts) -> bool:
    """Tell whether a list of Roles is about the binding's namespace too: one of a single other namespace says nothing of it."""
    if binding.role_kind != "Role":
        return True
    homes = {role.namespace for role in facts.of(Role) if role.cluster == binding.cluster and role.namespace}
    return len(homes) != 1 or binding.namespace in homes


def _content(binding: Binding) -> tuple[str | tuple[Subject, ...], ...]:
    return (binding.cluster, binding.namespace, binding.name, binding.role_kind, binding.role, binding.subjects)


def _lever(binding: Binding, number: int, copies: tuple[Binding, ...]) -> Lever:
    subject = binding.subjects[number]
    where = f"{binding.namespace}/{binding.name}" if binding.namespace else binding.name
    rest = replace(binding, subjects=_without(binding.subjects, number), places=_without(binding.places, number))
    return Lever(
        Move.REMOVE,
        binding.kind,
        binding.cluster,
        f"{where} {subject}",
        (binding.places[number] if binding.places else binding.at,),
        f"remove {_word(subject)} from {binding.kind} {where}, or bind a role with less",
        f"{binding.role_kind} {binding.role}",
        Change(copies, (rest,)),
    )


def _word(subject: Subject) -> str:
    match subject.kind:
        case SubjectKind.USER:
            return f"user {subject.name}"
        case SubjectKind.GROUP:
            return f"group {subject.name}"
        case SubjectKind.SERVICE_ACCOUNT:
            return f"service account {subject.namespace}/{subject.name}"


def _without(items: Sequence[T], number: int) -> tuple[T, ...]:
    return tuple(item for index, item in enumerate(items) if index != number)


def _sources(
    cluster: str, subject: Subject, known: Mapping[str, Evidence], door: EksCluster | None
) -> Iterator[tuple[Node, Condition | None]]:
    """Yield who a subject is. Whoever is signed in may also send a request without credentials, so what anonymous may do everybody may."""
    if subject.kind is SubjectKind.SERVICE_ACCOUNT:
        yield subject_node(cluster, subject), None
    elif subject.name in _ANONYMOUS:
        condition = anonymous(door)
        yield everybody(cluster), condition
        if door is None or door.public is not False:
            yield Node(Kind.ANYONE, "", "anyone"), condition
    elif subject.kind is SubjectKind.GROUP and subject.name == "system:authenticated":
        yield everybody(cluster), None
    elif subject.kind is SubjectKind.GROUP and subject.name == _OF_ALL:
        yield from ((place(cluster, name), None) for name in known)
    elif subject.kind is SubjectKind.GROUP and subject.name.startswith(_OF_NAMESPACE):
        yield place(cluster, subject.name.removeprefix(_OF_NAMESPACE)), None
    else:
        yield subject_node(cluster, subject), None


def anonymous(door: EksCluster | None) -> Condition:
    """Return the condition under which requests without credentials are answered."""
    name = cluster_name(door.cluster) if door else "the cluster"
    version = f"; this one has version {door.version}" if door and door.version else ""
    text = f"the API server of {name} answers anonymous requests (EKS does so for health checks only from version 1.32 on{version})"
    return Condition(that(Atom("kubernetes:anonymous-auth", "Bool", ("true",), Control.ENVIRONMENT)), text)
