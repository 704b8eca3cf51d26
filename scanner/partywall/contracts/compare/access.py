"""The roles by which a tenant enters its cluster: access entries beside the contract."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import Record, part, record_of, text, texts
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AuthenticationMode, EksCluster, MappedPrincipal
from partywall.model.node import Kind, Node

# IAM Identity Center user guide, "Referencing permission sets in resource policies": a new suffix each time an assignment is made anew.
_SET_ROLE = re.compile(r"(?P<stem>.*AWSReservedSSO_(?P<set>.+))_[0-9a-fA-F]{16}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A principal that a cluster lets in, and the groups that it gets there; none are known where the entry was only listed."""

    principal: str
    groups: tuple[str, ...]
    at: tuple[Evidence, ...]
    described: bool = True


def compare_access(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs between `roles.access` and the access entries of the cluster, both ways."""
    approved = text(case.part("roles"), "access")
    if not approved:
        return
    entries = entries_of(case)
    if not entries and case.listing("AccessEntry") is None:
        remedy = f"aws eks list-access-entries --cluster-name {case.cluster_word}"
        yield case.unjudged("roles.access", f"no access entries of cluster {case.cluster_word} were read", remedy)
        return
    yield from _approved_role(case, approved, entries)
    yield from _further_entries(case, approved, entries)


def entries_of(case: Case) -> Mapping[str, Entry]:
    """Return who the contract's cluster lets in, by ARN without path; `aws-auth` counts where its mode says so or is not known."""
    found: dict[str, Entry] = {}
    for name in case.facts.of(AccessEntryName):
        if name.cluster == case.cluster:
            found[bare(name.principal)] = Entry(name.principal, (), (name.at,), described=False)
    for entry in case.facts.of(AccessEntry):
        if entry.cluster == case.cluster:
            before = found.get(bare(entry.principal))
            found[bare(entry.principal)] = Entry(entry.principal, entry.groups, (entry.at, *(before.at if before else ())))
    for row in case.facts.of(MappedPrincipal) if _mode(case) is not AuthenticationMode.API else ():
        if row.cluster == case.cluster and not row.account:
            found.setdefault(bare(row.principal), Entry(row.principal, row.groups, (row.at,)))
    return found


def _mode(case: Case) -> AuthenticationMode | None:
    return next((eks.mode for eks in case.facts.of(EksCluster) if eks.cluster == case.cluster), None)


def _complete(case: Case, entries: Mapping[str, Entry]) -> Evidence | None:
    """Return where it is shown that the entries are all there are: a list of them, or the one ConfigMap where nothing else counts."""
    if _mode(case) is AuthenticationMode.CONFIG_MAP:
        return next((entry.at[0] for entry in entries.values()), None)
    return case.listing("AccessEntry")


def _approved_role(case: Case, approved: str, entries: Mapping[str, Entry]) -> Iterator[Difference | Gap]:
    gone, complete = is_gone(case, approved), _complete(case, entries)
    own = entries.get(bare(approved))
    if own is not None:
        if gone:
            message = (
                f"role {approved}, which the contract of {case.tenant} approves for cluster "
                f"{case.cluster_word}, does not exist; its access entry lets nobody in"
            )
            yield case.differs("roles.access", approved, Drift.NOT_REAL, approved, "the role does not exist", message, own.at)
        return
    twin = next((entry for entry in entries.values() if stem(entry.principal) == stem(approved)), None)
    dangling = twin is not None and is_gone(case, twin.principal)
    if twin is not None and (dangling or complete is not None):
        state = "does not exist" if dangling else "is another role of the same permission set"
        message = (
            f"the contract of {case.tenant} approves {approved}, which has no access entry in cluster "
            f"{case.cluster_word}; the entry names {twin.principal}, which {state}"
        )
        yield case.differs("roles.access", approved, Drift.DIFFERS, approved, twin.principal, message, twin.at)
    elif complete is not None:
        tail = ", nor does the role exist" if gone else ""
        message = f"the contract of {case.tenant} approves {approved}, which has no access entry in cluster {case.cluster_word}{tail}"
        yield case.differs("roles.access", approved, Drift.NOT_REAL, approved, "no access entry", message, (complete,))
    else:
        remedy = f"aws eks list-access-entries --cluster-name {case.cluster_word}"
        yield case.unjudged("roles.access", f"the entries of cluster {case.cluster_word} that were read may not be all of them", remedy)


def _further_entries(case: Case, approved: str, entries: Mapping[str, Entry]) -> Iterator[Difference | Gap]:
    """Yield entries of roles that are the tenant's, or get only groups of its, and that no contract of its names."""
    named = frozenset(bare(role) for role in _named_roles(case))
    groups = frozenset(right.group for each in case.reality.tenancy.contracts if each.tenant == case.tenant for right in each.rights)
    for key, entry in entries.items():
        if key in named or stem(entry.principal) == stem(approved) or groups & {*entry.groups, set_name(entry.principal)}:
            continue
        if not _is_tenants(case, entry):
            continue
        gone = is_gone(case, entry.principal)
        if groups and not entry.described and not gone:
            remedy = f"aws eks describe-access-entry --cluster-name {case.cluster_word} --principal-arn {entry.principal}"
            yield case.unjudged("roles.access", f"the groups of the access entry of {entry.principal} were not read", remedy)
            continue
        message = (
            f"cluster {case.cluster_word} has an access entry for {entry.principal} "
            f"with groups of {case.tenant}, and that role does not exist"
            if gone
            else f"{entry.principal} of {case.tenant} has an access entry in cluster {case.cluster_word} that its contract does not name"
        )
        yield case.differs("roles.access", entry.principal, Drift.NOT_APPROVED, approved, entry.principal, message, entry.at)


def _named_roles(case: Case) -> Iterator[str]:
    for contract in case.reality.tenancy.contracts:
        if contract.tenant == case.tenant:
            roles = part(record_of(contract), "roles")
            yield from (text(roles, key) for key in ("access", "project") if roles.get(key))
            yield from texts(roles, "studio")
            workload = cast("Mapping[str, Record]", part(roles, "workload"))
            yield from (text(role, key) for role in workload.values() for key in ("role", "target"))


def _is_tenants(case: Case, entry: Entry) -> bool:
    kind = Kind.IAM_USER if ":user/" in entry.principal else Kind.ROLE
    owners = case.reality.owners(Node(kind, entry.principal.split(":")[4] if entry.principal.count(":") >= 5 else "", entry.principal))
    if owners:
        return owners == (case.tenant,)
    of_groups = [case.reality.owners(Node(Kind.GROUP, case.cluster, group)) for group in entry.groups]
    return bool(of_groups) and all(found == (case.tenant,) for found in of_groups)


def is_gone(case: Case, arn: str) -> bool:
    """Tell whether a role is absent from a complete list of its account's roles."""
    account = arn.split(":")[4] if arn.count(":") >= 5 else ""
    return case.listing("Role", account) is not None and ":role/" in arn and bare(arn) not in case.reality.principals


def bare(arn: str) -> str:
    """Return an ARN without its path: a name is unique in its account (IAM user guide, "IAM identifiers"), and `aws-auth` wants it so."""
    head, slash, path = arn.partition("/")
    return f"{head}{slash}{path.rsplit('/', 1)[-1]}"


def stem(arn: str) -> str:
    """Return an ARN without its path and the suffix that IAM Identity Center generates."""
    match = _SET_ROLE.fullmatch(bare(arn))
    return match["stem"] if match else bare(arn)


def set_name(arn: str) -> str:
    """Return the permission set whose role an ARN names, or nothing."""
    match = _SET_ROLE.fullmatch(arn)
    return match["set"] if match else ""
