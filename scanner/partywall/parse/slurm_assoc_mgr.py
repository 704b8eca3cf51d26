"""`scontrol show assoc_mgr`: users and associations as the controller itself holds and enforces them (man scontrol, show assoc_mgr).

It does not tell the QOS of an association, nor what a QOS preempts; and it shows a plain user no more than PrivateData lets.
"""

import re
from collections.abc import Iterator, Mapping

from partywall.model.document import Document, Gap
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import Association, SlurmUser
from partywall.parse.slurm_records import records
from partywall.parse.slurm_tables import lines_of, nothing, saw_all
from partywall.parse.slurm_trees import ROOT

_LIMITS = ("GrpTRES", "GrpJobs", "GrpSubmitJobs", "GrpWall", "MaxJobs")


def association_state(document: Document) -> Iterator[Fact | Gap]:
    """Yield the users with their level, and the associations."""
    cluster, seen = document.origin.cluster, []
    lines = lines_of(document)
    for record, number in records(lines, "UserName"):
        level = record.get("adminlevel", "")
        yield SlurmUser(cluster, _name(record, "username"), level, (), record.get("defaccount", ""), document.at(f"L{number}"))
    for record, number in records(lines, "ClusterName"):
        user, account = _name(record, "username"), record.get("account", "")
        seen.append(user)
        parent = _name(record, "parentaccount") or _above(record.get("lineage", ""), user)
        limits = {name: told for name in _LIMITS if (told := _set(record.get(name.lower(), "")))}
        yield Association(
            cluster, account, user, record.get("partition", ""), parent, (), limits, document.at(f"L{number}"), qos_told=False
        )
    if saw_all(seen):
        yield Listed("SlurmAssociation", cluster, document.at("L1"))
        yield Listed("SlurmUser", cluster, document.at("L1"))
    if not seen:
        yield nothing(document)


def _name(record: Mapping[str, str], key: str) -> str:
    return re.sub(r"\(\d+\)$", "", record.get(key, ""))


def _above(lineage: str, user: str) -> str:
    steps = [step for step in lineage.split("/") if step]
    if user and f"0-{user}" in steps:
        steps = steps[: steps.index(f"0-{user}")]
    return steps[-2] if len(steps) > 1 else ROOT if steps else ""


def _set(told: str) -> str:
    """Return the limits that are set: `N` is none, and what is used stands in brackets behind each."""
    pieces = [re.sub(r"\([^)]*\)$", "", piece) for piece in told.split(",")]
    return ",".join(piece for piece in pieces if piece and piece != "N" and not piece.endswith("=N"))
