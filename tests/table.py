"""What a player at a window does, whichever window: look, act, and play along beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.picture.board import tile
from demine.play.game_session import GameSession
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.sight import sight
from demine.scene.themes import Theme, theme
from demine.store import Store
from tests.hand import Hand, wait_for

ROOT = Path(__file__).parents[1]
NOTHING = 255
"""Stands where no face and no look is recognised."""


def environment(**changes: str | None) -> dict[str, str]:
    """The test's environment with some variables changed, or removed where None."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes}
    return {name: value for name, value in wanted.items() if value is not None}


class Sitter(ABC):
    """One process of the game, a hand at its window and an eye; `game` is played along."""

    def __init__(
        self,
        display: str,
        arguments: Sequence[str],
        wanted: Mapping[str, str],
        *,
        game: Game,
        look: str,
        cell: int,
    ) -> None:
        self.game, self.look, self.cell = game, theme(look), cell
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demine", "play", *arguments],
            env=wanted,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)

    def kill(self) -> None:
        """End the program as no program can prevent."""
        self.process.kill()
        self.process.communicate()
        self.vanish()

    def end(self) -> None:
        """Leave nothing behind."""
        self.kill()
        self.hand.close()

    def vanish(self) -> None:
        """Wait for the display to close the window of a dead program, a moment later."""
        wait_for(self.hand.gone, "the end of the window")

    # The eye

    @abstractmethod
    def middle(self, row: int, col: int) -> tuple[int, int]:
        """The middle of a cell in the window."""

    @abstractmethod
    def board(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The faces and looks read off the screen, pixel by pixel; 255 where none is recognised."""

    def shows(self, faces: NDArray[np.uint8]) -> bool:
        """Whether the board on the screen is this one."""
        return bool((self.board()[0] == faces).all())

    def expect(self, besides: tuple[int, int] | None = None) -> None:
        """Wait until the screen shows the game played along; a cursor may stand on one cell."""
        wanted = sight(self.game)
        if besides is not None:
            wanted[besides] = NOTHING  # no tile looks like one with a ring around it
        self.expect_faces(wanted)

    def expect_faces(self, faces: NDArray[np.uint8]) -> None:
        """Wait until the screen shows these faces."""
        wait_for(lambda: self.shows(faces), f"the board\n{faces}")

    # The hand

    def follow(self, verb: Verb, row: int = -1, col: int = -1) -> None:
        """Play an act along, which the hand has just done, and wait until it is seen."""
        self.game.play(Act(self.game.time_ms, verb, row, col))
        self.expect()

    def open(self, row: int, col: int) -> None:
        """Open a cell with the left button."""
        self.hand.click(*self.middle(row, col))
        self.follow(Verb.OPEN, row, col)

    def flag(self, row: int, col: int) -> None:
        """Flag a cell with the right button."""
        self.hand.click(*self.middle(row, col), 3)
        self.follow(Verb.FLAG, row, col)

    def lose(self) -> tuple[int, int]:
        """Open a mine; return where it was."""
        mines = self.game.board.mine_map & ~self.game.board.flag_map
        row, col = (int(at) for at in np.argwhere(mines)[0])
        self.open(row, col)
        return row, col


def left_large(row: int, col: int) -> Game:
    """Leave a large board in the records, opened at one place only; return its game."""
    rules = Rules.parse("150x120/4000")
    with Store.open() as store:
        session = GameSession.begin(store, StartOptions(rules=rules, seed=7), Preferences())
        assert session.play(Verb.OPEN, row, col)
        return session.game


def tiles(look: Theme, cell: int) -> dict[bytes, tuple[Face, Look]]:
    """What each drawn cell shows; where two look the same, the plainest."""
    found: dict[bytes, tuple[Face, Look]] = {}
    for face in Face:
        for dress in Look:
            found.setdefault(tile(look, face, dress, cell).tobytes(), (face, dress))
    return found
