"""The exact read-only commands that make an input folder, as a shell script."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from partywall.errors import UsageError
from partywall.files.broken import BrokenFileError
from partywall.files.clusters import EKS, SLURM
from partywall.files.decode import decode
from partywall.files.gather_calls import AWS_CALLS, CONFIG_MAPS, KUBERNETES_KINDS, SLURM_CALLS, Call, Where
from partywall.files.yaml_text import compose, load_yaml
from partywall.model.evidence import Json

_ACCOUNT = re.compile(r"\d{12}")
_REGION = re.compile(r"[a-z]{2}(?:-[a-z]+)+-\d")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class GatherTarget:
    """One cluster to gather for; a profile of the AWS CLI and a context of kubectl where the defaults are not meant."""

    name: str
    account: str
    region: str
    orchestrator: str
    profile: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One command, or a loop of commands, and the file it writes, relative to the folder; `*` stands for what the loop walks."""

    text: str
    file: str


def target(name: str, account: str, region: str, orchestrator: str, profile: str = "", context: str = "") -> GatherTarget:
    """Return a checked target. Raises UsageError with what is wrong."""
    for word, pattern, what in (
        (name, _NAME, "a cluster name of letters, digits, `.`, `_` and `-`"),
        (account, _ACCOUNT, "an account id of 12 digits"),
        (region, _REGION, "a Region such as us-east-2"),
    ):
        if not pattern.fullmatch(word):
            raise UsageError(f"{word!r} is no {what.split(' ', 1)[1]}; give {what}")
    if orchestrator not in {EKS, SLURM}:
        raise UsageError(f"{orchestrator!r} is no orchestrator; give {EKS} or {SLURM}")
    return GatherTarget(name, account, region, orchestrator, profile, context)


def targets_of(tenants: Path) -> list[GatherTarget]:
    """Return the clusters that a tenants.yaml names."""
    try:
        values = load_yaml(compose(decode(tenants.read_bytes())))
    except OSError as error:
        raise UsageError(f"{tenants}: {error.strerror}; name a tenants.yaml that can be read") from error
    except BrokenFileError as error:
        raise UsageError(f"{error.place(str(tenants))}: {error.why}; {error.remedy}") from error
    clusters = values[0].get("clusters") if values and isinstance(values[0], dict) else None
    if not isinstance(clusters, list) or not clusters:
        raise UsageError(f"{tenants}: no clusters; list them under `clusters` with name, account, region and orchestrator")
    return [_target_from(entry, tenants) for entry in clusters]


def _target_from(entry: Json, tenants: Path) -> GatherTarget:
    if not isinstance(entry, dict):
        raise UsageError(f"{tenants}: an entry of `clusters` is no mapping; write name, account, region and orchestrator")
    words = {key: str(entry.get(key) or "") for key in ("name", "account", "region", "orchestrator")}
    return target(words["name"], words["account"], words["region"], words["orchestrator"].lower())


def commands(clusters: Iterable[GatherTarget]) -> list[Command]:
    """Return the commands for these clusters: each account and each Region once."""
    wanted = list(clusters)
    found: list[Command] = []
    for one in _first_of(wanted, "account"):
        found += [_aws(call, one, one.account) for call in AWS_CALLS if call.where is Where.ACCOUNT]
    for one in _first_of(wanted, "account", "region"):
        found += [_aws(call, one, f"{one.account}/{one.region}") for call in AWS_CALLS if call.where is Where.REGION]
    for one in wanted:
        found += _of_cluster(one)
    return found


def _first_of(wanted: Sequence[GatherTarget], *keys: str) -> Iterator[GatherTarget]:
    seen: set[tuple[str, ...]] = set()
    for one in wanted:
        key = tuple(str(getattr(one, name)) for name in keys)
        if key not in seen:
            seen.add(key)
            yield one


