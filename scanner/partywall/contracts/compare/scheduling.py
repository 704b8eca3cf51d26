"""What a contract guarantees, lends, borrows and preempts, beside the queues and compute quotas of its tenant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from partywall.contracts.compare.case import Case
from partywall.contracts.compare.queues import Terms, terms_of
from partywall.contracts.difference import Difference, Drift
from partywall.model.document import Gap
from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_kueue import SchedulerConfig
from partywall.model.facts_slurm import Partition
from partywall.model.tenancy import Borrow, Contract, Scheduling

PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"

# How people name the fields in an exception's `what`.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "scheduling.guaranteed": ("guarantee", "quota", "capacity"),
    "scheduling.borrow": ("borrow",),
    "scheduling.lend": ("lend",),
    "scheduling.preempt": ("preempt",),
    "scheduling.priority_classes": ("priority",),
}


def in_force(contract: Contract, as_of: date) -> Contract:
    """Return a contract without the terms of scheduling that an exception sets aside on this day."""
    terms = contract.scheduling
    if terms is None or not terms.exceptions:
        return contract
    live = [each for each in terms.exceptions if _until(each) >= as_of.isoformat()]
    set_aside = {field for field in _WORDS for each in live if _means(each, field)}
    kept = replace(
        terms,
        borrow=None if "scheduling.borrow" in set_aside else terms.borrow,
        lend=None if "scheduling.lend" in set_aside else terms.lend,
        preempt=None if "scheduling.preempt" in set_aside else terms.preempt,
    )
    return replace(contract, scheduling=kept)


def compare_scheduling(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs in scheduling.

    A dated exception that names a field covers it until its day; one that is over and still real is a difference of its own.
    """
    written = case.contract.scheduling
    if written is None:
        return
    found = list(_differences(case, written))
    for each in found:
        if isinstance(each, Gap) or not _excepted(case, written, each.field, live=True):
            yield each
    yield from _exceptions(case, written, [each for each in found if isinstance(each, Difference)])


def _differences(case: Case, written: Scheduling) -> Iterator[Difference | Gap]:
    judged = (written.guaranteed, written.borrow, written.lend, written.preempt)
    terms = terms_of(case)
    if any(each is not None for each in judged):
        if not terms:
            yield from _no_terms(case)
        for each in terms:
            yield from _borrow(case, written, each)
            yield from _lend(case, written, each)
            yield from _preempt(case, written, each)
        yield from _guaranteed(case, written.guaranteed or {}, terms)
        yield from _uncounted(case, written.guaranteed or {}, terms)
    yield from _priority_classes(case, written.priority_classes)


def _no_terms(case: Case) -> Iterator[Difference | Gap]:
    if any(each.cluster == case.cluster for each in case.facts.of(Partition)):
        return  # Slurm has no queues of this kind: its terms are QOS and limits
    listed = case.listing("ClusterQueue") or case.listing("ComputeQuota")
    if listed is None:
        remedy = "kubectl get clusterqueues,localqueues -A -o json; aws sagemaker list-compute-quotas"
        yield case.unjudged("scheduling", f"no queue or compute quota of {case.tenant} on cluster {case.cluster_word} was read", remedy)
        return
    message = (
        f"the contract of {case.tenant} has terms of scheduling, and no queue or "
        f"compute quota of cluster {case.cluster_word} is {case.tenant}'s"
    )
    yield case.differs("scheduling.guaranteed", "queue", Drift.NOT_REAL, "a queue", "none", message, (listed,), "scheduling")


def _guaranteed(case: Case, approved: Mapping[str, float], terms: Sequence[Terms]) -> Iterator[Difference]:
    for resource, wanted in approved.items() if terms else ():
        found = [(mine, real) for mine, real in _amounts(terms, resource) if real != wanted]
        if not found:
            continue
        lowest = min(real for _, real in found)
        told = ", ".join(f"{_named(mine)} {'has' if len(mine) == 1 else 'have'} {real:g}" for mine, real in found)
        message = f"the contract of {case.tenant} guarantees {wanted:g} {resource}; {told}"
        kind = Drift.NOT_REAL if lowest < wanted else Drift.DIFFERS
        places = [each.at for mine, _ in found for each in mine]
        shown = (f"{wanted:g} {resource}", f"{lowest:g} {resource}")
        yield case.differs("scheduling.guaranteed", resource, kind, *shown, message, places, f"scheduling.guaranteed.{resource}")


def _uncounted(case: Case, approved: Mapping[str, float], terms: Sequence[Terms]) -> Iterator[Gap]:
    """Yield what is guaranteed in a unit in which nothing of the tenant's is counted."""
    for resource in approved if terms else ():
        if not any(True for _ in _amounts(terms, resource)):
            names = ", ".join(each.name for each in terms)
            remedy = "kubectl get clusterqueues -o json"
            yield case.unjudged("scheduling.guaranteed", f"{names} of {case.tenant} is not given in {resource}", remedy)


def _amounts(terms: Sequence[Terms], resource: str) -> Iterator[tuple[Sequence[Terms], float]]:
    """Yield what queues and what compute quotas give of a resource. A compute quota counts instances where a contract may count GPUs."""
    for origin in ("queue", "quota"):
        mine = [each for each in terms if each.origin == origin]
        if mine and (origin == "queue" or any(resource in each.nominal for each in mine)):
            yield mine, sum(each.nominal.get(resource, 0.0) for each in mine)


