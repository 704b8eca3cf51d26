"""Small worlds of namespaces, pods and policies, and the slow, obvious way to judge them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import Action, AdminPolicy, AdminRule, Allowance, Block, NetworkPolicy, Peer, Ports, Tier
from partywall.resolve.labels import NAME_LABEL
from partywall.resolve.netpol.ends import End

CLUSTER = "111122223333/us-east-2/lab"
HERE = Evidence("world.json", "")
NAMESPACES = ("a", "b", "c")
KEYS, VALUES = ("app", "tier"), ("x", "y")
PROBES = (("TCP", 80), ("TCP", 8080), ("TCP", 9000), ("UDP", 53), ("SCTP", 7))

labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))
some_values = st.lists(st.sampled_from(VALUES), min_size=1, max_size=2, unique=True).map(tuple)
demands = st.one_of(
    st.tuples(st.sampled_from(KEYS), st.sampled_from(("In", "NotIn")), some_values),
    st.tuples(st.sampled_from(KEYS), st.sampled_from(("Exists", "DoesNotExist")), st.just(())),
)
selectors = st.builds(
    LabelSelector, st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=1).map(lambda found: tuple(found.items())),
    st.lists(demands, max_size=2).map(tuple),
)  # fmt: skip
by_name = st.sampled_from(NAMESPACES).map(lambda name: LabelSelector(((NAME_LABEL, name),)))
space_selectors = st.one_of(st.just(LabelSelector()), by_name, selectors)
blocks = st.sampled_from((Block("0.0.0.0/0"), Block("10.0.0.0/24"), Block("10.0.0.0/24", ("10.0.0.2/32",)), Block("192.168.0.0/16")))
peers = st.one_of(
    st.builds(Peer, st.none(), selectors),
    st.builds(Peer, space_selectors, st.none()),
    st.builds(Peer, space_selectors, selectors),
    st.builds(Peer, block=blocks),
)
pod_peers = st.builds(Peer, space_selectors, st.one_of(st.none(), selectors))
ports = st.sampled_from(
    (Ports("TCP"), Ports("TCP", 80, 80), Ports("TCP", 8000, 9000), Ports("UDP", 53, 53), Ports("TCP", name="web"), Ports("UDP", name="web"))
)
some_ports = st.one_of(st.none(), st.lists(ports, min_size=1, max_size=2).map(tuple))
allowances = st.builds(Allowance, st.one_of(st.none(), st.lists(peers, min_size=1, max_size=2).map(tuple)), some_ports)
directions = st.one_of(st.none(), st.lists(allowances, max_size=2).map(tuple))
admin_rules = st.lists(
    st.builds(AdminRule, st.sampled_from(Action), st.lists(pod_peers, min_size=1, max_size=2).map(tuple), some_ports), max_size=2
)


@dataclass(frozen=True, slots=True)
class Small:
    """One small world."""

    namespaces: Mapping[str, Mapping[str, str]]
    pods: tuple[End, ...]
    policies: tuple[NetworkPolicy, ...]
    admin: tuple[AdminPolicy, ...]


@st.composite
def small_worlds(draw: st.DrawFn, with_admin: bool = True) -> Small:
    namespaces = {name: draw(labels) for name in NAMESPACES}
    pods = [_pod(draw, number) for number in range(draw(st.integers(2, 5)))]
    policies = [
        NetworkPolicy(CLUSTER, draw(st.sampled_from(NAMESPACES)), f"p{number}", draw(selectors), draw(directions), draw(directions), HERE)
        for number in range(draw(st.integers(0, 4)))
    ]
    admin = [_admin(draw, number) for number in range(draw(st.integers(0, 2)) if with_admin else 0)]
    return Small(namespaces, tuple(pods), tuple(policies), tuple(admin))


def _pod(draw: st.DrawFn, number: int) -> End:
    named = draw(st.sampled_from(((), (("web", 8080, "TCP"),), (("web", 53, "UDP"),))))
    return End(draw(st.sampled_from(NAMESPACES)), draw(labels), named, (f"10.0.0.{number + 1}",), draw(st.integers(0, 9)) == 0)


def _admin(draw: st.DrawFn, number: int) -> AdminPolicy:
    tier = draw(st.sampled_from(Tier))
    sides = (tuple(draw(admin_rules)), tuple(draw(admin_rules)))
    return AdminPolicy(CLUSTER, "ClusterNetworkPolicy", f"admin{number}", tier, number, draw(pod_peers), *sides, HERE)


def matches(selector: LabelSelector, found: Mapping[str, str]) -> bool:
    """Compare labels the way the documentation words it."""
    for key, value in selector.labels:
        if key not in found or found[key] != value:
            return False
    for key, operator, values in selector.expressions:
        present = key in found
        if operator == "In" and not (present and found[key] in values):
            return False
        if operator == "NotIn" and present and found[key] in values:
            return False
        if operator == "Exists" and not present:
            return False
        if operator == "DoesNotExist" and present:
            return False
    return True


def _address(text: str) -> int:
    one, two, three, four = map(int, text.split("."))
    return ((one * 256 + two) * 256 + three) * 256 + four


def _in(cidr: str, address: str) -> bool:
    base, _, length = cidr.partition("/")
    shift = 32 - int(length)
    return _address(base) >> shift == _address(address) >> shift


def _meant(world: Small, peer: Peer, home: str, pod: End) -> bool:
    if peer.block is not None:
        return any(_in(peer.block.cidr, one) and not any(_in(gap, one) for gap in peer.block.without) for one in pod.addresses)
    if pod.on_host:
        return False
    if peer.namespaces is None:
        if pod.namespace != home:
            return False
    elif not matches(peer.namespaces, {**world.namespaces[pod.namespace], NAME_LABEL: pod.namespace}):
        return False
    return peer.pods is None or matches(peer.pods, pod.labels)


def _port_fits(rule_ports: Sequence[Ports] | None, target: End, protocol: str, port: int) -> bool:
    if rule_ports is None:
        return True
    for one in rule_ports:
        if one.protocol != protocol:
            continue
        if one.name:
            if (one.name, port, protocol) in target.ports:
                return True
        elif one.first <= port <= one.last:
            return True
    return False


def connects(world: Small, source: End, target: End, protocol: str, port: int) -> bool:
    """Ask every policy about one pair and one port."""
    return all(
        _side(world, me, other, target, protocol, port, inward) for me, other, inward in ((target, source, True), (source, target, False))
    )


def _side(world: Small, me: End, other: End, target: End, protocol: str, port: int, inward: bool) -> bool:
    if me.on_host:
        return True
    # A pod on the host's network as a target is outside every cluster-wide policy too.
    admin = None if target.on_host else _tier(world, Tier.ADMIN, me, other, target, protocol, port, inward)
    if admin in (Action.ACCEPT, Action.DENY):
        return admin is Action.ACCEPT
    isolated = False
    for policy in world.policies:
        rules = policy.ingress if inward else policy.egress
        if policy.namespace != me.namespace or rules is None or not matches(policy.pods, me.labels):
            continue
        isolated = True
        for rule in rules:
            if rule.peers is not None and not any(_meant(world, peer, policy.namespace, other) for peer in rule.peers):
                continue
            if _port_fits(rule.ports, target, protocol, port):
                return True
    if isolated:
        return False
    return target.on_host or _tier(world, Tier.BASELINE, me, other, target, protocol, port, inward) is not Action.DENY


def _tier(world: Small, tier: Tier, me: End, other: End, target: End, protocol: str, port: int, inward: bool) -> Action | None:
    for policy in sorted((one for one in world.admin if one.tier is tier), key=lambda one: one.priority):
        if not _meant(world, policy.subject, "", me):
            continue
        for rule in policy.ingress if inward else policy.egress:
            if any(_meant(world, peer, "", other) for peer in rule.peers) and _port_fits(rule.ports, target, protocol, port):
                return rule.action
    return None
