"""`partywall gather` prints commands that only read, and a script that a shell accepts and the reader understands."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from partywall.cli.gather import gather
from partywall.errors import UsageError
from partywall.files import read
from partywall.files.aws_shapes import KINDS
from partywall.files.gather import commands, script, target, targets_of
from partywall.files.gather_calls import SLURM_CALLS
from tests.unit.files.folders import NOW

EKS = target("capacity", "111122223333", "us-east-2", "eks", context="cap")
SLURM = target("batch", "111122223333", "us-east-2", "slurm")
TEXT = script([EKS, SLURM], "estate")
FORBIDDEN = re.compile(
    r"get-secret-value|get-object|get-parameter|decrypt|get-authorization-token|get-log-events|credentials|get-iam-portal-login-url|--with-decryption"
)


def test_every_call_of_aws_only_reads() -> None:
    calls = re.findall(r"(?<!\S)aws ([a-z0-9-]+) ([a-z0-9-]+)", TEXT)

    assert len(calls) > 60
    assert [call for call in calls if not re.match(r"(?:get|list|describe)-", call[1])] == []
    assert FORBIDDEN.search(TEXT) is None


def test_every_call_of_kubectl_is_a_get_and_none_of_secrets() -> None:
    assert set(re.findall(r"\bkubectl(?: --context \S+)? (\S+) (\S+)", TEXT)) >= {("get", "namespaces"), ("get", "configmap")}
    assert {verb for verb, _ in re.findall(r"\bkubectl(?: --context \S+)? (\S+) (\S+)", TEXT)} == {"get"}
    assert "get secrets" not in TEXT


def test_every_call_of_slurm_is_a_show() -> None:
    assert {re.sub(r" -\w+", "", call).split()[1] for call in SLURM_CALLS} == {"show"}
    assert all(f" {call}\n" in TEXT + "\n" for call in SLURM_CALLS)


def test_every_answer_of_aws_that_is_gathered_can_be_recognised() -> None:
    calls = {f"aws:{service}:{command}" for service, command in re.findall(r"(?<!\S)aws ([a-z0-9-]+) ([a-z0-9-]+)", TEXT)}

    assert calls <= KINDS


def test_nothing_else_than_these_programs_is_run() -> None:
    body = TEXT.split("\n\n", 1)[1]
    called = [
        re.sub(r"^run \S+?(?:\.json|\.txt) ", "", line.replace('"$(safe "', "").replace('")"', ""))
        for line in map(str.strip, body.splitlines())
        if line
    ]
    programs = {line.split()[0] for line in called}

    assert programs == {"aws", "kubectl", "sacctmgr", "scontrol", "test", "done"}


def test_an_account_and_a_region_are_read_once() -> None:
    files = [command.file for command in commands([EKS, SLURM, target("other", "111122223333", "us-west-2", "eks")])]

    assert files.count("111122223333/aws-iam-get-account-authorization-details.json") == 1
    assert "111122223333/us-west-2/other/aws-eks-describe-cluster.json" in files
    assert "111122223333/us-east-2/batch/scontrol-show-config.txt" in files


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("a;rm", "111122223333", "us-east-2", "eks"), "'a;rm' is no cluster name"),
        (("a", "1234", "us-east-2", "eks"), "'1234' is no account id of 12 digits"),
        (("a", "111122223333", "here", "eks"), "'here' is no Region such as us-east-2"),
        (("a", "111122223333", "us-east-2", "nomad"), "'nomad' is no orchestrator; give eks or slurm"),
    ],
)
def test_a_target_that_makes_no_sense_is_refused(words: tuple[str, str, str, str], told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        target(*words)


def test_profiles_and_contexts_are_quoted() -> None:
    text = script([target("a", "111122223333", "us-east-2", "eks", profile="my profile", context="a;b")], "my folder")

    assert "--profile 'my profile'" in text
    assert "kubectl --context 'a;b' get pods" in text
    assert "DIR='my folder'" in text


def test_the_clusters_of_a_tenancy_can_be_gathered(tmp_path: Path) -> None:
    tenants = tmp_path / "tenants.yaml"
    tenants.write_text("clusters:\n- {name: capacity, account: '111122223333', region: us-east-2, orchestrator: EKS}\ntenants: []\n")

    assert targets_of(tenants) == [target("capacity", "111122223333", "us-east-2", "eks")]


@pytest.mark.parametrize("text", ["", "a: [", "clusters: []\n", "clusters: [capacity]\n", "clusters: [{name: capacity}]\n"])
def test_a_tenancy_without_usable_clusters_is_an_error(tmp_path: Path, text: str) -> None:
    tenants = tmp_path / "tenants.yaml"
    tenants.write_text(text)

    with pytest.raises(UsageError):
        targets_of(tenants)


def test_the_command_prints_the_script() -> None:
    said = CliRunner().invoke(
        gather, ["--cluster", "capacity", "--account", "111122223333", "--region", "us-east-2", "--orchestrator", "eks", "--context", "cap"]
    )

    assert said.output == script([EKS], "estate")


def test_the_command_wants_a_cluster() -> None:
    said = CliRunner().invoke(gather, ["--cluster", "capacity"])

    assert isinstance(said.exception, UsageError)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash runs the script")
def test_a_run_where_everything_is_refused_makes_a_folder_of_gaps(tmp_path: Path) -> None:
    """The script runs to its end with programs that refuse everything, and the reader takes each refusal for what it is."""
    refusal = "#!/bin/sh\necho 'An error occurred (AccessDenied) when calling the X operation: no' >&2\nexit 254\n"
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("aws", "kubectl", "sacctmgr", "scontrol"):
        (tools / name).write_text(refusal)
        (tools / name).chmod(0o755)

    subprocess.run(
        ["bash", "-c", script([EKS, SLURM], "estate")],
        cwd=tmp_path,
        env={"PATH": f"{tools}:/usr/bin:/bin"},
        check=True,
        capture_output=True,
    )

    found = read(tmp_path / "estate", NOW)
    assert found.documents == ()
    assert len(found.gaps) == sum(path.is_file() for path in (tmp_path / "estate").rglob("*"))
    assert {gap.reason.value for gap in found.gaps} == {"denied"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash runs the script")
def test_a_loop_names_its_files_so_that_the_subject_comes_back(tmp_path: Path) -> None:
    arn = "arn:aws:secretsmanager:us-east-2:111122223333:secret:team/vision-a1"
    refuse = "echo 'An error occurred (AccessDenied) when calling the X operation: no' >&2; exit 254"
    fake = f"#!/bin/sh\ncase \"$*\" in *list-secrets*--output\\ text*) echo '{arn}';; *) {refuse};; esac\n"
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "aws").write_text(fake)
    (tools / "aws").chmod(0o755)

    subprocess.run(
        ["bash", "-c", script([SLURM], "estate")], cwd=tmp_path, env={"PATH": f"{tools}:/usr/bin:/bin"}, check=True, capture_output=True
    )

    policies = [gap for gap in read(tmp_path / "estate", NOW).gaps if "get-resource-policy" in gap.source]
    assert [node.name for gap in policies for node in gap.nodes] == [arn]
