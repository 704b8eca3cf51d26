"""RBAC by user name: whose access entry gives a name that some binding names."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from partywall.model.atom import Atom, Control
from partywall.model.edge import Condition
from partywall.model.residual import that
from partywall.resolve.eks.doors import Door
from partywall.resolve.eks.principals import Principals, account_of, without_path

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_SESSIONS = frozenset({"SessionName", "SessionNameRaw"})


def template(door: Door) -> str:
    """Return a door's user name; an entry without one has that of its STS identity (EKS user guide, "Create access entries")."""
    if door.username:
        return door.username
    arn = without_path(door.principal)
    if ":role/" not in arn:
        return arn
    return f"arn:aws:sts::{account_of(arn)}:assumed-role/{arn.rsplit('/', 1)[-1]}/{{{{SessionName}}}}"


def candidates(door: Door, names: Sequence[str]) -> Sequence[str]:
    """Return those of the sorted names that begin as the door's user name does before its first variable."""
    written = template(door)
    found = _VARIABLE.search(written)
    prefix = written[: found.start()] if found else written
    return names[bisect_left(names, prefix) : bisect_left(names, prefix + "\U0010ffff")]


def matches(door: Door, name: str, principals: Principals) -> tuple[bool, Condition | None]:
    """Tell whether a door gives a user name, and on which condition: a session's name is chosen by who assumes the role."""
    written = template(door)
    pattern, ends, sessions = "", 0, []
    for found in _VARIABLE.finditer(written):
        pattern += re.escape(written[ends : found.start()])
        ends = found.end()
        if found[1] == "AccountID":
            pattern += re.escape(account_of(door.principal))
        else:
            pattern += "(.+)"
            sessions.append(found[1] in _SESSIONS)
    match = re.fullmatch(pattern + re.escape(written[ends:]), name)
    if match is None:
        return False, None
    if not sessions:
        return True, None
    return True, _condition(door, match[1], principals)


def _condition(door: Door, session: str, principals: Principals) -> Condition:
    atom = Atom("sts:RoleSessionName", "StringEquals", (session,), Control.ENVIRONMENT if _is_pinned(door, principals) else Control.CALLER)
    role = door.principal.rsplit("/", 1)[-1]
    return Condition(that(atom), f"the session of role {role} is named {session}")


def _is_pinned(door: Door, principals: Principals) -> bool:
    """Identity Center names a session after the person, and a trust policy may demand a name."""
    if "/AWSReservedSSO_" in door.principal:
        return True
    return any(key.startswith("sts:rolesessionname") for key in _trust_keys(door, principals))


def _trust_keys(door: Door, principals: Principals) -> Iterator[str]:
    described = principals.described.get(principals.canonical(door.principal))
    for statement in described.trust.statements if described and described.trust else ():
        yield from (comparison.key.lower() for comparison in statement.comparisons)
