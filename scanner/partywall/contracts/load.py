"""From tenants.yaml and contract files to the tenancy."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

from partywall.contracts import schema
from partywall.contracts.claims import contract_claims, tenants_claims
from partywall.contracts.conflicts import contradictions, strangers
from partywall.contracts.positions import Path, Tree, compose
from partywall.contracts.problems import Problem, refuse
from partywall.contracts.records import Record, Written, cluster_record, contract, day, items, part, text, texts
from partywall.model.document import Document
from partywall.model.evidence import Evidence, Json
from partywall.model.tenancy import ClusterRecord, Orchestrator, Status, Tenancy

TENANTS_KIND = "partywall:tenants"
CONTRACT_KIND = "partywall:contract"


@dataclass(frozen=True, slots=True)
class _Part:
    """One YAML document of a tenancy file that passed its schema."""

    tree: Tree
    number: int
    record: Record
    is_contract: bool

    @property
    def at(self) -> Evidence:
        return Evidence(self.tree.name, f"/{self.number}" if self.tree.several else "")


def load(documents: Iterable[Document]) -> Tenancy:
    """Return who owns what, from all tenancy documents together; raise one TenancyError that shows everything there is to mend."""
    problems: list[Problem] = []
    parts: list[_Part] = []
    for document in documents:
        if document.kind in (TENANTS_KIND, CONTRACT_KIND):
            parts += _parts(document, problems)
    refuse(problems)
    tenancy = _with_lines(_tenancy(parts), {each.tree.name: each.tree for each in parts})
    refuse(_contradictory(parts, tenancy))
    return tenancy


def _parts(document: Document, problems: list[Problem]) -> Iterator[_Part]:
    tree, found = compose(document.name, document.text)
    problems += found
    if tree is not None and not any(value is not None for value in tree.values):
        problems.append(Problem(document.name, 1, 1, "the file is empty; the first line is `schema: partywall/tenants/v1`"))
    for number, value in enumerate(tree.values if tree else ()):
        if value is None or tree is None:
            continue
        is_contract = _is_contract(value, document.kind)
        wrong = list(schema.check(tree, number, schema.CONTRACT if is_contract else schema.TENANTS))
        problems += wrong
        if not wrong and isinstance(value, Mapping):
            yield _Part(tree, number, value, is_contract)


def _is_contract(value: Json, kind: str) -> bool:
    written = str(value.get("schema", "")) if isinstance(value, Mapping) else ""
    if written.startswith(("partywall/contract", "partywall/tenants")):
        return written.startswith("partywall/contract")
    return kind == CONTRACT_KIND


def _tenancy(parts: Sequence[_Part]) -> Tenancy:
    clusters = tuple(_clusters(parts))
    contracts = tuple(contract(written, clusters) for written in _written(parts))
    claims = [claim for each in parts if not each.is_contract for claim in tenants_claims(each.record, each.at, clusters)]
    named = (
        text(tenant, "name") for each in parts if not each.is_contract for tenant in cast("Sequence[Record]", items(each.record, "tenants"))
    )
    tenants = sorted({*named, *(each.tenant for each in contracts if each.status is not Status.DRAFT)})
    return Tenancy(
        tenants=tuple(tenants),
        clusters=clusters,
        claims=(*contract_claims(contracts, clusters), *claims),
        contracts=contracts,
        as_of=next(_as_of(parts), None),
    )


def _as_of(parts: Sequence[_Part]) -> Iterator[date]:
    for each in parts:
        written = None if each.is_contract else day(each.record, "as_of")
        if written is not None:
            yield written


def _written(parts: Sequence[_Part]) -> Iterator[Written]:
    for each in parts:
        if each.is_contract:
            yield Written(each.record, each.at, Status.DRAFT)
            continue
        for number, record in enumerate(cast("Sequence[Record]", items(each.record, "contracts"))):
            yield Written(record, each.at.below("contracts", number), Status.APPROVED)


def _clusters(parts: Sequence[_Part]) -> Iterator[ClusterRecord]:
    """Yield each cluster once: as tenants.yaml names it, else as a contract does."""
    seen: set[str] = set()
    for found in (*_named_clusters(parts), *_contract_clusters(parts)):
        if found.scope not in seen:
            seen.add(found.scope)
            yield found


def _named_clusters(parts: Sequence[_Part]) -> Iterator[ClusterRecord]:
    for each in parts:
        records = cast("Sequence[Record]", () if each.is_contract else items(each.record, "clusters"))
        for number, record in enumerate(records):
            found = cluster_record(record, each.at.below("clusters", number))
            if found is not None:
                yield found


def _contract_clusters(parts: Sequence[_Part]) -> Iterator[ClusterRecord]:
    """Yield the clusters that only contracts name: one that tenants.yaml names otherwise is a difference, and no second cluster."""
    known = {each.name for each in _named_clusters(parts)}
    for written in _written(parts):
        found = cluster_record(part(written.record, "cluster"), written.at.below("cluster"))
        draft = (text(written.record, "status") or written.default) == Status.DRAFT
        if found is not None and found.name not in known and not draft:
            yield found


def _with_lines(tenancy: Tenancy, trees: Mapping[str, Tree]) -> Tenancy:
    return replace(tenancy, claims=tuple(replace(claim, line=_line(trees, claim.at)[0]) for claim in tenancy.claims))


def _contradictory(parts: Sequence[_Part], tenancy: Tenancy) -> Iterator[Problem]:
    trees = {each.tree.name: each.tree for each in parts}
    for earlier, later in contradictions(tenancy.claims):
        yield _problem(
            trees,
            later.at,
            f"`{later.selector.name}` belongs to {_and(later.owners)} here and to {_and(earlier.owners)} "
            f"in line {earlier.line}; keep one of the two, or name it under `shared`",
        )
    for at, message in (
        *strangers(tenancy.contracts, tenancy.tenants),
        *_unknown_sharers(parts, tenancy),
        *_twice(parts),
        *_clashing(parts),
        *_homeless(parts),
    ):
        yield _problem(trees, at, message)


def _unknown_sharers(parts: Sequence[_Part], tenancy: Tenancy) -> Iterator[tuple[Evidence, str]]:
    known = (*tenancy.tenants, "platform")
    for each in parts:
        for number, group in enumerate(cast("Sequence[Record]", () if each.is_contract else items(each.record, "shared"))):
            for index, name in enumerate(texts(group, "tenants")):
                if name not in known:
                    yield (
                        each.at.below("shared", number, "tenants", index),
                        f"no tenant is called `{name}`; tenants are {', '.join(tenancy.tenants)}",
                    )


def _twice(parts: Sequence[_Part]) -> Iterator[tuple[Evidence, str]]:
    for each in parts:
        seen: dict[str, int] = {}
        for number, tenant in enumerate(cast("Sequence[Record]", () if each.is_contract else items(each.record, "tenants"))):
            name, at = text(tenant, "name"), each.at.below("tenants", number, "name")
            if name in seen:
                yield at, f"tenant `{name}` is written twice, here and as entry {seen[name] + 1}; join the two"
            seen.setdefault(name, number)


def _clashing(parts: Sequence[_Part]) -> Iterator[tuple[Evidence, str]]:
    """Yield what two entries of one thing say differently: a cluster's orchestrator, the day against which dates are judged."""
    days = {day(each.record, "as_of"): each.at.below("as_of") for each in parts if not each.is_contract and each.record.get("as_of")}
    if len(days) > 1:
        yield list(days.values())[-1], f"`as_of` differs between files: {_and(sorted(map(str, days)))}; keep one"
    kinds: dict[str, Orchestrator] = {}
    for cluster in _named_clusters(parts):
        if kinds.setdefault(cluster.scope, cluster.orchestrator) is not cluster.orchestrator:
            yield cluster.at, f"cluster `{cluster.name}` is written twice with different orchestrators; keep one"


