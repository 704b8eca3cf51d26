"""Untrusted names on a terminal: what could move the cursor, change colours or turn text round is made visible."""

import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def printable(text: str) -> str:
    """Return text with every control, format, surrogate and private character (Unicode categories C*, Zl, Zp) as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if unicodedata.category(character) in HIDDEN else character for character in text)


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
