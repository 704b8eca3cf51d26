"""slurm.conf and its kin, and what scontrol shows: records of `Key=value` words."""

import pytest

from partywall.model.facts_slurm import Included, Partition, Reservation, Setting, SlurmConfig, SlurmRelease, Source
from partywall.parse.slurm_hosts import hosts
from tests.unit.slurm_words import cluster, config, database, document, edges, parsed, partition, partitions, resolved

CONF = r"""# a comment
clustername=lab
PRIVATEDATA=jobs   # the last one wins
PrivateData=jobs,\
usage
AccountingStorageEnforce="associations"
Include /opt/slurm/etc/more.conf
NodeName=DEFAULT CPUs=8
NodeName=n[1-3] Gres=gpu:8
PartitionName=DEFAULT AllowAccounts=vision State=UP
PartitionName=one Nodes=n[1-2]
PARTITIONNAME=two nodes=ALL allowaccounts=ALL Default=yes
PartitionName=DEFAULT RootOnly=YES
PartitionName=three Nodes=n3 AllowAccounts=a,b \
  DenyAccounts=c
"""


def test_keys_have_any_case_and_the_last_value_wins() -> None:
    here = cluster(document("slurm.conf", CONF))

    assert here.words("privatedata") == {"jobs", "usage"}
    assert here.enforced == {"associations"}
    assert here.version is None


def test_a_continued_line_keeps_the_place_of_its_first() -> None:
    found = [fact for fact in parsed(document("slurm.conf", CONF)) if isinstance(fact, Setting) and fact.key == "privatedata"]

    assert [(fact.value, str(fact.at)) for fact in found] == [("jobs", "slurm.conf.txt#L3"), ("jobs, usage", "slurm.conf.txt#L4")]


def test_defaults_hold_for_the_lines_below_and_an_own_all_lifts_them() -> None:
    found = [fact for fact in parsed(document("slurm.conf", CONF)) if isinstance(fact, Partition)]

    assert [(fact.name, fact.allow_accounts, fact.deny_accounts, fact.root_only, fact.nodes) for fact in found] == [
        ("one", ("vision",), (), False, ("n1", "n2")),
        ("two", (), (), False, ("ALL",)),
        ("three", ("a", "b"), ("c",), True, ("n3",)),
    ]


def test_nodes_are_no_settings() -> None:
    keys = {fact.key for fact in parsed(document("slurm.conf", CONF)) if isinstance(fact, Setting)}

    assert keys == {"clustername", "privatedata", "accountingstorageenforce"}
    assert [fact.path for fact in parsed(document("slurm.conf", CONF)) if isinstance(fact, Included)] == ["/opt/slurm/etc/more.conf"]


MAIN = "PrivateData=none\nPartitionName=DEFAULT AllowAccounts=vision\nInclude more.conf\n"


@pytest.mark.parametrize(
    ("main", "private"),
    [(MAIN, {"jobs"}), (MAIN + "PrivateData=usage\n", {"usage"})],
    ids=["an include after the line", "a line after the include"],
)
def test_an_included_file_counts_where_it_is_included(main: str, private: set[str]) -> None:
    included = document("slurm.conf", "\n\n\n\nPrivateData=jobs\n", name="etc/more.conf")

    for documents in (
        (document("slurm.conf", main, name="etc/slurm.conf"), included),
        (included, document("slurm.conf", main, name="etc/slurm.conf")),
    ):
        assert cluster(*documents).words("privatedata") == private


def test_defaults_reach_into_an_included_file() -> None:
    included = document("slurm.conf", "PartitionName=gpu Nodes=n1\nPartitionName=open Nodes=n2 AllowAccounts=ALL\n", name="etc/more.conf")

    here = cluster(document("slurm.conf", MAIN, name="etc/slurm.conf"), included)

    assert {each.name: each.allow_accounts for each in here.partitions} == {"gpu": ("vision",), "open": ()}


def test_what_is_shown_beats_what_a_file_says() -> None:
    here = cluster(
        document("slurm.conf", "PrivateData=none\nPartitionName=p Nodes=n1\n"), config(), partitions(partition("p", AllowAccounts="vision"))
    )

    assert "jobs" in here.words("privatedata")
    assert [each.allow_accounts for each in here.partitions] == [("vision",)]


