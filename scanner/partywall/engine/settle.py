"""Sort, fingerprint, decide the verdict and the exit code: from answers to a report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from partywall.engine.findings import numbered
from partywall.engine.fingerprint import fingerprint, short_ids
from partywall.engine.matrix import Blindness
from partywall.model.report import Cell, CellState, Finding, OpenQuestion, RuleRow
from partywall.model.rule import Crossings, Differences, Rule
from partywall.model.severity import Severity, Verdict, worst
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM
from partywall.model.verbs import VERBS, Lane

EXIT_OK, EXIT_FOUND, EXIT_INCOMPLETE = 0, 1, 3


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings, the worst first, and give each its short id; the same rule and cause in several lanes keep their order by lane."""
    found = sorted(findings, key=lambda f: (-_weight(f.verdict), -f.severity, f.rule, f.lane, f.message, f.fingerprint))
    unique = unlike(found)
    return numbered(unique, short_ids([f.fingerprint for f in unique]))


def unlike(findings: Sequence[Finding]) -> list[Finding]:
    """Mark findings of one rule and cause in several lanes apart: the lane joins the fingerprint of all but the first."""
    seen: dict[str, int] = {}
    out = []
    for finding in findings:
        again = seen.get(finding.fingerprint, 0)
        seen[finding.fingerprint] = again + 1
        out.append(replace(finding, fingerprint=fingerprint(finding.fingerprint, finding.lane, str(again))) if again else finding)
    return out


def _weight(verdict: Verdict) -> int:
    return tuple(Verdict).index(verdict)


def verdict_of(findings: Iterable[Finding], cells: Iterable[Cell], gaps: Sequence[object], *, guessed: bool, missing: bool) -> Verdict:
    """Return the worst of breach > drift > unknown > ok.

    A gap counts where it blinds a cell; guessed owners and missing required kinds are never better than unknown.
    """
    blind = guessed or missing or bool(gaps) or any(cell.state is CellState.UNKNOWN for cell in cells)
    return worst(*(finding.verdict for finding in findings), Verdict.UNKNOWN if blind else Verdict.OK)


def exit_code(findings: Iterable[Finding], verdict: Verdict, incomplete: bool, fail_on: Severity, allow_incomplete: bool) -> int:
    """Return 1 for findings at or above the gate, 3 for an incomplete scan, else 0 (DESIGN section 7)."""
    if any(finding.severity >= fail_on and finding.verdict is not Verdict.UNKNOWN for finding in findings):
        return EXIT_FOUND
    return EXIT_INCOMPLETE if (verdict is Verdict.UNKNOWN or incomplete) and not allow_incomplete else EXIT_OK


def rule_rows(
    rules: Sequence[Rule],
    findings: Sequence[Finding],
    asked: Mapping[str, int],
    gaps: Sequence[OpenQuestion],
    covered: frozenset[Lane],
) -> tuple[RuleRow, ...]:
    """Say of every rule how often it asked and how it came out; one whose lanes the input does not cover cleared nothing."""
    out = []
    for rule in sorted(rules, key=lambda rule: rule.id):
        mine = [finding for finding in findings if finding.rule == rule.id]
        blind = sum(rule.id in gap.rules for gap in gaps)
        doubtful = sum(finding.verdict is Verdict.UNKNOWN for finding in mine)
        total = asked.get(rule.id, 0)
        fired = sum(max(1, finding.counts.edges) for finding in mine)
        unseen = bool(_lanes(rule)) and not _lanes(rule) & covered
        quiet = max(0, total - fired)
        verdict = worst(*(finding.verdict for finding in mine), Verdict.UNKNOWN if blind or unseen else Verdict.OK)
        page = rule.page
        out.append(
            RuleRow(
                rule.id,
                rule.name,
                rule.version,
                verdict,
                max(total, fired),
                0 if unseen else quiet,
                blind + doubtful + (quiet if unseen else 0),
                rule.severity,
                page.title,
                page.why,
                page.fix,
                page.blind_spots,
            )
        )
    return tuple(out)


def rules_blinded(rules: Iterable[Rule], lanes: Iterable[Lane], field: str = "") -> tuple[str, ...]:
    """Return the rules whose question a gap in these lanes, or in this field of a contract, leaves open."""
    blind = set(lanes)
    return tuple(sorted(rule.id for rule in rules if _lanes(rule) & blind or field in _fields(rule)))


def _fields(rule: Rule) -> tuple[str, ...]:
    return rule.asks.fields if isinstance(rule.asks, Differences) else ()


def _lanes(rule: Rule) -> frozenset[Lane]:
    match rule.asks:
        case Crossings(verbs=verbs):
            return frozenset(VERBS[verb].lane for verb in verbs)
        case Differences():
            return frozenset()
        case _:
            return frozenset(Lane)


# What reaching somebody in a lane means, in words that need no knowledge of the systems.
REACHES: Mapping[str, str] = {
    "act": "can act in {target}'s place",
    "view": "sees {target}'s work",
    "data": "gets at {target}'s data",
    "network": "can connect to {target}'s pods",
    "compute": "can take {target}'s capacity",
    "identity": "can become {target}",
}
SAID = 2


def summary(
    findings: Sequence[Finding], verdict: Verdict, covers: Sequence[str], not_assessed: Sequence[str], blind: Blindness, guessed: bool
) -> str:
    """Return one sentence that a manager can repeat."""
    parts = [f"{told[:1].upper()}{told[1:]}." for told in (_told(findings),) if told]
    if not parts and verdict is Verdict.OK:
        parts.append(f"Nobody reaches through the wall in {_list(covers)}.")
    if not parts and verdict is Verdict.UNKNOWN:
        open_ones = len(blind.by_gap)
        parts.append(f"No way through the wall was proved, but {open_ones or 'some'} question{'s' * (open_ones != 1)} stayed open.")
    if guessed:
        parts.append("Owners were guessed from HyperPod's own names; write tenants.yaml to be sure.")
    if not_assessed:
        parts.append(f"Not assessed: {_list(not_assessed)}.")
    return " ".join(parts)


def _told(findings: Sequence[Finding]) -> str:
    """Say the worst breaches by their owners, else the worst difference from a contract."""
    breaches = [finding for finding in findings if finding.verdict is Verdict.BREACH and finding.lane in REACHES]
    said = list(dict.fromkeys(f"{_owner(f.source.tenant)} {REACHES[f.lane].format(target=_owner(f.target.tenant))}" for f in breaches))
    if not said:
        return next((finding.message for finding in findings if finding.verdict is Verdict.DRIFT), "")
    more = len(said) - SAID
    return "; ".join(said[:SAID]) + (f"; and {more} more like these" if more > 0 else "")


def _owner(name: str) -> str:
    return name if name in (NOBODY, OUTSIDE) else f"the {name}" if name == PLATFORM else f"team {name}"


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)
