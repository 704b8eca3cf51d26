"""`partywall k8s net`, as a user runs it."""

from pathlib import Path

import pytest

from partywall.errors import UsageError
from tests.unit.cli.k8s_folders import data, run, write
from tests.unit.kube import namespace

POLICY = """---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: vision}
spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress:
  - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: speech}}}]
    ports: [{port: 443}]
"""


def test_who_gets_to_whom_with_the_policies_that_decide(tmp_path: Path) -> None:
    folder = write(tmp_path, namespace("vision") + namespace("speech") + namespace("audio") + POLICY)
    result = run(folder, "net", "speech", "vision")
    found = result.stdout.splitlines()

    assert found[:8] == [
        "allowed: TCP/443; denied: TCP/1-442, TCP/444-65535, all UDP, all SCTP",
        "from speech to vision in cluster",
        "",
        "TCP/1-442, TCP/444-65535, all UDP, all SCTP: denied",
        "  because no policy isolates the pods of speech for egress: k8s.yaml:8 /1",
        "  because NetworkPolicy vision/closed isolates for ingress, and no rule admits it: k8s.yaml:20 /3",
        "",
        "TCP/443: allowed",
    ]
    assert result.return_value == 1
    assert run(folder, "net", "audio", "vision").return_value == 0


def test_a_policy_that_the_server_refuses_leaves_the_network_open(tmp_path: Path) -> None:
    broken = "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: odd, namespace: vision}\nspec: 7\n"
    result = run(write(tmp_path, namespace("vision") + namespace("audio") + POLICY + broken), "net", "audio", "vision")

    assert (result.stdout.splitlines()[0], result.return_value) == ("not decidable", 3)
    assert "note: in question: not read: NetworkPolicy vision/odd, which the API server refuses" in result.stdout


def test_without_any_policy_or_list_nobody_can_tell(tmp_path: Path) -> None:
    result = run(write(tmp_path), "net", "speech", "vision")

    assert (result.stdout.splitlines()[0], result.return_value) == ("not decidable", 3)


def test_the_network_as_data_keeps_its_shape(tmp_path: Path) -> None:
    found = data(write(tmp_path, namespace("vision") + POLICY), "net", "vision", "imds")

    assert (found["schema"], found["from"], found["to"]) == ("partywall/k8s-net/v1", "vision", "imds")
    assert [answer["to"] for answer in found["answers"]] == ["169.254.169.254", "fd00:ec2::254"]
    assert list(found["answers"][0]) == ["cluster", "from", "to", "rows", "doubts", "blind_spots"]
    assert list(found["answers"][0]["rows"][0]) == ["protocol", "first", "last", "outcome", "partly", "because"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("visoin", "imds"), "did you mean vision?"),
        (("vision", "imsd"), "did you mean imds"),
        (("vision", "s3", "--place", "s3=10.0.0.0/99"), "is no range of addresses"),
        (("vision", "s3", "--place", "s3"), "write NAME=CIDR"),
    ],
)
def test_a_wrong_end_says_what_is_wrong(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    error = run(write(tmp_path, namespace("vision") + POLICY), "net", *arguments).exception

    assert isinstance(error, UsageError)
    assert told in str(error)
