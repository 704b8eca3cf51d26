"""Whose partitions somebody can take: loud and quiet, and what is in question."""

import pytest

from partywall.model.document import Assumption, Document
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.tenancy import Contract, Status
from partywall.resolve import Resolved
from partywall.resolve.slurm import resolve
from tests.unit.slurm_words import (
    CLUSTER,
    associations,
    config,
    database,
    document,
    edges,
    facts,
    gaps,
    holds,
    partition,
    partitions,
    resolved,
)

TAKES = "consume capacity of"
EVERYBODY = "login node of lab > partition {}"
GPU = partition("gpu", AllowAccounts="vision")


def taken(*documents: Document, named: tuple[str, ...] = ()) -> list[str]:
    found = resolved(*documents, named=named)
    return [text for text in edges(found, TAKES) if "> partition" in text]


def asked(found: list[Resolved]) -> list[str]:
    """Return the gaps of partitions; who sees jobs is another test's matter."""
    return [text for text in gaps(found) if "PrivateData" not in text]


def test_a_list_that_counts_lets_its_account_in_and_nobody_else() -> None:
    found = resolved(config(), associations(), partitions(GPU))

    assert [text for text in edges(found, TAKES) if "> partition" in text] == ["slurm account vision > partition gpu"]
    assert "partition gpu: AllowAccounts of partition gpu, which counts" in holds(found)
    assert asked(found) == []


@pytest.mark.parametrize(
    ("version", "enforce", "expected"),
    [
        ("24.11.5", "none", ["login node of lab > partition gpu"]),
        ("23.02.0", "none", ["login node of lab > partition gpu"]),
        ("22.05.8", "none", ["slurm account vision > partition gpu"]),
        ("24.11.5", "qos", ["slurm account vision > partition gpu"]),
        ("", "none", ["login node of lab > partition gpu (unknown)", "slurm account vision > partition gpu"]),
        ("", "associations", ["slurm account vision > partition gpu"]),
    ],
)
def test_a_list_counts_by_version_and_enforcement(version: str, enforce: str, expected: list[str]) -> None:
    assert taken(config(version=version, enforce=enforce), associations(), partitions(GPU)) == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("24.11.5", ["login node of lab > partition gpu"]),
        ("22.05.8", []),
        ("", ["login node of lab > partition gpu (unknown)"]),
    ],
)
def test_a_list_of_no_account_that_exists(version: str, expected: list[str]) -> None:
    assert taken(config(version=version), associations(), partitions(partition("gpu", AllowAccounts="visoin"))) == expected


def test_one_name_that_exists_makes_it_a_list_in_any_case_of_letters() -> None:
    assert taken(config(), associations(), partitions(partition("gpu", AllowAccounts="visoin,VISION"))) == [
        "slurm account vision > partition gpu"
    ]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("24.11.5", ["slurm account org > partition gpu", "slurm account speech > partition gpu", "slurm account vision > partition gpu"]),
        ("22.05.8", ["slurm account org > partition gpu"]),
        (
            "",
            [
                "slurm account org > partition gpu",
                "slurm account speech > partition gpu (unknown)",
                "slurm account vision > partition gpu (unknown)",
            ],
        ),
    ],
)
def test_a_list_holds_for_what_is_below_from_23_02_on(version: str, expected: list[str]) -> None:
    assert taken(config(version=version), associations(), partitions(partition("gpu", AllowAccounts="org"))) == expected


def test_deny_accounts_shuts_out_its_own_only() -> None:
    shut = partition("gpu", AllowAccounts="", DenyAccounts="vision")

    assert taken(config(), associations(), partitions(shut)) == [
        f"slurm account {name} > partition gpu" for name in ("org", "root", "speech")
    ]


def test_deny_accounts_beside_a_list_is_ignored() -> None:
    both = document("slurm.conf", "PartitionName=gpu Nodes=n1 AllowAccounts=vision DenyAccounts=vision\n")

    assert taken(config(), associations(), both) == ["slurm account vision > partition gpu"]


def test_a_partition_without_a_list_is_open_whatever_is_enforced() -> None:
    assert taken(partitions(partition("dev"))) == [EVERYBODY.format("dev")]


def test_an_open_partition_has_the_nodes_of_one_with_a_list() -> None:
    found = resolved(config(), associations(), partitions(partition("dev"), GPU, partition("far", AllowAccounts="vision", Nodes="n9")))

    (wide,) = (edge for edge in found if isinstance(edge, Edge) and "and has its node" in edge.note)
    assert str(wide.target) == "partition gpu"
    assert wide.note == "partition dev is open to all and has its node n1"
    assert wide.lever.name == "dev"


def test_a_partition_that_enforcement_opens_is_wide_too_but_not_over_itself() -> None:
    other = partition("cpu", AllowAccounts="speech")

    assert taken(config(enforce="none"), associations(), partitions(GPU, other)) == [EVERYBODY.format("gpu"), EVERYBODY.format("cpu")]


