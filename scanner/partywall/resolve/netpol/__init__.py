"""NetworkPolicies: which namespaces' pods may connect to which others'."""

from collections.abc import Iterator, Mapping, Sequence, Set

from partywall.model.document import Assumption, Direction, Gap, Reason
from partywall.model.edge import Certainty, Edge, Hold
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import Addon
from partywall.model.facts_kubernetes import ClusterNode, ConfigMap
from partywall.model.facts_kueue import LocalQueue
from partywall.model.facts_network import AdminPolicy, ForeignPolicy, NetworkPolicy, PolicyEndpoint
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.tenancy import ClusterRecord, Contract
from partywall.model.verbs import Lane
from partywall.resolve import Resolved, Resolver
from partywall.resolve.netpol.doors import CONNECT, Doors
from partywall.resolve.netpol.doubts import about, ambiguous, is_subject, unread
from partywall.resolve.netpol.ends import Held
from partywall.resolve.netpol.enforcement import Enforcement, State, enforcement
from partywall.resolve.netpol.estate import Estate, blocks_of, clusters, estate
from partywall.resolve.netpol.levers import Levers
from partywall.resolve.netpol.profiles import Profile, is_alone, profile
from partywall.resolve.netpol.reach import Reach, cluster_sources, reach
from partywall.resolve.netpol.spoofing import spoofs
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.places import namespaces
from partywall.resolve.rights import RIGHTS_READ, rights

