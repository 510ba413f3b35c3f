"""Values of options and arguments that a shell can complete: words, names of files and folders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from demine.logic.rules import PRESETS
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # older versions of Click have no type parameter


class Completions(NamedTuple):
    """What a value may be, as far as a shell can complete it."""

    words: tuple[str, ...] = ()
    endings: tuple[str, ...] | None = None
    """The ends of the names of files, in lower case; empty for any file, None for no file."""
    only_folders: bool = False
    in_list: bool = False
    """Whether several words may be joined by commas."""


class CompletedText(_TextType):
    """A text of which a shell knows what it may be; what it is, its verb checks."""

    name = "text"

    def __init__(self, completions: Callable[[], Completions]) -> None:
        self.completions = completions
        """Returns what it may be; called only when completion is set up, as it may take long."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in Click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the text."""
        del param, ctx
        return str(value)


class FileName(CompletedText):
    """A non-empty name: to the system an empty one is the current folder."""

    def __init__(self, *endings: str) -> None:
        super().__init__(lambda: Completions(endings=endings))

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in Click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name; raise `click.BadParameter` if it is empty."""
        if not value:
            self.fail(tr("the name is empty"), param, ctx)
        return str(value)


class _InputFileName(FileName):
    """The name of a file of games or boards, which is read."""

    def __init__(self, *more_endings: str) -> None:
        super().__init__()
        self.completions = lambda: Completions(endings=(*_endings_of_games(), *more_endings))


def _endings_of_games() -> tuple[str, ...]:
    """Return the endings of replays, journals and boards."""
    from demine.replay.registry import JOURNAL_EXTENSION, all_formats

    known = (ending for each in all_formats() for ending in each.extensions)
    return tuple(dict.fromkeys((*known, JOURNAL_EXTENSION, ".journal")))


FILE_NAME: Final = FileName()
GAME_FILE: Final = _InputFileName()
POSITION_FILE: Final = _InputFileName(".txt")
"""A diagram, or a game at a moment."""
FOLDER_NAME: Final = FileName()
FOLDER_NAME.completions = lambda: Completions(only_folders=True)
RULES: Final = CompletedText(lambda: Completions(words=tuple(PRESETS)))
"""Rules, by their name or as a size."""
RULES_OR_FILE: Final = CompletedText(
    lambda: Completions(words=tuple(PRESETS), endings=_endings_of_games())
)


def completions_of(kind: click.ParamType[Any]) -> Completions:
    """Return what a value of this type may be."""
    if isinstance(kind, CompletedText):
        return kind.completions()
    if isinstance(kind, click.Choice):
        return Completions(words=tuple(map(str, kind.choices)))
    return Completions()


def is_like_file(word: str) -> bool:
    """Whether something lies at this path, or the word ends as files do: `gone.avf`.

    A word that ends in digits after its point does not: `30x16/20.5` is meant as a board.
    """
    return os.path.exists(word) or os.path.splitext(word)[1][1:].isalpha()  # noqa: PTH110, PTH122
