"""The RBAC resolver against a slow and obvious one, over small random clusters."""

from collections.abc import Iterator
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed
from partywall.model.facts_kubernetes import Binding, Namespace, Role, Rule, Subject, SubjectKind
from partywall.model.node import Kind, Node
from partywall.resolve.rbac import RESOLVER
from partywall.resolve.rbac.escalation import covers
from partywall.resolve.rbac.judge import Request, can, index, service_account
from partywall.resolve.rbac.matching import allows

CLUSTER = "111122223333/us-east-2/lab"
NAMESPACES = ("vision", "speech")
ROLES = ("one", "two")
AT = Evidence("k8s.yaml", "")

VERBS = ("get", "list", "create", "patch", "delete", "impersonate", "*")
GROUPS = ("", "apps", "batch", "*")
RESOURCES = ("pods", "pods/exec", "pods/log", "secrets", "jobs", "deployments", "serviceaccounts", "*", "*/exec", "pods/*")

rules = st.builds(
    Rule,
    st.lists(st.sampled_from(VERBS), min_size=1, max_size=2, unique=True).map(tuple),
    st.lists(st.sampled_from(GROUPS), min_size=1, max_size=2, unique=True).map(tuple),
    st.lists(st.sampled_from(RESOURCES), min_size=1, max_size=2, unique=True).map(tuple),
    st.sampled_from(((), (), (), ("trainer",))),
    at=st.just(AT),
)
homes = st.sampled_from(("", *NAMESPACES))
roles = st.builds(
    lambda home, name, written: Role(CLUSTER, home, name, tuple(written), AT),
    homes,
    st.sampled_from(ROLES),
    st.lists(rules, min_size=1, max_size=2),
)
subjects = st.one_of(
    st.builds(
        lambda home, name: Subject(SubjectKind.SERVICE_ACCOUNT, name, home),
        st.sampled_from(NAMESPACES),
        st.sampled_from(("trainer", "web")),
    ),
    st.builds(lambda home: Subject(SubjectKind.USER, f"system:serviceaccount:{home}:trainer"), st.sampled_from(NAMESPACES)),
)


def bound(home: str, local: bool, role: str, subject: Subject) -> Binding:
    return Binding(CLUSTER, home, f"{home}-{role}", "Role" if home and local else "ClusterRole", role, (subject,), AT, (AT,))


bindings = st.builds(bound, homes, st.booleans(), st.sampled_from(ROLES), subjects)
clusters = st.tuples(st.lists(roles, max_size=4, unique_by=lambda role: (role.namespace, role.name)), st.lists(bindings, max_size=4))

Triple = tuple[str, str, str]  # service account, namespace, `verb group resource name`


def slowly_allowed(
    written: list[Role], given_bindings: list[Binding], account: str, namespace: str, verb: str, group: str, resource: str, name: str
) -> bool:
    """Decide one request by reading the documentation out loud."""
    for binding in given_bindings:
        if binding.namespace not in ("", namespace):
            continue
        if not any(
            account in (f"{one.namespace}/{one.name}", one.name.replace("system:serviceaccount:", "").replace(":", "/"))
            for one in binding.subjects
        ):
            continue
        home = binding.namespace if binding.role_kind == "Role" else ""
        for role in written:
            if (role.namespace, role.name) != (home, binding.role):
                continue
            for rule in role.rules:
                right_verb = "*" in rule.verbs or verb in rule.verbs
                right_group = "*" in rule.groups or group in rule.groups
                sub = resource.split("/")[1] if "/" in resource else None
                right_resource = "*" in rule.resources or resource in rule.resources or (sub is not None and f"*/{sub}" in rule.resources)
                right_name = not rule.names or name in rule.names
                if right_verb and right_group and right_resource and right_name:
                    return True
    return False


