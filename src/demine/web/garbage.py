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
"""So many new objects that open games do not account for are looked through: some 150 MB."""
OBJECTS_OF_GAME: Final = 600
"""What an open game and its connection consist of: 200 objects, and two more for every act."""


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


def collect_if_many(open_games: int) -> bool:
    """Look for garbage if there are more new objects than so many games need; say whether it was.

    That stops everybody for half a second with a thousand games in memory.
    """
    new, *_ = gc.get_count()
    if new < MANY_OBJECTS + OBJECTS_OF_GAME * open_games:
        return False
    gc.collect()
    return True
