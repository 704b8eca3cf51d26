"""Small reports written by hand, with something in every field, and ways to change all their texts at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum

from partywall.api import (
    Above,
    Accepted,
    AssessedRow,
    Cause,
    Cell,
    CellState,
    Consequences,
    Counts,
    DocumentRow,
    DriftPart,
    End,
    Finding,
    Fix,
    Guess,
    Hop,
    OpenQuestion,
    Pair,
    Place,
    Report,
    RuleRow,
    Severity,
    TenantRow,
    Term,
    ToolTable,
    Verdict,
    Way,
)

LANES = ("act", "view", "data", "network", "compute", "identity")
# Texts that are the tool's own words or shapes, and no stranger's.
OWN = frozenset(
    {
        "lane",
        "lanes",
        "certainty",
        "control",
        "covers",
        "as_of",
        "sha256",
        "fingerprint",
        "snapshot",
        "tool_version",
        "id",
        "started",
        "finished",
        "cells",
    }
)

BINDING = Place("k8s/bindings.yaml", "/items/3/subjects/0", 84)
ROLE = Place("k8s/roles.yaml", "/items/5/rules/0", 311)
CONTRACT = Place("contracts/speech.yaml", "/roles/workload", 24)

ENTER = Hop("group speech-team", "speech", "enters as", "group hyperpod-speech", "speech", "sure", None, (), note="by access entry")
EXEC = Hop(
    "group hyperpod-speech",
    "speech",
    "create pods/exec",
    "namespace/vision",
    "vision",
    "conditional",
    "aws:PrincipalTag/team = vision",
    (BINDING, ROLE),
    note="create pods/exec by debug",
    cut=True,
    residual={
        "any": [
            {"key": "aws:PrincipalTag/team", "operator": "StringEquals", "values": ["vision"], "control": "caller"},
            {"key": "aws:SourceVpc", "operator": "StringEquals", "values": ["vpc-1"], "control": "environment", "not": True},
        ]
    },
    terms=(Term("aws:PrincipalTag/team StringEquals vision", "caller"), Term("aws:SourceVpc StringEquals vpc-1", "environment")),
)
WAY = Way("speech", "vision", "act", "namespace/vision", (ENTER, EXEC), "aaaaaa")


def finding(**changes: object) -> Finding:
    """Return a breach with everything in it; fields may be changed."""
    whole = Finding(
        id="aaaaaa",
        rule="PW101",
        name="exec-into-foreign-pods",
        lane="act",
        severity=Severity.CRITICAL,
        certainty="conditional",
        verdict=Verdict.BREACH,
        message="group hyperpod-speech can open a shell in namespace/vision",
        pairs=(Pair("speech", "vision"), Pair("speech", "platform")),
        source=End("speech", "group speech-team"),
        target=End("vision", "namespace/vision"),
        path=(ENTER, EXEC),
        examples=((replace(EXEC, source="user speech-1"),),),
        cause=Cause("RoleBinding", BINDING.document, BINDING.pointer, BINDING.line, "RoleBinding vision/debug"),
        alternatives=("delete the access entry",),
        consequences=Consequences(2, ("data", "identity"), ("vision", "platform"), ("data: s3://vision (vision)",)),
        fix=Fix("take the group out of RoleBinding vision/debug", True, (WAY,), (WAY,), (WAY,), (), True),
        counts=Counts(2, 3, 1, 1),
        fingerprint="a" * 32,
    )
    return replace(whole, **changes)  # type: ignore[arg-type]  # the callers name real fields


def drift(**changes: object) -> Finding:
    """Return a difference from a contract."""
    part = DriftPart(CONTRACT.document, "roles.workload", "role/speech", "role/vision")
    hop = Hop("contract of speech", "speech", "differs", "trainer/role", "speech", "sure", None, (CONTRACT,))
    return finding(
        **{
            "id": "dddddd",
            "rule": "PW702",
            "name": "workload-role-differs",
            "lane": "drift",
            "severity": Severity.MEDIUM,
            "certainty": "sure",
            "verdict": Verdict.DRIFT,
            "message": "the trainer of speech gets role/vision",
            "pairs": (),
            "path": (hop,),
            "examples": (),
            "cause": Cause("contract field", CONTRACT.document, CONTRACT.pointer, None, "roles.workload"),
            "alternatives": (),
            "consequences": Consequences(0, (), (), ()),
            "fix": Fix("correct the association", False),
            "fingerprint": "d" * 32,
            "drift": part,
            **changes,
        }
    )


def maybe() -> Finding:
    """Return a way that is possible and not proved, without a line, and without evidence for its hop."""
    hop = replace(EXEC, certainty="unknown", condition=None, evidence=())
    cause = Cause("Policy", "iam/policy.json", "", None, "a policy of unknown content")
    return finding(
        id="bbbbbb",
        severity=Severity.HIGH,
        verdict=Verdict.UNKNOWN,
        certainty="unknown",
        path=(hop,),
        cause=cause,
        fix=Fix("read the policy", False, opens=(WAY,), evaluated=True),
        fingerprint="b" * 32,
    )


def rule_row(rule_id: str, name: str, verdict: Verdict, asked: int = 3) -> RuleRow:
    """Return a rule's row."""
    return RuleRow(rule_id, name, 1, verdict, asked, 2, 1, Severity.HIGH, f"Title of {rule_id}.", "it matters.", "do less.", "none known.")


