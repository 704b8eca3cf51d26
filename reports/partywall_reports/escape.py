"""Untrusted text, made harmless for the place where it is printed. Every name in a report was chosen by somebody who is being judged."""

import re
from urllib.parse import quote

from partywall.api import printable

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:@])")
# A space that is not the ordinary one makes two names look alike.
_ODD_SPACE = re.compile(r"[^\S ]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKETS = re.compile(r"([\\\[\]])")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def shown(text: str, limit: int = 200) -> str:
    """Return text for a person: hidden characters visible, on one line, and what is too long cut in the middle."""
    visible = _ODD_SPACE.sub(lambda found: f"\\u{ord(found[0]):04x}", printable(text))
    if len(visible) <= limit:
        return visible
    tail = max(1, (limit - 1) // 3)
    return f"{visible[: limit - 1 - tail]}…{visible[-tail:]}"


def unicode_text(text: str) -> str:
    """Return text that every consumer reads: a lone surrogate, which is no character, is written as its escape (RFC 8259, section 8.2)."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def plain_message(text: str, limit: int = 1000) -> str:
    """Return text for a SARIF message, in which `[a](b)` would be a link and `{0}` an argument (SARIF 2.1.0, sections 3.11.5, 3.11.6)."""
    message = shown(text, limit)
    if "](" in message:
        message = _BRACKETS.sub(r"\\\1", message)
    return _PLACEHOLDER.sub(r"{{\1}}", message)


def markdown(text: str, limit: int = 1000) -> str:
    """Return text as Markdown that shows it as it is, markup and links included (CommonMark 0.31, section 2.4)."""
    escaped = _MARKDOWN.sub(r"\\\1", shown(text, limit))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown_code(text: str, limit: int = 200) -> str:
    """Return text as a Markdown code span, fenced by more backticks than it holds (CommonMark 0.31, section 6.1)."""
    visible = shown(text, limit) or " "
    longest = max((len(run) for run in re.findall("`+", visible)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{visible}{pad}{fence}"


def relative_uri(name: str) -> str:
    """Return a document's name as a relative URI reference (RFC 3986, section 4.2): no scheme, no root, no way up."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return "/".join("%2E%2E" if part == ".." else quote(part, safe="", errors="surrogatepass") for part in parts) or "%20"
