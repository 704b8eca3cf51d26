"""Whether a statement could speak of a resource, told from the beginnings of its patterns: most could not, and that is quick to see."""

import re
from functools import lru_cache

from partywall.model.facts_iam import Statement
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.statements import may_speak_of

_OPEN = re.compile(r"[*?\ue000\ue001]|\$\{")


@lru_cache(maxsize=1 << 16)
def _heads(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return what each pattern says up to its first wildcard or variable."""
    return tuple(_OPEN.split(pattern, maxsplit=1)[0] for pattern in patterns)


def speaks_of(statement: Statement, arn: str) -> bool:
    """Tell whether a statement's resources could take in an ARN, whatever its variables become."""
    if statement.resources and not arn.startswith(_heads(statement.resources)):
        return False
    return may_speak_of(statement, arn)


def may_name(rights: Rights, action: str, arn: str) -> bool:
    """Tell whether a principal's own policies could open any way to an action on an ARN."""
    return any(speaks_of(grant.statement, arn) for grant in rights.allows(action))
