"""Rights that only together make somebody more than they are."""

import pytest

from partywall.resolve.rbac import RESOLVER
from tests.unit.kube import binding, namespace, role, said

NAMESPACES = namespace("vision") + namespace("speech")
RBAC = "rbac.authorization.k8s.io"


def wide(*rights: str, names: str = "") -> str:
    """Give each right by a ClusterRole and a ClusterRoleBinding of its own."""
    text = NAMESPACES
    for number, right in enumerate(rights):
        written = role(f"part-{number}", right)
        if names and right.startswith("bind"):
            written = written.replace("  verbs:", f"  resourceNames: [{names}]\n  verbs:")
        text += written + binding(f"part-{number}", f"ClusterRole/part-{number}", "Group:team")
    return text


@pytest.mark.parametrize(
    ("first", "second", "written"),
    [
        pytest.param("bind clusterroles", "create clusterrolebindings", "clusterrolebindings", id="binding any ClusterRole"),
        pytest.param("escalate clusterroles", "update clusterroles", "clusterroles", id="rewriting ClusterRoles"),
    ],
)
def test_two_bindings_add_up_to_an_administrator(first: str, second: str, written: str) -> None:
    assert said(RESOLVER, wide(f"{first} {RBAC}", f"{second} {RBAC}")) == {
        "group:team rewrites roles of cluster_admin:*",
        f"group:team change cluster_object:{written}",
    }


def test_signing_ones_own_certificate() -> None:
    group = "certificates.k8s.io"
    rights = (
        f"create certificatesigningrequests {group}",
        f"update certificatesigningrequests/approval {group}",
        f"approve signers {group}",
    )

    assert "group:team becomes administrator of cluster_admin:*" in said(RESOLVER, wide(*rights))
    assert not any("administrator" in text for text in said(RESOLVER, wide(*rights[:2])))


@pytest.mark.parametrize(
    ("right", "sentences"),
    [
        pytest.param(
            "create clusterrolebindings", {"group:team change cluster_object:clusterrolebindings"}, id="what one holds can be bound"
        ),
        pytest.param("update clusterroles", {"group:team change cluster_object:clusterroles"}, id="what one holds can be written"),
        pytest.param("create clusterroles", set(), id="a new role of what one holds"),
        pytest.param("bind clusterroles", set(), id="nothing to bind with"),
    ],
)
def test_half_of_it_makes_nobody_more_than_they_are(right: str, sentences: set[str]) -> None:
    assert said(RESOLVER, wide(f"{right} {RBAC}")) == sentences


@pytest.mark.parametrize(
    ("right", "sentences"),
    [
        ("create rolebindings", {"group:team change namespace:vision"}),
        ("delete rolebindings", {"group:team delete namespace:vision"}),
        ("patch roles", {"group:team change namespace:vision"}),
        ("create roles", set()),
        ("list roles", {"group:team list objects namespace:vision"}),
        ("bind roles", set()),
    ],
)
def test_what_is_written_of_rights_in_a_namespace(right: str, sentences: set[str]) -> None:
    text = NAMESPACES + role("one", f"{right} {RBAC}", "vision") + binding("one", "Role/one", "Group:team", "vision")

    assert said(RESOLVER, text) == sentences


def test_binding_one_named_role_gives_what_that_role_gives() -> None:
    found = said(RESOLVER, wide(f"bind clusterroles {RBAC}", f"create clusterrolebindings {RBAC}", names="view"))

    assert "group:team list pods namespaces:*" in found
    assert not any("cluster_admin" in text or "secrets" in text for text in found)


def test_binding_one_named_role_of_the_files_gives_what_that_role_gives() -> None:
    text = wide(f"bind clusterroles {RBAC}", f"create clusterrolebindings {RBAC}", names="keys") + role("keys", "get secrets")

    assert said(RESOLVER, text) == {"group:team read secrets namespaces:*", "group:team change cluster_object:clusterrolebindings"}


def test_a_right_on_one_name_does_not_hide_one_on_all() -> None:
    text = wide(f"bind clusterroles {RBAC}")
    rights = f"bind clusterroles {RBAC};create rolebindings {RBAC}"
    named = role("named", rights, "vision").replace("  - bind", "  - bind\n  resourceNames: [view]")
    text += named + binding("named", "Role/named", "Group:team", "vision")

    assert "group:team rewrites roles of namespace:vision" in said(RESOLVER, text)


def test_every_role_that_may_be_bound_by_name_counts() -> None:
    text = wide(f"bind clusterroles {RBAC}", names="keys") + wide(f"create clusterrolebindings {RBAC}").replace("part-0", "writer")
    more = wide(f"bind clusterroles {RBAC}", names="shells").replace("part-0", "more")

    found = said(RESOLVER, text + more + role("keys", "get secrets") + role("shells", "create pods/exec"))

    assert {"group:team read secrets namespaces:*", "group:team create pods/exec namespaces:*"} <= found


@pytest.mark.parametrize(
    ("signer", "is_believed"),
    [("kubernetes.io/kube-apiserver-client", True), ("kubernetes.io/*", True), ("kubernetes.io/kubelet-serving", False), ("x.io/y", False)],
)
def test_only_what_the_server_believes_makes_an_administrator(signer: str, is_believed: bool) -> None:
    group = "certificates.k8s.io"
    rights = f"create certificatesigningrequests {group};update certificatesigningrequests/approval {group};approve signers {group}"
    written = role("signing", rights).replace("  - approve", f"  - approve\n  resourceNames: [{signer}]")

    found = said(RESOLVER, NAMESPACES + written + binding("signing", "ClusterRole/signing", "Group:team"))

    assert any("administrator" in text for text in found) is is_believed


def test_rights_of_two_namespaces_do_not_add_up() -> None:
    text = NAMESPACES
    text += role("one", "create secrets", "vision") + binding("one", "Role/one", "Group:team", "vision")
    text += role("two", "get secrets", "speech") + binding("two", "Role/two", "Group:team", "speech")

    assert not any("credential" in sentence for sentence in said(RESOLVER, text))


def test_making_a_token_secret_and_reading_it_is_every_service_account_of_the_namespace() -> None:
    text = NAMESPACES + role("one", "create,get secrets", "vision") + binding("one", "Role/one", "Group:team", "vision")

    assert "group:team reads credential of namespace:vision" in said(RESOLVER, text)


def test_a_wide_right_completes_a_narrow_one_there_only() -> None:
    text = wide(f"bind clusterroles {RBAC}")
    text += role("writer", f"create rolebindings {RBAC}", "vision") + binding("writer", "Role/writer", "Group:team", "vision")

    assert said(RESOLVER, text) == {"group:team rewrites roles of namespace:vision", "group:team change namespace:vision"}


def test_admin_of_a_namespace_may_bind_only_what_it_holds() -> None:
    found = said(RESOLVER, NAMESPACES + binding("admin", "ClusterRole/admin", "Group:team", "vision"))

    assert not any("rewrites" in text or "speech" in text or "admin:" in text for text in found)
