"""Names of files and folders on the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import Any

    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # older versions of Click have no type parameter


class _FileName(_TextType):
    """A non-empty name: to the system an empty one is the current folder."""

    name = "text"

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


FILE_NAME: Final = _FileName()


def is_like_file(word: str) -> bool:
    """Whether something lies at this path, or the word ends as files do: `gone.avf`.

    A word that ends in digits after its point does not: `30x16/20.5` is meant as a board.
    """
    return os.path.exists(word) or os.path.splitext(word)[1][1:].isalpha()  # noqa: PTH110, PTH122
