"""A statement together with where it stands: what an edge shows as evidence and moves as its lever."""

from dataclasses import dataclass, field, replace

from partywall.model.arn import account_of
from partywall.model.edge import Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_data import ResourcePolicy
from partywall.model.facts_iam import Attachment, InlinePolicy, ManagedPolicy, Policy, Principal, Statement
from partywall.resolve.iam.naming import stable_name


@dataclass(frozen=True, slots=True)
class Grant:
    """A statement, the fact that holds it, and how it comes to its holder (an attachment, a group)."""

    statement: Statement
    source: Fact
    via: tuple[Evidence, ...] = ()
    _levers: list[Lever] = field(default_factory=list, compare=False, repr=False)

    @property
    def because(self) -> tuple[Evidence, ...]:
        """Return the document parts that the grant needs."""
        return (self.statement.at, *self.via)


def lever(grant: Grant) -> Lever:
    """Return what takes a grant away: its statement, or the attachment where AWS keeps the policy.

    It is made once for all edges of the grant.
    """
    kept = grant._levers  # noqa: SLF001 - the grant is the place where its lever is kept
    if not kept:
        kept.append(_made(grant))
    return kept[0]


def _made(grant: Grant) -> Lever:
    source = grant.source
    if isinstance(source, Attachment):
        return _detachment(source)
    kind, scope, name, where = _place(source)
    change = Change(gone=(source,), come=(_without(grant),))
    return Lever(
        Move.REMOVE,
        kind,
        scope,
        name,
        (grant.statement.at,),
        f"remove {described(grant.statement)} from the {where}",
        grant.statement.content,
        change,
    )


def described(statement: Statement) -> str:
    """Say which statement is meant: by its Sid, else by what it allows."""
    if statement.sid:
        return f"statement {statement.sid}"
    actions = statement.actions or tuple(f"all but {action}" for action in statement.not_actions)
    more = f" and {len(actions) - 2} more" if len(actions) > 2 else ""
    on = f" on {statement.resources[0]}" if len(statement.resources) == 1 else ""
    return f"the statement for {', '.join(actions[:2])}{more}{on}"


def _place(source: Fact) -> tuple[str, str, str, str]:
    """Return the kind, scope and stable name of the lever, and the place in words."""
    match source:
        case InlinePolicy():
            holder = source.holder
            name = f"{holder.kind.value} {stable_name(holder.name)} / {source.policy.name}"
            return "IAM policy statement", holder.account, name, f"inline policy {source.policy.name} of {holder.kind.value} {holder.name}"
        case ManagedPolicy():
            return "IAM policy statement", account_of(source.arn), f"policy {source.policy.name}", f"managed policy {source.policy.name}"
        case Principal():
            holder = source.holder
            return "IAM trust statement", holder.account, f"role {stable_name(holder.name)} / trust", f"trust policy of role {holder.name}"
        case ResourcePolicy():
            return f"{source.store.value} policy statement", source.account, source.resource, f"policy of {source.resource}"
        case _:
            raise TypeError(f"no lever for {type(source).__name__}")


def _without(grant: Grant) -> Fact:
    """Return the fact that holds a grant, without the grant's statement."""
    match grant.source:
        case InlinePolicy() | ManagedPolicy() | ResourcePolicy() as source:
            return replace(source, policy=_trimmed(source.policy, grant.statement))
        case Principal(trust=Policy() as trust) as principal:
            return replace(principal, trust=_trimmed(trust, grant.statement))
        case _:
            raise TypeError(f"no lever for {type(grant.source).__name__}")


def _trimmed(policy: Policy, statement: Statement) -> Policy:
    return replace(policy, statements=tuple(kept for kept in policy.statements if kept is not statement))


def _detachment(source: Attachment) -> Lever:
    holder = source.holder
    name = f"{holder.kind.value} {stable_name(holder.name)} / {source.arn}"
    text = f"detach {source.arn.rsplit('/', 1)[-1]} from {holder.kind.value} {holder.name}"
    return Lever(Move.REMOVE, "IAM policy attachment", holder.account, name, (source.at,), text, source.arn, Change(gone=(source,)))
