"""What each principal is granted, and the ceilings above it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from partywall.model.document import Gap
from partywall.model.facts_iam import (
    Effect,
    Principal,
)
from partywall.model.node import Node
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import Caller, caller_of
from partywall.resolve.iam.statements import names_action


class Layer(Enum):
    """Where a statement counts, in the words of the IAM user guide, "Policy evaluation logic"."""

    IDENTITY = "identity policies"
    RESOURCE = "resource policy"
    BOUNDARY = "permissions boundary"
    SESSION = "session policy"
    SERVICE_CONTROL = "service control policy"
    RESOURCE_CONTROL = "resource control policy"
    ENDPOINT = "VPC endpoint policy"
    SERVICE = "rule of the service"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A limit that must allow, too; `grants` is None where it is referred to and absent.

    `one_sided`: only its Deny statements are known to be all there; what else it allows was not read, so it takes nothing else away.
    """

    name: str
    grants: tuple[Grant, ...] | None
    layer: Layer = Layer.BOUNDARY
    one_sided: bool = False


@dataclass(slots=True)
class Rights:
    """The statements that count for one principal, sorted by action as they are asked for.

    `ceiling` is its permissions boundary, `session` its session policy, `levels` the service control policies of each level above it,
    `over_resources` the resource control policies above the resources of each account.
    """

    principal: Principal
    node: Node
    context: Context
    grants: tuple[Grant, ...]
    ceiling: Ceiling | None
    levels: tuple[Ceiling, ...] = ()
    session: Ceiling | None = None
    over_resources: Mapping[str, tuple[Ceiling, ...]] = field(default_factory=dict)
    called_by: Caller | None = None
    _allows: dict[str, tuple[Grant, ...]] = field(default_factory=dict)
    _denies: dict[str, tuple[tuple[Layer, Grant], ...]] = field(default_factory=dict)

    @property
    def caller(self) -> Caller:
        """Return the principal as the sender of a request."""
        if self.called_by is None:
            self.called_by = caller_of(self.principal)
        return self.called_by

    def allows(self, action: str) -> tuple[Grant, ...]:
        """Return the Allow statements that name an action."""
        if action not in self._allows:
            self._allows[action] = tuple(
                grant for grant in self.grants if grant.statement.effect is Effect.ALLOW and names_action(grant.statement, action)
            )
        return self._allows[action]

    def denies(self, action: str) -> tuple[tuple[Layer, Grant], ...]:
        """Return the Deny statements that name an action with the layer of each, those of the ceilings included."""
        if action not in self._denies:
            self._denies[action] = tuple(
                (layer, grant)
                for layer, grant in self._limits()
                if grant.statement.effect is Effect.DENY and names_action(grant.statement, action)
            )
        return self._denies[action]

    def _limits(self) -> Iterator[tuple[Layer, Grant]]:
        yield from ((Layer.IDENTITY, grant) for grant in self.grants)
        for ceiling in self.ceilings():
            yield from ((ceiling.layer, grant) for grant in ceiling.grants or ())

    def ceilings(self) -> Iterator[Ceiling]:
        """Yield everything that must allow beside its own policies."""
        yield from (ceiling for ceiling in (self.ceiling, self.session) if ceiling is not None)
        yield from self.levels

    @property
    def account(self) -> str:
        """Return the principal's account."""
        return self.principal.holder.account


@dataclass(frozen=True, slots=True)
class Guard:
    """A resource's own policy; `grants` is None where it was not read. `sole`: nobody gets in unless it lets them (trust, key policies).

    `ceilings`: what else must allow at the resource's side (resource control policies of each level, a VPC endpoint's policy).
    `shut`: why the resource lets this caller in by no policy (Block Public Access).
    """

    account: str
    grants: tuple[Grant, ...] | None
    sole: bool = False
    ceilings: tuple[Ceiling, ...] = ()
    shut: str = ""


@dataclass(frozen=True, slots=True)
class Estate:
    """All principals whose policies are known, by ARN, and what of them was not read.

    `controls` are the resource control policies above the resources of each account, level by level.
    """

    rights: Mapping[str, Rights]
    gaps: tuple[Gap, ...]
    listed: frozenset[str]
    pods: tuple[Rights, ...] = ()
    region: str = ""
    controls: Mapping[str, tuple[Ceiling, ...]] = field(default_factory=dict)

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


def denials(grants: Iterable[Grant]) -> Iterator[Grant]:
    """Yield the Deny statements among grants."""
    return (grant for grant in grants if grant.statement.effect is Effect.DENY)
