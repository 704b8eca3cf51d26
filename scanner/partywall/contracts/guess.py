"""Owners from HyperPod's own names, when neither tenants.yaml nor a contract says who owns what."""

from collections.abc import Iterator
from dataclasses import replace

from partywall.contracts.trees import parents_in, top
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Binding, Namespace, Workload
from partywall.model.facts_kueue import ComputeQuota, LocalQueue
from partywall.model.facts_slurm import Association
from partywall.model.node import Kind
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM, Claim, ClaimSource, Selector, Status, Tenancy

# HyperPod developer guide, "Setup for SageMaker HyperPod task governance": a team's namespace is named after it.
_TEAM = "hyperpod-ns-"
# Words of the world itself. An account called `platform` is the platform's.
_NOT_GUESSED = frozenset({NOBODY, OUTSIDE})


def guess(facts: Facts, tenancy: Tenancy) -> Tenancy:
    """Return the tenancy with guessed owners where nobody claims anything (drafts do not); else as it is."""
    signed = any(contract.status is not Status.DRAFT for contract in tenancy.contracts)
    if tenancy.tenants or tenancy.claims or signed:
        return tenancy
    claims = tuple(claim for claim in _claims(facts) if not _NOT_GUESSED & set(claim.owners))
    tenants = tuple(sorted({owner for claim in claims for owner in claim.owners} - {PLATFORM}))
    return replace(tenancy, tenants=tenants, claims=claims, guessed=True)


def _claims(facts: Facts) -> Iterator[Claim]:
    done: set[tuple[str, str]] = set()
    for team, cluster, at in _teams(facts):
        if (team, cluster) not in done:
            done.add((team, cluster))
            yield _claim(team, Kind.NAMESPACE, f"{_TEAM}{team}", cluster, at)
            # The groups of HyperPod's Helm chart for teams: `hyperpod-ns-TEAM-namespace-level-group` and the like.
            yield _claim(team, Kind.GROUP, f"{_TEAM}{team}-*", cluster, at)

    yield from _slurm(facts)


def _slurm(facts: Facts) -> Iterator[Claim]:
    """Yield the accounts right below the root, and the users all of whose accounts lie in one of them."""
    parents = parents_in(facts)
    done: set[tuple[str, str]] = set()
    homes: dict[tuple[str, str], dict[str, Evidence]] = {}
    for row in facts.of(Association):
        owner = top(row.cluster, row.account, parents)
        if owner and (row.cluster, owner) not in done:
            done.add((row.cluster, owner))
            yield _claim(owner, Kind.SLURM_ACCOUNT, owner, row.cluster, row.at)
        if row.user:
            homes.setdefault((row.cluster, row.user), {}).setdefault(owner, row.at)
    for (cluster, user), owners in homes.items():
        owner, at = next(iter(owners.items()))
        if len(owners) == 1 and owner:
            yield _claim(owner, Kind.OS_USER, user, cluster, at)


def _claim(owner: str, kind: Kind, name: str, cluster: str, at: Evidence) -> Claim:
    return Claim((owner,), Selector((kind,), name, cluster), at, ClaimSource.GUESS)


def _teams(facts: Facts) -> Iterator[tuple[str, str, Evidence]]:
    for quota in facts.of(ComputeQuota):
        yield quota.team, quota.cluster, quota.at
    for namespace in facts.of(Namespace):
        yield from _team(namespace.name, namespace.cluster, namespace.at)
    insides: tuple[LocalQueue | Workload | Binding, ...] = (*facts.of(LocalQueue), *facts.of(Workload), *facts.of(Binding))
    for inside in insides:
        yield from _team(inside.namespace, inside.cluster, inside.at)


def _team(namespace: str, cluster: str, at: Evidence) -> Iterator[tuple[str, str, Evidence]]:
    if namespace.startswith(_TEAM) and namespace != _TEAM:
        yield namespace.removeprefix(_TEAM), cluster, at