def _homeless(parts: Sequence[_Part]) -> Iterator[tuple[Evidence, str]]:
    """Yield inline contracts whose tenant their own file does not list: most likely a typing error."""
    for each in parts:
        names = [text(tenant, "name") for tenant in cast("Sequence[Record]", () if each.is_contract else items(each.record, "tenants"))]
        for number, record in enumerate(cast("Sequence[Record]", items(each.record, "contracts") if names else ())):
            if text(record, "tenant") not in names:
                yield (
                    each.at.below("contracts", number, "tenant"),
                    f"no tenant of this file is called `{text(record, 'tenant')}`; tenants are {', '.join(names)}",
                )


def _line(trees: Mapping[str, Tree], at: Evidence) -> tuple[int, int]:
    tree = trees[at.document]
    steps = tuple(step.replace("~1", "/").replace("~0", "~") for step in at.pointer.split("/")[1:])
    number = int(steps[0]) if tree.several else 0
    return tree.mark(number, _typed(tree, number, steps[1:] if tree.several else steps))


def _typed(tree: Tree, number: int, steps: Sequence[str]) -> Path:
    """Return the steps of a pointer with the numbers of lists as numbers."""
    value, out = tree.values[number], list[str | int]()
    for step in steps:
        if isinstance(value, Mapping):
            out.append(step)
            value = value.get(step)
        elif isinstance(value, Sequence) and not isinstance(value, str) and step.isdecimal() and int(step) < len(value):
            out.append(int(step))
            value = value[int(step)]
        else:
            break
    return tuple(out)


def _problem(trees: Mapping[str, Tree], at: Evidence, message: str) -> Problem:
    line, column = _line(trees, at)
    return Problem(at.document, line, column, message)


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)
