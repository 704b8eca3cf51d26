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

from tests.judges.iam_services import ALWAYS_ALLOWED, acl_votes, impossible, linked_to_service, shut_by_block, sole_root, takes_rcp
from tests.judges.iam_statements import EVERYTHING, NOTHING, Votes, ceiling, levels, votes
from tests.judges.iam_words import TYPES, Json, Request, Truth, caller, context_of, every, some


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
        bool(case.get("boundary")) and who.kind in ("user", "role", "session", "federated"),
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
    under_rcp = request.account != management and not linked_to_service(who) and takes_rcp(request.action)
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
