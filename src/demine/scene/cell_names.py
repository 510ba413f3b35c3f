"""How people are told of a cell: everywhere by its row and column, both counted from 1."""

from __future__ import annotations

from demine.scene.translation import tr


def cell_name(row: int, col: int) -> str:
    """Return a cell, counted from 0, as a part of a sentence: "row 4, column 14"."""
    return tr("row {row}, column {col}", row=row, col=col)


def cell_pair(row: int, col: int) -> str:
    """Return a cell, counted from 0, as it stands in tables and lists: "(4, 14)"."""
    return tr("({row}, {col})", row=row, col=col)
