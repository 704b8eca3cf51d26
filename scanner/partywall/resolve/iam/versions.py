"""What older versions of a managed policy would bring back.

IAM user guide, "Versioning IAM policies": up to five versions are kept, only the default one counts, and `iam:SetDefaultPolicyVersion`
makes any of them count again.
"""

from collections.abc import Iterable
from enum import Enum

from partywall.model.facts_iam import Effect, ManagedPolicy, Policy, Statement


class Older(Enum):
    """What is known of a policy's older versions; the value says in words what is not."""

    NONE = "no older version says more"
    EVERYTHING = ""
    MORE = "what its older version grants beyond the present one was not compared"
    UNREAD = "its older versions were not read"


def older_versions(policy: ManagedPolicy | None) -> Older:
    """Tell what an older version would bring back: nothing, everything, more than the present one, or what nobody read."""
    if policy is None or policy.older is None:
        return Older.UNREAD
    wider = [older for older in policy.older if _says_more(older, policy.policy)]
    if any(_is_everything(older.statements) for older in wider):
        return Older.EVERYTHING
    return Older.MORE if wider else Older.NONE


def _says_more(older: Policy, present: Policy) -> bool:
    """Tell whether one version allows something that the other does not literally allow, or lacks one of its denials."""
    allowed, denied = _contents(older, Effect.ALLOW), _contents(present, Effect.DENY)
    return not allowed <= _contents(present, Effect.ALLOW) or not denied <= _contents(older, Effect.DENY)


def _contents(policy: Policy, effect: Effect) -> frozenset[str]:
    return frozenset(statement.content for statement in policy.statements if statement.effect is effect)


def _is_everything(statements: Iterable[Statement]) -> bool:
    """Tell whether a version allows every action of IAM, or of everything, without a condition or a denial beside it."""
    found = list(statements)
    if any(statement.effect is Effect.DENY for statement in found):
        return False
    every = {"*", "iam:*", "*:*"}
    return any(every & set(one.actions) and "*" in one.resources and not one.comparisons and not one.broken for one in found)
