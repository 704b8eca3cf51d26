"""Who is in which account, who has power over which, and whose capacity nobody keeps."""

import pytest

from partywall.model.document import Gap
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.thing import Thing
from partywall.resolve.slurm import resolve
from partywall.resolve.slurm.compute import preemption
from partywall.resolve.slurm.view import visibility
from tests.unit.slurm_words import (
    ASSOCIATIONS,
    USERS,
    associations,
    cluster,
    config,
    database,
    document,
    edges,
    facts,
    gaps,
    holds,
    notes,
    partition,
    partitions,
    resolved,
    users,
)


def test_an_association_is_membership_and_capacity() -> None:
    found = resolved(associations())

    assert "os user ana > slurm account vision" in list(edges(found, "is member of"))
    assert "os user ana > slurm account vision" in list(edges(found, "consume capacity of"))


def test_everybody_meets_with_an_association_or_without() -> None:
    bare = USERS + "nemo||None|\n"

    found = list(edges(resolved(associations(), users(bare), named=("user:kit", "account:ghost")), "works on"))

    assert {f"os user {name} > login node of lab" for name in ("root", "ana", "dee", "bo", "nemo", "kit")} <= set(found)
    assert not [text for text in found if "ghost" in text]


def test_who_is_only_named_meets_where_nothing_was_listed() -> None:
    found = list(edges(resolved(config(private="none"), named=("user:kit", "account:vision"))))

    assert found == ["os user kit > login node of lab", "slurm account vision > login node of lab", "login node of lab > jobs of lab"]


def test_accounts_are_inside_their_parents_but_not_inside_root() -> None:
    inside = {str(thing.node): thing.parent and str(thing.parent) for thing in resolved(associations()) if isinstance(thing, Thing)}

    assert inside["slurm account vision"] == "slurm account org"
    assert inside["slurm account org"] is None


@pytest.mark.parametrize("level", ["Operator", "Administrator"])
def test_levels_are_power_over_every_account(level: str) -> None:
    found = resolved(associations(), users(USERS.replace("bo|speech|None", f"bo|speech|{level}")))

    assert "os user bo > slurm administrator of lab" in list(edges(found, "becomes administrator of"))
    assert list(edges(found, "contains")) == [f"slurm administrator of lab > slurm account {name}" for name in ("org", "speech", "vision")]


def test_a_level_that_two_listings_show_goes_with_one_lever() -> None:
    text = USERS.replace("bo|speech|None", "bo|speech|Operator")
    here = facts(associations(), users(text), document("sacctmgr-show-user", text, name="again.txt"))

    (edge,) = (
        each for each in resolve(here) if isinstance(each, Edge) and each.source.name == "bo" and each.verb == "becomes administrator of"
    )
    assert edge.lever.change is not None
    assert "os user bo > slurm administrator of lab" not in list(edges(list(resolve(here.patched(edge.lever.change)))))


def test_a_coordinator_rules_all_below_by_one_lever() -> None:
    text = USERS.replace("dee|vision|None|", "dee|vision|None|org,speech,vision")
    here = facts(associations(), users(text))
    found = [edge for edge in resolve(here) if isinstance(edge, Edge) and edge.verb == "coordinates"]

    assert sorted((edge.target.name, edge.note) for edge in found) == [
        ("org", ""),
        ("speech", "inherited from org"),
        ("vision", "inherited from org"),
    ]
    assert {edge.lever.text for edge in found} == {"remove coordinator dee from account org and from those below it"}
    change = found[0].lever.change
    assert change is not None
    assert not list(edges(list(resolve(here.patched(change))), "coordinates"))


def test_coordinators_of_accounts_count_like_those_of_users() -> None:
    accounts = document("sacctmgr-show-account", "Account|Descr|Org|Coord Accounts\nroot|||\nvision|||dee\n")

    found = resolved(associations(), accounts)

    assert list(edges(found, "coordinates")) == ["os user dee > slurm account vision"]


def test_coordinators_over_a_tree_that_nobody_told_are_in_question() -> None:
    flat = associations("Account|User|QOS\nroot||normal\nroot|root|normal\nvision||normal\nspeech||normal\n")

    found = resolved(flat, users("User|Admin|Coord Accounts\nroot|None|\ndee|None|vision\n"))

    assert list(edges(found, "coordinates")) == ["os user dee > slurm account vision"]
    assert gaps(found) == ["which account of lab is above which: the listing names no parents"]
    assert gaps(resolved(flat, users("User|Admin|Coord Accounts\nroot|None|\ndee|None|vision\n"), named=("account:vision",))) == []


