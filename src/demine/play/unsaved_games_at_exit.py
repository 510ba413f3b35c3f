"""The end of a session with unsaved games: saving is retried, then they are written elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, tr
from demine.store.errors import NOWHERE, WAITS, StoreError
from demine.store.notices import KEPT_AGAIN, SAVED_AS, SAVING, SPILLED, StoreNotice
from demine.store.store import Store

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

TRY_FOR_S: Final = 5.0
"""How long a program that is being closed retries saving to the database."""
RETRY_INTERVAL_S: Final = 0.1


class UnsavedGamesSaver:
    """Saves unsaved games, or writes them elsewhere: call `done_after_retry` until it is True.

    `message` is what the player should read meanwhile and afterwards. If the games could be written
    nowhere, `failure` says why, and `save_to` writes them where the player chooses.
    """

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._queue = store.retry_queue
        self._path = store.path
        self._now = now
        self._until = now() + TRY_FOR_S
        self.message = ""
        self.failure: StoreError | None = None

    def done_after_retry(self) -> bool:
        """Retry saving once; return whether no further retry is needed or allowed.

        When the time is up, the games go into a spill file.
        """
        trouble = self._queue.reason_in_memory
        try:
            self._queue.retry()
        except StoreError as error:
            trouble = error
        if not self._queue.has_unsaved_games:
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
            file = self._queue.write_spill_file()
        except StoreError as error:
            self.failure, self.message = error, explain(error)
        else:
            self.failure, self.message = (
                None,
                explain(StoreNotice(SPILLED, path=self._path, file=file)),
            )

    def advice(self, *, copied: bool) -> list[str]:
        """Return the message, and what can be done if the games could be written nowhere.

        `copied` says whether they were copied to the clipboard.
        """
        said = [self.message]
        if self.failure is not None and copied:
            said.append(
                tr(
                    "Your games were copied as text. Paste them into a file, then run demine "
                    "records --import."
                )
            )
        return [*said, tr("Close again to quit without saving.")] if self.failure else said

    def save_to(self, file: str) -> bool:
        """Write the games into a file of the player's choice; return whether that succeeded."""
        try:
            self._queue.save_to(Path(file).expanduser())
        except (OSError, RuntimeError, ValueError, StoreError) as error:
            self.failure = StoreError(NOWHERE, reason=system_error_reason(error))
            self.message = explain(self.failure)
            return False
        self.failure, self.message = None, explain(StoreNotice(SAVED_AS, file=file))
        return True


def save_unsaved_games(store: Store) -> None:
    """Save what is unsaved, reporting on standard error and asking there for a file if need be."""
    if not store.retry_queue.has_unsaved_games:
        return
    saver, said = UnsavedGamesSaver(store), ""
    while not saver.done_after_retry():
        said = _say_if_new(saver.message, said)
        time.sleep(RETRY_INTERVAL_S)
    said = _say_if_new(saver.message, said)
    while saver.failure is not None and (file := _ask_for_file()):
        saver.done_after_retry()  # there may be room again
        if saver.failure is not None:
            saver.save_to(file)
        said = _say_if_new(saver.message, "")


def _say_if_new(text: str, before: str) -> str:
    if text and text != before:
        _print_to_stderr(f"demine: {text}\n")
    return text


def _ask_for_file() -> str:
    """Ask for a file to write the games to; empty if there is no answer."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return ""
    _print_to_stderr(tr("Save them to which file? (Leave empty to discard them)") + " ")
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
    """Open the player's store for a scene; yield it and the errors and notices to show.

    If nothing can be saved yet, the store begins in memory. At the end unsaved games are saved as
    by `save_unsaved_games`, and the store is closed.
    """
    troubles: list[DemineError] = []
    try:
        store = Store.open_or_wait(path)
    except StoreError as error:  # there is no path for the records
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
