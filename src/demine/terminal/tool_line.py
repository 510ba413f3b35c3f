"""The tools in the first row: what can be done with a click, and with which key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import mark, tr
from demine.terminal.text_width import width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.scene.key_bindings import KeyMap
    from demine.scene.panel import Panel
    from demine.terminal.terminal_theme import TerminalTheme
    from demine.terminal.text_style import Line, Piece

LEVEL: Final = "level"
"""The tool that shows the menu of levels; every other is a command."""
_TOOLS: Final = {
    Command.NEW: mark("New"),
    LEVEL: mark("Level"),
    Command.UNDO: mark("Undo"),
    Command.HINT: mark("Hint"),
    Command.PAUSE: mark("Pause"),
    Command.RECORDS: mark("Records"),
    Command.HELP: mark("Help"),
    Command.QUIT: mark("Quit"),
}
_SHORT_KEY: Final = 2
"""The most columns of a key that is shown where not all keys fit."""
_FIRST_TO_GO: Final = (
    Command.RECORDS,
    Command.UNDO,
    Command.PAUSE,
    LEVEL,
    Command.HINT,
    Command.QUIT,
)
"""The tools that go where not all fit, the least important first."""


class Tool(NamedTuple):
    """A tool of the first row."""

    command: str
    """The command that it runs, `LEVEL`, or the action of a replay."""
    text: str
    key: str = ""
    enabled: bool = True
    """Whether it can do anything now."""


class PlacedTool(NamedTuple):
    """A tool of the first row, its text as shown, and the column where it begins."""

    x: int
    text: str
    tool: Tool


def game_tools(keys: KeyMap, panel: Panel) -> tuple[Tool, ...]:
    """Return the tools of a game, each with a short one of its keys."""
    enabled: dict[str, bool] = {
        Command.UNDO: panel.can_undo,
        Command.HINT: panel.can_hint,
        Command.PAUSE: panel.can_pause or panel.can_resume,
    }
    texts = _TOOLS | {Command.PAUSE: mark("Resume")} if panel.can_resume else _TOOLS
    return tuple(
        Tool(command, tr(text), _handy_key(keys, command), enabled.get(command, True))
        for command, text in texts.items()
    )


def _handy_key(keys: KeyMap, command: str) -> str:
    """Return the label of a command's first short key, or else its shortest."""
    if command == LEVEL:
        return "▾"
    labels = [key_label(key) for key in keys.keys(Command(command))]
    return next(
        (key for key in labels if width(key) <= _SHORT_KEY), min(labels, key=width, default="")
    )


def placed_tools(tools: Sequence[Tool], theme: TerminalTheme, cols: int) -> list[PlacedTool]:
    """Return the tools that fit into a row of that many columns, centred.

    Long keys go first, then all keys, then the tools that matter least.
    """
    ways = (
        [(tool, _tool_text(tool, theme, most)) for tool in tools] for most in (cols, _SHORT_KEY, 1)
    )
    bare = [(tool, _tool_text(tool, theme, 0)) for tool in tools]
    shown = next((way for way in ways if _columns_of(way) <= cols), bare)
    for command in _FIRST_TO_GO:
        if _columns_of(shown) > cols:
            shown = [each for each in shown if each[0].command != command]
    while _columns_of(shown) > cols:
        shown.pop()
    x = (cols - _columns_of(shown)) // 2
    placed = []
    for tool, text in shown:
        placed.append(PlacedTool(x, text, tool))
        x += width(text) + 1
    return placed


def _tool_text(tool: Tool, theme: TerminalTheme, most: int) -> str:
    """Return a tool's text, with its key unless that takes more than some columns."""
    key = tool.key if width(tool.key) <= most else ""
    return theme.printable(f" {tool.text} {key}".rstrip() + " ")


def _columns_of(shown: Sequence[tuple[Tool, str]]) -> int:
    """Return how many columns tools take, with one between two of them."""
    return sum(width(text) + 1 for _, text in shown) - bool(shown)


def tool_line(tools: Sequence[Tool], theme: TerminalTheme, cols: int) -> Line:
    """Return the first row; tools that can do nothing are dim."""
    line: list[Piece] = []
    done = 0
    for x, text, tool in placed_tools(tools, theme, cols):
        style = theme.button if tool.enabled else theme.dim_button
        line += [(" " * (x - done), theme.plain), (text, style)]
        done = x + width(text)
    return tuple(line)
