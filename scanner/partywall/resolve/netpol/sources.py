"""The pods that a namespace's people could start: labels are free, so reach is that of the labels they would choose."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import NetworkPolicy, Peer
from partywall.resolve.labels import NAME_LABEL, chosen
from partywall.resolve.netpol.ends import End, Ground


def chosen_ends(
    namespace: str, ground: Ground, egress: Sequence[NetworkPolicy], peers: Sequence[Peer], denied: Sequence[LabelSelector]
) -> Iterator[End]:
    """Yield the pods that could be started in a namespace and differ in where they get to.

    For every pod selector that some ingress rule asks of pods from here: labels that it selects and that no egress policy of the
    namespace isolates, or else labels that it selects together with each policy that lets out. Labels that are
    `denied` are left out once more where that is possible.
    """
    yield from _labelled(namespace, egress, _asked(namespace, peers, ground), None, denied)


def relabelled_ends(namespace: str, egress: Sequence[NetworkPolicy], peers: Sequence[Peer]) -> Iterator[End]:
    """Yield the pods of a namespace whose labels somebody has set so that a peer selects it."""
    fixed = {NAME_LABEL: namespace}
    for selector in dict.fromkeys(peer.namespaces for peer in peers if peer.namespaces is not None):
        labels = chosen((selector,), (), fixed)
        if labels is not None:
            pods = [peer.pods or LabelSelector() for peer in peers if peer.namespaces == selector]
            yield from _labelled(namespace, egress, list(dict.fromkeys(pods)), labels, ())


def _asked(namespace: str, peers: Sequence[Peer], ground: Ground) -> list[LabelSelector]:
    asked = {LabelSelector(): None}
    for peer in peers:
        if peer.pods is not None and peer.namespaces is not None and ground.selects(peer.namespaces, namespace):
            asked[peer.pods] = None
    return list(asked)


def _labelled(
    namespace: str,
    egress: Sequence[NetworkPolicy],
    asked: Sequence[LabelSelector],
    relabelled: Mapping[str, str] | None,
    denied: Sequence[LabelSelector],
) -> Iterator[End]:
    seen: set[tuple[tuple[str, str], ...]] = set()
    for selector in asked:
        for labels in (*_options(selector, egress, ()), *(_options(selector, egress, denied) if denied else ())):
            key = tuple(sorted(labels.items()))
            if key not in seen:
                seen.add(key)
                yield End(namespace, labels, relabelled=relabelled)


def _options(selector: LabelSelector, egress: Sequence[NetworkPolicy], denied: Sequence[LabelSelector]) -> Iterator[Mapping[str, str]]:
    free = chosen((selector,), (*(policy.pods for policy in egress), *denied))
    if free is not None:
        yield free
        return
    for wanted in ((selector,), *((selector, policy.pods) for policy in egress if policy.egress)):
        labels = chosen(wanted, denied)
        if labels is not None:
            yield labels
