"""Folders as they are: hidden files, links, odd names, nothing at all."""

import os
from pathlib import Path

import pytest

from partywall.errors import UsageError
from partywall.files import read
from tests.unit.files.folders import NOW, gap_texts, kinds, namespace, reading, write


def test_hidden_files_and_folders_are_left_alone(tmp_path: Path) -> None:
    found = reading(
        tmp_path, {".git/config.json": "{broken", ".DS_Store": b"\xff", "ns.json": namespace("a"), "node_modules/a.json": "{broken"}
    )

    assert (kinds(found), found.gaps) == ({"ns.json": "kubernetes"}, ())


def test_links_are_followed_only_inside_and_only_to_files(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.json": namespace("secret")})
    inside = write(tmp_path / "inside", {"ns.json": namespace("a"), "sub/x.json": namespace("b")})
    (inside / "out.json").symlink_to(outside / "secret.json")
    (inside / "outdir").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    (inside / "circle").symlink_to(inside / "circle")
    (inside / "gone.json").symlink_to(inside / "nothing.json")

    found = read(inside, NOW)

    assert sorted(kinds(found)) == ["ns.json", "sub/x.json"]
    assert gap_texts(found) == [
        "circle: a link that leads nowhere or in a circle",
        "gone.json: a link that leads nowhere or in a circle",
        "out.json: a link that leads out of the folder; it was not followed",
        "outdir: a link that leads out of the folder; it was not followed",
    ]


def test_a_link_to_a_file_inside_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"ns.json": namespace("a")})
    (tmp_path / "same.json").symlink_to(tmp_path / "ns.json")

    assert sorted(kinds(read(tmp_path, NOW))) == ["ns.json", "same.json"]


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")

    assert gap_texts(read(tmp_path, NOW)) == ["pipe.json: it is no file (a pipe, a socket or a device)"]


def test_a_pipe_in_the_place_of_the_input_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(UsageError, match="neither a file nor a folder"):
        read(tmp_path / "pipe")


def test_a_name_that_is_no_text_can_still_be_printed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"n\xff.json")).write_text("{}")

    assert [document.name for document in read(tmp_path, NOW).documents] == ["n\\xff.json"]


def test_a_single_file_is_read_by_its_own_name(tmp_path: Path) -> None:
    write(tmp_path, {"ns.json": namespace("a"), "broken.json": "{"})

    assert kinds(read(tmp_path / "ns.json", NOW)) == {"ns.json": "kubernetes"}


def test_an_empty_folder_is_empty(tmp_path: Path) -> None:
    found = read(tmp_path, NOW)

    assert (found.documents, found.gaps) == ((), ())


def test_a_path_that_is_not_there_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder; name the folder that holds what was gathered"):
        read(tmp_path / "nowhere")


def test_the_order_of_writing_does_not_matter(tmp_path: Path) -> None:
    files = {f"{name}.json": namespace(name) for name in "cab"}

    assert reading(tmp_path / "one", files) == reading(tmp_path / "two", dict(sorted(files.items())))
