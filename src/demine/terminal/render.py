"""A screen of a terminal as lines of text: what is drawn from a shot, equal for equal shots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.cell_face import Face
from demine.scene.cell_highlight import Look, looks
from demine.scene.key_bindings import Command, key_label
from demine.scene.overlay import Mark
from demine.scene.panel import led_text
from demine.scene.text_page import page_foot
from demine.scene.translation import mark, tr
from demine.terminal.cell_style import MOODS, CellState
from demine.terminal.forms import Form, Number
from demine.terminal.styled_text import centred, cut, padded, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.key_bindings import KeyMap
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.terminal.cell_style import TerminalTheme
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.styled_text import Line, Piece, TextStyle
    from demine.terminal.text_pages import Page

BUTTONS: Final = {
    Command.NEW: mark("New"),
    Command.SETUP: mark("Setup"),
    Command.HINT: mark("Hint"),
    Command.RECORDS: mark("Records"),
    Command.HELP: mark("Help"),
    Command.QUIT: mark("Quit"),
}
"""What the first row offers."""
PAGE_TOP: Final = 3
"""The first row of a page's text."""
PAGE_FOOT: Final = 2
"""Rows below a page's text."""


class Button(NamedTuple):
    """One of the words of the first row."""

    deed: str
    """What it does: a command, or another name."""
    text: str
    key: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """What a screen is drawn from; faces and advice are those of the whole board."""

    stage: ScreenLayout
    dress: TerminalTheme
    buttons: tuple[Button, ...]
    """What the first row offers."""
    panel: Panel
    mine_lamps: int
    line: str
    note: str
    faces: NDArray[np.uint8]
    advice: Overlay
    pressed: Collection[tuple[int, int]]
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    over: Page | Form | None
    """What stands over the board."""
    foot: tuple[Line, ...] = ()
    """Lines below the board, in the place of the note."""
    way: frozenset[tuple[int, int]] = frozenset()
    """Cells on the way of a pointer that is shown."""


def paint(shot: FrameState) -> list[Line]:
    """Return one line for every row of the terminal, each as wide as it is."""
    stage = shot.stage
    if shot.over is None:
        below = shot.foot or _note(shot)
        lines = [_buttons(shot), _panel(shot), _words(shot), *_board(shot), *below]
    else:
        lines = [_buttons(shot), *_over(shot, shot.over)]
    empty = ((" " * stage.cols, shot.dress.plain),)
    lines += [empty] * (stage.rows - len(lines))
    return [_fitted(line, stage.cols, shot.dress.plain) for line in lines[: stage.rows]]


def _fitted(line: Line, cols: int, ink: TextStyle) -> Line:
    """Return a line of exactly so many columns."""
    fitted: list[Piece] = []
    left = cols
    for text, own in line:
        kept = text if width(text) <= left else cut(text, left, "")
        fitted.append((kept, own))
        left -= width(kept)
        if kept != text:
            break
    return (*fitted, (" " * left, ink)) if left else tuple(fitted)


# Above the board


def buttons(keys: KeyMap) -> tuple[Button, ...]:
    """Return the first row's commands and what to call them, each with its best known key."""
    bound = {command: keys.keys(command) for command in BUTTONS}
    return tuple(
        Button(command, tr(text), key_label(bound[command][0]) if bound[command] else "")
        for command, text in BUTTONS.items()
    )


