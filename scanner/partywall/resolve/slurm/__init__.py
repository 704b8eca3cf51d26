"""Slurm: accounts, partitions, what is private, and who has power over whom.

Whether a list of accounts or a limit counts depends on what accounting enforces and on the version; `may_submit` gives the
answer for one job.
"""

from collections.abc import Iterator

from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_slurm import (
    Association,
    Included,
    Login,
    Partition,
    PartitionDefaults,
    Qos,
    Reservation,
    Setting,
    SlurmAccount,
    SlurmConfig,
    SlurmRelease,
    SlurmUser,
    UnixGroup,
)
from partywall.model.tenancy import Contract, Status
from partywall.resolve import Resolved, Resolver
from partywall.resolve.slurm.clusters import clusters, texts_of
from partywall.resolve.slurm.compute import inert_limits, preemption, strangers
from partywall.resolve.slurm.gaps import assumptions, missing
from partywall.resolve.slurm.partitions import partitions
from partywall.resolve.slurm.people import administrators, coordinators, meeting_place, memberships, power, things
from partywall.resolve.slurm.submit import Answer, Said, may_submit
from partywall.resolve.slurm.view import visibility

__all__ = ["RESOLVER", "Answer", "Said", "clusters", "may_submit", "resolve"]


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield the edges, things and gaps of every Slurm cluster."""
    protected = tuple(protected_accounts(facts))
    for cluster in clusters(facts):
        yield from things(cluster)
        yield from memberships(cluster)
        yield from meeting_place(cluster)
        yield from administrators(cluster)
        yield from power(cluster)
        yield from coordinators(cluster)
        yield from visibility(cluster)
        yield from partitions(cluster)
        yield from inert_limits(cluster)
        yield from strangers(cluster)
        yield from preemption(cluster, protected)
        yield from missing(cluster, facts)
        yield from assumptions(cluster)


def protected_accounts(facts: Facts) -> Iterator[str]:
    """Yield the accounts whose contract says `preempt: never`."""
    for contract in facts.of(Contract):
        if contract.status is Status.APPROVED and contract.scheduling is not None and contract.scheduling.preempt == "never":
            yield from texts_of(contract, "slurm_accounts")


READS = (
    Association,
    Contract,
    Included,
    Listed,
    Login,
    Named,
    Partition,
    PartitionDefaults,
    Qos,
    Reservation,
    Setting,
    SlurmAccount,
    SlurmConfig,
    SlurmRelease,
    SlurmUser,
    UnixGroup,
)
RESOLVER = Resolver("slurm", READS, resolve)
