"""People whom contracts list."""

from collections.abc import Mapping

from partywall.contracts.records import part, record_of, texts
from partywall.model.tenancy import Status, Tenancy


def listed_people(tenancy: Tenancy) -> Mapping[str, frozenset[str]]:
    """Return, for each login in `scope.users` of contracts in force, the tenants that list it."""
    found: dict[str, set[str]] = {}
    for contract in tenancy.contracts:
        for login in texts(part(record_of(contract), "scope"), "users") if contract.status is Status.APPROVED else ():
            found.setdefault(login, set()).add(contract.tenant)
    return {login: frozenset(tenants) for login, tenants in found.items()}
