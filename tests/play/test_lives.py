"""A game of several lives, as a player meets it: the words, the sound, the help, the record."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from demine.logic.event import Lay
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.play.controller import Controller
from demine.play.game_session import GameSession
from demine.play.game_title import game_title
from demine.play.lazy_solver import LazySolver
from demine.replay.model import Replay
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look, cell_looks
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button, Cell
from demine.scene.overlay import Mark
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.sounds import Sound
from demine.scene.translation import set_language
from demine.solver.service.server import QUESTIONS
from demine.store import Store

RULES = Rules(5, 3, 3, first="any", lives=3)
MINES = ((0, 1), (1, 3), (2, 3))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The solver answers at once."""

    def ask(_: LazySolver, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        future: Future[object] = Future()
        module, function = QUESTIONS[name].split(":")
        future.set_result(getattr(import_module(module), function)(*args, **kwargs))
        return future

    monkeypatch.setattr(LazySolver, "ask", ask)
    yield
    set_language("en")


class Played:
    """A controller at a board of three lives, and what it sounds like."""

    def __init__(self, store: Store, rules: Rules = RULES) -> None:
        self.sounds: list[Sound] = []
        session = GameSession.begin(store, StartOptions(rules=rules), Preferences())
        mine_map = np.zeros(rules.shape, np.bool_)
        mine_map[tuple(np.transpose(MINES))] = True
        session.game.lay(Lay(0, mine_map))
        self.controller = Controller(
            session,
            Preferences(sound=True),
            ask=LazySolver().ask,
            wake=lambda: None,
            speaker=lambda: self,
        )

    def is_available(self) -> bool:
        return True

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)

    def open(self, *cells: Cell) -> None:
        for cell in cells:
            self.controller.press(Button.LEFT, cell)
            self.controller.release(Button.LEFT, cell)

    def does(self, command: Command) -> None:
        assert self.controller.run_command(command)
        self.controller.tick()

    @property
    def status(self) -> Status:
        return self.controller.session.game.status


@pytest.fixture
def played() -> Iterator[Played]:
    with Store.memory() as store:
        yield Played(store)


def test_the_lives_left_are_told(played: Played) -> None:
    name = "5 × 3, 3 mines, first click may be a mine"
    assert played.controller.status_text() == f"{name} · 3 lives left"
    played.open((0, 0), (0, 1))
    assert played.controller.status_text() == f"{name} · 2 lives left"
    played.open((1, 3))
    assert played.controller.status_text() == f"{name} · 1 life left"
    assert played.controller.panel().mines_left == 1
    set_language("zh_CN")
    assert played.controller.status_text() == "5 × 3，3 颗雷，首击可能是雷 · 剩 1 条命"
    set_language("en")
    played.does(Command.UNDO)
    said = "Undone, 2 more to undo"
    assert played.controller.status_text() == f"{said} · {name} · 2 lives left · practice: undone"
    played.open((1, 3), (2, 3))
    assert played.status is Status.LOST
    assert f"{name} · 0 lives left" in played.controller.game_summary()


def test_replay_files_do_not_hold_the_lives(played: Played) -> None:
    played.open((0, 0))
    lost = Replay.of(played.controller.session.game).lost
    assert [str(loss) for loss in lost] == ["that it was a game of 3 lives"]


def test_levels_keep_their_names() -> None:
    assert game_title(Rules.parse("beginner lives=2"), "") == "Beginner · 2 lives left"
    assert game_title(Rules.parse("beginner"), "") == "Beginner"


def test_a_forgiven_mine_is_heard_and_seen(played: Played) -> None:
    played.open((0, 0), (0, 1))
    assert played.sounds == [Sound.OPEN, Sound.LOST]
    frame = played.controller.frame()
    assert frame.faces[0, 1] == Face.BLOWN
    assert frame.end == ""
    # The 1 beside it has its mine.
    assert played.controller.cell_looks[0, 0] == Look.DIM


def test_a_lost_board_dims_no_number_for_the_mine_that_ended_it() -> None:
    faces = np.array([[1, Face.BLOWN, 2, Face.MINE]], np.uint8)
    assert cell_looks(faces).tolist() == [[Look.PLAIN] * 4]


def test_help_goes_on_after_a_forgiven_mine(played: Played) -> None:
    played.open((0, 0), (0, 1))
    played.does(Command.HINT)
    frame = played.controller.frame()
    assert (
        "The 1 at row 1, column 1 has its mine at row 1, column 2, so its other cells" in frame.hint
    )
    assert frame.overlay is not None
    safe = np.argwhere(frame.overlay.marks == Mark.SAFE).tolist()
    assert safe == [[1, 1]], "the cell nearest to where the last act was"
    played.does(Command.CHANCES)
    overlay = played.controller.frame().overlay
    assert overlay is not None
    assert overlay.risk[1, 0] == overlay.risk[1, 1] == 0
    # A hit is another position: what was proven of the one before goes, the risks go on.
    played.open((1, 3))
    assert "has its mine" not in played.controller.frame().hint


def test_a_loss_is_judged_by_its_last_move(played: Played) -> None:
    played.open((0, 0), (0, 1), (1, 3), (2, 3))
    played.controller.tick()
    frame = played.controller.frame()
    assert frame.faces[2, 3] == Face.BLOWN
    # Nothing is painted over the mines that were hit.
    assert frame.overlay is None or not frame.overlay.marks[frame.faces == Face.BLOWN].any()
    assert frame.hint


def test_a_game_with_a_hit_is_kept_and_goes_on() -> None:
    with Store.open() as store:
        first = Played(store)
        first.open((0, 0), (0, 1))
        first.controller.session.close()
    with Store.open() as store:
        again = GameSession.begin(store, StartOptions(), Preferences())
        assert again.game.board.blown == ((0, 1),)
        assert again.game_title().endswith("2 lives left")


def test_a_win_with_a_hit_enters_the_records_of_its_lives() -> None:
    with Store.open() as store:
        played = Played(store)
        played.open((0, 1), *(cell for cell in np.ndindex(RULES.shape) if cell not in MINES))
        assert played.status is Status.WON
        assert played.controller.frame().faces[0, 1] == Face.BLOWN
        played.controller.session.close()
        record = store.record_of(RULES)
        assert (record.games, record.wins) == (1, 1)
        assert record == store.records()[0]
        assert store.record_of(replace(RULES, lives=1)).games == 0
        store.compute_missing_statistics()
        row = store.games()[0]
        assert (row.rules, row.hits) == (str(RULES), 1)
