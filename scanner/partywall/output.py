"""Write machine output: to stdout or, whole or not at all, to a file."""

import os
import sys
import tempfile
from pathlib import Path

from partywall.errors import OutputError


def write(text: str, target: str) -> None:
    """Write text to a file, or to stdout for `-`.

    A file is replaced in one step, so that nobody ever reads half of it. Raises OutputError.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if target == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            replace_file(Path(target), data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{target}: could not be written: {error.strerror}; choose another place for the report") from error


def replace_file(path: Path, data: bytes) -> None:
    """Write a file beside its place, then move it there; its folder is made where it is missing.

    A link is followed, and what is no regular file (a pipe, /dev/null) is written to and never replaced.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
