"""Writers of rows of statistics: as a table, CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from demine.cli.file_statistics import JUDGED_COLUMNS, RESULT, StatisticsRow
from demine.cli.json_output import to_json
from demine.cli.text_table import aligned_lines
from demine.logic.sanitize import escape_surrogates, escape_to_one_line
from demine.replay.limited_file_io import atomic_write
from demine.scene.sanitized_console import raw_stream
from demine.scene.translation import tr
from demine.statistics.definitions import TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.cli.file_statistics import Cell

_DECIMALS_BY_UNIT: Final = {"px": 1, "px/s": 1, "px/s²": 1, "1/px": 5}
"""Decimals in a table by unit; 3 for every other unit."""
_NO_VALUE: Final = "–"
_UNLIMITED_WIDTH: Final = 1 << 16
"""Wider than any terminal, so that Rich cuts and folds nothing and the terminal wraps lines."""
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
    """Prints an aligned table at the end; a single row is shown as a list of names and values."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._rows: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Keep a row until `close`."""
        self._rows.append(row)

    def close(self) -> None:
        """Print the table, with Rich if it is installed and stdout is a terminal."""
        if not self._rows:
            return
        heads, *rows = self.table_rows()
        if sys.stdout.isatty() and find_spec("rich") is not None:
            print_rich_table(heads, rows)
        else:
            click.echo(aligned_table([heads, *rows]))

    def table_rows(self) -> list[list[str]]:
        """Return the texts of the table by row, the heads first; transposed for a single row."""
        lines = [[FILE_COLUMN, *self._columns]]
        for row in self._rows:
            pairs = zip(self._columns, row.values, strict=True)
            lines.append(
                [escape_to_one_line(row.file), *(cell_text(name, value) for name, value in pairs)]
            )
        if len(self._rows) == 1:
            return [list(pair) for pair in zip(*lines, strict=True)]
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
    right = {number for number, head in enumerate(rows[0]) if head in TABLE}
    return "\n".join(aligned_lines(rows, right))


def print_rich_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows as a table of Rich; the columns of statistics stand right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Rich
    from rich.text import Text

    made = Rich(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        made.add_column(Text(head), justify="right" if head in TABLE else "left", no_wrap=True)
    colours = {tr("won"): "green", tr("lost"): "red"}
    for row in rows:
        made.add_row(*(Text(text, style=colours.get(text, "")) for text in row))
    Console(file=raw_stream(sys.stdout), width=_UNLIMITED_WIDTH, highlight=False).print(
        made, soft_wrap=True
    )
