"""Where the parts of the header over a board stand: counters, face and tools.

All lengths are logical pixels. Whether the tools have a row of their own follows from the width of
the window and from nothing else. The header is as wide as the board; if its rows followed from the
board's width, a second row would leave the board less room, and narrow the header once more.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.board_geometry import Rect
from demine.scene.key_bindings import Command
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

FACE: Final = 48
"""The side of the face."""
ICON: Final = 24
FIGURE: Final = 28
"""The height of the type of counter and clock."""
LAMPS: Final = 36
"""The height of the lamps, which take the place of that type in the classic look."""
GAP: Final = 4
"""Between tools; every other length here is a multiple of it as well."""
MARGIN: Final = 8
"""Around the header, and around the board."""
ONE_ROW_FROM: Final = 680
"""The least width of a window in which the tools stand beside counters and face."""
LEAST_WINDOW: Final = 348
"""The least width of a window in which every tool has room."""
_MOST_WIDTH: Final = 1040
_BESIDE_TOOLS: Final = 12
"""Between a row of tools and what stands beside it."""
_DISTANCE: Final = 24
"""Between the board and all that can end a game, so that no slip of the hand does."""


class Tool(StrEnum):
    """A button of the header."""

    NEW = "new"
    LEVEL = "level"
    UNDO = "undo"
    HINT = "hint"
    PAUSE = "pause"

    @property
    def label(self) -> str:
        """Its name, a message id; the level's button and a paused game's have another."""
        return _LABELS[self]

    @property
    def command(self) -> Command | None:
        """What it does; None for the menu of levels."""
        return None if self is Tool.LEVEL else Command(self.value)


_LABELS: Final = {
    Tool.NEW: mark("New game"),
    Tool.LEVEL: mark("Level"),
    Tool.UNDO: mark("Undo"),
    Tool.HINT: mark("Hint"),
    Tool.PAUSE: mark("Pause"),
}
_LEFT: Final[tuple[Tool, ...]] = (Tool.NEW, Tool.LEVEL)
_RIGHT: Final[tuple[Tool, ...]] = (Tool.UNDO, Tool.HINT, Tool.PAUSE)
_BY_IMPORTANCE: Final = (Tool.NEW, Tool.LEVEL, Tool.HINT, Tool.UNDO, Tool.PAUSE)


def has_one_row(window_width: int) -> bool:
    """Return whether the tools stand beside counters and face, and not below them."""
    return window_width >= ONE_ROW_FROM


def tool_height(line_height: int) -> int:
    """Return the height of a tool whose line of text is `line_height` pixels high."""
    return max(32, -(-(line_height + 12) // GAP) * GAP)


def header_height(window_width: int, line_height: int) -> int:
    """Return the height of the header, without the margin of the board below it."""
    tools = 0 if has_one_row(window_width) else MARGIN + tool_height(line_height)
    return MARGIN + FACE + tools + _DISTANCE - MARGIN


class HeaderParts(NamedTuple):
    """Where the parts stand in the header."""

    mines: Rect
    face: Rect
    time: Rect
    tools: Mapping[Tool, Rect]
    """Those tools that there is room for."""


class HeaderWidths(NamedTuple):
    """The widths that the parts need."""

    mines: int
    time: int
    tools: Mapping[Tool, int]


def place_header(
    window_width: int, board: tuple[int, int], widths: HeaderWidths, line_height: int
) -> HeaderParts:
    """Return where the parts stand in a window.

    `board` is where the board begins, and its width; `line_height` is the height of a line of text.
    """
    left, right = _span(window_width, *board, _least_width(window_width, widths))
    middle = (left + right - FACE) // 2
    parts = HeaderParts(
        mines=Rect(left, MARGIN, widths.mines, FACE),
        face=Rect(middle, MARGIN, FACE, FACE),
        time=Rect(right - widths.time, MARGIN, widths.time, FACE),
        tools={},
    )
    high = tool_height(line_height)
    if has_one_row(window_width):
        top = MARGIN + (FACE - high) // 2
        rooms: tuple[tuple[tuple[Tool, ...], int, int], ...] = (
            (_LEFT, parts.mines.right + _BESIDE_TOOLS, parts.face.x - _BESIDE_TOOLS),
            (_RIGHT, parts.face.right + _BESIDE_TOOLS, parts.time.x - _BESIDE_TOOLS),
        )
    else:
        top = 2 * MARGIN + FACE
        rooms = ((_LEFT + _RIGHT, left, right),)
    tools: dict[Tool, Rect] = {}
    for group, start, end in rooms:
        shown = _fitting(group, end - start, widths.tools)
        tools |= _row_of_tools(shown, start, end, widths.tools, top, high)
    return parts._replace(tools=tools)


def _least_width(window_width: int, widths: HeaderWidths) -> int:
    """Return the width of a header in which everything has room, if the window has that width."""
    if not has_one_row(window_width):
        return LEAST_WINDOW - 2 * MARGIN
    left = widths.mines + sum(widths.tools[tool] + GAP for tool in _LEFT)
    right = widths.time + sum(widths.tools[tool] + GAP for tool in _RIGHT)
    return FACE + 2 * (max(left, right) - GAP + 2 * _BESIDE_TOOLS)


def _span(window_width: int, board_left: int, board_width: int, least: int) -> tuple[int, int]:
    """Return where the header begins and ends: over the board, and inside the window."""
    width = min(max(board_width, least), _MOST_WIDTH, window_width - 2 * MARGIN)
    left = board_left + (board_width - width) // 2
    left = max(MARGIN, min(left, window_width - MARGIN - width))
    return left, left + width


def _fitting(group: tuple[Tool, ...], room: int, widths: Mapping[Tool, int]) -> tuple[Tool, ...]:
    """Return the tools of a group that fit into some room, the most important ones first chosen."""
    chosen: list[Tool] = []
    for tool in (tool for tool in _BY_IMPORTANCE if tool in group):
        if sum(widths[each] + GAP for each in (*chosen, tool)) - GAP > room:
            break
        chosen.append(tool)
    return tuple(tool for tool in group if tool in chosen)


def _row_of_tools(
    shown: tuple[Tool, ...],
    start: int,
    end: int,
    widths: Mapping[Tool, int],
    top: int,
    height: int,
) -> dict[Tool, Rect]:
    """Return the places of tools in a row: some from its start on, the others up to its end."""
    placed: dict[Tool, Rect] = {}
    x = start
    for tool in (tool for tool in shown if tool in _LEFT):
        placed[tool] = Rect(x, top, widths[tool], height)
        x += widths[tool] + GAP
    x = end
    for tool in (tool for tool in reversed(shown) if tool in _RIGHT):
        x -= widths[tool]
        placed[tool] = Rect(x, top, widths[tool], height)
        x -= GAP
    return placed
