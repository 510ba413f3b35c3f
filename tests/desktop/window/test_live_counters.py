"""Counters beside the board: live they say what the whole game says, and nothing that helps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from demine.desktop.window.live_counters import (
    COUNTERS_SETTING,
    DEFAULT_COUNTERS,
    SHOWN_IN_RANKED_GAMES,
    LiveCounters,
    LiveStatistics,
)
from demine.desktop.window.main_window import MainWindow
from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.rules import BEGINNER, Rules
from demine.scene.mouse_automaton import Button, Mouse, MouseOptions
from demine.scene.sight import sight
from demine.statistics.chosen_counters import Counter, format_value
from demine.statistics.compute import stats
from demine.statistics.definitions import TABLE
from demine.statistics.formula import Formula
from demine.store import Store
from tests.desktop.dialogs_desk import until
from tests.desktop.room import click, room

pytestmark = pytest.mark.usefixtures("app")
RIGHT = Qt.MouseButton.RightButton
QUICK = [name for name, row in TABLE.items() if not row.slow]


class Hand:
    """Plays a game with a mouse, now and then with keys, as a window hears it."""

    def __init__(self, game: Game, seed: int, options: MouseOptions) -> None:
        self.game, self.dice = game, random.Random(seed)
        self.mouse = Mouse(options)
        self.t = 0

    def go(self) -> None:
        """Do something with the mouse, or by key."""
        height, width = self.game.rules.shape
        row, col = self.dice.randrange(-1, height + 1), self.dice.randrange(-1, width + 1)
        inside = 0 <= row < height and 0 <= col < width
        if inside and self.dice.random() < 0.1:
            verb = self.dice.choice((Verb.OPEN, Verb.FLAG, Verb.CHORD))
            self._play(verb, row, col)
            return
        button = self.dice.choice(("left", "left", "right", "middle", "shift+left"))
        plain = Button(button.rpartition("+")[2])
        x, y = 16 * col + self.dice.randrange(16), 16 * row + self.dice.randrange(16)
        cell = (row, col) if inside else None
        self._add_touch("", "move", x, y)
        self.mouse.move(cell, sight(self.game))
        self._add_touch(button, "press", x, y)
        for asked in self.mouse.press(
            plain, cell, sight(self.game), shift=button != plain, ctrl=False
        ):
            self._play(*asked)
        self._add_touch(plain, "release", x, y)
        for asked in self.mouse.release(plain, cell, sight(self.game)):
            self._play(*asked)

    def _add_touch(self, button: str, action: str, x: int, y: int) -> None:
        self.t += self.dice.randrange(40)
        if not self.game.status.over:
            self.game.touch(Touch(self.t, button, action, x, y))  # type: ignore[arg-type]

    def _play(self, verb: Verb, row: int, col: int) -> None:
        act = Act(self.t, verb, row, col)
        begun = self.game.begun
        if self.game.can(act):
            self.game.play(act)
        if self.game.begun and not begun:
            self.t = 0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "options", [MouseOptions(), MouseOptions(questions=True, left_chords=True)]
)
def test_event_by_event_it_counts_what_the_whole_game_says(
    seed: int, options: MouseOptions
) -> None:
    game = Game(Rules(12, 9, 12, flags="hold"), seed)
    hand = Hand(game, seed, options)
    hand._play(Verb.OPEN, 4, 4)
    followed = LiveStatistics(game, questions=options.questions, chords=options.left_chords)
    for _ in range(60):
        hand.go()
        found, wanted = followed.statistics(hand.t), stats(game)
        for name in QUICK:
            if "_s" not in name and wanted["time"] == found["time"]:
                assert found[name] == wanted[name], name
        if game.status.over:
            break
    assert not followed._is_astray


def test_a_game_that_was_undone_is_counted_as_a_whole() -> None:
    game = Game(BEGINNER, 7)
    hand = Hand(game, 3, MouseOptions())
    hand._play(Verb.OPEN, 4, 4)
    followed = LiveStatistics(game, questions=False, chords=False)
    followed.statistics(5)
    game.play(Act(hand.t, Verb.UNDO))
    assert dict(followed.statistics(9)) == dict(stats(game))


@pytest.fixture
def window() -> Iterator[MainWindow]:
    with room(counters=True) as opened:
        yield opened


def live(window: MainWindow) -> LiveCounters:
    """The counters of a window."""
    assert window._live_counters is not None
    return window._live_counters


def counted(window: MainWindow, name: str) -> str:
    """What the panel shows for a statistic."""
    panel = live(window).panel
    row = [each.formula.text for each in panel.counters].index(name)
    item = panel.table.item(row, 1)
    assert item is not None
    return item.text()


def test_it_follows_the_hand_and_the_end_tells_all(window: MainWindow) -> None:
    assert counted(window, "clicks") == "–"
    click(window, 4, 4)
    until(lambda: counted(window, "clicks") == "1")
    board = window.controller.session.game.board
    row, col = (int(at[0]) for at in board.mine_map.nonzero())
    click(window, row, col, RIGHT)
    until(lambda: counted(window, "flags") == "1")
    click(window, row, col, RIGHT)
    click(window, row, col)
    game = window.controller.session.game
    assert game.status.over
    found = stats(game)
    for name in ("clicks", "bv", "bv_solved", "ioe", "path"):
        until(lambda name=name: counted(window, name) == format_value(found[name]))  # type: ignore[misc]


def test_a_game_for_the_records_hides_what_covered_cells_would_tell() -> None:
    with room(counters=True) as window:
        window.controller.begin_new_game()
        click(window, 4, 4)
        until(lambda: counted(window, "clicks") == "1")
        assert window.controller.session.game.ranked
        for name in ("bv", "bv_solved", "bv_s", "ioe"):
            assert counted(window, name) == "–"
        window.run_command("undo")


def test_practice_shows_all_at_once(window: MainWindow) -> None:
    click(window, 4, 4)
    assert not window.controller.session.game.ranked
    bv = stats(window.controller.session.game)["bv"]
    until(lambda: counted(window, "bv") == str(bv))


def test_fair_ones_exist_and_need_no_layout() -> None:
    assert set(TABLE) > SHOWN_IN_RANKED_GAMES
    assert not any(TABLE[name].about == "board" for name in SHOWN_IN_RANKED_GAMES)
    assert {name for _, name in DEFAULT_COUNTERS} <= set(TABLE)


def test_fair_ones_say_the_same_of_boards_that_look_the_same() -> None:
    """Two layouts that agree on all that was seen give the same fair figures."""
    import numpy as np

    from demine.statistics.recording_type import Recording, Signal

    def recording(mine_col: int) -> Recording:
        mines = np.zeros((2, 6), np.bool_)
        mines[:, 1] = True
        mines[0, mine_col] = True
        one = np.array([8, 24, 24], np.int32)
        signal = np.array([Signal.OPEN, Signal.FLAG, Signal.FLAG], np.uint8)
        return Recording(mines, np.arange(3, dtype=np.int64), signal, one, one * 0 + 8)

    near, far = stats(recording(4)), stats(recording(5))
    assert {name: near[name] for name in SHOWN_IN_RANKED_GAMES} == {
        name: far[name] for name in SHOWN_IN_RANKED_GAMES
    }
    assert near["bv"] != far["bv"]


def test_off_at_first_and_the_window_grows_for_it() -> None:
    with room() as window:
        assert window._live_counters is None
        wide, cell = window.width(), window.board.logical_cell_size
        window.change_preferences({"counters": True})
        QTest.qWait(1)
        assert live(window).panel.isVisible()
        assert window.board.logical_cell_size == cell
        assert window.width() > wide
        window.change_preferences({"counters": False})
        QTest.qWait(1)
        assert not live(window).panel.isVisible()
        assert (window.width(), window.board.logical_cell_size) == (wide, cell)


def test_what_is_counted_is_remembered() -> None:
    with Store.memory() as store:
        with room(store=store, counters=True) as window:
            live(window).set_counters([Counter("mine", Formula("left + 1"))])
        assert store.settings.get(COUNTERS_SETTING) == [["mine", "left + 1"]]
        with room(store=store, counters=True) as window:
            assert [each.name for each in live(window).panel.counters] == ["mine"]
            click(window, 4, 4)
            until(lambda: counted(window, "left + 1") == "2")


def test_acts_are_counted_together_and_never_at_once(window: MainWindow) -> None:
    counts: list[int] = []
    panel = live(window)
    whole = panel.update_values
    panel._timer.timeout.disconnect()
    panel._timer.timeout.connect(whole)
    panel._timer.timeout.connect(lambda: counts.append(1))
    for col in range(9):
        click(window, 0, col, RIGHT)
        assert not counts
    until(lambda: bool(counts))
    assert len(counts) == 1


def test_the_end_of_a_game_has_its_figures_kept() -> None:
    with Store.memory() as store, room(store=store) as window:
        click(window, 4, 4)
        board = window.controller.session.game.board
        row, col = (int(at[0]) for at in board.mine_map.nonzero())
        click(window, row, col)
        until(lambda: store.games()[0].bv is not None)
        assert store.games()[0].bv == stats(window.controller.session.game)["bv"]