def _of_cluster(one: GatherTarget) -> list[Command]:
    folder = f"{one.account}/{one.region}/{one.name}"
    if one.orchestrator == SLURM:
        return [_run(call, f"{folder}/{_slurm_file(call)}") for call in SLURM_CALLS]
    context = f" --context {shlex.quote(one.context)}" if one.context else ""
    found = [_aws(call, one, folder) for call in AWS_CALLS if call.where is Where.EKS]
    found += [
        _run(f"kubectl{context} get {kind} --all-namespaces -o json", f"{folder}/kubectl-get-{kind.partition('.')[0]}.json")
        for kind in KUBERNETES_KINDS
    ]
    found += [
        _run(f"kubectl{context} get configmap {name} --namespace {namespace} -o json", f"{folder}/kubectl-get-configmap-{name}.json")
        for namespace, name in CONFIG_MAPS
    ]
    return found


def _slurm_file(call: str) -> str:
    words = [word for word in call.split() if not word.startswith("-")]
    return f"{'-'.join(words[:3])}.txt"


def _run(call: str, file: str) -> Command:
    return Command(f'run "$DIR"/{shlex.quote(file)} {call}', file)


def _aws(call: Call, one: GatherTarget, folder: str) -> Command:
    return Command("\n".join(_lines(call, one, folder, ())), f"{folder}/{_file(call.command, ())}")


def _lines(call: Call, one: GatherTarget, folder: str, items: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a call: the call itself, then a loop over what it lists. A variable of the shell holds each loop's item."""
    indent = "  " * len(items)
    words = _command_line(call.command, one, items)
    key = f'--"$(safe "{"/".join(f"${item}" for item in items[-2 if call.both else -1 :])}")"' if items else ""
    name = "aws-" + "-".join(call.command.split()[:2])
    yield f'{indent}run "$DIR"/{shlex.quote(folder)}/{name}{key}.json {words} --output json'
    if not call.each:
        return
    item = ("item", "inner", "innermost")[len(items)]
    yield f"{indent}{words} --query {shlex.quote(call.each)} --output text < /dev/null 2> /dev/null | lines | while read -r {item}; do"
    yield f'{indent}  test "${item}" != None && test -n "${item}" || continue'
    for inner in call.then:
        yield from _lines(inner, one, folder, (*items, item))
    yield f"{indent}done"


def _file(command: str, items: tuple[str, ...]) -> str:
    return f"aws-{'-'.join(command.split()[:2])}{'--*' if items else ''}.json"


def _command_line(command: str, one: GatherTarget, items: tuple[str, ...]) -> str:
    item = f'"${items[-1]}"' if items else ""
    parent = f'"${items[-2]}"' if len(items) > 1 else item
    filled = command.format(item=item, parent=parent, account=one.account, cluster=shlex.quote(one.name))
    profile = f" --profile {shlex.quote(one.profile)}" if one.profile else ""
    return f"aws {filled} --region {one.region}{profile}"


_HEAD = """#!/usr/bin/env bash
# Makes the folder that `partywall scan` reads. Every command below only reads.
# A command that is refused leaves its error in the file, and the scan says what that leaves unknown.
# The folder holds what the commands print, environment values of pods included; `partywall scan --save` keeps a copy without them.
set -u
DIR={folder}
safe() {{ printf '%s' "$1" | sed -e 's/%/%25/g' -e 's|/|%2F|g' -e 's/:/%3A/g'; }}
lines() {{ tr '\\t' '\\n'; }}
run() {{
  file=$1; shift
  mkdir -p "$(dirname "$file")"
  "$@" > "$file" 2> "$file.stderr" < /dev/null || cat "$file.stderr" >> "$file"
  rm -f "$file.stderr"
}}
"""


def script(clusters: Iterable[GatherTarget], into: str) -> str:
    """Return the commands as a script that makes the folder `into`."""
    return _HEAD.format(folder=shlex.quote(into)) + "\n" + "\n".join(command.text for command in commands(clusters)) + "\n"