PROXIES = frozenset({"Ingress", "Route", "HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute"})
READS: tuple[type, ...] = (
    *(NetworkPolicy, AdminPolicy, ForeignPolicy, PolicyEndpoint, Addon, ConfigMap, ClusterNode, Contract, LocalQueue, ClusterRecord),
    *RIGHTS_READ,
)


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who may connect to whom, for each cluster of which policies were given or listed."""
    known = namespaces(facts)
    held = rights(facts)
    for cluster in clusters(facts):
        yield from _cluster(estate(facts, cluster, known.get(cluster, {})), enforcement(facts, cluster), held)


def _cluster(here: Estate, force: Enforcement, held: Sequence[Grant]) -> Iterator[Resolved]:
    rules = profile(force.engine)
    into, out = (frozenset(_doubtful(here, rules, inward)) for inward in (True, False))
    doors = Doors(Levers(here.cluster, force), into, out)
    yield from _alone(here, rules)
    blocks_hold_pods = rules.blocks_hold_pods
    ground = here.ground(blocks_hold_pods=blocks_hold_pods)
    sure = reach(here, ground, cluster_sources(here, ground))
    yield from doors.edges(sure, Certainty.SURE, {})
    yield from spoofs(held, here, ground, doors.levers, into | out)
    open_to = _open_to(sure)
    if ground.unread or any(ground.held(block) is Held.MAYBE for block in blocks_of(here)):
        lenient = here.ground(True, blocks_hold_pods)
        could_be = reach(here, lenient, cluster_sources(here, lenient))
        yield from doors.edges(could_be, Certainty.UNKNOWN, open_to)
        for target, sources in _open_to(could_be).items():
            open_to.setdefault(target, set()).update(sources)
    yield from _foreign(here, rules, open_to)
    yield from _closed(here, force, doors, open_to)


def _open_to(found: Reach) -> dict[str, set[str]]:
    pairs: dict[str, set[str]] = {}
    for opening, sources in found.pairs():
        pairs.setdefault(opening.target, {opening.target}).update(sources)
    return pairs


def _closed(here: Estate, force: Enforcement, doors: Doors, open_to: dict[str, set[str]]) -> Iterator[Resolved]:
    """Say what it is worth that policies close a pair: a hold, an edge where they are not in force, a gap where that is not shown."""
    ingress = {policy.namespace: policy for policy in reversed(here.policies) if policy.ingress is not None}
    egress = {policy.namespace: policy for policy in reversed(here.policies) if policy.egress is not None}
    shut: dict[str, list[str]] = {}
    for target in here.places:
        found = [source for source in here.places if source != target and source not in open_to.get(target, ())]
        if found:
            shut[target] = found
    if not shut:
        return
    match force.state:
        case State.ON:
            yield from (_hold(here, force, target, sources, ingress.get(target)) for target, sources in shut.items())
        case State.OFF:
            lever = doors.levers.enforce()
            for target, sources in shut.items():
                for source in sources:
                    closing = ingress.get(target) or egress.get(source)
                    at = tuple(dict.fromkeys(one for one in (force.at, closing.at if closing else None) if one))
                    note = "the policies that would close this are not in force"
                    yield Edge(_node(here, source), CONNECT, _node(here, target), at or (here.places[target],), lever, note=note)
        case State.NOT_SHOWN:
            yield from _not_shown(here, shut, ingress, egress)
        case State.NOT_GIVEN:
            text = f"something in {cluster_name(here.cluster)} puts NetworkPolicies into force: no add-on and no DaemonSet of it was given"
            yield Assumption("networkpolicies", text)


def _hold(here: Estate, force: Enforcement, target: str, sources: list[str], policy: NetworkPolicy | None) -> Hold:
    others = len(here.places) - 1
    whom = "no other namespace" if len(sources) == others else f"{others - len(sources)} of {others} other namespaces"
    named = f"NetworkPolicy {policy.name} isolates {target} for ingress" if policy else "the others' policies isolate them for egress"
    because: list[Evidence] = [policy.at if policy else here.places[target]]
    if force.at:
        because.append(force.at)
    return Hold(Lane.NETWORK, _node(here, target), f"{named}; {whom} may connect, and {force.text}", tuple(because))


def _not_shown(
    here: Estate, shut: dict[str, list[str]], ingress: dict[str, NetworkPolicy], egress: dict[str, NetworkPolicy]
) -> Iterator[Gap]:
    name = cluster_name(here.cluster)
    what = f"whether anything in {name} puts NetworkPolicies into force (the VPC CNI does so only where it is told to)"
    remedy = f"aws eks describe-addon --cluster-name {name} --addon-name vpc-cni"
    # Closed by the target's policies or by the sources'; where neither has any, cluster-wide ones close it, and the target is in question.
    targets = [target for target, found in shut.items() if target in ingress or not any(source in egress for source in found)]
    sources = dict.fromkeys(source for target, found in shut.items() if target not in ingress for source in found if source in egress)
    at = here.policies[0].at if here.policies else None
    document = at.document if at else "networkpolicies"
    for direction, names in ((Direction.INCOMING, targets), (Direction.OUTGOING, list(sources))):
        if names:
            yield Gap(document, what, Reason.ABSENT, direction, tuple(_node(here, one) for one in names), (Lane.NETWORK,), remedy, at)


def _node(here: Estate, namespace: str) -> Node:
    return Node(Kind.NAMESPACE, here.cluster, namespace)


def _doubtful(here: Estate, rules: Profile, inward: bool) -> Iterator[str]:
    """Yield the namespaces about which policies speak, of one direction, that we cannot judge."""
    for policy in here.foreign:
        if not policy.opens and (policy.ingress if inward else policy.egress):
            yield from about(here, policy)
    for admin in unread(here, rules):
        if admin.ingress if inward else admin.egress:
            yield from (name for name in here.places if is_subject(here, admin, name))
    for _, _, names in ambiguous(here):
        yield from names


def _foreign(here: Estate, rules: Profile, open_to: Mapping[str, Set[str]]) -> Iterator[Gap]:
    for policy in here.foreign:
        names = tuple(about(here, policy))
        if policy.kind in PROXIES:
            # A proxy stands outside the namespace: where nobody outside is let in, neither is it.
            names = tuple(name for name in names if open_to.get(name, frozenset()) - {name})
        what = f"{policy.kind} {policy.name}, {policy.why}"
        ways = tuple(way for way, speaks in ((Direction.INCOMING, policy.ingress), (Direction.OUTGOING, policy.egress)) if speaks)
        yield from _unjudged(here, what, names, policy.at, "judge it by hand", ways)
    for admin in unread(here, rules):
        what = f"{admin.kind} {admin.name} ({admin.group}), which {rules.name} is not known to read"
        names = tuple(name for name in here.places if is_subject(here, admin, name))
        ways = tuple(way for way, some in ((Direction.INCOMING, admin.ingress), (Direction.OUTGOING, admin.egress)) if some)
        yield from _unjudged(here, what, names, admin.at, "say it in a policy that the plug-in reads", ways)
    for one, other, names in ambiguous(here):
        what = f"which of {one.kind} {one.name} and {other.kind} {other.name} speaks first, since both have priority {one.priority}"
        yield from _unjudged(here, what, names, one.at, "give them different priorities", (Direction.INCOMING,))


def _alone(here: Estate, rules: Profile) -> Iterator[Assumption]:
    """Say that pods without a controller are taken for covered, where the plug-in's documentation does not promise it."""
    alone = [f"{one.namespace}/{one.name}" for name in here.places for one in here.workloads.get(name, ()) if is_alone(one)]
    if rules.alone and alone:
        more = f" and {len(alone) - 4} more" if len(alone) > 4 else ""
        yield Assumption("networkpolicies", f"policies cover the pods {', '.join(alone[:4])}{more}, though {rules.alone}")


def _unjudged(here: Estate, what: str, names: tuple[str, ...], at: Evidence, remedy: str, ways: tuple[Direction, ...]) -> Iterator[Gap]:
    nodes = tuple(_node(here, name) for name in names)
    for way in ways if nodes else ():
        yield Gap(at.document, what, Reason.UNEVALUABLE, way, nodes, (Lane.NETWORK,), remedy, at)


RESOLVER = Resolver("netpol", READS, resolve)
