"""Which tags the session of a principal carries."""

from partywall.model.atom import Control
from partywall.model.facts_iam import Effect, HolderKind, Principal
from partywall.resolve.iam.context import SessionTags
from partywall.resolve.iam.naming import SSO_PATH
from partywall.resolve.iam.statements import names_action


def session_tags(principal: Principal) -> SessionTags:
    """Tell which tags a session of a principal may carry beside its own: whoever may tag sessions chooses them, unless the trust pins them.

    IAM user guide, "Pass session tags in AWS STS": session tags override the role's tags of the same key.
    """
    tags = principal.tags
    if principal.holder.kind is not HolderKind.ROLE:
        return SessionTags(tags)
    if SSO_PATH in principal.arn:
        # Attributes for access control come from Identity Center or its provider: not shown here, and not the caller's choice.
        return SessionTags(tags, Control.UNKNOWN)
    if principal.trust is None:
        return SessionTags(tags, Control.UNKNOWN)
    tagging = [
        statement
        for statement in principal.trust.statements
        if statement.effect is Effect.ALLOW and names_action(statement, "sts:tagsession")
    ]
    by_callers = [statement for statement in tagging if any(name.kind != "Service" for name in statement.principals)]
    if not by_callers:
        return SessionTags(tags)
    pins = [
        {
            comparison.key.lower().removeprefix("aws:requesttag/"): comparison.values
            for comparison in statement.comparisons
            if _pins(comparison.operator, comparison.key)
        }
        for statement in by_callers
    ]
    common = {key: values for key, values in pins[0].items() if all(pin.get(key) == values for pin in pins)}
    return SessionTags(tags, Control.CALLER, common)


def _pins(operator: str, key: str) -> bool:
    return operator.lower() == "stringequals" and key.lower().startswith("aws:requesttag/")