def full() -> Report:
    """Return a breach in which every kind of row stands, and every state of a cell."""
    owners = ("speech", "vision", "platform")
    pairs = [(source, target) for source in owners[:2] for target in owners if source != target]
    states = tuple(CellState)
    cells = tuple(
        Cell(
            source, target, lane, state, ("aaaaaa",) if state is CellState.BREACH else (), "ranking" if state is CellState.BY_WAY_OF else ""
        )
        for number, (source, target) in enumerate(pairs)
        for place, lane in enumerate(LANES)
        for state in (states[(number + place) % len(states)],)
    )
    return Report(
        tool_version="0.1.0",
        tables=(ToolTable("policy catalogue", "2026-11-01"),),
        estate="sample",
        started="2026-11-30T19:04:11Z",
        finished="2026-11-30T19:05:00Z",
        as_of="2026-11-30",
        as_of_source="the tenancy",
        parameters={"fail_on": "high"},
        verdict=Verdict.BREACH,
        summary="Group hyperpod-speech can open a shell in namespace/vision.",
        covers=LANES[:5],
        complete=False,
        gate_failed=True,
        exit_code=1,
        snapshot="9f2c" * 16,
        tenants=(TenantRow("speech", {"namespace": 2}), TenantRow("vision", {"bucket": 1}, guessed=True)),
        owners=owners,
        matrix=cells,
        findings=(finding(), maybe(), drift()),
        gaps=(
            OpenQuestion(
                "k8s/roles.yaml",
                "is it enforced?",
                "absent",
                "incoming",
                ("PW101", "PW702"),
                ("any -> vision: act",),
                "aws eks describe-addon",
                ROLE,
            ),
            OpenQuestion("aws:iam:get-role", "a denied call", "denied", "outgoing", ("PW101",), (), "ask again", None),
            OpenQuestion("ssm", "not evaluated", "unevaluable", "outgoing", (), (), "", None),
        ),
        assumptions=("service control policies were not read",),
        assessed=(AssessedRow("cluster", "Roles", "eks-1", "read", 4), AssessedRow("organization", "control policies", "", "not assessed")),
        population={"namespace": 2, "bucket": 1},
        accepted=(
            Accepted(
                "approval", "vision", "speech", "data", "role/speech read s3://vision/public/", "2027-03-31", "vision-leads", CONTRACT
            ),
            Accepted("by design", "platform", "vision", "view", "may list names", None, "", ROLE),
        ),
        above=(Above("group admins", "platform", "tenants.yaml:12"), Above("role/ci", "ranking", "becomes administrator")),
        guessed=(Guess("namespace/x", "speech", "its name"),),
        documents=(
            DocumentRow("k8s/bindings.yaml", "kubernetes", "1" * 64, "supplied", None, None, None),
            DocumentRow(
                "k8s/roles.yaml", "kubernetes", "2" * 64, "collected", "2026-11-30T19:04:12Z", "role/reader", "GET /roles", redacted=True
            ),
            DocumentRow("contracts/speech.yaml", "partywall:contract", "3" * 64, "supplied", None, None, None),
        ),
        rules=(rule_row("PW101", "exec-into-foreign-pods", Verdict.BREACH), rule_row("PW702", "workload-role-differs", Verdict.DRIFT, 0)),
    )


