"""`demine.animate`: a whole game as an animated GIF."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.game import Game
from demine.logic.errors import NotAGame
from demine.notebook.pictures import themed_look
from demine.picture.animation import write_game_gif
from demine.picture.errors import PictureError
from demine.replay.limited_file_io import atomic_write
from demine.scene.playback import Playback

if TYPE_CHECKING:
    import os

CELL_SIZE: Final = 16
"""The size of a cell unless another is asked for, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Animation:
    """A game as an animated GIF. A notebook shows it.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> demine.animate(game).gif[:6]
    b'GIF89a'
    """

    gif: bytes = field(repr=False)
    """The bytes of the GIF file."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.gif)} bytes of GIF>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the animation to a `.gif` file.

        Raises PictureError for any other suffix, and ReplayError if the file cannot be written.
        """
        name = Path(path).name
        if Path(name).suffix.lower() != ".gif":
            raise PictureError("animations are saved as .gif, not as {name!r}", name=name)
        with atomic_write(path) as file:
            file.write(self.gif)

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.gif).decode("ascii")
        return f'<img alt="" src="data:image/gif;base64,{data}">'


def animate(
    game: Game,
    *,
    speed: float = 1.0,
    cell: int = CELL_SIZE,
    theme: str = "light",
    palette: str = "",
) -> Animation:
    """Return a whole game as an animated GIF, with its panel and the pointer if it was recorded.

    `speed` is how many times faster than the game it runs, `cell` the size of a cell in pixels,
    `theme` and `palette` are those of `show`. Raises PictureError if a frame would have more than
    4 million pixels, or if `speed` is not positive, and ThemeError for an unknown theme or palette.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> game.open(4, 4)
    <Status.RUNNING: 'running'>
    >>> demine.animate(game).gif[:6]
    b'GIF89a'
    """
    if not isinstance(game, Game):
        raise NotAGame.of(game)
    if not speed > 0:
        raise PictureError("the speed is above 0, not {speed}", speed=speed)
    whole = BytesIO()
    write_game_gif(Playback(game), whole, themed_look(theme, palette), cell, speed)
    return Animation(whole.getvalue())
