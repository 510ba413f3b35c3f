"""Writers of rows of statistics: as a table, CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from demine.cli.board_output import print_coloured, should_colour
from demine.cli.file_statistics import JUDGED_COLUMNS, RESULT, StatisticsRow
from demine.cli.text_table import (
    aligned_cells,
    aligned_lines,
    rows_as_name_value_lines,
    table_width,
    terminal_width,
    with_column_cut,
    wrapped_lines,
)
from demine.logic.json_text import to_json
from demine.logic.sanitize import escape_surrogates, escape_to_one_line
from demine.replay.limited_file_io import atomic_write
from demine.scene.translation import tr
from demine.statistics.definitions import TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.cli.file_statistics import Cell

_DECIMALS_BY_UNIT: Final = {"px": 1, "px/s": 1, "px/s²": 1, "1/px": 5}
"""Decimals in a table by unit; 3 for every other unit."""
_NO_VALUE: Final = "–"
_MIN_FILE_WIDTH: Final = 20
"""A file's name is not cut to less; where columns may be left out, they are."""
_GREEN, _RED = "32", "31"
FILE_COLUMN: Final = "file"
CONTRADICTED_KEY: Final = "contradicted"
"""The JSON key of a file's claims that its events contradict; absent if there are none."""


class RowWriter(Protocol):
    """Takes rows one by one; all of them are written once it is closed."""

    def add(self, row: StatisticsRow) -> None:
        """Write a row, or keep it until `close`."""

    def close(self) -> None:
        """Write the rows that were kept."""


class JsonLinesWriter:
    """Prints each row at once as a line of JSON."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def add(self, row: StatisticsRow) -> None:
        """Write a row."""
        values: dict[str, object] = dict(zip(self._columns, row.values, strict=True))
        if row.contradicted:
            values[CONTRADICTED_KEY] = [each.to_dict() for each in row.contradicted]
        click.echo(to_json({FILE_COLUMN: escape_surrogates(row.file), **values}))

    def close(self) -> None:
        """Do nothing, as every row is written already."""


class CsvWriter:
    """Prints a line of names, then each row at once as a line; empty where there is no value.

    Control characters are escaped, so that a row is always one line.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._writer = csv.writer(sys.stdout, lineterminator="\n")
        self._writer.writerow([FILE_COLUMN, *columns])

    def add(self, row: StatisticsRow) -> None:
        """Write a row."""
        values = (
            escape_to_one_line(value) if isinstance(value, str) else value for value in row.values
        )
        self._writer.writerow([escape_to_one_line(row.file), *values])
        sys.stdout.flush()

    def close(self) -> None:
        """Do nothing, as every row is written already."""


class TableWriter:
    """Prints an aligned table at the end, at a terminal one that fits it.

    A single row is shown as a list of names and values, and so are all rows if the columns asked
    for do not fit. Of columns that nobody asked for, those that do not fit are left out.
    """

    def __init__(self, columns: Sequence[str], *, asked_for: bool = True) -> None:
        self._columns = columns
        self._asked_for = asked_for
        self._rows: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Keep a row until `close`."""
        self._rows.append(row)

    def close(self) -> None:
        """Print the table, and which columns were left out."""
        if not self._rows:
            return
        rows, width = self.table_rows(), terminal_width()
        if len(self._rows) == 1:
            rows = [list(pair) for pair in zip(*rows, strict=True)]
            fitted = rows if width is None else with_column_cut(rows, 1, width, keep_end=True)
            click.echo("\n".join(aligned_lines(fitted)))
            return
        if width is None:
            click.echo(aligned_table(rows))
            return
        count = len(rows[0])
        fitted = self._with_files_cut(rows, count, width)
        while not self._asked_for and table_width(fitted) > width and count > 2:
            count -= 1
            fitted = self._with_files_cut(rows, count, width)
        if table_width(fitted) > width:
            click.echo("\n".join(rows_as_name_value_lines(rows, width)))
            return
        print_coloured(coloured_table(fitted), keep_colours=should_colour("auto"))
        left_out = self._columns[count - 1 :]
        if left_out:
            sentence = tr("Left out: {names}; --all shows all.", names=", ".join(left_out))
            click.echo("\n".join(wrapped_lines(sentence, width)), err=True)

    def _with_files_cut(
        self, rows: Sequence[Sequence[str]], count: int, width: int
    ) -> list[list[str]]:
        """Return the first columns of the rows, the files' names cut at their beginnings."""
        kept = [row[:count] for row in rows]
        return with_column_cut(kept, 0, width, min_width=_MIN_FILE_WIDTH, keep_end=True)

    def table_rows(self) -> list[list[str]]:
        """Return the texts of the table by row, the heads first."""
        lines = [[FILE_COLUMN, *self._columns]]
        for row in self._rows:
            pairs = zip(self._columns, row.values, strict=True)
            lines.append(
                [escape_to_one_line(row.file), *(cell_text(name, value) for name, value in pairs)]
            )
        return lines


class ParquetWriter:
    """Writes a Parquet file at the end, whole or not at all."""

    def __init__(self, columns: Sequence[str], target: str) -> None:
        self._columns = columns
        self._target = target
        self._rows: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Keep a row until `close`."""
        self._rows.append(row)

    def close(self) -> None:
        """Write the file. Raises `ReplayError` with the path and the reason."""
        import pyarrow as pa
        from pyarrow import parquet

        types: dict[str, Any] = {FILE_COLUMN: pa.string()}
        data: dict[str, list[Cell]] = {
            FILE_COLUMN: [escape_surrogates(row.file) for row in self._rows]
        }
        for place, name in enumerate(self._columns):
            known = TABLE.get(name)
            kind = "text" if known is None else "whole" if known.whole else "real"
            kind = "real" if name in JUDGED_COLUMNS else kind
            types[name] = {"text": pa.string(), "whole": pa.int64(), "real": pa.float64()}[kind]
            values = [row.values[place] for row in self._rows]
            data[name] = [_text_or_none(value) for value in values] if kind == "text" else values
        made = pa.table(data, schema=pa.schema(types))
        with atomic_write(self._target) as file:
            parquet.write_table(made, file)


def _text_or_none(value: Cell) -> str | None:
    return None if value is None else escape_surrogates(str(value))


def cell_text(column: str, value: Cell) -> str:
    """Return a value of a column as a table shows it, in the player's language."""
    if value is None:
        return _NO_VALUE
    if column == RESULT:
        return tr(str(value))
    if isinstance(value, float):
        return f"{value:.{_DECIMALS_BY_UNIT.get(TABLE[column].unit, 3) if column in TABLE else 3}f}"
    return escape_to_one_line(str(value))


def aligned_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as aligned text, the heads first; the columns of statistics stand right."""
    return "\n".join(aligned_lines(rows, _right_columns(rows[0])))


def coloured_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the same with the results coloured, if colours are wanted at this terminal."""
    if not should_colour("auto"):
        return aligned_table(rows)
    colours = {tr("won"): _GREEN, tr("lost"): _RED}
    cells = aligned_cells(rows, _right_columns(rows[0]))
    lines = (
        "  ".join(
            f"\x1b[{colours[cell.strip()]}m{cell}\x1b[0m"
            if head == RESULT and cell.strip() in colours
            else cell
            for head, cell in zip(rows[0], row, strict=True)
        )
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def _right_columns(heads: Sequence[str]) -> set[int]:
    return {number for number, head in enumerate(heads) if head in TABLE}
