"""Dates, statuses and signatures of a contract."""

from collections.abc import Iterator
from datetime import timedelta

from partywall.contracts.compare.access import bare, entries_of
from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import Record, day, part, record_of, text, texts
from partywall.model.evidence import Evidence
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import PodIdentity
from partywall.model.facts_kueue import ComputeQuota
from partywall.model.facts_slurm import Association
from partywall.model.tenancy import Approval, Selector


def compare_lifecycle(case: Case) -> Iterator[Difference]:
    """Yield a review that is due and a contract that is over, on the day of the scan."""
    lifecycle, today = case.part("lifecycle"), case.reality.as_of
    period = lifecycle.get("review_days")
    last = day(lifecycle, "last_review") or day(lifecycle, "approved")
    if isinstance(period, int) and last is not None and last + timedelta(days=period) < today:
        due = last + timedelta(days=period)
        message = f"the contract of {case.tenant} was due for review on {due}: last reviewed on {last}, every {period} days"
        place = "lifecycle.last_review" if lifecycle.get("last_review") else "lifecycle.review_days"
        yield case.differs("lifecycle.last_review", "review", Drift.DUE, f"review by {due}", f"last review {last}", message, place=place)
    expires = day(lifecycle, "expires")
    if expires is not None and expires < today:
        message = f"the contract of {case.tenant} ended on {expires}; renew it, or retire it and take its access away"
        yield case.differs("lifecycle.expires", "expiry", Drift.DUE, f"until {expires}", f"in use on {today}", message)


def compare_status(case: Case) -> Iterator[Difference]:
    """Yield what still connects a tenant whose contract is retired."""
    if case.contract.retired is not None and case.contract.retired > case.reality.as_of:
        return
    for subject, words, at in _connections(case):
        since = f" since {case.contract.retired}" if case.contract.retired else ""
        message = f"the contract of {case.tenant} is retired{since}, and {words}"
        yield case.differs("status", subject, Drift.NOT_APPROVED, "retired", words, message, at)


def _connections(case: Case) -> Iterator[tuple[str, str, tuple[Evidence, ...]]]:
    if _is_renewed(case):
        return
    roles, scope = case.part("roles"), case.part("scope")
    entries = entries_of(case)
    for role in (text(roles, "access"), *texts(roles, "studio")):
        if role and bare(role) in entries:
            yield role, f"cluster {case.cluster_word} still lets {role} in", entries[bare(role)].at
    for link in case.facts.of(PodIdentity):
        if link.cluster == case.cluster and link.namespace in texts(scope, "namespaces"):
            account = f"{link.namespace}/{link.service_account}"
            yield account, f"service account {account} still gets role {link.role_arn}", (link.at,)
    for quota in case.facts.of(ComputeQuota):
        if quota.cluster == case.cluster and quota.enabled and quota.namespace in texts(scope, "namespaces"):
            yield quota.name, f"compute quota {quota.name} still holds capacity for it", (quota.at,)
    for account in texts(scope, "slurm_accounts"):
        rows = [row for row in case.facts.of(Association) if row.cluster == case.cluster and row.account == account and row.user]
        if rows:
            yield account, f"{rows[0].user} may still submit as account {account} on cluster {case.cluster_word}", (rows[0].at,)
    for connection in case.facts.of(ProjectConnection):
        if connection.project and connection.project == text(case.part("project"), "id"):
            yield (
                connection.id,
                f"project {connection.project} still has connection {connection.id} to cluster {connection.cluster_name}",
                (connection.at,),
            )


def _is_renewed(case: Case) -> bool:
    """Tell whether another contract of the tenant for the same cluster is in force."""
    others = case.reality.tenancy.contracts
    return any(
        each is not case.contract and each.tenant == case.tenant and each.status == "approved" and each.cluster == case.contract.cluster
        for each in others
    )


def compare_approvals(case: Case) -> Iterator[Difference]:
    """Yield approvals that the guest's side signed for itself, and those over things that are not the contract's tenant's to give."""
    for number, approval in enumerate(case.contract.approvals):
        place = f"approvals.{number}"
        if approval.by and approval.by in _side(case, approval.guest) - _side(case, case.tenant):
            message = f"{approval.by} approved the reach of {approval.guest} into {case.tenant}'s things, and belongs to {approval.guest}"
            yield case.differs(
                "approvals.by",
                f"{approval.guest}/{approval.lane}",
                Drift.DIFFERS,
                f"by {case.tenant}",
                f"by {approval.by}",
                message,
                place=f"{place}.by",
            )
        for selector in approval.things:
            owners = _others(case, approval, selector)
            if owners:
                named = " and ".join(owners)
                message = (
                    f"{case.tenant} lets {approval.guest} reach {selector.name}, which is {named}'s to give; the entry approves nothing"
                )
                yield case.differs(
                    "approvals.things",
                    f"{approval.guest}/{selector.name}",
                    Drift.DIFFERS,
                    selector.name,
                    f"owned by {named}",
                    message,
                    place=f"{place}.things",
                )


def _side(case: Case, tenant: str) -> set[str]:
    """Return the names under which a tenant signs: its own, and the owners in its contracts."""
    names = {tenant}
    for contract in case.reality.tenancy.contracts:
        if contract.tenant == tenant:
            owners: Record = part(record_of(contract), "owners")
            names |= {text(owners, key) for key in ("business", "operations") if owners.get(key)}
    return names


def _others(case: Case, approval: Approval, selector: Selector) -> tuple[str, ...]:
    if not selector.is_exact:
        return ()
    found = [owners for node in case.reality.called(selector) if (owners := case.reality.owners(node))]
    return found[0] if found and all(approval.grantor not in owners for owners in found) else ()
