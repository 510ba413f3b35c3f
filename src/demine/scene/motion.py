"""Quiet motion after an act: which cells of a board already show it, and how lit they are.

Motion is on the glass alone. The faces are the truth from the first moment, and every act is judged
by them; a painter that wants motion shows some of them a little later. An opening spreads from the
cell that was acted on, a flag lands, a loss shows the mine that was hit before the others, and over
a won board passes a wave of light. The cell itself shows its face at once, always.

All times are milliseconds of any one clock. All arrays and cells are of the part of a board that
can be seen; when another part is, motion is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.game import Status
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import Cell

SHORTEST_MS, LONGEST_MS = 80, 120
"""How long an opening spreads in all: a small one, and one over the whole board."""
FADE_MS: Final = 40
"""How long a cell fades in, which is a part of the above."""
LANDING_MS: Final = 100
"""How long a flag lands."""
OTHER_MINES_MS: Final = 150
"""How long after the mine that was hit the nearest of the others is shown."""
LOSS_MS: Final = 450
"""How long it takes in all until the last of them is."""
WAVE_MS: Final = 700
"""How long the wave of light takes over a won board."""
MOST_CELLS: Final = 20_000
"""Of more visible cells nothing moves: it would cost too much."""
AT_ONCE: Final = 1.5
"""Up to this distance, in cells, an opening is shown at once: the cell and those around it."""
CREST: Final = 0.22
"""The width of the wave of light, as a part of its way."""
BRIGHTEST: Final = 120
"""The opacity of the light where the wave is highest, of 255."""

_COVERS: Final = np.isin(np.arange(len(Face)), (Face.COVERED, Face.FLAG, Face.QUESTION))
_FOUND: Final = np.isin(np.arange(len(Face)), (Face.MINE, Face.WRONG))
_COVERED, _FLAG, _BLOWN = int(Face.COVERED), int(Face.FLAG), int(Face.BLOWN)


class MotionFrame(NamedTuple):
    """What a moving board shows at one moment."""

    faces: NDArray[np.uint8]
    """The faces that are shown; under a landing flag, a covered cell."""
    veil: NDArray[np.uint8]
    """How much of the covers of cells that appear is left, uint8 of opacity."""
    light: NDArray[np.uint8]
    """How brightly the wave lights a cell, uint8 of opacity."""
    landing: dict[Cell, float]
    """Flags in the air, and how high: from 1 down to 0."""

    def differences(self, other: MotionFrame | None) -> NDArray[np.bool_]:
        """Return where another frame, or a board at rest, looks different but for its faces."""
        veil, light = (self.veil, self.light) if other is None else (other.veil, other.light)
        differ: NDArray[np.bool_] = self.veil != veil if other else self.veil > 0
        differ |= self.light != light if other else self.light > 0
        for cell in {**self.landing, **(other.landing if other else {})}:
            differ[cell] = True
        return differ


class Motion:
    """The motion of one view of a board, which acts begin and add to, and time ends."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._before = np.zeros(shape, np.uint8)
        self._shows_at = np.full(shape, -np.inf)
        self._veiled_until = np.full(shape, -np.inf)
        self._flags: dict[Cell, float] = {}
        self._wave_began = -np.inf
        self.ends_at = -np.inf
        """When everything stands still."""

    def animate_change(
        self,
        before: NDArray[np.uint8],
        faces: NDArray[np.uint8],
        origin: Cell,
        status: Status,
        now: float,
    ) -> None:
        """Begin the motion of one act; what moves already goes on, where the act changed nothing.

        `before` are the faces before the act and `faces` those after it, `origin` is the cell acted
        on, which may be out of sight, and `status` that of the game now.
        """
        changed = faces != before
        self._shows_at[changed] = self._veiled_until[changed] = -np.inf
        if status is Status.RUNNING:
            self._land_flags(changed & (faces == _FLAG), now)
        if status is Status.WON:
            self._wave_began = now
            self._last_until(now + WAVE_MS)
        found = changed & _FOUND[faces]
        opened = changed & _COVERS[before] & ~_COVERS[faces] & ~found & (faces != _BLOWN)
        self._spread_opening(before, opened, origin, now)
        self._show_other_mines(before, found, _first_blown(faces, origin), now)

    def frame(self, faces: NDArray[np.uint8], now: float) -> MotionFrame:
        """Return what is shown of these faces at a moment."""
        shown = np.where(self._shows_at > now, self._before, faces)
        landing = {}
        for cell, began in self._flags.items():
            rest = 1 - (now - began) / LANDING_MS
            if rest > 0 and faces[cell] == _FLAG:
                landing[cell] = min(1.0, rest) ** 2
                shown[cell] = _COVERED
        cover = np.clip((self._veiled_until - now) / FADE_MS, 0, 1)
        veil = np.where(self._shows_at > now, 0, cover * 255).astype(np.uint8)
        return MotionFrame(shown, veil, self._light(now), landing)

    def _spread_opening(
        self, before: NDArray[np.uint8], opened: NDArray[np.bool_], origin: Cell, now: float
    ) -> None:
        distance = _distances(opened.shape, origin)
        opened &= distance > AT_ONCE
        if not opened.any():
            return
        far = float(distance[opened].max())
        whole = min(LONGEST_MS, SHORTEST_MS + 2 * far)
        delay = (distance - AT_ONCE) / (far - AT_ONCE) * (whole - FADE_MS)
        self._show_later(before, opened, now + delay)

    def _show_other_mines(
        self, before: NDArray[np.uint8], found: NDArray[np.bool_], hit: Cell, now: float
    ) -> None:
        if not found.any():
            return
        distance = _distances(found.shape, hit)
        share = distance / max(1.0, float(distance[found].max()))
        way = LOSS_MS - OTHER_MINES_MS - FADE_MS
        self._show_later(before, found, now + OTHER_MINES_MS + share * way)

    def _show_later(
        self, before: NDArray[np.uint8], cells: NDArray[np.bool_], moments: NDArray[np.float64]
    ) -> None:
        self._before[cells] = before[cells]
        self._shows_at[cells] = moments[cells]
        self._veiled_until[cells] = moments[cells] + FADE_MS
        self._last_until(float(moments[cells].max()) + FADE_MS)

    def _land_flags(self, flags: NDArray[np.bool_], now: float) -> None:
        for row, col in np.argwhere(flags).tolist():
            self._flags[row, col] = now
            self._last_until(now + LANDING_MS)

    def _last_until(self, moment: float) -> None:
        self.ends_at = max(self.ends_at, moment)

    def _light(self, now: float) -> NDArray[np.uint8]:
        """Return the wave of light, which passes from the upper left to the lower right."""
        rows, cols = self._before.shape
        passed = (now - self._wave_began) / WAVE_MS
        if not 0 <= passed < 1:
            return np.zeros((rows, cols), np.uint8)
        way = np.add.outer(np.arange(rows), np.arange(cols)) / max(1, rows + cols - 2)
        crest = passed * (1 + 2 * CREST) - CREST
        height = np.clip(1 - np.abs(way - crest) / CREST, 0, 1)
        light: NDArray[np.uint8] = (height**2 * BRIGHTEST).astype(np.uint8)
        return light


def _distances(shape: tuple[int, ...], origin: Cell) -> NDArray[np.float64]:
    """Return how far each cell is from one, in cells."""
    rows, cols = (np.arange(size) - at for size, at in zip(shape, origin, strict=True))
    return np.hypot.outer(rows, cols)


def _first_blown(faces: NDArray[np.uint8], origin: Cell) -> Cell:
    """Return the mine that was hit, or the cell acted on if none was."""
    blown = np.argwhere(faces == _BLOWN)
    return (int(blown[0][0]), int(blown[0][1])) if len(blown) else origin
