"""Errors whose messages can be translated.

An error keeps its English message as a template with named parameters, so that it can be shown in
another language (`demine.scene.translation.explain`). `str(error)` is the English message, in which
control characters are escaped (`demine.logic.sanitize`).

Rows and columns count from 0 in the library and from 1 in sentences. Parameters, and `cell` of an
error, are values of the library; `fill_in` makes a sentence of them, in every language.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Self, TypeGuard

from demine.logic.nearest_word import nearest_word
from demine.logic.sanitize import escape_control_characters

_COUNTED: Final = ("row", "col")
"""The fields of a message that are a cell of the board."""


def mark(message: str) -> str:
    """Return a message unchanged; marks it for translation, which happens where it is shown."""
    return message


def fill_in(message: str, params: Mapping[str, object]) -> str:
    """Return a message as people read it, its `{named}` fields filled in.

    The parameters `row` and `col` are those of a cell, counted from 0; people count from 1, so that
    is what the sentence says. Control characters are escaped.
    """
    if "row" in params:
        counted = ((name, params.get(name)) for name in _COUNTED)
        params = {**params, **{name: quoted(at + 1) for name, at in counted if isinstance(at, int)}}
    said = message.format(**params)
    # Most messages are made at every click, and have nothing to escape.
    return said if said.isprintable() else escape_control_characters(said)


DID_YOU_MEAN: Final = mark("{sentence}; did you mean {meant}?")
"""What a message becomes if one of its words was probably mistyped."""


class DemineError(Exception):
    """Base of every error that demine raises on purpose.

    `template` is an English message with `{named}` fields, `params` their values. In these rows and
    columns count from 0, in the message from 1.

    >>> import demine
    >>> try:
    ...     demine.Rules.parse("9x9/99")
    ... except demine.DemineError as error:
    ...     print(error.params["most"])
    80
    """

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template, params)
        self.template = template
        self.params = params

    def __str__(self) -> str:
        sentence = fill_in(self.template, self.params)
        meant = self.params.get("meant")
        return sentence if meant is None else DID_YOU_MEAN.format(sentence=sentence, meant=meant)

    def with_suggestion(self, word: object, known: Iterable[str], *, inside: str = "") -> Self:
        """Return this error, whose message now asks if the known word most like `word` was meant.

        That word, behind `inside`, is its parameter `meant`. If none is like it nothing changes.
        """
        meant = nearest_word(word, known) if isinstance(word, str) else None
        if meant is not None:
            self.params["meant"] = inside + meant
        return self

    @property
    def cell(self) -> tuple[int, int] | None:
        """The `(row, col)` that the message is about, counted from 0; None if it names none."""
        row, col = self.params.get("row"), self.params.get("col")
        return (row, col) if isinstance(row, int) and isinstance(col, int) else None

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes; the default would lose the parameters.
        notes = {"__notes__": self.__notes__} if hasattr(self, "__notes__") else None
        return _rebuild, (type(self), self.template, self.params), notes


def quoted(value: object) -> str:
    """Return the `repr` of a wrong value for a message, on one line of at most 80 characters.

    If `repr` fails, as for very long numbers and deeply nested lists, it is the type's name.
    """
    try:
        written = repr(value)
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return f"<{type(value).__name__}>"
    return (" ".join(written.split()) if "\n" in written else written)[:80]


def _rebuild(kind: type[DemineError], template: str, params: dict[str, object]) -> DemineError:
    return kind(template, **params)


class RulesError(DemineError, ValueError):
    """Rules that nobody could play, or a text that is not valid rules.

    >>> import demine
    >>> demine.Rules.parse("9x9/99")
    Traceback (most recent call last):
    demine.logic.errors.RulesError: 99 mines do not fit on 9x9: one cell stays free, so 80 at most
    """


class LayoutError(DemineError, ValueError):
    r"""A mine map that does not fit its rules, or a text that is not a layout.

    >>> import demine
    >>> demine.parse_layout("4x1/1\n..")
    Traceback (most recent call last):
    demine.logic.errors.LayoutError: line 2 has 2 cells, the rules 4x1/1
    """


class ActError(DemineError, ValueError):
    """An act that the rules refuse at this moment; the message says why.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> game.open(4, 4)
    Traceback (most recent call last):
    demine.logic.errors.ActError: row 5, column 5 is open already
    """


_LOAD_IT_FIRST: Final = mark(
    "{path} is the name of a file: read the game in it with demine.load({path})"
)
_FILE_NAME: Final = re.compile(r".{1,4096}\.[A-Za-z]{3,7}")
"""A line that ends as names of files do, which no diagram, layout or code does."""


class NotAGame(DemineError, TypeError):
    """Something else where a game or a board is wanted, most often the path of a file of one.

    >>> import demine
    >>> demine.stats("game.avf")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    demine.logic.errors.NotAGame: 'game.avf' is the name of a file: read the game in it with ...
    """

    @classmethod
    def of(cls, value: object) -> Self:
        """Return the error for this value; for the path of a file it says how to read that."""
        if looks_like_path(value):
            return cls(_LOAD_IT_FIRST, path=quoted(os.fspath(value)))
        return cls(mark("{value} is not a game"), value=quoted(value))


def looks_like_path(value: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether this is a path, or a text that names a file by its ending or because it exists."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and _is_file_name(value))


def _is_file_name(text: str) -> bool:
    if _FILE_NAME.fullmatch(text):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no text that a system takes for a path
        return False


class WorkError(DemineError, ValueError):
    """A game that takes more work to read than is allowed for an untrusted file.

    >>> import demine
    >>> issubclass(demine.WorkError, demine.DemineError)
    True
    """


class TextError(DemineError, ValueError):
    r"""A diagram or a share code that cannot be read.

    >>> import demine
    >>> demine.parse_scene("4x1/1\n1 # # $")
    Traceback (most recent call last):
    demine.logic.errors.TextError: line 2: '$' is not a face
    """


class JournalError(DemineError, ValueError):
    """A journal that cannot be read or whose events the rules refuse.

    >>> import demine
    >>> demine.Game.from_journal("hello")
    Traceback (most recent call last):
    demine.logic.errors.JournalError: line 1: 'hello' is not a journal header
    """


class ShareError(TextError):
    """A share code that is damaged or of an unknown kind.

    >>> import demine
    >>> demine.Game.from_share("1.9x9.10")
    Traceback (most recent call last):
    demine.logic.errors.ShareError: '1.9x9.10' is not a share code
    """
