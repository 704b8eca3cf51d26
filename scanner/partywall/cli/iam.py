"""`partywall iam can` and `partywall iam who-can`."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from partywall.cli.questions import DEBUG, EXIT_CODES, FORM, PATH
from partywall.config import screen
from partywall.errors import UsageError
from partywall.printable import printable

if TYPE_CHECKING:
    from partywall.cli.iam_words import Input


@click.group()
def iam() -> None:
    """Ask IAM one question: may somebody do something, and who may."""


def _question_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that both questions share."""
    options = (
        PATH,
        click.option(
            "--context", "given", multiple=True, metavar="KEY=VALUE", help="A condition key of the request; again for a further value."
        ),
        click.option("--absent", multiple=True, metavar="KEY", help="A condition key that is not in the request."),
        FORM,
        DEBUG,
    )
    for option in reversed(options):
        command = option(command)
    return command


@iam.command(epilog=EXIT_CODES)
@click.argument("principal")
@click.argument("action")
@click.argument("resource")
@_question_options
def can(
    principal: str, action: str, resource: str, path: Path, given: tuple[str, ...], absent: tuple[str, ...], form: str, debug: bool
) -> int:
    """May PRINCIPAL do ACTION on RESOURCE? With the statements that decide, and the condition that is left.

    PRINCIPAL is an ARN, the name alone of a role, user or group, a service, or * for anybody; RESOURCE is an ARN, a pattern, or *.
    """
    from partywall.cli.iam_words import can_data, can_lines, code_of
    from partywall.resolve.iam import answered

    screen(debug=debug)
    context = _context(given)
    found = _read(path)
    answer = answered(found.facts, principal, action, resource, context, absent)
    if form == "json":
        _print_json(can_data(found, principal, answer))
    else:
        _print(can_lines(found, principal, answer))
    return code_of(answer.decision)


@iam.command("who-can", epilog=EXIT_CODES)
@click.argument("action")
@click.argument("resource")
@_question_options
def who_can(action: str, resource: str, path: Path, given: tuple[str, ...], absent: tuple[str, ...], form: str, debug: bool) -> int:
    """Who may do ACTION on RESOURCE? Everybody for whom no is not certain, those whom the resource's own policy names included."""
    from partywall.cli.iam_words import code_of_all, who_data, who_lines
    from partywall.resolve.iam import all_answered, unlisted

    screen(debug=debug)
    context = _context(given)
    found = _read(path)
    answers = all_answered(found.facts, action, resource, context, absent)
    open_ = tuple(found.open_questions(resource, unlisted(found.facts, action, resource)))
    if form == "json":
        _print_json(who_data(found, action, resource, answers, open_))
    else:
        _print(who_lines(found, action, resource, answers, open_))
    return code_of_all([answer.decision for _, answer in answers], complete=not open_)


def _read(path: Path) -> "Input":
    from partywall.cli.iam_words import Input
    from partywall.files import ReadSettings, read
    from partywall.parse.everything import parse

    reading = read(path, ReadSettings(now=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    facts, gaps = parse(reading.documents)
    return Input.of(reading.documents, facts, (*reading.gaps, *gaps))


def _context(given: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--context {pair}: write KEY=VALUE, such as aws:SourceVpc=vpc-1; a key that is not there is --absent {key}")
        found[key] = (*found.get(key, ()), value)
    return found


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(printable(line))


def _print_json(data: object) -> None:
    click.echo(json.dumps(data, indent=1, ensure_ascii=True))
