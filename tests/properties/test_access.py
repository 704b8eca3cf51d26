"""One question at a time against the judge of RBAC and against all requests at once, over small random clusters."""

from itertools import product

from hypothesis import given

from partywall.model.facts import Facts, Listed
from partywall.model.facts_kubernetes import Binding, Namespace, Role
from partywall.resolve.access import Outcome, Question, who_can
from partywall.resolve.access.asked import Asked
from partywall.resolve.access.cluster import clusters as laid_out
from partywall.resolve.access.decide import allowances
from partywall.resolve.access.subjects import entered, who
from partywall.resolve.rbac.judge import Request, can, index, service_account
from partywall.resolve.rbac.roles import effective
from tests.properties.test_rbac_judge import AT, CLUSTER, NAMESPACES, clusters

ACCOUNTS = tuple(f"{home}/{name}" for home, name in product(NAMESPACES, ("trainer", "web")))
KINDS = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
ASKED = tuple(product(("get", "create", "delete"), (("", "pods"), ("", "pods/exec"), ("", "secrets"), ("batch", "jobs"))))


def everything(written: list[Role], bindings: list[Binding]) -> Facts:
    places = [Namespace(CLUSTER, name, {}, AT) for name in NAMESPACES]
    return Facts([*places, *(Listed(kind, CLUSTER, AT) for kind in KINDS), *written, *bindings])


@given(clusters)
def test_a_question_about_one_object_is_answered_as_the_judge_does(cluster: tuple[list[Role], list[Binding]]) -> None:
    written, bindings = cluster
    (laid,) = laid_out(everything(written, bindings), [CLUSTER])
    rights = index(written, bindings, effective(written))

    for (verb, (group, resource)), namespace, account in product(ASKED, NAMESPACES, ACCOUNTS):
        asked = Asked(verb, group, resource, namespace, "trainer")
        found = allowances(laid, entered(laid, who(f"sa:{account}"), bare=False), asked)
        assert bool(found) == can(rights, service_account(*account.split("/")), asked.request()), (account, asked)


@given(clusters)
def test_what_is_left_open_is_allowed_exactly_where_some_request_is(cluster: tuple[list[Role], list[Binding]]) -> None:
    written, bindings = cluster
    rights = index(written, bindings, effective(written))
    question = Question(everything(written, bindings))

    for verb, (group, resource) in ASKED[:6:2]:
        names = ("", "trainer") if verb != "create" or "/" in resource else ("",)
        (crowd,) = who_can(question, Asked(verb, group, resource))
        given_to = {str(answer.who): answer.decision for answer in crowd.answers if answer.decision.outcome is Outcome.ALLOWED}
        for account in ACCOUNTS:
            asker = service_account(*account.split("/"))
            wanted = [Request(verb, group, resource, home, name) for home in NAMESPACES for name in names]
            places = {request.namespace for request in wanted if can(rights, asker, request)}
            decision = given_to.get(f"sa:{account}")
            homes = {one.namespace for one in decision.allowances} if decision else set()
            assert {home for home in NAMESPACES if homes & {"", home}} == places, (account, verb, resource)
