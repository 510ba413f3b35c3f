"""A player at a board: the clock, the end, what is kept, and what is told when it is not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from demine.boards import make
from demine.game import Game
from demine.logic.daily_board import Daily
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, First, Rules
from demine.play.clock import Clock
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.reviews.review import review
from demine.reviews.watch_text import replay_title
from demine.scene.panel import panel_of
from demine.scene.preferences import Preferences, StartOptions
from demine.solver.errors import NoGuessFreeBoard
from demine.statistics.board_3bv import three_bv
from demine.store import Store
from demine.store.daily import today_utc
from demine.store.errors import StoreError

SMALL = Rules(6, 5, 4)
DENSE = Rules(6, 5, 14)  # where no first click wins


def share_code() -> str:
    """The share code of some board."""
    game = Game(BEGINNER, 4)
    game.play(Act(0, Verb.OPEN, 3, 3))
    return game.share()


SHARED = share_code()


class Time:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_ms(self, ms: int) -> None:
        """Let milliseconds pass."""
        self.now += ms / 1000


@pytest.fixture
def time() -> Time:
    return Time()


def sit(store: Store, time: Time, wishes: StartOptions | None = None) -> GameSession:
    return GameSession.begin(
        store, wishes or StartOptions(), Preferences(rules=str(SMALL)), Clock(time)
    )


def safe(game: Game) -> list[tuple[int, int]]:
    cells = ~(game.board.mine_map | game.board.open_map)
    return [(int(row), int(col)) for row, col in np.argwhere(cells)]


def mine(game: Game) -> tuple[int, int]:
    row, col = np.argwhere(game.board.mine_map)[0]
    return int(row), int(col)


def unfinished(store: Store, time: Time) -> GameSession:
    """A session at a game that has begun and is not over."""
    while True:
        session = sit(store, time, StartOptions(new=True))
        session.play(Verb.OPEN, 0, 0)
        if not session.game.status.over:
            return session


# The clock


def test_a_clock_stands_and_runs(time: Time) -> None:
    clock = Clock(time)
    time.pass_ms(500)
    assert clock.ms == 0
    clock.set(100, running=True)
    time.pass_ms(250)
    assert clock.ms == 350
    clock.stop()
    time.pass_ms(999)
    assert clock.ms == 350


def test_time_begins_with_the_first_open_and_stands_in_a_pause(time: Time) -> None:
    with Store.memory() as store:
        session = sit(store, time)
        time.pass_ms(5_000)
        assert session.play(Verb.FLAG, 4, 5)
        assert session.seconds_until_save_due() == 60.0
        assert session.play(Verb.OPEN, 0, 0)
        assert session.clock_ms == 0
        time.pass_ms(1_234)
        assert session.clock_ms == pytest.approx(1_234, abs=1)
        assert session.seconds_until_save_due() == pytest.approx(0.767, abs=0.003)
        assert session.try_pause()
        time.pass_ms(60_000)
        assert session.clock_ms == pytest.approx(1_234, abs=1)
        assert not session.play(Verb.FLAG, 4, 5)
        assert session.refusal is not None
        assert session.try_resume()
        time.pass_ms(1_000)
        assert session.clock_ms == pytest.approx(2_234, abs=1)


# Going on later


def test_a_closed_sitting_waits_with_its_clock_to_be_resumed(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        first = unfinished(store, time)
        time.pass_ms(1_700)
        first.close()
        events = first.game.events
    with Store.open() as store:
        second = sit(store, time)
        time.pass_ms(60_000)
        assert second.game.events[:-1] == events
        assert second.clock_ms == pytest.approx(1_700, abs=1)
        assert second.try_resume()
        time.pass_ms(100)
        assert second.clock_ms == pytest.approx(1_800, abs=1)
        pause, resume = second.game.events[-2:]
        assert pause.t == resume.t


def test_touches_later_than_the_kept_clock_do_not_turn_time_back(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        first = sit(store, time)
        time.pass_ms(300)
        first.record_touch("", "move", 5, 5)
        # No close: the store keeps the touch, and the clock of the last act.
    with Store.open() as store:
        second = sit(store, time)
        assert second.game.events[-1].t == pytest.approx(300, abs=1)
        second.record_touch("", "move", 6, 6)
        assert second.play(Verb.OPEN, 0, 0)


def test_a_paused_game_goes_on_paused(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        first = unfinished(store, time)
        time.pass_ms(900)
        first.try_pause()
        first.close()
    with Store.open() as store:
        second = sit(store, time)
        time.pass_ms(50_000)
        assert second.game.status is Status.PAUSED
        assert second.clock_ms == pytest.approx(900, abs=1)


def test_wishes_decide_what_is_played(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        begun = unfinished(store, time)
        begun.close()
    for wishes, rules, going_on in (
        (StartOptions(), SMALL, True),
        (StartOptions(rules=SMALL), SMALL, True),
        (StartOptions(rules=EXPERT), EXPERT, False),
        (StartOptions(new=True), SMALL, False),
        (StartOptions(rules=SMALL, seed=3), SMALL, False),
        (StartOptions(share_code=SHARED), BEGINNER, False),
        (StartOptions(board=Game.from_share(SHARED)), BEGINNER, False),
    ):
        with Store.open() as store:
            session = sit(store, time, wishes)
            assert session.game.rules == rules
            assert session.game.begun == going_on
            if not going_on:
                session.begin_new_game(SMALL)  # forgets the game that never began


# Ends


def test_leaving_a_game_not_begun_forgets_it_and_one_after_its_first_click_resigns_it(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        session = sit(store, time)
        for _ in range(3):
            session.begin_new_game(SMALL)
        assert store.games() == ()
        session = unfinished(store, time)
        session.begin_new_game(BEGINNER)
        assert not session.can_bring_back_left_game
        assert [row.status for row in store.games()] == ["resigned"]
        assert len(store.games(status="running")) >= 1


def under_way(store: Store, time: Time) -> GameSession:
    """A session at a game with more than its first click done."""
    session = unfinished(store, time)
    time.pass_ms(1_500)
    session.play(Verb.FLAG, *mine(session.game))
    return session


LEAVINGS: dict[str, Callable[[GameSession], object]] = {
    "new": lambda session: session.begin_new_game(SMALL),
    "level": lambda session: session.begin_new_game(EXPERT),
    "again": lambda session: session.restart_same_board(),
    "daily": lambda session: session.switch_to_daily(Daily(today_utc(), "beginner")),
    "share": lambda session: session.begin_shared_board(SHARED),
}


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize("leaving", LEAVINGS)
def test_a_game_that_was_left_comes_back_as_it_was(
    data_dir: Path, time: Time, leaving: str, paused: bool
) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        if paused:
            session.try_pause()
        time.pass_ms(500)
        game, events, clock = session.game, session.game.events, session.clock_ms
        LEAVINGS[leaving](session)
        assert session.game is not game
        assert session.game.status is Status.READY
        time.pass_ms(60_000)
        session.record_touch("", "move", 3, 3)
        assert store.games() == ()
        assert session.bring_back_left_game()
        assert (session.game, session.game.events, session.clock_ms) == (game, events, clock)
        time.pass_ms(700)
        assert session.clock_ms == clock + (0 if paused else 700)
        assert not session.bring_back_left_game()
        if paused:
            session.try_resume()
        while not session.game.status.over:
            session.play(Verb.OPEN, *safe(session.game)[0])
        assert [(row.status, row.result) for row in store.games()] == [("won", "won")]
        assert store.games(status="running") == ()
        (record,) = store.records()
        assert (record.games, record.streak) == (1, 1)


def test_a_game_given_up_has_one_time_and_one_word(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        time.pass_ms(500)
        assert session.try_pause()
        game, clock = session.game, session.clock_ms
        time.pass_ms(60_000)
        session.begin_new_game(SMALL)
        session.play(Verb.FLAG, 0, 0)
        (row,) = store.games()
        assert (row.result, row.time_ms) == ("resigned", clock)
        assert game.time_ms == panel_of(game, 99).seconds * 1000 + clock % 1000 == clock
        assert panel_of(game, 99).message == "Given up"
        assert f"given up after {clock / 1000:.3f} s" in str(review(game))
        assert f"given up after {clock / 1000:.3f} s" in replay_title(game, "")


@pytest.mark.parametrize("touch", [Verb.OPEN, Verb.FLAG])
def test_a_game_that_was_left_is_given_up_by_the_first_act_on_the_next_board(
    data_dir: Path, time: Time, touch: Verb
) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        clock = session.clock_ms
        session.begin_new_game(BEGINNER)
        time.pass_ms(9_000)
        assert session.play(touch, 4, 4)
        assert not session.can_bring_back_left_game
        assert not session.bring_back_left_game()
        (row,) = store.games()
        assert (row.status, row.result, row.time_ms) == ("resigned", "resigned", clock)
        (row,) = store.games(status="running")
        assert (row.rules, row.acts) == (str(BEGINNER), 1)


def test_however_many_boards_are_looked_at_the_game_that_was_left_comes_back(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        game = session.game
        for leave in LEAVINGS.values():
            leave(session)
            assert session.can_bring_back_left_game
        assert session.bring_back_left_game()
        assert session.game is game
        assert len(store.games(status="running")) == 1
        assert store.games() == ()


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("leaving", LEAVINGS)
def test_a_crash_or_an_end_before_the_next_board_is_touched_loses_nothing(
    data_dir: Path, time: Time, leaving: str, closed: bool
) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        events, clock = session.game.events, session.clock_ms
        LEAVINGS[leaving](session)
        time.pass_ms(5_000)
        session.save_if_due()
        if closed:
            session.close()
        else:  # what a killed program leaves: its files, and no lock
            (data_dir / "copy").mkdir()
            shutil.copy(data_dir / "demine.db", data_dir / "copy")
            shutil.copy(data_dir / "demine.db-wal", data_dir / "copy")
    with Store.open(None if closed else data_dir / "copy" / "demine.db") as store:
        session = sit(store, time)
        assert session.game.events[:-1] == events
        assert session.game.status is Status.PAUSED
        assert session.clock_ms == clock
        assert len(store.games(status="running")) == 1


def test_restarting_before_the_first_click_does_nothing(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = sit(store, time)
        game = session.game
        session.restart_same_board()
        assert session.game is game
        assert session.game.ranked


def test_an_undone_flag_leaves_a_game_ranked(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = under_way(store, time)
        assert session.try_undo()
        assert session.game.undone
        while not session.game.status.over:
            session.play(Verb.OPEN, *safe(session.game)[0])
        assert "practice" not in session.result_text()
        assert [(row.result, row.unranked) for row in store.games()] == [("won", "")]


def test_the_next_start_shows_the_last_of_the_boards_that_were_only_looked_at(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        session = sit(store, time)
        session.begin_new_game(SMALL)
        session.begin_new_game(BEGINNER)
        session.close()
    with Store.open() as store:
        assert sit(store, time).game.rules == BEGINNER
        assert len(store.games(status="running")) == 1


def test_a_win_by_the_first_click_stops_the_clock(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = sit(store, time)
        session.begin_new_game(Rules(5, 1, 1, first=First.ZERO))
        while session.game.status is not Status.WON:  # the mine lies at the far end in most games
            session.begin_new_game(session.game.rules)
            time.pass_ms(3_000)
            session.play(Verb.OPEN, 0, 0)
        time.pass_ms(9_999)
        assert session.clock_ms == session.game.time_ms == 0


def test_a_win_tells_its_record(data_dir: Path, time: Time) -> None:
    told, game = [], Game(DENSE)
    with Store.open() as store:
        for took in (3_000, 2_000, 2_500):
            session = sit(store, time, StartOptions(new=True))
            session.begin_new_game(DENSE)
            game = session.game
            session.play(Verb.OPEN, 0, 0)
            time.pass_ms(took)
            while not session.game.status.over:
                session.play(Verb.OPEN, *safe(session.game)[0])
            told.append(session.result_text())
            time.pass_ms(9_999)
            assert session.clock_ms == session.game.time_ms
    first, second, third = told
    assert first.startswith("First win here · 3.000 s · ")
    assert second.startswith("New best, 1.000 s faster · 2 wins in a row · 2.000 s · ")
    board = game.board.mine_map
    rate = f"{1000 * three_bv(board) / game.time_ms:.2f}"
    clicks = sum(isinstance(event, Act) for event in game.events)
    efficiency = f"efficiency {100 * three_bv(board) // clicks}%"
    figures = f"3BV/s {rate} · {efficiency} · 3BV {three_bv(board)} · {clicks} clicks"
    assert third == f"3 wins in a row · 2.500 s · {figures}"


def test_a_loss_ends_the_wins_in_a_row(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = sit(store, time, StartOptions(new=True))
        for ends in ("won", "lost", "won", "won"):
            session.begin_new_game(DENSE)
            session.play(Verb.OPEN, 0, 0)
            while ends == "won" and not session.game.status.over:
                session.play(Verb.OPEN, *safe(session.game)[0])
            if ends == "lost":
                session.play(Verb.OPEN, *mine(session.game))
            time.pass_ms(5000)
        assert "2 wins in a row" in session.result_text()


def test_clicks_are_counted_across_starts(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = unfinished(store, time)
        for _ in range(3):  # set, taken away and set again; then a click that does nothing
            touch(session, "right", mine(session.game))
            session.play(Verb.FLAG, *mine(session.game))
        touch(session, "right", first_open(session.game))
        session.close()
    with Store.open() as store:
        again = sit(store, time)
        assert again.game.events[:-1] == session.game.events
        again.try_resume()
        again.play(Verb.FLAG, *mine(again.game))
        again.play(Verb.OPEN, *mine(again.game))
        assert "7 clicks" in again.result_text()


def touch(session: GameSession, button: str, cell: tuple[int, int]) -> None:
    x, y = cell[1] * 16 + 8, cell[0] * 16 + 8
    session.record_touch(button, "release", x, y)
    session.record_touch(button, "press", x, y)


def first_open(game: Game) -> tuple[int, int]:
    row, col = np.argwhere(game.board.open_map)[0]
    return int(row), int(col)


def test_the_end_of_a_helped_game_says_that_it_was_practice(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = unfinished(store, time)
        assert session.play(Verb.HINT, *safe(session.game)[0])
        assert session.play(Verb.OPEN, *mine(session.game))
        assert session.result_text().startswith("practice: helped · ")
        assert "% open" in session.result_text()


def test_a_lost_game_can_be_undone_as_practice(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = unfinished(store, time)
        time.pass_ms(1_000)
        assert session.play(Verb.OPEN, *mine(session.game))
        assert "% open" in session.result_text()
        assert [row.status for row in store.games()] == ["lost"]
        time.pass_ms(7_000)
        assert session.try_undo()
        assert session.result_text() == ""
        assert store.games() == ()
        time.pass_ms(500)
        assert session.clock_ms == pytest.approx(1_500, abs=2)
        while not session.game.status.over:
            session.play(Verb.OPEN, *safe(session.game)[0])
        assert "practice" in session.result_text()
        assert not session.try_undo()
        (record,) = store.records()
        assert record.best_ms is None


def test_again_plays_the_same_board(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        session = unfinished(store, time)
        mines = session.game.board.mine_map.copy()
        session.restart_same_board()
        assert session.game.status is Status.READY
        assert session.play(Verb.OPEN, *(session.game.start or (0, 0)))
        np.testing.assert_array_equal(session.game.board.mine_map, mines)
        assert "known board" in session.game_title()


# Trouble


def test_a_guess_free_board_waits_for_whoever_lays_it(time: Time) -> None:
    rules = Rules.parse("9x9/10 guess-free")
    asked: list[tuple[Rules, int, tuple[int, int]]] = []
    with Store.memory() as store:
        session = sit(store, time, StartOptions(rules=rules))
        assert session.game_title() == "Beginner, guess-free"
        session.lay_in_background = lambda *order: asked.append(order)
        assert not session.play(Verb.OPEN, 4, 4)
        assert session.refusal is None
        assert asked == [(rules, session.game.seed, (4, 4))]
        assert session.play(Verb.FLAG, 0, 0)  # meanwhile the player may do other things
        mine_map = make(*asked[0])
        assert session.open_on_laid_mines((4, 4), mine_map)
        assert session.game.board.open_map[4, 4]
        np.testing.assert_array_equal(session.game.board.mine_map, mine_map)
        assert session.game.ranked
        assert not session.open_on_laid_mines((4, 4), mine_map)


def test_mines_laid_for_a_cell_that_was_flagged_since_are_dropped(time: Time) -> None:
    rules = Rules.parse("9x9/10 guess-free")
    with Store.memory() as store:
        session = sit(store, time, StartOptions(rules=rules))
        mine_map = make(rules, session.game.seed, (4, 4))
        session.play(Verb.FLAG, 4, 4)
        assert not session.open_on_laid_mines((4, 4), mine_map)
        assert not session.game.board.laid


def test_without_anybody_else_a_guess_free_board_is_laid_at_once(time: Time) -> None:
    with Store.memory() as store:
        session = sit(store, time, StartOptions(rules=Rules.parse("9x9/10 guess-free")))
        assert session.play(Verb.OPEN, 4, 4)
        assert session.game.begun
        session.begin_new_game(
            Rules.parse("5x5/22 guess-free")
        )  # two safe cells, and no telling which
        assert not session.play(Verb.OPEN, 2, 2)
        assert [type(each) for each in session.troubles] == [NoGuessFreeBoard]
        assert session.game.status is Status.READY


def test_where_nothing_can_be_kept_the_game_is_played_all_the_same(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.play.unsaved_games_at_exit.TRY_FOR_S", 0.2)
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with opened_store(str(blocked / "demine.db")) as (store, troubles):
        assert [type(each) for each in troubles] == [StoreError]
        session = sit(store, time)
        assert session.play(Verb.OPEN, 0, 0)
        assert session.troubles == []


def test_trouble_while_playing_is_told_once_and_play_goes_on(
    data_dir: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open() as store:
        session = unfinished(store, time)

        def full(*_: object, **__: object) -> None:
            raise StoreError("Games cannot be saved in {path}: {reason}.", path="x", reason="full")

        with monkeypatch.context() as broken:
            broken.setattr(type(session._running_game), "record", full)
            for row, col in safe(session.game)[:2]:
                assert session.play(Verb.FLAG, row, col)
            assert [str(each) for each in session.troubles] == ["Games cannot be saved in x: full."]
        flags = session.game.board.flags
        time.pass_ms(1_100)
        session.save_if_due()
    with Store.open() as store:
        assert sit(store, time).game.board.flags == flags