def test_a_flag_makes_every_member_a_coordinator() -> None:
    accounts = document("sacctmgr-show-account", "Account|Descr|Org|Flags\nroot|||None\norg|||UsersAreCoords\nvision|||UsersAreCoords\n")

    found = list(edges(resolved(associations(), accounts), "coordinates"))

    assert found == ["os user ana > slurm account vision", "os user dee > slurm account vision"]


VIEW = {
    "nothing hidden": ("none", "none", ["list jobs: jobs of lab", "list accounting: jobs of lab (accounting)"]),
    "hidden in both": ("jobs,usage,users,accounts,reservations", "jobs,usage,users,accounts", []),
    "hidden by slurmctld only": ("jobs,usage,users,accounts,reservations", "none", ["list accounting: jobs of lab (accounting)"]),
    "hidden by slurmdbd only": ("none", "jobs,usage,users,accounts", ["list jobs: jobs of lab"]),
    "all": ("all", "all", []),
    "usage is not": ("jobs,users,accounts,reservations", "jobs,usage,users,accounts", ["list accounting: jobs of lab (usage)"]),
    "names are not": ("jobs,usage", "jobs,usage", ["list names: jobs of lab", "list names: jobs of lab (accounting)"]),
}


@pytest.mark.parametrize(("controller", "accounting", "expected"), VIEW.values(), ids=VIEW)
def test_what_everybody_sees(controller: str, accounting: str, expected: list[str]) -> None:
    found = visibility(cluster(config(private=controller), database(accounting), associations()))

    assert [f"{edge.verb}: {edge.target}" for edge in found if isinstance(edge, Edge)] == expected


def test_hidden_jobs_are_held() -> None:
    assert "slurm account vision: PrivateData hides jobs from squeue and scontrol" in holds(resolved(config(), associations()))


def test_a_place_of_private_data_that_was_not_read_is_a_gap() -> None:
    assert gaps(resolved(config(), associations())) == ["whether PrivateData of lab hides jobs from sacct"]
    assert gaps(resolved(database(), associations())) == ["whether PrivateData of lab hides jobs from squeue"]
    assert gaps(resolved(config(AccountingStorageType="accounting_storage/none"), associations())) == []
    assert gaps(resolved(associations())) == []


def test_sacctmgr_tells_what_slurm_conf_hides_where_scontrol_was_not_asked() -> None:
    found = resolved(database(client="none"), associations())

    assert list(edges(found, "list jobs")) == ["login node of lab > jobs of lab"]
    assert gaps(found) == []


def test_the_lever_of_private_data_is_proved() -> None:
    here = facts(config(private="none"), document("slurm.conf", "PrivateData=none\n"), database("none"), associations())

    for edge in [each for each in resolve(here) if isinstance(each, Edge) and each.verb in ("list jobs", "list accounting")]:
        assert edge.lever.change is not None
        left = list(resolve(here.patched(edge.lever.change)))
        assert edge.verb not in {each.verb for each in left if isinstance(each, Edge)}


