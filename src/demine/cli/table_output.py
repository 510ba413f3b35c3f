"""Rows of values for eyes and for programs: a table, CSV, JSON, Parquet."""

from __future__ import annotations

import csv
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from demine.cli.file_statistics import JUDGED_COLUMNS, RESULT, StatisticsRow
from demine.cli.json_output import to_json
from demine.cli.text_table import aligned_rows
from demine.logic.sanitize import escape_surrogates, escape_to_one_line
from demine.replay.limited_file_io import atomic_write
from demine.scene.sanitized_console import bare_stream
from demine.scene.translation import tr
from demine.statistics.definitions import TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.cli.file_statistics import Cell

_DECIMALS_BY_UNIT: Final = {"px": 1, "px/s": 1, "px/s²": 1, "1/px": 5}
"""Decimals in a table by the unit; 3 for every other."""
_NO_VALUE: Final = "–"
_UNLIMITED_WIDTH: Final = 1 << 16
"""No terminal is so wide: no entry is cut or folded, the terminal wraps whole lines."""
FILE_COLUMN: Final = "file"
CONTRADICTED_KEY: Final = "contradicted"
"""In JSON, what a file claims and its events contradict; only where there is any such claim."""


class RowWriter(Protocol):
    """What takes rows as they come and has written them all once it is closed."""

    def add(self, row: StatisticsRow) -> None:
        """Take a row."""

    def close(self) -> None:
        """Write what is still to be written."""


class JsonLinesWriter:
    """A JSON object a line, at once."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def add(self, row: StatisticsRow) -> None:
        """Write a row."""
        values: dict[str, object] = dict(zip(self._columns, row.values, strict=True))
        if row.contradicted:
            values[CONTRADICTED_KEY] = [each.facts() for each in row.contradicted]
        click.echo(to_json({FILE_COLUMN: escape_surrogates(row.file), **values}))

    def close(self) -> None:
        """Everything is written."""


class CsvWriter:
    """A line of names, then a line for each row, at once; empty where there is no value.

    A row is one line whatever is in it: control characters are written out as in the table.
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
        """Everything is written."""


class TableWriter:
    """A table in straight columns, all of it at the end: a single row as a list of its values."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._rows: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Keep a row."""
        self._rows.append(row)

    def close(self) -> None:
        """Print the table, with rich where it is installed and eyes are at a terminal."""
        if not self._rows:
            return
        heads, *lines = self.lines()
        if sys.stdout.isatty() and find_spec("rich") is not None:
            print_rich(heads, lines)
        else:
            click.echo(aligned_table([heads, *lines]))

    def lines(self) -> list[list[str]]:
        """Return all that is shown, the heads first."""
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
    """A Parquet file, whole or not at all."""

    def __init__(self, columns: Sequence[str], target: str) -> None:
        self._columns = columns
        self._target = target
        self._rows: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Keep a row."""
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


def cell_text(name: str, value: Cell) -> str:
    """Return a value as a table shows it, in the player's language."""
    if value is None:
        return _NO_VALUE
    if name == RESULT:
        return tr(str(value))
    if isinstance(value, float):
        return f"{value:.{_DECIMALS_BY_UNIT.get(TABLE[name].unit, 3) if name in TABLE else 3}f}"
    return escape_to_one_line(str(value))


def aligned_table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of entries in straight columns, the heads first; statistics stand to the right.

    A Chinese character takes two places.
    """
    right = {number for number, head in enumerate(lines[0]) if head in TABLE}
    return "\n".join(aligned_rows(lines, right))


def print_rich(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print the same with rich."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Rich
    from rich.text import Text

    made = Rich(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        made.add_column(Text(head), justify="right" if head in TABLE else "left", no_wrap=True)
    colours = {tr("won"): "green", tr("lost"): "red"}
    for line in lines:
        made.add_row(*(Text(text, style=colours.get(text, "")) for text in line))
    Console(file=bare_stream(sys.stdout), width=_UNLIMITED_WIDTH, highlight=False).print(
        made, soft_wrap=True
    )
