"""A report is on disk whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from partywall.errors import OutputError
from partywall.output import replace_file, write


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "report.json"

    write("one", str(target))
    write("two", str(target))

    assert target.read_text(encoding="utf-8") == "two"
    assert [path.name for path in target.parent.iterdir()] == ["report.json"]


def test_a_failed_move_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.json"
    target.write_text("old", encoding="utf-8")

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)

    with pytest.raises(OutputError, match="No space left on device"):
        write("new", str(target))
    assert target.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)

    write("new", str(link))

    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"


def test_what_is_no_regular_file_is_written_to(tmp_path: Path) -> None:
    replace_file(Path(os.devnull), b"text")

    assert not Path(os.devnull).is_file()


def test_others_may_read_a_report_as_the_umask_says(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write("text", str(tmp_path / "report.json"))
    finally:
        os.umask(old)

    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == 0o640


def test_a_half_character_is_written_as_its_escape(tmp_path: Path) -> None:
    write("half \ud800", str(tmp_path / "report.txt"))

    assert (tmp_path / "report.txt").read_bytes() == b"half \\ud800"


def test_stdout_takes_a_report(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write("text\n", "-")

    assert capfdbinary.readouterr().out == b"text\n"
