"""The bulk engine against the kernel's decisions: every cell of random estates."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from partywall.model.atom import Control
from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Holder, HolderKind, InlinePolicy, Principal
from partywall.model.residual import FALSE, TRUE, Residual
from partywall.parse.policy import policy
from partywall.resolve.iam.bulk import Block, Planes, Target
from partywall.resolve.iam.bulk import decide as decide_all
from partywall.resolve.iam.context import Chosen, Context, Open, SessionTags, Value
from partywall.resolve.iam.decide import Decision, Outcome, decide
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import node_of
from partywall.resolve.iam.rights import Ceiling, Guard, Layer, Rights

Json = dict[str, Any]
AT = Evidence("estate.json", "")
HERE, THERE = "111122223333", "444455556666"
ACTIONS = ("s3:getobject", "s3:putobject", "s3:putbucketpolicy")
NAMES = ("ana", "ben", "cleo", "Dot")
ARNS = (
    "arn:aws:s3:::lake",
    "arn:aws:s3:::lake/ana/x",
    "arn:aws:s3:::lake/b:en",
    "arn:aws:s3:::lake2/ana",
    f"arn:aws:iam::{HERE}:role/aws-reserved/x",
)
WILD = ("arn:aws:s3:::lake/*", "arn:aws:s3:::l?ke/ana/*")
PATTERNS = (
    *ARNS,
    "*",
    "arn:aws:s3:::lake*",
    "arn:aws:s3:::lake/*",
    "arn:aws:s3:::*/ana/*",
    "arn:aws:s3:*:*:lake/${aws:PrincipalTag/team}/*",
    "arn:aws:s3:::lake/${aws:username}*",
    "arn:aws:s3:::lake/${aws:ResourceTag/team, 'ana'}/x",
    "arn:aws:s3:::${*}",
    "arn:aws:iam::*:role/*",
)
VERBS = ("s3:*", "S3:GetObject", "s3:Put*", "*", "iam:PassRole", "s3:ListAllMyBuckets")
# The same unknown wherever it stands.
OPEN_PATTERN = "arn:aws:s3:::lake/${s3:prefix}"
TEXTS = ("ana", "Ana", "b*", "*", "team", "te?m", "")
CONDITIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("StringEquals", "aws:ResourceTag/team", ("${aws:PrincipalTag/team}",)),
    ("StringNotEqualsIfExists", "aws:ResourceTag/team", ("${aws:PrincipalTag/team}", "ana")),
    ("StringLike", "aws:PrincipalTag/team", ("x${aws:ResourceTag/team}", "${aws:ResourceTag/team}")),
    ("StringEqualsIgnoreCase", "aws:PrincipalTag/team", ("${aws:ResourceTag/team, 'ana'}",)),
    ("ForAllValues:StringLike", "aws:PrincipalTag/team", ("a*", "team")),
    ("StringNotLike", "aws:PrincipalTag/Team", ("te*",)),
    ("StringEquals", "aws:PrincipalTag/team", ("ana", "team")),
    ("ArnLike", "aws:PrincipalArn", ("arn:aws:iam::*:role/an*", f"arn:aws:iam::{HERE}:user/*")),
    ("ArnNotLike", "aws:PrincipalArn", ("arn:aws:iam::*:role/ana",)),
    ("StringEquals", "aws:PrincipalAccount", ("${aws:ResourceAccount}",)),
    ("StringNotEquals", "aws:ResourceAccount", (HERE,)),
    ("Null", "aws:PrincipalTag/team", ("true",)),
    ("Null", "aws:ResourceTag/team", ("false",)),
    ("Bool", "aws:SecureTransport", ("false",)),
    ("StringLike", "aws:userid", ("AROA1:*",)),
    ("NumericLessThan", "aws:PrincipalTag/level", ("3",)),
    ("StringEquals", "aws:ResourceTag/team", ("ana",)),
    ("StringEquals", "s3:ExistingObjectTag/team", ("ana", "team")),
    ("StringEquals", "mixed:key", ("ana", "${aws:PrincipalTag/team}")),
)
# What nobody can evaluate is the same unknown wherever it stands, so an Allow and a Deny of it exclude each other.
UNEVALUABLE = (("StringSomething", "aws:ResourceTag/team", ("ana",)), ("Bool", "aws:PrincipalTag/team", ("maybe",)))


class Estate:
    """Principals and blocks of targets from a seed. `apart`: every open comparison has a key of its own, so that none excludes another."""

    def __init__(self, seed: int, *, apart: bool, wild: bool = False) -> None:
        self.chance = random.Random(seed)
        self.apart, self.opened = apart, 0
        controls = {account: self.ceilings(Layer.RESOURCE_CONTROL) for account in (HERE, THERE) if self.chance.random() < 0.5}
        levels = {account: self.ceilings(Layer.SERVICE_CONTROL) for account in (HERE, THERE)}
        self.rights = tuple(self.principal(number, levels, controls) for number in range(5))
        paths = self.ceilings(Layer.ENDPOINT)
        pool = (*ARNS, *(WILD if wild else ()))
        guards = [self.guard(paths) for _ in range(4)]
        targets = tuple(self.target(arn, self.chance.choice(guards)) for arn in pool)
        nothing = Target("*", Guard("", ()), tags={}, wildcard_only=True)
        self.blocks = (
            Block(ACTIONS, targets),
            Block(("iam:passrole", "sts:getcalleridentity"), (*targets[3:], nothing)),
            Block(("s3:listallmybuckets",), (nothing,)),
        )

    def some(self, among: Sequence[Any], most: int = 2) -> list[Any]:
        return self.chance.sample(list(among), self.chance.randint(1, most))

    def odd(self, plain: Sequence[Any], *strange: Any) -> Sequence[Any]:
        return plain if self.apart else (*plain, *strange)

    def ceilings(self, layer: Layer) -> tuple[Ceiling, ...]:
        found = []
        for number in range(self.chance.randint(0, 2)):
            broad = self.chance.random() < 0.6
            statements = [*([{"Effect": "Allow", "Action": "*", "Resource": "*"}] if broad else []), *self.statements(1)]
            one_sided = self.chance.random() < 0.2
            named = [{**statement, "Principal": "*"} for statement in statements] if layer is not Layer.SERVICE_CONTROL else statements
            grants = None if self.chance.random() < 0.05 else self.grants(named)
            found.append(Ceiling(f"level {number}", grants, layer, one_sided))
        return tuple(found)

    def grants(self, statements: list[Json]) -> tuple[Grant, ...]:
        document: Json = {"Version": self.chance.choice(["2012-10-17"] * 3 + ["2008-10-17"]), "Statement": statements}
        read = policy("p", document, AT)
        return tuple(Grant(statement, InlinePolicy(Holder(HolderKind.ROLE, HERE, "x"), read, AT)) for statement in read.statements)

    def statements(self, most: int) -> list[Json]:
        return [self.statement() for _ in range(self.chance.randint(0, most))]

    def statement(self) -> Json:
        effect = "Allow" if self.chance.random() < 0.65 else "Deny"
        verb = "NotAction" if self.chance.random() < 0.15 else "Action"
        found: Json = {"Effect": effect, verb: self.some(self.odd(VERBS, "getobject"))}
        if not self.apart and self.chance.random() < 0.04:
            found["Colour"] = "blue"
        found["NotResource" if self.chance.random() < 0.15 else "Resource"] = self.some(
            PATTERNS if self.apart else (*PATTERNS, OPEN_PATTERN)
        )
        tests: Json = {}
        for _ in range(self.chance.choice([0, 0, 1, 1, 2])):
            operator, key, values = self.chance.choice(self.odd(CONDITIONS, *UNEVALUABLE))
            tests.setdefault(operator, {})[key] = list(values)
        if self.chance.random() < 0.2:
            self.opened += 1
            key = f"sample:open{self.opened}" if self.apart else self.chance.choice(["aws:SourceVpc", "sample:open"])
            tests.setdefault(self.chance.choice(["StringEquals", "StringNotEquals"]), {})[key] = ["a"]
        return {**found, **({"Condition": tests} if tests else {})}

    def principal(self, number: int, levels: dict[str, tuple[Ceiling, ...]], controls: dict[str, tuple[Ceiling, ...]]) -> Rights:
        kind = self.chance.choice([HolderKind.ROLE, HolderKind.ROLE, HolderKind.USER])
        account = self.chance.choice([HERE, HERE, THERE])
        name = f"{self.chance.choice(NAMES)}{number}"
        arn = f"arn:aws:iam::{account}:{kind.value}/{name}"
        tags = self.tags()
        bounded = self.chance.random() < 0.4
        holder = Holder(kind, account, name)
        one = Principal(holder, arn, AT, boundary="arn:boundary" if bounded else None, tags=tags)
        known: dict[str, Value] = {"aws:principalarn": (arn,), "aws:principalaccount": (account,)}
        known["aws:username"] = (name,) if kind is HolderKind.USER else ()
        known["aws:userid"] = Chosen(f"AROA{number}:*") if kind is HolderKind.ROLE else (f"AIDA{number}",)
        if self.apart or self.chance.random() < 0.3:
            known["mixed:key"] = (self.chance.choice(TEXTS[:2]),)
        free = Control.CALLER if not self.apart and self.chance.random() < 0.2 else None
        ceiling = (
            Ceiling("boundary", None if self.chance.random() < 0.1 else self.grants([*self.statements(2), *self.statements(2)]))
            if bounded
            else None
        )
        session = Ceiling("session", self.grants(self.statements(3)), Layer.SESSION) if self.chance.random() < 0.2 else None
        grants = self.grants([self.statement() for _ in range(self.chance.randint(1, 5))])
        context = Context(known, SessionTags(tags, free))
        return Rights(one, node_of(one), context, grants, ceiling, levels[account], session, over_resources=controls)

    def tags(self) -> dict[str, str] | None:
        if self.chance.random() < 0.1 and not self.apart:
            return None
        return {key: self.chance.choice(TEXTS) for key in self.chance.sample(["team", "level"], self.chance.randint(0, 2))}

    def guard(self, paths: tuple[Ceiling, ...]) -> Guard:
        account = self.chance.choice([HERE, THERE, ""])
        if self.chance.random() < 0.1:
            return Guard(account, None, sole=self.chance.random() < 0.3)
        statements = [self.taking(self.statement()) for _ in range(self.chance.randint(0, 4))]
        return Guard(
            account,
            self.grants(statements),
            self.chance.random() < 0.25,
            paths if self.chance.random() < 0.3 else (),
            "" if self.chance.random() < 0.9 else "shut",
        )

    def taking(self, statement: Json) -> Json:
        one = self.chance.choice(self.rights)
        session = f"arn:aws:sts::{one.account}:assumed-role/{one.principal.holder.name}/s{self.opened if self.apart else ''}"
        self.opened += 1
        names = ["*", {"AWS": "*"}, {"AWS": one.principal.arn}, {"AWS": [f"arn:aws:iam::{HERE}:root", one.principal.arn]}]
        names += [{"AWS": THERE}, {"AWS": session}, {"Service": "ec2.amazonaws.com"}]
        names = list(self.odd(names, {"CanonicalUser": "abc"}))
        member = "NotPrincipal" if self.chance.random() < 0.1 else "Principal"
        return {**statement, member: self.chance.choice(names)}

    def target(self, arn: str, guard: Guard) -> Target:
        keys: dict[str, Value] = {"s3:prefix": Chosen("*")} if not self.apart and self.chance.random() < 0.5 else {}
        if self.chance.random() < 0.4:
            keys["mixed:key"] = (self.chance.choice(TEXTS[:2]),)
        if not self.apart and self.chance.random() < 0.1:
            keys["aws:resourceaccount"] = Open(Control.UNKNOWN)
        return Target(arn, guard, keys, self.tags())


def differences(estate: Estate, planes: Planes, *, exact: bool) -> list[str]:
    found = []
    for block_number, block in enumerate(estate.blocks):
        for action_number, action in enumerate(block.actions):
            for target_number, target in enumerate(block.targets):
                for number, rights in enumerate(estate.rights):
                    sure, maybe = planes.cell(number, block_number, action_number, target_number)
                    decision = decide(rights, target.request(rights, action), target.guard)
                    said = "sure" if sure else "maybe" if maybe else "no"
                    if said not in _fitting(decision.residual, decision.outcome, exact=exact):
                        found.append(f"{rights.principal.arn} {action} {target.arn}: {said}, not {_words(decision)}")
    return found


def _words(decision: Decision) -> str:
    return f"{decision.outcome.value} if {decision.residual.text}"


def _fitting(residual: Residual, outcome: Outcome, *, exact: bool) -> set[str]:
    constant = {TRUE: "sure", FALSE: "no"}.get(residual, "maybe")
    assert (constant == "sure") == (outcome is Outcome.ALLOWED)
    return {constant} if exact else {constant, "maybe"}


@given(st.integers(0, 10**9))
def test_bulk_is_the_kernel_where_no_condition_excludes_another(seed: int) -> None:
    estate = Estate(seed, apart=True, wild=True)

    planes = decide_all(estate.rights, estate.blocks)

    assert differences(estate, planes, exact=True) == []


@given(st.integers(0, 10**9))
def test_bulk_never_says_more_than_the_kernel(seed: int) -> None:
    estate = Estate(seed, apart=False, wild=True)

    planes = decide_all(estate.rights, estate.blocks)

    assert differences(estate, planes, exact=False) == []
