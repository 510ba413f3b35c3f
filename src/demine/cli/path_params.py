"""Names of files and folders, as arguments and options take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import Any


class _FileName(click.ParamType[str]):
    """A name with something in it: to the system an empty one is the folder one is in."""

    name = "text"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as Click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name. Raises `click.BadParameter` for an empty one."""
        if not value:
            self.fail(tr("the name is empty"), param, ctx)
        return str(value)


FILE_NAME: Final = _FileName()
