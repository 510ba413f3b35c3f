"""The help of verbs, within the terminal's width, where Chinese characters take two columns."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from demine.cli.param_types import Number
from demine.cli.text_table import padded, text_width, wrapped_lines
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

_MIN_WIDTH: Final = 40
_WIDEST_TERM: Final = 26
"""A wider term has its meaning on the lines below it."""
_AS_IT_STANDS: Final = "\b\n"
"""Before a paragraph that is not wrapped, as in Click."""


class HelpFormatter(click.HelpFormatter):
    """Formats help as Click does, but counts columns instead of letters."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None:
            width = max(min(shutil.get_terminal_size().columns, max_width or 80), _MIN_WIDTH)
        super().__init__(indent_increment, width, max_width)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{' ' * self.current_indent}{tr('{heading}:', heading=heading)}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, wrapped and indented."""
        indent = " " * self.current_indent
        written = list[str]()
        for paragraph in text.split("\n\n"):
            if paragraph.startswith(_AS_IT_STANDS):
                lines = paragraph.removeprefix(_AS_IT_STANDS).splitlines()
            else:
                lines = wrapped_lines(paragraph, self.width - self.current_indent)
            written.append("\n".join(indent + line for line in lines))
        self.write("\n\n".join(written) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _WIDEST_TERM, col_spacing: int = 2
    ) -> None:
        """Write terms and what they mean, in two columns."""
        rows = list(rows)
        indent = " " * self.current_indent
        widest = max((text_width(term) for term, _ in rows), default=0)
        first = min(widest, col_max) + col_spacing
        room = max(self.width - self.current_indent - first, 10)
        for term, meaning in rows:
            lines = wrapped_lines(meaning, room)
            if lines and text_width(term) <= first - col_spacing:
                self.write(f"{indent}{padded(term, first)}{lines.pop(0)}\n")
            else:
                self.write(f"{indent}{term.rstrip()}\n")
            for line in lines:
                self.write(f"{indent}{' ' * first}{line}\n")


class HelpContext(click.Context):
    """A context whose help is formatted here, and whose options stand under their headings."""

    formatter_class = HelpFormatter

    def get_help(self) -> str:
        """Return the page of help of the command."""
        command, formatter = self.command, self.make_formatter()
        command.format_usage(self, formatter)
        command.format_help_text(self, formatter)
        sections = _options_by_heading(self)
        for heading, rows in _with_equal_terms(sections).items():
            with formatter.section(heading):
                formatter.write_dl(rows)
        if isinstance(command, click.Group):
            command.format_commands(self, formatter)
        command.format_epilog(self, formatter)
        return formatter.getvalue().rstrip("\n")


_Rows: TypeAlias = list[tuple[str, str]]


def _options_by_heading(context: click.Context) -> dict[str, _Rows]:
    """Return how options are written and what they do, by headings; those without one are last."""
    found: dict[str, _Rows] = {}
    params = context.command.get_params(context)
    options = [each for each in params if isinstance(each, click.Option) and not each.hidden]
    has_headings = any(getattr(each, "heading", "") for each in options)
    others = tr("General") if has_headings else tr("Options")
    for option in sorted(options, key=lambda each: not getattr(each, "heading", "")):
        heading = getattr(option, "heading", "") or others
        found.setdefault(heading, []).append(_help_of_option(context, option))
    return found


def _with_equal_terms(sections: dict[str, _Rows]) -> dict[str, _Rows]:
    """Return the sections with all terms padded alike, so that what they mean is one column."""
    widths = [text_width(term) for rows in sections.values() for term, _ in rows]
    wide = min(max(widths), _WIDEST_TERM)
    return {
        heading: [(padded(term, wide), meaning) for term, meaning in rows]
        for heading, rows in sections.items()
    }


def _help_of_option(context: click.Context, option: click.Option) -> tuple[str, str]:
    """Return how an option is written, and what it does, with its limits and its default."""
    written = option.get_help_record(context) or ("", "")
    limits = option.type.limits() if isinstance(option.type, Number) else ""
    default = option.default if option.show_default else None
    if isinstance(default, float):
        default = f"{default:g}"
    notes = [limits, "" if default is None else tr("default: {default}", default=default)]
    extra = "; ".join(filter(None, notes))
    return written[0], f"{option.help or ''} [{extra}]" if extra else option.help or ""
