"""Whom the Principal of a statement names.

IAM user guide, "AWS JSON policy elements: Principal" and "...: NotPrincipal": `*` stands alone and never inside an ARN;
an account or its root delegates to the account's own policies; a role's ARN takes in its sessions.
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from partywall.model.arn import account_of, arn_part, resource_of
from partywall.model.atom import Atom, Control
from partywall.model.facts_iam import Effect, HolderKind, Principal, PrincipalName, Statement
from partywall.model.residual import FALSE, TRUE, Residual, any_of, negated, that, unevaluable


class CallerKind(Enum):
    """What sends a request."""

    ROLE = "role"
    USER = "user"
    ROOT = "root user"
    GROUP = "group"
    FEDERATED_USER = "federated user"
    PROVIDER = "identity provider"
    SERVICE = "service"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: its ARN (a service's or provider's name), account and name. `session`: the name of a role's session, if known.

    `bounded`: it has a permissions boundary.
    """

    kind: CallerKind
    arn: str
    account: str = ""
    name: str = ""
    session: str = ""
    bounded: bool = False


_KINDS = {HolderKind.ROLE: CallerKind.ROLE, HolderKind.USER: CallerKind.USER, HolderKind.GROUP: CallerKind.GROUP}


def caller_of(principal: Principal) -> Caller:
    """Return a principal as the sender of a request."""
    holder = principal.holder
    return Caller(_KINDS[holder.kind], principal.arn, holder.account, holder.name, bounded=principal.boundary is not None)


class How(Enum):
    """In what way a statement names a caller."""

    EXACT = "exact"
    SESSION = "session"
    ACCOUNT = "account"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Naming:
    """How a statement names a caller (None: not at all), and under which condition."""

    how: How | None
    residual: Residual = TRUE

    @property
    def delegates(self) -> bool:
        """Tell whether it leaves the decision to the account's own policies."""
        return self.how is How.ACCOUNT

    @property
    def exact(self) -> bool:
        """Tell whether it names the caller's own ARN."""
        return self.how is How.EXACT


NOT_NAMED = Naming(None, FALSE)
MEMORY = 1 << 16  # principals of policies are few beside the pairs that are asked about
_ORDER = (How.EXACT, How.SESSION, How.ANYONE, How.ACCOUNT)


def named_by(statement: Statement, caller: Caller) -> Naming:
    """Tell how a statement of a resource's policy names a caller."""
    if statement.not_principals:
        return _not_principal(statement, caller)
    namings = [naming for naming in (_naming(name, caller) for name in statement.principals) if naming.how is not None]
    return min(namings, key=lambda naming: (naming.residual is not TRUE, _ORDER.index(naming.how or How.ACCOUNT)), default=NOT_NAMED)


def _not_principal(statement: Statement, caller: Caller) -> Naming:
    """Tell whom NotPrincipal leaves over. An account beside principals of its own is there for their sake, and spares nobody else in it."""
    found = [_naming(name, caller) for name in statement.not_principals]
    of_its_own = any(
        name.kind == "AWS" and not named_account(name.name) and account_of(name.name) == caller.account for name in statement.not_principals
    )
    named = any_of(naming.residual for naming in found if not (of_its_own and naming.delegates))
    # IAM refuses new Allow statements with NotPrincipal, and still reads those that are there. With a Deny it takes in every principal
    # that has a permissions boundary, whatever it lists.
    left = TRUE if statement.effect is Effect.DENY and caller.bounded else negated(named)
    return NOT_NAMED if left is FALSE else Naming(How.ANYONE, left)


def _naming(name: PrincipalName, caller: Caller) -> Naming:
    match name.kind:
        case "*":
            return Naming(How.ANYONE)
        case "AWS":
            return _aws(name.name, caller)
        case "Service":
            return Naming(How.EXACT) if caller.kind is CallerKind.SERVICE and name.name == caller.arn else NOT_NAMED
        case "Federated":
            return Naming(How.EXACT) if caller.kind is CallerKind.PROVIDER and name.name == caller.arn else NOT_NAMED
        case _:
            # A canonical user id stands for an account, and nothing here says for which one.
            return Naming(How.ANYONE, unevaluable(f"{name.kind} {name.name}", "nothing says which account it is"))


def _aws(name: str, caller: Caller) -> Naming:
    if caller.kind in (CallerKind.SERVICE, CallerKind.PROVIDER, CallerKind.ANONYMOUS):
        return NOT_NAMED
    if name == caller.arn:
        return Naming(How.SESSION if caller.kind is CallerKind.FEDERATED_USER else How.EXACT)
    if named_account(name) == caller.account:
        return Naming(How.ACCOUNT)
    return _session(name, caller)


@lru_cache(maxsize=MEMORY)
def named_account(name: str) -> str:
    """Return the account that a principal stands for as a whole (twelve digits or its root), or an empty text."""
    if name.isdigit() and len(name) == 12:
        return name
    return account_of(name) if arn_part(name, 2) == "iam" and resource_of(name) == "root" else ""


def _session(name: str, caller: Caller) -> Naming:
    """Match a session's ARN: whoever assumes the role chooses the session's name."""
    account, role, session = session_parts(name)
    if not session or caller.kind is not CallerKind.ROLE:
        return NOT_NAMED
    if account != caller.account or role != caller.name:
        return NOT_NAMED
    if caller.session:
        return Naming(How.SESSION) if caller.session == session else NOT_NAMED
    return Naming(How.SESSION, that(Atom("sts:RoleSessionName", "StringEquals", (session,), Control.CALLER)))


@lru_cache(maxsize=MEMORY)
def session_parts(name: str) -> tuple[str, str, str]:
    """Return account, role and session of `arn:...:sts::ACCOUNT:assumed-role/ROLE/SESSION`, or empty texts for another principal."""
    parts = resource_of(name).split("/")
    if arn_part(name, 2) != "sts" or len(parts) != 3 or parts[0] != "assumed-role":
        return "", "", ""
    return account_of(name), parts[1], parts[2]
