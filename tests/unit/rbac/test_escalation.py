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
    "rights",
    [
        pytest.param((f"bind clusterroles {RBAC}", f"create clusterrolebindings {RBAC}"), id="binding any ClusterRole"),
        pytest.param((f"escalate clusterroles {RBAC}", f"update clusterroles {RBAC}"), id="rewriting ClusterRoles"),
    ],
)
def test_two_bindings_add_up_to_an_administrator(rights: tuple[str, ...]) -> None:
    assert said(RESOLVER, wide(*rights)) == {"group:team rewrites roles of cluster_admin:*"}


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
    "right",
    [
        pytest.param(f"create clusterrolebindings {RBAC}", id="only what one holds can be bound"),
        pytest.param(f"create,update clusterroles {RBAC}", id="only what one holds can be written"),
        pytest.param(f"bind clusterroles {RBAC}", id="nothing to bind with"),
    ],
)
def test_half_of_it_is_nothing(right: str) -> None:
    assert said(RESOLVER, wide(right)) == set()


def test_binding_one_named_role_gives_what_that_role_gives() -> None:
    found = said(RESOLVER, wide(f"bind clusterroles {RBAC}", f"create clusterrolebindings {RBAC}", names="view"))

    assert "group:team list pods namespaces:*" in found
    assert not any("cluster_admin" in text or "secrets" in text for text in found)


def test_binding_one_named_role_of_the_files_gives_what_that_role_gives() -> None:
    text = wide(f"bind clusterroles {RBAC}", f"create clusterrolebindings {RBAC}", names="keys") + role("keys", "get secrets")

    assert said(RESOLVER, text) == {"group:team read secrets namespaces:*"}


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

    assert said(RESOLVER, text) == {"group:team rewrites roles of namespace:vision"}


def test_admin_of_a_namespace_may_bind_only_what_it_holds() -> None:
    found = said(RESOLVER, NAMESPACES + binding("admin", "ClusterRole/admin", "Group:team", "vision"))

    assert not any("rewrites" in text or "speech" in text or "admin:" in text for text in found)
