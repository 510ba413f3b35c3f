"""The end of a session whose games are not all kept: what is tried, for how long, and what then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.scene.system_errors import reason_of
from demine.scene.translation import explain, tr
from demine.store.errors import NOWHERE, WAITS, StoreError
from demine.store.notices import KEPT_AGAIN, SAVED_AS, SAVING, SPILLED, StoreNotice
from demine.store.store import Store

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

TRY_FOR_S: Final = 5.0
"""How long a program that is being closed tries to keep its games where they belong."""
RETRY_INTERVAL_S: Final = 0.1


class UnsavedGamesSaver:
    """Keeps what was not kept yet, or puts it elsewhere; call `try_once` until it returns True.

    `message` is what the player should read meanwhile and after it. Where no place took the games,
    `failure` is why, and `save_to` writes them where the player says.
    """

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._waiting = store.retry_queue
        self._path = store.path
        self._now = now
        self._until = now() + TRY_FOR_S
        self.message = ""
        self.failure: StoreError | None = None

    def try_once(self) -> bool:
        """Try once; return whether there is nothing left to try, but what the player may do."""
        trouble = self._waiting.reason_in_memory
        try:
            self._waiting.retry()
        except StoreError as error:
            trouble = error
        if not self._waiting.has_unsaved_games:
            self.message = self.message and explain(StoreNotice(KEPT_AGAIN))
            self.failure = None
            return True
        if self.failure is None and self._now() < self._until:
            self.message = explain(StoreNotice(SAVING, trouble=trouble))
            return False
        self._save_beside_database()
        return True

    def _save_beside_database(self) -> None:
        try:
            file = self._waiting.write_spill_file()
        except StoreError as error:
            self.failure, self.message = error, explain(error)
        else:
            self.failure, self.message = (
                None,
                explain(StoreNotice(SPILLED, path=self._path, file=file)),
            )

    def save_to(self, file: str) -> bool:
        """Write the games into a file of the player's choice; return whether that was possible."""
        try:
            self._waiting.save_to(Path(file).expanduser())
        except (OSError, RuntimeError, ValueError, StoreError) as error:
            self.failure = StoreError(NOWHERE, reason=reason_of(error))
            self.message = explain(self.failure)
            return False
        self.failure, self.message = None, explain(StoreNotice(SAVED_AS, file=file))
        return True


def save_unsaved_games(store: Store) -> None:
    """Part from a store without a window: say on standard error what goes on, and ask there."""
    if not store.retry_queue.has_unsaved_games:
        return
    parting, said = UnsavedGamesSaver(store), ""
    while not parting.try_once():
        said = _say_if_new(parting.message, said)
        time.sleep(RETRY_INTERVAL_S)
    said = _say_if_new(parting.message, said)
    while parting.failure is not None and (file := _ask_for_file()):
        parting.try_once()  # a place may have come free meanwhile
        if parting.failure is not None:
            parting.save_to(file)
        said = _say_if_new(parting.message, "")


def _say_if_new(text: str, before: str) -> str:
    if text and text != before:
        _print_to_stderr(f"demine: {text}\n")
    return text


def _ask_for_file() -> str:
    """Ask where the games are to be written; empty where nobody answers."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return ""
    _print_to_stderr(tr("Save them to which file? (Leave empty to lose them)") + " ")
    try:
        return sys.stdin.readline().strip()
    except (OSError, KeyboardInterrupt):
        return ""


def _print_to_stderr(text: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # a window may have no standard error
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def opened_store(path: str | None = None) -> Iterator[tuple[Store, list[DemineError]]]:
    """Open the player's store for a scene; yield it and what the player should hear.

    Where nothing can be kept yet, the store yielded begins in memory. In the end whatever is not
    kept is tried again for a while, then put elsewhere, and told of on standard error.
    """
    troubles: list[DemineError] = []
    try:
        store = Store.open_or_wait(path)
    except StoreError as error:  # nobody can say where the records lie
        store = Store.memory()
        troubles.append(error)
    if store.retry_queue.reason_in_memory is not None:
        troubles.append(StoreError(WAITS, trouble=store.retry_queue.reason_in_memory))
    try:
        yield store, [*troubles, *store.take_notices()]
    finally:
        try:
            save_unsaved_games(store)
        finally:
            with suppress(StoreError):
                store.close()
