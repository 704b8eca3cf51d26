"""Random IAM cases in the case format of `tests/judges/iam.py`, from one grammar for `random.Random` and for Hypothesis.

Small vocabularies, so that names, tags and patterns collide; documents lean towards the request, so that every answer is common.
`odd` adds what a policy may hold though AWS would not save it (unknown operators, malformed parts), requests for a pattern of
resources, and web identities; without it every document is one that AWS takes.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from tests.properties.iam_vocabulary import (
    ACTION_PATTERNS,
    ASKED,
    CALLERS,
    FEDERATED,
    HERE,
    KEYS,
    MANAGEMENT,
    OWN_KEYS,
    PROVIDER,
    RARE_CALLERS,
    RESOURCE_PATTERNS,
    ROLE_ARNS,
    SERVICES,
    SESSIONS,
    SET_KEYS,
    STRINGS,
    THERE,
    USERS,
    WITHOUT_RESOURCE,
)

Json = dict[str, Any]
T = TypeVar("T")


class Pick(Protocol):
    """Where a case's choices come from."""

    def one(self, among: Sequence[T]) -> T: ...

    def chance(self, percent: int) -> bool: ...


class RandomPick:
    """Choices of a seeded pseudo-random generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def one(self, among: Sequence[T]) -> T:
        return among[int(self.random() * len(among))]

    def chance(self, percent: int) -> bool:
        return self.random() * 100 < percent


class DrawnPick:
    """Choices that Hypothesis makes, so that it can shrink them: the first of each list and "no" are the simplest."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one(self, among: Sequence[T]) -> T:
        return self.draw(st.sampled_from(among))

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent


