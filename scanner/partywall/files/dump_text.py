"""`kubectl cluster-info dump` on one stream: Lists of objects with containers' logs between them."""

import re

# kubectl's clusterinfo_dump.go writes these two lines around each log.
_WORDS = "==== START logs for container "
_START = re.compile(r"^==== START logs for container .* of pod .* ====$", re.MULTILINE)
_END = re.compile(r"^==== END logs for container .* of pod .* ====$", re.MULTILINE)


def is_cluster_dump(text: str) -> bool:
    """Tell whether logs stand between the values of a text."""
    return text.lstrip()[:1] == "{" and _WORDS in text and _START.search(text) is not None


def without_logs(text: str) -> str:
    """Return the text with its logs blanked, line for line: they are nobody's business and no JSON."""
    parts, last = [], 0
    while (start := _START.search(text, last)) is not None:
        end = _END.search(text, start.end())
        stop = end.end() if end else len(text)
        parts += [text[last : start.start()], "\n" * text.count("\n", start.start(), stop)]
        last = stop
    return "".join([*parts, text[last:]])
