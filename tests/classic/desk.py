"""A real window on a real display, played by a hand and read by an eye."""

from __future__ import annotations

import signal
from collections.abc import Sequence

import numpy as np
import pygame
from numpy.typing import NDArray

from demine.classic.text import draw_centred_line
from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import Rules
from demine.picture.panel import led_display, restart_button_picture
from demine.scene.board_geometry import Rect, View
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.face_mood import FaceMood
from demine.scene.window_layout import Layout
from tests.hand import wait_for
from tests.table import Sitter, environment, tiles

CELL = 24
SECONDS = 20.0


class Table(Sitter):
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
        super().__init__(
            display,
            ["--scene", "classic", *options],
            environment(DISPLAY=display, **changes),
            game=game or BEGINNER_7.game(),
            look=look,
            cell=cell,
        )
        self._tiles: dict[bytes, tuple[Face, Look]] = {}
        self._besides = besides

    def appear(self) -> None:
        """Wait for the painted window and give it the keyboard."""
        self.hand.find("demine", besides=self._besides)
        wait_for(lambda: self.hand.look().std() > 1, "the first picture")
        self.hand.focus()

    def measure(self, cell: int) -> None:
        """Expect cells of another size from now on."""
        self.cell = cell
        self._tiles.clear()

    # Where things are

    @property
    def layout(self) -> Layout:
        """The layout of the window as it is now, with a board that nobody moved."""
        return Layout.with_cell_size(self.hand.size(), self.game.rules.shape, self.cell)

    @property
    def view(self) -> View:
        """The view of a board that nobody moved."""
        return self.layout.view

    def middle(self, row: int, col: int) -> tuple[int, int]:
        """The middle of a cell in the window."""
        spot = self.view.cell_rect(row, col)
        return spot.x + spot.width // 2, spot.y + spot.height // 2

    # The eye

    def picture(self) -> NDArray[np.uint8]:
        """What the window shows."""
        return self.hand.look()

    def board(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The faces and looks read off the screen; 255 where no tile is recognised."""
        self._tiles = self._tiles or tiles(self.look, self.cell)
        view, picture = self.view, self.picture()
        found = np.full((2, *self.game.rules.shape), 255, np.uint8)
        for row, col in np.ndindex(*self.game.rules.shape):
            x, y, wide, high = view.cell_rect(row, col)
            pixels = picture[y : y + high, x : x + wide].tobytes()
            found[:, row, col] = self._tiles.get(pixels, (255, 255))
        return found[0], found[1]

    def after(self, before: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Wait until the board is another one, and return its faces."""

        def another() -> list[NDArray[np.uint8]]:
            # A cell that is held down looks opened; what is half drawn has tiles that are none.
            faces = self.board()[0]
            moving = (faces == before).all() or (faces == 255).any()
            still = not moving and self.mood() not in {None, FaceMood.WORRIED}
            return [faces] if still and (self.board()[0] == faces).all() else []

        return wait_for(another, "another board")[0]

    def mood(self) -> FaceMood | None:
        """What the restart face looks like."""
        spot, picture = self.layout.face, self.picture()
        seen = picture[spot.y : spot.bottom, spot.x : spot.right]
        for mood in FaceMood:
            drawn = restart_button_picture(
                mood, self.look, spot.width, pressed=mood is FaceMood.PRESSED
            )
            if seen.shape == drawn.shape and (seen == drawn).all():
                return mood
        return None

    def feels(self, mood: FaceMood) -> None:
        """Wait until the restart face looks like this."""
        wait_for(lambda: self.mood() is mood, f"the face {mood}")

    def counts(self, text: str) -> None:
        """Wait until the mine counter shows this text."""
        wait_for(lambda: self._counter(text), f"the counter {text}")

    def _counter(self, text: str) -> bool:
        row, picture = self.layout.counters, self.picture()
        drawn = led_display(text, self.look, row.height)
        seen = picture[row.y : row.bottom, row.x : row.x + drawn.shape[1]]
        return seen.shape == drawn.shape and bool((seen == drawn).all())

    def words(self) -> NDArray[np.uint8]:
        """The pixels of the line of words."""
        spot = self.layout.line
        return self.picture()[spot.y : spot.bottom, spot.x : spot.right]

    def says(self, text: str, tail: str = "…") -> bool:
        """Whether the line of words is this text."""
        spot = self.layout.line
        drawn = pygame.Surface((spot.width, spot.height))
        drawn.fill(self.look.panel)
        place = Rect(0, 0, spot.width, spot.height)
        draw_centred_line(drawn, text, self.look.panel_text, place, tail)
        pixels = pygame.image.tobytes(drawn, "RGB")
        return pixels == np.ascontiguousarray(self.words()).tobytes()

    # Playing along

    def hidden(self) -> None:
        """Wait until every cell is covered."""
        edges = [0, -1]  # a sign stands over the middle
        wait_for(lambda: bool((self.board()[0][edges] == Face.COVERED).all()), "a covered board")

    def chord(self, row: int, col: int) -> None:
        """Chord on a cell with both buttons."""
        self.hand.point(*self.middle(row, col))
        for button in (1, 3):
            self.hand.press(button)
        for button in (1, 3):
            self.hand.release(button)
        self.follow(Verb.CHORD, row, col)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self.vanish()
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