PLAIN = {
    "24.11": "Lineage|Account|User|QOS\n/org/vision/0-ana/|vision|ana|normal\n",
    "22.05": "Account|User|ParentName|QOS\nroot|||normal\norg||root|normal\nvision||org|normal\nvision|ana||normal\n",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_a_plain_user_sees_is_a_gap_towards_everybody_named(text: str) -> None:
    (gap,) = (each for each in resolved(associations(text), named=("account:speech", "user:bo")) if isinstance(each, Gap))

    assert gap.what == "the associations of lab: the listing shows ana's rows only, as a plain user sees them"
    assert {"slurm account speech", "os user bo", "slurm account vision"} <= {str(node) for node in gap.nodes}


def test_what_a_coordinator_sees_where_users_are_hidden_is_a_gap() -> None:
    mine = associations("Account|User|ParentName|QOS\nvision||root|normal\nvision|ana||normal\nvision|dee||normal\n")

    assert gaps(resolved(database(), mine, config())) == [
        "the associations of lab: the listing shows not even root's rows, as a plain user sees them"
    ]
    assert gaps(resolved(database("jobs"), mine, config())) == []


def test_limits_that_nothing_enforces() -> None:
    loud = list(edges(resolved(config(enforce="associations"), associations()), "consume capacity of"))
    quiet = list(edges(resolved(config(), associations()), "consume capacity of"))

    assert "slurm account vision > capacity of lab" in loud
    assert "slurm account vision > capacity of lab" not in quiet


@pytest.mark.parametrize(("enforce", "loud"), [("none", True), ("associations", False)])
def test_a_user_without_an_association_takes_any_accounts_name(enforce: str, loud: bool) -> None:
    found = list(edges(resolved(config(enforce=enforce), associations(), named=("user:kit", "user:slurm")), "consume capacity of"))

    assert ("os user kit > slurm accounts *" in found) is loud
    assert "os user slurm > slurm accounts *" not in found


QUALITIES = document("sacctmgr-show-qos", "Name|Preempt|PreemptMode\nnormal||cluster\nhigh|normal|cluster\n")
STRONG = ASSOCIATIONS.replace("lab|speech|bo||||normal|", "lab|speech|bo||||high,normal|")


@pytest.mark.parametrize(
    ("mode", "enforce", "expected"),
    [
        ({"PreemptType": "preempt/qos", "PreemptMode": "REQUEUE"}, "qos", ["slurm account speech > slurm account vision"]),
        ({"PreemptType": "preempt/qos", "PreemptMode": "REQUEUE"}, "associations", ["login node of lab > slurm account vision"]),
        ({"PreemptType": "preempt/qos", "PreemptMode": "OFF"}, "qos", []),
        ({"PreemptType": "preempt/none"}, "qos", []),
        ({}, "qos", []),
    ],
)
def test_who_preempts_an_account_that_nobody_may(mode: dict[str, str], enforce: str, expected: list[str]) -> None:
    here = cluster(config(enforce=enforce, **mode), associations(STRONG), QUALITIES)

    assert list(edges(list(preemption(here, ("vision",))))) == expected
    assert list(preemption(here, ())) == []


def test_preemption_by_the_priority_of_partitions_is_in_question() -> None:
    here = cluster(config(PreemptType="preempt/partition_prio"), associations())

    assert gaps(list(preemption(here, ("vision",)))) == ["who preempts whom on lab by the priority of partitions (preempt/partition_prio)"]


def test_an_included_file_that_is_absent_is_a_gap_unless_the_controller_was_asked() -> None:
    conf = document("slurm.conf", "PrivateData=jobs,usage\nInclude /opt/slurm/etc/more.conf\n")
    more = document("slurm.conf", "AccountingStorageEnforce=none\n", name="conf/more.conf")

    assert "/opt/slurm/etc/more.conf, which slurm.conf of lab includes" in gaps(resolved(conf, associations()))
    assert "/opt/slurm/etc/more.conf, which slurm.conf of lab includes" not in gaps(resolved(conf, more, associations()))
    assert "/opt/slurm/etc/more.conf, which slurm.conf of lab includes" not in gaps(resolved(conf, config(), associations()))


def test_a_file_that_is_not_in_force_is_an_assumption() -> None:
    conf = document("slurm.conf", "PrivateData=jobs\nAccountingStorageEnforce=safe,qos,limits,associations\nPartitionName=gpu Nodes=n1\n")

    found = notes(resolved(config(private="none"), conf, partitions(partition("gpu", AllowAccounts="vision"))))

    assert found == [
        "privatedata is jobs in slurm.conf of lab and none in force: judged by what is in force",
        "the lists of partition gpu in slurm.conf of lab are not those in force: judged by what is in force",
    ]


def test_processes_without_cgroups_and_shared_nodes_are_assumptions() -> None:
    gpu, cpu = partition("gpu", AllowAccounts="vision"), partition("cpu", AllowAccounts="speech")

    found = notes(resolved(config(ProctrackType="proctrack/linuxproc"), partitions(gpu, cpu)))

    assert len(found) == 2
    assert (
        notes(resolved(config(ProctrackType="proctrack/cgroup"), partitions(gpu, partition("far", AllowAccounts="speech", Nodes="n9"))))
        == []
    )


def test_two_clusters_do_not_mix() -> None:
    other = document("scontrol-show-partition", partition("gpu"), cluster="111122223333/us-east-2/other")

    found = resolved(config(), associations(), partitions(partition("gpu", AllowAccounts="vision")), other)

    assert "login node of other > partition gpu" in list(edges(found))
    assert "login node of lab > partition gpu" not in list(edges(found))


def test_nothing_comes_of_nothing() -> None:
    assert list(resolve(Facts())) == []
