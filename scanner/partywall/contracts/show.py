"""The tenancy in words."""

from collections.abc import Iterator

from partywall.model.tenancy import PLATFORM, Claim, Contract, Tenancy


def shown(tenancy: Tenancy, tenant: str | None = None) -> Iterator[str]:
    """Yield the lines that say who owns what, and what was approved."""
    names = (tenant,) if tenant else (*tenancy.tenants, PLATFORM)
    for number, name in enumerate(names):
        yield from ("",) if number else ()
        yield name
        yield from _things(tenancy, name)
        for contract in tenancy.contracts:
            if contract.tenant == name:
                yield from _contract(contract)
        for approval in tenancy.approvals:
            if approval.guest == name:
                until = f" until {approval.until}" if approval.until else ""
                things = ", ".join(selector.name for selector in approval.things)
                yield f"  guest of {approval.grantor} in lane {approval.lane}: {things}{until}"


def _things(tenancy: Tenancy, name: str) -> Iterator[str]:
    by_field: dict[str, list[str]] = {}
    for claim in tenancy.claims:
        if name in claim.owners:
            by_field.setdefault(claim.what, []).append(_thing(claim, name))
    for field, things in sorted(by_field.items()):
        yield f"  {field}: {', '.join(dict.fromkeys(things))}"


def _thing(claim: Claim, name: str) -> str:
    others = [owner for owner in claim.owners if owner != name]
    return f"{claim.selector.name} (with {', '.join(others)})" if others else claim.selector.name


def _contract(contract: Contract) -> Iterator[str]:
    ended = f" since {contract.retired}" if contract.retired else ""
    yield f"  contract {contract.at.document}: {contract.status}{ended}, cluster {contract.cluster or 'not named'}"
    for right in contract.rights:
        yield f"    {right.group} may {', '.join(right.can)}{f' in {right.where}' if right.where else ''}"
    for approval in contract.approvals:
        until = f" until {approval.until}" if approval.until else ""
        signed = f", by {approval.by}" if approval.by else ""
        yield f"    lets {approval.guest} reach {', '.join(each.name for each in approval.things)} in lane {approval.lane}{until}{signed}"
