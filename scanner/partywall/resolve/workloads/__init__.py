"""Workloads: namespaces, their service accounts, the roles that those get, and the volumes that they share."""

from collections.abc import Iterator

from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_data import FileAccessPoint
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AccessPolicy, EksCluster, PodIdentity, PodIdentityName
from partywall.model.facts_iam import Principal
from partywall.model.facts_kubernetes import (
    Binding,
    Namespace,
    OtherObject,
    PersistentVolume,
    Role,
    ServiceAccount,
    TokenSecret,
    VolumeClaim,
    Workload,
)
from partywall.resolve import Resolved, Resolver
from partywall.resolve.workloads.accounts import accounts
from partywall.resolve.workloads.identity import identities
from partywall.resolve.workloads.volumes import volumes


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield namespaces and service accounts, their roles, and their volumes."""
    yield from accounts(facts)
    yield from identities(facts)
    yield from volumes(facts)


READS: tuple[type, ...] = (
    AccessEntry,
    AccessEntryName,
    AccessPolicy,
    Binding,
    EksCluster,
    FileAccessPoint,
    Listed,
    Named,
    Namespace,
    OtherObject,
    PersistentVolume,
    PodIdentity,
    PodIdentityName,
    Principal,
    Role,
    ServiceAccount,
    TokenSecret,
    VolumeClaim,
    Workload,
)
RESOLVER = Resolver("workloads", READS, resolve)
