"""Renders the state of a scene as the lines of a terminal's screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.play.board_message import MessageKind
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.help_page import page_footer
from demine.scene.led_text import led_text
from demine.scene.overlay import Mark
from demine.scene.translation import tr
from demine.terminal.forms import Form, NumberField
from demine.terminal.menu import Menu
from demine.terminal.terminal_theme import MOODS, CellState
from demine.terminal.text_width import centred, cut, fitted, width, wrapped
from demine.terminal.tool_line import tool_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.play.board_message import BoardMessage
    from demine.play.presence import PauseSign
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.terminal_theme import TerminalTheme
    from demine.terminal.text_pages import Page
    from demine.terminal.text_style import Line, Piece, TextStyle
    from demine.terminal.tool_line import Tool

_FACES: Final = {face.value: face for face in Face}
_LOOKS: Final = {look.value: look for look in Look}
_MARKS: Final = {mark.value: mark for mark in Mark}
_MESSAGE_COLUMNS: Final = 76
"""The columns of the text below a narrow board, if there is room."""
_MENU_ROWS_WITH_SPACE: Final = 8
"""From more rows than these on a menu has an empty row above it."""
PAGE_TOP: Final = 3
"""The first row of a page's text."""
PAGE_FOOT: Final = 2
"""Rows below a page's text."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """Everything that a screen shows; faces, looks and overlay are those of the whole board."""

    layout: ScreenLayout
    theme: TerminalTheme
    tools: tuple[Tool, ...]
    panel: Panel
    mine_digits: int
    line: str
    """What is played, or what just happened."""
    message: BoardMessage
    keys: str
    """Useful keys, below the message if there is room."""
    faces: NDArray[np.uint8]
    overlay: Overlay
    looks: NDArray[np.uint8]
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    modal_content: Page | Form | Menu | None
    """The page, form or menu over the board, if any."""
    pause_sign: PauseSign | None = None
    """What stands on the covered board of a paused game."""
    footer: tuple[Line, ...] = ()
    """Lines below the board, in place of the message."""
    path_cells: frozenset[tuple[int, int]] = frozenset()
    """The cells on the shown path of a pointer."""


def render_lines(state: FrameState) -> list[Line]:
    """Return a line for every row of the terminal, each of the terminal's full width."""
    layout = state.layout
    empty = ((" " * layout.cols, state.theme.plain),)
    lines = [tool_line(state.tools, state.theme, layout.cols)]
    if state.modal_content is None:
        lines += [empty] * (layout.header_y - len(lines))
        below = state.footer or _message(state)
        lines += [_header(state), _title(state), *_board(state), *below]
    else:
        lines += _modal_lines(state, state.modal_content)
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


def _header(state: FrameState) -> Line:
    """Return mines left, the face and the time, on a ground as wide as the board."""
    theme, panel = state.theme, state.panel
    left, wide = state.layout.header_x_width
    face = f"[{MOODS[panel.mood]}]" if not theme.colours else f" {MOODS[panel.mood]} "
    before = wide // 2 - 2
    after = wide - before - len(face)
    mines = _counter(state, tr("Mines"), panel.mines_left, state.mine_digits, before)
    time = _counter(state, tr("Time"), panel.seconds, 3, after)
    gaps = (max(0, room - _columns(each)) for room, each in ((before, mines), (after, time)))
    west, east = ((" " * gap, theme.header) for gap in gaps)
    return ((" " * left, theme.plain), *mines, west, (face, theme.face), east, *time)


def _counter(state: FrameState, word: str, number: int, digits: int, room: int) -> Line:
    """Return a word and its number, or the number alone if there is no room for both.

    Only the classic look has lamps, with leading zeros. The number keeps its room as it grows.
    """
    theme = state.theme
    if theme.has_led_digits:
        shown, style = f" {led_text(number, digits)} ", theme.counter
    else:
        shown, style = theme.printable(f"{number:>{digits}} ".replace("-", "−")), theme.header_bold
    said = f" {theme.printable(word)} "
    return ((said if width(said + shown) < room else "", theme.header), (shown, style))


def _columns(line: Line) -> int:
    return sum(width(text) for text, _ in line)


def _title(state: FrameState) -> Line:
    text = state.theme.printable(state.line)
    return ((centred(text, state.layout.cols, state.theme.ellipsis), state.theme.bold),)


