"""What cells, panel and pages look like in letters and colours.

Nothing is told apart by colour alone: every face has a letter of its own, every mark a sign before
it, and the cursor is seen where a terminal shows no colours.
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
from demine.terminal.styled_text import TextStyle, printable_text

if TYPE_CHECKING:
    from demine.scene.colours import RGB
    from demine.scene.themes import Theme
    from demine.terminal.styled_text import Piece

ASCII: Final = "ascii"
"""The name of the setting that chooses between signs of Unicode and plain ones."""
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
}  # fmt: skip
"""What stands before a marked cell."""
CURSOR: Final = "["
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
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)


class CellState(NamedTuple):
    """Everything that decides how one cell is drawn."""

    face: Face
    look: Look = Look.PLAIN
    mark: Mark = Mark.NONE
    risk: int = UNKNOWN
    odd_square: bool = False
    """Whether it is a dark square of the chequered ground."""
    cursor: bool = False
    start: bool = False
    on_path: bool = False
    """Whether a pointer went here."""


class TerminalTheme:
    """One look: a theme, or no colours at all; letters of Unicode, or ASCII alone.

    `colours` is how many the terminal shows: 0 for none, 16, 256 or more.
    """

    def __init__(self, theme: Theme, *, colours: int, ascii_only: bool) -> None:
        self.theme = theme
        self.colours = colours
        self.ascii_only = ascii_only
        self._letters = _ASCII if ascii_only else _UNICODE
        self._cells: dict[CellState, Piece] = {}

    def printable(self, text: str) -> str:
        """Return words as this look may write them."""
        return printable_text(text, ascii_only=self.ascii_only)

    @property
    def ellipsis(self) -> str:
        """What ends words that are cut."""
        return "..." if self.ascii_only else "…"

    # Around the board

    @cached_property
    def plain(self) -> TextStyle:
        """Words around the board."""
        return self._text_style(self.theme.panel_text, self.theme.panel)

    @cached_property
    def bold(self) -> TextStyle:
        """Words that matter more."""
        return replace(self.plain, bold=True)

    @cached_property
    def button(self) -> TextStyle:
        """What can be clicked."""
        ground = mix(self.theme.panel, self.theme.panel_text, 0.12)
        return self._text_style(self.theme.panel_text, ground, reverse=not self.colours)

    @cached_property
    def field(self) -> TextStyle:
        """What a form's field holds."""
        return self.button if self.colours else self.plain

    @cached_property
    def chosen(self) -> TextStyle:
        """Where the keyboard is on a form."""
        return self._text_style(self.theme.cursor_halo, self.theme.cursor, reverse=not self.colours)

    @cached_property
    def edge(self) -> TextStyle:
        """The line around the board."""
        return self._text_style(self.theme.edge, self.theme.panel)

    @cached_property
    def counter(self) -> TextStyle:
        """The counters."""
        return self._text_style(self.theme.led_on, self.theme.led_back, bold=True)

    @cached_property
    def face(self) -> TextStyle:
        """The restart face."""
        return self._text_style(
            self.theme.smiley_line, self.theme.smiley, bold=True, reverse=not self.colours
        )

    @property
    def border_signs(self) -> tuple[str, ...]:
        """Top left, top right, bottom left, bottom right, across, down; then left, right, up, down.

        The last four stand where the board goes on beyond what is seen.
        """
        return tuple("++++-|<>^v" if self.ascii_only else "┌┐└┘─│<>^v")

    # The board

    def cell(self, spot: CellState) -> Piece:
        """Return two columns for a cell."""
        piece = self._cells.get(spot)
        if piece is None:
            if self.colours == 16:  # too few for a chequered ground
                spot = spot._replace(odd_square=False)
            piece = self._cells[spot] = self._cell_text(spot), self._cell_style(spot)
        return piece

    def _cell_text(self, spot: CellState) -> str:
        if spot.start and not spot.cursor:
            return START
        if spot.risk != UNKNOWN and spot.face in _COVERED and spot.face is not Face.FLAG:
            return "**" if spot.risk == 100 else f"{spot.risk:02d}"
        letter = self._letters[spot.face]
        if spot.face is Face.COVERED and not self._shows_dot(spot):
            letter = " "
        sign = SIGNS[spot.mark]
        if spot.on_path and sign == " " and not spot.cursor:
            sign = "." if self.ascii_only else "·"
        return (CURSOR if spot.cursor and sign == " " else sign) + letter

    def _shows_dot(self, spot: CellState) -> bool:
        """Whether a covered cell needs a letter, for want of colours."""
        return self.colours <= 16 and spot.look is not Look.PRESSED

    def _cell_style(self, spot: CellState) -> TextStyle:
        strong = spot.look is not Look.DIM and spot.face is not Face.COVERED
        if not self.colours:
            marked = spot.mark is not Mark.NONE
            shown = spot.risk != UNKNOWN and spot.face in _COVERED
            lined = marked or (shown and spot.odd_square)
            return TextStyle(bold=strong or marked, reverse=spot.cursor, underline=lined)
        style = self._background(spot)
        if spot.cursor:
            return replace(style, fg=self.theme.cursor_halo, bg=self.theme.cursor, bold=True)
        if spot.start:
            return replace(style, fg=self.theme.start, bg=self.theme.start_halo, bold=True)
        if spot.mark is Mark.BECAUSE:
            return replace(style, bg=self.theme.because_ground, bold=True, underline=True)
        if spot.mark is not Mark.NONE:
            return TextStyle(
                self._mark_colour(spot.mark), self.theme.mark_halo, bold=True, underline=True
            )
        # Two digits fill a cell: every other one is underlined, so that none is read across.
        lined = spot.odd_square and spot.risk != UNKNOWN and spot.face in _COVERED
        return replace(style, bold=strong, underline=lined)

    def _background(self, spot: CellState) -> TextStyle:
        look, theme, face = spot.look, self.theme, spot.face
        if spot.risk != UNKNOWN and face in _COVERED:
            ground = mix(
                theme.risks.colour_at(spot.risk), theme.mark_halo, 0.15 if spot.odd_square else 0.0
            )
            flag = theme.flag if face is Face.FLAG else _BLACK
            return TextStyle(_most_readable(ground, flag, _BLACK, _WHITE), ground)
        if look is Look.PRESSED:
            return TextStyle(theme.question, theme.pressed)
        if face in _COVERED:
            # What a bevel tells in a window, a lighter ground does here.
            light = (0.5 if theme.bevelled else 0.0) + (0.35 if spot.odd_square else 0.0)
            letter = theme.flag if face is Face.FLAG else theme.question
            if face is Face.COVERED:
                letter = theme.edge
            return TextStyle(letter, mix(theme.covered, theme.covered_light, light))
        if face is Face.BLOWN:
            return TextStyle(
                _most_readable(theme.blown, theme.mine, theme.burst, _WHITE), theme.blown
            )
        ground = mix(theme.opened, theme.grid, 0.3 if spot.odd_square else 0.0)
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
            Mark.ABOUT: theme.about,
            Mark.GUESS: theme.guess,
            Mark.MISTAKE: theme.mistake,
            Mark.MISSED: theme.missed,
        }[mark]

    def _text_style(
        self, fg: RGB, bg: RGB, *, bold: bool = False, reverse: bool = False
    ) -> TextStyle:
        if not self.colours:
            return TextStyle(bold=bold, reverse=reverse)
        return TextStyle(fg, bg, bold=bold, reverse=reverse)


def _most_readable(ground: RGB, *colours: RGB) -> RGB:
    """Return the first colour that can be read on a ground, else the one that can be read best."""
    readable = (colour for colour in colours if contrast(colour, ground) >= 4.5)
    return next(readable, max(colours, key=lambda colour: contrast(colour, ground)))
