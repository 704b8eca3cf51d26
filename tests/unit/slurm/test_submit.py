"""One job of one user: what becomes of it, beyond what was recorded."""

import pytest

from partywall.resolve.slurm import Answer, may_submit
from tests.unit.slurm_words import ASSOCIATIONS, associations, cluster, config, document, partition, partitions, users

HERE = (associations(), users())
GPU = partition("gpu", AllowAccounts="vision")


@pytest.mark.parametrize(
    ("user", "account", "enforce", "answer"),
    [
        ("ana", "vision", "safe", Answer.ALLOWED),
        ("ana", "", "safe", Answer.ALLOWED),
        ("ana", "speech", "safe", Answer.DENIED),
        ("ana", "speech", "none", Answer.RELABELLED),
        ("kit", "speech", "none", Answer.ALLOWED),
        ("kit", "speech", "wckeys", Answer.DENIED),
        ("kit", "", "limits", Answer.DENIED),
    ],
)
def test_the_account_of_a_job(user: str, account: str, enforce: str, answer: Answer) -> None:
    assert may_submit(cluster(config(enforce=enforce), *HERE), user, account, None).answer is answer


def test_without_the_configuration_another_accounts_job_is_unknown() -> None:
    assert may_submit(cluster(*HERE), "ana", "speech", None).answer is Answer.UNKNOWN


@pytest.mark.parametrize(("limits", "answer"), [("NO", Answer.QUEUED), ("ALL", Answer.DENIED), ("ANY", Answer.DENIED)])
def test_a_job_that_a_list_shuts_out_waits_or_is_refused(limits: str, answer: Answer) -> None:
    here = cluster(config(EnforcePartLimits=limits), *HERE, partitions(GPU))

    said = may_submit(here, "bo", "speech", here.partitions[0])

    assert said.answer is answer
    assert said.why == "AllowAccounts=vision"


@pytest.mark.parametrize(("qos", "answer"), [("low", Answer.ALLOWED), ("high", Answer.DENIED), ("", Answer.ALLOWED)])
def test_a_quality_must_be_one_of_the_associations(qos: str, answer: Answer) -> None:
    assert may_submit(cluster(config(enforce="qos"), *HERE), "ana", "vision", None, qos).answer is answer


def test_an_association_for_one_partition_is_for_that_one() -> None:
    one = associations(ASSOCIATIONS + "lab|speech|kit|gpu|||normal|\n")
    here = cluster(config(), one, partitions(partition("gpu"), partition("cpu")))

    answers = {each.name: may_submit(here, "kit", "speech", each).answer for each in here.partitions}

    assert answers == {"gpu": Answer.ALLOWED, "cpu": Answer.DENIED}


def test_unix_groups_are_asked_for_and_root_passes() -> None:
    here = cluster(config(), *HERE, partitions(partition("gpu", AllowGroups="ml", RootOnly="NO")))
    gpu = here.partitions[0]

    assert may_submit(here, "ana", "vision", gpu).answer is Answer.UNKNOWN
    assert may_submit(here, "ana", "vision", gpu, groups=frozenset({"ml"})).answer is Answer.ALLOWED
    assert may_submit(here, "ana", "vision", gpu, groups=frozenset()).answer is Answer.QUEUED
    assert may_submit(here, "root", "root", gpu).answer is Answer.ALLOWED


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("Users=ana Accounts=(null)", Answer.ALLOWED),
        ("Users=bo Accounts=(null)", Answer.DENIED),
        ("Users=(null) Accounts=org", Answer.ALLOWED),
        ("Users=ana Accounts=vision", Answer.ALLOWED),
        ("Users=ana Accounts=speech", Answer.UNKNOWN),
        ("Users=(null) Accounts=(null) Groups=ml", Answer.UNKNOWN),
    ],
)
def test_a_reservation_is_for_those_it_names(told: str, answer: Answer) -> None:
    reserved = document("scontrol-show-reservation", f"ReservationName=r StartTime=x Nodes=n1 {told}\n")
    here = cluster(config(), *HERE, reserved, partitions(partition("gpu", ReqResv="YES")))

    said = may_submit(here, "ana", "vision", here.partitions[0], reservation=here.reservations[0])

    assert said.answer is answer
    assert may_submit(here, "ana", "vision", here.partitions[0]).answer is Answer.DENIED
