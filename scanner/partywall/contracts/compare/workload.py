"""The roles of service accounts, and those of Studio, beside the contract."""

from collections.abc import Iterator, Mapping
from typing import cast

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import Record, part, text
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts_eks import PodIdentity, PodIdentityName
from partywall.model.facts_kubernetes import ServiceAccount
from partywall.model.facts_studio import StudioDomain, StudioDomainName, UserProfile
from partywall.model.node import Kind, Node

Found = dict[str, list[tuple[str, Evidence]]]


def compare_workload_roles(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs between `roles.workload` and the roles that the tenant's service accounts really get, both ways."""
    approved = cast("Mapping[str, Record]", part(case.part("roles"), "workload"))
    if not approved:
        return
    roles, targets = _real_roles(case)
    for account, terms in approved.items():
        yield from _one_account(case, account, "role", text(terms, "role"), roles.get(account, []))
        yield from _one_account(case, account, "target", text(terms, "target"), targets.get(account, []))
    for account, found in roles.items():
        if account not in approved and case.owns_namespace(account.split("/")[0]):
            for role, at in found:
                message = f"service account {account} of {case.tenant} gets role {role}, and the contract names no role for it"
                yield case.differs("roles.workload", f"{account}/{role}", Drift.NOT_APPROVED, "no role", role, message, (at,))


def _real_roles(case: Case) -> tuple[Found, Found]:
    roles: Found = {}
    targets: Found = {}
    for link in case.facts.of(PodIdentity):
        if link.cluster == case.cluster:
            roles.setdefault(f"{link.namespace}/{link.service_account}", []).append((link.role_arn, link.at))
            if link.target_role_arn:
                targets.setdefault(f"{link.namespace}/{link.service_account}", []).append((link.target_role_arn, link.at))
    for account in case.facts.of(ServiceAccount):
        if account.cluster == case.cluster and account.role_arn:
            roles.setdefault(f"{account.namespace}/{account.name}", []).append((account.role_arn, account.at))
    return roles, targets


def _one_account(case: Case, account: str, word: str, approved: str, found: list[tuple[str, Evidence]]) -> Iterator[Difference | Gap]:
    if not approved or approved in (role for role, _ in found):
        # A second role beside the approved one is a difference all the same.
        found = [(role, at) for role, at in found if role != approved] if approved else []
    elif not found:
        yield _not_found(case, account, word, approved)
        return
    for role, at in found:
        noun = "role" if word == "role" else "target role"
        message = f"service account {account} of {case.tenant} gets {noun} {role}; the contract approves {approved}"
        yield case.differs(
            "roles.workload", f"{account}/{word}/{role}", Drift.DIFFERS, approved, role, message, (at,), f"roles.workload.{account}.{word}"
        )


def _not_found(case: Case, account: str, word: str, approved: str) -> Difference | Gap:
    namespace, _, name = account.partition("/")
    unread = [
        each
        for each in case.facts.of(PodIdentityName)
        if (each.cluster, each.namespace, each.service_account) == (case.cluster, namespace, name)
    ]
    described = any(
        link.cluster == case.cluster and (link.namespace, link.service_account) == (namespace, name) for link in case.facts.of(PodIdentity)
    )
    if unread and not described:
        remedy = f"aws eks describe-pod-identity-association --cluster-name {case.cluster_word} --association-id {unread[0].association}"
        return case.unjudged("roles.workload", f"the association of service account {account} was listed and not described", remedy)
    listed = case.listing("PodIdentity")
    if listed is None and not described:
        remedy = f"aws eks list-pod-identity-associations --cluster-name {case.cluster_word}"
        return case.unjudged("roles.workload", f"the Pod Identity associations of cluster {case.cluster_word} were not read", remedy)
    if (
        not described
        and case.is_left_out("ServiceAccount")
        and not any(each.cluster == case.cluster for each in case.facts.of(ServiceAccount))
    ):
        remedy = "kubectl get serviceaccounts -A -o json"
        return case.unjudged("roles.workload", f"the service accounts of cluster {case.cluster_word} and their roles were not read", remedy)
    noun = "role" if word == "role" else "target role"
    message = f"service account {account} of {case.tenant} gets no {noun}; the contract approves {approved}"
    at = tuple(each for each in (listed,) if each is not None)
    return case.differs(
        "roles.workload", f"{account}/{word}", Drift.NOT_REAL, approved, f"no {noun}", message, at, f"roles.workload.{account}.{word}"
    )


def compare_studio_roles(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs between `roles.studio` and the execution roles of Studio's domains and profiles, both ways."""
    approved = case.names("roles", "studio")
    if approved is None:
        return
    real = _execution_roles(case)
    if not real:
        yield case.unjudged("roles.studio", "no Studio domain was read", "aws sagemaker describe-domain --domain-id DOMAIN")
        return
    unread = _unread_domains(case)
    for number, role in enumerate(approved):
        if role not in real and unread:
            remedy = f"aws sagemaker describe-domain --domain-id {unread[0]}"
            yield case.unjudged("roles.studio", f"Studio domain {unread[0]} was listed and not described", remedy)
        elif role not in real:
            message = (
                f"Studio role {role}, which the contract of {case.tenant} approves, is "
                "the execution role of no domain and profile that was read"
            )
            yield case.differs("roles.studio", role, Drift.NOT_REAL, role, "not in use", message, place=f"roles.studio.{number}")
    for role, places in real.items():
        if role not in approved and case.reality.owners(Node(Kind.ROLE, role.split(":")[4], role)) == (case.tenant,):
            message = f"Studio runs with role {role} of {case.tenant}, which its contract does not name"
            yield case.differs("roles.studio", role, Drift.NOT_APPROVED, ", ".join(approved) or "none", role, message, places[:3])


def _unread_domains(case: Case) -> list[str]:
    described = {domain.id for domain in case.facts.of(StudioDomain)}
    return [listed.id for listed in case.facts.of(StudioDomainName) if listed.id not in described]


def _execution_roles(case: Case) -> Mapping[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for domain in case.facts.of(StudioDomain):
        for role in (domain.execution_role, domain.space_role):
            if role.count(":") >= 5:
                found.setdefault(role, []).append(domain.at)
    for profile in case.facts.of(UserProfile):
        if profile.execution_role.count(":") >= 5:
            found.setdefault(profile.execution_role, []).append(profile.at)
    return found
