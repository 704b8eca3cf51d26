"""The HTML report in a real browser: no scripts, no network, light and dark."""

import json
import struct
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from partywall.api import Report
from partywall_reports import html
from tests.services.estate import report
from tests.unit.reports.hostile import TEXTS
from tests.unit.reports.sample import full, respelled

pytestmark = pytest.mark.service

# The settings of Blink for `prefers-color-scheme`, and what the page's paper then looks like.
SCHEMES = {"light": ("1", (255, 255, 255)), "dark": ("0", (19, 22, 27))}
PROBE = '<!doctype html><p id="probe">scripts are off</p><script>document.getElementById("probe").textContent = "scripts ran"</script>'
REPORTS: dict[str, Callable[[], Report]] = {
    "harbor": lambda: report("harbor"),
    "harbor-mended": lambda: report("harbor-mended"),
    "hostile": lambda: respelled(full(), lambda named: TEXTS["markup"] + TEXTS["style"] + TEXTS["link"]),
}


@pytest.fixture
def browser(service: Callable[[str], str], tmp_path: Path) -> Callable[..., str]:
    """Return a function that opens a page with JavaScript off and every host name unknown, and returns what the browser wrote."""
    program = service("chromium")
    profile = tmp_path / "profile" / "Default"
    profile.mkdir(parents=True)
    # 2 blocks; the flag scriptEnabled=false would stop the browser's own screenshot as well.
    (profile / "Preferences").write_text(json.dumps({"profile": {"default_content_setting_values": {"javascript": 2}}}), "utf-8")

    def opened(text: str, *flags: str) -> str:
        page = tmp_path / "page.html"
        page.write_text(text, "utf-8")
        told = subprocess.run(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                f"--user-data-dir={profile.parent}",
                *flags,
                page.as_uri(),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=180,
            check=False,
        )
        return told.stdout

    return opened


def first_pixel(png: bytes) -> tuple[int, ...]:
    """Return the colour of the upper left pixel: whatever filter its row has, nothing precedes it (PNG 3rd edition, section 9.2)."""
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    return tuple(zlib.decompress(data)[1:4])


def test_scripts_are_really_off(browser: Callable[..., str]) -> None:
    assert "scripts are off" in browser(PROBE, "--dump-dom")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", REPORTS)
def test_the_page_is_painted_in_light_and_in_dark(name: str, scheme: str, browser: Callable[..., str], tmp_path: Path) -> None:
    setting, paper = SCHEMES[scheme]
    picture = tmp_path / "picture.png"

    browser(
        html.render(REPORTS[name]()),
        "--window-size=1280,2400",
        f"--blink-settings=preferredColorScheme={setting}",
        f"--screenshot={picture}",
    )

    png = picture.read_bytes()
    assert first_pixel(png) == paper
    # A page without text packs into a few kilobytes.
    assert len(png) > 60_000


@pytest.mark.parametrize("name", REPORTS)
def test_the_browser_sees_the_page_and_nothing_that_a_name_brought(name: str, browser: Callable[..., str]) -> None:
    document = browser(html.render(REPORTS[name]()), "--dump-dom")

    assert document.count("<h1>") == 1
    assert "<script" not in document
    assert "<img" not in document
