"""`partywall k8s can`, `partywall k8s who-can` and `partywall k8s net`."""

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
    from partywall.cli.k8s_words import Input


@click.group()
def k8s() -> None:
    """Ask a Kubernetes cluster one question: may somebody do something, who may, who gets to whom."""


def _question_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that all questions share."""
    options = (
        PATH,
        click.option("--cluster", default="", metavar="NAME", help="Ask this cluster only; by default all of the input."),
        FORM,
        DEBUG,
    )
    return _with(command, options)


def _request_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that say what is asked for."""
    options = (
        click.option(
            "-n", "--namespace", default="", metavar="NS", help="In this namespace; by default in any, and the answer says where."
        ),
        click.option("-A", "--all-namespaces", "everywhere", is_flag=True, help="In all namespaces at once."),
        click.option("--name", default="", metavar="NAME", help="On the object of this name; by default on any."),
        click.option("--complete", is_flag=True, help="Take the input for all there is, although it was not listed."),
    )
    return _with(command, options)


def _with(
    command: Callable[..., object], options: Iterable[Callable[[Callable[..., object]], Callable[..., object]]]
) -> Callable[..., object]:
    for option in reversed(tuple(options)):
        command = option(command)
    return command


@k8s.command(epilog=EXIT_CODES)
@click.argument("subject")
@click.argument("verb")
@click.argument("resource")
@_request_options
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="A group that the user is in; may be repeated.")
@_question_options
def can(
    subject: str,
    verb: str,
    resource: str,
    namespace: str,
    everywhere: bool,
    name: str,
    complete: bool,
    groups: tuple[str, ...],
    path: Path,
    cluster: str,
    form: str,
    debug: bool,
) -> int:
    """May SUBJECT do VERB on RESOURCE? With the bindings, roles and access policies that decide.

    SUBJECT is user:NAME, group:NAME, sa:NAMESPACE/NAME, anonymous, or the ARN of an IAM role or user; RESOURCE is pods, pods/exec,
    pods/NAME, deployments.apps, * or a path such as /metrics.
    """
    from partywall.cli.k8s_words import can_data, can_lines, code_of_all
    from partywall.resolve.access import Question, read_request
    from partywall.resolve.access import can as ask

    screen(debug=debug)
    found = _read(path)
    request = read_request(found.facts, verb, resource, namespace, name, everywhere=everywhere)
    answers = ask(Question(found.facts, found.gaps, cluster, complete), subject, request, groups)
    _print(form, lambda: can_lines(found, answers), lambda: can_data(found, request, answers))
    return code_of_all(answer.decision.outcome for answer in answers)


@k8s.command("who-can", epilog=EXIT_CODES)
@click.argument("verb")
@click.argument("resource")
@_request_options
@_question_options
def who_can(
    verb: str,
    resource: str,
    namespace: str,
    everywhere: bool,
    name: str,
    complete: bool,
    path: Path,
    cluster: str,
    form: str,
    debug: bool,
) -> int:
    """Who may do VERB on RESOURCE? Everybody for whom no is not certain, with the binding and role, or access policy, that decides."""
    from partywall.cli.k8s_words import code_of_all, outcomes_of, who_data, who_lines
    from partywall.resolve.access import Question, read_request
    from partywall.resolve.access import who_can as ask

    screen(debug=debug)
    found = _read(path)
    request = read_request(found.facts, verb, resource, namespace, name, everywhere=everywhere)
    crowds = ask(Question(found.facts, found.gaps, cluster, complete), request)
    _print(form, lambda: who_lines(found, crowds), lambda: who_data(found, request, crowds))
    return code_of_all(outcomes_of(crowds))


@k8s.command(epilog=EXIT_CODES)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--place", "places", multiple=True, metavar="NAME=CIDR", help="A name for addresses outside; again for a further range.")
@_question_options
def net(source: str, target: str, places: tuple[str, ...], path: Path, cluster: str, form: str, debug: bool) -> int:
    """Who of FROM gets to TO, per protocol and range of ports? With the network policies that decide, and what no answer can see.

    An end is NAMESPACE, NAMESPACE/NAME of a pod or of what makes pods, an address or CIDR, or a place: imds, pod-identity, dns, nodes.
    """
    from partywall.cli.k8s_net_words import code_of_net, net_data, net_lines, network_clusters
    from partywall.resolve.access import chosen
    from partywall.resolve.netpol.ask import asked

    screen(debug=debug)
    named = _places(places)
    found = _read(path)
    answers = asked(found.facts, found.gaps, source, target, chosen(network_clusters(found.facts), cluster), named)
    _print(form, lambda: net_lines(found, answers), lambda: net_data(found, source, target, answers))
    return code_of_net(answers)


def _places(given: Iterable[str]) -> dict[str, tuple[str, ...]]:
    from ipaddress import ip_network

    found: dict[str, tuple[str, ...]] = {}
    for pair in given:
        name, equals, cidr = pair.partition("=")
        if not (name and equals):
            raise UsageError(f"--place {pair}: write NAME=CIDR, such as s3=10.0.5.0/28")
        try:
            ip_network(cidr, strict=False)
        except ValueError as error:
            raise UsageError(f"--place {pair}: {cidr} is no range of addresses") from error
        found[name] = (*found.get(name, ()), cidr)
    return found


def _read(path: Path) -> "Input":
    from partywall.cli.k8s_words import Input
    from partywall.files import ReadSettings, read
    from partywall.parse.everything import parse

    reading = read(path, ReadSettings(now=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    facts, gaps = parse(reading.documents)
    return Input.of(reading.documents, facts, (*reading.gaps, *gaps))


def _print(form: str, lines: Callable[[], Iterable[str]], data: Callable[[], object]) -> None:
    if form == "json":
        click.echo(json.dumps(data(), indent=1, ensure_ascii=True))
        return
    for line in lines():
        click.echo(printable(line))
