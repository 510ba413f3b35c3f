"""The letters and colours of cells, panel and pages in a terminal.

Nothing is distinguished by colour alone: every face has a letter of its own, every mark a sign, and
the cursor is visible on a terminal without colours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.colours import contrast, mix
from demine.scene.face_mood import FaceMood
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.preferences import Preferences
from demine.terminal.screen_layout import SMALL, CellSize
from demine.terminal.text_style import TextStyle
from demine.terminal.text_width import printable_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.scene.colours import RGB
    from demine.scene.themes import Theme
    from demine.terminal.text_style import Piece

ASCII: Final = "ascii"
"""The name of the setting for plain ASCII signs instead of Unicode."""
_DIGITS: Final = {Face(n): str(n) for n in range(1, 9)}
_UNICODE: Final = {
    **_DIGITS,
    Face.ZERO: " ", Face.COVERED: "▪", Face.FLAG: "⚑", Face.QUESTION: "?",
    Face.MINE: "✱", Face.BLOWN: "✸", Face.WRONG: "✗",
}  # fmt: skip
_ASCII: Final = {
    **_DIGITS,
    Face.ZERO: " ", Face.COVERED: "#", Face.FLAG: "F", Face.QUESTION: "?",
    Face.MINE: "*", Face.BLOWN: "X", Face.WRONG: "!",
}  # fmt: skip
SIGNS: Final = {
    Mark.NONE: " ", Mark.SAFE: "+", Mark.MINE: "!", Mark.BECAUSE: "=", Mark.ABOUT: "~",
    Mark.GUESS: "%", Mark.MISTAKE: "x", Mark.MISSED: "+",
    Mark.ASSUMED_MINE: "*", Mark.ASSUMED_SAFE: "o", Mark.BROKEN: "/",
}  # fmt: skip
"""The sign before the letter of a marked cell."""
CURSOR: Final = "["
CURSOR_END: Final = "]"
"""The other side of the cursor, where a cell has the room."""
START: Final = "><"
"""The prescribed first cell."""
MOODS: Final = {
    FaceMood.IDLE: ":-)",
    FaceMood.PRESSED: ":-|",
    FaceMood.WORRIED: ":-o",
    FaceMood.WON: "B-)",
    FaceMood.LOST: "X-(",
}
_COVERED: Final = (Face.COVERED, Face.QUESTION, Face.FLAG)
_DEFAULTS: Final = Preferences()
_ABOUT_GROUND: Final = 0.4
"""How far the ground of cells that a proof is about is from that of a covered cell."""
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)


class CellState(NamedTuple):
    """Everything that decides how one cell is drawn."""

    face: Face
    look: Look = Look.PLAIN
    mark: Mark = Mark.NONE
    risk: int = UNKNOWN
    unwritten: bool = False
    """Whether the risk is a colour alone, where there are colours enough."""
    odd_square: bool = False
    """Whether it is a dark square of the chequered board."""
    cursor: bool = False
    start: bool = False
    on_path: bool = False
    """Whether the shown path of a pointer crosses it."""


class BorderCharacters(NamedTuple):
    """The characters of a border; `corners` go from top left to bottom right."""

    corners: str
    top: str
    bottom: str
    left: str
    right: str


class TerminalTheme:
    """The styles and letters of a theme in a terminal.

    `colours` is how many the terminal shows: 0 for none, 16, 256 or more; `shows_led_digits` says
    whether the header of a theme counts with lamps.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        colours: int,
        ascii_only: bool,
        shows_led_digits: Callable[[Theme], bool] = _DEFAULTS.shows_led_digits,
    ) -> None:
        self.theme = theme
        self.shows_led_digits = shows_led_digits
        self.colours = colours
        self.ascii_only = ascii_only
        self._letters = _ASCII if ascii_only else _UNICODE
        self._cells: dict[tuple[CellState, CellSize], tuple[Piece, ...]] = {}

    def printable(self, text: str) -> str:
        """Return a text that is safe to print, in ASCII signs if `ascii_only`."""
        return printable_text(text, ascii_only=self.ascii_only)

    @property
    def ellipsis(self) -> str:
        """The end of a text that was cut."""
        return "..." if self.ascii_only else "…"

    # Around the board

    @cached_property
    def plain(self) -> TextStyle:
        """The style of text around the board."""
        return self._text_style(self.theme.panel_text, self.theme.panel)

    @cached_property
    def bold(self) -> TextStyle:
        """The style of emphasised text."""
        return replace(self.plain, bold=True)

    @cached_property
    def button(self) -> TextStyle:
        """The style of buttons."""
        ground = mix(self.theme.panel, self.theme.panel_text, 0.12)
        return self._text_style(self.theme.panel_text, ground, reverse=not self.colours)

    @cached_property
    def field(self) -> TextStyle:
        """The style of a field's value in a form."""
        return self.button if self.colours else self.plain

    @cached_property
    def selected_field(self) -> TextStyle:
        """The style of the selected field's value in a form."""
        return self._text_style(self.theme.cursor_halo, self.theme.cursor, reverse=not self.colours)

    @cached_property
    def dim_button(self) -> TextStyle:
        """The style of buttons that can do nothing."""
        text = mix(self.theme.panel_text, self.theme.panel, 0.55)
        return self._text_style(text, self.theme.panel)

    @cached_property
    def arrows(self) -> TextStyle:
        """The style of arrows and words at an edge where there is more."""
        return self._text_style(self.theme.edge, self.theme.panel)

    def border(self, mood: FaceMood) -> TextStyle:
        """Return the style of the border around the board: the end of a game colours it."""
        if mood in (FaceMood.WON, FaceMood.LOST):
            return self.won if mood is FaceMood.WON else self.lost
        if not self._has_solid_border:
            return self.arrows
        return self._text_style(mix(self.theme.panel, self.theme.edge, 0.5), self.theme.panel)

    def border_side(self, mood: FaceMood) -> TextStyle:
        """Return the style of the border left and right: filled, so that no font leaves gaps."""
        style = self.border(mood)
        return replace(style, bg=style.fg) if self._has_solid_border else style

    @property
    def _has_solid_border(self) -> bool:
        """Whether the border is solid: where colours are few it would be that of covered cells."""
        return self.colours > 16 and not self.ascii_only

    @cached_property
    def won(self) -> TextStyle:
        """The style of what says that a game is won."""
        return self._text_style(self.theme.won_text, self.theme.panel, bold=True)

    @cached_property
    def lost(self) -> TextStyle:
        """The style of what says that a game is lost, or that something went wrong."""
        return self._text_style(self.theme.lost_text, self.theme.panel, bold=True)

    @cached_property
    def header(self) -> TextStyle:
        """The style of the header's words."""
        return self._text_style(self.theme.panel_text, self._header_ground)

    @cached_property
    def header_bold(self) -> TextStyle:
        """The style of the header's numbers."""
        return replace(self.header, bold=True)

    @property
    def _header_ground(self) -> RGB:
        return mix(self.theme.panel, self.theme.panel_text, 0.08)

    @property
    def has_led_digits(self) -> bool:
        """Whether the numbers of the header look like lamps."""
        return self.shows_led_digits(self.theme)

    @cached_property
    def counter(self) -> TextStyle:
        """The style of the two counters."""
        return self._text_style(self.theme.led_on, self.theme.led_back, bold=True)

    @cached_property
    def face(self) -> TextStyle:
        """The style of the restart face."""
        return self._text_style(
            self.theme.smiley_line,
            self.theme.smiley,
            bold=self._bold_is_safe,
            reverse=not self.colours,
        )

    @property
    def _bold_is_safe(self) -> bool:
        """Whether bold letters may be dark: many terminals of 16 colours make them brighter."""
        return self.colours != 16

    @property
    def border_characters(self) -> BorderCharacters:
        """The characters around the board; with many colours, a solid frame close to the cells."""
        if self.ascii_only:
            return BorderCharacters("++++", "-", "-", "|", "|")
        if not self._has_solid_border:
            return BorderCharacters("┌┐└┘", "─", "─", "│", "│")
        return BorderCharacters("▄▄▀▀", "▄", "▀", "█", "█")

    # The board

    def cell(self, state: CellState, size: CellSize = SMALL) -> tuple[Piece, ...]:
        """Return the text of a cell and its style, for each of the rows that it takes."""
        pieces = self._cells.get((state, size))
        if pieces is None:
            seen = state
            if self.colours == 16:  # too few for a chequered board
                seen = state._replace(odd_square=False)
            pieces = self._cells[state, size] = self._cell_rows(seen, size)
        return pieces

    def _cell_rows(self, state: CellState, size: CellSize) -> tuple[Piece, ...]:
        """Return the pieces of a cell: its two letters stand in the middle, others around them."""
        letters, style = self._cell_letters(state), self._cell_style(state)
        if size is SMALL:
            return ((letters, style),)
        style = replace(style, underline=False)  # the room around them tells letters apart
        side = " " * (size.cols // 2 - 1)
        before, after = side, side
        if state.cursor:
            before, after = CURSOR + side[1:], side[1:] + CURSOR_END
            letters = letters.replace(CURSOR, " ")
        rows = [(" " * size.cols, style)] * size.rows
        rows[(size.rows - 1) // 2] = (before + letters + after, style)
        return tuple(rows)

    def _cell_letters(self, state: CellState) -> str:
        """Return the two letters of a cell: a sign, and its face; or its risk."""
        if state.start:
            return START
        if self._writes_risk(state):
            return "**" if state.risk == 100 else f"{state.risk:02d}"
        letter = self._letters[state.face]
        if state.face is Face.COVERED and not self._shows_dot(state):
            letter = " "
        sign = SIGNS[state.mark]
        if state.on_path and sign == " " and not state.cursor:
            sign = "." if self.ascii_only else "·"
        return (CURSOR if state.cursor and sign == " " else sign) + letter

    def _writes_risk(self, state: CellState) -> bool:
        shown = state.risk != UNKNOWN and state.face in _COVERED and state.face is not Face.FLAG
        by_colour = state.unwritten and state.mark is Mark.NONE and self.colours > 16
        return shown and not by_colour

    def _shows_dot(self, state: CellState) -> bool:
        """Return whether a covered cell needs a letter, because colours are few."""
        return self.colours <= 16 and state.look is not Look.PRESSED

    def _cell_style(self, state: CellState) -> TextStyle:
        strong = state.look is not Look.DIM and state.face is not Face.COVERED
        if not self.colours:
            marked = state.mark is not Mark.NONE
            shown = state.risk != UNKNOWN and state.face in _COVERED
            lined = marked or (shown and state.odd_square)
            return TextStyle(bold=strong or marked, reverse=state.cursor, underline=lined)
        style = self._background(state)
        if state.face is Face.BLOWN:  # neither cursor nor advice hides what ended the game
            return replace(style, bold=True)
        if state.cursor:
            return TextStyle(self.theme.cursor_halo, self.theme.cursor, bold=self._bold_is_safe)
        if state.start:
            return replace(style, fg=self.theme.start, bg=self.theme.start_halo, bold=True)
        if state.mark is Mark.BECAUSE:
            return replace(style, bg=self.theme.because_ground, bold=True, underline=True)
        if state.mark is Mark.ABOUT:
            ground = mix(self.theme.covered, self.theme.mark_halo, _ABOUT_GROUND)
            return TextStyle(self.theme.about, ground, bold=True, underline=True)
        if state.mark is not Mark.NONE:
            return TextStyle(
                self._mark_colour(state.mark), self.theme.mark_halo, bold=True, underline=True
            )
        # Two digits fill a cell; every other cell is underlined, to tell its digits from the next.
        lined = state.odd_square and self._writes_risk(state)
        return replace(style, bold=strong, underline=lined)

    def _background(self, state: CellState) -> TextStyle:
        look, theme, face = state.look, self.theme, state.face
        if state.risk != UNKNOWN and face in _COVERED:
            ground = mix(
                theme.risks.colour_at(state.risk),
                theme.mark_halo,
                0.15 if state.odd_square else 0.0,
            )
            flag = theme.flag if face is Face.FLAG else _BLACK
            return TextStyle(_most_readable(ground, flag, _BLACK, _WHITE), ground)
        if look is Look.PRESSED:
            return TextStyle(theme.question, theme.pressed)
        if face in _COVERED:
            # A lighter background stands for the bevel in a window.
            light = (0.5 if theme.bevelled else 0.0) + (0.35 if state.odd_square else 0.0)
            letter = theme.flag if face is Face.FLAG else theme.question
            if face is Face.COVERED:
                letter = theme.edge
            return TextStyle(letter, mix(theme.covered, theme.covered_light, light))
        if face is Face.BLOWN:
            return TextStyle(
                _most_readable(theme.blown, theme.mine, theme.burst, _WHITE), theme.blown
            )
        chequered = 0.3 if theme.bevelled else 0.5
        ground = mix(theme.opened, theme.grid, chequered if state.odd_square else 0.0)
        if look is Look.CROWDED:
            ground = theme.crowded
        return TextStyle(self._face_colour(face, look), ground)

    def _face_colour(self, face: Face, look: Look) -> RGB:
        theme = self.theme
        if face is Face.MINE:
            return theme.mine
        if face is Face.WRONG:
            return theme.cross
        if face is Face.ZERO:
            return theme.grid
        return theme.dim_digit_colour(face) if look is Look.DIM else theme.digit_colour(face)

    def _mark_colour(self, mark: Mark) -> RGB:
        theme = self.theme
        return {
            Mark.SAFE: theme.safe,
            Mark.MINE: theme.proven,
            Mark.GUESS: theme.guess,
            Mark.MISTAKE: theme.mistake,
            Mark.MISSED: theme.missed,
            Mark.ASSUMED_MINE: theme.guess,
            Mark.ASSUMED_SAFE: theme.guess,
            Mark.BROKEN: theme.mistake,
        }[mark]

    def _text_style(
        self, fg: RGB, bg: RGB, *, bold: bool = False, reverse: bool = False
    ) -> TextStyle:
        if not self.colours:
            return TextStyle(bold=bold, reverse=reverse)
        return TextStyle(fg, bg, bold=bold, reverse=reverse)


def _most_readable(ground: RGB, *colours: RGB) -> RGB:
    """Return the first colour that is readable on a background, else the most readable."""
    readable = (colour for colour in colours if contrast(colour, ground) >= 4.5)
    return next(readable, max(colours, key=lambda colour: contrast(colour, ground)))
