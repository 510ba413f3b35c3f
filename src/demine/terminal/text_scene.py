"""What the scenes of the terminal have in common: a layout, and pages or forms over it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

from demine.terminal.modal import Modal
from demine.terminal.render import render_lines
from demine.terminal.screen_layout import ScreenLayout
from demine.terminal.text_width import width
from demine.terminal.tool_line import placed_tools

if TYPE_CHECKING:
    from demine.scene.mouse_automaton import Button
    from demine.terminal.render import FrameState
    from demine.terminal.text_style import Line

Point: TypeAlias = tuple[int, int]
"""The column and the row of a place on the screen."""


class TextScene(ABC):
    """A scene of text: methods take the input, `lines` returns the screen.

    `shape` is the board's (height, width); `may_grow` as in `ScreenLayout`.
    """

    def __init__(
        self, shape: tuple[int, int], *, may_grow: bool = True, footer_rows: int = 0
    ) -> None:
        self.closed = False
        self._modal = Modal()
        self._layout = ScreenLayout(80, 24, shape, footer_rows=footer_rows, may_grow=may_grow)

    def lines(self) -> list[Line]:
        """Return the lines of the screen as it is now."""
        return render_lines(self.frame_state())

    def close(self) -> None:
        """End the scene."""
        self.closed = True

    @abstractmethod
    def frame_state(self) -> FrameState:
        """Return everything that the screen shows now."""

    @abstractmethod
    def tick(self) -> None:
        """Do what is due by now."""

    @abstractmethod
    def seconds_until_redraw(self) -> float:
        """Return how many seconds may pass before the screen changes by itself."""

    @abstractmethod
    def resized(self, cols: int, rows: int) -> None:
        """Fit the screen to a new size of the terminal."""

    @abstractmethod
    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Handle the press of a mouse button."""

    @abstractmethod
    def release(self, button: Button, at: Point) -> None:
        """Handle the release of a mouse button."""

    @abstractmethod
    def move(self, at: Point) -> None:
        """Handle a move of the pointer."""

    @abstractmethod
    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """Handle wheel steps: positive ones go down, or right if `sideways`."""

    @abstractmethod
    def key(self, names: tuple[str, ...]) -> None:
        """Handle a key press, with the names that the key may have."""

    @abstractmethod
    def paste(self, text: str) -> None:
        """Handle a pasted text."""

    @abstractmethod
    def set_focused(self, focused: bool) -> None:
        """Handle the terminal's gain or loss of the keyboard focus."""

    def _tool_at(self, at: Point) -> str | None:
        """Return the command of the tool at a place, or None; one that is dim does nothing."""
        if at[1] != 0:
            return None
        state = self.frame_state()
        tools = placed_tools(state.tools, state.theme, state.layout.cols)
        return next(
            (
                each.tool.command
                for each in tools
                if each.x <= at[0] < each.x + width(each.text) and each.tool.enabled
            ),
            None,
        )
