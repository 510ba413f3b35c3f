"""Microseconds to keep one act: `demine.store` beside SQLite's plain settings, in one run.

The peers keep the same lines in the same tables without anything of ours around them: one INSERT
and one UPDATE in a transaction, in SQLite's default mode (rollback journal, synchronous=FULL, what
`sqlite3.connect` gives) and in the mode the store uses (write-ahead log, synchronous=NORMAL). The
rest is what a player waits for: opening the file, taking up a game, ending one, reading records.

"""

from __future__ import annotations

import re
import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import EXPERT
from demine.store import Store, schema

ACTS = 300
GAMES = 1000
OPENINGS = 20


def rows(_run: Run) -> list[Row]:
    """Return what keeping an act takes, beside SQLite alone, and what a player waits for."""
    with TemporaryDirectory() as folder:
        figures = measured(Path(folder))
    own = figures.pop("us per act, demine.store (rules included), median")
    default = figures.pop("us per act, plain DELETE/FULL")
    log = figures.pop("us per act, plain WAL/NORMAL")
    return [
        Row("an act kept", own, "µs", "SQLite, DELETE/FULL", default, goal=1),
        Row("an act kept", own, "µs", "SQLite, WAL/NORMAL", log),
        *(
            Row(what_of(name), value, name.split()[0].replace("us", "µs"))
            for name, value in figures.items()
        ),
    ]


def what_of(name: str) -> str:
    """Return a figure's name without its unit."""
    return re.sub(r"^(us per|ms to|megabytes of) ", "", name)


def measured(folder: Path) -> dict[str, float]:
    """Return each figure by its name, units in the name."""
    figures: dict[str, float] = {}
    for name, mode, level in (("default", "DELETE", "FULL"), ("log", "WAL", "NORMAL")):
        times = plain(folder / f"{name}.db", mode, level)
        figures[f"us per act, plain {mode}/{level}"] = statistics.median(times)
    path = folder / "demine.db"
    with Store.open(path) as store:
        times = kept(store)
    figures["us per act, demine.store (rules included), median"] = statistics.median(times)
    figures["us per act, demine.store (rules included), p99"] = percentile(times, 0.99)
    figures["us per act, the rules alone"] = statistics.median(rules_alone())
    figures |= starts(path)
    return figures


def plain(path: Path, mode: str, level: str) -> list[float]:
    """Return microseconds of each act kept by SQLite alone."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}").fetchall()
    connection.execute(f"PRAGMA synchronous = {level}")
    schema.migrate(connection)
    connection.execute(
        "INSERT INTO games (num, id, rules, header, status, unranked, result, time_ms, hits,"
        " acts, began_at, seen_at, finished_at, owner)"
        " VALUES (1, ?, '30x16/99', '{}', 'running', '', NULL, 0, 0, 0,"
        " '2026', '2026', NULL, NULL)",
        ("0" * 36,),
    )

    def act(number: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO events VALUES (1, ?, ?, 0)", (number, f'[{number},"flag",3,4]')
        )
        connection.execute("UPDATE games SET time_ms = ? WHERE num = 1", (number,))
        connection.execute("COMMIT")

    times = [timed(act, number) for number in range(ACTS)]
    connection.close()
    return times


def kept(store: Store) -> list[float]:
    """Return microseconds of each act of an expert game played through the store."""
    game = Game(EXPERT)
    live = store.begin(game)
    live.play(Act(0, Verb.OPEN, 8, 15))
    cells = covered(game)
    times = []
    for number in range(ACTS):
        row, col = cells[number % len(cells)]
        act = Act(number, Verb.FLAG, row, col)
        times.append(timed(live.play, act))
    live.abandon()
    return times


def rules_alone() -> list[float]:
    """Return microseconds of the same acts kept nowhere."""
    game = Game(EXPERT)
    game.play(Act(0, Verb.OPEN, 8, 15))
    cells = covered(game)
    acts = (Act(n, Verb.FLAG, *cells[n % len(cells)]) for n in range(ACTS))
    return [timed(game.play, act) for act in acts]


def covered(game: Game) -> list[tuple[int, int]]:
    """Return the cells that take a flag."""
    return [(int(r), int(c)) for r, c in zip(*(~game.board.open_map).nonzero(), strict=True)]


def starts(path: Path) -> dict[str, float]:
    """Return what a player waits for at a start and at an end, with a long history."""
    figures: dict[str, float] = {}
    with Store.open(path) as store:
        ends = [finished(store) for _ in range(GAMES)]
        figures["ms to end a game (waits for the disk), median"] = statistics.median(ends) / 1000
        history = [timed(store.record_of, EXPERT) for _ in range(5)]
        figures[f"ms to read the record of {GAMES} games"] = min(history) / 1000
        pages = [timed(store.games, EXPERT) for _ in range(5)]
        figures["ms to read a page of 100 games"] = min(pages) / 1000
        live = store.begin(Game(EXPERT))
        live.play(Act(0, Verb.OPEN, 8, 15))
    figures["megabytes of database"] = path.stat().st_size / 1e6
    openings, resumptions = [], []
    for _ in range(OPENINGS):
        start = time.perf_counter()
        store = Store.open(path)
        opened = time.perf_counter()
        live_again = store.resume()
        resumptions.append((time.perf_counter() - opened) * 1000)
        openings.append((opened - start) * 1000)
        assert live_again is not None
        store.close()
    figures[f"ms to open, {GAMES} games kept, median"] = statistics.median(openings)
    figures["ms to resume a game, median"] = statistics.median(resumptions)
    return figures


def finished(store: Store) -> float:
    """Return microseconds to end one short game."""
    live = store.begin(Game(EXPERT))
    live.play(Act(0, Verb.OPEN, 8, 15))
    return timed(live.abandon, 1000)


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Return how many microseconds one call takes."""
    start = time.perf_counter()
    work(*arguments)
    return (time.perf_counter() - start) * 1e6


def percentile(times: list[float], share: float) -> float:
    """Return the time that this share of all times does not exceed."""
    return sorted(times)[int(share * (len(times) - 1))]