@pytest.mark.parametrize("told", [{"RootOnly": "YES"}, {"ReqResv": "YES"}])
def test_root_only_and_reservations_let_nobody_in_by_themselves(told: dict[str, str]) -> None:
    here = resolved(
        config(),
        associations(),
        document("scontrol-show-reservation", "No reservations in the system"),
        partitions(partition("gpu", **told)),
    )

    assert [text for text in edges(here, TAKES) if "> partition" in text] == []
    assert len(holds(here)) > 0
    assert asked(here) == []


def test_reservations_that_were_not_read_are_a_gap() -> None:
    found = resolved(config(), associations(), partitions(partition("gpu", ReqResv="YES")))

    assert asked(found) == ["for whom the reservations are with which jobs run in partition gpu of lab"]


RESERVED = """ReservationName=r StartTime=x Nodes=n1 Users=ana Accounts=(null)
ReservationName=s StartTime=x Nodes=n1 Users=(null) Accounts=org
ReservationName=far StartTime=x Nodes=n9 Users=bo Accounts=(null)
"""


def test_whom_a_reservation_names_comes_in_with_all_below() -> None:
    reserved = document("scontrol-show-reservation", RESERVED)

    assert taken(config(), associations(), reserved, partitions(partition("gpu", ReqResv="YES"))) == [
        "os user ana > partition gpu",
        "slurm account org > partition gpu",
        "slurm account vision > partition gpu",
        "slurm account speech > partition gpu",
    ]


def test_a_reservation_does_not_open_a_list() -> None:
    reserved = document("scontrol-show-reservation", RESERVED)

    assert taken(config(), associations(), reserved, partitions(partition("gpu", ReqResv="YES", AllowAccounts="speech"))) == [
        "slurm account speech > partition gpu"
    ]


def test_a_reservation_for_users_of_accounts_is_in_question() -> None:
    reserved = document("scontrol-show-reservation", "ReservationName=r StartTime=x Nodes=n1 Users=ana Accounts=speech\n")

    assert taken(config(), associations(), reserved, partitions(partition("gpu", ReqResv="YES"))) == [
        "os user ana > partition gpu (unknown)",
        "slurm account speech > partition gpu (unknown)",
    ]


def test_unix_groups_are_a_gap_until_somebody_tells_them() -> None:
    open_to = partitions(partition("gpu", AllowGroups="ml"))

    assert asked(resolved(config(), associations(), open_to)) == ["who is in the UNIX groups ml that partition gpu of lab lets in"]


def test_unix_groups_let_their_members_in_and_those_whose_first_group_it_is() -> None:
    groups, logins = (
        document("getent-group", "ml:x:7100:ana\n"),
        document("getent-passwd", "bo:x:7002:7100::/home/bo:/bin/sh\nana:x:7001:1::/:/bin/sh\n"),
    )
    open_to = partitions(partition("gpu", AllowGroups="ml"))

    found = resolved(config(), associations(), open_to, groups, logins)
    without = resolved(config(), associations(), open_to, groups)

    assert [text for text in edges(found, TAKES) if "> partition" in text] == ["os user ana > partition gpu", "os user bo > partition gpu"]
    assert asked(found) == []
    assert asked(without) == ["who is in the UNIX groups ml that partition gpu of lab lets in"]


def test_groups_behind_a_list_that_counts_leave_only_its_accounts_in_question() -> None:
    found = resolved(config(), associations(), partitions(partition("gpu", AllowGroups="ml", AllowAccounts="vision")))

    assert [text for text in edges(found, TAKES) if "> partition" in text] == ["slurm account vision > partition gpu (unknown)"]
    assert asked(found) == []


@pytest.mark.parametrize(
    ("enforce", "expected"),
    [
        ("associations,limits", ["login node of lab > partition gpu"]),
        ("associations,qos", ["slurm account vision > partition gpu"]),
    ],
)
def test_a_list_of_qos_counts_where_qos_is_enforced(enforce: str, expected: list[str]) -> None:
    assert taken(config(enforce=enforce), associations(), partitions(partition("gpu", AllowQos="low"))) == expected


def test_a_list_of_qos_over_associations_whose_qos_nobody_told_is_in_question() -> None:
    bare = associations("Account|User|ParentName\nroot||\nroot|root|\nvision||root\nvision|ana|\n")

    assert taken(config(), bare, partitions(partition("gpu", AllowQos="low"))) == [
        "slurm account root > partition gpu (unknown)",
        "slurm account vision > partition gpu (unknown)",
    ]


def test_a_list_of_qos_without_the_configuration_is_a_gap() -> None:
    assert asked(resolved(associations(), partitions(partition("gpu", AllowQos="low")))) == [
        "whether AllowQos of partition gpu of lab counts (AccountingStorageEnforce)"
    ]


@pytest.mark.parametrize(("version", "in_question"), [("24.11.5", True), ("22.05.8", False)])
def test_without_the_configuration_a_list_is_a_gap_unless_its_version_settles_it(version: str, in_question: bool) -> None:
    told = document("sacctmgr-show-config", f"Configuration data as of x\nSLURM_VERSION          = {version}\n")

    found = resolved(told, associations(), partitions(GPU))

    assert ("whether the list of accounts of partition gpu of lab counts (AccountingStorageEnforce)" in asked(found)) is in_question
    assert list(edges(found, TAKES))[-1] == "slurm account vision > partition gpu"


