"""Options of verbs as each is declared: its names, its kind, its help and its default.

The help shows them under headings; `under_heading` is where an option gets one.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from demine.cli.suggestions import Choice
from demine.play.garbage_collection import start_collecting
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    _Kind = click.ParamType[Any]


class Option(click.Option):
    """An option that takes a value; its help shows a default that is not None."""

    heading = ""
    """What it stands under in the help, translated; empty for none."""

    def __init__(
        self,
        names: str,
        kind: _Kind | Sequence[str],
        help: str,  # noqa: A002 - as in Click
        default: object = None,
        **more: Any,  # noqa: ANN401 - as in Click
    ) -> None:
        """Declare it by its names and, if that is not the last one, the verb's own for its value.

        `names` are as in `"-o --output target"`; a sequence of texts is what may be chosen from.
        """
        kind = kind if isinstance(kind, click.ParamType) else Choice(kind)
        metavar = getattr(kind, "metavar", None)
        more = {"metavar": metavar and tr(metavar), **more}
        if default is not None:
            more = {"default": default, "show_default": True, **more}
        super().__init__(names.split(), type=kind, help=help, **more)


class Switch(click.Option):
    """An option without a value; of `--x/--no-x` the value is None if neither is given."""

    heading = ""
    """What it stands under in the help, translated; empty for none."""

    def __init__(self, names: str, help: str) -> None:  # noqa: A002 - as in Click
        default = {"default": None} if "/" in names else {"is_flag": True}
        super().__init__(names.split(), help=help, **default)


def under_heading(heading: str, *options: Option | Switch) -> Iterable[click.Parameter]:
    """Yield the options, which the help shows under a translated heading."""
    for option in options:
        option.heading = heading
        yield option


class _Argument(click.Argument):
    """An argument that errors name without the brackets of the help."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return what errors call it."""
        del ctx
        return repr(re.sub(r"^\[(.*)\](\.\.\.)?$", r"\1\2", self.metavar or ""))


def argument(name: str, kind: _Kind, metavar: str = "", *, nargs: int = 1) -> click.Argument:
    """Return an argument; one whose name in the help has brackets may be left out."""
    shown = metavar or tr(getattr(kind, "metavar", ""))
    required = not shown.startswith("[")
    return _Argument([name], type=kind, metavar=shown, required=required, nargs=nargs)


def json_option() -> Switch:
    """Return the option `--json`, which the verb gets as `as_json`."""
    return Switch("--json as_json", tr("Print as JSON."))


class LaterImport:
    """The callback of a verb whose work is imported once it begins.

    It calls `run_VERB` of the module `demine.cli.actions.VERB` and returns its exit code.
    """

    def __init__(self, verb: str) -> None:
        self._verb = verb

    def __call__(self, **chosen: Any) -> int:  # noqa: ANN401 - as Click passes them
        """Import the work, do it, and return the exit code."""
        module = import_module(f"demine.cli.actions.{self._verb}")
        start_collecting()
        code: int = getattr(module, f"run_{self._verb}")(**chosen)
        return code
