"""`partywall rules list|show|new|docs`."""

import json
from pathlib import Path

import click

from partywall.errors import UsageError
from partywall.packs import rules as known_rules
from partywall.rulepages import lane_of, pages

PACKS = click.option("--pack", "packs", multiple=True, type=click.Path(exists=True, file_okay=False), help="A folder with further rules.")


@click.group()
def rules() -> None:
    """List, show and start rules."""


@rules.command("list")
@PACKS
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def list_rules(packs: tuple[str, ...], form: str) -> None:
    """List all rules."""
    found = known_rules(packs)
    if form == "json":
        rows = [
            {"id": r.id, "name": r.name, "lane": lane_of(r), "severity": r.severity.word, "version": r.version, "title": r.page.title}
            for r in found
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for rule in found:
        click.echo(f"{rule.id}  {rule.severity.word:<8}  {lane_of(rule):<8}  {rule.name}")


@rules.command()
@click.argument("rule")
@PACKS
def show(rule: str, packs: tuple[str, ...]) -> None:
    """Show one rule's page, by its id or name."""
    from partywall.engine.explain import explain_rule

    found = next((each for each in known_rules(packs) if rule in (each.id, each.name)), None)
    if found is None:
        raise UsageError(f"no rule is called {rule}; `partywall rules list` lists them")
    for line in explain_rule(found):
        click.echo(line)


@rules.command()
@click.argument("lane", type=click.Choice(["act", "view", "data", "network", "compute", "identity", "drift"]))
@click.argument("name")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The repository to write into.")
def new(lane: str, name: str, into: Path) -> None:
    """Start a rule: its module and its test, with the next free id."""
    from partywall.rulestart import start

    for path in start(lane, name, into, {rule.id for rule in known_rules()}):
        click.echo(f"wrote {path}", err=True)


@rules.command(hidden=True)
@click.option("--write", type=click.Path(path_type=Path, file_okay=False), help="Write the pages into this folder.")
@click.option("--check", type=click.Path(path_type=Path, file_okay=False), help="Fail when the pages of this folder are stale.")
def docs(write: Path | None, check: Path | None) -> None:
    """Write the rule pages, or check that they are up to date."""
    made = pages([rule for rule in known_rules() if rule.module.startswith("partywall_rules.")])
    folder = write or check
    if folder is None:
        raise UsageError("say --write FOLDER or --check FOLDER")
    if write:
        write.mkdir(parents=True, exist_ok=True)
        for old in set(write.glob("*.md")) - {write / name for name in made}:
            old.unlink()
        for name, text in made.items():
            (write / name).write_text(text, encoding="utf-8")
        return
    stale = sorted(
        {name for name, text in made.items() if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text}
        | {p.name for p in folder.glob("*.md")} - set(made)
    )
    if stale:
        raise UsageError(f"{folder}: stale pages: {', '.join(stale)}; run `make docs`")