def test_a_list_over_accounts_that_nobody_listed_is_in_question_and_not_open() -> None:
    found = resolved(config(), partitions(GPU), named=("account:vision", "account:speech"))

    assert asked(found) == ["whether any account exists that partition gpu of lab lists: a list of none is no list"]
    assert list(edges(found, TAKES)) == ["slurm account vision > partition gpu"]


def test_an_old_list_over_accounts_that_nobody_listed_counts_as_written() -> None:
    found = resolved(config(version="22.05.8"), partitions(GPU), named=("account:vision", "account:speech"))

    assert asked(found) == []
    assert list(edges(found, TAKES)) == ["slurm account vision > partition gpu"]


def test_a_listing_that_tells_no_parents_leaves_lists_in_question() -> None:
    flat = associations("Account|User|QOS\nroot||normal\nroot|root|normal\nvision||normal\nspeech||normal\n")

    assert asked(resolved(config(), flat, partitions(GPU))) == ["which account of lab is above which: the listing names no parents"]
    assert asked(resolved(config(version="22.05.8"), flat, partitions(GPU))) == []
    assert asked(resolved(config(enforce="none"), flat, partitions(GPU))) == []
    assert asked(resolved(config(), flat, partitions(partition("gpu", AllowAccounts="vision,speech,root")))) == []


def test_parents_matter_below_accounts_that_the_tenancy_does_not_name() -> None:
    flat = associations("Account|User|QOS\nroot||normal\nroot|root|normal\norg||normal\nvision||normal\nspeech||normal\n")
    claimed = ("account:vision", "account:speech")
    told = "which account of lab is above which: the listing names no parents"

    assert asked(resolved(config(), flat, partitions(GPU), named=claimed)) == []
    assert asked(resolved(config(), flat, partitions(partition("gpu", AllowAccounts="vision,org")), named=claimed)) == [told]
    assert asked(resolved(config(), flat, partitions(partition("gpu", DenyAccounts="org")), named=claimed)) == []


def test_the_same_partition_in_two_answers_is_one() -> None:
    twice = (partitions(GPU), document("scontrol-show-partition", GPU, name="again.txt"))

    assert taken(config(), associations(), *twice) == ["slurm account vision > partition gpu"]


def test_a_partition_that_the_tenancy_names_is_not_judged_where_no_partition_was_read() -> None:
    named = ("partition:gpu",)

    def told(*documents: Document) -> list[str]:
        found = resolved(config(), associations(), *documents, named=named)
        return [item.text for item in found if isinstance(item, Assumption) and "partition" in item.text]

    assert told() == ["whom the partitions gpu of lab let in is not judged: no partition was given"]
    assert told(partitions(partition("other", AllowAccounts="vision"))) == []
    assert told(document("slurm.conf", "PartitionName=gpu Nodes=n1\n")) == []
    assert asked(resolved(config(), associations(), named=named)) == []


def test_a_reservation_that_leaves_somebody_out_or_is_for_a_group_is_in_question() -> None:
    reserved = partitions(partition("gpu", ReqResv="YES"))
    but = document("scontrol-show-reservation", "ReservationName=r StartTime=x Nodes=n1 Users=-ana Accounts=(null)\n")
    group = document("scontrol-show-reservation", "ReservationName=r StartTime=x Nodes=n1 Users=(null) Groups=ml Accounts=(null)\n")

    assert taken(config(), associations(), reserved, but) == ["login node of lab > partition gpu (unknown)"]
    assert asked(resolved(config(), associations(), reserved, group)) == ["who is in the UNIX groups ml that reservation r of lab is for"]


@pytest.mark.parametrize(("status", "proved"), [(Status.APPROVED, True), (Status.DRAFT, False)])
def test_a_contract_tells_whose_accounts_close_a_partition(status: Status, proved: bool) -> None:
    scope = {"slurm_partitions": ["gpu"], "slurm_accounts": ["vision", "ghost"]}
    contract = Contract("vision", status, document("contract", "").at(), "contract.yaml", CLUSTER, {"scope": scope}, {})
    here = Facts((*facts(config(), associations(), partitions(partition("gpu"))), contract))

    (edge,) = (each for each in resolve(here) if isinstance(each, Edge) and each.target.name == "gpu")

    assert (edge.lever.change is not None) is proved
    if edge.lever.change is not None:
        closed = list(resolve(here.patched(edge.lever.change)))
        assert [text for text in edges(closed, TAKES) if "> partition" in text] == ["slurm account vision > partition gpu"]


def test_a_list_of_accounts_that_a_coordinator_does_not_see_is_in_question_and_not_open() -> None:
    mine = associations("Account|User|ParentName|QOS\nvision||root|normal\nvision|ana||normal\nvision|dee||normal\n")

    found = resolved(config(), database(), mine, partitions(partition("cpu", AllowAccounts="speech")))

    assert [text for text in edges(found, TAKES) if "> partition" in text] == []
    assert "whether any account exists that partition cpu of lab lists: a list of none is no list" in asked(found)
