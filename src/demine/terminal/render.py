"""Renders the state of a scene as the lines of a terminal's screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.help_page import page_footer
from demine.scene.key_bindings import Command, key_label
from demine.scene.led_text import led_text
from demine.scene.overlay import Mark
from demine.scene.translation import mark, tr
from demine.terminal.forms import Form, NumberField
from demine.terminal.terminal_theme import MOODS, CellState
from demine.terminal.text_width import centred, cut, fitted, width, wrapped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.key_bindings import KeyMap
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.terminal_theme import TerminalTheme
    from demine.terminal.text_pages import Page
    from demine.terminal.text_style import Line, Piece, TextStyle

BUTTONS: Final = {
    Command.NEW: mark("New"),
    Command.SETUP: mark("Setup"),
    Command.HINT: mark("Hint"),
    Command.RECORDS: mark("Records"),
    Command.HELP: mark("Help"),
    Command.QUIT: mark("Quit"),
}
"""The buttons of the first row."""
PAGE_TOP: Final = 3
"""The first row of a page's text."""
PAGE_FOOT: Final = 2
"""Rows below a page's text."""


class TopButton(NamedTuple):
    """A button of the first row."""

    command: str
    """The command that it runs, or the action of a replay."""
    text: str
    key: str = ""


class PlacedButton(NamedTuple):
    """A button of the first row, its text as shown, and the column where it begins."""

    x: int
    text: str
    command: str


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """Everything that a screen shows; faces, looks and overlay are those of the whole board."""

    layout: ScreenLayout
    theme: TerminalTheme
    buttons: tuple[TopButton, ...]
    panel: Panel
    mine_digits: int
    line: str
    note: str
    faces: NDArray[np.uint8]
    overlay: Overlay
    looks: NDArray[np.uint8]
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    modal_content: Page | Form | None
    """The page or form over the board, if any."""
    footer: tuple[Line, ...] = ()
    """Lines below the board, in place of the note."""
    path_cells: frozenset[tuple[int, int]] = frozenset()
    """The cells on the shown path of a pointer."""


def render_lines(state: FrameState) -> list[Line]:
    """Return a line for every row of the terminal, each of the terminal's full width."""
    layout = state.layout
    if state.modal_content is None:
        below = state.footer or _note(state)
        lines = [_top_row(state), _panel(state), _status_line(state), *_board(state), *below]
    else:
        lines = [_top_row(state), *_modal_lines(state, state.modal_content)]
    empty = ((" " * layout.cols, state.theme.plain),)
    lines += [empty] * (layout.rows - len(lines))
    return [_fit_to_width(line, layout.cols, state.theme.plain) for line in lines[: layout.rows]]


def _fit_to_width(line: Line, cols: int, style: TextStyle) -> Line:
    """Return a line cut or padded to exactly that many columns."""
    fitted: list[Piece] = []
    left = cols
    for text, own in line:
        kept = text if width(text) <= left else cut(text, left, "")
        fitted.append((kept, own))
        left -= width(kept)
        if kept != text:
            break
    return (*fitted, (" " * left, style)) if left else tuple(fitted)


# Above the board


def top_buttons(keys: KeyMap) -> tuple[TopButton, ...]:
    """Return the buttons of the first row, each with the first of its keys."""
    bound = {command: keys.keys(command) for command in BUTTONS}
    return tuple(
        TopButton(command, tr(text), key_label(bound[command][0]) if bound[command] else "")
        for command, text in BUTTONS.items()
    )


