"""`partywall explain`."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from partywall.config import ScanSettings, screen
from partywall.errors import UsageError
from partywall.printable import printable

if TYPE_CHECKING:
    from partywall.engine.scan import Scan
    from partywall.model.rule import Rule


@click.command()
@click.argument("subject")
@click.argument("other", required=False)
@click.option(
    "--in",
    "folder",
    type=click.Path(path_type=Path),
    default=Path(),
    show_default="the current folder",
    help="The folder or snapshot to ask.",
)
@click.option("--as-of", "as_of", metavar="DAY", help="The day (YYYY-MM-DD) against which reviews and expiries are judged.")
@click.option("--pack", "packs", multiple=True, type=click.Path(exists=True, file_okay=False), help="A folder with further rules.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def explain(subject: str, other: str | None, folder: Path, as_of: str | None, packs: tuple[str, ...], debug: bool) -> None:
    """Explain a rule, a finding (by its id), a thing (its owner, why, what it may do), or two owners: every way from one to the other."""
    from partywall.packs import rules

    screen(debug=debug)
    known = rules(packs)
    rule = next((rule for rule in known if subject in (rule.id, rule.name)), None)
    lines = _rule(rule) if rule and other is None else _asked(subject, other, _scanned(folder, as_of, packs, known), known)
    for line in lines:
        click.echo("\n".join(printable(part) for part in line.split("\n")))


def _rule(rule: "Rule") -> Iterator[str]:
    from partywall.engine.explain import explain_rule

    return explain_rule(rule)


def _scanned(folder: Path, as_of: str | None, packs: tuple[str, ...], known: "tuple[Rule, ...]") -> "Scan":
    from partywall.cli.scan import day
    from partywall.engine.scan import scan
    from partywall.files import ReadSettings, read

    now = datetime.now(UTC)
    reading = read(folder, ReadSettings(now=now.strftime("%Y-%m-%dT%H:%M:%SZ")))
    return scan(reading, known, ScanSettings(now=now.date(), as_of=day(as_of) if as_of else None, packs=packs))


def _asked(subject: str, other: str | None, scanned: "Scan", known: "tuple[Rule, ...]") -> Iterable[str]:
    from partywall.engine.explain import explain_finding, explain_node, explain_pair, find_finding, find_nodes

    if other is not None:
        return explain_pair(scanned, subject, other)
    finding = find_finding(scanned, subject)
    if finding is not None:
        return explain_finding(scanned, finding, known)
    nodes = find_nodes(scanned.world, subject)
    if not nodes:
        raise UsageError(
            f"{subject}: no rule, finding or thing of this estate is called so; `partywall scan` prints the findings with their ids"
        )
    return (line for number in nodes for line in (*explain_node(scanned, number), ""))
