"""A real desktop window on a real display, played by a hand and read by an eye."""

from __future__ import annotations

import signal
from itertools import product

import numpy as np
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.rules import BEGINNER
from demine.picture.board import tile
from demine.picture.panel import led_display
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import Mark
from demine.scene.sight import sight
from demine.scene.themes import Theme
from tests.hand import wait_for
from tests.table import Sitter, tiles
from tests.table import environment as plain_environment

CELL = 24
SEED = 7
SECONDS = 20.0
EDGE = 3

QT_ROUNDING = 16
"""How far Qt's painting, in some 16 steps across a pixel, may be from the exact shapes."""


def environment(**changes: str | None) -> dict[str, str]:
    """The test's environment with some variables changed; in-process tests may have set Qt's."""
    return plain_environment(**{"QT_QPA_PLATFORM": None, **changes})


class Desk(Sitter):
    """One process of the desktop and its window; `game` is played along beside it."""

    def __init__(
        self,
        display: str,
        *options: str,
        game: Game | None = None,
        look: str = "light",
        cell: int = CELL,
        scale: float = 1.0,
        scene: str | None = "desktop",
        **changes: str | None,
    ) -> None:
        self.edge = round(EDGE * scale)
        self._drawn: tuple[Theme, dict[bytes, tuple[Face, Look]]] | None = None
        asked = () if scene is None else ("--scene", scene)
        if scale != 1.0:
            changes["QT_SCALE_FACTOR"] = str(scale)
        super().__init__(
            display,
            [*options, *asked],
            environment(DISPLAY=display, **changes),
            game=game or Game(BEGINNER, SEED),
            look=look,
            cell=round(cell * scale),
        )

    def appear(self) -> None:
        """Wait for the painted window and give it the keyboard."""
        self.hand.find("demine")
        self.hand.focus()
        if self.game.rules.width * self.cell < self.hand.size()[0]:
            wait_for(lambda: self.corner() is not None, "the board")
        else:
            wait_for(lambda: self.hand.look().std() > 1, "the first picture")

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Send a signal; return the exit code and what was said on stderr."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=SECONDS)
        self.vanish()
        return self.process.returncode, said

    # The eye

    def corner(self) -> tuple[int, int] | None:
        """The pixel (x, y) where the board begins, found by the line around it."""
        picture = self.hand.look()
        line = (picture == self.look.edge).all(axis=2)
        rows = np.flatnonzero(_longest_runs(line) > self.game.rules.width * self.cell * 3 // 4)
        columns = np.flatnonzero(
            _longest_runs(line.T) > self.game.rules.height * self.cell * 3 // 4
        )
        if not (len(rows) and len(columns)):
            return None
        return int(columns[0]) + self.edge, int(rows[0]) + self.edge

    def middle(self, row: int, col: int) -> tuple[int, int]:
        """The middle of a cell in the window."""
        x, y = wait_for(self.corner, "the board")
        return x + col * self.cell + self.cell // 2, y + row * self.cell + self.cell // 2

    def board(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The faces and looks read off the screen, pixel by pixel; 255 where none is recognised."""
        shape, corner, picture = self.game.rules.shape, self.corner(), self.hand.look()
        faces, looks = np.full(shape, 255, np.uint8), np.full(shape, 255, np.uint8)
        if corner is None:
            return faces, looks
        known = self._known()
        for row, col in np.ndindex(*shape):
            x, y = corner[0] + col * self.cell, corner[1] + row * self.cell
            found = known.get(picture[y : y + self.cell, x : x + self.cell].tobytes())
            if found:
                faces[row, col], looks[row, col] = found
        return faces, looks

    def _known(self) -> dict[bytes, tuple[Face, Look]]:
        """What each drawn cell shows, a mark of a hint upon it or not."""
        if self._drawn is None or self._drawn[0] != self.look:
            known = tiles(self.look, self.cell)
            for face, mark in product(Face, Mark):
                marked = tile(self.look, face, Look.PLAIN, self.cell, mark).tobytes()
                known.setdefault(marked, (face, Look.PLAIN))
            self._drawn = self.look, known
        return self._drawn[1]

    def counts(self, text: str) -> bool:
        """Whether lamps with this text stand somewhere in the panel, as high as the font asks."""
        panel = self.hand.look()[: (self.corner() or (0, 200))[1]]
        return any(
            place_of(panel, led_display(text, self.look, height), tolerance=QT_ROUNDING) is not None
            for height in range(28, 45)
        )

    # Playing along

    def resume(self) -> None:
        """Uncover a board that is covered, with the sign of a paused game over its middle."""
        wait_for(self.is_under_sign, "a covered board under the sign of a paused game")
        self.hand.key("p")

    def is_under_sign(self) -> bool:
        """Whether the board is covered and something else stands over its middle."""
        faces = self.board()[0]
        return bool((faces[[0, -1]] == Face.COVERED).all()) and 255 in faces[1:-1]

    def play_a_little(self) -> NDArray[np.uint8]:
        """Open the middle of a board whose mines nobody knows; return the faces then seen."""
        rows, cols = self.game.rules.shape
        before = sight(self.game)
        self.expect()
        self.hand.click(*self.middle(rows // 2, cols // 2))
        wait_for(lambda: self._shows_whole_opening(before), "an opening")
        return self.board()[0]

    def _shows_whole_opening(self, before: NDArray[np.uint8]) -> bool:
        """Whether something is open, and nothing beside a cell without number is still covered."""
        faces = self.board()[0]
        height, width = faces.shape
        around = np.pad(faces == Face.ZERO, 1)
        beside_empty = np.logical_or.reduce(
            [around[row : row + height, col : col + width] for row, col in np.ndindex(3, 3)]
        )
        moving = (faces == 255) | (beside_empty & (faces == Face.COVERED))
        return not (moving.any() or np.array_equal(faces, before))

    def win(self) -> None:
        """Open what is left."""
        while not self.game.status.over:
            safe = ~(self.game.board.mine_map | self.game.board.open_map)
            row, col = (int(at) for at in np.argwhere(safe)[0])
            self.open(row, col)


def _longest_runs(marked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many marked pixels stand in a row at most, for every line of a picture."""
    index = np.arange(marked.shape[1])
    last_gap = np.maximum.accumulate(np.where(marked, -1, index), axis=1)
    longest: NDArray[np.intp] = (index - last_gap).max(axis=1)
    return longest


def _alike(one: NDArray[np.uint8], other: NDArray[np.uint8], tolerance: int) -> NDArray[np.bool_]:
    """Which colours differ by no more than `tolerance`."""
    if not tolerance:
        return np.asarray(one == other)
    return np.asarray(np.maximum(one, other) - np.minimum(one, other) <= tolerance)


def place_of(
    picture: NDArray[np.uint8], part: NDArray[np.uint8], tolerance: int = 0
) -> tuple[int, int] | None:
    """The pixel (x, y) where a picture shows another one, each colour within `tolerance`."""
    if part.shape[0] > picture.shape[0] or part.shape[1] > picture.shape[1]:
        return None
    # The middle row tells most places apart at once.
    middle = part.shape[0] // 2
    rows = np.lib.stride_tricks.sliding_window_view(picture, (1, part.shape[1], 3))[:, :, 0, 0]
    for y, x in np.argwhere(_alike(rows, part[middle], tolerance).all(axis=(2, 3))):
        top = y - middle
        seen = picture[max(0, top) : top + part.shape[0], x : x + part.shape[1]]
        if seen.shape == part.shape and _alike(seen, part, tolerance).all():
            return int(x), int(top)
    return None


def seeded(*options: str) -> tuple[str, ...]:
    """The options of the seeded game every test without one of its own plays."""
    return ("beginner", "--seed", str(SEED), "--cell", str(CELL), "--theme", "light", *options)
