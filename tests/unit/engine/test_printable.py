"""Hidden characters are made visible, everything else stays."""

import pytest

from partywall.printable import printable


@pytest.mark.parametrize("text", ["", "plain", "two words", "漢字", "naïve", "a/b_c-d.e:f*?", "<b>&amp;"])
def test_ordinary_text_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("text", ["\x1b[31m", "a\nb", "a\tb", "\x00", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\x7f", "\ud800"])
def test_what_cannot_be_seen_is_made_visible(text: str) -> None:
    shown = printable(text)

    assert shown != text
    assert shown.isprintable()
    assert printable(shown) == shown
