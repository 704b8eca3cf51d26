"""Whom the Principal of a statement names.

IAM user guide, "AWS JSON policy elements: Principal" and "...: NotPrincipal": `*` stands alone and never inside an ARN;
an account or its root delegates to the account's own policies; a role's ARN takes in its sessions.
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from partywall.model.arn import account_of, arn_part, resource_of
from partywall.model.edge import Atom, Control
from partywall.model.facts_iam import Effect, HolderKind, Principal, PrincipalName, Statement


class How(Enum):
    """In what way a statement names a principal."""

    EXACT = "exact"
    SESSION = "session"
    ACCOUNT = "account"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Naming:
    """How a statement names a principal (None: not at all), under which conditions, and what could not be evaluated."""

    how: How | None
    atoms: tuple[Atom, ...] = ()
    why: str = ""

    @property
    def delegates(self) -> bool:
        """Tell whether it leaves the decision to the account's own policies."""
        return self.how is How.ACCOUNT

    @property
    def exact(self) -> bool:
        """Tell whether it names the principal's own ARN."""
        return self.how is How.EXACT


NOT_NAMED = Naming(None)
MEMORY = 1 << 16  # principals of policies are few beside the pairs that are asked about
_ORDER = (How.EXACT, How.SESSION, How.ANYONE, How.ACCOUNT)


def named_by(statement: Statement, principal: Principal) -> Naming:
    """Tell how a statement of a resource's policy names a principal."""
    if statement.not_principals:
        return _not_principal(statement, principal)
    namings = [naming for naming in (_naming(name, principal) for name in statement.principals) if naming.how is not None]
    return min(namings, key=lambda naming: _ORDER.index(naming.how or How.ACCOUNT), default=NOT_NAMED)


def _not_principal(statement: Statement, principal: Principal) -> Naming:
    """Tell whom NotPrincipal leaves over. An account beside principals of its own is there for their sake, and spares nobody else in it."""
    hows = {_naming(name, principal).how for name in statement.not_principals} - {None}
    of_its_own = any(
        name.kind == "AWS" and not named_account(name.name) and account_of(name.name) == principal.holder.account
        for name in statement.not_principals
    )
    named = bool(hows - {How.ACCOUNT} if of_its_own else hows)
    if statement.effect is Effect.ALLOW:
        return NOT_NAMED if named else Naming(How.ANYONE, why="NotPrincipal with Allow is not supported by IAM any more")
    # With NotPrincipal, a Deny takes in every principal that has a permissions boundary, whatever it lists.
    return NOT_NAMED if named and principal.boundary is None else Naming(How.ANYONE)


def _naming(name: PrincipalName, principal: Principal) -> Naming:
    if name.kind == "*":
        return Naming(How.ANYONE)
    if name.kind != "AWS":
        return NOT_NAMED
    if name.name == principal.arn:
        return Naming(How.EXACT)
    if named_account(name.name) == principal.holder.account:
        return Naming(How.ACCOUNT)
    return _session(name.name, principal)


@lru_cache(maxsize=MEMORY)
def named_account(name: str) -> str:
    """Return the account that a principal stands for as a whole (twelve digits or its root), or an empty text."""
    if name.isdigit() and len(name) == 12:
        return name
    return account_of(name) if arn_part(name, 2) == "iam" and resource_of(name) == "root" else ""


def _session(name: str, principal: Principal) -> Naming:
    """Match a session's ARN: whoever assumes the role chooses the session's name."""
    account, role, session = session_parts(name)
    if not session or principal.holder.kind is not HolderKind.ROLE:
        return NOT_NAMED
    if account != principal.holder.account or role != principal.holder.name:
        return NOT_NAMED
    return Naming(How.SESSION, (Atom("sts:RoleSessionName", "StringEquals", (session,), Control.CALLER),))


@lru_cache(maxsize=MEMORY)
def session_parts(name: str) -> tuple[str, str, str]:
    """Return account, role and session of `arn:...:sts::ACCOUNT:assumed-role/ROLE/SESSION`, or empty texts for another principal."""
    parts = resource_of(name).split("/")
    if arn_part(name, 2) != "sts" or len(parts) != 3 or parts[0] != "assumed-role":
        return "", "", ""
    return account_of(name), parts[1], parts[2]
