"""When a server looks for garbage: rarely, since that stops everybody.

Python by itself would look through what belongs to the acts under way every second or two, for 40
ms with two thousand players, and through all games and connections in memory now and then, for more
than a second. Hardly any of that is garbage: a closed connection leaves seven objects, and an act
none.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY_OBJECTS: Final = 1_000_000
"""So many more objects than there were, be they in use or garbage, are looked through: some 150 MB.
Two thousand players make them in five minutes, and each of their games takes a thousandth of a
second to look through."""


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Leave it to `collect_if_many` to look for garbage; what is loaded is never looked through."""
    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


def collect_if_many() -> bool:
    """Look for garbage if there are many new objects; return whether that was done."""
    new, *_ = gc.get_count()
    if new < MANY_OBJECTS:
        return False
    gc.collect()
    return True
