"""A slow and plain reading of the AWS pages on IAM: one function for each rule, on the JSON itself, and nothing of partywall.

`judge` answers a case with one of four words. Truth has three values: True, False, and None for what cannot be evaluated (an operator
that nobody knows, a malformed part). AND, OR and NOT are Kleene's, so a part that cannot be evaluated matters only where the rest
leaves it open, and "undecidable" means that access itself hangs on it.

A resource with `*` or `?` in the request stands for some resource of that form: an Allow holds where it overlaps, a Deny where it
covers the whole. Pages, by the short names used below (all under docs.aws.amazon.com/IAM/latest/UserGuide unless a service is named):

LOGIC      reference_policies_evaluation-logic.html          BOUNDARY  access_policies_boundaries.html
PRINCIPAL  reference_policies_elements_principal.html        NOT       reference_policies_elements_notprincipal.html
RESOURCE   reference_policies_elements_resource.html         ACTION    reference_policies_elements_action.html
OPERATORS  reference_policies_elements_condition_operators.html
SETS       reference_policies_condition-single-vs-multi-valued-context-keys.html
VALUES     reference_policies_condition-logic-multiple-context-keys-or-values.html
VARIABLES  reference_policies_variables.html                 VERSION   reference_policies_elements_version.html
KEYS       reference_policies_condition-keys.html
SCP, RCP   Organizations: orgs_manage_policies_scps.html, orgs_manage_policies_rcps.html
KMS        KMS: key-policies.html, key-policy-default.html   BPA       S3: access-control-block-public-access.html
"""

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

Json = Mapping[str, Any]
Truth = bool | None
Context = Mapping[str, tuple[str, ...]]

# Wildcards that came out of a variable are characters: they travel as these two until a pattern is built.
STAR, MARK = "\ue000", "\ue001"


# Three-valued logic.


def every(found: Iterable[Truth]) -> Truth:
    answer: Truth = True
    for truth in found:
        if truth is False:
            return False
        if truth is None:
            answer = None
    return answer


def some(found: Iterable[Truth]) -> Truth:
    answer: Truth = False
    for truth in found:
        if truth is True:
            return True
        if truth is None:
            answer = None
    return answer


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


# Who asks.


@dataclass(frozen=True, slots=True)
class Caller:
    """`kind` is one of user, role, session, federated, root, service, provider, anonymous.

    `role` is the ARN of whom a session stands for: its role, or the user who federated.
    """

    kind: str
    arn: str
    account: str = ""
    name: str = ""
    role: str = ""


@lru_cache(maxsize=4096)
def caller(principal: str, given_arn: str, federated_by: str = "") -> Caller:
    """Read the principal of a case; `given_arn` is aws:PrincipalArn where the case gives it (it holds the path of a session's role).

    A federated user's ARN does not say which user federated; `settings.federatedBy` does.
    """
    if principal == "anonymous":
        return Caller("anonymous", "")
    parts = principal.split(":", 5)
    if len(parts) < 6:
        return Caller("service", principal)
    partition, account, rest = parts[1], parts[4], parts[5]
    kind, _, name = rest.partition("/")
    last = name.rsplit("/", 1)[-1]
    match kind:
        case "assumed-role":
            role_name = name.split("/", 1)[0]
            plain = f"arn:{partition}:iam::{account}:role/{role_name}"
            return Caller("session", principal, account, role_name, given_arn if ":role/" in given_arn else plain)
        case "role":
            return Caller("role", principal, account, last, principal)
        case "user":
            return Caller("user", principal, account, last)
        case "federated-user":
            return Caller("federated", principal, account, name, federated_by)
        case "root":
            return Caller("root", principal, account)
        case _:
            return Caller("provider", principal, account)


TYPES = {"user": "User", "role": "AssumedRole", "session": "AssumedRole", "federated": "FederatedUser", "root": "Account"}