def button_places(shot: FrameState) -> list[tuple[int, str, str]]:
    """Return where each button begins, what stands on it, and what it does."""
    room = shot.stage.cols
    names = [
        (each.deed, shot.dress.text(f" {each.text} {each.key}".rstrip() + " "))
        for each in shot.buttons
    ]
    if sum(width(text) + 1 for _, text in names) > room:
        names = [(each.deed, shot.dress.text(f" {each.text} ")) for each in shot.buttons]
    places, x = [], 0
    for command, text in names:
        if x + width(text) > room:
            break
        places.append((x, text, command))
        x += width(text) + 1
    indent = max(0, (room - x + 1) // 2)
    return [(at + indent, text, command) for at, text, command in places]


def _buttons(shot: FrameState) -> Line:
    line: list[Piece] = []
    done = 0
    for x, text, _ in button_places(shot):
        line += [(" " * (x - done), shot.dress.plain), (text, shot.dress.button)]
        done = x + width(text)
    return tuple(line)


def _panel(shot: FrameState) -> Line:
    dress, panel = shot.dress, shot.panel
    left, wide = shot.stage.panel
    mines = f" {led_text(panel.mines_left, shot.mine_lamps)} "
    time = f" {led_text(panel.seconds)} "
    face = f"[{MOODS[panel.mood]}]" if not dress.colours else f" {MOODS[panel.mood]} "
    middle = left + wide // 2 - 2
    before = " " * left
    one = padded(f" {tr('Mines')}", max(0, middle - left - len(mines)))
    two = f"{tr('Time')} "
    gap = max(0, left + wide - middle - len(face) - len(time))
    two = " " * max(0, gap - width(two)) + cut(two, gap, "")
    return (
        (before, dress.plain),
        (mines, dress.lamps),
        (one, dress.plain),
        (face, dress.smiley),
        (two, dress.plain),
        (time, dress.lamps),
    )


def _words(shot: FrameState) -> Line:
    text = shot.dress.text(shot.line)
    return ((centred(text, shot.stage.cols, shot.dress.tail), shot.dress.bold),)


# The board


def _board(shot: FrameState) -> list[Line]:
    stage, dress = shot.stage, shot.dress
    top_left, top_right, low_left, low_right, across, down, left, right, up, below = dress.corners
    height, wide = stage.shape
    ends = stage.top + stage.seen_rows, stage.left + stage.seen_cols
    inner = 2 * stage.seen_cols
    west = down if stage.left == 0 else left
    east = down if ends[1] == wide else right
    top = across * inner if stage.top == 0 else (up + " ") * stage.seen_cols
    bottom = across * inner if ends[0] == height else (below + " ") * stage.seen_cols
    where = dress.text(_where(stage))
    if where and width(where) <= inner:
        over = inner - width(where)
        bottom = bottom[: over // 2] + where + bottom[over // 2 + width(where) :]
    margin = (" " * stage.x, dress.plain)
    lines: list[Line] = [(margin, (top_left + top + top_right, dress.edge))]
    for row in _cells(shot):
        lines.append((margin, (west, dress.edge), *row, (east, dress.edge)))  # noqa: PERF401
    lines.append((margin, (low_left + bottom + low_right, dress.edge)))
    return lines


def _where(stage: ScreenLayout) -> str:
    """Say which part of a board is seen, counting as hints do; nothing where it is all of it."""
    if stage.whole:
        return ""
    rows, cols = stage.shape
    top, left = stage.top, stage.left
    return " " + tr(
        "rows {top}-{bottom} of {rows}, columns {left}-{right} of {cols}",
        top=top, bottom=top + stage.seen_rows - 1, rows=rows,
        left=left, right=left + stage.seen_cols - 1, cols=cols,
    ) + " "  # fmt: skip


def _cells(shot: FrameState) -> list[list[Piece]]:
    stage, dress = shot.stage, shot.dress
    top, left = stage.top, stage.left
    bottom, right = top + stage.seen_rows, left + stage.seen_cols
    # A look depends on the cells around, so one more row and column is looked at on every side.
    above, before = max(0, top - 1), max(0, left - 1)
    around = shot.faces[above : bottom + 1, before : right + 1]
    held = [
        (row - above, col - before)
        for row, col in shot.pressed
        if 0 <= row - above < around.shape[0] and 0 <= col - before < around.shape[1]
    ]
    dressed = looks(around, held)[top - above :, left - before :]
    faces, advice = (
        shot.faces[top:bottom, left:right],
        shot.advice.cropped(top, left, bottom, right),
    )
    return [
        [
            dress.cell(
                CellState(
                    Face(int(faces[row, col])),
                    Look(int(dressed[row, col])),
                    Mark(int(advice.marks[row, col])),
                    int(advice.risk[row, col]),
                    odd=(row + top + col + left) % 2 == 1,
                    cursor=shot.cursor == (row + top, col + left),
                    start=shot.start == (row + top, col + left),
                    way=(row + top, col + left) in shot.way,
                )
            )
            for col in range(stage.seen_cols)
        ]
        for row in range(stage.seen_rows)
    ]


def _note(shot: FrameState) -> list[Line]:
    stage, dress = shot.stage, shot.dress
    if not shot.note:
        return []
    room = max(1, stage.cols - 2)
    lines = wrapped(dress.text(shot.note), room)
    if len(lines) > stage.note_rows:
        more = dress.text(tr("… (F1)"))
        lines = lines[: stage.note_rows]
        lines[-1:] = [cut(lines[-1], max(0, room - width(more)), "") + more for _ in lines[-1:]]
    if len(lines) == 1:
        return [((" " + centred(lines[0], room), dress.plain),)]
    return [((" " + line, dress.plain),) for line in lines]


# Over the board


def page_room(stage: ScreenLayout) -> tuple[int, int]:
    """Return the columns and the lines that a page's text has."""
    return max(1, min(stage.cols - 2, 100)), max(1, stage.rows - PAGE_TOP - PAGE_FOOT)


def _over(shot: FrameState, over: Page | Form) -> list[Line]:
    dress, cols = shot.dress, shot.stage.cols
    room, height = page_room(shot.stage)
    if isinstance(over, Form):
        lines, first = _form_lines(shot, over, room), over.seen_from(height)
        foot = tr("Arrows choose and change, Enter accepts, Esc leaves")
    else:
        lines, first = _page_lines(shot, over), over.scroll
        whole = len(lines) <= height
        foot = page_foot(whole=whole)
    above, below = first > 0, len(lines) > first + height
    if isinstance(over, Form) and below and over.trouble:
        foot = over.trouble
    lines = lines[first : first + height]
    lines += [((" ", dress.plain),)] * (height - len(lines))
    up, down = dress.corners[-2:]
    title = ((centred(dress.text(over.title), cols, dress.tail), dress.bold),)
    last = ((centred(dress.text(foot), cols, dress.tail), dress.plain),)
    return [title, _goes_on(shot, up, on=above), *lines, _goes_on(shot, down, on=below), last]


def _goes_on(shot: FrameState, arrow: str, *, on: bool) -> Line:
    """Return the line between a page and its title or foot: arrows where the page goes on."""
    arrows = " ".join([arrow] * 5) if on else ""
    return ((centred(arrows, shot.stage.cols), shot.dress.edge),)


def _page_lines(shot: FrameState, page: Page) -> list[Line]:
    dress = shot.dress
    room, _ = page_room(shot.stage)
    margin = " " * ((shot.stage.cols - room) // 2)
    return [
        ((margin, dress.plain), (dress.text(key), dress.bold), (dress.text(text), dress.plain))
        for key, text in page.lines(room)
    ]


def form_top(stage: ScreenLayout) -> tuple[int, int]:
    """Return the first row of a form's fields and the column they begin in."""
    room, _ = page_room(stage)
    return PAGE_TOP, (stage.cols - min(room, 60)) // 2


def _form_lines(shot: FrameState, form: Form, room: int) -> list[Line]:
    dress = shot.dress
    margin = (" " * form_top(shot.stage)[1], dress.plain)
    column = max((width(field.label) for field in form.fields), default=0) + 2
    lines: list[Line] = []
    for number, field in enumerate(form.fields):
        here = number == form.at
        text = field.shown + ("_" if here and isinstance(field, Number) else " ")
        value = (
            f"[ {padded(text, max(width(text), 7))} ]"
            if isinstance(field, Number)
            else f"< {text}>"
        )
        value, limit = dress.text(value), dress.text(f"  {field.limit()}")
        fits = width(margin[0]) + column + width(value + limit) <= shot.stage.cols
        lines.append(
            (
                margin,
                (padded(dress.text(field.label), column), dress.bold if here else dress.plain),
                (value, dress.chosen if here else dress.field),
                (limit if fits else "", dress.plain),
            )
        )
    if not form.trouble:
        return lines
    trouble = wrapped(dress.text(form.trouble), min(room, 60))
    blank = ((" ", dress.plain),)
    return [*lines, blank, *((margin, (text, dress.bold)) for text in trouble)]
