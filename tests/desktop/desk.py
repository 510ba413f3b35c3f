"""A real desktop window on a real display, played by a hand and read by an eye."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demine.logic.event import Act, Verb
from demine.logic.game import Game
from demine.logic.rules import BEGINNER
from demine.picture.board import tile
from demine.picture.panel import led
from demine.scene.face import Face
from demine.scene.look import Look
from demine.scene.sight import sight
from demine.scene.theme import theme
from tests.hand import Hand, wait_for

ROOT = Path(__file__).parents[2]
CELL = 24
SEED = 7
SECONDS = 20.0
EDGE = 3


def environment(**changes: str | None) -> dict[str, str]:
    """The test's environment with some variables changed, or removed where None."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes}
    wanted.pop("QT_QPA_PLATFORM", None)  # in-process tests may have set it
    return {name: value for name, value in wanted.items() if value is not None}


class Desk:
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
        self.game = game or Game(BEGINNER, SEED)
        self.look, self.cell, self.edge = theme(look), round(cell * scale), round(EDGE * scale)
        asked = () if scene is None else ("--scene", scene)
        if scale != 1.0:
            changes["QT_SCALE_FACTOR"] = str(scale)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demine", "play", *options, *asked],
            env=environment(DISPLAY=display, **changes),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)

    def appear(self) -> None:
        """Wait for the painted window and give it the keyboard."""
        self.hand.find("demine")
        self.hand.focus()
        wait_for(lambda: self.corner() is not None, "the board")

    def kill(self) -> None:
        """End the program as no program can prevent."""
        self.process.kill()
        self.process.communicate()
        wait_for(self.hand.gone, "the end of the window")

    def end(self) -> None:
        """Leave nothing behind."""
        self.kill()
        self.hand.close()

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Send a signal; return the exit code and what was said on stderr."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=SECONDS)
        wait_for(self.hand.gone, "the end of the window")
        return self.process.returncode, said

    # The eye

    def corner(self) -> tuple[int, int] | None:
        """The pixel (x, y) where the board begins, found by the line around it."""
        picture = self.hand.look()
        line = (picture == self.look.edge).all(axis=2)
        rows = np.flatnonzero(line.sum(axis=1) > self.game.rules.width * self.cell * 3 // 4)
        columns = np.flatnonzero(line.sum(axis=0) > self.game.rules.height * self.cell * 3 // 4)
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
        tiles: dict[bytes, tuple[Face, Look]] = {}
        for face in Face:
            for dress in Look:
                key = tile(self.look, face, dress, self.cell).tobytes()
                tiles.setdefault(key, (face, dress))
        for row, col in np.ndindex(*shape):
            x, y = corner[0] + col * self.cell, corner[1] + row * self.cell
            found = tiles.get(picture[y : y + self.cell, x : x + self.cell].tobytes())
            if found:
                faces[row, col], looks[row, col] = found
        return faces, looks

    def shows(self, faces: NDArray[np.uint8]) -> bool:
        """Whether the board on the screen is this one."""
        return bool((self.board()[0] == faces).all())

    def counts(self, text: str) -> bool:
        """Whether lamps with this text stand somewhere in the panel, as high as the font asks."""
        panel = self.hand.look()[: (self.corner() or (0, 200))[1]]
        return any(_holds(panel, led(text, self.look, height)) for height in range(28, 45))

    # Playing along

    def expect(self, besides: tuple[int, int] | None = None) -> None:
        """Wait until the screen shows the game played along; a cursor may stand on one cell."""
        wanted = sight(self.game)
        if besides is not None:
            wanted[besides] = 255  # no tile looks like one with a ring around it
        wait_for(lambda: self.shows(wanted), f"the board\n{wanted}")

    def expect_faces(self, faces: NDArray[np.uint8]) -> None:
        """Wait until the screen shows these faces."""
        wait_for(lambda: self.shows(faces), f"the board\n{faces}")

    def play_a_little(self) -> NDArray[np.uint8]:
        """Open the middle of a board whose mines nobody knows; return the faces then seen."""
        rows, cols = self.game.rules.shape
        before = sight(self.game)
        self.expect()
        self.hand.click(*self.middle(rows // 2, cols // 2))
        wait_for(lambda: not self.shows(before) and 255 not in self.board()[0], "an opening")
        return self.board()[0]

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

    def lose(self) -> tuple[int, int]:
        """Open a mine; return where it was."""
        mines = self.game.board.mine_map & ~self.game.board.flag_map
        row, col = (int(at) for at in np.argwhere(mines)[0])
        self.open(row, col)
        return row, col

    def win(self) -> None:
        """Open what is left."""
        while not self.game.status.over:
            safe = ~(self.game.board.mine_map | self.game.board.open_map)
            row, col = (int(at) for at in np.argwhere(safe)[0])
            self.open(row, col)


def _holds(picture: NDArray[np.uint8], part: NDArray[np.uint8]) -> bool:
    """Whether a picture shows another one somewhere."""
    if part.shape[0] > picture.shape[0] or part.shape[1] > picture.shape[1]:
        return False
    # The middle row tells most places apart at once.
    middle = part.shape[0] // 2
    rows = np.lib.stride_tricks.sliding_window_view(picture, (1, part.shape[1], 3))[:, :, 0, 0]
    for y, x in np.argwhere((rows == part[middle]).all(axis=(2, 3))):
        top = y - middle
        seen = picture[max(0, top) : top + part.shape[0], x : x + part.shape[1]]
        if seen.shape == part.shape and (seen == part).all():
            return True
    return False


def seeded(*options: str) -> tuple[str, ...]:
    """The options of the seeded game every test without one of its own plays."""
    return ("beginner", "--seed", str(SEED), "--cell", str(CELL), "--theme", "light", *options)
