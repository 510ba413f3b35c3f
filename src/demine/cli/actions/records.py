"""What `demine records` does: shows, exports and imports best times, streaks and history."""

from __future__ import annotations

import sys
from dataclasses import asdict
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import BAD_INPUT, DONE, INTERRUPTED, exit_code_of_error, print_message
from demine.cli.progress_line import Progress
from demine.cli.text_table import fitted_lines, terminal_width
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.logic.rules import Rules
from demine.logic.sanitize import escape_to_one_line
from demine.play.record_table import format_seconds, record_heads, record_row
from demine.replay.limited_file_io import atomic_write, read_up_to_limit
from demine.replay.load_save import joined_losses
from demine.replay.registry import JOURNAL, recognised_format
from demine.scene.board_title import board_title
from demine.scene.sanitized_console import stdout_text_stream
from demine.scene.translation import explain, ntr, tr
from demine.scene.unsupported_files import UnsupportedFileError
from demine.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.desktop.history_export_import import Report
    from demine.store import GameRow, Record


_MAX_OTHER_RULES: Final = 5
"""How many other rules are listed if there is no game under those asked for."""


def run_records(
    rules: str | None,
    last: int,
    as_json: bool,
    target: str | None,
    source: str | None,
    target_folder: str | None,
    form: str | None,
    source_folder: str | None,
) -> int:
    """Carry out `demine records` and return the exit code."""
    if target is not None and source is not None:
        raise click.UsageError(tr("--export and --import do not go together"))
    if sum(asked is not None for asked in (target, source, target_folder, source_folder)) > 1:
        raise click.UsageError(tr("one export or import at a time"))
    if form is not None and target_folder is None:
        raise click.UsageError(tr("--to goes with --export-folder"))
    wanted = None if rules is None else str(Rules.parse(rules))
    # Reading works even where nothing can be written.
    with Store.open(reading=source is None and source_folder is None) as store:
        for notice in store.take_notices():
            print_message("records", explain(notice))
        if target is not None:
            return _export_to_file(store, target)
        if source is not None:
            return _import_from_file(store, source)
        if target_folder is not None:
            return _export_folder(store, target_folder, form or JOURNAL, wanted)
        if source_folder is not None:
            return _import_folder(store, source_folder)
        found = [each for each in store.records() if wanted in (None, each.rules)]
        games = store.games(wanted, limit=last) if last else ()
        kept = () if found or games else store.ended_game_counts()
    if as_json:
        _print_json(found, games)
    elif found or games:
        _print_text(found, games)
    else:
        click.echo(_no_records_text(wanted, kept))
    return 0


def _export_to_file(store: Store, target: str) -> int:
    if target == "-":
        with stdout_text_stream() as out:
            store.export(out)
        return 0
    with Progress(0, "games") as progress, atomic_write(target) as file:
        stream = TextIOWrapper(file, "utf-8", newline="\n")
        counts = store.export(stream, progress.update)
        stream.detach()
    click.echo(ntr("{n} game written", "{n} games written", counts.games), err=True)
    return 0


def _import_from_file(store: Store, source: str) -> int:

    def update(done: int, count: int) -> None:
        if done < progress.done:  # all are read, and the first are written
            progress.start_from(0)
        progress.update(done, count)

    try:
        with Progress(0, "games") as progress:
            counts = store.import_(sys.stdin.buffer if source == "-" else source, update)
    except DemineError as error:
        if source == "-" or "path" in error.params:
            raise
        known = recognised_format(read_up_to_limit(source))
        reason = error
        if known is not None:
            reason = UnsupportedFileError(
                "it is a game or a board ({format}); `demine records --import-folder` adds the "
                "games of a folder",
                format=known.name,
            )
        raise StoreError("{path}: {reason}", path=source, reason=reason) from error
    for said in counts.added_sentences():
        click.echo(said, err=True)
    return 0


def _export_folder(store: Store, target: str, form: str, wanted: str | None) -> int:
    from demine.desktop.history_export_import import export_games

    ids = [row.id for row in store.games(wanted, limit=-1, order="oldest")]
    with catch_ctrl_c() as stop, Progress(len(ids), "games") as progress:
        report = export_games(store, ids, Path(target), form, progress.update, stop)
    click.echo(ntr("{n} game written", "{n} games written", report.done), err=True)
    for each in report.lost:
        losses = explain(joined_losses(each.lost))
        print_message("records", tr("{path} does not hold {losses}", path=each.name, losses=losses))
    codes = (exit_code_of_error(each.error) for each in report.bad)
    return _print_skipped_files(report, max(codes, default=DONE))


