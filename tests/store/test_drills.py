"""Drills and their answers are kept: through exports, copies, damage, older files and kills."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from demine.play.drills.schedule import due_dates
from demine.store import Store, StoreError, schema
from demine.store.drills import DrillKey, DrillReview
from tests.store.playing import keep_win
from tests.store.processes import environment

DRILLS = (
    DrillKey("a game", 17, 4, 5, "safe", "1-2-1/edge"),
    DrillKey("a game", 21, 0, 3, "prove-or-guess", "50-50"),
    DrillKey("9x9/10 #7", 3, 8, 8, "speed", "1-1"),
)
REVIEWS = tuple(
    DrillReview(
        DRILLS[number % 3], f"2026-11-2{number}T10:00:00.000000Z", number != 2, 900 * number
    )
    for number in range(5)
)


def fill(store: Store) -> None:
    store.add_drills("a game", DRILLS[:2])
    store.add_drill_reviews(REVIEWS)


def check(store: Store) -> None:
    assert set(store.drills()) == set(DRILLS)
    assert store.drill_reviews() == REVIEWS
    assert store.take_notices() == ()


def test_what_is_added_is_there_once() -> None:
    with Store.memory() as store:
        fill(store)
        check(store)
        fill(store)
        check(store)
        assert store.drills() == DRILLS


def test_a_game_is_searched_once_the_newest_first(tmp_path: Path) -> None:
    with Store.open(tmp_path / "demine.db") as store:
        first, second = keep_win(store, 900), keep_win(store, 800)
        ids = [row.id for row in store.games()]
        assert len({first, second}) == 2
        assert list(store.games_without_drills(5)) == ids
        assert list(store.games_without_drills(1)) == ids[:1]
        store.add_drills(ids[0], ())
        store.add_drills(ids[1], [DRILLS[0]._replace(game=ids[1])])
        assert store.games_without_drills(5) == ()
        assert [drill.game for drill in store.drills()] == [ids[1]]


def test_exports_and_imports_carry_them(tmp_path: Path) -> None:
    stream = io.StringIO()
    with Store.memory() as store:
        fill(store)
        store.export(stream)
    text = stream.getvalue()
    assert json.loads(text.splitlines()[-1])["end"]["drills"] == 3
    with Store.open(tmp_path / "demine.db") as other:
        other.add_drill_reviews(REVIEWS[:1])
        counts = other.import_(io.StringIO(text))
        assert counts.added_sentences() == [
            "0 games added", "2 drills added", "4 answers to drills added",
        ]  # fmt: skip
        check(other)
        assert other.import_(io.StringIO(text)).added_sentences() == ["0 games added"]
        check(other)
    with Store.memory() as third:
        third.import_(tmp_path / "demine.db")
        check(third)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("act", 0), ("act", "17"), ("act", -1), ("cell", [1]), ("cell", [1, -1]),
        ("cell", [1, True]),
        ("kind", ""), ("kind", "x" * 300), ("pattern", None), ("drill", 7), ("reviews", None),
        ("reviews", [["2026-11-20T10:00:00", True, 1]]), ("reviews", [["now", True, 1]]),
        ("reviews", [["9999-12-31T23:00:00Z", True, 1]]),
        ("reviews", [["2026-11-20T10:00:00Z", 1, 1]]),
        ("reviews", [["2026-11-20T10:00:00Z", True, -1]]),
        ("reviews", [["2026-11-20T10:00:00Z", True, 1 << 70]]),
    ],
)  # fmt: skip
def test_a_bad_line_is_refused_with_its_number(field: str, value: object) -> None:
    stream = io.StringIO()
    with Store.memory() as store:
        fill(store)
        store.export(stream)
    lines = stream.getvalue().splitlines(keepends=True)
    entry = json.loads(lines[1])
    entry[field] = value
    lines[1] = json.dumps(entry) + "\n"
    with Store.memory() as other:
        with pytest.raises(StoreError, match="Line 2: "):
            other.import_(io.StringIO("".join(lines)))
        assert other.drills() == ()


def test_an_answer_of_a_far_year_that_is_stored_already_is_left_out(tmp_path: Path) -> None:
    far = REVIEWS[1]._replace(at="9999-12-31T23:00:00.000000Z")
    stream = io.StringIO()
    with Store.open(tmp_path / "demine.db") as store:
        fill(store)
        store.add_drill_reviews([far])
        check(store)
        assert due_dates(store.drill_reviews())
        store.export(stream)
    with Store.memory() as other:
        other.import_(io.StringIO(stream.getvalue()))
        check(other)


def test_a_file_of_format_6_gets_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        keep_win(store, 900)
        before = store.games()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for table in ("drill_reviews", "drills", "game_counts"):
            connection.execute(f"DROP TABLE {table}")
        for trigger in ("games_come", "counts_go", "counts_change"):
            connection.execute(f"DROP TRIGGER {trigger}")
        for sql in schema.MIGRATIONS[5]:
            if sql.startswith(("CREATE TRIGGER games_come", "CREATE TRIGGER sums_come")):
                connection.execute(sql)
        connection.execute("PRAGMA user_version = 6")
        assert schema.detect_format(connection) == 6
    with Store.open(path) as store:
        assert store.games() == before
        assert store.drills() == ()
        fill(store)
        check(store)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def test_a_changed_answer_is_noticed_and_the_others_come_over(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        fill(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE drill_reviews SET time_ms = 1 WHERE num = 4")
    with Store.open(path) as store:
        store.games()
        left = store.drill_reviews()
        assert [notice.kind.value for notice in store.take_notices()] == ["damaged"]
        assert set(left) == {review for review in REVIEWS if review is not REVIEWS[3]}
        assert set(store.drills()) == set(DRILLS)


def test_a_cut_file_gives_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        fill(store)
    content = bytearray(path.read_bytes())
    content[4096 : 2 * 4096] = bytes(4096)  # a page in front of both tables
    path.write_bytes(content)
    with Store.open(path) as store:
        assert [notice.kind.value for notice in store.take_notices()] == ["damaged"]
        check(store)


ANSWERING = """
import sys
from itertools import count
from demine.store import Store
from demine.store.drills import DrillKey, DrillReview
with Store.open(sys.argv[1]) as store:
    for number in count(int(sys.argv[2])):
        key = DrillKey("a game", 1 + number % 7, 0, 0, "safe", "1-1")
        at = f"2026-11-27T10:00:00.{number:06}Z"
        store.add_drill_reviews([DrillReview(key, at, True, number)])
        print(number, flush=True)
"""


def test_kills_lose_no_answer(tmp_path: Path) -> None:
    path, said = tmp_path / "demine.db", 0
    for kill in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", ANSWERING, str(path), str(said)],
            stdout=subprocess.PIPE,
            env=environment(),
        ) as process:
            assert process.stdout is not None
            heard = [process.stdout.readline() for _ in range(20 + 7 * kill)]
            process.kill()
            heard += process.stdout.readlines()
        numbers = [int(line) for line in heard if line.endswith(b"\n")]
        with Store.open(path) as store:
            kept = {review.time_ms for review in store.drill_reviews()}
            assert store.take_notices() == ()
        assert kept >= set(range(numbers[-1] + 1))
        said = max(kept) + 1
