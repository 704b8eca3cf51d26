"""One question at a time against the recorded answers of a real API server: an answer has a reason exactly where the server said yes."""

import json
from pathlib import Path
from typing import Any

import pytest

from partywall.model.document import Gap
from partywall.model.facts import Facts
from partywall.resolve.access.asked import Asked
from partywall.resolve.access.cluster import Cluster, clusters
from partywall.resolve.access.decide import allowances
from partywall.resolve.access.subjects import Entered, Identity, Kindred, Who
from tests.vectors.apiserver import ORIGIN, asker, read, request


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Path:
    folder = shared / "vectors/k8s/apiserver"
    if not folder.is_dir():
        pytest.skip("no recorded decisions of a real API server in `shared` beside the repository")
    return folder


def asked(question: dict[str, Any]) -> Asked:
    wanted = request(question)
    wide = bool(wanted.url)
    return Asked(
        wanted.verb, wanted.group, wanted.resource, wanted.namespace, wanted.name, wanted.url, not (wanted.namespace or wide), wide
    )


def allowed(cluster: Cluster, question: dict[str, Any]) -> bool:
    entered = Entered(Who(Kindred.USER, question["user"]), (Identity(asker(question)),))
    wanted = asked(question)
    # A question without a name is about any; the server was asked about none.
    return any(wanted.name or not one.names for one in allowances(cluster, entered, wanted))


def is_real(question: dict[str, Any]) -> bool:
    """Tell whether an HTTP request can ask this: it has a namespace's name for its namespace, or none to create and list."""
    wanted = request(question)
    if (wanted.group, wanted.resource) != ("", "namespaces"):
        return True
    return wanted.namespace == wanted.name and (not wanted.namespace or wanted.verb not in ("create", "deletecollection", "list", "watch"))


def test_every_recorded_decision_has_its_reason(recorded: Path) -> None:
    bootstrap = json.loads((recorded / "bootstrap.json").read_text(encoding="utf-8"))
    different: list[str] = []
    count = 0
    for line in (recorded / "rbac.jsonl").read_text(encoding="utf-8").splitlines():
        world = json.loads(line)
        facts = Facts([item for obj in (*bootstrap, *world["objects"]) for item in read(obj) if not isinstance(item, Gap)])
        (cluster,) = clusters(facts, [ORIGIN.cluster])
        real = [question for question in world["asks"] if is_real(question)]
        count += len(real)
        different += [json.dumps(question) for question in real if allowed(cluster, question) != question["allowed"]]

    assert different == []
    assert count == 5088
