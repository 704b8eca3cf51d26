"""What makes a verdict of the board doubtful, and what it cannot see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import AdminPolicy, AdminRule, ForeignPolicy
from partywall.resolve.labels import selects
from partywall.resolve.netpol.board import Board, members
from partywall.resolve.netpol.enforcement import State
from partywall.resolve.netpol.estate import Estate
from partywall.resolve.netpol.profiles import EVERYWHERE, STANDARD, Profile, is_alone

NETWORKS = "k8s.v1.cni.cncf.io/networks"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a verdict may not hold. One that `opens` puts what is denied in question; one that `closes` what is allowed."""

    text: str
    at: Evidence | None
    opens: bool = True
    closes: bool = False

    def touches(self, allowed: bool) -> bool:
        """Tell whether it puts such a verdict in question."""
        return self.closes if allowed else self.opens


def doubts(board: Board, sources: int, targets: int) -> Iterator[Doubt]:
    """Yield what makes verdicts about these columns doubtful."""
    here, force = board.estate, board.force
    if force.state is State.NOT_SHOWN:
        yield Doubt("nothing that was read shows that anything puts policies into force", None)
    asked = [board.columns[number] for number in members(sources | targets)]
    leaving, entered = ({board.columns[number].end.namespace for number in members(side)} for side in (sources, targets))
    homes = (leaving | entered) - {""}
    for policy in here.foreign:
        meant = set(about(here, policy))
        if (policy.egress and meant & leaving) or (policy.ingress and meant & entered):
            yield Doubt(f"{policy.kind} {policy.name}, {policy.why}", policy.at, closes=not policy.opens)
    for admin in unread(here, board.profile):
        if any(is_subject(here, admin, name) for name in homes):
            yield Doubt(
                f"{admin.kind} {admin.name} ({admin.group}), which {board.profile.name} is not known to read", admin.at, closes=True
            )
    for one, other, names in ambiguous(here):
        if homes.intersection(names):
            text = f"which of {one.kind} {one.name} and {other.kind} {other.name} speaks first, since both have priority {one.priority}"
            yield Doubt(text, one.at, closes=True)
    for column in asked:
        if column.atom is not None:
            yield from (Doubt(text, None, closes=True) for text in board.profile.doubts(column.atom))
        if board.profile.doubts_alone(column.members):
            alone = next(workload for workload in column.members if is_alone(workload))
            yield Doubt(f"pod {alone.namespace}/{alone.name}: {board.profile.alone}", alone.at)


def blind_spots(board: Board, asked: int) -> Iterator[str]:
    """Yield what no verdict about these columns can see."""
    if board.force.state is State.NOT_GIVEN:
        yield "it is assumed that something puts policies into force: no add-on and no DaemonSet was given that could say it"
    found = [workload for number in members(asked) for workload in board.columns[number].members]
    if hosts := sorted({f"{one.namespace}/{one.name}" for one in found if one.host_network}):
        yield f"no policy covers pods on the host's network, and others see the node in their place: {_some(hosts)}"
    if extra := sorted({f"{one.namespace}/{one.name}" for one in found if one.object_annotations.get(NETWORKS)}):
        yield f"these pods have interfaces beside their first, which policies do not cover: {_some(extra)}"
    yield from (text for text in board.profile.blind if text != STANDARD or not board.force.strict)
    yield from EVERYWHERE


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def about(here: Estate, policy: ForeignPolicy) -> Iterator[str]:
    """Yield the namespaces that a policy of another dialect is about."""
    for name in here.places:
        if policy.namespace == name or (
            not policy.namespace and (policy.namespaces is None or selects(policy.namespaces, here.labels.get(name, {})))
        ):
            yield name


def unread(here: Estate, rules: Profile) -> tuple[AdminPolicy, ...]:
    """Return the cluster-wide policies that the plug-in is not known to read."""
    return tuple(policy for policy in here.admin if not rules.reads(policy))


def ambiguous(here: Estate) -> Iterator[tuple[AdminPolicy, AdminPolicy, tuple[str, ...]]]:
    """Yield policies of one tier and priority, and the namespaces about which both speak.

    Which of them speaks first is undefined (network-policy-api, field `priority`); where they say the same it changes nothing.
    """
    for number, one in enumerate(here.admin):
        for other in here.admin[:number]:
            if (one.tier, one.priority) == (other.tier, other.priority) and (
                _contradict(one.ingress, other.ingress) or _contradict(one.egress, other.egress)
            ):
                names = tuple(name for name in here.places if is_subject(here, one, name) and is_subject(here, other, name))
                if names:
                    yield one, other, names


def _contradict(some: Sequence[AdminRule], others: Sequence[AdminRule]) -> bool:
    return bool(some and others) and len({rule.action for rule in (*some, *others)}) > 1


def is_subject(here: Estate, policy: AdminPolicy, namespace: str) -> bool:
    """Tell whether a cluster-wide policy is about pods of a namespace; where its labels were not read, it may be."""
    return namespace not in here.labels or selects(policy.subject.namespaces or LabelSelector(), here.labels[namespace])
