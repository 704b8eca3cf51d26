"""Our judges beside a running API server: random worlds and pods put to both; whatever differs comes back as text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from partywall.model.document import Gap
from partywall.model.facts_kubernetes import Role
from partywall.resolve.labels import selects
from partywall.resolve.rbac.judge import can
from partywall.resolve.rbac.roles import effective
from tests.services.control_plane import RBAC, ControlPlane, User, path_of, until
from tests.services.pod_worlds import NAMESPACES, pod
from tests.services.rbac_worlds import LABEL, World, attempts, questions, world
from tests.vectors.apiserver import asker, foretold, labels, outcome, read, reasons, refused, request, rights_of

Object = dict[str, Any]
SIDE_BY_SIDE = 50
QUESTIONS = 24
ATTEMPTS = 3
_KINDS = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")


@dataclass(slots=True)
class Tally:
    """What was asked so far, by kind and answer, and what differed."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def asked(self, kind: str) -> int:
        """Return how many questions of a kind were put."""
        return sum(count for name, count in self.counts.items() if name.startswith(f"{kind}:"))

    def note(self, kind: str, theirs: object, ours: object, where: str) -> None:
        """Count a question and keep it where the answers differ."""
        self.counts[f"{kind}: {theirs}"] += 1
        if theirs != ours:
            self.differences.append(f"{kind}: the server says {theirs}, we say {ours}\n{where}")


def prepare(plane: ControlPlane) -> None:
    """Make the namespaces: two for each of the worlds that stand side by side, and one for each standard."""
    spaces = [_namespace(name, {}) for number in range(SIDE_BY_SIDE) for name in _spaces(number)]
    marked = [_namespace(_standard(name), labels(name)) for name in NAMESPACES]
    for answer in plane.each(plane.create, [*spaces, *marked]):
        assert answer.code == 201, answer.message


def _spaces(number: int) -> tuple[str, str]:
    return f"w{number}-vision", f"w{number}-speech"


def _standard(name: str) -> str:
    return f"pods-{name.replace('.', '-')}"


def _namespace(name: str, marks: Mapping[str, str]) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(marks)}}


def compare_worlds(plane: ControlPlane, seed: int, tally: Tally) -> None:
    """Put one set of worlds side by side into the server, ask about all of them, and take them out again."""
    worlds = [world(seed + number, _spaces(number), f"s{seed + number}") for number in range(SIDE_BY_SIDE)]
    try:
        _write(plane, worlds, tally)
        _aggregated(plane)
        plane.settled()
        stored = [obj for resource in _KINDS for obj in plane.listed(resource)]
        rights = rights_of(stored)
        _ask(plane, worlds, tally, rights)
        _try(plane, worlds, tally, rights, [obj for obj in stored if LABEL in obj["metadata"].get("labels", {})])
    finally:
        _remove(plane)


def _write(plane: ControlPlane, worlds: Sequence[World], tally: Tally) -> None:
    objects = [(one, obj) for one in worlds for obj in one.objects]
    for (one, obj), answer in zip(objects, plane.each(lambda pair: plane.create(pair[1]), objects), strict=True):
        ours = "refused" if any(isinstance(item, Gap) for item in read(obj)) else "taken"
        tally.note("object", "taken" if answer.code == 201 else "refused", ours, f"{obj}\n{answer.message}\n{one}")


def _aggregated(plane: ControlPlane) -> None:
    """Wait until the controller has filled each aggregated role with what we say that its selectors find."""

    def missing() -> Iterator[str]:
        roles = [item for obj in plane.listed("clusterroles") for item in read(obj) if isinstance(item, Role)]
        rules = effective(roles)
        for role in roles:
            parts = [one for one in roles if one.name != role.name and any(selects(each, one.labels) for each in role.aggregates or ())]
            found = {rule for one in parts for rule in one.rules}
            # Where nothing is found, the controller leaves what was written.
            if role.aggregates and (set(rules["", role.name]) != set(role.rules) or (found and found != set(role.rules))):
                yield f"{role.name} holds {role.rules}, its selectors find {found}"

    try:
        until(lambda: not any(missing()), "the aggregated roles", 30)
    except TimeoutError:
        raise AssertionError("aggregation differs: " + "\n".join(missing())) from None


