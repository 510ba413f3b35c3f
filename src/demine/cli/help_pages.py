"""The help of verbs, within the terminal's width, where Chinese characters take two columns."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

import click

from demine.cli.text_table import padded, text_width, wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

_MIN_WIDTH: Final = 40
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
        self, rows: Iterable[tuple[str, str]], col_max: int = 26, col_spacing: int = 2
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
                self.write(f"{indent}{term}\n")
            for line in lines:
                self.write(f"{indent}{' ' * first}{line}\n")


class HelpContext(click.Context):
    """A context whose help is formatted here."""

    formatter_class = HelpFormatter
