"""Python's collector of circular garbage, paused where much is made and nothing of it is circular."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Let nothing be collected inside: documents and facts hold no circles, and walking them again and again takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # Both together only move what was made to the oldest generation, so that the next collection of young things passes it over.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