class Grammar:
    """The parts of one case, around one request."""

    def __init__(self, pick: Pick, *, odd: bool) -> None:
        self.pick, self.one, self.chance, self.odd = pick, pick.one, pick.chance, odd
        self.caller = self.one(RARE_CALLERS) if self.chance(4) else PROVIDER if odd and self.chance(2) else self.one(CALLERS)
        self.account = HERE if self.chance(65) else THERE
        self.wildcard_only = self.chance(6)
        if self.wildcard_only:
            self.action, self.resource, self.account = self.one(WITHOUT_RESOURCE), "*", HERE
        else:
            self.action, resources = self.one(ASKED)
            self.resource = self.one(resources).replace("{a}", self.account)
            if odd and self.chance(4) and self.action.startswith("s3:") and "/" in self.resource:
                self.resource = self.resource.rsplit("/", 1)[0] + "/*"

    def listed(self, make: Callable[[], str]) -> str | list[str]:
        """Return one value as JSON may hold it, or two."""
        if self.chance(30):
            return [make(), make()]
        return make() if self.chance(50) else [make()]

    def action_pattern(self) -> str:
        if self.chance(55):
            return self.one((self.action, self.action, self.action.swapcase(), self.action.split(":")[0] + ":*"))
        return self.one(("s3*", "*:Get*", "s3:GetObject,PutObject")) if self.odd and self.chance(2) else self.one(ACTION_PATTERNS)

    def resource_pattern(self) -> str:
        if self.chance(50):
            near = (self.resource, "*", self.resource[:-2] + "*", self.resource[:-1] + "?")
            return self.one(near) if not self.wildcard_only else "*"
        if self.odd and self.chance(4):
            return self.one(
                (
                    "arn:aws:s*:::lake",
                    "lake",
                    "arn:aws:sqs:*:jobs",
                    "arn:aws:sqs:us-east-1:*",
                    "arn:aws:s3:*:lake",
                    "arn:aws:kms:${x}:*:key/k1",
                )
            )
        return self.one(RESOURCE_PATTERNS).replace("{a}", self.account)

    def condition(self) -> Json:
        block: Json = {}
        for _ in range(self.one((1, 1, 1, 2))):
            name, key, values = self.test()
            block.setdefault(name, {})[key] = values
        return block

    def test(self) -> tuple[str, str, Any]:
        if self.chance(8):
            return "Null", self.one(KEYS)[0], self.one(("true", "false"))
        if self.odd and self.chance(2):
            return self.one(("StringMatches", "NullIfExists", "ForSomeValue:StringEquals")), "aws:SourceVpc", "vpc-1"
        if self.chance(15):
            key, _, tests = self.one(SET_KEYS)
            return (
                self.one(("ForAllValues:", "ForAnyValue:")) + self.one(STRINGS) + self.if_exists(),
                key,
                self.listed(lambda: self.one(tests)),
            )
        if self.chance(20):
            key, operators, tests = self.one(OWN_KEYS)
            return self.one(operators) + self.if_exists(), key, self.listed(lambda: self.one(tests))
        key, operators, _, tests = self.one(KEYS)
        prefix = self.one(("ForAllValues:", "ForAnyValue:")) if self.chance(5) else ""
        return prefix + self.one(operators) + self.if_exists(), key, self.listed(lambda: self.one(tests))

    def if_exists(self) -> str:
        return "IfExists" if self.chance(15) else ""

    def principal(self) -> Any:
        role = SESSIONS.get(self.caller, ROLE_ARNS[0])
        near: tuple[Any, ...] = (
            {"AWS": self.caller},
            {"AWS": role},
            {"AWS": f"arn:aws:iam::{HERE}:root"},
            {"AWS": HERE},
            "*",
            {"AWS": "*"},
        )
        if self.caller in SERVICES and self.chance(50):
            return {"Service": [self.caller]}
        if self.caller == PROVIDER and self.chance(50):
            return {"Federated": self.caller}
        if self.chance(65):
            found = self.one(near)
            return found if found != {"AWS": self.caller} or self.caller.startswith("arn:") else "*"
        return self.one(
            (
                {"AWS": [*ROLE_ARNS]},
                {"AWS": f"arn:aws:iam::{THERE}:root"},
                {"AWS": [USERS[0], f"arn:aws:iam::{HERE}:root"]},
                {"Service": SERVICES[0]},
                {"AWS": list(SESSIONS), "Service": SERVICES[1]},
                {"AWS": "AROAEXAMPLEEXAMPLE01"},
            )
        )

    def statement(self, *, with_principal: bool, effects: Sequence[str], with_resource: bool = True) -> Json:
        made: Json = {"Effect": self.one(effects)}
        made["NotAction" if self.chance(8) else "Action"] = self.listed(self.action_pattern)
        if with_resource:
            made["NotResource" if self.chance(8) else "Resource"] = self.listed(self.resource_pattern)
        if with_principal:
            made["NotPrincipal" if made["Effect"] == "Deny" and self.chance(8) else "Principal"] = self.principal()
        if self.chance(60 if made["Effect"] == "Deny" else 35):
            made["Condition"] = self.condition()
        return self.twisted(made) if self.odd and self.chance(1) else made

    def twisted(self, statement: Json) -> Json:
        """Return a statement with one part that no policy may have."""
        part, value = self.one((("Effect", "Permit"), ("NotAction", "*"), ("Action", 7), ("Condition", []), ("Resource", {})))
        return {**statement, part: value}

    def document(
        self, *, with_principal: bool = False, effects: Sequence[str] = ("Allow", "Allow", "Allow", "Deny"), most: int = 2
    ) -> Json:
        with_resource = not (with_principal and self.action.startswith("sts:") and not self.wildcard_only)
        made = [
            self.statement(with_principal=with_principal, effects=effects, with_resource=with_resource)
            for _ in range(self.one(range(1, most + 1)))
        ]
        version = self.one(("2012-10-17",) * 12 + ("2008-10-17", ""))
        return {**({"Version": version} if version else {}), "Statement": made[0] if len(made) == 1 and self.chance(10) else made}

    def wide(self) -> Json:
        """Return a document of a ceiling, which mostly lets all through but for a Deny."""
        made = self.document()
        if self.chance(60):
            found = made["Statement"] if isinstance(made["Statement"], list) else [made["Statement"]]
            made["Statement"] = [{"Effect": "Allow", "Action": "*", "Resource": "*"}, *found]
        return made

    def context(self) -> Json:
        found: Json = {}
        for key, _, values, _ in KEYS:
            if self.chance(55):
                found[key] = self.one(values)
        for key, sets, _ in SET_KEYS:
            if self.chance(45):
                found[key] = list(self.one(sets))
        if self.caller in SESSIONS:
            found["aws:PrincipalArn"] = SESSIONS[self.caller]
        return found

    def case(self) -> Json:
        one, chance = self.one, self.chance
        made: Json = {"name": "random", "page": "", "principal": self.caller, "action": self.action, "resource": self.resource}
        made |= {"resourceAccount": self.account, "context": self.context()}
        human = self.caller not in ("anonymous", *SERVICES, PROVIDER)
        made["identity"] = [self.document(most=3) for _ in range(one((0, 1, 1, 2)))] if human else []
        if self.wildcard_only:
            made["wildcardOnly"] = True
        elif self.action.startswith(("kms:", "sts:")) or chance(85 if self.account != HERE or not human else 45):
            made["resourcePolicy"] = self.document(with_principal=True)
        if human and chance(20):
            made["boundary"] = [self.wide()]
        if (self.caller in SESSIONS or self.caller == FEDERATED) and chance(30):
            made["session"] = [self.wide()]
        if human and chance(20):
            made["serviceControl"] = [[] if chance(4) else [self.wide()] for _ in range(one((1, 2)))]
        if chance(15) and not self.wildcard_only:
            made["resourceControl"] = [[self.resource_control()] for _ in range(one((1, 2)))]
        if chance(8):
            made["endpoint"] = [self.endpoint()]
        settings: Json = {}
        if self.action.startswith("s3:") and chance(10):
            settings["blockPublicAccess"] = chance(70)
        if self.odd and chance(3):
            settings["managementAccount"] = one((HERE, MANAGEMENT))
        return made | ({"settings": settings} if settings else {})

    def endpoint(self) -> Json:
        """Return a policy of a VPC endpoint; its principal is everybody."""
        made = self.wide()
        found = made["Statement"] if isinstance(made["Statement"], list) else [made["Statement"]]
        return {**made, "Statement": [{**statement, "Principal": "*"} for statement in found]}

    def resource_control(self) -> Json:
        """Return a resource control policy: Deny only, to everybody, and a service before every action."""
        service = self.action.split(":")[0]
        actions = one_or_more(self, (f"{service}:*", self.action, "s3:Get*", "sts:*", "kms:Decrypt"))
        made: Json = {"Effect": "Deny", "Principal": "*", "Action": actions, "Resource": "*", "Condition": self.condition()}
        return {"Version": "2012-10-17", "Statement": [made]}


def one_or_more(grammar: Grammar, among: Sequence[str]) -> str | list[str]:
    return grammar.listed(lambda: grammar.one(among))


def random_case(seed: int, *, odd: bool = True) -> Json:
    """Return the case of a seed; the same seed gives the same case on every machine."""
    made = Grammar(RandomPick(seed), odd=odd).case()
    made["name"] = f"random {seed}"
    return made


@st.composite
def cases(draw: st.DrawFn, *, odd: bool = True) -> Json:
    """Draw cases for Hypothesis, from the same grammar."""
    return Grammar(DrawnPick(draw), odd=odd).case()
