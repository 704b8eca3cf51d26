"""What each principal is granted, and the ceilings above it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from partywall.model.document import Gap
from partywall.model.facts_iam import (
    Effect,
    Principal,
)
from partywall.model.node import Node
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.statements import names_action


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A limit that must allow, too; `grants` is None where it is referred to and absent."""

    name: str
    grants: tuple[Grant, ...] | None


@dataclass(slots=True)
class Rights:
    """The statements that count for one principal, sorted by action as they are asked for."""

    principal: Principal
    node: Node
    context: Context
    grants: tuple[Grant, ...]
    ceiling: Ceiling | None
    controls: tuple[Grant, ...]
    _allows: dict[str, tuple[Grant, ...]] = field(default_factory=dict)
    _denies: dict[str, tuple[Grant, ...]] = field(default_factory=dict)

    def allows(self, action: str) -> tuple[Grant, ...]:
        """Return the Allow statements that name an action."""
        if action not in self._allows:
            self._allows[action] = tuple(
                grant for grant in self.grants if grant.statement.effect is Effect.ALLOW and names_action(grant.statement, action)
            )
        return self._allows[action]

    def denies(self, action: str) -> tuple[Grant, ...]:
        """Return the Deny statements that name an action, those of the ceilings included."""
        if action not in self._denies:
            limits = (*self.grants, *((self.ceiling.grants or ()) if self.ceiling else ()), *self.controls)
            self._denies[action] = tuple(
                grant for grant in limits if grant.statement.effect is Effect.DENY and names_action(grant.statement, action)
            )
        return self._denies[action]

    @property
    def account(self) -> str:
        """Return the principal's account."""
        return self.principal.holder.account


@dataclass(frozen=True, slots=True)
class Estate:
    """All principals whose policies are known, by ARN, and what of them was not read."""

    rights: Mapping[str, Rights]
    gaps: tuple[Gap, ...]
    listed: frozenset[str]
    pods: tuple[Rights, ...] = ()
    region: str = ""

    def knows(self, account: str) -> bool:
        """Tell whether an account's roles were listed completely."""
        return account in self.listed

    def askers(self) -> Iterator[Rights]:
        """Yield the principals, the pods whose session tags matter to what their role may do, and groups, which whoever joins becomes."""
        yield from self.rights.values()
        yield from self.pods

    def of_account(self, account: str) -> Iterator[Rights]:
        """Yield the askers of an account."""
        return (rights for rights in self.askers() if rights.account == account)
