"""Lending that queues declare is consent; it is a way through the wall only where a contract forbids what is real."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.edge import Edge, Lever
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kueue import Cohort
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.tenancy import Borrow, Claim, Contract, Scheduling, Status
from partywall.resolve.kueue.parties import Party, parties, pool, shared
from partywall.resolve.kueue.queues import TEAM, Queues
from partywall.resolve.kueue.unheld import CONSUME


def broken_terms(here: Queues, facts: Facts) -> Iterator[Edge]:
    """Yield an edge for each pair of queues between which something is shared that a contract of either side forbids."""
    terms = {contract.tenant: contract for contract in facts.of(Contract) if _is_about(contract, here.cluster)}
    if not terms:
        return
    found = parties(here)
    trees = pool(found, [cohort for cohort in facts.of(Cohort) if cohort.cluster == here.cluster])
    owners = {party.queue.name: _owner(here, party, facts, terms) for party in found}
    for borrower in found:
        for lender in found:
            one, other = owners[borrower.queue.name], owners[lender.queue.name]
            amounts = shared(trees, borrower, lender) if one != other else {}
            if amounts:
                yield from _between(here, borrower, lender, amounts, terms.get(one), terms.get(other))


def _is_about(contract: Contract, cluster: str) -> bool:
    named = contract.cluster in ("", cluster, cluster_name(cluster))
    return contract.status is Status.APPROVED and contract.scheduling is not None and named


def _owner(here: Queues, party: Party, facts: Facts, terms: Mapping[str, Contract]) -> str:
    """Return the tenant whose namespace a queue belongs to: by claims, by a contract's scope, by HyperPod's name of a team's namespace."""
    home = here.homes.get(party.queue.name, "")
    node = here.namespace(home)
    claims = [claim for claim in facts.of(Claim) if claim.selector.matches(node) and len(claim.owners) == 1]
    if claims:
        return max(claims, key=lambda claim: claim.selector.weight).owners[0]
    for tenant, contract in terms.items():
        scope = contract.fields.get("scope")
        names = scope.get("namespaces") if isinstance(scope, Mapping) else None
        if isinstance(names, Sequence) and any(str(name).rpartition("/")[2] == home for name in names):
            return tenant
    return home.removeprefix(TEAM)


def _between(
    here: Queues, borrower: Party, lender: Party, amounts: Mapping[str, float], guest: Contract | None, host: Contract | None
) -> Iterator[Edge]:
    what = ", ".join(f"{amount:g} {resource}" for resource, amount in amounts.items())
    one, other = borrower.queue.name, lender.queue.name
    if guest is not None and guest.scheduling is not None:
        excess = _excess(borrower, tuple(amounts), guest.scheduling)
        if excess:
            note = f"{one} may borrow {what} of {other}, which {guest.tenant}'s contract {_words(guest.scheduling)}"
            yield from _edges(here, borrower, CONSUME, lender, borrower.limited(excess), note, guest.place("scheduling.borrow"))
    if host is not None and host.scheduling is not None:
        if host.scheduling.lend == "none":
            note = f"{other} lends {one} {what}, which {host.tenant}'s contract forbids"
            yield from _edges(here, borrower, CONSUME, lender, lender.keep, note, host.place("scheduling.lend"))
        if host.scheduling.preempt == "never" and lender.preempts:
            note = f"{other} may evict what {one} runs on borrowed {what}, which {host.tenant}'s contract forbids"
            yield from _edges(here, lender, "preempt", borrower, lender.spare, note, host.place("scheduling.preempt"))


def _excess(borrower: Party, resources: tuple[str, ...], terms: Scheduling) -> dict[str, float]:
    """Return what borrowing ought to be limited to, of those resources of which more can be borrowed."""
    if terms.borrow is Borrow.NONE:
        return dict.fromkeys(resources, 0.0)
    if terms.borrow is not Borrow.LIMITED or terms.borrow_limit is None:
        return {}
    allowed: dict[str, float] = {}
    for resource in resources:
        limit, real = _limit(resource, borrower, terms.borrow_limit), borrower.borrows[resource]
        if limit is not None and (real is None or real > limit):
            allowed[resource] = limit
    return allowed


def _limit(resource: str, borrower: Party, limit: str | Mapping[str, float]) -> float | None:
    if isinstance(limit, Mapping):
        return next((amount for name, amount in limit.items() if name == resource or resource.startswith(f"{name} of ")), None)
    share = limit.removesuffix("%").strip()
    return float(share) / 100 * borrower.nominal.get(resource, 0.0) if limit.endswith("%") and share.replace(".", "", 1).isdigit() else None


def _words(terms: Scheduling) -> str:
    return "forbids" if terms.borrow is Borrow.NONE else "limits to less"


def _edges(here: Queues, source: Party, verb: str, target: Party, lever: Lever, note: str, term: Evidence) -> Iterator[Edge]:
    home = here.homes.get(source.queue.name)
    names = (home,) if home else tuple(dict.fromkeys(door.namespace for door in here.doors if door.queue == source.queue.name))
    for name in names:
        node = Node(Kind.NAMESPACE, here.cluster, name)
        yield Edge(node, verb, here.node(target.queue.name), (source.at, target.at, term), lever, note=note)
