"""The product's decision on cases of the shared format (see `tests/judges/iam.py`), and on cases some of whose keys are not known."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from partywall.model.atom import Control
from partywall.model.evidence import Evidence, Json
from partywall.model.facts_data import ResourcePolicy, Store
from partywall.model.facts_iam import Holder, HolderKind, InlinePolicy, Principal
from partywall.parse.policy import policy
from partywall.resolve.iam.context import Context, Open, Value
from partywall.resolve.iam.decide import Decision, Outcome, decide
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import node_of
from partywall.resolve.iam.principals import Caller, CallerKind
from partywall.resolve.iam.public import shut_out
from partywall.resolve.iam.rights import Ceiling, Guard, Layer, Rights
from partywall.resolve.iam.services import sole_policy
from partywall.resolve.iam.statements import Request
from tests.vectors.published_iam import Open as OpenCase

AT = Evidence("case.json", "")
WORDS = {
    Outcome.ALLOWED: "allowed",
    Outcome.CONDITIONAL: "conditional",
    Outcome.EXPLICIT: "explicit",
    Outcome.IMPLICIT: "implicit",
    Outcome.UNDECIDABLE: "undecidable",
}
_TYPES = {
    CallerKind.USER: "User",
    CallerKind.ROLE: "AssumedRole",
    CallerKind.FEDERATED_USER: "FederatedUser",
    CallerKind.ROOT: "Account",
    CallerKind.ANONYMOUS: "Anonymous",
}
_ACL = {
    "READ": ("s3:ListBucket", "s3:GetObject", "s3:GetObjectVersion"),
    "WRITE": ("s3:PutObject", "s3:DeleteObject"),
    "READ_ACP": ("s3:GetBucketAcl", "s3:GetObjectAcl"),
    "WRITE_ACP": ("s3:PutBucketAcl", "s3:PutObjectAcl"),
}


def engine(case: Mapping[str, Any]) -> str:
    """Answer a case all of whose keys are known, in the judge's words."""
    return WORDS[decision(case).outcome]


def answer_open(question: OpenCase) -> str:
    """Answer a case with open keys: allowed, conditional or denied."""
    found = decision(question.case, known=question.known, present=question.present)
    return "denied" if not found.may_be_allowed else "allowed" if found.outcome is Outcome.ALLOWED else "conditional"


def decision(
    case: Mapping[str, Any], known: Sequence[str] | None = None, present: Sequence[str] = (), opened: Iterable[str] = ()
) -> Decision:
    """Decide a case. Without `known` every key that is not given is absent; else those that `known` does not name are open.

    `opened` are further keys, in lower case, of which nothing is known.
    """
    return decide(*question(case, known, present, opened))


def question(
    case: Mapping[str, Any], known: Sequence[str] | None = None, present: Sequence[str] = (), opened: Iterable[str] = ()
) -> tuple[Rights, Request, Guard]:
    """Return what `decide` takes for a case."""
    caller, arn = caller_of(case)
    context = context_of(case, caller, arn, known, present)
    context = context.with_keys(dict.fromkeys(opened, Open(Control.UNKNOWN))) if opened else context
    rights = rights_of(case, caller, arn, context)
    request = Request(str(case["action"]).lower(), case["resource"], rights.context, wildcard_only=bool(case.get("wildcardOnly")))
    return rights, request, guard_of(case, rights, request)


def caller_of(case: Mapping[str, Any]) -> tuple[Caller, str]:
    """Return the caller, and the ARN that aws:PrincipalArn has."""
    name = case["principal"]
    if name == "anonymous":
        return Caller(CallerKind.ANONYMOUS, ""), ""
    parts = name.split(":", 5)
    if len(parts) < 6:
        return Caller(CallerKind.SERVICE, name), ""
    account, (kind, _, rest) = parts[4], parts[5].partition("/")
    bounded = bool(case.get("boundary"))
    given = next((value for key, value in (case.get("context") or {}).items() if key.lower() == "aws:principalarn"), "")
    match kind:
        case "assumed-role":
            role, _, session = rest.partition("/")
            arn = given if ":role/" in given else f"arn:{parts[1]}:iam::{account}:role/{role}"
            return Caller(CallerKind.ROLE, arn, account, role, session, bounded), arn
        case "role":
            # The role itself: no session of it, whose name a policy could ask for.
            return Caller(CallerKind.ROLE, name, account, rest.rsplit("/", 1)[-1], "(none)", bounded), name
        case "user":
            return Caller(CallerKind.USER, name, account, rest.rsplit("/", 1)[-1], bounded=bounded), name
        case "federated-user":
            return Caller(CallerKind.FEDERATED_USER, name, account, rest, bounded=bounded), name
        case "root":
            return Caller(CallerKind.ROOT, name, account), name
        case _:
            return Caller(CallerKind.PROVIDER, name, account), ""


class _Keys(dict[str, Value]):
    """Known keys, and patterns of keys that are absent where they are not given; all others are open."""

    def __init__(self, given: Mapping[str, Value], known: Sequence[str]) -> None:
        super().__init__(given)
        self.patterns = [re.compile(name[1:-1] if name[:1] == "/" else re.escape(name), re.IGNORECASE) for name in known]

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Value:
        return () if any(pattern.fullmatch(key) for pattern in self.patterns) else Open(Control.UNKNOWN)


