"""Our reading of Slurm against what real Slurm 22.05.8, 24.11.5 and 26.05.5 did."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from partywall.model.edge import Edge
from partywall.resolve.slurm.cluster import CONTROLLER, DATABASE, Cluster
from partywall.resolve.slurm.compute import preemption
from partywall.resolve.slurm.people import administrators, coordinators
from partywall.resolve.slurm.submit import Answer, default_account, may_submit
from partywall.resolve.slurm.view import Matter, sees
from tests.unit.slurm_words import associations, cluster, config, database, document, users

Row = Mapping[str, Any]
VERSIONS = {"22.05": "22.05.8", "24.11": "24.11.5", "26.05": "26.05.5"}
TREE = """Account|User|ParentName|Def QOS|QOS|GrpTRES
root|||||normal|
root|root||||normal|
acme||root|||normal|
team-vision||acme||low,normal|gres/gpu=6
team-vision|ana|||low,normal|
team-vision|cy|||normal|
team-vision|dee|||normal|
vision-train||team-vision||normal|
vision-train|rex|||normal|
team-nlp||acme||nlp-only,normal|
team-nlp|bo|||nlp-only,normal|
team-nlp|cy|||normal|
platform||root||normal|
platform|olga|||normal|
platform|adam|||normal|
"""
PEOPLE = """User|Def Acct|Admin|Coord Accounts
root|root|Administrator|
ana|team-vision|None|
bo|team-nlp|None|
cy|team-vision|None|
dee|team-vision|None|team-vision,vision-train
rex|vision-train|None|
olga|platform|Operator|
adam|platform|Administrator|
"""
ACCOUNTS = (
    "Account|Descr|Org|Flags\nroot|||None\nacme|||None\nteam-vision|||None\nvision-train|||None\nteam-nlp|||{flags}\nplatform|||None\n"
)
QUALITIES = "Name|Preempt|PreemptMode\nnormal||cluster\nhigh|normal|cluster\nlow||cluster\nnlp-only||cluster\n"
PARTITIONS = """PartitionName=dev Nodes=vm Default=YES
PartitionName=nlp Nodes=vm AllowAccounts={nlp}
PartitionName=acmeall Nodes=vm AllowAccounts=acme
PartitionName=vision Nodes=vm AllowAccounts=team-vision
PartitionName=novision Nodes=vm DenyAccounts=team-vision
PartitionName=both Nodes=vm AllowAccounts=team-vision DenyAccounts=team-vision
PartitionName=grpnlp Nodes=vm AllowGroups=team-nlp
PartitionName=qoshigh Nodes=vm AllowQos=high
PartitionName=qosdeny Nodes=vm DenyQos=high
PartitionName=rootonly Nodes=vm RootOnly=YES
PartitionName=hidden Nodes=vm AllowGroups=team-nlp Hidden=YES
PartitionName=needresv Nodes=vm ReqResv=YES
PartitionName=pqos Nodes=vm QOS=partcap
PartitionName=ghost Nodes=vm AllowAccounts=team-visoin
PartitionName=upper Nodes=vm AllowAccounts=TEAM-VISION
PartitionName=empty Nodes=vm AllowGroups=no-such-group
PartitionName=mixedlist Nodes=vm AllowAccounts=team-nlpp,team-nlp
PartitionName=denyghost Nodes=vm DenyAccounts=team-visoin
PartitionName=future Nodes=vm AllowAccounts=team-new
PartitionName=qghost Nodes=vm AllowQos=no-such-qos
"""
RESERVATIONS = """ReservationName=nlpres StartTime=now Users=bo Accounts=(null) Nodes=vm
ReservationName=accres StartTime=now Users=(null) Accounts=team-nlp Nodes=vm
"""
GROUPS = {"bo": {"team-nlp", "ml-all"}, "cy": {"team-vision", "team-nlp", "ml-all"}}
FULL = "accounts,events,jobs,nodes,reservations,usage,users"


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Path:
    folder = shared / "slurm"
    if not folder.is_dir():
        pytest.skip("no recordings of real Slurm beside the repository")
    return folder


@pytest.fixture(scope="module")
def truth(recorded: Path) -> list[Row]:
    found: list[Row] = json.loads((recorded / "truth.json").read_text())["rows"]
    return found


@pytest.fixture(scope="module")
def ledger(root: Path) -> Mapping[str, list[Mapping[str, str]]]:
    found: Mapping[str, list[Mapping[str, str]]] = yaml.safe_load((root / "tests/vectors/slurm_ledger.yaml").read_text())
    return found


def private(told: str) -> str:
    return {"(unset)": "none", "all in slurm.conf": FULL}.get(told, told)


def lab(row: Row) -> Cluster:
    """Return the cluster of a row: its tree and partitions are the same throughout, its settings are the row's."""
    settings = {**row["settings"]}
    enforce = str(settings.get("AccountingStorageEnforce", "safe")).replace("(unset)", "none")
    enforce = "associations,limits,qos,safe" if enforce == "safe" else enforce  # the recordings' short word for the whole of it
    more = {
        key: str(settings[key])
        for key in ("EnforcePartLimits", "PreemptType", "PreemptMode", "MCSPlugin", "MCSParameters")
        if key in settings
    }
    if row["config"].startswith("F5"):
        more["MCSParameters"] = "ondemand,ondemandselect,privatedata"
    tree, at_work = TREE, PARTITIONS.format(nlp="team-nlpp" if "runtime update" in row["action"] else "team-nlp")
    if "after" in row["action"] and "created" in row["action"]:
        tree += "team-new||acme||normal|\n"
    if "preempt" in row["action"]:
        tree = tree.replace("team-nlp|bo|||nlp-only,normal|", "team-nlp|bo|||high,normal|")
    return cluster(
        config(version=VERSIONS[row["slurm_version"]], enforce=enforce, private=private(settings.get("PrivateData", "(unset)")), **more),
        database(private(settings.get("slurmdbd_PrivateData", "none"))),
        associations(tree),
        users(PEOPLE),
        document("sacctmgr-show-account", ACCOUNTS.format(flags="UsersAreCoords" if "UsersAreCoords" in row["action"] else "None")),
        document("sacctmgr-show-qos", QUALITIES),
        document("slurm.conf", at_work),
        document("scontrol-show-reservation", RESERVATIONS),
    )


