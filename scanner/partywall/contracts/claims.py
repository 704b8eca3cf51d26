"""Who says that whose what is: claims of tenants.yaml and of contracts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from partywall.contracts.records import Record, home_of, items, part, record_of, text, texts
from partywall.contracts.things import SELECTS, selectors
from partywall.model.evidence import Evidence
from partywall.model.node import Kind
from partywall.model.tenancy import PLATFORM, Claim, ClaimSource, ClusterRecord, Contract, Selector, Status

# A provider group or a permission set may stand in the rights of a contract; the set's role is named after it.
# IAM Identity Center user guide, "Referencing permission sets in resource policies": AWSReservedSSO_NAME_SUFFIX, 16 hexadecimal digits.
_SET_ROLE = "arn:*:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_{}_????????????????"


def tenants_claims(record: Record, at: Evidence, clusters: Sequence[ClusterRecord]) -> Iterator[Claim]:
    """Yield the claims of one tenants.yaml."""
    for number, tenant in enumerate(cast("Sequence[Record]", items(record, "tenants"))):
        yield from _claims((text(tenant, "name"),), tenant, at.below("tenants", number), clusters)
    yield from _claims((PLATFORM,), part(record, "platform"), at.below("platform"), clusters)
    for number, group in enumerate(cast("Sequence[Record]", items(record, "shared"))):
        owners = tuple(sorted(set(texts(group, "tenants"))))
        yield from _claims(owners, group, at.below("shared", number), clusters, shared=True)


def _claims(
    owners: tuple[str, ...], things: Record, at: Evidence, clusters: Sequence[ClusterRecord], *, shared: bool = False
) -> Iterator[Claim]:
    for key in things:
        for number, each in enumerate(texts(things, key)) if key in SELECTS else ():
            for selector in selectors(key, each, clusters):
                yield Claim(owners, selector, at.below(key, number), ClaimSource.TENANTS, shared=shared, field=key)


def contract_claims(contracts: Sequence[Contract], clusters: Sequence[ClusterRecord]) -> Iterator[Claim]:
    """Yield what contracts claim. A draft claims nothing; what a retired one named stays its tenant's until somebody else claims it."""
    for contract in contracts:
        if contract.status is not Status.DRAFT:
            yield from _contract_claims(contract, clusters)
    yield from _rights_claims(contracts)


def _contract_claims(contract: Contract, clusters: Sequence[ClusterRecord]) -> Iterator[Claim]:
    source = ClaimSource.CONTRACT if contract.status is Status.APPROVED else ClaimSource.RETIRED
    home = home_of(record_of(contract), clusters)
    for key, each, place in _named_things(record_of(contract)):
        for selector in selectors(key, each, clusters, home):
            yield Claim((contract.tenant,), selector, contract.place(place), source, field=place)


def _named_things(record: Record) -> Iterator[tuple[str, str, str]]:
    """Yield (key of the thing, name, dotted place in the contract)."""
    for section in ("data", "scope"):
        things = part(record, section)
        for key in things:
            for number, each in enumerate(texts(things, key)) if key in SELECTS else ():
                yield key, each, f"{section}.{key}.{number}"
    roles = part(record, "roles")
    for key in ("access", "project"):
        if roles.get(key):
            yield "roles", text(roles, key), f"roles.{key}"
    for number, each in enumerate(texts(roles, "studio")):
        yield "roles", each, f"roles.studio.{number}"
    for account, role in cast("Mapping[str, Record]", part(roles, "workload")).items():
        for key in ("role", "target"):
            if role.get(key):
                yield "roles", text(role, key), f"roles.workload.{account}.{key}"
    if part(record, "project").get("id"):
        yield "projects", text(part(record, "project"), "id"), "project.id"


def _rights_claims(contracts: Sequence[Contract]) -> Iterator[Claim]:
    """Yield, as the weakest word on whose a group is, that the tenants whose contracts give it rights own it together."""
    holders: dict[str, dict[str, Evidence]] = {}
    for contract in contracts:
        for right in contract.rights if contract.status is not Status.DRAFT else ():
            holders.setdefault(right.group, {}).setdefault(contract.tenant, right.at)
    for group, tenants in holders.items():
        at = next(iter(tenants.values()))
        owners = tuple(sorted(tenants))
        for selector in (
            Selector((Kind.GROUP, Kind.IDENTITY_GROUP, Kind.PERMISSION_SET), group),
            Selector((Kind.ROLE,), _SET_ROLE.format(group)),
        ):
            yield Claim(owners, selector, at, ClaimSource.RIGHTS, shared=len(owners) > 1, field="rights")