def context_of(case: Json) -> dict[str, tuple[str, ...]]:
    """Return the request's keys in lower case, with those that AWS itself always sets (KEYS); a key that is not here is absent."""
    found: dict[str, tuple[str, ...]] = {}
    for key, value in (case.get("context") or {}).items():
        found[key.lower()] = tuple(texts(value) or ())
    who = caller(case["principal"], "".join(found.get("aws:principalarn", ())))
    own: dict[str, str] = {}
    if case.get("resourceAccount"):
        own["aws:resourceaccount"] = case["resourceAccount"]
    if who.kind in TYPES:
        own |= {
            "aws:principalarn": who.arn if who.kind == "federated" else who.role or who.arn,
            "aws:principalaccount": who.account,
            "aws:principaltype": TYPES[who.kind],
        }
    if who.kind == "anonymous":
        own |= {"aws:principalaccount": "anonymous", "aws:principaltype": "Anonymous"}
    if who.kind == "user":
        own["aws:username"] = who.name
    for key, text in own.items():
        found.setdefault(key, (text,))
    settings = case.get("settings") or {}
    if settings.get("bucketAbac") is False and case["action"].lower().startswith("s3:"):
        # S3: buckets-tagging-enable-abac.html. Without it the bucket's tags are in no request.
        found = {key: value for key, value in found.items() if not key.startswith(("aws:resourcetag/", "s3:buckettag/"))}
    return found


def texts(value: Any) -> list[str] | None:
    """Return the values of a JSON text, boolean, number, or list of them as texts; None where it is something else."""
    if isinstance(value, list):
        parts = [texts(one) for one in value if not isinstance(one, list)]
        return None if len(parts) < len(value) or None in parts else [text for part in parts for text in part or ()]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)] if isinstance(value, str | int | float) else None


# Patterns.


@lru_cache(maxsize=65536)
def glob(pattern: str, *, fold: bool = False) -> re.Pattern[str]:
    """`*` is any text and `?` any character, and no other character means anything but itself."""
    return re.compile("".join(sign(one, "") for one in pattern), re.DOTALL | (re.IGNORECASE if fold else 0))


def sign(one: str, but: str) -> str:
    wild = f"[^{but}]" if but else "."
    return {"*": wild + "*", "?": wild, STAR: r"\*", MARK: r"\?"}.get(one) or re.escape(one)


@lru_cache(maxsize=65536)
def arn_glob(pattern: str) -> re.Pattern[str] | None:
    """RESOURCE: a wildcard stays in its segment unless it is the segment's last character; None where no ARN can look so.

    The sixth part is one segment: `*` runs over `/` and `:` there. The service must be named.
    """
    if pattern.strip("*") == "":
        return glob("*")
    parts = pattern.split(":", 5)
    if len(parts) < 3 or parts[0] != "arn" or set("*?") & set(parts[2]):
        return None
    source, colons = [], 0
    for at, one in enumerate(pattern):
        colons += one == ":"
        last = at + 1 == len(pattern) or pattern[at + 1] == ":"
        source.append(sign(one, ":" if colons < 5 and not (one == "*" and last) else ""))
    return re.compile("".join(source), re.DOTALL)


def is_pattern(resource: str) -> bool:
    return "*" in resource or "?" in resource


@lru_cache(maxsize=65536)
def overlap(left: str, right: str) -> bool:
    """Whether some text fits both patterns."""
    if not left or not right:
        return not (left + right).strip("*")
    if left[0] == "*":
        return overlap(left[1:], right) or overlap(left, right[1:])
    if right[0] == "*":
        return overlap(right, left)
    return (left[0] == right[0] or "?" in (left[0], right[0])) and overlap(left[1:], right[1:])


@lru_cache(maxsize=65536)
def covers(wide: str, narrow: str) -> bool:
    """Whether all that fits `narrow` fits `wide` too: its wildcards are read as characters that only a wildcard takes."""
    source = "".join({"*": ".*", "?": "[^*]"}.get(one) or re.escape(one) for one in wide)
    return re.fullmatch(source, narrow, re.DOTALL) is not None


# Policy variables (VARIABLES, VERSION).

VARIABLE = re.compile(r"\$\{([^}]*)\}")
DEFAULT = re.compile(r"\s*([^,']+?)\s*,\s*'([^']*)'\s*", re.DOTALL)
SPECIAL = {"*": STAR, "?": MARK, "$": "$"}


