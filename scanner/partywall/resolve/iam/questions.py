"""May somebody do something, and who may: one question each, answered with everything that the input says of both sides.

`can` and `who_can` find the resource's own policy, account, tags and limits among the facts by themselves. What was not read makes an
answer not decidable where it could change it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from partywall.errors import UsageError
from partywall.model.document import Gap
from partywall.model.facts import Facts
from partywall.model.facts_data import KeyGrant
from partywall.model.facts_iam import Comparison, Effect, HolderKind, PrincipalName
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of
from partywall.resolve.iam.asked import AskedAction, asked_action, unknown_keys
from partywall.resolve.iam.callers import callers, gaps_of, known, outsiders, pods_of, with_unread
from partywall.resolve.iam.context import Context, Value
from partywall.resolve.iam.decide import Decision, Outcome, decide
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import CallerKind, named_by
from partywall.resolve.iam.public import shut_out
from partywall.resolve.iam.resources import Resource, placed, resource_for
from partywall.resolve.iam.rights import Estate, Guard, Rights
from partywall.resolve.iam.services import may_carry_policy, sole_policy
from partywall.resolve.iam.statements import Request, names_action
from partywall.resolve.iam.witness import settled

Given = Mapping[str, str | Sequence[str]]
# From the answer that grants most to the one that grants least.
_RANK = (Outcome.ALLOWED, Outcome.CONDITIONAL, Outcome.UNDECIDABLE, Outcome.EXPLICIT, Outcome.IMPLICIT)
_EMPTY: Given = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision with both sides: the asker's `rights`, the `request`, the resource's `guard`; and what of the asker was not read.

    `action` is spelled as AWS spells it.
    """

    decision: Decision
    rights: Rights
    request: Request
    guard: Guard
    action: str
    gaps: tuple[Gap, ...] = ()


def can(facts: Facts, principal: str, action: str, resource: str, context: Given = _EMPTY, absent: Sequence[str] = ()) -> Decision:
    """Decide whether a principal may do an action on a resource; `answered` says more.

    `principal` is an ARN (of a role, user, group, session, root user or identity provider), a name alone where it is unique, a service, or
    `*` for anybody. `action` is `service:Action` in any case. `resource` is an ARN, a pattern of ARNs (allowed then means: on some of
    them), or `*`. `context` gives condition keys their values, `absent` names keys that are not in the request; all others are what the
    facts say, else open. Raises UsageError where the question makes no sense or nobody is called so.
    """
    return answered(facts, principal, action, resource, context, absent).decision


def who_can(
    facts: Facts, action: str, resource: str, context: Given = _EMPTY, absent: Sequence[str] = ()
) -> tuple[tuple[str, Decision], ...]:
    """Return everybody for whom no is not certain, with the decision, sorted by ARN; takes what `can` takes.

    Beside the roles, users and groups of the facts these are whom the resource's policy names: services, identity providers, `anonymous`,
    and principals of accounts that were not read.
    """
    return tuple((name, found.decision) for name, found in all_answered(facts, action, resource, context, absent))


def answered(facts: Facts, principal: str, action: str, resource: str, context: Given = _EMPTY, absent: Sequence[str] = ()) -> Answer:
    """Decide as `can` does, and return both sides with the decision."""
    question = _Question.of(facts, action, resource, context, absent)
    return question.best(callers(question.estate, principal))


def all_answered(
    facts: Facts, action: str, resource: str, context: Given = _EMPTY, absent: Sequence[str] = ()
) -> tuple[tuple[str, Answer], ...]:
    """Decide as `who_can` does, and return both sides with each decision."""
    question = _Question.of(facts, action, resource, context, absent)
    found = ((name, question.best(each)) for name, each in question.everybody())
    return tuple(sorted(((name, answer) for name, answer in found if answer.decision.may_be_allowed), key=lambda pair: pair[0]))


def unlisted(facts: Facts, action: str, resource: str) -> tuple[str, ...]:
    """Return the accounts whose principals could be let in by policies of their own and were not listed completely, sorted.

    It is the resource's account, or where nobody says which one that is, every account of the facts. Raises UsageError.
    """
    question = _Question.of(facts, action, resource, _EMPTY, ())
    home = question.resource.account
    accounts = {home} if home else {rights.account for rights in question.estate.rights.values()}
    return tuple(sorted(account for account in accounts if not question.estate.knows(account)))


