"""`partywall iam`: what it prints, as text and as data, and how it ends."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from partywall.cli.iam import iam
from partywall.errors import UsageError
from tests.unit.aws import ACCOUNT, Json, account, allow, arn, managed, policy, role, trust

OBJECT = "arn:aws:s3:::vision-data/model.bin"
VPC: Json = {"StringEquals": {"aws:SourceVpc": "vpc-1"}}


def estate(into: Path, *roles: Json, files: Mapping[str, object] | None = None, policies: tuple[Json, ...] = ()) -> Path:
    """Write a folder with the details of an account and a bucket that nobody else gets into."""
    closed = {"Policy": json.dumps(policy())}
    listed = {"Buckets": [{"Name": "vision-data"}], "Owner": {"ID": "a"}}
    written = {
        "gaad.json": account(*roles, policies=policies).value,
        "aws-s3api-get-bucket-policy--vision-data.json": closed,
        "aws-s3api-list-buckets.json": listed,
        **(files or {}),
    }
    for name, value in written.items():
        (into / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
    return into


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(iam, [*arguments, "--in", str(folder)], standalone_mode=False)


def lines(folder: Path, *arguments: str) -> list[str]:
    return run(folder, *arguments).stdout.splitlines()


@pytest.mark.parametrize(
    ("statements", "first", "code"),
    [
        pytest.param([allow("s3:GetObject")], "allowed", 1, id="allowed"),
        pytest.param([allow("s3:GetObject", Condition=VPC)], "allowed if aws:SourceVpc StringEquals vpc-1", 1, id="under a condition"),
        pytest.param([allow("s3:PutObject")], "implicitly denied", 0, id="no policy allows it"),
        pytest.param([allow("s3:*"), {**allow("s3:GetObject"), "Effect": "Deny"}], "explicitly denied", 0, id="denied"),
        pytest.param(
            [allow("s3:GetObject", Condition={"Nonsense": {"aws:SourceVpc": "x"}})],
            "not decidable: aws:SourceVpc cannot be evaluated: unknown operator Nonsense",
            3,
            id="nobody can tell",
        ),
    ],
)
def test_the_first_line_and_the_exit_code_are_the_answer(tmp_path: Path, statements: list[Json], first: str, code: int) -> None:
    result = run(estate(tmp_path, role("nlp", *statements)), "can", "nlp", "s3:GetObject", OBJECT)

    assert result.stdout.splitlines()[0] == first
    assert result.return_value == code


def test_the_statements_that_decide_are_shown_layer_by_layer_with_their_lines(tmp_path: Path) -> None:
    bound = managed("bound", allow("s3:*", Sid="Ceiling"))
    nlp = role("nlp", allow("s3:GetObject", Sid="Read"), boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound")
    found = lines(estate(tmp_path, nlp, policies=(bound,)), "can", "nlp", "s3:getobject", OBJECT)
    text = (tmp_path / "gaad.json").read_text(encoding="utf-8").splitlines()
    read = next(line for line in found if "RolePolicyList" in line)
    number = int(read.split("gaad.json:")[1].split()[0])

    assert found[1] == f"{arn('nlp')} s3:GetObject {OBJECT}"
    assert [line for line in found if line and not line.startswith((" ", "note"))][2:] == [
        "identity policies: allows",
        f"permissions boundary arn:aws:iam::{ACCOUNT}:policy/bound: allows",
        "resource policy: there is none",
    ]
    assert "  allows: statement Read of inline policy own of role nlp" in found
    assert "  allows: statement Ceiling of managed policy bound" in found
    assert any("Read" in line for line in text[number - 1 : number + 8])


def test_a_condition_says_who_decides_it_and_shows_a_request_on_either_side(tmp_path: Path) -> None:
    both = {**VPC, "StringLike": {"aws:RequestTag/team": "nlp*"}}
    found = lines(estate(tmp_path, role("nlp", allow("s3:GetObject", Condition=both))), "can", "nlp", "s3:GetObject", OBJECT)
    at = found.index("who decides:")

    assert found[at + 1 : at + 3] == [
        "  caller: aws:RequestTag/team StringLike nlp*",
        "  environment: aws:SourceVpc StringEquals vpc-1",
    ]
    assert found[at + 3] == "allowed, for example, with aws:RequestTag/team = nlp, aws:SourceVpc = vpc-1"
    assert found[at + 4].startswith("denied, for example, with no ")


def test_keys_of_the_command_line_decide(tmp_path: Path) -> None:
    folder = estate(tmp_path, role("nlp", allow("s3:GetObject", Condition=VPC)))
    question = ("can", "nlp", "s3:GetObject", OBJECT)

    assert lines(folder, *question, "--context", "aws:SourceVpc=vpc-1")[0] == "allowed"
    assert lines(folder, *question, "--context", "aws:SourceVpc=vpc-2")[0] == "implicitly denied"
    assert lines(folder, *question, "--absent", "aws:SourceVpc")[0] == "implicitly denied"
    assert isinstance(run(folder, *question, "--context", "aws:SourceVpc").exception, UsageError)


def test_what_was_not_read_of_the_principal_is_a_note(tmp_path: Path) -> None:
    nlp = role("nlp", attached=[f"arn:aws:iam::{ACCOUNT}:policy/gone"])
    found = lines(estate(tmp_path, nlp), "can", "nlp", "s3:GetObject", OBJECT)

    assert found[0].startswith("not decidable: a statement cannot be evaluated: the content of")
    assert any(line.startswith(f"note: the content of arn:aws:iam::{ACCOUNT}:policy/gone, attached to role nlp") for line in found)


def test_the_answer_as_data_has_the_same_parts(tmp_path: Path) -> None:
    folder = estate(tmp_path, role("nlp", allow("s3:GetObject", Sid="Read", Condition=VPC)))
    said = json.loads(run(folder, "can", "nlp", "s3:getobject", OBJECT, "--format", "json").stdout)

    assert list(said) == [
        "schema",
        "principal",
        "action",
        "resource",
        "outcome",
        "condition",
        "in_words",
        "control",
        "examples",
        "steps",
        "notes",
    ]
    atom = {"key": "aws:SourceVpc", "operator": "StringEquals", "values": ["vpc-1"], "control": "environment"}
    assert (said["schema"], said["outcome"], said["control"]) == ("partywall/iam-can/v1", "allowed if", "environment")
    assert said["condition"] == atom
    assert said["examples"]["allowed"] == {"aws:sourcevpc": ["vpc-1"]}
    (statement,) = said["steps"][0]["statements"]
    assert (statement["effect"], statement["statement"], statement["condition"]) == ("Allow", "statement Read", atom)
    assert statement["evidence"][0]["pointer"] == "/RoleDetailList/0/RolePolicyList/0/PolicyDocument/Statement/0"


def test_everybody_who_may_is_listed_with_a_reason(tmp_path: Path) -> None:
    folder = estate(tmp_path, role("nlp", allow("s3:GetObject")), role("audit"), role("vision", allow("*", Condition=VPC)))
    result = run(folder, "who-can", "s3:GetObject", OBJECT)
    found = result.stdout.splitlines()

    assert found[0] == f"2 may s3:GetObject {OBJECT}"
    assert f"  {arn('nlp')}: allowed" in found
    assert f"  {arn('vision')}: allowed if aws:SourceVpc StringEquals vpc-1" in found
    assert not any("audit" in line for line in found)
    assert result.return_value == 1


def test_nobody_is_an_answer_only_where_everybody_was_listed(tmp_path: Path) -> None:
    whole = estate(tmp_path, role("nlp"))
    result = run(whole, "who-can", "s3:GetObject", OBJECT)
    assert (result.stdout.splitlines()[0], result.return_value) == (f"nobody may s3:GetObject {OBJECT}", 0)

    (whole / "gaad.json").write_text(json.dumps({"Role": role("nlp")}), encoding="utf-8")
    result = run(whole, "who-can", "sts:AssumeRole", arn("nlp"))
    assert result.return_value == 3
    assert f"note: not every principal of account {ACCOUNT} is in the input (aws iam get-account-authorization-details)" in result.stdout


def test_who_can_as_data_lists_principals_in_order(tmp_path: Path) -> None:
    vision = role("vision", trusts=[trust({"AWS": [arn("nlp"), arn("audit")]})])
    folder = estate(tmp_path, role("nlp"), role("audit"), vision)
    said = json.loads(run(folder, "who-can", "sts:AssumeRole", arn("vision"), "--format", "json").stdout)

    assert [(row["principal"], row["outcome"]) for row in said["principals"]] == [(arn("audit"), "allowed"), (arn("nlp"), "allowed")]


def test_one_file_of_account_details_is_enough(tmp_path: Path) -> None:
    estate(tmp_path, role("nlp", allow("s3:GetObject")))

    assert lines(tmp_path / "gaad.json", "can", "nlp", "s3:GetObject", OBJECT)[0] == "allowed"


def test_hostile_names_move_no_cursor(tmp_path: Path) -> None:
    wild = "Read\x1b[2J\u202e"
    folder = estate(tmp_path, role("nlp", allow("s3:GetObject", Sid=wild, Condition={"StringEquals": {"aws:SourceVpc": "\x1b[31mred"}})))
    said = run(folder, "can", "nlp", "s3:GetObject", OBJECT).stdout + run(folder, "who-can", "s3:GetObject", OBJECT).stdout

    assert "\\x1b[2J\\u202e" in said
    assert not any(sign in said for sign in ("\x1b", "\u202e"))
