"""Errors and notices of the store that wait until the player has been told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.store.errors import StoreError
from demine.store.notices import HEALED, KEPT_AGAIN, StoreNotice

if TYPE_CHECKING:
    from types import TracebackType

    from demine.logic.errors import DemineError
    from demine.store.store import Store


class StoreTroubles:
    """Collects the errors and notices of a store, each sentence once, while a game goes on.

    Use it as a context around work in the store: a `StoreError` ends the work and is collected.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sentences: set[str] = set()
        """The sentences collected since the store last worked."""
        self._failed = False
        """Whether something could not be saved, and its recovery has not been reported."""
        self.untold: list[DemineError] = []
        """What the player has not been told yet, the oldest first."""

    def __enter__(self) -> None:
        """Begin work in the store."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        """Collect a `StoreError`, or report that saving works again; let other errors pass."""
        if isinstance(error, StoreError):
            self._failed = True
            self.add(error)
        elif error is not None:
            return False
        elif self._failed and not self._store.retry_queue:
            # A later failure is a new trouble, even in the same words.
            self._failed = False
            self._sentences.clear()
            self.untold.append(StoreNotice(KEPT_AGAIN))
        for notice in self._store.take_notices():
            self.add(notice)
        return True

    def add(self, trouble: DemineError) -> None:
        """Collect an error or notice, unless its sentence was collected since saving worked."""
        if str(trouble) not in self._sentences:
            self._sentences.add(str(trouble))
            self.untold.append(trouble)

    def take_next(self, *, previous_unread: bool) -> DemineError | None:
        """Remove and return what to show next, or None.

        While the trouble shown before may be unread (`previous_unread`), only the notice that
        saving works again is returned.
        """
        first = self.untold[0].template if self.untold else ""
        if not first or (previous_unread and first not in (KEPT_AGAIN, HEALED)):
            return None
        return self.untold.pop(0)
