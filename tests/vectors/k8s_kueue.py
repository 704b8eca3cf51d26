"""Our reading of Kueue beside what real Kueue did: sections for the vectors of Kubernetes, over any folder of that layout.

Each section takes the folder that holds `kueue-live` and returns how many answers agree, of how many, lines that say what was counted and
what differs, and whether the goal is met.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_kueue import ClusterQueue, KueueConfig, LocalQueue, WorkloadPriority
from partywall.parse.kubernetes import kinds
from partywall.parse.kubernetes_objects import group_of
from partywall.resolve.kueue.forecast import After, Batch, Field, Loss, field, forecast
from partywall.resolve.kueue.held import is_held
from partywall.resolve.kueue.queues import queues
from partywall.resolve.kueue.taking import may_hold

_SHOWN = 10
CLUSTER = "111122223333/us-east-2/lab"
HERE = Evidence("live", "")
KINDS = {"Job": ("batch", "jobs"), "Pod": ("", "pods"), "Deployment": ("apps", "deployments")}
GPU = "nvidia.com/gpu"
_LABELLED = LabelSelector((("managed", "yes"),))
_ALL = ("batch/job", "pod", "deployment")
# What the recordings name a setting of the manager, and what it is.
SETTINGS: Mapping[str, tuple[bool, LabelSelector | None, tuple[str, ...]]] = {
    "job integration only": (False, None, ("batch/job",)),
    "jobs without a queue name managed": (True, None, ("batch/job",)),
    "managed only where labelled": (True, _LABELLED, ("batch/job",)),
    "selector without the switch": (False, _LABELLED, ("batch/job",)),
    "pods and deployments too": (False, None, _ALL),
    "everything managed": (True, None, _ALL),
}


class Outcome(NamedTuple):
    """How many of the answers asked for agree, what is worth printing, and whether the goal is met."""

    agree: int
    asked: int
    lines: tuple[str, ...]
    goal_met: bool


def facts_of(objects: list[Mapping[str, Any]]) -> list[Fact | Gap]:
    """Read objects as a file of them would be read."""
    table = kinds()
    found: list[Fact | Gap] = []
    for obj in objects:
        for parser in table.get((group_of(obj), obj["kind"]), ()):
            found += parser(obj, HERE, Origin(cluster=CLUSTER))
    return found


@dataclass(frozen=True)
class Lived:
    """A world that was run, and what we say of it without having seen what happened."""

    release: str
    recorded: Mapping[str, Any]

    @cached_property
    def facts(self) -> Facts:
        """Return what is left of the world's objects once those that are refused are gone."""
        return Facts([fact for fact in facts_of(self.recorded["objects"]) if not isinstance(fact, Gap)])

    @cached_property
    def field(self) -> Field:
        """Return the queues."""
        return field(queues(self.facts, CLUSTER), self.facts)

    @cached_property
    def batches(self) -> list[Batch]:
        """Return what the teams submit, in the order of the steps."""
        world = self.recorded["world"]
        priorities = {each.name: each.value for each in self.facts.of(WorkloadPriority)}
        doors = {each.namespace: each.name for each in self.facts.of(LocalQueue)}
        found = []
        for step in self.recorded["steps"]:
            namespace = f"{step['team']}-{world}"
            priority = priorities.get(f"{step['priority']}-{world}", 0)
            found.append(Batch(step["team"], namespace, doors.get(namespace, ""), step["jobs"], priority, GPU))
        return found

    @cached_property
    def afters(self) -> list[After]:
        """Return our forecast."""
        return forecast(self.field, self.batches)

    def admitted(self, step: int, team: str) -> int:
        """Return how many jobs of a team were admitted after a step."""
        found: int = self.recorded["steps"][step]["then"][team]["admitted"]
        return found

    def usage(self, step: int) -> dict[str, float]:
        """Return what each queue used after a step."""
        found: dict[str, float] = {}
        for team in self.recorded["steps"][step]["then"]:
            batch = next((each for each in self.batches if each.team == team), None)
            queue = None if batch is None else self.field.entry(batch)
            if queue is not None:
                found[queue.name] = found.get(queue.name, 0.0) + self.admitted(step, team)
        return found

    def __str__(self) -> str:
        return f"{self.release}, world {self.recorded['world']}"


def _live(folder: Path) -> Path:
    return folder / "kueue-live" if (folder / "kueue-live").is_dir() else folder


def lived(folder: Path) -> Iterator[Lived]:
    """Yield every recorded world."""
    for path in sorted(_live(folder).glob("worlds-*.jsonl")):
        release = path.stem.removeprefix("worlds-")
        with path.open(encoding="utf-8") as file:
            yield from (Lived(release, json.loads(line)) for line in file)