REQUESTS = [
    *product(
        ("get", "list", "create", "patch", "delete", "impersonate"),
        ("", "apps", "batch"),
        ("pods", "pods/exec", "secrets", "jobs", "serviceaccounts"),
        ("", "trainer"),
    ),
]


@given(clusters)
def test_the_judge_agrees_with_the_slow_one(cluster: tuple[list[Role], list[Binding]]) -> None:
    written, given_bindings = cluster
    rights = index(written, given_bindings)

    for home, name, namespace in product(NAMESPACES, ("trainer", "web"), NAMESPACES):
        asker = service_account(home, name)
        for verb, group, resource, target in REQUESTS:
            mine = can(rights, asker, Request(verb, group, resource, namespace, target))
            assert mine == slowly_allowed(written, given_bindings, f"{home}/{name}", namespace, verb, group, resource, target)


# What an edge's verb means, in requests; a name is given where the API gives one.
MEANING = {
    "create workloads": [("create", "", "pods", ""), ("create", "apps", "deployments", ""), ("create", "batch", "jobs", "")],
    "create pods/exec": [(verb, "", "pods/exec", name) for verb in ("get", "create") for name in ("", "trainer")],
    "read secrets": [(verb, "", "secrets", name) for verb in ("get", "list", "watch") for name in ("", "trainer")],
    "read pod logs": [(verb, "", "pods/log", name) for verb in ("get", "list") for name in ("", "trainer")],
    "list pods": [(verb, "", "pods", name) for verb in ("get", "list", "watch") for name in ("", "trainer")],
}


def reached(edges: list[Edge], account: str, verb: str) -> Iterator[str]:
    """Yield the namespaces that a service account reaches with a verb."""
    for edge in edges:
        if edge.source == Node(Kind.SERVICE_ACCOUNT, CLUSTER, account) and edge.verb == verb:
            if edge.target.kind is Kind.NAMESPACES:
                yield from NAMESPACES
            elif edge.target.kind is Kind.NAMESPACE:
                yield edge.target.name


@given(clusters)
def test_an_edge_is_there_exactly_where_a_request_is_allowed(cluster: tuple[list[Role], list[Binding]]) -> None:
    written, given_bindings = cluster
    namespaces = [Namespace(CLUSTER, name, {}, AT) for name in NAMESPACES]
    listed = [Listed(kind, CLUSTER, AT) for kind in ("Role", "ClusterRole")]
    edges = [item for item in RESOLVER.resolve(Facts([*namespaces, *listed, *written, *given_bindings])) if isinstance(item, Edge)]

    for home, name, verb in product(NAMESPACES, ("trainer", "web"), MEANING):
        expected = {
            namespace
            for namespace in NAMESPACES
            if any(slowly_allowed(written, given_bindings, f"{home}/{name}", namespace, *request) for request in MEANING[verb])
        }
        assert set(reached(edges, f"{home}/{name}", verb)) == expected


@given(clusters)
def test_the_order_of_the_input_changes_nothing_but_the_order(cluster: tuple[list[Role], list[Binding]]) -> None:
    written, given_bindings = cluster
    forward = {str(edge) for edge in RESOLVER.resolve(Facts([*written, *given_bindings])) if isinstance(edge, Edge)}
    backward = {str(edge) for edge in RESOLVER.resolve(Facts([*reversed(given_bindings), *reversed(written)])) if isinstance(edge, Edge)}

    assert forward == backward


@given(st.lists(rules, max_size=3), st.lists(rules, max_size=2))
def test_what_one_may_hand_out_one_may_do(held: list[Rule], wanted: list[Rule]) -> None:
    if covers(tuple(held), wanted):
        for verb, group, resource, name in REQUESTS:
            if any(allows(rule, verb, group, resource, name) for rule in wanted):
                assert any(allows(rule, verb, group, resource, name) for rule in held)


@given(st.lists(rules, max_size=3))
def test_everybody_may_hand_out_what_they_hold(held: list[Rule]) -> None:
    assert covers(tuple(held), held)