def placed_top_buttons(state: FrameState) -> list[PlacedButton]:
    """Return the buttons that fit in the first row, without their keys if there is no room."""
    room = state.layout.cols
    names = [
        (each.command, state.theme.printable(f" {each.text} {each.key}".rstrip() + " "))
        for each in state.buttons
    ]
    if sum(width(text) + 1 for _, text in names) > room:
        names = [(each.command, state.theme.printable(f" {each.text} ")) for each in state.buttons]
    places, x = [], 0
    for command, text in names:
        if x + width(text) > room:
            break
        places.append((x, text, command))
        x += width(text) + 1
    indent = max(0, (room - x + 1) // 2)
    return [PlacedButton(at + indent, text, command) for at, text, command in places]


def _top_row(state: FrameState) -> Line:
    line: list[Piece] = []
    done = 0
    for x, text, _ in placed_top_buttons(state):
        line += [(" " * (x - done), state.theme.plain), (text, state.theme.button)]
        done = x + width(text)
    return tuple(line)


def _panel(state: FrameState) -> Line:
    theme, panel = state.theme, state.panel
    left, wide = state.layout.panel_x_width
    mines = f" {led_text(panel.mines_left, state.mine_digits)} "
    time = f" {led_text(panel.seconds)} "
    face = f"[{MOODS[panel.mood]}]" if not theme.colours else f" {MOODS[panel.mood]} "
    middle = left + wide // 2 - 2
    before = " " * left
    one = fitted(f" {tr('Mines')}", max(0, middle - left - len(mines)))
    two = f"{tr('Time')} "
    gap = max(0, left + wide - middle - len(face) - len(time))
    two = " " * max(0, gap - width(two)) + cut(two, gap, "")
    return (
        (before, theme.plain),
        (mines, theme.counter),
        (one, theme.plain),
        (face, theme.face),
        (two, theme.plain),
        (time, theme.counter),
    )


def _status_line(state: FrameState) -> Line:
    text = state.theme.printable(state.line)
    return ((centred(text, state.layout.cols, state.theme.ellipsis), state.theme.bold),)


# The board


def _board(state: FrameState) -> list[Line]:
    layout, theme = state.layout, state.theme
    top_left, top_right, low_left, low_right, across, down, left, right, up, below = (
        theme.border_characters
    )
    height, wide = layout.shape
    ends = layout.top + layout.visible_rows, layout.left + layout.visible_cols
    inner = 2 * layout.visible_cols
    west = down if layout.left == 0 else left
    east = down if ends[1] == wide else right
    top = across * inner if layout.top == 0 else (up + " ") * layout.visible_cols
    bottom = across * inner if ends[0] == height else (below + " ") * layout.visible_cols
    where = theme.printable(_visible_part_text(layout))
    if where and width(where) <= inner:
        over = inner - width(where)
        bottom = bottom[: over // 2] + where + bottom[over // 2 + width(where) :]
    margin = (" " * layout.border_x, theme.plain)
    lines: list[Line] = [(margin, (top_left + top + top_right, theme.border))]
    for row in _cells(state):
        lines.append((margin, (west, theme.border), *row, (east, theme.border)))  # noqa: PERF401
    lines.append((margin, (low_left + bottom + low_right, theme.border)))
    return lines


def _visible_part_text(layout: ScreenLayout) -> str:
    """Return which part of a board is visible, counted from 0; empty if it is all of it."""
    if layout.shows_whole_board:
        return ""
    rows, cols = layout.shape
    top, left = layout.top, layout.left
    return " " + tr(
        "rows {top}-{bottom} of {rows}, columns {left}-{right} of {cols}",
        top=top, bottom=top + layout.visible_rows - 1, rows=rows,
        left=left, right=left + layout.visible_cols - 1, cols=cols,
    ) + " "  # fmt: skip


def _cells(state: FrameState) -> list[list[Piece]]:
    layout, theme = state.layout, state.theme
    top, left = layout.top, layout.left
    bottom, right = top + layout.visible_rows, left + layout.visible_cols
    faces, looks = state.faces[top:bottom, left:right], state.looks[top:bottom, left:right]
    advice = state.overlay.cropped(top, left, bottom, right)
    return [
        [
            theme.cell(
                CellState(
                    Face(int(faces[row, col])),
                    Look(int(looks[row, col])),
                    Mark(int(advice.marks[row, col])),
                    int(advice.risk[row, col]),
                    odd_square=(row + top + col + left) % 2 == 1,
                    cursor=state.cursor == (row + top, col + left),
                    start=state.start == (row + top, col + left),
                    on_path=(row + top, col + left) in state.path_cells,
                )
            )
            for col in range(layout.visible_cols)
        ]
        for row in range(layout.visible_rows)
    ]


def _note(state: FrameState) -> list[Line]:
    layout, theme = state.layout, state.theme
    if not state.note:
        return []
    room = max(1, layout.cols - 2)
    lines = wrapped(theme.printable(state.note), room)
    if len(lines) > layout.note_rows:
        more = theme.printable(tr("… (F1)"))
        lines = lines[: layout.note_rows]
        lines[-1:] = [cut(lines[-1], max(0, room - width(more)), "") + more for _ in lines[-1:]]
    if len(lines) == 1:
        return [((" " + centred(lines[0], room), theme.plain),)]
    return [((" " + line, theme.plain),) for line in lines]


# Over the board


def page_text_cols_rows(layout: ScreenLayout) -> tuple[int, int]:
    """Return how many columns and rows the text of a page may take."""
    return max(1, min(layout.cols - 2, 100)), max(1, layout.rows - PAGE_TOP - PAGE_FOOT)


def _modal_lines(state: FrameState, over: Page | Form) -> list[Line]:
    theme, cols = state.theme, state.layout.cols
    room, height = page_text_cols_rows(state.layout)
    if isinstance(over, Form):
        lines, first = _form_lines(state, over, room), over.first_visible_index(height)
        foot = tr("Arrows choose and change, Enter accepts, Esc leaves")
    else:
        lines, first = _page_lines(state, over), over.scroll
        whole = len(lines) <= height
        foot = page_footer(all_shown=whole)
    above, below = first > 0, len(lines) > first + height
    if isinstance(over, Form) and below and over.trouble:
        foot = over.trouble
    lines = lines[first : first + height]
    lines += [((" ", theme.plain),)] * (height - len(lines))
    up, down = theme.border_characters[-2:]
    title = ((centred(theme.printable(over.title), cols, theme.ellipsis), theme.bold),)
    last = ((centred(theme.printable(foot), cols, theme.ellipsis), theme.plain),)
    return [
        title,
        _scroll_arrows(state, up, on=above),
        *lines,
        _scroll_arrows(state, down, on=below),
        last,
    ]


def _scroll_arrows(state: FrameState, arrow: str, *, on: bool) -> Line:
    """Return the line between a page and its title or foot, with arrows if `on`."""
    arrows = " ".join([arrow] * 5) if on else ""
    return ((centred(arrows, state.layout.cols), state.theme.border),)


def _page_lines(state: FrameState, page: Page) -> list[Line]:
    theme = state.theme
    room, _ = page_text_cols_rows(state.layout)
    margin = " " * ((state.layout.cols - room) // 2)
    return [
        (
            (margin, theme.plain),
            (theme.printable(key), theme.bold),
            (theme.printable(text), theme.plain),
        )
        for key, text in page.lines(room)
    ]


def first_field_row_col(layout: ScreenLayout) -> tuple[int, int]:
    """Return the row of a form's first field, and the column where its fields begin."""
    room, _ = page_text_cols_rows(layout)
    return PAGE_TOP, (layout.cols - min(room, 60)) // 2


def _form_lines(state: FrameState, form: Form, room: int) -> list[Line]:
    theme = state.theme
    margin = (" " * first_field_row_col(state.layout)[1], theme.plain)
    column = max((width(field.label) for field in form.fields), default=0) + 2
    lines: list[Line] = []
    for number, field in enumerate(form.fields):
        here = number == form.at
        text = field.shown_text + ("_" if here and isinstance(field, NumberField) else " ")
        value = (
            f"[ {fitted(text, max(width(text), 7))} ]"
            if isinstance(field, NumberField)
            else f"< {text}>"
        )
        value, limit = theme.printable(value), theme.printable(f"  {field.limit()}")
        fits = width(margin[0]) + column + width(value + limit) <= state.layout.cols
        lines.append(
            (
                margin,
                (fitted(theme.printable(field.label), column), theme.bold if here else theme.plain),
                (value, theme.selected_field if here else theme.field),
                (limit if fits else "", theme.plain),
            )
        )
    if not form.trouble:
        return lines
    trouble = wrapped(theme.printable(form.trouble), min(room, 60))
    blank = ((" ", theme.plain),)
    return [*lines, blank, *((margin, (text, theme.bold)) for text in trouble)]
