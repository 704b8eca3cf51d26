"""What stands in front of a namespace."""

from partywall.model.edge import Hold
from partywall.model.verbs import Lane
from partywall.resolve.eks import RESOLVER
from tests.unit.kube import binding, document, facts, namespace


def test_a_hold_names_who_alone_may_get_in() -> None:
    bound = namespace("vision") + namespace("speech") + binding("view", "ClusterRole/view", "Group:team", "vision")

    found = {(item.lane, item.target.name): item.text for item in RESOLVER.resolve(facts(bound)) if isinstance(item, Hold)}

    assert found[Lane.VIEW, "vision"] == "bindings and access policies let nobody but group team look into namespace/vision"
    assert found[Lane.ACT, "vision"] == "bindings and access policies let nobody act on namespace/vision"
    assert found[Lane.VIEW, "speech"] == "bindings and access policies let nobody look into namespace/speech"


def test_a_cluster_without_bindings_and_policies_holds_nothing() -> None:
    cluster = document("aws:eks:describe-cluster", {"cluster": {"name": "lab"}})

    assert [item for item in RESOLVER.resolve(facts(namespace("vision"), cluster)) if isinstance(item, Hold)] == []
