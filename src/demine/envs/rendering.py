"""How an environment shows its board: as text, as a picture, or in a window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from demine.envs.errors import EnvSettingError
from demine.logic.errors import quoted
from demine.scene.diagram import format_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules

CELL_PX: Final = 24


class Renderer:
    """Shows boards in one way."""

    def __init__(self, show: Callable[[NDArray[np.uint8]], Any]) -> None:
        self._show = show
        self._window: _Window | None = None

    @classmethod
    def of(cls, mode: str | None, rules: Rules) -> Renderer | None:
        """Return what renders in a mode, None for None; raises `EnvSettingError` for others."""
        if mode is None:
            return None
        if mode == "ansi":
            return cls(partial(format_scene, rules))
        if mode == "rgb_array":
            return cls(picture)
        if mode == "human":
            window = _Window()
            made = cls(window.show)
            made._window = window
            return made
        raise EnvSettingError(
            "{mode} is not a render mode: use ansi, rgb_array or human", mode=quoted(mode)
        )

    def render(self, faces: NDArray[np.uint8]) -> Any:  # noqa: ANN401 - a text, a picture or None
        """Show what a player sees, uint8 of `Face`, `(height, width)`."""
        return self._show(faces)

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        if self._window is not None:
            self._window.close()


def picture(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a board as a picture, uint8 `(height, width, 3)`."""
    from demine.picture.board import render
    from demine.scene.themes import theme

    return render(faces, theme("light"), CELL_PX)


class _Window:
    """A window of pygame, which opens with its first picture."""

    def __init__(self) -> None:
        self._surface: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {"_surface": None}  # a copy opens a window of its own

    def show(self, faces: NDArray[np.uint8]) -> None:
        try:
            import pygame
        except ImportError:
            raise EnvSettingError(
                "render_mode 'human' needs pygame-ce: pip install 'demine[envs]'"
            ) from None
        pixels = picture(faces).swapaxes(0, 1)
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption("demine")
            self._surface = pygame.display.set_mode(pixels.shape[:2])
        pygame.event.pump()
        pygame.surfarray.blit_array(self._surface, pixels)
        pygame.display.flip()

    def close(self) -> None:
        if self._surface is not None:
            import pygame

            pygame.display.quit()
            self._surface = None