def filled(text: str, context: Context, *, variables: bool) -> str | None:
    """Return a text with its variables replaced, or None where one has no value; before Version 2012-10-17 `${` is text."""
    if not variables or "${" not in text:
        return text
    done, at = [], 0
    for found in VARIABLE.finditer(text):
        value = value_of(found.group(1), context)
        if value is None:
            return None
        done += [text[at : found.start()], value]
        at = found.end()
    return "".join([*done, text[at:]])


def value_of(inside: str, context: Context) -> str | None:
    if inside in SPECIAL:
        return SPECIAL[inside]
    has_default = DEFAULT.fullmatch(inside)
    key = has_default.group(1) if has_default else inside.strip()
    values = context.get(key.lower(), ())
    # SETS: a key with several values is no variable.
    value = values[0] if len(values) == 1 else has_default.group(2) if has_default else None
    return None if value is None else value.replace("*", STAR).replace("?", MARK)


def plain(text: str) -> str:
    return text.replace(STAR, "*").replace(MARK, "?")


# Condition operators (OPERATORS): the comparison of one value of the request with one of the policy.


def number(text: str) -> Decimal | None:
    try:
        return Decimal(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None
    except InvalidOperation:
        return None


W3C = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?")


@lru_cache(maxsize=4096)
def moment(text: str) -> Decimal | None:
    """Return a W3C date or a number of seconds as seconds since 1970, to any fraction."""
    if not W3C.fullmatch(text) or (len(text) == 4 and not "1900" < text < "2200"):
        return number(text)
    fraction = re.search(r"\.\d+", text)
    whole = text.replace(fraction.group(), "") if fraction else text
    try:
        read = datetime.fromisoformat({4: whole + "-01-01", 7: whole + "-01"}.get(len(whole), whole))
    except ValueError:
        return None
    return Decimal(int(read.replace(tzinfo=read.tzinfo or UTC).timestamp())) + Decimal(fraction.group() if fraction else 0)


def truth_word(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


@lru_cache(maxsize=4096)
def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """Return a range; an address alone is a range of one."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def in_network(have: str, want: str) -> Truth:
    address, found = network(have), network(want)
    if address is None or found is None:
        return None
    return address.version == found.version and address.network_address in found


def like_arn(have: str, want: str) -> Truth:
    """Each of the six parts is compared on its own; ArnEquals and ArnLike do the same."""
    wanted, got = want.split(":", 5), have.split(":", 5)
    if len(wanted) < 6 or wanted[0] != "arn":
        return None
    return len(got) == 6 and all(glob(pattern).fullmatch(part) is not None for pattern, part in zip(wanted, got, strict=True))


Comparison = Callable[[str, str], Truth]


def read_both(read: Callable[[str], Any], compare: Callable[[Any, Any], bool]) -> Comparison:
    """Compare two texts as what `read` makes of them; nothing is known where one is no such thing."""

    def comparison(have: str, want: str) -> Truth:
        left, right = read(have), read(plain(want))
        return None if left is None or right is None else compare(left, right)

    return comparison


def equal(left: Any, right: Any) -> bool:
    return bool(left == right)


ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "Equals": equal,
    "LessThan": lambda left, right: bool(left < right),
    "LessThanEquals": lambda left, right: bool(left <= right),
    "GreaterThan": lambda left, right: bool(left > right),
    "GreaterThanEquals": lambda left, right: bool(left >= right),
}
# Operator: its comparison, and whether it is the negation of it. `Null` is the 27th, below.
OPERATORS: Mapping[str, tuple[Comparison, bool]] = {
    "StringEquals": (read_both(str, equal), False),
    "StringNotEquals": (read_both(str, equal), True),
    "StringEqualsIgnoreCase": (read_both(str.lower, equal), False),
    "StringNotEqualsIgnoreCase": (read_both(str.lower, equal), True),
    "StringLike": (lambda have, want: glob(want).fullmatch(have) is not None, False),
    "StringNotLike": (lambda have, want: glob(want).fullmatch(have) is not None, True),
    **{f"Numeric{name}": (read_both(number, order), False) for name, order in ORDERS.items()},
    "NumericNotEquals": (read_both(number, equal), True),
    **{f"Date{name}": (read_both(moment, order), False) for name, order in ORDERS.items()},
    "DateNotEquals": (read_both(moment, equal), True),
    "Bool": (read_both(truth_word, equal), False),
    "BinaryEquals": (read_both(decoded, equal), False),
    "IpAddress": (in_network, False),
    "NotIpAddress": (in_network, True),
    "ArnEquals": (like_arn, False),
    "ArnLike": (like_arn, False),
    "ArnNotEquals": (like_arn, True),
    "ArnNotLike": (like_arn, True),
}


@lru_cache(maxsize=1024)
def operator(name: str) -> tuple[str, str, bool] | None:
    """Return a written operator as set prefix, base and IfExists; None where there is no such operator (Null takes neither)."""
    prefix, colon, rest = name.rpartition(":")
    base = rest.removesuffix("IfExists")
    if (prefix not in ("ForAllValues", "ForAnyValue") if colon else False) or (base != "Null" and base not in OPERATORS):
        return None
    return None if base == "Null" and name != "Null" else (prefix, base, rest != base)


def line_holds(name: str, key: str, wanted: Any, context: Context, *, variables: bool) -> Truth:
    """Whether one line of a Condition holds."""
    found, listed = operator(name), texts(wanted)
    if found is None or listed is None:
        return None
    prefix, base, if_exists = found
    have = context.get(key.lower())
    if base == "Null":
        return some(read_both(truth_word, equal)("false" if have else "true", text) for text in listed)
    compare, negates = OPERATORS[base]
    if not have:
        return absent(prefix, negates, if_exists)
    if prefix and have == ("",):
        # SETS: an empty text is an empty set.
        return prefix == "ForAllValues"
    takes_variables = variables and base.startswith(("String", "Arn"))

    def fits(one: str) -> Truth:
        hit = some(
            False if text is None else compare(one, text) for text in (filled(raw, context, variables=takes_variables) for raw in listed)
        )
        return negated(hit) if negates else hit

    if prefix:
        return (every if prefix == "ForAllValues" else some)(fits(one) for one in have)
    # SETS: a key of several values needs a set operator; nobody says what happens without.
    return fits(have[0]) if len(have) == 1 else None


def absent(prefix: str, negates: bool, if_exists: bool) -> bool:
    """OPERATORS, SETS: what a line says of a key that is not in the request."""
    if if_exists:
        return True
    return prefix == "ForAllValues" if prefix else negates


# Statements.


def listed(statement: Json, positive: str, negative: str) -> tuple[list[str] | None, bool] | None:
    """Return the texts of `Action` or `NotAction` (and so on) and whether it is the Not form; None where both or none are given."""
    if (positive in statement) == (negative in statement):
        return None
    name = positive if positive in statement else negative
    found = statement[name]
    return ([found] if isinstance(found, str) else texts(found) if isinstance(found, list) else None), name == negative


@lru_cache(maxsize=65536)
def names_action(pattern: str, action: str) -> Truth:
    """ACTION: without regard to case; `service:` must be written out. What is behind the colon may be anything, also no action at all."""
    if pattern == "*":
        return True
    service, colon, _ = pattern.partition(":")
    if not colon or not re.fullmatch(r"[A-Za-z0-9-]+", service.strip()):
        return None
    return glob(pattern, fold=True).fullmatch(action) is not None


def action_fits(statement: Json, action: str) -> Truth:
    found = listed(statement, "Action", "NotAction")
    if found is None or found[0] is None:
        return None
    hit = some(names_action(pattern, action) for pattern in found[0])
    return negated(hit) if found[1] else hit


@dataclass(frozen=True, slots=True)
class Request:
    who: Caller
    action: str
    resource: str
    account: str
    context: Context
    wildcard_only: bool
    bounded: bool


def names_resource(pattern: str, request: Request, *, widest: bool) -> Truth:
    """Whether an entry of Resource takes in the request's resource; `widest` asks whether it may, otherwise whether it does for all."""
    if request.wildcard_only:
        # Service authorization reference: an action without resource types takes `*` only.
        return pattern.strip("*") == ""
    ours = arn_glob(pattern)
    if ours is None:
        return None
    if is_pattern(request.resource):
        wide = plain(pattern)
        return overlap(wide, request.resource) if widest else covers(wide, request.resource)
    return ours.fullmatch(request.resource) is not None


def resource_fits(statement: Json, request: Request, *, variables: bool, required: bool) -> Truth:
    """RESOURCE, VARIABLES: an entry whose variable has no value names nothing; variables stand behind the fifth colon only."""
    if not required and "Resource" not in statement and "NotResource" not in statement:
        return True
    found = listed(statement, "Resource", "NotResource")
    if found is None or found[0] is None:
        return None
    entries, is_not = found
    # Some resource of the form is enough for an Allow; NotResource turns the question round.
    widest = (statement.get("Effect") == "Allow") != is_not
    hits: list[Truth] = []
    for entry in entries or ():
        if variables and "${" in ":".join(entry.split(":", 5)[:5]):
            hits.append(None)
            continue
        text = filled(entry, request.context, variables=variables)
        hits.append(False if text is None else names_resource(text, request, widest=widest))
    return negated(some(hits)) if is_not else some(hits)


def conditions_hold(statement: Json, context: Context, *, variables: bool) -> Truth:
    """VALUES: operators and keys are joined by AND."""
    block = statement.get("Condition")
    if block is None:
        return True
    if not isinstance(block, dict) or not all(isinstance(tests, dict) for tests in block.values()):
        return None
    return every(
        line_holds(name, key, wanted, context, variables=variables) for name, tests in block.items() for key, wanted in tests.items()
    )


# Principals. How a statement names the caller decides what may still stop it: directly, by its role, or by its account.

DIRECT, ROLE, ACCOUNT = "direct", "role", "account"
Naming = tuple[Truth, str]
NOBODY: Naming = (False, ACCOUNT)


def named_by(kind: str, text: str, who: Caller) -> Naming:
    """PRINCIPAL: whether one entry names the caller, and how. A `*` inside an ARN and an id of a deleted principal name nobody."""
    if kind == "AWS":
        if text == "*":
            return True, DIRECT
        if who.kind in TYPES and (text == who.account or re.fullmatch(rf"arn:[^:]+:iam::{who.account}:root", text)):
            return True, DIRECT if who.kind == "root" else ACCOUNT
        if who.role and text == who.role:
            return True, ROLE
        return (True, DIRECT) if who.kind in ("user", "session", "federated") and text == who.arn else NOBODY
    if kind == "Service":
        return (True, DIRECT) if who.kind == "service" and text == who.arn else NOBODY
    if kind == "Federated":
        return (True, DIRECT) if who.kind == "provider" and text == who.arn else NOBODY
    # A canonical user id stands for an account, and nothing in a case says which one.
    return None, DIRECT


def strongest(found: Sequence[Naming]) -> Naming:
    for naming in (DIRECT, ROLE, ACCOUNT):
        if (True, naming) in found:
            return True, naming
    return next((one for one in found if one[0] is None), NOBODY)


def principal_named(written: Any, who: Caller) -> Naming:
    if written == "*":
        return True, DIRECT
    if not isinstance(written, dict):
        return None, DIRECT
    found: list[Naming] = []
    for kind, values in written.items():
        entries = texts(values)
        found += [(None, DIRECT)] if entries is None else [named_by(kind, text, who) for text in entries]
    return strongest(found)


def principal_fits(statement: Json, request: Request, *, required: bool) -> Naming:
    """PRINCIPAL, NOT: a resource's statement without a principal reaches nobody; NotPrincipal denies whoever has a boundary."""
    if "NotPrincipal" in statement:
        if "Principal" in statement:
            return None, DIRECT
        if statement.get("Effect") == "Deny" and request.bounded:
            return True, DIRECT
        named, how = principal_named(statement["NotPrincipal"], request.who)
        # NOT: "all principals except the user Bob" lists Bob and his account's root; the account is there for his sake only.
        return (True if named and how == ACCOUNT and lists_own(statement["NotPrincipal"], request.who) else negated(named)), DIRECT
    if "Principal" not in statement:
        return not required, DIRECT
    return principal_named(statement["Principal"], request.who)


def lists_own(written: Any, who: Caller) -> bool:
    """Whether a list holds principals of the caller's account beside the account itself."""
    entries = texts(written.get("AWS")) if isinstance(written, dict) else None
    return any(f"::{who.account}:" in text and not text.endswith(":root") for text in entries or ())


# Policies.


@dataclass(frozen=True, slots=True)
class Votes:
    """What a set of documents says: `deny`, and `allow` for each way in which a statement may name the caller."""

    deny: Truth
    direct: Truth
    role: Truth
    account: Truth

    @property
    def allow(self) -> Truth:
        return some((self.direct, self.role, self.account))


def statements(document: Any) -> tuple[list[Any], bool] | None:
    """Return the statements of a document and whether its variables are variables; None where it is no policy."""
    if not isinstance(document, dict) or "Statement" not in document:
        return None
    version = document.get("Version", "2008-10-17")
    if version not in ("2008-10-17", "2012-10-17"):
        return None
    found = document["Statement"]
    return (found if isinstance(found, list) else [found]), version == "2012-10-17"


def own_naming(statement: Json) -> Naming:
    """PRINCIPAL: a policy of an identity, a boundary, a session or an organization (but for RCPs) has no principal."""
    return (None if {"Principal", "NotPrincipal"} & set(statement) else True), DIRECT


def statement_fits(statement: Any, request: Request, kind: str, *, variables: bool) -> Naming:
    if not isinstance(statement, dict):
        return None, DIRECT
    fits = action_fits(statement, request.action)
    if fits is False:
        return NOBODY
    naming = own_naming(statement) if kind == "own" else principal_fits(statement, request, required=kind == "resource")
    if naming[0] is False:
        return NOBODY
    reaches = resource_fits(statement, request, variables=variables, required=kind != "resource")
    if reaches is False:
        return NOBODY
    return every((fits, naming[0], reaches, conditions_hold(statement, request.context, variables=variables))), naming[1]


def votes(documents: Sequence[Any], request: Request, kind: str) -> Votes:
    """Read documents that are `own` (no principal), of an `endpoint` (principal or everybody), or of a `resource` (principal)."""
    deny: Truth = False
    allow: dict[str, Truth] = {DIRECT: False, ROLE: False, ACCOUNT: False}
    for document in documents:
        found = statements(document)
        if found is None:
            deny, allow[DIRECT] = some((deny, None)), some((allow[DIRECT], None))
            continue
        for statement in found[0]:
            truth, naming = statement_fits(statement, request, kind, variables=found[1])
            effect = statement.get("Effect") if isinstance(statement, dict) else None
            if truth is not False and effect not in ("Allow", "Deny"):
                truth = None
            if truth is not False and effect != "Allow":
                deny = some((deny, truth))
            if truth is not False and effect != "Deny":
                allow[naming] = some((allow[naming], truth))
    return Votes(deny, allow[DIRECT], allow[ROLE], allow[ACCOUNT])


EVERYTHING, NOTHING = Votes(False, True, False, False), Votes(False, False, False, False)


def ceiling(documents: Sequence[Any] | None, request: Request, kind: str = "own") -> Votes:
    """Read documents that limit; none at all is no limit."""
    return votes(documents, request, kind) if documents else EVERYTHING


def levels(found: Sequence[Sequence[Any]] | None, request: Request) -> Votes:
    """SCP: every level from the root to the account must allow; a level without a document allows nothing."""
    read = [votes(documents, request, "own") for documents in found or ()]
    return Votes(some(one.deny for one in read), every(one.direct for one in read), False, False)


# Rules of services.

ALWAYS_ALLOWED = "sts:getcalleridentity"
# RCP: list of AWS services that support RCPs.
RCP_SERVICES = frozenset(
    {"s3", "sts", "kms", "sqs", "secretsmanager", "ecr", "aoss", "dynamodb", "logs", "cognito-idp", "cognito-identity"}
)
TRUST_ACTIONS = frozenset(
    {"sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity", "sts:tagsession", "sts:setsourceidentity"}
)
# Actions of IAM that change a role, a role of AWS's, a managed policy.
ROLE_CHANGES = re.compile(
    r"iam:((attach|delete|detach|put)rolepolicy|(create|delete|update)role|(delete|put)rolepermissionsboundary|updateassumerolepolicy)"
)
RESERVED_CHANGES = re.compile(ROLE_CHANGES.pattern + r"|iam:((create|delete)servicelinkedrole|passrole|(un)?tagrole|updateroledescription)")
MANAGED_POLICY_CHANGES = re.compile(r"iam:((create|delete)policy(version)?|setdefaultpolicyversion|(un)?tagpolicy)")
ALIAS_CHANGES = frozenset({"kms:createalias", "kms:updatealias", "kms:deletealias"})


def impossible(request: Request) -> bool:
    """Whether the service refuses this whatever policies say: roles of Identity Center and of services, AWS's own policies and aliases."""
    action, resource = request.action, request.resource
    if RESERVED_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::\d+:role/aws-reserved/.*", resource):
        return True
    if ROLE_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::\d+:role/aws-service-role/.*", resource):
        return True
    if MANAGED_POLICY_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::aws:policy/.*", resource):
        return True
    if action in ALIAS_CHANGES and re.fullmatch(r"arn:[^:]+:kms:[^:]*:[^:]*:alias/aws/.*", resource):
        return True
    # id_roles_use_passrole.html: a role is passed within its account.
    return action == "iam:passrole" and request.account != request.who.account


def sole_root(request: Request) -> bool:
    """KMS, and roles' trust: identity policies alone reach nothing here, the resource's own policy must let them."""
    if request.action in TRUST_ACTIONS:
        return ":role/" in request.resource or is_pattern(request.resource)
    return request.action.startswith("kms:") and not request.wildcard_only and ":alias/" not in request.resource


def linked_to_service(who: Caller) -> bool:
    """SCP, RCP: neither limits service-linked roles. A session's ARN has no path, so its reserved name must do."""
    return ":role/aws-service-role/" in who.role or who.name.startswith("AWSServiceRoleFor")


# BPA: keys that, with a fixed value, keep a grant to everybody from being public.
FIXING_KEYS = re.compile(
    r"aws:(source(ip|arn|vpc|vpce|owner|account)|userid|principal(orgid|orgpaths|arn|account))"
    r"|s3:(dataaccesspoint(arn|account)|x-amz-server-side-encryption-aws-kms-key-id)"
)


def fixed(name: str, values: Any) -> bool:
    found = operator(name)
    if found is None or found[2] or found[0] == "ForAllValues" or found[1] == "Null" or OPERATORS[found[1]][1]:
        return False
    return not any(sign in text for text in texts(values) or ["*"] for sign in ("*", "?", "${")) and not {"0.0.0.0/0", "::/0"} & set(
        texts(values) or ()
    )


def is_public(document: Any) -> bool:
    """BPA, "The meaning of public": an Allow to everybody that no fixed value of a listed key narrows."""
    for statement in (statements(document) or ([], False))[0]:
        if not isinstance(statement, dict) or statement.get("Effect") != "Allow":
            continue
        who = statement.get("Principal")
        everybody = "NotPrincipal" in statement or who == "*" or (isinstance(who, dict) and "*" in (texts(who.get("AWS")) or ()))
        tests = [(name, key, values) for name, keys in (statement.get("Condition") or {}).items() for key, values in keys.items()]
        if everybody and not any(FIXING_KEYS.fullmatch(key.lower()) and fixed(name, values) for name, key, values in tests):
            return True
    return False


def shut_by_block(case: Json, request: Request) -> bool:
    """BPA, RestrictPublicBuckets: a bucket with a public policy refuses who is outside its account, but for services of AWS."""
    if not (case.get("settings") or {}).get("blockPublicAccess") or not request.action.startswith("s3:"):
        return False
    return request.who.kind != "service" and request.who.account != request.account and is_public(case.get("resourcePolicy"))


ACL_ACTIONS: Mapping[str, frozenset[str]] = {
    "READ": frozenset({"s3:listbucket", "s3:listbucketversions", "s3:listbucketmultipartuploads", "s3:getobject", "s3:getobjectversion"}),
    "WRITE": frozenset({"s3:putobject", "s3:deleteobject"}),
    "READ_ACP": frozenset({"s3:getbucketacl", "s3:getobjectacl"}),
    "WRITE_ACP": frozenset({"s3:putbucketacl", "s3:putobjectacl"}),
}


def acl_names(grantee: str, who: Caller, settings: Json) -> Naming:
    if grantee in ("everyone", "authenticated"):
        # IgnorePublicAcls comes with Block Public Access.
        shut = settings.get("blockPublicAccess") or (grantee == "authenticated" and who.kind == "anonymous")
        return NOBODY if shut else (True, DIRECT)
    return (True, ACCOUNT) if grantee == who.account and who.kind in TYPES else NOBODY


def acl_votes(case: Json, request: Request) -> Votes:
    """S3: acl-overview.html. `settings.acl` lists {"grantee": account or everyone or authenticated, "permission": ...}."""
    settings = case.get("settings") or {}
    if settings.get("objectOwnership") == "BucketOwnerEnforced" or not request.action.startswith("s3:"):
        return NOTHING
    found = [
        acl_names(grant["grantee"], request.who, settings)
        for grant in settings.get("acl") or ()
        if request.action in ACL_ACTIONS.get(grant["permission"], frozenset().union(*ACL_ACTIONS.values()))
    ]
    return Votes(False, (True, DIRECT) in found, False, (True, ACCOUNT) in found)


# The decision (LOGIC, BOUNDARY).


def request_of(case: Json) -> Request:
    context = context_of(case)
    who = caller(case["principal"], "".join(context.get("aws:principalarn", ())), (case.get("settings") or {}).get("federatedBy", ""))
    account = case.get("resourceAccount") or who.account
    # AWS's own policies are in every account.
    return Request(
        who,
        case["action"].lower(),
        case["resource"],
        who.account if account == "aws" else account,
        context,
        bool(case.get("wildcardOnly")),
        bool(case.get("boundary")),
    )


def granted(request: Request, own: Votes, boundary: Votes, session: Votes, resource: Votes) -> Truth:
    """Whether something grants, below the limits of the organization and the endpoint."""
    capped = (boundary.allow, session.allow)
    if request.who.kind in ("service", "anonymous", "provider"):
        return resource.direct
    by_identity = every((own.allow, *capped))
    if request.who.account != request.account:
        return every((by_identity, resource.allow))
    # A grant to the session, the user or everybody is the caller's own; one to the role ends where boundary and session policy end.
    by_resource = some((resource.direct, every((resource.role, *capped))))
    if sole_root(request):
        return some((by_resource, every((by_identity, resource.allow))))
    return some((by_identity, by_resource))


def judge(case: Json) -> str:
    """Answer "allowed", "explicit" (a Deny), "implicit" (nothing allows), or "undecidable" (access hangs on what cannot be evaluated)."""
    request = request_of(case)
    who, settings = request.who, case.get("settings") or {}
    if request.action == ALWAYS_ALLOWED and who.kind not in ("anonymous", "provider"):
        return "allowed"
    has_identity = who.kind in ("user", "role", "session", "federated")
    own = votes(case.get("identity") or (), request, "own") if has_identity else EVERYTHING if who.kind == "root" else NOTHING
    boundary = ceiling(case.get("boundary"), request) if has_identity else EVERYTHING
    session = ceiling(case.get("session"), request) if has_identity else EVERYTHING
    endpoint = ceiling(case.get("endpoint"), request, "endpoint")
    resource = votes([case["resourcePolicy"]] if case.get("resourcePolicy") is not None else (), request, "resource")
    acl = acl_votes(case, request)
    resource = Votes(resource.deny, some((resource.direct, acl.direct)), resource.role, some((resource.account, acl.account)))

    management = settings.get("managementAccount")
    under_scp = who.kind in TYPES and who.account != management and not linked_to_service(who)
    scp = levels(case.get("serviceControl"), request) if under_scp else EVERYTHING
    # RCP: RCPFullAWSAccess cannot be detached, so only a Deny counts.
    under_rcp = request.account != management and not linked_to_service(who) and request.action.split(":")[0] in RCP_SERVICES
    rcp_documents = [document for level in case.get("resourceControl") or () for document in level]
    rcp_deny = votes(rcp_documents, request, "resource").deny if under_rcp else False

    denied = some((own.deny, boundary.deny, session.deny, endpoint.deny, resource.deny, scp.deny, rcp_deny))
    if denied is True:
        return "explicit"
    allowed = False if impossible(request) else every((granted(request, own, boundary, session, resource), scp.allow, endpoint.allow))
    if allowed is False:
        return "implicit"
    if shut_by_block(case, request):
        return "explicit"
    return "allowed" if allowed and denied is False else "undecidable"
