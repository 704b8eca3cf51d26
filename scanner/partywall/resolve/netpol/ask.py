"""Who gets to whom, asked of a whole input: in every cluster where both ends are, with what of the input was not read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from partywall.errors import UsageError
from partywall.model.document import Direction, Gap
from partywall.model.facts import Facts
from partywall.model.facts_network import PROTOCOLS, Ports
from partywall.model.node import Kind, cluster_name
from partywall.model.verbs import Lane
from partywall.resolve.netpol.answer import Answer, Row, Verdict, answer
from partywall.resolve.netpol.atoms import METADATA, NAMED, NODES, POD_IDENTITY, RESOLVER
from partywall.resolve.netpol.doubts import Doubt
from partywall.resolve.netpol.estate import clusters
from partywall.resolve.rbac.places import namespaces

ALIASES: Mapping[str, str] = {"imds": METADATA, "pod-identity": POD_IDENTITY, "dns": RESOLVER}
_LISTED = "kubectl get networkpolicies -A -o json"


def asked(
    facts: Facts, unread: Iterable[Gap], source: str, target: str, scopes: Sequence[str], places: Mapping[str, Sequence[str]]
) -> tuple[Answer, ...]:
    """Answer in each of some clusters (canonical scopes) that knows both ends; ends are written as `answer` takes them, or by an alias.

    A cluster of which no policy was given and none listed leaves everything unknown. Raises UsageError where no cluster knows the ends.
    """
    judged = clusters(facts)
    found: list[Answer] = []
    wrong: list[UsageError] = []
    gaps = tuple(unread)
    for scope in scopes:
        for ends in ((one, other) for one in _addresses(source) for other in _addresses(target)):
            try:
                _see(facts, scope, ends, places)
                made = answer(facts, ends[0], ends[1], scope, places) if scope in judged else _nothing(scope, *ends)
            except UsageError as error:
                wrong.append(error)
            else:
                found.append(_with_unread(made, tuple(_about(gaps, scope, ends)), _is_listed(facts, scope)))
    if not found and wrong:
        raise wrong[0]
    return tuple(found)


def _addresses(text: str) -> tuple[str, ...]:
    """Return the addresses of a place that has one of each kind, since what covers one may not cover the other; else the end itself."""
    found = NAMED.get(ALIASES.get(text, text))
    return tuple(one.partition("/")[0] for one in found) if found else (text,)


def _see(facts: Facts, scope: str, ends: Sequence[str], places: Mapping[str, Sequence[str]]) -> None:
    """See that the namespace of each end is there. Raises UsageError, naming those that are called nearly so."""
    known = sorted(namespaces(facts).get(scope, {}))
    for text in ends:
        home = text.partition("/")[0]
        if home in known or text in (NODES, *places) or any(mark in home for mark in ".:"):
            continue
        words = [*known, NODES, *ALIASES, *places]
        near = get_close_matches(home, words, 3, 0.6)
        told = f"did you mean {' or '.join(near)}?" if near else f"it knows {', '.join(known[:8]) or 'none'}"
        raise UsageError(f"no namespace or place of {cluster_name(scope) or 'the cluster'} is called {home}; {told}")


def _nothing(scope: str, source: str, target: str) -> Answer:
    doubt = Doubt(f"no NetworkPolicy of {cluster_name(scope) or 'the cluster'} was given and none listed ({_LISTED})", None, closes=True)
    return Answer(scope, source, target, tuple(Row(Ports(protocol), Verdict.UNKNOWN) for protocol in PROTOCOLS), (doubt,), ())


def _is_listed(facts: Facts, scope: str) -> bool:
    return facts.listed("NetworkPolicy", scope)


def _about(gaps: Iterable[Gap], scope: str, ends: Sequence[str]) -> Iterator[Gap]:
    homes = {text.partition("/")[0] for text in ends}
    for gap in gaps:
        if Lane.NETWORK not in gap.lanes:
            continue
        here = [node for node in gap.nodes if node.scope == scope]
        whole = any(node.kind is not Kind.NAMESPACE or node.name in homes for node in here)
        if whole or (not gap.nodes and gap.direction is Direction.EVERYWHERE):
            yield gap


def _with_unread(made: Answer, gaps: Sequence[Gap], listed: bool) -> Answer:
    """Put what was not read beside an answer: a policy that nobody could read may close what is open, and open what is closed."""
    told = tuple(Doubt(f"not read: {gap.what}" + (f"; {gap.remedy}" if gap.remedy else ""), gap.at, closes=True) for gap in gaps)
    rows = tuple(replace(row, verdict=Verdict.UNKNOWN) for row in made.rows) if told else made.rows
    blind = () if listed or not made.blind else (f"it is assumed that all policies of the cluster are in the input ({_LISTED})",)
    return replace(made, rows=rows, doubts=(*made.doubts, *told), blind=(*blind, *made.blind))
