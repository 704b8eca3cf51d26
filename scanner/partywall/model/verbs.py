"""What one thing may do to another: one table says family, lane and weight of every verb."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Lane(StrEnum):
    """What kind of reach it is."""

    ACT = "act"
    VIEW = "view"
    DATA = "data"
    NETWORK = "network"
    COMPUTE = "compute"
    IDENTITY = "identity"


class Family(StrEnum):
    """*becomes* is walked on; *may* is a last hop."""

    BECOMES = "becomes"
    MAY = "may"


@dataclass(frozen=True, slots=True)
class Verb:
    """One way of reaching.

    A light verb only looks at or uses, and reads or changes nothing of others. `nature` marks hops that no grant makes.

    A `residual` verb discloses no more than names that HyperPod's own policies show to every user by design: it is printed, and crosses no
    wall.
    """

    name: str
    family: Family
    lane: Lane
    light: bool = False
    nature: bool = False
    residual: bool = False


def _table(verbs: Iterable[Verb]) -> Mapping[str, Verb]:
    return {verb.name: verb for verb in verbs}


def _becomes(lane: Lane, *names: str) -> Iterable[Verb]:
    return (Verb(name, Family.BECOMES, lane) for name in names)


def _may(lane: Lane, *names: str) -> Iterable[Verb]:
    return (Verb(name, Family.MAY, lane) for name in names)


def _light(lane: Lane, *names: str) -> Iterable[Verb]:
    return (Verb(name, Family.MAY, lane, light=True) for name in names)


def _residual(lane: Lane, *names: str) -> Iterable[Verb]:
    return (Verb(name, Family.MAY, lane, light=True, residual=True) for name in names)


def _nature(lane: Lane, *names: str) -> Iterable[Verb]:
    return (Verb(name, Family.BECOMES, lane, nature=True) for name in names)


VERBS: Mapping[str, Verb] = _table(
    (
        # by nature: what is inside, or stands for the same thing
        *_nature(Lane.ACT, "contains", "works on"),
        *_nature(Lane.IDENTITY, "is member of", "has service account"),
        # identity: who becomes whom
        *_becomes(
            Lane.IDENTITY,
            "is assigned",
            "signs in as",
            "assumes",
            "enters as",
            "runs as",
            "impersonates",
            "requests tokens of",
            "passes",
            "associates pod identity of",
            "creates access entry for",
            "edits policies of",
            "edits trust of",
            "rewrites roles of",
            "reads credential of",
            "logs in as",
            "takes the profile of",
            "swaps execution role to",
            "becomes administrator of",
            "writes scripts run by",
            "breaks out to",
            "pushes images run by",
            "joins",
            "manages members of",
        ),
        # act
        *_becomes(
            Lane.ACT,
            "create workloads",
            "patch workloads",
            "create pods/exec",
            "open session on",
            "send command to",
            "update cluster",
            "coordinates",
        ),
        *_may(Lane.ACT, "delete workloads", "change", "delete"),
        # view
        *_light(Lane.VIEW, "list pods", "list workloads", "list jobs", "list accounting", "view tasks", "list objects", "list events"),
        *_light(Lane.VIEW, "sees in Studio the tasks of"),
        # SageMaker developer guide, AmazonSagemakerHyperpodUserClusterPolicy: every user may list namespaces, nodes and queues by name
        *_residual(Lane.VIEW, "list names"),
        *_may(Lane.VIEW, "read pod logs", "read logs", "read configmaps"),
        # data
        *_may(
            Lane.DATA,
            "read",
            "write",
            "delete data",
            "change policy of",
            "decrypt with",
            "administer key",
            "read secrets",
            "read secret value",
            "pull images",
            "push images",
            "mount",
            "change grants of",
        ),
        *_light(Lane.DATA, "list contents"),
        # network
        *_light(Lane.NETWORK, "connect to"),
        *_may(Lane.NETWORK, "change network rules of"),
        # compute
        *_may(Lane.COMPUTE, "consume capacity of", "preempt", "outranks the jobs of", "change quota of", "change priorities of"),
    )
)
