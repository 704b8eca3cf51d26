"""Owners from HyperPod's own names."""

from partywall.contracts.bind import bind
from partywall.contracts.guess import guess
from partywall.contracts.load import load
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Namespace
from partywall.model.facts_slurm import Association
from partywall.model.node import Kind, Node
from tests.unit.contracts.written import CLUSTER, document, tenants

FACTS = Facts(
    [
        Namespace(CLUSTER, name, {}, Evidence("k8s.yaml", f"/{name}"))
        for name in ("hyperpod-ns-vision", "hyperpod-ns-nlp", "kube-system", "other")
    ]
)


def test_team_namespaces_and_groups_are_guessed_loudly() -> None:
    tenancy = guess(FACTS, load([]))
    group = Node(Kind.GROUP, CLUSTER, "hyperpod-ns-vision-namespace-level-group")

    owned = bind([group], [], tenancy).ownership

    assert (tenancy.guessed, tenancy.tenants) == (True, ("nlp", "vision"))
    assert (owned[group].owners, owned[group].guessed) == (("vision",), True)
    assert owned[group].why == "k8s.yaml#/hyperpod-ns-vision guesses group hyperpod-ns-vision-* for vision"


def test_nothing_is_guessed_once_somebody_says_who_owns_what() -> None:
    said = tenants("tenants: [{name: a}]")

    assert guess(FACTS, said) == said


def test_drafts_say_nothing() -> None:
    draft = document("draft.yaml", "schema: partywall/contract/v1\ntenant: vision\nstatus: draft\nscope: {namespaces: [other]}\n")

    assert guess(FACTS, load([draft])).claims == guess(FACTS, load([])).claims


def association(account: str, user: str = "", parent: str = "") -> Association:
    return Association(CLUSTER, account, user, "", parent, (), {}, Evidence("assoc.txt", f"L{account}{user}"))


def test_top_slurm_accounts_and_their_users_are_guessed() -> None:
    rows = (
        association("root", "root"),
        association("vision", parent="root"),
        association("vision-dev", parent="vision"),
        association("nlp", parent="root"),
        association("vision", "v-ana"),
        association("vision-dev", "v-ana"),
        association("nlp", "both"),
        association("vision", "both"),
    )
    tenancy = guess(Facts(rows), load([]))

    assert [(claim.owners[0], claim.selector.kinds[0], claim.selector.name) for claim in tenancy.claims] == [
        ("vision", Kind.SLURM_ACCOUNT, "vision"),
        ("nlp", Kind.SLURM_ACCOUNT, "nlp"),
        ("vision", Kind.OS_USER, "v-ana"),
    ]
