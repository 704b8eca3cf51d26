"""When a bucket's policy is public, and whom Block Public Access then keeps out.

S3 user guide, "Blocking public access to your Amazon S3 storage", "The meaning of public".
"""

import re
from collections.abc import Iterable

from partywall.model.facts_iam import Comparison, Effect, Statement
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import Caller, CallerKind

# Keys that, with a fixed value, keep a grant to everybody from being public.
_FIXING = re.compile(
    r"aws:(source(ip|arn|vpc|vpce|owner|account)|userid|principal(orgid|orgpaths|arn|account))"
    r"|s3:(dataaccesspoint(arn|account)|x-amz-server-side-encryption-aws-kms-key-id)"
)
_POSITIVE = re.compile(r"(foranyvalue:)?(string|arn)(equals|equalsignorecase|like)|(foranyvalue:)?ipaddress", re.IGNORECASE)
_WHOLE_INTERNET = frozenset({"0.0.0.0/0", "::/0"})


def is_public(statement: Statement) -> bool:
    """Tell whether a statement lets in the world: an Allow to everybody that no fixed value of a listed key narrows."""
    everybody = bool(statement.not_principals) or any(name.kind == "*" for name in statement.principals)
    return statement.effect is Effect.ALLOW and everybody and not any(map(_fixes, statement.comparisons))


def _fixes(comparison: Comparison) -> bool:
    return (
        _FIXING.fullmatch(comparison.key.lower()) is not None
        and _POSITIVE.fullmatch(comparison.operator) is not None
        and not any(sign in value for value in comparison.values for sign in ("*", "?", "${"))
        and _WHOLE_INTERNET.isdisjoint(comparison.values)
    )


def shut_out(policy: Iterable[Grant], caller: Caller, account: str) -> bool:
    """Tell whether Block Public Access keeps a caller out of a bucket: once any statement is public, all but those of its own account."""
    if caller.kind is CallerKind.SERVICE or caller.account == account:
        return False
    return any(is_public(grant.statement) for grant in policy)
