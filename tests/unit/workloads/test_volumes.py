"""File systems behind volumes."""

import pytest

from partywall.model.evidence import Evidence
from partywall.model.facts import Named
from partywall.model.facts_data import FileAccessPoint
from partywall.model.node import Kind, Node
from partywall.resolve.workloads import RESOLVER
from tests.unit.kube import edges, facts, gaps, said, things


def volume(name: str, claim: str, driver: str, handle: str, more: str = "") -> str:
    home, _, claimed = claim.partition("/")
    return f"""---
apiVersion: v1
kind: PersistentVolume
metadata: {{name: {name}}}
spec: {{claimRef: {{namespace: {home}, name: {claimed}}}, csi: {{driver: {driver}, volumeHandle: "{handle}"{more}}}}}
"""


@pytest.mark.parametrize(
    ("driver", "handle", "target"),
    [
        ("fsx.csi.aws.com", "fs-0123456789abcdef0", "file_system:fs-0123456789abcdef0"),
        ("efs.csi.aws.com", "fs-0123456789abcdef0", "file_system:fs-0123456789abcdef0"),
        ("efs.csi.aws.com", "fs-0123456789abcdef0:/vision", "directory:fs-0123456789abcdef0:/vision"),
        ("efs.csi.aws.com", "fs-0123456789abcdef0::fsap-1", "directory:fs-0123456789abcdef0:/fsap-1"),
    ],
)
def test_what_a_handle_says(driver: str, handle: str, target: str) -> None:
    assert said(RESOLVER, volume("one", "vision/data", driver, handle)) == {f"namespace:vision mount {target}"}


def test_a_bucket_mounted_as_a_volume() -> None:
    text = volume("one", "vision/data", "s3.csi.aws.com", "any", ", volumeAttributes: {bucketName: vision-data}")

    assert said(RESOLVER, text) == {"namespace:vision mount bucket:vision-data"}


def test_a_disk_of_one_node_is_no_file_system() -> None:
    assert said(RESOLVER, volume("one", "vision/data", "ebs.csi.aws.com", "vol-1")) == set()


def test_what_several_mount_and_nobody_claims_belongs_to_all_who_do() -> None:
    text = volume("one", "vision/data", "fsx.csi.aws.com", "fs-1") + volume("two", "speech/data", "fsx.csi.aws.com", "fs-1")
    claimed = Named(Node(Kind.FILE_SYSTEM, "", "fs-1"), Evidence("tenants.yaml", ""))

    (shared,) = [thing for thing in things(RESOLVER, text) if thing.members]

    assert [member.name for member in shared.members] == ["vision", "speech"]
    assert not any(thing.members for thing in things(RESOLVER, text, more=(claimed,)))


def test_a_share_that_a_pod_names_itself() -> None:
    pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: vision}\n"
    pod += "spec: {containers: [{name: a}], volumes: [{name: v, nfs: {server: fs-1.efs.example, path: /vision}}]}\n"

    assert said(RESOLVER, pod) == {"namespace:vision mount directory:fs-1:/vision"}


def test_a_volume_of_its_own_closes_it() -> None:
    given = facts(volume("one", "vision/data", "fsx.csi.aws.com", "fs-1"))
    (edge,) = edges(RESOLVER, given)

    assert edge.lever.change is not None
    assert edges(RESOLVER, given.patched(edge.lever.change)) == []


def test_an_access_point_whose_directory_was_not_read_is_a_gap_and_one_that_was_is_its_directory() -> None:
    text = volume("one", "vision/data", "efs.csi.aws.com", "fs-1::fsap-1")
    points = FileAccessPoint("fsap-1", "fs-1", "/vision", "", Evidence("aws-efs-describe-access-points.json", "/AccessPoints/0"))

    (gap,) = gaps(RESOLVER, text)

    assert gap.what == "the directory of access point fsap-1, which volume one mounts"
    assert said(RESOLVER, text, more=(points,)) == {"namespace:vision mount directory:fs-1:/vision"}


def test_one_access_point_in_two_namespaces_is_shared_and_two_of_one_file_system_are_not() -> None:
    one, two = (
        volume("one", "vision/data", "efs.csi.aws.com", "fs-1::fsap-1"),
        volume("two", "speech/data", "efs.csi.aws.com", "fs-1::fsap-1"),
    )

    assert [thing.node.name for thing in things(RESOLVER, one, two) if thing.members] == ["fs-1:/fsap-1"]
    assert not any(thing.members for thing in things(RESOLVER, one, two.replace("fsap-1", "fsap-2")))
