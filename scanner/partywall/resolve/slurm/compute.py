"""Whose capacity somebody can take beyond what is theirs, and whose jobs they can push out."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Edge, Lever, Move
from partywall.model.facts_slurm import Association, Qos
from partywall.model.node import Kind
from partywall.model.thing import Cover, Standing, Thing
from partywall.model.verbs import Lane
from partywall.resolve.slurm import levers, names
from partywall.resolve.slurm.cluster import ENFORCE, Cluster
from partywall.resolve.slurm.clusters import without_association

TAKES = "consume capacity of"


def inert_limits(cluster: Cluster) -> Iterator[Edge | Thing]:
    """Yield the accounts whose limits nothing enforces.

    They take what is free of everybody's (man slurm.conf, AccountingStorageEnforce: limits).
    """
    if cluster.config() is None or "limits" in cluster.enforced:
        return
    limited = [each for each in cluster.associations if not each.user and any(name.startswith("Grp") for name in each.limits)]
    if limited:
        yield Thing(
            names.capacity(cluster.scope), limited[0].at, standing=Standing.SCOPE, covers=(Cover(Kind.SLURM_ACCOUNT, cluster.scope, "*"),)
        )
    place = cluster.place(ENFORCE)
    for each in limited:
        shown = ", ".join(f"{name}={value}" for name, value in sorted(each.limits.items()) if name.startswith("Grp"))
        because = (each.at, place) if place else (each.at,)
        source, target = names.account(cluster.scope, each.account), names.capacity(cluster.scope)
        yield Edge(source, TAKES, target, because, levers.enforce(cluster), note=f"{shown} is not enforced")


def strangers(cluster: Cluster) -> Iterator[Edge | Thing]:
    """Yield the users without any association where none is asked for.

    Their jobs carry whatever account they name, and are charged to it.
    """
    place, loose = cluster.place(ENFORCE), without_association(cluster)
    if cluster.config() is None or place is None or not loose or "associations" in cluster.enforced:
        return
    target = names.accounts(cluster.scope)
    yield Thing(target, place, standing=Standing.SCOPE, covers=(Cover(Kind.SLURM_ACCOUNT, cluster.scope, "*"),))
    for name, at in loose.items():
        note = "without an association, under any account's name"
        yield Edge(names.user(cluster.scope, name), TAKES, target, (place, at), levers.enforce(cluster), note=note)


def preemption(cluster: Cluster, protected: Sequence[str]) -> Iterator[Edge | Gap]:
    """Yield who can preempt whom by QOS, for accounts whose contract says that nobody may: elsewhere it is the platform's word."""
    preempt = cluster.setting("preempttype")
    if preempt is None or "off" in cluster.words("preemptmode") or not protected:
        return
    if "partition_prio" in preempt.value.lower():
        what = f"who preempts whom on {cluster.name} by the priority of partitions ({preempt.value})"
        victims = tuple(names.account(cluster.scope, name) for name in protected)
        yield Gap("slurm:scontrol-show-partition", what, Reason.UNEVALUABLE, Direction.INCOMING, victims, (Lane.COMPUTE,), "", preempt.at)
    if "qos" not in preempt.value.lower():
        return
    holders = _holders(cluster)
    for strong in cluster.qualities:
        for weak in strong.preempts:
            for victim in (name for name in holders.get(weak, {}) if name in protected):
                yield from _takers(cluster, strong, weak, victim, holders)


def _takers(cluster: Cluster, strong: Qos, weak: str, victim: str, holders: Mapping[str, Mapping[str, Association]]) -> Iterator[Edge]:
    """Yield those who preempt a victim: who has the stronger QOS, or everybody where `qos` is not enforced."""
    target, note = names.account(cluster.scope, victim), f"QOS {strong.name} preempts {weak}"
    weakness, place = holders[weak][victim].at, cluster.place(ENFORCE)
    if cluster.config() is not None and place is not None and "qos" not in cluster.enforced:
        because, lever = (strong.at, weakness, place), levers.enforce(cluster)
        yield Edge(names.everybody(cluster.scope), "preempt", target, because, lever, note=f"{note}, and anybody may ask for it")
        return
    text = f"take {weak} out of Preempt of QOS {strong.name}"
    lever = Lever(Move.SET, "Preempt", cluster.scope, strong.name, (strong.at,), text, weak)
    for taker, at in holders.get(strong.name, {}).items():
        if taker != victim:
            yield Edge(names.account(cluster.scope, taker), "preempt", target, (strong.at, at.at, weakness), lever, note=note)


def _holders(cluster: Cluster) -> Mapping[str, Mapping[str, Association]]:
    """Return which accounts have which QOS, with the association that says so."""
    out: dict[str, dict[str, Association]] = {}
    for each in cluster.associations:
        for qos in each.qos:
            out.setdefault(qos, {}).setdefault(each.account, each)
    return out
