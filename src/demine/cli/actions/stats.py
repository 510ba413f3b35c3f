"""What `demine stats` does: the statistics of one recorded game or of thousands."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from demine.cli.column_list import all_columns, column_table
from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import ANSWER_IS_NO, BAD_INPUT, DONE, INTERRUPTED, print_message
from demine.cli.file_statistics import (
    ALL_COLUMNS,
    DEFAULT_COLUMNS,
    StatisticsRow,
    UncountedFile,
    checked_columns,
    expand_folders,
)
from demine.cli.game_input import STDIN
from demine.cli.parallel_statistics import process_count, rows_of_files
from demine.cli.progress_line import Progress
from demine.cli.row_writers import CsvWriter, JsonLinesWriter, ParquetWriter, TableWriter
from demine.cli.text_table import terminal_width
from demine.logic.json_text import to_json
from demine.logic.sanitize import escape_to_one_line
from demine.scene.translation import explain, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.cli.row_writers import RowWriter


_MAX_LISTED_FILES: Final = 1000
"""How many files of a kind are listed at most."""


def run_stats(
    paths: tuple[str, ...],
    columns: str | None,
    every: bool,
    list_columns: bool,
    sort: str | None,
    as_json: bool,
    as_csv: bool,
    target: str | None,
    jobs: int | None,
) -> int:
    """Carry out `demine stats` and return the exit code."""
    if list_columns:
        return _list_columns(as_json=as_json)
    if not paths:
        raise click.UsageError(tr("name a file or a folder: demine stats FILE"))
    if columns is not None and every:
        raise click.UsageError(tr("--columns and --all do not go together"))
    if as_json + as_csv + (target is not None) > 1:
        raise click.UsageError(tr("--json, --csv and --parquet do not go together"))
    if paths.count(STDIN) > 1:
        raise click.UsageError(tr("standard input can be read only once"))
    if target is not None:
        from demine.studies.parquet import check_parquet_target

        check_parquet_target(Path(target))
    names = (
        ALL_COLUMNS if every else DEFAULT_COLUMNS if columns is None else _parse_columns(columns)
    )
    order = SortOrder(names, sort)
    items = list(expand_folders(paths))
    if not items:
        click.echo("demine stats: " + tr("no replay, journal or board found"), err=True)
        return ANSWER_IS_NO
    if target is not None:
        writer: RowWriter = ParquetWriter(names, target)
    else:
        writer = (
            JsonLinesWriter(names)
            if as_json
            else CsvWriter(names)
            if as_csv
            else TableWriter(names, asked_for=names is not DEFAULT_COLUMNS)
        )
    return _count_and_write(
        items, order, writer, process_count(len(items), jobs), to_file=target is not None
    )


def _list_columns(*, as_json: bool) -> int:
    if as_json:
        for each in all_columns():
            click.echo(to_json(each._asdict()))
    else:
        click.echo(column_table(terminal_width()))
    return DONE


def _parse_columns(columns: str) -> tuple[str, ...]:
    names = [name.strip() for name in columns.split(",") if name.strip()]
    if not names:
        raise click.UsageError(
            tr("--columns names no column: `demine stats --list-columns` lists them")
        )
    return checked_columns(names)


class SortOrder:
    """The column by which rows are sorted, and the direction."""

    def __init__(self, shown: Sequence[str], sort: str | None) -> None:
        self.down = bool(sort) and str(sort).startswith("-")
        self.by = None if not sort else checked_columns([sort.removeprefix("-")])[0]
        self.shown = len(shown)
        self.columns = tuple(shown) if self.by in {None, *shown} else (*shown, str(self.by))
        """The columns to count: those shown, and the one for sorting."""

    def without_sort_column(self, row: StatisticsRow) -> StatisticsRow:
        """Return a row with only the columns that are shown."""
        return (
            row
            if len(row.values) == self.shown
            else StatisticsRow(row.file, row.values[: self.shown])
        )

    def sorted_rows(self, rows: Sequence[StatisticsRow]) -> list[StatisticsRow]:
        """Return the rows sorted stably, those without a value last."""
        place = self.columns.index(str(self.by))
        having = [row for row in rows if row.values[place] is not None]
        lacking = [row for row in rows if row.values[place] is None]
        numbers = all(isinstance(row.values[place], int | float) for row in having)

        def key(row: StatisticsRow) -> tuple[float, str]:
            value = row.values[place]
            return (value, "") if numbers and isinstance(value, int | float) else (0, str(value))

        return [*sorted(having, key=key, reverse=self.down), *lacking]


def _count_and_write(
    items: Sequence[str | UncountedFile],
    order: SortOrder,
    writer: RowWriter,
    processes: int,
    *,
    to_file: bool,
) -> int:
    """Count and write all files that can be counted; return the exit code."""
    bad: list[UncountedFile] = []
    waiting: list[StatisticsRow] = []
    doubtful: list[StatisticsRow] = []
    rows, progress = 0, Progress(len(items), "files")
    with catch_ctrl_c() as stop:
        # Where Ctrl-C is pressed again, the file under way is abandoned too.
        with suppress(KeyboardInterrupt), progress:
            for found in rows_of_files(items, order.columns, processes, stop):
                for row in found:
                    if isinstance(row, UncountedFile):
                        bad.append(row)
                        continue
                    if row.contradicted:
                        doubtful.append(row)
                    if order.by is None:
                        progress.clear()
                        writer.add(order.without_sort_column(row))
                        rows += 1
                    else:
                        waiting.append(row)
                progress.step()
        for row in order.sorted_rows(waiting) if waiting else ():
            writer.add(order.without_sort_column(row))
            rows += 1
        if rows or not to_file:
            writer.close()
        if rows and to_file:
            click.echo(ntr("{n} row written", "{n} rows written", rows), err=True)
        _print_contradictions(doubtful)
        _print_uncounted_files(bad, len(items))
        if stop() and progress.done < len(items):
            print_message(
                "stats",
                tr("stopped after {done} of {count} files", done=progress.done, count=len(items)),
            )
            return INTERRUPTED
    return BAD_INPUT if bad else DONE


def _print_uncounted_files(bad: Sequence[UncountedFile], count: int) -> None:
    """List on stderr the files that could not be counted, and how many of all that are."""
    _print_file_list([(each.file, each.reason) for each in bad])
    if bad and count > 1:
        sentence = tr("{bad} of {count} files could not be counted", bad=len(bad), count=count)
        print_message("stats", sentence)


def _print_contradictions(doubtful: Sequence[StatisticsRow]) -> None:
    """List on stderr the files that contradict themselves."""
    _print_file_list([(row.file, "; ".join(map(explain, row.contradicted))) for row in doubtful])
    if len(doubtful) > 1:
        print_message("stats", tr("{n} files contradict themselves", n=len(doubtful)))


def _print_file_list(files: Sequence[tuple[str, str]]) -> None:
    for name, sentence in files[:_MAX_LISTED_FILES]:
        print_message("stats", f"{escape_to_one_line(name)}: {escape_to_one_line(sentence)}")
    if len(files) > _MAX_LISTED_FILES:
        print_message("stats", tr("and {count} more", count=len(files) - _MAX_LISTED_FILES))
