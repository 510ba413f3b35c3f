"""HTML of paragraphs and tables, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def paragraph(text: str) -> str:
    """Return plain text, escaped, as a paragraph."""
    return f"<p>{_escaped(text)}</p>"


def table(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of plain texts, escaped, as a table aligned to the left."""
    cell = '<td style="text-align:left">{}</td>'
    lines = ("".join(cell.format(_escaped(text)) for text in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _escaped(text: str) -> str:
    from html import escape  # slow to import: it has a table of 2 000 names

    return escape(text)
