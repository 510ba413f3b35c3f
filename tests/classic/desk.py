"""A real window on a real display, played by a hand and read by an eye."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pygame
from numpy.typing import NDArray

from demine.classic.stage import Stage
from demine.classic.words import Words
from demine.logic.event import Act, Verb
from demine.logic.game import Game
from demine.logic.rules import Rules
from demine.picture.board import tile
from demine.picture.panel import led, restart
from demine.scene.face import Face
from demine.scene.geometry import Rect, View
from demine.scene.look import Look
from demine.scene.panel import Mood
from demine.scene.sight import sight
from demine.scene.theme import theme
from tests.hand import Hand, wait_for

ROOT = Path(__file__).parents[2]
CELL = 24
SECONDS = 20.0


def environment(**changes: str | None) -> dict[str, str]:
    """The test's environment with some variables changed, or removed where None."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes}
    return {name: value for name, value in wanted.items() if value is not None}


class Table:
    """One process of the game and the window it shows; `game` is played along beside it."""

    def __init__(
        self,
        display: str,
        *options: str,
        game: Game | None = None,
        look: str = "light",
        cell: int = CELL,
        besides: Sequence[int] = (),
        **changes: str | None,
    ) -> None:
        self.game = game or Game(BEGINNER_7.rules, BEGINNER_7.seed)
        self.look, self.cell = theme(look), cell
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demine", "play", "--scene", "classic", *options],
            env=environment(DISPLAY=display, **changes),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)
        self._tiles: dict[bytes, tuple[Face, Look]] = {}
        self._besides = besides

    def appear(self) -> None:
        """Wait for the painted window and give it the keyboard."""
        self.hand.find("demine", besides=self._besides)
        wait_for(lambda: self.hand.look().std() > 1, "the first picture")
        self.hand.focus()

    def kill(self) -> None:
        """End the program as no program can prevent."""
        self.process.kill()
        self.process.communicate()
        self._vanish()

    def end(self) -> None:
        """Leave nothing behind."""
        self.kill()
        self.hand.close()

    def _vanish(self) -> None:
        # The display closes the window of a dead program a moment later.
        wait_for(self.hand.gone, "the end of the window")

    def measure(self, cell: int) -> None:
        """Expect cells of another size from now on."""
        self.cell = cell
        self._tiles.clear()

    # Where things are

    @property
    def stage(self) -> Stage:
        """The stage of the window as it is now."""
        return Stage.of(self.hand.size(), self.cell)

    @property
    def view(self) -> View:
        """The view of a board that nobody moved."""
        return View.at(self.game.rules.shape, self.stage.viewport, self.cell)

    def middle(self, row: int, col: int) -> tuple[int, int]:
        """The middle of a cell in the window."""
        spot = self.view.rect(row, col)
        return spot.x + spot.width // 2, spot.y + spot.height // 2

    # The eye

    def picture(self) -> NDArray[np.uint8]:
        """What the window shows."""
        return self.hand.look()

    def board(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The faces and looks read off the screen; 255 where no tile is recognised."""
        if not self._tiles:
            # The plainest first: where two look the same, a later one does not replace it.
            for face in Face:
                for dress in Look:
                    key = tile(self.look, face, dress, self.cell).tobytes()
                    self._tiles.setdefault(key, (face, dress))
        shape, view, picture = self.game.rules.shape, self.view, self.picture()
        faces, dresses = np.full(shape, 255, np.uint8), np.full(shape, 255, np.uint8)
        for row, col in np.ndindex(*shape):
            x, y, wide, high = view.rect(row, col)
            found = self._tiles.get(picture[y : y + high, x : x + wide].tobytes())
            if found:
                faces[row, col], dresses[row, col] = found
        return faces, dresses

    def shows(self, faces: NDArray[np.uint8]) -> bool:
        """Whether the board on the screen is this one."""
        return bool((self.board()[0] == faces).all())

    def after(self, before: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Wait until the board is another one, and return its faces."""
        wait_for(lambda: not self.shows(before), "another board")
        return self.board()[0]

    def mood(self) -> Mood | None:
        """What the restart face looks like."""
        spot, picture = self.stage.face, self.picture()
        seen = picture[spot.y : spot.bottom, spot.x : spot.right]
        for mood in Mood:
            drawn = restart(mood, self.look, spot.width, pressed=mood is Mood.PRESSED)
            if seen.shape == drawn.shape and (seen == drawn).all():
                return mood
        return None

    def feels(self, mood: Mood) -> None:
        """Wait until the restart face looks like this."""
        wait_for(lambda: self.mood() is mood, f"the face {mood}")

    def counts(self, text: str) -> None:
        """Wait until the mine counter shows this text."""
        wait_for(lambda: self._counter(text), f"the counter {text}")

    def _counter(self, text: str) -> bool:
        row, picture = self.stage.lamps, self.picture()
        drawn = led(text, self.look, row.height)
        seen = picture[row.y : row.bottom, row.x : row.x + drawn.shape[1]]
        return seen.shape == drawn.shape and bool((seen == drawn).all())

    def words(self) -> NDArray[np.uint8]:
        """The pixels of the line of words."""
        spot = self.stage.line
        return self.picture()[spot.y : spot.bottom, spot.x : spot.right]

    def says(self, text: str, tail: str = "…") -> bool:
        """Whether the line of words is this text."""
        spot = self.stage.line
        drawn = pygame.Surface((spot.width, spot.height))
        drawn.fill(self.look.panel)
        place = Rect(0, 0, spot.width, spot.height)
        Words().centred(drawn, text, self.look.panel_text, place, tail)
        pixels = pygame.image.tobytes(drawn, "RGB")
        return pixels == np.ascontiguousarray(self.words()).tobytes()

    # Playing along

    def expect(self) -> None:
        """Wait until the screen shows the game that is played along."""
        wanted = sight(self.game)
        wait_for(lambda: self.shows(wanted), f"the board\n{wanted}")

    def hidden(self) -> None:
        """Wait until every cell is covered."""
        faces = np.full(self.game.rules.shape, Face.COVERED, np.uint8)
        wait_for(lambda: self.shows(faces), "a covered board")

    def expect_except(self, cell: tuple[int, int]) -> None:
        """Wait until the screen shows the game, and a cursor on one cell."""
        wanted = sight(self.game)
        wanted[cell] = 255  # no tile looks like one with a ring around it
        wait_for(lambda: self.shows(wanted), f"a cursor at {cell} on\n{wanted}")

    def follow(self, verb: Verb, row: int = -1, col: int = -1) -> None:
        """Play an act along, which the hand has just done, and wait until it is seen."""
        self.game.play(Act(0, verb, row, col))
        self.expect()

    def open(self, row: int, col: int) -> None:
        """Open a cell with the left button."""
        self.hand.click(*self.middle(row, col))
        self.follow(Verb.OPEN, row, col)

    def flag(self, row: int, col: int) -> None:
        """Flag a cell with the right button."""
        self.hand.click(*self.middle(row, col), 3)
        self.follow(Verb.FLAG, row, col)

    def chord(self, row: int, col: int) -> None:
        """Chord on a cell with both buttons."""
        self.hand.point(*self.middle(row, col))
        for button in (1, 3):
            self.hand.press(button)
        for button in (1, 3):
            self.hand.release(button)
        self.follow(Verb.CHORD, row, col)

    def lose(self) -> tuple[int, int]:
        """Open a mine; return where it was."""
        mines = self.game.board.mine_map & ~self.game.board.flag_map
        row, col = (int(at) for at in np.argwhere(mines)[0])
        self.open(row, col)
        return row, col

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._vanish()
        return code


def remaining(game: Game) -> list[tuple[int, int]]:
    """The safe cells that are still covered."""
    safe = ~(game.board.mine_map | game.board.open_map)
    return [(int(row), int(col)) for row, col in np.argwhere(safe)]


def mines_around(game: Game, row: int, col: int) -> list[tuple[int, int]]:
    """The mines around a cell."""
    block = game.board.mine_map[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
    return [(max(0, row - 1) + int(r), max(0, col - 1) + int(c)) for r, c in np.argwhere(block)]


def chordable(game: Game) -> tuple[int, int]:
    """An opened number with covered safe cells around it, to chord at."""
    safe = ~(game.board.mine_map | game.board.open_map)
    for row, col in np.argwhere(game.board.open_map & (game.board.hint_map > 0)):
        if safe[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2].any():
            return int(row), int(col)
    raise AssertionError("nothing to chord at")


class Kind:
    """Rules and a seed."""

    def __init__(self, text: str, seed: int) -> None:
        self.rules, self.seed = Rules.parse(text), seed
        self.options = (text, "--seed", str(seed), "--cell", str(CELL))

    def game(self) -> Game:
        """A new game of this kind."""
        return Game(self.rules, self.seed)


BEGINNER_7 = Kind("beginner", 7)