def option(command: str, letter: str) -> str:
    found = re.search(rf"(?:^|\s){letter}[ =](\S+)", command)
    return found[1] if found else ""


def by_submitting(row: Row) -> bool | str:
    """Answer a row that submits a job."""
    here, command, actor = lab(row), row["command"], row["actor"]
    if "--gres=gpu:8" in command or "-c 4" in command:
        return "queued_blocked" if "limits" in here.enforced else True
    where = {each.name: each for each in here.partitions}.get(option(command, "-p") or "dev")
    reservation = {each.name: each for each in here.reservations}.get(option(command, "--reservation"))
    groups = frozenset(GROUPS.get(actor, {"team-vision"}))
    said = may_submit(here, actor, option(command, "-A"), where, option(command, "-q"), groups=groups, reservation=reservation)
    recorded = row.get("account_recorded")
    if said.answer is Answer.RELABELLED and recorded:
        assert recorded == default_account(here, actor), row
    answers: Mapping[Answer, bool | str] = {
        Answer.ALLOWED: True,
        Answer.RELABELLED: True,
        Answer.DENIED: False,
        Answer.QUEUED: "queued_blocked",
    }
    return answers[said.answer]


LOOKS = {
    "*squeue*": (Matter.JOBS, CONTROLLER),
    "*scontrol show job*": (Matter.JOBS, CONTROLLER),
    "user without association lists jobs": (Matter.JOBS, CONTROLLER),
    "coordinator*sees*": (Matter.JOBS, CONTROLLER),
    "operator sees*": (Matter.JOBS, CONTROLLER),
    "MCS privatedata*": (Matter.JOBS, CONTROLLER),
    "*account job visible": (Matter.JOBS, CONTROLLER),
    "member of same account*": (Matter.JOBS, CONTROLLER),
    "sacct of all users*": (Matter.JOBS, DATABASE),
    "*submit line from accounting": (Matter.JOBS, DATABASE),
    "sshare*": (Matter.USAGE, CONTROLLER),
    "sacctmgr show assoc*": (Matter.USERS, DATABASE),
    "sacctmgr show user*": (Matter.USERS, DATABASE),
    "sacctmgr show account*": (Matter.ACCOUNTS, DATABASE),
    "scontrol show assoc_mgr": (Matter.USERS, CONTROLLER),
    "*lists reservation*": (Matter.RESERVATIONS, CONTROLLER),
}


def by_looking(row: Row) -> bool | str | None:
    """Answer a row that looks at what is another's: of team-nlp, or where the row says so of the coordinator's own account."""
    here = lab(row)
    if row["slurm_version"] == "22.05" and "submit line" in row["action"]:
        return False  # it keeps none
    if row["command"] == "squeue" and row["config"] in SCENARIOS:
        here = cluster(config(private=SCENARIOS[row["config"]]), associations(TREE), users(PEOPLE))
    matter, sources = next(found for pattern, found in LOOKS.items() if fnmatchcase(row["action"], pattern))
    return sees(here, row["actor"], matter, "team-vision" if "own account job" in row["action"] else "team-nlp", sources)


