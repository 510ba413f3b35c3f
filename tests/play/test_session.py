"""A player at a board: the clock, the end, what is kept, and what is told when it is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demine.logic.event import Act, Verb
from demine.logic.game import Game, Status
from demine.logic.rules import BEGINNER, EXPERT, First, Rules
from demine.play.clock import Clock
from demine.play.session import Sitting, opened
from demine.scene.preferences import Preferences, Wishes
from demine.solver.deal.make import make
from demine.solver.errors import NoGuessFreeBoard
from demine.statistics.board import three_bv
from demine.store import Store
from demine.store.errors import StoreError

SMALL = Rules(6, 5, 4)
DENSE = Rules(6, 5, 14)  # where no first click wins


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


def sit(store: Store, time: Time, wishes: Wishes | None = None) -> Sitting:
    return Sitting.begin(store, wishes or Wishes(), Preferences(rules=str(SMALL)), Clock(time))


def safe(game: Game) -> list[tuple[int, int]]:
    cells = ~(game.board.mine_map | game.board.open_map)
    return [(int(row), int(col)) for row, col in np.argwhere(cells)]


def mine(game: Game) -> tuple[int, int]:
    row, col = np.argwhere(game.board.mine_map)[0]
    return int(row), int(col)


def unfinished(store: Store, time: Time) -> Sitting:
    """A sitting at a game that has begun and is not over."""
    while True:
        sitting = sit(store, time, Wishes(new=True))
        sitting.play(Verb.OPEN, 0, 0)
        if not sitting.game.status.over:
            return sitting


# The clock


def test_a_clock_stands_and_runs(time: Time) -> None:
    clock = Clock(time)
    time.pass_ms(500)
    assert clock.ms == 0
    clock.set(100, running=True)
    time.pass_ms(250)
    assert clock.ms == 350
    clock.stand()
    time.pass_ms(999)
    assert clock.ms == 350


def test_time_begins_with_the_first_open_and_stands_in_a_pause(time: Time) -> None:
    with Store.memory() as store:
        sitting = sit(store, time)
        time.pass_ms(5_000)
        assert sitting.play(Verb.FLAG, 4, 5)
        assert sitting.until_next_second() == 60.0
        assert sitting.play(Verb.OPEN, 0, 0)
        assert sitting.clock_ms == 0
        time.pass_ms(1_234)
        assert sitting.clock_ms == pytest.approx(1_234, abs=1)
        assert sitting.until_next_second() == pytest.approx(0.767, abs=0.003)
        assert sitting.toggle_pause()
        time.pass_ms(60_000)
        assert sitting.clock_ms == pytest.approx(1_234, abs=1)
        assert not sitting.play(Verb.FLAG, 4, 5)
        assert sitting.refusal is not None
        assert sitting.toggle_pause()
        time.pass_ms(1_000)
        assert sitting.clock_ms == pytest.approx(2_234, abs=1)


# Going on later


def test_a_closed_sitting_goes_on_with_its_clock(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        first = unfinished(store, time)
        time.pass_ms(1_700)
        first.close()
        events = first.game.events
    with Store.open() as store:
        second = sit(store, time)
        assert second.game.events == events
        assert second.clock_ms == pytest.approx(1_700, abs=1)
        time.pass_ms(100)
        assert second.clock_ms == pytest.approx(1_800, abs=1)


def test_touches_later_than_the_kept_clock_do_not_turn_time_back(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        first = sit(store, time)
        time.pass_ms(300)
        first.touch("", "move", 5, 5)
        # No close: the store keeps the touch, and the clock of the last act.
    with Store.open() as store:
        second = sit(store, time)
        assert second.game.events[-1].t == pytest.approx(300, abs=1)
        second.touch("", "move", 6, 6)
        assert second.play(Verb.OPEN, 0, 0)


def test_a_paused_game_goes_on_paused(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        first = unfinished(store, time)
        time.pass_ms(900)
        first.toggle_pause()
        first.close()
    with Store.open() as store:
        second = sit(store, time)
        time.pass_ms(50_000)
        assert second.game.status is Status.PAUSED
        assert second.clock_ms == pytest.approx(900, abs=1)


def test_wishes_decide_what_is_played(data_dir: Path, time: Time) -> None:
    shared = Game(BEGINNER, 4)
    shared.play(Act(0, Verb.OPEN, 3, 3))
    with Store.open() as store:
        begun = unfinished(store, time)
        begun.close()
    for wishes, rules, going_on in (
        (Wishes(), SMALL, True),
        (Wishes(rules=SMALL), SMALL, True),
        (Wishes(rules=EXPERT), EXPERT, False),
        (Wishes(new=True), SMALL, False),
        (Wishes(rules=SMALL, seed=3), SMALL, False),
        (Wishes(share_code=shared.share()), BEGINNER, False),
    ):
        with Store.open() as store:
            sitting = sit(store, time, wishes)
            assert sitting.game.rules == rules
            assert sitting.game.begun == going_on
            if not going_on:
                sitting.new(SMALL)  # forgets the game that never began


# Ends


def test_leaving_a_game_resigns_it_and_one_not_begun_is_forgotten(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        sitting = sit(store, time)
        for _ in range(3):
            sitting.new(SMALL)
        assert store.games() == ()
        sitting = unfinished(store, time)
        sitting.new(BEGINNER)
        assert [row.status for row in store.games()] == ["resigned"]
        assert len(store.games(status="running")) >= 1


def test_the_next_start_shows_the_last_of_the_boards_that_were_only_looked_at(
    data_dir: Path, time: Time
) -> None:
    with Store.open() as store:
        sitting = sit(store, time)
        sitting.new(SMALL)
        sitting.new(BEGINNER)
        sitting.close()
    with Store.open() as store:
        assert sit(store, time).game.rules == BEGINNER
        assert len(store.games(status="running")) == 1


def test_a_win_by_the_first_click_stops_the_clock(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        sitting = sit(store, time)
        sitting.new(Rules(5, 1, 1, first=First.ZERO))
        while sitting.game.status is not Status.WON:  # the mine lies at the far end in most games
            sitting.new(sitting.game.rules)
            time.pass_ms(3_000)
            sitting.play(Verb.OPEN, 0, 0)
        time.pass_ms(9_999)
        assert sitting.clock_ms == sitting.game.time_ms == 0


def test_a_win_tells_its_record(data_dir: Path, time: Time) -> None:
    told, game = [], Game(DENSE)
    with Store.open() as store:
        for took in (3_000, 2_000, 2_500):
            sitting = sit(store, time, Wishes(new=True))
            sitting.new(DENSE)
            game = sitting.game
            sitting.play(Verb.OPEN, 0, 0)
            time.pass_ms(took)
            while not sitting.game.status.over:
                sitting.play(Verb.OPEN, *safe(sitting.game)[0])
            told.append(sitting.verdict())
            time.pass_ms(9_999)
            assert sitting.clock_ms == sitting.game.time_ms
    first, second, third = told
    assert "first win" in first
    assert "a record by 1" in second
    assert "record" not in third
    board = game.board.mine_map
    rate = f"{1000 * three_bv(board) / game.time_ms:.2f}"
    clicks = sum(isinstance(event, Act) for event in game.events)
    assert third == f"2.500 s · {clicks} clicks · 3BV {three_bv(board)} · 3BV/s {rate}"


def test_clicks_are_counted_across_starts(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        sitting = unfinished(store, time)
        for _ in range(3):  # set, taken away and set again; then a click that does nothing
            touch(sitting, "right", mine(sitting.game))
            sitting.play(Verb.FLAG, *mine(sitting.game))
        touch(sitting, "right", first_open(sitting.game))
        sitting.close()
    with Store.open() as store:
        again = sit(store, time)
        assert again.game == sitting.game
        again.play(Verb.FLAG, *mine(again.game))
        again.play(Verb.OPEN, *mine(again.game))
        assert "7 clicks" in again.verdict()


def touch(sitting: Sitting, button: str, cell: tuple[int, int]) -> None:
    x, y = cell[1] * 16 + 8, cell[0] * 16 + 8
    sitting.touch(button, "release", x, y)
    sitting.touch(button, "press", x, y)


def first_open(game: Game) -> tuple[int, int]:
    row, col = np.argwhere(game.board.open_map)[0]
    return int(row), int(col)


def test_the_end_of_a_helped_game_says_that_it_was_practice(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        sitting = unfinished(store, time)
        assert sitting.play(Verb.HINT, *safe(sitting.game)[0])
        assert sitting.play(Verb.OPEN, *mine(sitting.game))
        assert sitting.verdict().startswith("practice: helped · ")
        assert "% open" in sitting.verdict()


def test_a_lost_game_can_be_undone_as_practice(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        sitting = unfinished(store, time)
        time.pass_ms(1_000)
        assert sitting.play(Verb.OPEN, *mine(sitting.game))
        assert "% open" in sitting.verdict()
        assert [row.status for row in store.games()] == ["lost"]
        time.pass_ms(7_000)
        assert sitting.undo()
        assert sitting.verdict() == ""
        assert store.games() == ()
        time.pass_ms(500)
        assert sitting.clock_ms == pytest.approx(1_500, abs=2)
        while not sitting.game.status.over:
            sitting.play(Verb.OPEN, *safe(sitting.game)[0])
        assert "practice" in sitting.verdict()
        assert not sitting.undo()
        (record,) = store.records()
        assert record.best_ms is None


def test_again_plays_the_same_board(data_dir: Path, time: Time) -> None:
    with Store.open() as store:
        sitting = unfinished(store, time)
        mines = sitting.game.board.mine_map.copy()
        sitting.again()
        assert sitting.game.status is Status.READY
        assert sitting.play(Verb.OPEN, *(sitting.game.start or (0, 0)))
        np.testing.assert_array_equal(sitting.game.board.mine_map, mines)
        assert "known board" in sitting.title()


# Trouble


def test_a_guess_free_board_waits_for_whoever_lays_it(time: Time) -> None:
    rules = Rules.parse("9x9/10 guess-free")
    asked: list[tuple[Rules, int, tuple[int, int]]] = []
    with Store.memory() as store:
        sitting = sit(store, time, Wishes(rules=rules))
        assert sitting.title() == "Beginner, guess-free"
        sitting.layer = lambda *order: asked.append(order)
        assert not sitting.play(Verb.OPEN, 4, 4)
        assert sitting.refusal is None
        assert asked == [(rules, sitting.game.seed, (4, 4))]
        assert sitting.play(Verb.FLAG, 0, 0)  # meanwhile the player may do other things
        mine_map = make(*asked[0])
        assert sitting.laid((4, 4), mine_map)
        assert sitting.game.board.open_map[4, 4]
        np.testing.assert_array_equal(sitting.game.board.mine_map, mine_map)
        assert sitting.game.ranked
        assert not sitting.laid((4, 4), mine_map)


def test_mines_laid_for_a_cell_that_was_flagged_since_are_dropped(time: Time) -> None:
    rules = Rules.parse("9x9/10 guess-free")
    with Store.memory() as store:
        sitting = sit(store, time, Wishes(rules=rules))
        mine_map = make(rules, sitting.game.seed, (4, 4))
        sitting.play(Verb.FLAG, 4, 4)
        assert not sitting.laid((4, 4), mine_map)
        assert not sitting.game.board.laid


def test_without_anybody_else_a_guess_free_board_is_laid_at_once(time: Time) -> None:
    with Store.memory() as store:
        sitting = sit(store, time, Wishes(rules=Rules.parse("9x9/10 guess-free")))
        assert sitting.play(Verb.OPEN, 4, 4)
        assert sitting.game.begun
        sitting.new(Rules.parse("5x5/22 guess-free"))  # two safe cells, and no telling which
        assert not sitting.play(Verb.OPEN, 2, 2)
        assert [type(each) for each in sitting.troubles] == [NoGuessFreeBoard]
        assert sitting.game.status is Status.READY


def test_where_nothing_can_be_kept_the_game_is_played_all_the_same(
    tmp_path: Path, time: Time
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with opened(str(blocked / "demine.db")) as (store, troubles):
        assert [type(each) for each in troubles] == [StoreError]
        sitting = sit(store, time)
        assert sitting.play(Verb.OPEN, 0, 0)
        assert sitting.troubles == []


def test_trouble_while_playing_is_told_once_and_play_goes_on(
    data_dir: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open() as store:
        sitting = unfinished(store, time)

        def full(*_: object, **__: object) -> None:
            raise StoreError("Games cannot be saved in {path}: {reason}.", path="x", reason="full")

        with monkeypatch.context() as broken:
            broken.setattr(type(sitting._live), "record", full)
            for row, col in safe(sitting.game)[:2]:
                assert sitting.play(Verb.FLAG, row, col)
            assert [str(each) for each in sitting.troubles] == ["Games cannot be saved in x: full."]
        flags = sitting.game.board.flags
        time.pass_ms(1_100)
        sitting.tick()
    with Store.open() as store:
        assert sit(store, time).game.board.flags == flags
