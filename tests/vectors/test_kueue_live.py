"""Our reading of Kueue against what real Kueue 0.12.3 and 0.19.2 did."""

from pathlib import Path

import pytest

from tests.vectors.k8s_kueue import SECTIONS, first_steps, later_steps, losses, validation, ways_round


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    found = shared / "vectors/k8s"
    if not (found / "kueue-live").is_dir():
        pytest.skip("no recordings of real Kueue beside the repository")
    return found


def test_the_first_team_gets_exactly_what_we_say(folder: Path) -> None:
    agree, asked, lines, met = first_steps(folder)

    assert met, lines
    assert (agree, asked) == (140, 140)


def test_every_later_admission_lies_within_our_bounds(folder: Path) -> None:
    agree, asked, lines, met = later_steps(folder)

    assert met, lines
    assert agree == asked > 350


def test_no_team_lost_jobs_where_we_say_never_and_each_loss_had_a_condition_that_held(folder: Path) -> None:
    agree, asked, lines, met = losses(folder)

    assert met, lines
    assert agree == asked > 150
    assert "29: possible, and happened" in lines


def test_all_ways_round_the_queues_are_as_they_really_were(folder: Path) -> None:
    agree, asked, lines, met = ways_round(folder)

    assert met, lines
    assert (agree, asked) == (324, 324)


def test_what_the_server_refuses_is_a_gap_and_the_rest_reads_as_it_was_stored(folder: Path) -> None:
    agree, asked, lines, met = validation(folder)

    assert met, lines
    assert (agree, asked) == (114, 114)


def test_an_empty_folder_meets_no_goal(tmp_path: Path) -> None:
    for section in SECTIONS.values():
        assert section(tmp_path) == (0, 0, section(tmp_path)[2], False)
