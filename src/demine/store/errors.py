"""Errors of the store, and their sentences, to be translated."""

from __future__ import annotations

from demine.logic.errors import DemineError
from demine.scene.translation import mark
from demine.store.notices import NoticeKind

# Trouble that the player is told about
CANNOT_WRITE = mark("Games cannot be saved in {path}: {reason}.")
NO_HOME = mark("DEMINE_DATA_DIR is {folder!r}: there is no such home folder.")
BUSY = mark("Games cannot be saved in {path}: another window is using it.")
CLOSED = mark("The records at {path} are already closed.")
NOT_RENAMED = mark(
    "The records at {path} can be neither used ({why}) nor set aside: {reason}. Close the other "
    "demine windows."
)
NEWER_OPEN = mark(
    "A newer demine has taken over the records at {path} ({reason}). Restart this one to play "
    "with records."
)
UPGRADE_OPEN = mark(
    "An older demine is open on the records at {path}. Close it so that they can be upgraded."
)
WAITS = mark("{trouble} Your games are kept in memory until they can be saved.")
NOWHERE = mark("The games cannot be saved anywhere: {reason}.")
NO_GAME = mark("There is no game {id!r} in the records.")
JOURNAL_DAMAGED = mark("The journal of game {id} is damaged: {reason}.")
NO_CHOICE = mark("{value} is not valid for {name}: use {choices}")
NO_SETTING = mark("{value!r} cannot be saved as the setting {key!r}: {reason}.")

LONG_NAME = mark("a name has 1 to {most} characters")

# Import
NO_SOURCE = mark("{path}: {reason}")
NO_EXPORT = mark("Line 1 is not the start of a demine export.")
NEWER_EXPORT = mark("This export has version {found}; only version {known} can be read.")
BAD_LINE = mark("Line {line}: {reason}. Nothing was imported.")
CUT_OFF = mark("Line {line}: the export ends early, without its last line. Nothing was imported.")
TOO_LONG = mark("it is longer than {most} characters")
NO_JSON = mark("it is not a line of JSON")
NO_ENTRY = mark("it is neither a setting nor a game")
BAD_FIELD = mark("the field {field} cannot be {value!r}")
WRONG_COUNT = mark("its counts are {said}, but {found} came before it")
NEWER_FILE = mark("{path} was made by a newer demine ({reason}).")

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
SEAL_BROKEN = mark("game {game} does not match its checksum")
NO_TALLY = mark("the count of its games is wrong")
UNKNOWN_TABLE = mark("tables of an unknown format: {text}")
MISSING_TABLE = mark("a table is missing or wrong: {text}")
OTHER_PROGRAM = mark("another program made it")
NOT_OURS = mark("it is no database of demine's, so it stays as it is")
FORMAT = mark("format {found}, this one knows {known}")
WRONG_VALUE = mark("the field {field} cannot be {value!r}")
JOURNAL_LOST = mark("it is lost")
CHECKSUM = mark("event {seq} has a wrong checksum")
WRONG_SUM = mark("it does not match its checksum")


class StoreError(DemineError):
    """The store could not do something; the game in memory is unaffected.

    >>> import demine
    >>> with demine.Store.memory() as store:
    ...     store.load_game("none")
    Traceback (most recent call last):
    demine.store.errors.StoreError: There is no game 'none' in the records.
    """


class Reason(DemineError):
    """Part of a longer sentence, translated with it."""


class UnusableDatabase(DemineError):
    """Inside the store: a database cannot be used as it is; `template` is the reason."""

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template, **params)
        self.kind = NoticeKind.DAMAGED

    @classmethod
    def of(cls, kind: NoticeKind, template: str, **params: object) -> UnusableDatabase:
        """Return the error for a database of that kind: damaged, newer, or another program's."""
        unfit = cls(template, **params)
        unfit.kind = kind
        return unfit

    @property
    def reason(self) -> Reason:
        """The reason, as part of a sentence."""
        return Reason(self.template, **self.params)
