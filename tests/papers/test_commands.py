"""The command line: it starts fast, loads little, and the README names all of it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import partywall

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(Path(sys.executable).with_name("partywall"))
HEAVY = ("boto3", "botocore", "jinja2", "kubernetes", "networkx", "numpy")


def partywall_says(*arguments: str) -> str:
    run = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=True, encoding="utf-8")
    return run.stdout


def commands_below(*path: str) -> list[str]:
    """Return the commands that `--help` lists, hidden ones left out."""
    _, _, listing = partywall_says(*path, "--help").partition("Commands:\n")
    return re.findall(r"^  ([a-z][a-z0-9-]*)(?:  |$)", listing, re.MULTILINE)


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = commands_below()
    assert commands

    named = [command for command in commands if f"`partywall {command}" in readme]

    assert named == commands


@pytest.mark.parametrize("group", ["iam", "k8s", "rules", "contracts"])
def test_every_subcommand_is_in_the_readme(group: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    subcommands = commands_below(group)
    assert subcommands

    named = [command for command in subcommands if f"`partywall {group} {command}" in readme]

    assert named == subcommands


def test_the_readme_names_no_command_that_is_not_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert set(re.findall(r"`partywall ([a-z0-9-]+)", readme)) <= set(commands_below())


def test_version_says_the_version() -> None:
    assert partywall.__version__ in partywall_says("version")
    assert partywall.__version__ in partywall_says("--version")


def test_importing_the_command_line_loads_no_heavy_library() -> None:
    code = f"import sys, partywall.cli; print(*[name for name in {HEAVY!r} if name in sys.modules])"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")

    assert run.stdout.split() == []


def test_importing_the_command_line_opens_no_file_but_modules_and_no_socket() -> None:
    code = """
import sys
def watch(event, args):
    if event.startswith("socket.") or (event == "open" and not str(args[0]).endswith((".py", ".pyc", ".so", ".pth", "pyvenv.cfg"))):
        print(event, args[0])
sys.addaudithook(watch)
import partywall.cli
"""

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")

    # Python writes a module's cache through a temporary name the first time.
    assert [line for line in run.stdout.splitlines() if "__pycache__" not in line] == []


def test_version_takes_a_third_of_a_second_of_processor_time_at_most() -> None:
    def seconds() -> float:
        process = subprocess.Popen([SCRIPT, "version"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_utime + usage.ru_stime

    # The best of five, since other work on the machine only adds to it.
    assert min(seconds() for _ in range(5)) < 0.3