@dataclass(frozen=True, slots=True)
class _Question:
    """A question without its asker."""

    facts: Facts
    estate: Estate
    word: AskedAction
    resource: Resource
    keys: Mapping[str, Value]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, facts: Facts, action: str, resource: str, context: Given, absent: Sequence[str]) -> "_Question":
        """Look up what is asked for. Raises UsageError."""
        if resource != "*" and not resource.startswith("arn:"):
            raise UsageError(f"{resource}: no resource; write its ARN (arn:aws:s3:::bucket/key), a pattern of ARNs, or *")
        word = asked_action(action)
        world = estate(facts)
        found = resource_for(facts, world, word.name, resource)
        keys = _given(context, absent)
        return cls(facts, world, word, found, keys, (*word.notes, *unknown_keys((*context, *absent)), *found.notes))

    @property
    def action(self) -> str:
        """Return the action in lower case."""
        return self.word.name

    def everybody(self) -> Iterator[tuple[str, tuple[Rights, ...]]]:
        """Yield all who may get in at all: known principals, and whom the resource's policy names beside them."""
        yield from ((rights.principal.arn, (rights, *pods_of(self.estate, rights.principal.arn))) for rights in known(self.estate))
        every = (*(self.resource.policy or ()), *((self.resource.behind.policy or ()) if self.resource.behind else ()))
        names = [name for grant in every if grant.statement.effect is Effect.ALLOW for name in grant.statement.principals]
        names += [PrincipalName("*", "*") for grant in every if grant.statement.not_principals and grant.statement.effect is Effect.ALLOW]
        names += [_grantee(grant) for grant in self.resource.lent]
        yield from ((name, (rights,)) for name, rights in outsiders(self.estate, names))

    def best(self, askers: tuple[Rights, ...]) -> Answer:
        """Return the answer that grants most of all that a principal may be: itself, or one of its pods."""
        own, *pods = (self._answer(rights) for rights in askers)
        found = min((own, *pods), key=lambda answer: _RANK.index(answer.decision.outcome))
        if found is own:
            return own
        note = f"as a pod of {found.rights.node.kind.value} {found.rights.node.name}, whose session tags decide"
        return replace(found, decision=replace(found.decision, notes=(note, *found.decision.notes)))

    def _answer(self, rights: Rights) -> Answer:
        gaps = gaps_of(self.facts, self.estate, rights)
        asker = with_unread(rights, gaps)
        request = self._request(asker, self.resource)
        guard = self._guard(asker, request, self.resource)
        decision = self._decided(asker, request, guard)
        if rights.principal.holder.kind is HolderKind.GROUP:
            decision = replace(decision, notes=("a group sends no requests: this is what its policies let members do", *decision.notes))
        return Answer(replace(decision, notes=(*decision.notes, *self.notes)), asker, request, guard, self.word.spelled, gaps)

    def _request(self, rights: Rights, resource: Resource) -> Request:
        own: dict[str, Value] = {"aws:resourceaccount": (resource.account or rights.account,), **resource.keys}
        if self.action.startswith("kms:"):
            own["kms:calleraccount"] = (rights.account,) if rights.account else ()
        context = Context({**rights.context.known, **own, **self.keys}, rights.context.session, resource.tags)
        return Request(self.action, resource.arn, context, wildcard_only=self.word.wildcard_only)

    def _decided(self, rights: Rights, request: Request, guard: Guard) -> Decision:
        decision = decide(rights, request, guard)
        if self.resource.behind is not None:
            decision = _both(decision, self._behind(rights, self.resource.behind), request.context)
        for grant in self.resource.lent:
            decision = _either(decision, self._by_grant(rights, request, grant), request.context)
        if self.action.startswith("kms:") and not self.resource.lent and not decision.may_be_allowed:
            decision = replace(decision, notes=(*decision.notes, "no grant of the key is in the input (aws kms list-grants)"))
        return decision

    def _guard(self, rights: Rights, request: Request, resource: Resource) -> Guard:
        policy = resource.policy
        away = bool(resource.account) and resource.account != rights.account
        # What has no policy of its own may still be shared with another account (AWS RAM user guide, "Shareable AWS resources").
        if policy is None and not may_carry_policy(request) and not away:
            policy = ()
        account = resource.account or ("?" if rights.caller.kind is CallerKind.ANONYMOUS else rights.account)
        shut = resource.restricted and bool(resource.account) and shut_out(policy or (), rights.caller, resource.account)
        return Guard(account, policy, sole_policy(request), (), "Block Public Access keeps other accounts out" if shut else "")

    def _behind(self, rights: Rights, bucket: Resource) -> Decision:
        """Decide at the bucket behind an access point; a caller of another account has shown its own policies at the access point."""
        request = self._request(rights, bucket)
        if bucket.account != rights.account:
            rights = _unlimited(rights, Grant(placed(rights.principal.at, actions=("*",)), rights.principal))
        return decide(rights, request, self._guard(rights, request, bucket))

    def _by_grant(self, rights: Rights, request: Request, lent: KeyGrant) -> Decision:
        """Decide by a grant of a key, which needs no policy that allows, and which a Deny overrules all the same."""
        actions = tuple(f"kms:{operation}" for operation in lent.operations)
        who = _grantee(lent)
        if (
            not names_action(placed(lent.at, actions=actions), self.action)
            or named_by(placed(lent.at, actions=(), who=who), rights.caller).how is None
        ):
            return Decision(Outcome.IMPLICIT, FALSE)
        # Whoever sends the request writes the encryption context, so it is the caller's to meet.
        statement = placed(lent.at, actions=actions, who=PrincipalName("*", "*"))
        if lent.constraint:
            statement = replace(statement, comparisons=(Comparison("StringEquals", "kms:EncryptionContext", (lent.constraint,)),))
        grant = Grant(statement, lent)
        policy = tuple(each for each in self.resource.policy or () if each.statement.effect is Effect.DENY)
        decision = decide(
            _unlimited(rights, Grant(replace(statement, principals=()), lent)), request, Guard(self.resource.account, (grant, *policy))
        )
        return replace(decision, notes=(*decision.notes, f"by grant {lent.id or 'of ' + lent.grantee} of the key"))


