"""How an answer came about, layer by layer: what was asked, what it said, and by which statements."""

from collections.abc import Iterator
from dataclasses import dataclass

from partywall.model.arn import last_name
from partywall.model.facts_data import BucketGrant, KeyGrant, ResourcePolicy
from partywall.model.facts_iam import Attachment, ControlPolicy, ControlTarget, Effect, InlinePolicy, ManagedPolicy, Principal
from partywall.model.residual import TRUE, Residual
from partywall.resolve.iam.decide import Reason
from partywall.resolve.iam.grants import Grant, described
from partywall.resolve.iam.principals import CallerKind
from partywall.resolve.iam.questions import Answer
from partywall.resolve.iam.rights import Ceiling, Guard, Layer, Rights
from partywall.resolve.iam.services import ALWAYS_ALLOWED
from partywall.resolve.iam.ways import over

_NO_POLICIES = frozenset({CallerKind.SERVICE, CallerKind.ANONYMOUS, CallerKind.PROVIDER})


@dataclass(frozen=True, slots=True)
class Step:
    """One layer, or one level of it: what came out of it in words, and the statements that had a say."""

    layer: Layer
    name: str
    outcome: str
    reasons: tuple[Reason, ...]


def steps(answer: Answer) -> tuple[Step, ...]:
    """Return every layer that was heard, in the order in which they are asked; none where nothing was."""
    if answer.request.action in ALWAYS_ALLOWED:
        return ()
    found = ((layer, name, ceiling, guard, _said(answer, layer, name)) for layer, name, ceiling, guard in _asked(answer))
    return tuple(Step(layer, name, _outcome(ceiling, guard, said), said) for layer, name, ceiling, guard, said in found)


def _asked(answer: Answer) -> Iterator[tuple[Layer, str, Ceiling | None, Guard | None]]:
    rights, guard = answer.rights, answer.guard
    if rights.caller.kind not in _NO_POLICIES:
        yield Layer.IDENTITY, "", None, None
    for ceiling in ceilings_of(rights):
        yield ceiling.layer, ceiling.name, ceiling, None
    yield Layer.RESOURCE, "", None, guard
    for ceiling in (*guard.ceilings, *over(rights, answer.request, guard.account)):
        yield ceiling.layer, ceiling.name, ceiling, None


def ceilings_of(rights: Rights) -> tuple[Ceiling, ...]:
    """Return the limits above a principal, its boundary first."""
    return tuple(rights.ceilings())


def _said(answer: Answer, layer: Layer, name: str) -> tuple[Reason, ...]:
    # What a personal ceiling denies carries no name: there is one of each only.
    return tuple(reason for reason in answer.decision.reasons if reason.layer is layer and reason.name in (name, ""))


def _outcome(ceiling: Ceiling | None, guard: Guard | None, said: tuple[Reason, ...]) -> str:
    against = [reason.residual for reason in said if reason.effect is Effect.DENY]
    granting = [reason.residual for reason in said if reason.effect is Effect.ALLOW]
    if TRUE in against:
        return "denies"
    after = ", and may deny" if against else ""
    if (ceiling is not None and ceiling.grants is None) or (guard is not None and guard.grants is None):
        return f"not in the input{after}"
    if ceiling is not None and ceiling.one_sided:
        return f"takes nothing else away{after}: not all of it was read"
    if guard is not None and not guard.grants:
        return "there is none"
    return _plain(granting, after)


def _plain(granting: list[Residual], after: str) -> str:
    word = "allows" if TRUE in granting else "allows under a condition" if granting else "allows nothing of this"
    return word + after


def statement_of(grant: Grant) -> str:
    """Say in words which statement of which document is meant; what is no statement of a policy has the document's words alone."""
    return f"{described(grant.statement)} of {document_of(grant)}" if grant.statement.content else document_of(grant)


def document_of(grant: Grant) -> str:
    """Say in words which document holds a statement."""
    match grant.source:
        case InlinePolicy() as source:
            return f"inline policy {source.policy.name} of {source.holder.kind.value} {source.holder.name}"
        case ManagedPolicy() as source:
            return f"managed policy {source.policy.name}"
        case Attachment() as source:
            return f"AWS managed policy {last_name(source.arn)}"
        case Principal() as source if source.trust is not None and grant.statement in source.trust.statements:
            return f"trust policy of role {source.holder.name}"
        case Principal():
            return "policies that were not read" if grant.statement.broken else "no policy is asked"
        case ResourcePolicy() as source:
            return f"policy of {source.resource}"
        case ControlPolicy() as source:
            return f"control policy {source.name or source.id}"
        case ControlTarget() as source:
            return f"control policy {source.policy}"
        case KeyGrant() as source:
            return f"grant {source.id} of key {source.key}"
        case BucketGrant() as source:
            return f"ACL of bucket {source.bucket}"
        case _:
            return type(grant.source).__name__
