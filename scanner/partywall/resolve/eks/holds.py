"""What stands in front of a namespace: nobody but these was given anything there."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.edge import Hold
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.model.thing import glob_matches
from partywall.model.verbs import VERBS, Lane
from partywall.resolve.rbac.edges import about_the_place
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.places import is_glob, place

_WORDS: Mapping[Lane, str] = {Lane.ACT: "act on", Lane.VIEW: "look into", Lane.DATA: "read or delete secrets and volumes of"}
_SHOWN = 3
_SYSTEM = ("system:", "eks:", "kube-system/")


def holds(grants: Iterable[Grant], known: Mapping[str, Mapping[str, Evidence]]) -> Iterator[Hold]:
    """Yield for each namespace and lane who alone may get in, by bindings and access policies; clusters without either are left out."""
    given: dict[str, dict[str, list[tuple[Grant, frozenset[Lane]]]]] = {}
    for grant in grants:
        if grant.source.name.startswith(_SYSTEM):
            continue  # parts of Kubernetes and EKS themselves are everywhere
        lanes = frozenset(VERBS[held.capability.verb].lane for held in about_the_place(grant.rules, grant.is_wide))
        given.setdefault(grant.cluster, {}).setdefault(grant.namespace, []).append((grant, lanes))
    for cluster, places in given.items():
        broad = [(pattern, held) for pattern, held in places.items() if not pattern or is_glob(pattern)]
        for name, at in known.get(cluster, {}).items():
            here = [*places.get(name, ()), *(one for pattern, held in broad if not pattern or glob_matches(pattern, name) for one in held)]
            for lane in _WORDS:
                yield _hold(lane, place(cluster, name), [grant for grant, lanes in here if lane in lanes], at)


def _hold(lane: Lane, target: Node, grants: list[Grant], at: Evidence) -> Hold:
    holders = {str(grant.source): grant.because[0] for grant in grants}
    names = ", ".join(list(holders)[:_SHOWN]) + (f" and {len(holders) - _SHOWN} more" if len(holders) > _SHOWN else "")
    who = f"nobody but {names}" if holders else "nobody"
    text = f"bindings and access policies let {who} {_WORDS[lane]} {target}"
    return Hold(lane, target, text, tuple(list(holders.values())[:_SHOWN]) or (at,))
