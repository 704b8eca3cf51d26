"""`partywall scan` and `partywall demo`."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import click

from partywall.config import ScanSettings, Screen, screen
from partywall.errors import UsageError
from partywall.model.report import Look, Report, ReportFormat
from partywall.model.severity import Severity

SEVERITIES = [severity.word for severity in reversed(Severity)]
QUIET_FOR = 1.0


def scan_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that `scan` and `demo` share."""
    options = (
        click.option(
            "-o",
            "--output",
            "outputs",
            multiple=True,
            metavar="FORMAT[=FILE]",
            help="Write a report: html, json, sarif or terminal, to a file or to stdout. May be repeated.",
        ),
        click.option("--as-of", "as_of", metavar="DAY", help="The day (YYYY-MM-DD) against which reviews and expiries are judged."),
        click.option(
            "--fail-on",
            type=click.Choice(SEVERITIES),
            default="high",
            show_default=True,
            help="End with 1 for findings at or above this severity.",
        ),
        click.option("--allow-incomplete", is_flag=True, help="End with 0 although something could not be answered."),
        click.option(
            "--require", "required", multiple=True, metavar="KIND", help="Count it as a gap when the input holds nothing of this kind."
        ),
        click.option("--pack", "packs", multiple=True, type=click.Path(exists=True, file_okay=False), help="A folder with further rules."),
        click.option(
            "--prove",
            type=click.IntRange(min=0),
            metavar="N",
            help="Prove the fixes of the N worst causes; by default as many as are quick.",
        ),
        click.option("-q", "--quiet", is_flag=True, help="Print the verdict only."),
        click.option("-v", "--verbose", is_flag=True, help="Print every pair, every example and all evidence."),
        click.option("--no-color", "no_colour", is_flag=True, help="Print without colours; NO_COLOR does the same."),
        click.option("--debug", is_flag=True, help="Show the traceback of an error."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--save", type=click.Path(path_type=Path), help="Save what was read as a snapshot in this folder.")
@scan_options
def scan(
    path: Path, save: Path | None, outputs: tuple[str, ...], no_colour: bool, quiet: bool, verbose: bool, debug: bool, **settings: object
) -> int:
    """Read a folder (or a snapshot, or one file) and say who reaches what across tenants."""
    look = screen(no_colour=no_colour, quiet=quiet, verbose=verbose, debug=debug)
    return run(path, save, outputs, look, _settings(**settings))


@click.command()
@scan_options
def demo(outputs: tuple[str, ...], no_colour: bool, quiet: bool, verbose: bool, debug: bool, **settings: object) -> int:
    """Scan the built-in estate, which has a hole in every lane."""
    look = screen(no_colour=no_colour, quiet=quiet, verbose=verbose, debug=debug)
    return run(demo_estate(), None, outputs, look, _settings(**settings))


def _settings(
    as_of: object = None,
    fail_on: object = "high",
    allow_incomplete: object = False,
    required: object = (),
    packs: object = (),
    prove: object = None,
) -> ScanSettings:
    return ScanSettings(
        now=datetime.now(UTC).date(),
        as_of=day(str(as_of)) if as_of else None,
        fail_on=Severity[str(fail_on).upper()],
        allow_incomplete=bool(allow_incomplete),
        require=tuple(map(str, required)) if isinstance(required, tuple) else (),
        packs=tuple(map(str, packs)) if isinstance(packs, tuple) else (),
        prove=prove if isinstance(prove, int) else None,
    )


def day(text: str) -> date:
    """Return the day of `--as-of`. Raises UsageError where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--as-of {text}: no day; write it as YYYY-MM-DD") from error


def demo_estate() -> Path:
    """Return the folder of the built-in estate: inside the installed package, or in the repository of an editable install."""
    import partywall

    package = Path(partywall.__file__).parent
    places = (package / "_demo" / "harbor", package.parents[1] / "fixtures" / "worlds" / "harbor")
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise UsageError("the built-in estate is missing from this installation; install partywall again")
    return found


def run(path: Path, save: Path | None, outputs: Sequence[str], look: Screen, settings: ScanSettings) -> int:
    """Read, scan, write the reports, print the summary; return the exit code."""
    from partywall.engine.scan import scan as scan_reading
    from partywall.files import ReadSettings, read
    from partywall.packs import rules

    wanted = [_wanted(each) for each in outputs]
    known = rules(settings.packs)
    with progress(f"reading {path}", look):
        reading = read(path, ReadSettings(now=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    if save is not None:
        from partywall.snapshot import write as write_snapshot

        write_snapshot(reading, save)
    with progress(f"{len(reading.documents)} documents: working out who reaches whom", look):
        result = scan_reading(reading, known, settings)
    write_reports(result.report, wanted)
    summarise(result.report, look)
    return result.report.exit_code


def _wanted(text: str) -> tuple[ReportFormat, str]:
    from partywall.packs import report_format

    name, _, target = text.partition("=")
    return report_format(name), target or "-"


def write_reports(report: Report, wanted: Sequence[tuple[ReportFormat, str]]) -> None:
    """Write every report that was asked for. Nothing is written before all were made."""
    from partywall.output import write

    made = [(format_.render(report), target) for format_, target in wanted]
    for text, target in made:
        write(text, target)


def summarise(report: Report, look: Screen) -> None:
    """Print the summary for people to stderr."""
    from partywall.packs import report_format

    terminal = report_format("terminal")
    if terminal.show is None:
        raise UsageError("the report format called terminal shows nothing on a screen; remove the pack that replaces it")
    text = terminal.show(report, Look(look.width, _coloured(look), look.verbose, look.quiet))
    click.echo(text, err=True, nl=not text.endswith("\n"), color=_coloured(look))


def _coloured(look: Screen) -> bool:
    return sys.stderr.isatty() if look.colour is None else look.colour


@contextmanager
def progress(what: str, look: Screen) -> Iterator[None]:
    """Say what is going on, on a terminal at once, else only when it took longer than a second."""
    begin = time.monotonic()
    live = sys.stderr.isatty() and not look.quiet
    if live:
        click.echo(f"{what} ...", err=True, nl=False)
    try:
        yield
    finally:
        took = time.monotonic() - begin
        if live:
            click.echo("\r\033[K", err=True, nl=False)
        elif took > QUIET_FOR and not look.quiet:
            click.echo(f"{what}: {took:.1f} s", err=True)
