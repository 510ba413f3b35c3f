"""Notices of the store: what happened to the player's files, in sentences to be translated."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from demine.logic.errors import DemineError
from demine.scene.translation import mark

SAVING = mark("Still trying to save your games. {trouble}")
DAMAGED_KEPT = mark(
    "The records at {path} were damaged ({reason}). They are kept as {kept}; new ones have "
    "been started."
)
SALVAGED = mark(
    "The records at {path} were damaged ({reason}). They are kept as {kept}; new ones have been "
    "started, with the {games} games and {settings} settings that could still be read. Missing "
    "games: {missing}; changed or without a journal: {changed}."
)
SALVAGED_LATER = mark(
    "{games} more games could be read from the damaged records kept as {kept}. Missing games: "
    "{missing}; changed or without a journal: {changed}."
)
NEWER_LEFT = mark(
    "The records at {path} come from a newer demine ({reason}). They are left unchanged; games "
    "are saved in {beside}, and the newer demine adds them when it starts."
)
TAKEN_IN = mark("{games} games were added from {beside}, which is kept as {kept}.")
ONLY_READ = mark("Nothing can be saved in {path}; its records can only be viewed.")
FOREIGN_KEPT = mark(
    "The file {path} is not demine's ({reason}). It is kept as {kept}; new records have been "
    "started."
)
REPLACED = mark(
    "The records at {path} were moved or replaced; the running game is in the new ones."
)
KEPT_AGAIN = mark("Saving works again; everything is saved.")
HEALED = mark("Games are saved in {path} again, including those that had to wait.")
HEALED_PARTLY = mark(
    "Games are saved in {path} again. Of those kept before, {missing} can no longer be read."
)
SPILLED = mark(
    "The games could not be saved in {path}. They are in {file}; demine adds them at its next "
    "start."
)
SAVED_AS = mark("The games are in {file}. Add them with: demine records --import")
SPILL_TAKEN_IN = mark("{games} games that could not be saved earlier are in the records now.")
SPILL_DAMAGED = mark(
    "{file} holds games that could not be saved earlier, but is damaged. Whatever could be read "
    "was added to the records; the file is kept as {kept}."
)
GAME_DAMAGED = mark(
    "An unfinished game of {rules} cannot be read ({reason}). It is kept, marked as damaged."
)


class NoticeKind(StrEnum):
    """The subject of a notice."""

    DAMAGED = "damaged"
    NEWER = "newer"
    FOREIGN = "foreign"
    MERGED = "merged"
    READ_ONLY = "read-only"
    REPLACED = "replaced"
    GAME = "game"
    KEPT = "kept"


class StoreNotice(DemineError):
    """Something that happened to the player's files, to be told once.

    It is a `DemineError` so that it is translated as errors are, and is never raised.
    """

    @property
    def kind(self) -> NoticeKind:
        """What the notice is about."""
        return _KINDS[self.template]

    @property
    def set_aside_path(self) -> Path | None:
        """Where the old file is now, if one was set aside."""
        kept = self.params.get("kept")
        return kept if isinstance(kept, Path) else None


_KINDS = {
    DAMAGED_KEPT: NoticeKind.DAMAGED,
    SALVAGED: NoticeKind.DAMAGED,
    SALVAGED_LATER: NoticeKind.DAMAGED,
    NEWER_LEFT: NoticeKind.NEWER,
    TAKEN_IN: NoticeKind.MERGED,
    ONLY_READ: NoticeKind.READ_ONLY,
    FOREIGN_KEPT: NoticeKind.FOREIGN,
    REPLACED: NoticeKind.REPLACED,
    GAME_DAMAGED: NoticeKind.GAME,
    KEPT_AGAIN: NoticeKind.KEPT,
    HEALED: NoticeKind.KEPT,
    HEALED_PARTLY: NoticeKind.DAMAGED,
    SPILLED: NoticeKind.KEPT,
    SAVED_AS: NoticeKind.KEPT,
    SAVING: NoticeKind.KEPT,
    SPILL_TAKEN_IN: NoticeKind.KEPT,
    SPILL_DAMAGED: NoticeKind.DAMAGED,
}
