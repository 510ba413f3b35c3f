"""The type of arguments and options that are names of files or folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import Any


class _FileName(click.ParamType[str]):
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