def test_sacctmgr_tells_the_version_and_what_its_own_slurm_conf_hides() -> None:
    found = parsed(database("jobs", "26.05.5", client="usage"))

    assert [fact.version for fact in found if isinstance(fact, SlurmRelease)] == ["26.05.5"]
    assert [fact.source for fact in found if isinstance(fact, SlurmConfig)] == [Source.DATABASE]
    assert [(fact.source, fact.value) for fact in found if isinstance(fact, Setting) and fact.key == "privatedata"] == [
        (Source.CLIENT, "usage"),
        (Source.DATABASE, "jobs"),
    ]


def test_slurmdbd_conf_and_cgroup_conf_are_settings_of_their_own() -> None:
    found = parsed(document("slurmdbd.conf", "PrivateData=jobs # all\n"), document("cgroup.conf", "ConstrainDevices=yes\n"))

    assert [(fact.source, fact.key, fact.value) for fact in found if isinstance(fact, Setting)] == [
        (Source.DATABASE_FILE, "privatedata", "jobs"),
        (Source.CGROUP_FILE, "constraindevices", "yes"),
    ]


LONG = """PartitionName=gpu
   AllowGroups=ALL AllowAccounts=vision,speech AllowQos=normal
   AllocNodes=ALL Default=YES QoS=N/A
   ExclusiveUser=YES Hidden=YES Nodes=n[1-2],n7
   RootOnly=NO ReqResv=YES

PartitionName=cpu
   AllowGroups=ml DenyAccounts=speech AllowQos=ALL QoS=cap Exclusive=USER
"""


@pytest.mark.parametrize(
    "text", [LONG, "\n".join(" ".join(block.split()) for block in LONG.split("\n\n"))], ids=["several lines", "one line"]
)
def test_partitions_in_one_line_or_several(text: str) -> None:
    gpu, cpu = (fact for fact in parsed(document("scontrol-show-partition", text)) if isinstance(fact, Partition))

    assert (gpu.name, gpu.allow_accounts, gpu.allow_groups, gpu.allow_qos, gpu.nodes) == (
        "gpu",
        ("vision", "speech"),
        (),
        ("normal",),
        ("n1", "n2", "n7"),
    )
    assert (gpu.is_default, gpu.hidden, gpu.needs_reservation, gpu.root_only, gpu.exclusive_user, gpu.qos) == (
        True,
        True,
        True,
        False,
        True,
        "",
    )
    assert (cpu.name, cpu.allow_groups, cpu.deny_accounts, cpu.allow_qos, cpu.qos, cpu.exclusive_user) == (
        "cpu",
        ("ml",),
        ("speech",),
        (),
        "cap",
        True,
    )


def test_reservations() -> None:
    first = "ReservationName=r StartTime=x\n   Nodes=n[1-2]\n   Users=ana,bo Groups=(null) Accounts=(null)\n"
    text = f"{first}\nReservationName=s StartTime=x\n   Accounts=vision Groups=ml\n"

    found = [fact for fact in parsed(document("scontrol-show-reservation", text)) if isinstance(fact, Reservation)]

    assert [(fact.name, fact.users, fact.accounts, fact.groups, fact.nodes) for fact in found] == [
        ("r", ("ana", "bo"), (), (), ("n1", "n2")),
        ("s", (), ("vision",), ("ml",), ()),
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n1", ("n1",)),
        ("n[1-3,7],login", ("n1", "n2", "n3", "n7", "login")),
        ("n[08-10]", ("n08", "n09", "n10")),
        ("r[1-2]n[1-2]", ("r1n1", "r1n2", "r2n1", "r2n2")),
        ("(null)", ()),
        ("n[1-99999999]", ("n[1-99999999]",)),
        ("n[a-b]", ("na-b",)),
        ("n[1", ("n[1",)),
    ],
)
def test_host_lists(text: str, names: tuple[str, ...]) -> None:
    assert hosts(text) == names


def test_an_open_partition_over_all_nodes_takes_those_of_the_others() -> None:
    found = resolved(config(), document("slurm.conf", "PartitionName=dev Nodes=ALL\nPartitionName=gpu Nodes=n1 AllowAccounts=vision\n"))

    assert "login node of lab > partition gpu" in list(edges(found, "consume capacity of"))
