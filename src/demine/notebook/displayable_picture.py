"""A picture that notebooks display and that can be saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from demine.picture import PictureError, png_bytes
from demine.replay.limited_file_io import atomic_write

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Protocol

    import numpy as np
    from numpy.typing import NDArray

    class Printer(Protocol):
        """The printer that IPython passes to `_repr_pretty_`."""

        def text(self, text: str, /) -> object:
            """Print some text."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture of a board. A notebook shows it, a terminal prints its text.

    >>> import demine
    >>> print(demine.show(demine.Game("4x2/1", seed=1)))
    # # # #
    # # # #
    """

    svg: str
    """The picture as an SVG document that shrinks to fit its page."""
    text: str
    """The same as text, one line for each row of cells."""
    paint: Callable[[], NDArray[np.uint8]] = field(repr=False)
    """Draws the pixels, uint8 (height, width, 3), when they are needed."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.svg)} letters of SVG>"

    def __str__(self) -> str:
        return self.text

    def png(self) -> bytes:
        """Return the picture as the bytes of a PNG file."""
        return png_bytes(self.paint())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file in the format of its suffix: `.svg` or `.png`.

        Raises PictureError for any other suffix, and ReplayError if the file cannot be written.
        """
        match Path(path).suffix.lower():
            case ".svg":
                data = self.svg.encode("utf-8")
            case ".png":
                data = self.png()
            case _:
                raise PictureError(
                    "pictures are saved as .svg or .png, not as {name!r}", name=Path(path).name
                )
        with atomic_write(path) as file:
            file.write(data)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        del cycle
        printer.text(self.text)
