"""Milliseconds of processor time for what a store of a million games is asked.

The games are made from a few dozen played ones: each row has an id, a moment and checksums of its
own, as if it had been played. Making them takes a minute or two and two gigabytes.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.game import Origin
from demine.logic.kernels import JOURNAL_KERNELS
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.store import Store, checksums, game_rows
from demine.store.cached_statistics import (
    DEFINITIONS_VERSION,
    StatisticValues,
    statistic_values,
)
from demine.store.history import COLUMNS, Column, HistoryFilter, SearchTerm
from demine.store.utc_text import utc_text

T = TypeVar("T")
SMALL: Final = 10_000
LARGE: Final = 1_000_000
TURNS: Final = 3
LEVEL: Final = 0.5
"""What does not depend on how many games there are takes at most twice as long, give or take."""
INDEPENDENT: Final = ("ending a game", "by ended, first page")
LIMITS: Final = {"records": 300.0}
PAGE_LIMIT: Final = 50.0
"""Milliseconds."""
FILTERED: Final[tuple[tuple[str, HistoryFilter, Column], ...]] = (
    ("expert", HistoryFilter(rules=str(EXPERT)), "ended"),
    ("wins", HistoryFilter(status="won"), "ended"),
    ("expert", HistoryFilter(rules=str(EXPERT)), "time"),
    ("beginner wins", HistoryFilter(rules=str(BEGINNER), status="won"), "acts"),
    ("ranked wins", HistoryFilter(ranked=True, status="won"), "bv_s"),
    ("a year", HistoryFilter(since="2015-01-01", until="2016-01-01"), "time"),
    ("a searched date", HistoryFilter(terms=(SearchTerm("2015-07"),)), "time"),
)
_PLAYED: Final = 24
"""How many different games of each level there are."""
_BEGAN: Final = datetime(2010, 1, 1, tzinfo=UTC)
_BATCH: Final = 10_000
_ENDS: Final = 9
_COLUMNS: Final = (
    "id, rules, header, status, unranked, result, time_ms, hits, acts,"
    " began_at, seen_at, finished_at, owner, crc, seal"
)


def rows(run: Run) -> list[Row]:
    """Return what a large store is asked, beside a small one."""
    counts = (SMALL // 10, LARGE // 100) if run.quick else (SMALL, LARGE)
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{games}.db") for games in counts]
        for path, games in zip(paths, counts, strict=True):
            make_store(path, games)
        turns = [[measured(path) for path in paths] for _ in range(run.often(TURNS))]
        small, large = (
            {name: min(turn[at][name] for turn in turns) for name in turns[0][at]} for at in (0, 1)
        )
        told = [
            Row(
                f"{name}, {counts[1]:,} games", large[name], "ms", f"{counts[0]:,} games",
                small[name], goal=LEVEL if name in INDEPENDENT else None,
                limit=LIMITS.get(name, PAGE_LIMIT if "by " in name else None),
            )
            for name in large
        ]  # fmt: skip
        return told + copied(Path(folder, "played.db"), counts[0], run)


def copied(path: Path, games: int, run: Run) -> list[Row]:
    """Return the seconds of exporting so many games, and of importing them into a new store."""
    # An import plays the journals, so rows have to say what these do.
    make_store(path, games, times_vary=False)
    text = path.with_suffix(".jsonl")
    turns, limit = run.often(TURNS), games / 10_000
    told = [
        Row(f"exporting {games:,} games", min(_exporting(path, text) for _ in range(turns)), "s",
            limit=limit),
    ]  # fmt: skip
    for way in ("", ", compiled"):
        if not way or JOURNAL_KERNELS.load():
            imported = min(_importing(text, path.parent) for _ in range(turns))
            told.append(Row(f"importing {games:,} games{way}", imported, "s", limit=limit))
    return told


def _exporting(path: Path, text: Path) -> float:
    """Return the seconds of writing an export."""
    with Store.open(path) as store, text.open("w", encoding="utf-8") as stream:
        before = time.process_time()
        store.export(stream)
        return time.process_time() - before


def _importing(text: Path, folder: Path) -> float:
    """Return the seconds of importing an export into a new store."""
    with TemporaryDirectory(dir=folder) as new, Store.open(Path(new, "copy.db")) as store:
        before = time.process_time()
        store.import_(text)
        return time.process_time() - before


def make_store(path: Path, games: int, *, times_vary: bool = True) -> None:
    """Write a new database with so many ended games, in the order of their ends.

    If `times_vary`, games with the same journal took different times by their rows.
    """
    Store.open(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    checksums.register_sql_functions(connection)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -262144")
    rows = _rows(games, times_vary=times_vary)
    # Building an index of all games at the end takes a tenth of the time.
    indexes = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        " AND name <> 'games_counted'"  # by which the triggers look
    ).fetchall()
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    marks = ", ".join("?" * 15)
    for first in range(1, games + 1, _BATCH):
        batch = [next(rows) for _ in range(min(_BATCH, games + 1 - first))]
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO games (num, {_COLUMNS}) VALUES (?, {marks})",
            [(num, *row) for num, (row, *_) in enumerate(batch, first)],
        )
        connection.executemany(
            "INSERT INTO journals (num, pack) VALUES (?, ?)",
            [(num, pack) for num, (_, pack, _) in enumerate(batch, first)],
        )
        connection.executemany(
            "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [_sealed_statistics(num, values) for num, (*_, values) in enumerate(batch, first)],
        )
        connection.execute("COMMIT")
    for _, sql in indexes:
        connection.execute(sql)
    connection.close()


def _rows(
    games: int, *, times_vary: bool
) -> Iterator[tuple[tuple[object, ...], bytes, StatisticValues]]:
    """Yield the values of a row of games, the compressed journal, and the statistics."""
    chance = random.Random(7)
    played = [_played_game(rules, seed) for rules in (BEGINNER, INTERMEDIATE, EXPERT)
              for seed in range(_PLAYED)]  # fmt: skip
    ready = [
        (game_rows.prepare_game("", game, _DATES, 0, ""), statistic_values(game)) for game in played
    ]
    for number in range(games):
        told, (bv, solved, clicks, bv_s, ioe) = ready[chance.randrange(len(ready))]
        assert isinstance(told.journal, bytes)
        moment = _BEGAN + timedelta(seconds=400 * number)
        end = utc_text(moment + timedelta(seconds=200))
        values = [
            game_rows.uuid_text(chance.randbytes(16), version=4),
            *told.values[1:9], utc_text(moment), end, end,
        ]  # fmt: skip
        if times_vary:
            values[6] = int(values[6]) + chance.randrange(60_000)  # type: ignore[call-overload]
        crc = zlib.crc32(told.journal)
        seal = checksums.row_checksum(*values, crc, None, None, None, None)
        chances = [float(each) * chance.uniform(0.5, 2) for each in (bv_s, ioe)]  # type: ignore[arg-type]
        yield (*values, None, crc, seal), told.journal, (bv, solved, clicks, *chances)


def _sealed_statistics(num: int, values: StatisticValues) -> tuple[object, ...]:
    row = (num, DEFINITIONS_VERSION, *values)
    return (*row, checksums.row_checksum(*row))


_DATES: Final = game_rows.Dates(*[utc_text(_BEGAN)] * 3)


def _played_game(rules: Rules, seed: int) -> Game:
    """Return a game that somebody played who knows most of the mines."""
    chance = random.Random(seed)
    game = Game(rules, seed, origin=Origin.FRESH)
    moment = 0
    cells = [(row, col) for row in range(rules.height) for col in range(rules.width)]
    chance.shuffle(cells)
    careful = chance.random() < 0.4
    for row, col in cells:
        if game.status.over:
            break
        mine = game.begun and bool(game.board.mine_map[row, col])
        if game.board.open_map[row, col] or (mine and (careful or chance.random() < 0.97)):
            continue
        moment += chance.randrange(150, 900)
        for action in ("press", "release"):
            game.touch(Touch(moment, "left", action, 16 * col + 8, 16 * row + 8))
        game.play(Act(moment, Verb.OPEN, row, col))
    return game


def measured(path: Path) -> dict[str, float]:
    """Return each figure by its name, units in the name."""
    figures: dict[str, float] = {}

    def note(name: str, work: Callable[[], T]) -> T:
        before = time.process_time()
        result = work()
        figures[name] = 1000 * (time.process_time() - before)
        return result

    store = note("opening", lambda: Store.open(path))
    try:
        store.records()  # counts streaks once if the games were made just now
        note("records", store.records)
        for column in COLUMNS:
            history = note(f"history by {column}", partial(store.history, column=column))
            note(f"by {column}, first page", partial(history.page, 0, 100))
            note(f"by {column}, next page", partial(history.page, 100, 100))
            note(f"by {column}, middle page", partial(history.page, len(history) // 2, 100))
        for name, wanted, column in FILTERED:
            first_page = partial(first_page_of, store, wanted, column)
            note(f"history of {name}, by {column}, first page", first_page)
        note("what plots of one kind show, by game", partial(store.counted_results, EXPERT))
        note("what plots of one kind show, by day", partial(store.wins_by_day, EXPERT))
        ends = []
        for seed in range(_ENDS):
            live = store.begin(opened := Game(BEGINNER, seed, origin=Origin.FRESH))
            safe = [(int(row), int(col)) for row, col in zip(*_safe(opened), strict=True)]
            for row, col in safe:
                if not opened.status.over and not opened.board.open_map[row, col]:
                    opened.play(Act(50_000, Verb.OPEN, row, col))
            before = time.process_time()
            live.record()
            ends.append(1000 * (time.process_time() - before))
        figures["ending a game"] = statistics.median(ends)
    finally:
        store.close()
    return figures


def first_page_of(store: Store, wanted: HistoryFilter, column: Column) -> int:
    """Read the first page of a history made anew; return how many games it shows."""
    return len(store.history(wanted, column).page(0, 100))


def _safe(game: Game) -> tuple[Any, ...]:
    """Return the rows and columns of the safe cells, after the first is open."""
    game.play(Act(0, Verb.OPEN, 4, 4))
    found: tuple[Any, ...] = (~game.board.mine_map).nonzero()
    return found