SCENARIOS = {"good": FULL, "hyperpod-default": "none", "mixed-bad": "jobs"}
# What somebody did to whose jobs or members.
DEEDS = {
    "cancel other tenant job": "team-nlp",
    "hold/requeue other tenant job": "team-nlp",
    "update priority (nice) of other tenant job": "team-nlp",
    "attach step into other tenant job (srun --jobid)": "team-nlp",
    "other user releases/holds job": "team-vision",
    "coordinator cancels job of own account": "team-vision",
    "coordinator cancels job of other account": "team-nlp",
    "coordinator of parent updates job in child account": "vision-train",
    "coordinator of parent cancels job in child account": "vision-train",
    "coordinator adds user nemo to own account": "team-vision",
    "coordinator adds user ana to other account team-nlp": "team-nlp",
    "coordinator appoints ana as coordinator of own account": "team-vision",
    "coordinator creates sub-account": "team-vision",
    "coordinator: set MaxJobs on own member": "team-vision",
    "coordinator: remove member from own account": "vision-train",
    "DisableCoordDBD: coordinator cancels member job": "team-vision",
    "UsersAreCoords: plain member cancels job of other member": "team-nlp",
    "UsersAreCoords: plain member adds nemo to account": "team-nlp",
    "operator cancels any job": "team-nlp",
    "operator creates reservation": "team-nlp",
    "operator adds ana to team-nlp": "team-nlp",
    "administrator reconfigures": "team-nlp",
    "administrator reads other job script": "team-nlp",
}


def by_acting(row: Row) -> bool | str:
    """Answer a row that acts on what is another's: coordinators of the account and administrators of Slurm may."""
    here = lab(row)
    rules = {edge.source.name for edge in administrators(here)}
    ruled = {(edge.source.name, edge.target.name) for edge in coordinators(here)}
    return row["actor"] in rules or (row["actor"], DEEDS[row["action"]]) in ruled


def by_preempting(row: Row) -> bool | str:
    """Answer a row in which a QOS pushes out the jobs of team-vision."""
    here = lab({**row, "settings": {"PreemptType": "preempt/qos", **row["settings"]}})
    return any(isinstance(edge, Edge) and edge.source.name == "team-nlp" for edge in preemption(here, ("team-vision",)))


def judge(row: Row) -> Callable[[Row], bool | str | None] | None:
    """Return how a row is answered, if it is."""
    action, command = row["action"], row["command"]
    match row["category"]:
        case "submit" | "partition" | "reservation" if command.startswith("sbatch"):
            return None if "slurmdbd down" in action or "DisableRootJobs" in action else by_submitting
        case "view" | "reservation" | "plugin" | "rest" if any(fnmatchcase(action, pattern) for pattern in LOOKS):
            return (
                None
                if "script" in action or (row["category"] in ("plugin", "rest") and "visible" not in action and command != "squeue")
                else by_looking
            )
        case "control" if action in DEEDS:
            return by_acting
        case "preempt":
            return by_preempting
        case _:
            return None


def matches(entry: Mapping[str, str], row: Row) -> bool:
    return all(fnmatchcase(str(row[key]), pattern) for key, pattern in entry.items() if key != "reason")


def test_every_row_is_answered_as_it_was_measured_or_stands_in_the_ledger(
    truth: list[Row], ledger: Mapping[str, list[Mapping[str, str]]]
) -> None:
    counts: Counter[str] = Counter()
    wrong, homeless, used = [], [], set()
    for row in truth:
        asked = judge(row)
        if asked is None:
            excused = [number for number, entry in enumerate(ledger["not_modelled"]) if matches(entry, row)]
            used.update(excused)
            counts["in the ledger" if excused else "homeless"] += 1
            homeless += [] if excused else [(row["id"], row["category"], row["config"], row["action"])]
            continue
        agrees = asked(row) == row["allowed"]
        counts["agree" if agrees else "disagree"] += 1
        counts[f"{row['category']}: {'agree' if agrees else 'disagree'}"] += 1
        if not agrees and not any(matches(entry, row) for entry in ledger["disagreements"]):
            wrong.append((row["id"], row["config"], row["actor"], row["action"], row["allowed"], asked(row)))
    sys.stdout.write(f"{dict(sorted(counts.items()))}\n")

    assert not homeless
    assert not wrong
    assert counts["agree"] > 900
    assert used == set(range(len(ledger["not_modelled"]))), [
        ledger["not_modelled"][n] for n in set(range(len(ledger["not_modelled"]))) - used
    ]