def _matrices(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(_live(folder).glob("matrix-*.json")):
        yield path.stem.removeprefix("matrix-"), json.loads(path.read_text(encoding="utf-8"))


def _outcome(agree: int, asked: int, wrong: list[str], *said: str) -> Outcome:
    more = (f"and {len(wrong) - _SHOWN} more",) if len(wrong) > _SHOWN else ()
    return Outcome(agree, asked, (*wrong[:_SHOWN], *more, *said), agree == asked and asked > 0)


def first_steps(folder: Path) -> Outcome:
    """Ask how much the first team gets while all others are idle: exactly."""
    agree = asked = 0
    lines: list[str] = []
    for world in lived(folder):
        ours, real = world.afters[0].bounds[0], world.admitted(0, world.batches[0].team)
        asked, same = asked + 1, ours.low == ours.high == real
        agree += same
        lines += [] if same else [f"{world}: {ours.low} to {ours.high} jobs forecast, {real} admitted"]
    return _outcome(agree, asked, lines)


def later_steps(folder: Path) -> Outcome:
    """Ask whether every later admission of every team lies within our bounds."""
    agree = asked = exact = 0
    lines: list[str] = []
    for world in lived(folder):
        for step, after in enumerate(world.afters[1:], start=1):
            for batch, bounds in zip(after.batches, after.bounds, strict=True):
                real = world.admitted(step, batch.team)
                asked, inside, exact = asked + 1, bounds.low <= real <= bounds.high, exact + (bounds.low == bounds.high)
                agree += inside
                lines += [] if inside else [f"{world}, step {step}: {batch.team} had {real}, not {bounds.low} to {bounds.high}"]
    return _outcome(agree, asked, lines, f"{exact} of {asked} bounds are one number")


def losses(folder: Path) -> Outcome:
    """Ask of every team at every later step whether it lost jobs: only where we call it possible, under a condition that held."""
    counts: Counter[str] = Counter()
    lines: list[str] = []
    for world in lived(folder):
        for before, step in pairwise(range(len(world.afters))):
            for batch in world.batches[:step]:
                lost = world.admitted(before, batch.team) - world.admitted(step, batch.team)
                named = [each for each in world.afters[step].losses if each.victim == batch and each.taker.team != batch.team]
                word = _judged(world, step, named, lost)
                counts[word] += 1
                lines += [f"{world}, step {step}: {batch.team} lost {lost} jobs, {word}"] if word in _WRONG else []
    asked, wrong = counts.total(), sum(counts[word] for word in _WRONG)
    return _outcome(asked - wrong, asked, lines, *(f"{number}: {word}" for word, number in sorted(counts.items())))


_WRONG = ("called never", "under no condition that held")


def _judged(world: Lived, step: int, named: list[Loss], lost: int) -> str:
    if lost <= 0:
        return "possible, did not happen" if named else "never, and did not happen"
    if not named:
        return _WRONG[0]
    return "possible, and happened" if any(_held(world, step, each) for each in named) else _WRONG[1]


def _held(world: Lived, step: int, loss: Loss) -> bool:
    """Tell whether a right's condition held between what was used before a step and after it."""
    before, after = world.usage(step - 1), world.usage(step)
    names = {*before, *after}
    low = {name: min(before.get(name, 0.0), after.get(name, 0.0)) for name in names}
    high = {name: max(before.get(name, 0.0), after.get(name, 0.0)) for name in names}
    return any(may_hold(loss.taking, world.field.trees[item], low, high, loss.taker.size) for item in world.field.trees)


def ways_round(folder: Path) -> Outcome:
    """Ask of every kind, namespace and setting whether Kueue holds the object."""
    agree = asked = 0
    lines: list[str] = []
    for release, matrix in _matrices(folder):
        major, minor, patch = (int(part) for part in release.split(".")[:3])
        for row in matrix["ways_round"]:
            asked += 1
            if row["setting"] not in SETTINGS:
                lines.append(f"{release}: what the setting {row['setting']!r} is, is not known")
                continue
            config = KueueConfig(CLUSTER, *SETTINGS[row["setting"]], "v1beta1", HERE)
            ours = is_held(
                config,
                KINDS[row["kind"]],
                {**row["namespaceLabels"], "kubernetes.io/metadata.name": row["namespace"]},
                has_default="default" in row["localQueues"],
                names_queue=row["queueName"] is not None,
                release=(major, minor, patch),
            )
            agree += ours is row["held"]
            lines += [] if ours is row["held"] else [f"{release}: {row} is held: {ours}"]
    return _outcome(agree, asked, lines)


def validation(folder: Path) -> Outcome:
    """Ask of every object whether the API server refuses it, and of every other whether what was stored reads as the object does."""
    agree = asked = 0
    lines: list[str] = []
    for release, matrix in _matrices(folder):
        for case in matrix["validation"]:
            asked += 1
            found = facts_of([case["object"]])
            refused = any(isinstance(fact, Gap) for fact in found)
            same = refused is not case["accepted"] and (refused or _reads_as_stored(case, found))
            agree += same
            lines += [] if same else [f"{release}: {case['case']}: accepted is {case['accepted']}, we read {found}"]
    return _outcome(agree, asked, lines)


def _reads_as_stored(case: Mapping[str, Any], found: list[Fact | Gap]) -> bool:
    if not case["object"].get("spec"):
        return bool(found)
    return _bare(facts_of([{**case["object"], "spec": case["stored"]}])) == _bare(found)


def _bare(found: list[Fact | Gap]) -> list[Fact | Gap]:
    """Return facts without a weight, which the server fills in."""
    return [replace(fact, weight=None) if isinstance(fact, ClusterQueue) else fact for fact in found]


SECTIONS: Mapping[str, Callable[[Path], Outcome]] = {
    "Kueue: first steps, others idle": first_steps,
    "Kueue: later admissions within bounds": later_steps,
    "Kueue: losses of other teams": losses,
    "Kueue: ways round the queues": ways_round,
    "Kueue: objects refused or stored": validation,
}
