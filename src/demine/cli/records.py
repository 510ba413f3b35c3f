"""`demine records`: best times, streaks, history; all of it out and in again."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from demine.logic.rules import Rules
from demine.replay.file import written
from demine.scene.messages import explain, ntr, tr
from demine.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.store import GameRow, Record


def command() -> click.Command:
    """Return the verb."""
    return click.Command(
        "records",
        callback=_records,
        help=tr(
            "Show your best times, streaks and last games.\n\nRULES limits it to one kind of game. "
            "Only games on fresh boards, played without undo or hints, enter best times."
        ),
        params=[
            click.Argument(["rules"], required=False, metavar=tr("[RULES]")),
            click.Option(
                ["--last"],
                type=click.IntRange(0),
                default=10,
                show_default=True,
                help=tr("How many of the last games to list."),
            ),
            click.Option(["--json", "as_json"], is_flag=True, help=tr("Print as JSON.")),
            click.Option(
                ["--export", "target"],
                metavar=tr("FILE"),
                help=tr("Write all records, games and settings to a file; - is standard output."),
            ),
            click.Option(
                ["--import", "source"],
                metavar=tr("FILE"),
                help=tr(
                    "Add what a file holds, an export or a database; games already here stay once."
                ),
            ),
        ],
    )


def _records(
    rules: str | None, last: int, as_json: bool, target: str | None, source: str | None
) -> int:
    if target is not None and source is not None:
        raise click.UsageError(tr("--export and --import do not go together"))
    wanted = None if rules is None else str(Rules.parse(rules))
    with Store.open() as store:
        for notice in store.take_notices():
            click.echo(f"demine records: {explain(notice)}", err=True)
        if target is not None:
            return _export(store, target)
        if source is not None:
            return _import(store, source)
        found = [each for each in store.records() if wanted in (None, each.rules)]
        games = store.games(wanted, limit=last) if last else ()
    if as_json:
        _print_json(found, games)
    else:
        _print_text(found, games)
    return 0


def _export(store: Store, target: str) -> int:
    if target == "-":
        # An export is UTF-8 wherever it goes, whatever the terminal speaks.
        stream = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="\n")
        store.export(stream)
        stream.detach()
        return 0
    with written(target) as file:
        stream = TextIOWrapper(file, "utf-8", newline="\n")
        counts = store.export(stream)
        stream.detach()
    click.echo(ntr("{n} game written", "{n} games written", counts.games), err=True)
    return 0


def _import(store: Store, source: str) -> int:
    counts = store.import_(sys.stdin.buffer if source == "-" else source)
    click.echo(ntr("{n} game added", "{n} games added", counts.games), err=True)
    return 0


def _print_json(found: Sequence[Record], games: Sequence[GameRow]) -> None:
    text = {
        "records": [{**asdict(each), "win_rate": each.win_rate} for each in found],
        "games": [asdict(each) for each in games],
    }
    click.echo(json.dumps(text, ensure_ascii=False, indent=2))


def _print_text(found: Sequence[Record], games: Sequence[GameRow]) -> None:
    if not found and not games:
        click.echo(tr("No game has ended yet: play one with `demine`."))
        return
    if found:
        click.echo(_table(_record_heads(), [_record_row(each) for each in found]))
    if games:
        click.echo()
        click.echo(_table(_game_heads(), [_game_row(each) for each in games]))


def _record_heads() -> list[str]:
    return [
        tr("Rules"), tr("Best"), tr("Last 10"), tr("Last 100"),
        tr("Games"), tr("Won"), tr("Rate"), tr("Streak"), tr("Longest"),
    ]  # fmt: skip


def _record_row(record: Record) -> list[str]:
    rate = "" if record.win_rate is None else f"{100 * record.win_rate:.1f} %"
    return [
        record.rules,
        _seconds(record.best_ms),
        _seconds(record.average_10),
        _seconds(record.average_100),
        str(record.games),
        str(record.wins),
        rate,
        str(record.streak),
        str(record.best_streak),
    ]


def _game_heads() -> list[str]:
    return [tr("Ended"), tr("Rules"), tr("Result"), tr("Time"), tr("Note")]


def _game_row(game: GameRow) -> list[str]:
    from demine.store.sitting import UNRANKED

    results = {"won": tr("won"), "lost": tr("lost"), "resigned": tr("resigned")}
    ended = (game.finished_at or game.seen_at)[:16].replace("T", " ")
    note = tr(UNRANKED[game.unranked]) if game.unranked else ""
    return [ended, game.rules, results.get(game.status, game.status), _seconds(game.time_ms), note]


def _seconds(ms: float | None) -> str:
    return "" if ms is None else f"{ms / 1000:.3f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns as wide as their widest entry; a Chinese character takes two places."""
    table = [heads, *rows]
    widths = [max(_width(row[col]) for row in table) for col in range(len(heads))]
    lines = (
        "  ".join(
            text + " " * (width - _width(text)) for text, width in zip(row, widths, strict=True)
        )
        for row in table
    )
    return "\n".join(line.rstrip() for line in lines)


def _width(text: str) -> int:
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