def _grantee(lent: KeyGrant) -> PrincipalName:
    return PrincipalName("AWS" if lent.grantee.startswith("arn:") else "Service", lent.grantee)


def _unlimited(rights: Rights, instead: Grant) -> Rights:
    """Return rights in which one grant stands for all that allows; every Deny stays."""
    denies = [grant for grant in rights.grants if grant.statement.effect is Effect.DENY]
    for ceiling in (rights.ceiling, rights.session):
        denies += [grant for grant in ceiling.grants or () if grant.statement.effect is Effect.DENY] if ceiling else []
    return replace(rights, grants=(instead, *denies), ceiling=None, session=None, _allows={}, _denies={})


def _either(one: Decision, other: Decision, context: Context) -> Decision:
    """Return the decision where one of two is enough."""
    first, second = sorted((one, other), key=lambda decision: _RANK.index(decision.outcome))
    if first.outcome is Outcome.ALLOWED or not second.may_be_allowed:
        return first
    return _joined(first, second, first.outcome, settled(any_of((first.residual, second.residual)), context))


def _both(one: Decision, other: Decision, context: Context) -> Decision:
    """Return the decision where both must allow."""
    first, second = sorted((one, other), key=lambda decision: _RANK.index(decision.outcome))
    return _joined(first, second, second.outcome, settled(all_of((first.residual, second.residual)), context))


def _joined(one: Decision, other: Decision, outcome: Outcome, residual: Residual) -> Decision:
    if residual is TRUE:
        outcome = Outcome.ALLOWED
    elif residual is FALSE and outcome not in (Outcome.EXPLICIT, Outcome.IMPLICIT):
        outcome = Outcome.IMPLICIT
    reasons = (*one.reasons, *(reason for reason in other.reasons if reason not in one.reasons))
    return Decision(outcome, residual, reasons, tuple(dict.fromkeys((*one.notes, *other.notes))))


def _given(context: Given, absent: Sequence[str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for key in (*context, *absent):
        if ":" not in key:
            raise UsageError(f"{key}: no condition key; write it with its service, such as aws:SourceIp")
    for key, value in context.items():
        found[key.lower()] = (value,) if isinstance(value, str) else tuple(value)
    for key in absent:
        if key.lower() in found:
            raise UsageError(f"{key} cannot have a value and be absent")
        found[key.lower()] = ()
    return found
