"""Whether whoever enters for a tenant may do anything in each namespace that its contract approves."""

from collections.abc import Iterator

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import text
from partywall.model.arn import account_of
from partywall.model.facts_eks import AccessEntry, AccessPolicy, AssociationsRead
from partywall.model.facts_kubernetes import Binding, Subject, SubjectKind
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches

# SageMaker developer guide, "Setting up an Amazon EKS cluster in Studio": it lists names in the whole cluster, and gives nothing inside.
_NAMES_ONLY = "AmazonSagemakerHyperpodUserClusterPolicy"


def compare_granted(case: Case) -> Iterator[Difference]:
    """Yield approved namespaces in which no entry of the tenant was given anything, where one was in another.

    A team that was given nothing at all has not been connected yet, or in a way that was not read.
    """
    entries = [entry for entry in case.facts.of(AccessEntry) if entry.cluster == case.cluster and _is_mine(case, entry)]
    read = {each.principal for each in case.facts.of(AssociationsRead) if each.cluster == case.cluster}
    if not entries or any(entry.principal not in read for entry in entries):
        return
    there = case.reality.namespaces.get(case.cluster, {})
    names = [name.rpartition("/")[2] for name in case.names("scope", "namespaces") or ()]
    given = {name: any(_is_given(case, entry, name) for entry in entries) for name in names if name in there}
    for number, name in enumerate(names):
        if any(given.values()) and given.get(name) is False:
            message = (
                f"the contract of {case.tenant} approves namespace {name}, and no access entry of {case.tenant} was given anything there"
            )
            at = [entry.at for entry in entries[:4]]
            yield case.differs(
                "scope.namespaces", f"{name}/grant", Drift.NOT_REAL, name, "nothing", message, at, f"scope.namespaces.{number}"
            )


def _is_mine(case: Case, entry: AccessEntry) -> bool:
    access = text(case.part("roles"), "access")
    return entry.principal == access or case.owns(Node(Kind.ROLE, account_of(entry.principal), entry.principal))


def _is_given(case: Case, entry: AccessEntry, namespace: str) -> bool:
    mine = (each for each in case.facts.of(AccessPolicy) if (each.cluster, each.principal) == (case.cluster, entry.principal))
    policies = (each for each in mine if each.policy != _NAMES_ONLY)
    if any(each.cluster_wide or any(glob_matches(glob, namespace) for glob in each.namespaces) for each in policies):
        return True
    bindings = (each for each in case.facts.of(Binding) if each.cluster == case.cluster and each.namespace in ("", namespace))
    return any(_may_be(subject, entry) for each in bindings for subject in each.subjects)


def _may_be(subject: Subject, entry: AccessEntry) -> bool:
    """Tell whether a subject is, or may be, who comes in: a user's name may be anybody's."""
    return subject.kind is SubjectKind.USER or (
        subject.kind is SubjectKind.GROUP and subject.name in (*entry.groups, "system:authenticated")
    )
