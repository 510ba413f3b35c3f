"""What the store could not do, kept until the player has been told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.store.errors import StoreError
from demine.store.notices import HEALED, KEPT_AGAIN, StoreNotice

if TYPE_CHECKING:
    from types import TracebackType

    from demine.logic.errors import DemineError
    from demine.store.store import Store


class StoreTroubles:
    """Holds back the errors and notices of a store, each sentence once, while a game goes on.

    Use it as a context around work in the store: a `StoreError` ends the work and is kept here.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sentences: set[str] = set()
        """What was told since the store last worked."""
        self._failed = False
        """Whether something could not be kept and that was not told to have passed."""
        self.untold: list[DemineError] = []
        """What nobody has been told yet, the oldest first."""

    def __enter__(self) -> None:
        """Begin work in the store."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        """Keep what went wrong, or tell that trouble has passed; other errors go on."""
        if isinstance(error, StoreError):
            self._failed = True
            self.add(error)
        elif error is not None:
            return False
        elif self._failed and not self._store.retry_queue:
            # What goes wrong later is another trouble, even in the same words.
            self._failed = False
            self._sentences.clear()
            self.untold.append(StoreNotice(KEPT_AGAIN))
        for notice in self._store.take_notices():
            self.add(notice)
        return True

    def add(self, trouble: DemineError) -> None:
        """Keep an error for the player, unless it was told in the same words."""
        if str(trouble) not in self._sentences:
            self._sentences.add(str(trouble))
            self.untold.append(trouble)

    def take_next(self, *, unread: bool) -> DemineError | None:
        """Return what to tell next, if anything; `unread`: what stands there may not be read yet.

        That trouble has passed is told at once.
        """
        first = self.untold[0].template if self.untold else ""
        if not first or (unread and first not in (KEPT_AGAIN, HEALED)):
            return None
        return self.untold.pop(0)
