"""A player at drills: questions, answers that are saved at once, and stores that fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

import demine
from demine.play.clock import Clock
from demine.play.drills.drill import DrillKind
from demine.play.drills.pool import DrillPool
from demine.play.drills.schedule import Grade
from demine.play.drills.session import DrillSession
from demine.scene.overlay import Mark
from demine.store.drills import DrillKey, DrillReview
from demine.store.errors import StoreError
from demine.store.store import Store

NOW = datetime(2026, 11, 27, 10, 0, tzinfo=UTC)


class Hand:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory() as store:
        yield store


def at(moment: datetime) -> datetime:
    return moment


def made_pool(store: Store | None, count: int = 10) -> DrillPool:
    pool = DrillPool(store)
    pool.fill_up(demine.INTERMEDIATE, NOW.date(), count)
    return pool


def session_of(store: Store, count: int = 10, hand: Hand | None = None) -> DrillSession:
    clock = Clock(hand or Hand())
    return DrillSession.of_today(made_pool(store), store, count, clock=clock, utc_now=lambda: NOW)


def test_a_set_is_asked_answered_and_saved(store: Store) -> None:
    hand = Hand()
    session = session_of(store, 6, hand)
    wrong = 0
    while (question := session.question) is not None:
        assert (session.number, session.count) == (len(session.answers) + 1, 6)
        hand.seconds += 3.0
        right = question.solution.right
        if question.may_be_a_guess and right:
            given = session.answer(None)
            wrong += 1
            assert (given.is_right, given.grade) == (False, Grade.AGAIN)
        else:
            given = session.answer(min(right) if right else None)
            assert given.is_right
            assert given.grade > Grade.AGAIN
        assert given.time_ms == 3000
        assert session.answer((0, 0)) is given  # the first answer counts
        assert len(store.drill_reviews()) == len(session.answers) == session.number
        session.advance()
    assert session.summary().startswith(f"{6 - wrong} of 6 right, in 18.0 s")
    assert {review.at[:19] for review in store.drill_reviews()} == {"2026-11-27T10:00:00"}


def test_an_answer_shows_the_proof_and_the_mistake(store: Store) -> None:
    pool = made_pool(store)
    pool.keep(lambda key: key.kind == "safe")
    session = DrillSession.of_today(pool, store, 1, utc_now=lambda: NOW)
    question = session.question
    assert question is not None
    cells = [cell for cell in question.solution.reason.cells if cell not in question.solution.right]  # type: ignore[union-attr]
    given = session.answer(cells[0])
    marks = given.overlay.marks
    assert marks[cells[0]] == Mark.MISTAKE
    assert all(marks[cell] == Mark.SAFE for cell in question.solution.right)
    assert (marks == Mark.BECAUSE).any()
    assert str(given).startswith("Wrong. Pattern: ")
    assert given.to_dict()["is_right"] is False


def test_the_next_time_the_board_is_turned_another_way(store: Store) -> None:
    pool = made_pool(store)
    keys = pool.keys[:1]
    turns = []
    for day in range(4):
        now = NOW + timedelta(days=day)
        session = DrillSession(pool, keys, store, utc_now=partial(at, now))
        assert session.question is not None
        turns.append(session.question.turn)
        session.answer(None)
    assert len(set(turns)) == 4


def test_a_position_counts_once_a_day(store: Store) -> None:
    pool = made_pool(store)
    given = []
    for hours in (0, 1, 24):
        now = NOW + timedelta(hours=hours)
        session = DrillSession(pool, pool.keys[:1], store, utc_now=partial(at, now))
        given.append(session.answer(None))
    assert [answer.is_counted for answer in given] == [True, False, True]
    assert ["does not count" in str(answer) for answer in given] == [False, True, False]
    assert store.drill_reviews() == (given[0].review, given[2].review)


def test_what_cannot_be_saved_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise StoreError("no room")

    session = session_of(store, 3)
    with monkeypatch.context() as patch:
        patch.setattr(store, "add_drill_reviews", fails)
        session.answer(None)
        assert str(session.trouble) == "no room"
    assert store.drill_reviews() == ()
    session.close()
    assert session.trouble is None
    assert len(store.drill_reviews()) == 1


def test_boards_are_made_only_where_they_lack(store: Store) -> None:
    pool = made_pool(store, 4)
    kept = list(pool.keys)
    assert len({(key.game, key.act) for key in kept}) >= 4
    pool.fill_up(demine.EXPERT, NOW.date(), 4)
    assert pool.keys == kept
    assert made_pool(store, 4).keys == kept
    # A pattern that is on no board ends the search.
    empty = DrillPool(store)
    empty.fill_up(demine.Rules.parse("3x3/1"), NOW.date(), pattern="1-2-2-1")
    assert empty.keys == []


def test_drills_whose_games_are_not_in_the_store_fill_no_set(store: Store) -> None:
    gone = [DrillKey("nowhere", act, 1, 1, "safe", "1-1") for act in range(1, 200)]
    store.add_drills("nowhere", gone)
    (answered,) = (each.key for each in demine.drills("16x16/40", seed=1, count=1))
    store.add_drill_reviews([DrillReview(answered, "2026-11-20T10:00:00.000000Z", True, 900)])
    pool = DrillPool(store)
    assert pool.keys == [answered]
    pool.fill_up(demine.INTERMEDIATE, NOW.date())
    assert DrillSession.of_today(pool, store, utc_now=partial(at, NOW)).count == 10


def test_a_drill_whose_game_is_gone_is_passed_over(store: Store) -> None:
    pool = made_pool(store)
    gone = DrillKey("nowhere", 3, 1, 1, "safe", "1-1")
    odd = pool.keys[0]._replace(kind="of tomorrow", act=999)
    session = DrillSession(pool, [gone, odd, pool.keys[0]], store)
    assert session.question is not None
    assert session.question.drill.key == pool.keys[0]


def test_a_drill_that_does_not_fit_its_position_is_passed_over(store: Store) -> None:
    pool = made_pool(store)
    key = pool.keys[0]
    session = DrillSession(pool, [key._replace(row=99, col=99), key], store)
    assert session.question is not None
    assert session.question.drill.key == key
    session.answer(None)
    session.advance()
    assert session.question is None


def test_a_set_keeps_its_size_where_drills_cannot_be_asked(store: Store) -> None:
    pool = made_pool(store, 8)
    known = list(pool.keys)
    pool.keys += [DrillKey(f"gone {n}", 3, 1, 1, "safe", f"{n}") for n in range(40)]
    session = DrillSession.of_today(pool, store, 6, utc_now=lambda: NOW)
    while session.question is not None:
        assert (session.number, session.count) == (len(session.answers) + 1, 6)
        assert session.question.drill.key in known
        session.answer(None)
        session.advance()
    assert len(session.answers) == 6


def test_a_set_has_one_drill_of_a_made_game_and_all_turns(store: Store) -> None:
    session = session_of(store)
    games, turns = [], []
    while (question := session.question) is not None:
        games.append(question.drill.game_id)
        turns.append(question.turn)
        session.answer(None)
        session.advance()
    assert len(games) == len(set(games)) == 10
    assert sorted({turns.count(turn) for turn in range(8)}) == [1, 2]


def test_boards_are_counted_and_made_for_no_kind_that_they_lack(store: Store) -> None:
    pool, boards = DrillPool(store), []
    pool.fill_up(demine.INTERMEDIATE, NOW.date(), 2, on_board=lambda: boards.append(1))
    assert boards
    boards.clear()
    empty = DrillPool()
    empty.fill_up(demine.BEGINNER, NOW.date(), 2, kind="won", on_board=lambda: boards.append(1))
    assert (empty.keys, boards) == ([], [])


def test_the_store_is_searched_once_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with Store.open(tmp_path / "demine.db") as store:
        for seed in range(3):
            game = demine.Game("9x9/10", seed=seed)
            while not game.status.over:
                game.open(*_first_covered(game), t=game.time_ms + 100)
            store.begin(game)
        pool = DrillPool(store)
        assert pool.search_store(0.0) == 0
        assert pool.search_store(60.0, should_stop=iter((False, True, True)).__next__) == 1
        assert pool.search_store(60.0) == 2
        assert pool.search_store(60.0) == 0
        assert pool.keys
        again = DrillPool(store)
        assert sorted(again.keys) == sorted(pool.keys)
        drill = again.drill(again.keys[0])
        assert drill == pool.drill(again.keys[0])
        assert drill.kind in DrillKind


def _first_covered(game: demine.Game) -> tuple[int, int]:
    row, col = (cells[0] for cells in (~game.board.open_map).nonzero())
    return int(row), int(col)