def context_of(
    case: Mapping[str, Any], caller: Caller, arn: str, known: Sequence[str] | None = None, present: Sequence[str] = ()
) -> Context:
    given: dict[str, Value] = {key.lower(): texts(value) for key, value in (case.get("context") or {}).items()}
    if known is not None:
        given = {key: value for key, value in given.items() if _is_known(key, known)}
    own: dict[str, Value] = {"aws:resourceaccount": (case["resourceAccount"],)} if case.get("resourceAccount") else {}
    if arn:
        own |= {"aws:principalarn": (arn,), "aws:principalaccount": (caller.account,)}
    if caller.kind in _TYPES:
        own["aws:principaltype"] = (_TYPES[caller.kind],)
    if caller.kind is CallerKind.ANONYMOUS:
        own["aws:principalaccount"] = ("anonymous",)
    if caller.kind is CallerKind.USER:
        own["aws:username"] = (caller.name,)
    if known is not None:
        own = {key: value for key, value in own.items() if _is_known(key, known)}
    keys = {**own, **given, **{key.lower(): Open(Control.UNKNOWN, always=True) for key in present}}
    if (case.get("settings") or {}).get("bucketAbac") is False and str(case["action"]).lower().startswith("s3:"):
        keys = {key: value for key, value in keys.items() if not key.startswith(("aws:resourcetag/", "s3:buckettag/"))}
    return Context(keys, closed=True) if known is None else Context(_Keys(keys, known))


def _is_known(key: str, known: Sequence[str]) -> bool:
    return any(re.fullmatch(name[1:-1] if name[:1] == "/" else re.escape(name), key, re.IGNORECASE) for name in known)


def texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(text for one in value for text in texts(one))
    return ("true" if value else "false",) if isinstance(value, bool) else (str(value),)


@dataclass(frozen=True, slots=True)
class _Of:
    """What a case's documents hang on."""

    holder: Holder = field(default_factory=lambda: Holder(HolderKind.ROLE, "", "case"))

    def grants(self, documents: Any) -> tuple[Grant, ...]:
        made = (InlinePolicy(self.holder, policy("p", document, AT), AT) for document in documents or ())
        return tuple(Grant(statement, found) for found in made for statement in found.policy.statements)


def rights_of(case: Mapping[str, Any], caller: Caller, arn: str, context: Context) -> Rights:
    of = _Of()
    kind = HolderKind.USER if caller.kind is CallerKind.USER else HolderKind.ROLE
    principal = Principal(Holder(kind, caller.account, caller.name), arn or caller.arn, AT, boundary="b" if caller.bounded else None)
    settings = case.get("settings") or {}
    exempt = caller.account == settings.get("managementAccount") or _is_linked(caller, arn)
    under = caller.kind not in (CallerKind.SERVICE, CallerKind.ANONYMOUS, CallerKind.PROVIDER) and not exempt
    own = of.grants([_EVERYTHING]) if caller.kind is CallerKind.ROOT else of.grants(case.get("identity"))
    limits = {} if caller.kind is CallerKind.ROOT else case
    return Rights(
        principal,
        node_of(principal),
        context,
        own,
        Ceiling("boundary", of.grants(limits["boundary"])) if limits.get("boundary") else None,
        tuple(_levels(case.get("serviceControl"), Layer.SERVICE_CONTROL)) if under else (),
        Ceiling("session", of.grants(limits["session"]), Layer.SESSION) if limits.get("session") else None,
        called_by=caller,
    )


_EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}


def _is_linked(caller: Caller, arn: str) -> bool:
    return ":role/aws-service-role/" in arn or caller.name.startswith("AWSServiceRoleFor")


def _levels(found: Any, layer: Layer) -> Iterator[Ceiling]:
    for number, documents in enumerate(found or ()):
        yield Ceiling(f"level {number}", _Of().grants(documents), layer)


def guard_of(case: Mapping[str, Any], rights: Rights, request: Request) -> Guard:
    settings = case.get("settings") or {}
    account = case.get("resourceAccount") or rights.account
    account = rights.account if account == "aws" else account
    found = case.get("resourcePolicy")
    held = ResourcePolicy(Store.S3, "x", account, policy("r", found, AT), AT) if found is not None else None
    grants = tuple(Grant(statement, held) for statement in held.policy.statements) if held else ()
    shut = settings.get("blockPublicAccess") and request.action.startswith("s3:") and shut_out(grants, rights.caller, account)
    grants += tuple(_acl(settings, rights.caller, request)) if settings.get("objectOwnership") != "BucketOwnerEnforced" else ()
    ceilings = [Ceiling("endpoint", _Of().grants(case["endpoint"]), Layer.ENDPOINT)] if case.get("endpoint") else []
    if account != settings.get("managementAccount") and not _is_linked(rights.caller, rights.principal.arn):
        for level in _levels(case.get("resourceControl"), Layer.RESOURCE_CONTROL):
            # RCPFullAWSAccess cannot be detached: only what they deny limits.
            ceilings += [Ceiling(level.name, level.grants, level.layer, one_sided=True)]
    return Guard(account, grants, sole_policy(request), tuple(ceilings), "Block Public Access keeps it out" if shut else "")


def _acl(settings: Mapping[str, Any], caller: Caller, request: Request) -> Iterator[Grant]:
    for grant in settings.get("acl") or ():
        whole = {"everyone", "authenticated"}
        if grant["grantee"] in whole and settings.get("blockPublicAccess"):
            continue
        if grant["grantee"] == "authenticated" and caller.kind is CallerKind.ANONYMOUS:
            continue
        actions = _ACL.get(grant["permission"]) or tuple(action for found in _ACL.values() for action in found)
        who = "*" if grant["grantee"] in whole else {"AWS": grant["grantee"]}
        document: Json = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": list(actions), "Principal": who}]}
        held = ResourcePolicy(Store.S3, "acl", "", policy("acl", document, AT), AT)
        yield from (Grant(statement, held) for statement in held.policy.statements)