def _borrow(case: Case, written: Scheduling, terms: Terms) -> Iterator[Difference]:
    if written.borrow is None or terms.borrow is None:
        return
    for resource, (approved, limit) in _limits(written, terms).items():
        real = terms.borrow.get(resource, 0.0)
        if real != limit:
            shown = "without limit" if real is None else f"up to {real:g} {resource}" if real else "nothing"
            message = f"{terms.name} of {case.tenant} may borrow {shown}; the contract says {approved}"
            kind = Drift.NOT_REAL if real is not None and (limit is None or real < limit) else Drift.DIFFERS
            yield case.differs("scheduling.borrow", f"{terms.name}/{resource}", kind, approved, shown, message, (terms.at,))


def _limits(written: Scheduling, terms: Terms) -> Mapping[str, tuple[str, float | None]]:
    """Return what a contract lets its tenant borrow of each resource, in words and as a number; None: any amount."""
    resources = tuple(terms.borrow or {})
    limit = written.borrow_limit
    match written.borrow:
        case Borrow.NONE | None:
            return dict.fromkeys(resources, ("none", 0.0))
        case Borrow.UNLIMITED:
            return dict.fromkeys(resources, ("unlimited", None))
        case Borrow.LIMITED if isinstance(limit, str):
            share = float(limit.removesuffix("%")) / 100
            return {resource: (f"{limit} of what is guaranteed", terms.nominal.get(resource, 0.0) * share) for resource in resources}
        case Borrow.LIMITED:
            amounts = limit if isinstance(limit, Mapping) else {}
            return {resource: (f"{amount:g} {resource}", amount) for resource, amount in amounts.items() if resource in resources}


def _lend(case: Case, written: Scheduling, terms: Terms) -> Iterator[Difference]:
    if written.lend is None or terms.lends is None or written.lend == terms.lends or (written.lend == "none" and not terms.wanted):
        return
    kind = Drift.NOT_REAL if terms.lends == "none" else Drift.DIFFERS
    message = f"{terms.name} of {case.tenant} lends: {terms.lends}; the contract says {written.lend}"
    yield case.differs("scheduling.lend", terms.name, kind, written.lend, terms.lends, message, (terms.at,))


def _preempt(case: Case, written: Scheduling, terms: Terms) -> Iterator[Difference]:
    if written.preempt is None or terms.preempts is None or written.preempt == terms.preempts:
        return
    message = f"{terms.name} of {case.tenant} preempts its own tasks: {terms.preempts}; the contract says {written.preempt}"
    yield case.differs("scheduling.preempt", terms.name, Drift.DIFFERS, written.preempt, terms.preempts, message, (terms.at,))


def _priority_classes(case: Case, approved: tuple[str, ...] | None) -> Iterator[Difference | Gap]:
    if approved is None:
        return
    configs = [each for each in case.facts.of(SchedulerConfig) if each.cluster == case.cluster]
    used = list(_used_classes(case))
    if not configs and not used:
        remedy = "aws sagemaker describe-cluster-scheduler-config --cluster-scheduler-config-id ID"
        yield case.unjudged(
            "scheduling.priority_classes",
            f"no cluster policy of {case.cluster_word} and no queued workload of {case.tenant} was read",
            remedy,
        )
        return
    known = {name for config in configs for name, _ in config.priorities}
    for name in approved if configs else ():
        if name not in known and name.removesuffix("-priority") not in known:
            message = (
                f"priority class {name}, which the contract of {case.tenant} approves, is not in the policy of cluster {case.cluster_word}"
            )
            yield case.differs("scheduling.priority_classes", name, Drift.NOT_REAL, name, "no such class", message, (configs[0].at,))
    for name, workload in used:
        if name not in approved and name.removesuffix("-priority") not in approved:
            message = (
                f"{workload.kind} {workload.namespace}/{workload.name} of {case.tenant} runs "
                f"with priority class {name}, which the contract does not approve"
            )
            yield case.differs(
                "scheduling.priority_classes", name, Drift.NOT_APPROVED, ", ".join(approved) or "none", name, message, (workload.at,)
            )


def _used_classes(case: Case) -> Iterator[tuple[str, Workload]]:
    seen: set[str] = set()
    for workload in case.reality.queued:
        name = workload.object_labels[PRIORITY_LABEL]
        if name not in seen and workload.cluster == case.cluster and case.owns_namespace(workload.namespace):
            seen.add(name)
            yield name, workload


def _excepted(case: Case, written: Scheduling, field: str, *, live: bool) -> bool:
    return any(_means(each, field) and (_until(each) >= case.reality.as_of.isoformat()) is live for each in written.exceptions)


def _means(exception: Mapping[str, str], field: str) -> bool:
    return any(word in exception.get("what", "").lower() for word in _WORDS.get(field, ()))


def _until(exception: Mapping[str, str]) -> str:
    return exception.get("until", "")


def _exceptions(case: Case, written: Scheduling, found: Sequence[Difference]) -> Iterator[Difference]:
    for number, exception in enumerate(written.exceptions):
        if _until(exception) >= case.reality.as_of.isoformat():
            continue
        real = [each for each in found if _means(exception, each.field)]
        place = f"scheduling.exceptions.{number}"
        if real:
            message = (
                f"the exception of {case.tenant} for {exception.get('what', '')} ended "
                f"on {_until(exception)} and is still real: {real[0].text}"
            )
            yield case.differs(
                "scheduling.exceptions",
                exception.get("what", ""),
                Drift.DUE,
                f"until {_until(exception)}",
                real[0].real,
                message,
                real[0].real_at,
                place,
            )
        elif not any(_means(exception, field) for field in _WORDS):
            message = (
                f"the exception of {case.tenant} for {exception.get('what', '')} ended on "
                f"{_until(exception)}; whether it is still real cannot be seen from its words"
            )
            yield case.differs(
                "scheduling.exceptions", exception.get("what", ""), Drift.DUE, f"until {_until(exception)}", "not known", message, (), place
            )


def _named(terms: Sequence[Terms]) -> str:
    return " and ".join(each.name for each in terms) or "no queue"
