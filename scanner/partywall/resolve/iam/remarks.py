"""What is wrong with the words of policies, as gaps: those that nobody can evaluate blind their holder, the others are only said."""

from collections.abc import Iterable, Iterator

from partywall.model.arn import account_of
from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Fact
from partywall.model.facts_iam import Attachment, ControlPolicy, InlinePolicy, ManagedPolicy, Principal
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.vocabulary import SETTLED, Complaint, complaints

_RIGHTS = (Lane.ACT, Lane.DATA, Lane.IDENTITY)
_ENTRY = (Lane.IDENTITY,)


def remarks(known: Iterable[Rights]) -> Iterator[Gap]:
    """Yield a gap for each complaint: once for a statement, but once for each holder where it blinds.

    AWS retires words of its own policies; what is only unknown in them is not said.
    """
    judged: dict[str, tuple[Complaint, ...]] = {}
    for rights in known:
        for grant, direction in _grants(rights):
            content = grant.statement.content
            is_new = content not in judged
            if is_new:
                found = complaints(grant.statement)
                judged[content] = tuple(complaint for complaint in found if complaint.unevaluable or not _is_of_aws(grant.source))
            for complaint in judged[content]:
                if is_new or _blinds(complaint):
                    yield _gap(complaint, grant, rights.node, direction)


def _grants(rights: Rights) -> Iterator[tuple[Grant, Direction]]:
    ceilings = (rights.ceiling, rights.session, *rights.levels, *(ceiling for above in rights.over_resources.values() for ceiling in above))
    for grant in (*rights.grants, *(grant for ceiling in ceilings if ceiling is not None for grant in ceiling.grants or ())):
        yield grant, Direction.OUTGOING
    principal = rights.principal
    for statement in principal.trust.statements if principal.trust else ():
        yield Grant(statement, principal), Direction.INCOMING


def _is_of_aws(source: Fact) -> bool:
    return isinstance(source, Attachment) or (isinstance(source, ManagedPolicy) and account_of(source.arn) == "aws")


def _blinds(complaint: Complaint) -> bool:
    """What `applies` leaves open by itself blinds only what its statement decides, so that the holder need not be blind as a whole."""
    return complaint.unevaluable and complaint.part not in SETTLED


def _gap(complaint: Complaint, grant: Grant, node: Node, direction: Direction) -> Gap:
    lanes = (_RIGHTS if direction is Direction.OUTGOING else _ENTRY) if _blinds(complaint) else ()
    reason = Reason.UNEVALUABLE if complaint.unevaluable else Reason.UNSUPPORTED
    what = f"a statement of {_place(grant.source)}: {complaint.part}: {complaint.text}"
    return Gap("iam", what, reason, direction, (node,), lanes, "correct the policy document", grant.statement.at)


def _place(source: Fact) -> str:
    match source:
        case InlinePolicy(holder=holder, policy=policy):
            return f"policy {policy.name} of {holder.kind.value} {holder.name}"
        case ManagedPolicy(arn=arn) | Attachment(arn=arn):
            return arn
        case ControlPolicy(id=id, name=name):
            return f"control policy {name or id}"
        case Principal(holder=holder):
            return f"the trust policy of role {holder.name}"
        case _:
            raise TypeError(f"no policy stands in {type(source).__name__}")
