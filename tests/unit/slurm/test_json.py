"""`--json` and slurmrestd, in the shapes of 22.05 to 26.05."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from partywall.model.document import Document, Form, Gap
from partywall.model.facts import Listed
from partywall.model.facts_slurm import Association, Partition, Qos, Reservation, SlurmAccount, SlurmRelease, SlurmUser
from partywall.resolve.slurm.cluster import DATABASE, PRIVATE
from tests.unit.slurm_words import cluster, document, notes, parsed, resolved

META = {"slurm": {"release": "24.11.5"}, "plugin": {"data_parser": "data_parser/v0.0.42"}}


def answer(what: str, value: Mapping[str, Any]) -> Document:
    return document(what, json.dumps(value), value={**value, "meta": META}, form=Form.JSON, name=f"{what}.json")


TRES = {"type": "gres", "name": "gpu", "id": 1001, "count": 4}
NEW = {
    "account": "vision",
    "user": "",
    "partition": "",
    "parent_account": "org",
    "lineage": "/org/vision/",
    "qos": ["normal"],
    "max": {"tres": {"total": [TRES]}},
}
OLD = {"account": "vision", "user": None, "partition": None, "parent_account": "org", "qos": ["normal"], "max": {"tres": {"total": [TRES]}}}
ROOT = {"account": "root", "user": "root", "qos": ["normal"]}


@pytest.mark.parametrize("row", [NEW, OLD, {**NEW, "parent_account": ""}], ids=["v0.0.42", "v0.0.38", "lineage only"])
def test_associations(row: Mapping[str, Any]) -> None:
    found = parsed(answer("sacctmgr-show-assoc", {"associations": [row, ROOT]}))

    first, second = (fact for fact in found if isinstance(fact, Association))
    assert (first.account, first.user, first.partition, first.parent, first.qos, dict(first.limits)) == (
        "vision",
        "",
        "",
        "org",
        ("normal",),
        {"GrpTRES": "gres/gpu=4"},
    )
    assert str(second.at) == "sacctmgr-show-assoc.json#/associations/1"
    assert [fact.version for fact in found if isinstance(fact, SlurmRelease)] == ["24.11.5"]
    assert [fact.kind for fact in found if isinstance(fact, Listed)] == ["SlurmAssociation"]


@pytest.mark.parametrize("level", ["Operator", ["Operator"]], ids=["text", "list"])
@pytest.mark.parametrize(("direct", "inherited"), [(1, 0), (True, False)])
def test_users_keep_what_they_coordinate_themselves(level: object, direct: object, inherited: object) -> None:
    who = {
        "name": "dee",
        "administrator_level": level,
        "default": {"account": "vision"},
        "coordinators": [{"name": "org", "direct": direct}, {"name": "vision", "direct": inherited}],
        "associations": [{"account": "vision", "user": "dee", "partition": None}],
    }
    found = parsed(answer("sacctmgr-show-user", {"users": [who, {"name": "root"}]}))

    first, second = (fact for fact in found if isinstance(fact, SlurmUser))
    assert (first.name, first.admin, first.coordinates, first.default_account) == ("dee", "Operator", ("org",), "vision")
    assert (second.name, second.admin) == ("root", "")
    (association,) = (fact for fact in found if isinstance(fact, Association))
    assert (association.account, association.user, association.qos_told) == ("vision", "dee", False)


def test_accounts_and_qualities() -> None:
    accounts = {"accounts": [{"name": "vision", "flags": ["UsersAreCoords"], "coordinators": [{"name": "dee", "direct": True}]}]}
    qualities = {
        "QOS": [{"name": "high", "preempt": {"list": ["normal"], "mode": ["CANCEL"]}, "limits": {"max": {"tres": {"total": [TRES]}}}}]
    }

    (account,) = (fact for fact in parsed(answer("sacctmgr-show-account", accounts)) if isinstance(fact, SlurmAccount))
    (quality,) = (fact for fact in parsed(answer("sacctmgr-show-qos", qualities)) if isinstance(fact, Qos))

    assert (account.name, account.coordinators, account.flags) == ("vision", ("dee",), ("UsersAreCoords",))
    assert (quality.name, quality.preempts, quality.preempt_mode, dict(quality.limits)) == (
        "high",
        ("normal",),
        "cancel",
        {"GrpTRES": "gres/gpu=4"},
    )


FLAT = {
    "name": "p",
    "allowed_accounts": "vision",
    "denied_accounts": "",
    "allowed_groups": "",
    "allowed_qos": "",
    "nodes": "n[1-2]",
    "flags": ["root_only"],
    "qos": "cap",
}
NESTED = {
    "name": "p",
    "accounts": {"allowed": "vision", "deny": ""},
    "groups": {"allowed": ""},
    "qos": {"allowed": "", "deny": "", "assigned": "cap"},
    "nodes": {"configured": "n[1-2]"},
}


@pytest.mark.parametrize(
    ("row", "root_only", "told"),
    [(FLAT, True, True), (NESTED, False, False), ({**NESTED, "flags": ["ROOT_ONLY"]}, True, True)],
    ids=["v0.0.38", "v0.0.42", "v0.0.45"],
)
def test_partitions(row: Mapping[str, Any], root_only: bool, told: bool) -> None:
    (found,) = (fact for fact in parsed(answer("scontrol-show-partition", {"partitions": [row]})) if isinstance(fact, Partition))

    assert (found.name, found.allow_accounts, found.deny_accounts, found.nodes, found.qos) == ("p", ("vision",), (), ("n1", "n2"), "cap")
    assert (found.root_only, found.flags_told) == (root_only, told)


@pytest.mark.parametrize("flag", ["reservation_required", "REQ_RESV"])
def test_the_flag_of_reservations_in_both_words(flag: str) -> None:
    (found,) = (
        fact
        for fact in parsed(answer("scontrol-show-partition", {"partitions": [{**FLAT, "flags": [flag]}]}))
        if isinstance(fact, Partition)
    )

    assert found.needs_reservation


def test_flags_that_are_not_told_are_an_assumption() -> None:
    found = resolved(answer("scontrol-show-partition", {"partitions": [NESTED]}))

    assert notes(found) == ["RootOnly, ReqResv and Hidden of partition p of lab are not told there: taken as not set"]


def test_reservations() -> None:
    row = {"name": "r", "users": "ana,bo", "accounts": "", "node_list": "n1"}

    (found,) = (fact for fact in parsed(answer("scontrol-show-reservation", {"reservations": [row]})) if isinstance(fact, Reservation))

    assert (found.name, found.users, found.accounts, found.nodes) == ("r", ("ana", "bo"), (), ("n1",))


def test_the_configuration_of_26_05() -> None:
    told = {
        "PrivateData": ["jobs", "usage"],
        "AccountingStorageEnforce": [],
        "PreemptType": "preempt/qos",
        "PreemptExemptTime": {"set": True},
    }

    here = cluster(answer("scontrol-show-config", {"slurm_conf": told}))

    assert here.words("privatedata") == {"jobs", "usage"}
    assert here.enforced == set()
    assert here.version is not None
    assert (here.version.year, here.version.month) == (24, 11)


def test_the_configuration_of_slurmdbd_leaves_private_data_unknown() -> None:
    here = cluster(answer("sacctmgr-show-config", {"slurmdbd_conf": {"StorageLoc": "slurm_acct_db"}}))

    assert not here.tells(PRIVATE, DATABASE)


def test_all_of_accounting_in_one_answer() -> None:
    value = {
        "clusters": [],
        "associations": [NEW, ROOT],
        "users": [{"name": "root"}, {"name": "dee"}],
        "accounts": [{"name": "vision"}],
        "qos": [{"name": "normal"}],
    }

    found = parsed(answer("sacctmgr-dump", value))

    assert [fact.kind for fact in found if isinstance(fact, Listed)] == ["SlurmAssociation", "SlurmUser", "SlurmAccount", "SlurmQos"]
    assert len([fact for fact in found if isinstance(fact, SlurmRelease)]) == 1


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"associations": None}, "sacctmgr-show-assoc.json holds no array `associations`"),
        ({"associations": [], "errors": [{"error": "x"}]}, "sacctmgr-show-assoc.json holds nothing but errors"),
        ({"associations": ["x", ROOT]}, "sacctmgr-show-assoc.json holds something in `associations` that is no object"),
        ({"associations": []}, "sacctmgr-show-assoc.json shows no row at all, not even root's, as a plain user sees them"),
    ],
)
def test_what_cannot_be_read_is_a_gap(value: Mapping[str, Any], what: str) -> None:
    assert [gap.what for gap in parsed(answer("sacctmgr-show-assoc", value)) if isinstance(gap, Gap)] == [what]


def test_json_of_a_command_that_prints_none_is_a_gap() -> None:
    (gap,) = parsed(answer("scontrol-show-assoc_mgr", {}))

    assert isinstance(gap, Gap)
    assert gap.what == "scontrol-show-assoc_mgr.json is JSON, which this command does not print"


def test_a_refused_answer_is_a_gap() -> None:
    (gap,) = parsed(answer("error-answer", {"errors": [{"error": "Access/permission denied"}]}))

    assert isinstance(gap, Gap)
    assert gap.what == "error-answer.json holds nothing but errors: Access/permission denied"