# The board


def _board(state: FrameState) -> list[Line]:
    layout, theme = state.layout, state.theme
    corners, over, under, left, right = theme.border_characters
    height, wide = layout.shape
    ends = layout.top + layout.visible_rows, layout.left + layout.visible_cols
    inner = layout.board_columns - 2
    mood = state.panel.mood
    style, side = theme.border(mood), theme.border_side(mood)
    # Arrows stand where the board goes on.
    west = (left, side) if layout.left == 0 else ("<", theme.arrows)
    east = (right, side) if ends[1] == wide else (">", theme.arrows)
    where = theme.printable(_visible_part_text(layout))
    top = (over * inner, style) if layout.top == 0 else ("^ " * (inner // 2), theme.arrows)
    bottom = (under * inner, style) if ends[0] == height else ("v " * (inner // 2), theme.arrows)
    if where and width(where) <= inner:
        start = (inner - width(where)) // 2
        text = bottom[0][:start] + where + bottom[0][start + width(where) :]
        bottom = text, theme.arrows
    margin = (" " * layout.border_x, theme.plain)
    lines: list[Line] = [(margin, (corners[0], style), top, (corners[1], style))]
    rows = [list(pieces) for row in _cells(state) for pieces in zip(*row, strict=True)]
    if state.pause_sign is not None:
        _write_pause_sign(rows, state.pause_sign, theme)
    lines += [(margin, west, *pieces, east) for pieces in rows]
    lines.append((margin, (corners[2], style), bottom, (corners[3], style)))
    return lines


def _write_pause_sign(rows: list[list[Piece]], sign: PauseSign, theme: TerminalTheme) -> None:
    """Write what there is room for over the covered cells in the middle of lines of cells."""
    cell, cells = width(rows[0][0][0]), len(rows[0])
    texts = [theme.printable(text) for text in (sign.title, sign.how)]
    texts = [text for text in texts if width(text) <= cell * cells][: len(rows)]
    if not texts:
        return
    wide = -(-max(map(width, texts)) // cell)
    wide += min(2, cells - wide)
    left = (cells - wide) // 2
    lines = ["", *texts, ""] if len(rows) >= len(texts) + 2 else texts
    for number, text in enumerate(lines, (len(rows) - len(lines)) // 2):
        rows[number][left : left + wide] = [(centred(text, cell * wide), theme.button)]


def _visible_part_text(layout: ScreenLayout) -> str:
    """Return which part of a board is visible, as people count; empty if it is all of it."""
    if layout.shows_whole_board:
        return ""
    rows, cols = layout.shape
    top, left = layout.top, layout.left
    return " " + tr(
        "rows {top}-{bottom} of {rows}, columns {left}-{right} of {cols}",
        top=top + 1, bottom=top + layout.visible_rows, rows=rows,
        left=left + 1, right=left + layout.visible_cols, cols=cols,
    ) + " "  # fmt: skip


def _cells(state: FrameState) -> list[list[tuple[Piece, ...]]]:
    """Return the rows of cells, each cell as the pieces of its rows."""
    layout, theme, size = state.layout, state.theme, state.layout.cell
    top, left = layout.top, layout.left
    bottom, right = top + layout.visible_rows, left + layout.visible_cols
    advice = state.overlay.cropped(top, left, bottom, right)
    shown = (
        state.faces[top:bottom, left:right],
        state.looks[top:bottom, left:right],
        advice.marks,
        advice.risk,
        advice.unwritten,
    )
    # Lists of Python's own numbers are read several times as fast as arrays.
    rows = zip(*(array.tolist() for array in shown), strict=True)
    return [
        [
            theme.cell(
                CellState(
                    _FACES[face],
                    _LOOKS[look],
                    _MARKS[mark],
                    risk,
                    unwritten,
                    odd_square=(row + col) % 2 == 1,
                    cursor=state.cursor == (row, col),
                    start=state.start == (row, col),
                    on_path=(row, col) in state.path_cells,
                ),
                size,
            )
            for col, (face, look, mark, risk, unwritten) in enumerate(
                zip(*arrays, strict=True), left
            )
        ]
        for row, arrays in enumerate(rows, top)
    ]


def _message(state: FrameState) -> list[Line]:
    """Return the lines below the board, as many as there is room for, centred below it."""
    layout, theme, message = state.layout, state.theme, state.message
    room = max(1, min(layout.cols - 2, max(layout.header_x_width[1], _MESSAGE_COLUMNS)))
    styles = {
        MessageKind.WON: theme.won,
        MessageKind.LOST: theme.lost,
        MessageKind.TROUBLE: theme.lost,
    }
    strong = styles.get(message.kind, theme.plain)
    parts = [
        (message.headline, strong),
        (message.text, strong if message.kind is MessageKind.TROUBLE else theme.plain),
        (message.further, theme.plain),
    ]
    lines = [
        (line, style)
        for text, style in parts
        for paragraph in text.splitlines()
        for line in wrapped(theme.printable(paragraph), room)
    ]
    if len(lines) > layout.note_rows:
        more = theme.printable(tr("… (F1)"))
        lines = lines[: layout.note_rows]
        lines[-1:] = [
            (cut(text, max(0, room - width(more)), "") + more, style) for text, style in lines[-1:]
        ]
    elif state.keys and len(lines) < layout.note_rows:
        lines.append((theme.printable(state.keys), theme.plain))
        if message.headline and len(lines) < layout.note_rows:
            # Its row is kept until it comes: no line moves then.
            lines.insert(-1, (theme.printable(message.luck), theme.plain))
    return [((centred(text, layout.cols), style),) for text, style in lines]


# Over the board


def page_text_cols_rows(layout: ScreenLayout) -> tuple[int, int]:
    """Return how many columns and rows the text of a page may take."""
    return max(1, min(layout.cols - 2, 100)), max(1, layout.rows - PAGE_TOP - PAGE_FOOT)


def _modal_lines(state: FrameState, over: Page | Form | Menu) -> list[Line]:
    theme, cols = state.theme, state.layout.cols
    room, height = page_text_cols_rows(state.layout)
    if isinstance(over, Form):
        lines, first = _form_lines(state, over, room), over.first_visible_index(height)
        foot = tr("Arrows choose and change, Enter accepts, Esc leaves")
    elif isinstance(over, Menu):
        lines, first = _menu_lines(state, over), 0
        foot = tr("Arrows choose, Enter begins, Esc closes")
    else:
        lines, first = _page_lines(state, over), over.scroll
        whole = len(lines) <= height
        foot = page_footer(all_shown=whole)
    above, below = first > 0, len(lines) > first + height
    if isinstance(over, Form) and below and over.trouble:
        foot = over.trouble
    lines = lines[first : first + height]
    lines += [((" ", theme.plain),)] * (height - len(lines))
    title = ((centred(theme.printable(over.title), cols, theme.ellipsis), theme.bold),)
    last = ((centred(theme.printable(foot), cols, theme.ellipsis), theme.plain),)
    return [
        title,
        _scroll_arrows(state, "^", on=above),
        *lines,
        _scroll_arrows(state, "v", on=below),
        last,
    ]


def _scroll_arrows(state: FrameState, arrow: str, *, on: bool) -> Line:
    """Return the line between a page and its title or foot, with arrows if `on`."""
    arrows = " ".join([arrow] * 5) if on else ""
    return ((centred(arrows, state.layout.cols), state.theme.arrows),)


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


def first_menu_row(layout: ScreenLayout) -> int:
    """Return the row of a menu's first item."""
    _, height = page_text_cols_rows(layout)
    return PAGE_TOP + (height > _MENU_ROWS_WITH_SPACE)


def _menu_lines(state: FrameState, menu: Menu) -> list[Line]:
    """Return a line for each item of a menu: its name, more about it, and its key at the right."""
    theme, cols = state.theme, state.layout.cols
    rows = [tuple(map(theme.printable, (item.name, item.about, item.key))) for item in menu.items]
    name, about, key = (max(width(row[part]) for row in rows) for part in range(3))
    lines: list[Line] = [((" ", theme.plain),)] * (first_menu_row(state.layout) - PAGE_TOP)
    for number, row in enumerate(rows):
        text = f"  {fitted(row[0], name)}   {fitted(row[1], about)}   {fitted(row[2], key)}  "
        text = cut(text, cols)
        style = theme.selected_field if number == menu.at else theme.plain
        lines.append(((" " * ((cols - width(text)) // 2), theme.plain), (text, style)))
    return lines


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
