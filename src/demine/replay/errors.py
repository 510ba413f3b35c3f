"""What can go wrong with a game in a file."""

from __future__ import annotations

from demine.logic.errors import DemineError


class ReplayError(DemineError, ValueError):
    """A file that cannot be read as a game, or not be written; the sentence names it and says why.

    Where the system refused, its `OSError` is the cause (`__cause__`).
    """
