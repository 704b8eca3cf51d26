"""Bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one."""

import codecs

from partywall.files.broken import BrokenFileError

# UTF-32 comes first: its little-endian mark starts with that of UTF-16.
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_REMEDY = "save the file as UTF-8"


def decode(raw: bytes) -> str:
    """Return the text without its byte order mark; line ends stay as they are."""
    if raw.startswith(_UTF32):
        raise BrokenFileError("written in UTF-32 (byte offset 0)", remedy=_REMEDY)
    encoding = "utf-16" if raw.startswith(_UTF16) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1 if encoding == "utf-8-sig" else None
        raise BrokenFileError(
            f"not {encoding.upper().removesuffix('-SIG')}: byte offset {error.start}: {error.reason}", line, remedy=_REMEDY
        ) from error
    nul = text.find("\0")
    if nul >= 0:
        raise BrokenFileError(f"holds a NUL character at character offset {nul}; UTF-16 needs a byte order mark", remedy=_REMEDY)
    return text


def lines_of(text: str) -> list[str]:
    r"""Return the lines without their ends; only `\n` and `\r\n` end a line, as in every editor."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]