def quiet() -> Report:
    """Return a report in which nothing is wrong and nothing is open."""
    whole = full()
    return replace(
        whole,
        verdict=Verdict.OK,
        summary="Nobody reaches through the wall.",
        complete=True,
        gate_failed=False,
        exit_code=0,
        findings=(),
        gaps=(),
        guessed=(),
        covers=LANES,
        matrix=tuple(Cell(cell.source, cell.target, cell.lane, CellState.CLEAR) for cell in whole.matrix),
        above=whole.above[:1],
        accepted=(),
    )


def blind() -> Report:
    """Return a report whose only news is that something was not read."""
    whole = full()
    cells = tuple(Cell(cell.source, cell.target, cell.lane, CellState.UNKNOWN) for cell in whole.matrix)
    return replace(whole, verdict=Verdict.UNKNOWN, exit_code=3, findings=(), matrix=cells, gate_failed=False)


def empty() -> Report:
    """Return the report of an input in which nothing was recognised."""
    return replace(
        quiet(),
        estate="",
        started=None,
        finished=None,
        covers=(),
        tenants=(),
        owners=(),
        matrix=(),
        assumptions=(),
        assessed=(),
        population={},
        above=(),
        documents=(),
        rules=(),
        tables=(),
        parameters={},
    )


def crowd(tenants: int) -> Report:
    """Return a report of many tenants, each of whom reaches the next."""
    names = tuple(f"team-{number:03}" for number in range(tenants))
    cells = tuple(
        Cell(source, target, lane, CellState.BREACH if (place + 1) % tenants == other and lane == "act" else CellState.CLEAR)
        for place, source in enumerate(names)
        for other, target in enumerate(names)
        if source != target
        for lane in LANES
    )
    return replace(full(), owners=names, matrix=cells, tenants=tuple(TenantRow(name, {}) for name in names))


def many(findings: int) -> Report:
    """Return a report of many findings."""
    return replace(full(), findings=tuple(finding(id=f"{number:06x}", fingerprint=f"{number:032x}") for number in range(findings)))


ALL = {"full": full, "quiet": quiet, "blind": blind, "empty": empty}


@dataclass(frozen=True, slots=True)
class Named:
    """One text of a report: the field it stands in, and what it says."""

    field: str
    text: str


def respelled(report: Report, spell: Callable[[Named], str]) -> Report:
    """Return the report with every text of a stranger spelled anew."""
    changed = _respell(report, "", spell)
    assert isinstance(changed, Report)
    return changed


def _respell(value: object, field: str, spell: Callable[[Named], str]) -> object:
    match value:
        case Enum():
            return value
        case str():
            return value if field in OWN else spell(Named(field, value))
        case tuple():
            return tuple(_respell(item, field, spell) for item in value)
        case list():
            return [_respell(item, field, spell) for item in value]
        case Mapping() if field == "residual":
            return {key: _respell(item, "control" if key == "control" else field, spell) for key, item in value.items()}
        case Mapping():
            return {
                _respell(key, field, spell): item if isinstance(item, int) else _respell(item, field, spell) for key, item in value.items()
            }
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{each.name: _respell(getattr(value, each.name), each.name, spell) for each in fields(value)})
        case _:
            return value