def _ask(plane: ControlPlane, worlds: Iterable[World], tally: Tally, rights: Any) -> None:
    asked = [(one, spec) for one in worlds for spec in questions(one, QUESTIONS)]
    for (one, spec), theirs in zip(asked, plane.each(lambda pair: plane.allowed(pair[1]), asked), strict=True):
        tally.note("decision", theirs, can(rights, asker(spec), request(spec)), f"{spec}\n{one}")


def _try(plane: ControlPlane, worlds: Iterable[World], tally: Tally, rights: Any, stored: Sequence[Object]) -> None:
    tried = [(one, attempt) for one in worlds for attempt in attempts(one, stored, ATTEMPTS)]
    tried = [pair for pair in tried if not any(isinstance(item, Gap) for item in read(pair[1]["object"]))]
    for (one, attempt), theirs in zip(tried, plane.each(lambda pair: _attempt(plane, pair[1]), tried), strict=True):
        ours = foretold(rights, attempt, attempt.get("before"))
        tally.note("update" if "before" in attempt else "create", theirs, ours, f"{attempt}\n{one}")


def _attempt(plane: ControlPlane, attempt: Object) -> str:
    obj, user = attempt["object"], User(attempt["user"], tuple(attempt["groups"]))
    method = "PUT" if "before" in attempt else "POST"
    answer = plane.ask(method, path_of(obj, named=method == "PUT"), obj, user, dryRun="All")
    return outcome(answer.code, answer.message)


def _remove(plane: ControlPlane) -> None:
    wide = [f"{RBAC}/{kind}" for kind in ("clusterroles", "clusterrolebindings")]
    narrow = [
        f"{RBAC}/namespaces/{space}/{kind}"
        for number in range(SIDE_BY_SIDE)
        for space in _spaces(number)
        for kind in ("roles", "rolebindings")
    ]
    for answer in plane.each(partial(_delete_all, plane), [*wide, *narrow]):
        assert answer == 200


def _delete_all(plane: ControlPlane, path: str) -> int:
    return plane.ask("DELETE", path, labelSelector=f"{LABEL}=yes").code


def compare_pods(plane: ControlPlane, seeds: Iterable[int], tally: Tally) -> None:
    """Try each pod in a namespace of every standard."""
    for seed, theirs in zip(seeds, plane.each(partial(_pod_answers, plane), seeds), strict=True):
        obj = pod(seed)
        if "invalid" in theirs.values():
            # It is refused before any standard is asked, so in every namespace.
            tally.counts["pod: invalid"] += 1
            if set(theirs.values()) != {"invalid"}:
                tally.differences.append(f"pod: invalid in some namespaces only: {theirs}\n{obj}")
            continue
        tally.counts["pod: valid"] += 1
        for name, answer in theirs.items():
            tally.note("pod security", _shown(answer), _shown(refused(obj, labels(name))), f"in {name}, pod of seed {seed}: {obj}")


def _shown(answer: str | frozenset[str]) -> str:
    return answer if isinstance(answer, str) else ", ".join(sorted(answer)) or "created"


def _pod_answers(plane: ControlPlane, seed: int) -> Mapping[str, str | frozenset[str]]:
    return {name: _pod_answer(plane, pod(seed), name) for name in NAMESPACES}


def _pod_answer(plane: ControlPlane, obj: Object, name: str) -> str | frozenset[str]:
    answer = plane.ask("POST", f"/api/v1/namespaces/{_standard(name)}/pods", obj, dryRun="All")
    what = outcome(answer.code, answer.message)
    return reasons(answer.message) if what == "pod security" else frozenset[str]() if what == "created" else what
