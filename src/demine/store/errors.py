"""Errors and notices of the store: all their sentences, to be translated."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from demine.logic.errors import DemineError
from demine.scene.translation import mark

# Trouble: nothing is lost but what is said
CANNOT_WRITE = mark("Games cannot be saved in {path}: {reason}.")
NO_HOME = mark("DEMINE_DATA_DIR is {folder!r}: there is no such home folder.")
BUSY = mark("Games cannot be saved in {path}: another window holds on to it.")
CLOSED = mark("The records at {path} are closed already.")
NOT_RENAMED = mark(
    "The records at {path} cannot be used ({why}) nor set aside: {reason}. "
    "Close the other windows of demine."
)
NEWER_OPEN = mark(
    "A newer demine took over the records at {path} meanwhile ({reason}). "
    "Start this one again to play with records."
)
UPGRADE_OPEN = mark(
    "An older demine is open on the records at {path}. Close it so that they can be upgraded."
)
WAITS = mark("{trouble} Your games are kept in memory until they can be saved.")
SAVING = mark("Still trying to save your games. {trouble}")
NOWHERE = mark("The games cannot be saved anywhere: {reason}.")
NO_GAME = mark("There is no game {id!r} in the records.")
JOURNAL_DAMAGED = mark("The journal of game {id} is damaged: {reason}.")
NO_SETTING = mark("{value!r} cannot be kept as the setting {key!r}: {reason}.")

LONG_NAME = mark("a name has 1 to {most} characters")

# Import
NO_SOURCE = mark("{path} cannot be read: {reason}.")
NO_EXPORT = mark("Line 1 is no export of demine's records.")
NEWER_EXPORT = mark("This export has version {found}; only version {known} can be read.")
BAD_LINE = mark("Line {line}: {reason}. Nothing was imported.")
CUT_OFF = mark("Line {line}: the export ends early, without its last line. Nothing was imported.")
TOO_LONG = mark("it is longer than {most} characters")
NO_JSON = mark("it is no line of JSON")
NO_ENTRY = mark("it is neither a setting nor a game")
BAD_FIELD = mark("{value!r} is no {field}")
WRONG_COUNT = mark("it counts {said} games and settings where {found} came before it")
NEWER_FILE = mark("{path} was made by a newer demine ({reason}).")

# Notices: what happened to the player's files
DAMAGED_KEPT = mark(
    "The records at {path} were damaged ({reason}). They are kept as {kept}; new ones are begun."
)
SALVAGED = mark(
    "The records at {path} were damaged ({reason}). They are kept as {kept}; new ones are begun, "
    "with the {games} games and {settings} settings that could still be read. "
    "Missing games: {missing}; changed or without a journal: {changed}."
)
SALVAGED_LATER = mark(
    "From the damaged records kept as {kept}, {games} more games could be read. "
    "Missing games: {missing}; changed or without a journal: {changed}."
)
NEWER_LEFT = mark(
    "The records at {path} come from a newer demine ({reason}). They stay as they are; games are "
    "kept in {beside}, and the newer demine takes them in when it starts."
)
TAKEN_IN = mark("{games} games were taken in from {beside}, which is kept as {kept}.")
ONLY_READ = mark("Nothing can be saved in {path}; its records can only be viewed.")
FOREIGN_KEPT = mark(
    "The file {path} is not demine's ({reason}). It is kept as {kept}; new records are begun."
)
REPLACED = mark(
    "The records at {path} were moved or replaced; the running game is in the new ones."
)
KEPT_AGAIN = mark("Saving works again; everything is saved.")
HEALED = mark("Games are saved in {path} again, including those that had to wait.")
HEALED_PARTLY = mark(
    "Games are saved in {path} again. Of those kept before, {missing} could not be read any more."
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

# Reasons
IS_FOLDER = mark("it is a folder")
NOT_READABLE = mark("it cannot be read")
NOT_WRITABLE = mark("it is read-only")
LOG_CUT = mark("its write-ahead log was cut short")
ENDS_EARLY = mark("it ends early, at {size} of {whole} bytes")
NO_FILE = mark("it is not a regular file")
NO_LOCKS = mark("the disk or network share does not support file locks")
WRONG_SIZE = mark("it has {size} bytes instead of {whole}")
WRONG_HEADER = mark("its header says {found}, its tables are of format {known}")
WRONG_BYTE = mark("byte {place} of its header says {found}")
SEAL_BROKEN = mark("game {game} does not fit its checksum")
NO_TALLY = mark("the count of its games is wrong")
UNKNOWN_TABLE = mark("tables of an unknown format: {text}")
MISSING_TABLE = mark("a table is missing or wrong: {text}")
OTHER_PROGRAM = mark("another program made it")
FORMAT = mark("format {found}, this one knows {known}")
WRONG_VALUE = mark("{value!r} is no {field}")
JOURNAL_LOST = mark("it is lost")
CHECKSUM = mark("event {seq} has a wrong checksum")
WRONG_SUM = mark("it does not fit its checksum")


class StoreError(DemineError):
    """Something the store could not do; the game in memory is untouched."""


class NoticeKind(StrEnum):
    """What a notice is about."""

    DAMAGED = "damaged"
    NEWER = "newer"
    FOREIGN = "foreign"
    MERGED = "merged"
    READ_ONLY = "read-only"
    REPLACED = "replaced"
    GAME = "game"
    KEPT = "kept"


class StoreNotice(DemineError):
    """Something that happened to the player's files and that they should be told once.

    Never raised: a `DemineError` so that it is translated as errors are. `set_aside_path` is
    where the old file is now, if one was set aside.
    """

    @property
    def kind(self) -> NoticeKind:
        """What it is about."""
        return _KINDS[self.template]

    @property
    def set_aside_path(self) -> Path | None:
        """Where the old file was moved, or None."""
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


class Reason(DemineError):
    """A part of a longer sentence, translated with it."""


class UnusableDatabase(DemineError):
    """Inside the store: a database that cannot be used as it is; `template` is the reason."""

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template, **params)
        self.kind = NoticeKind.DAMAGED

    @classmethod
    def of(cls, kind: NoticeKind, template: str, **params: object) -> UnusableDatabase:
        """Return the verdict that a database is damaged, newer, or somebody else's."""
        unfit = cls(template, **params)
        unfit.kind = kind
        return unfit

    @property
    def reason(self) -> Reason:
        """Why, as a part of a sentence."""
        return Reason(self.template, **self.params)