def _import_folder(store: Store, source: str) -> int:
    from demine.desktop.history_export_import import import_games

    with catch_ctrl_c() as stop, Progress(0, "files") as progress:
        report = import_games(store, Path(source), progress.update, stop)
    click.echo(ntr("{n} game added", "{n} games added", report.done), err=True)
    if report.known:
        known = ntr("{n} was already here", "{n} were already here", report.known)
        click.echo(known, err=True)
    return _print_skipped_files(report, BAD_INPUT)


def _print_skipped_files(report: Report, code: int) -> int:
    """Print which files were skipped and why; return the exit code, `code` if there are any."""
    for bad in report.bad:
        print_message("records", tr("{path}: {reason}", path=bad.name, reason=explain(bad.error)))
    if report.stopped:
        return INTERRUPTED
    return code if report.bad else DONE


def _print_json(found: Sequence[Record], games: Sequence[GameRow]) -> None:
    text = {
        "records": [_json_of_record(each) for each in found],
        "games": [asdict(each) for each in games],
    }
    click.echo(to_json(text))


def _json_of_record(record: Record) -> dict[str, object]:
    return {
        "rules": record.rules,
        "games": record.games,
        "won": record.wins,
        "win_rate": record.win_rate,
        "best_ms": record.best_ms,
        "best_id": record.best_id,
        "best_at": record.best_at,
        "average_10_ms": record.average_10,
        "average_100_ms": record.average_100,
        "streak": record.streak,
        "best_streak": record.best_streak,
        "last_at": record.last_at,
    }


def _print_text(found: Sequence[Record], games: Sequence[GameRow]) -> None:
    if found:
        click.echo(left_aligned_table(record_heads(), [record_row(each) for each in found], 0))
    if found and games:
        click.echo()
    if games:
        click.echo(left_aligned_table(_game_heads(), [_game_row(each) for each in games], 1))


def _no_records_text(wanted: str | None, kept: Sequence[tuple[str, int]]) -> str:
    """Return why there is nothing to show, and under which other rules there are games."""
    if not kept:
        return tr("No finished games yet: play one with `demine`.")
    if wanted is None:
        return tr("No ranked games yet.")
    if any(rules == wanted for rules, _ in kept):
        return tr("No ranked games with the rules {rules} yet.", rules=wanted)
    size = wanted.split()[0]
    # Those of the same size come first: `expert` may mean games imported from files.
    others = sorted(kept, key=lambda each: each[0].split()[0] != size)[:_MAX_OTHER_RULES]
    lines = [tr("No finished games with the rules {rules}. There are games with:", rules=wanted)]
    for rules, count in others:
        typed = f'"{rules}"' if " " in rules else rules
        games = ntr("{n} game", "{n} games", count)
        lines.append(f"  demine records {typed}  ({games})")
    return "\n".join(lines)


def _game_heads() -> list[str]:
    return [tr("Ended"), tr("Rules"), tr("Result"), tr("Time"), tr("Note")]


def _game_row(game: GameRow) -> list[str]:
    from demine.play.game_title import UNRANKED_REASONS

    results = {"won": tr("won"), "lost": tr("lost"), "resigned": tr("given up")}
    ended = (game.finished_at or game.seen_at)[:16].replace("T", " ")
    note = tr(UNRANKED_REASONS[game.unranked]) if game.unranked else ""
    return [
        ended,
        board_title(game.rules),
        results.get(game.status, game.status),
        format_seconds(game.time_ms),
        note,
    ]


def left_aligned_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], shrinking_column: int = 0
) -> str:
    """Return an aligned text table that fits the terminal, with control characters escaped.

    Of the column `shrinking_column` the texts are cut where it would be too wide.
    """
    shown = [heads, *([escape_to_one_line(text) for text in row] for row in rows)]
    return "\n".join(fitted_lines(shown, terminal_width(), shrinking_column=shrinking_column))
