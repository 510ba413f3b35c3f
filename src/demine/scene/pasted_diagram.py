"""Diagrams as people paste them: with borders or rulers, as emoji, in other programs' letters.

`demine.scene.diagram` is the exact form that demine writes. What is read here besides:

* the output of `demine hint` and `demine solve`, and a board of the terminal scene in its border;
* cells between bars, `|1|#| |`, where a blank is an opened cell without a number;
* emoji, also as `:one:`, and letters of full width;
* positions of JSMinesweeper: `30x16x99`, then rows of `H`, `F` and digits.

Squares such as 🟦 or `-` are covered cells; if there are two sorts, the sort for which the numbers
come out right is covered, and the other is open.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.errors import DemineError, TextError
from demine.logic.neighbours import count_around
from demine.logic.rules import PRESETS, Rules
from demine.scene.board_title import LEVELS
from demine.scene.cell_faces import Face
from demine.scene.diagram import FACE_LETTERS, MineCountMissing
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    Cells = list[str]
    """The signs of one row, a letter for each cell."""

_SAME_SIGNS: Final = {
    Face.ZERO: "0 ",
    Face.COVERED: "HhUu",
    Face.FLAG: "f⚑🚩⛳",
    Face.QUESTION: "❓❔",
    Face.MINE: "✱💣",
    Face.BLOWN: "✸💥",
    Face.WRONG: "✗❌❎",
}
"""What stands for a face besides its letter."""
_FACES: Final = {letter: Face(face) for face, letter in enumerate(FACE_LETTERS)} | {
    sign: face for face, signs in _SAME_SIGNS.items() for sign in signs
}
_COVERED: Final = frozenset({Face.COVERED, Face.FLAG, Face.QUESTION})
_SQUARES: Final = frozenset("-_■□▢▣▪▫◻◼◽◾⬛⬜🔲🔳🟥🟧🟨🟩🟦🟪🟫░▒▓█")
"""Signs that are covered cells in some texts and open ones in others."""
_MOST_SORTS: Final = 4
"""The most sorts of squares in one diagram; each may be covered or open."""
_MOST_LINES: Final = 1 << 14
_LONGEST_LINE: Final = 1 << 16
"""Enough for the largest board, with borders and with a risk in each cell."""
_NUMBER_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SHORTCODES: Final = {
    **{word: str(number) for number, word in enumerate(_NUMBER_WORDS)},
    "blue_square": "🟦",
    "green_square": "🟩",
    "white_large_square": "⬜",
    "black_large_square": "⬛",
    "triangular_flag_on_post": "🚩",
    "question": "❓",
    "bomb": "💣",
    "boom": "💥",
    "x": "❌",
}
_SHORTCODE: Final = re.compile(rf":({'|'.join(_SHORTCODES)}):")
_COMBINING: Final = str.maketrans(dict.fromkeys("\ufe0e\ufe0f\u20e3\u200b\u200d"))
"""Numbers in emoji are digits followed by two combining characters."""
_BARS: Final = re.compile("[|│┃║]")
_BORDER: Final = re.compile("[-+=|─━═│┃║┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬▄▀ ]+")
_SIZE: Final = re.compile(r"(?<!\d)(\d{1,9})\s*[x×*]\s*(\d{1,9})\s*[/,，x×]\s*(\d{1,9})(?!\d)")
_MINES: Final = re.compile(
    r"(?:mines|bombs|雷数?|💣)\s*[:：=]?\s*(\d{1,9})|(\d{1,9})\s*(?:mines|bombs|颗雷|💣)",
    re.IGNORECASE,
)
_RULES: Final = re.compile(r"\d+[x×*]\d+/\d+", re.ASCII | re.IGNORECASE)
_RISK: Final = re.compile(r"[<>]?\d{1,3}(?:\.\d+)?%|[a-zA-EG-Z+*]")
"""How `demine solve` writes a covered cell: its risk, or a letter that stands for it."""


class NoDiagram(TextError):
    """A text that is not meant as a diagram: too much in it is no face."""


class _Heading(NamedTuple):
    """What is said before the rows; None where nothing is."""

    rules: Rules | None = None
    mines: int | None = None


def parse_pasted(text: str, mines: SupportsIndex | None = None) -> tuple[Rules, NDArray[np.uint8]]:
    """Read a diagram; return the rules and a uint8 array `(height, width)` of `Face`.

    `mines` is the mine count if the text does not tell it, and counts more than what the text says.
    Raises `RulesError` for impossible rules, `MineCountMissing`, and `TextError` with the row and
    the column, counted from 1, of what is not a cell.
    """
    given = text.splitlines()
    if len(given) > _MOST_LINES or max(map(len, given), default=0) > _LONGEST_LINE:
        raise TextError(
            "a diagram has at most {most} lines of {longest} characters",
            most=_MOST_LINES,
            longest=_LONGEST_LINE,
        )
    lines = [_plain_line(line) for line in given if not line.startswith("```")]
    heading, rows = _read_labelled_rows(lines) or _read_rows(lines)
    _check_signs(rows)
    _check_widths(rows)
    faces = _to_faces(rows)
    height, width = faces.shape
    rules = _rules_of_board(heading, width, height, mines)
    if rules.shape != (height, width):
        raise TextError(
            "the diagram has {count} rows of {width} cells, the rules {rules}",
            count=height,
            width=width,
            rules=rules,
        )
    return rules, faces


def is_diagram(text: str) -> bool:
    """Whether a text is a diagram with a covered cell, whatever else may be wrong with it."""
    try:
        _, faces = parse_pasted(text, mines=1)
    except DemineError:
        return False
    return bool(((faces >= Face.COVERED) & (faces <= Face.QUESTION)).any())


def _plain_line(line: str) -> str:
    """Return a line with shortcodes, emoji digits and letters of full width made plain."""
    line = _SHORTCODE.sub(lambda found: _SHORTCODES[found[1]], line)
    return unicodedata.normalize("NFKC", line.translate(_COMBINING)).expandtabs(1).rstrip()


# The heading


def _rules_of_board(
    heading: _Heading, width: int, height: int, mines: SupportsIndex | None
) -> Rules:
    if heading.rules is not None and mines is None:
        return heading.rules
    count = heading.mines if mines is None else mines
    if count is None:
        raise MineCountMissing.of(width, height)
    rules = Rules(width, height, count)
    return rules if heading.rules is None else replace(heading.rules, mines=rules.mines)


def _read_heading(lines: Iterable[str]) -> _Heading:
    """Return the last rules, or else mine count, that any of the lines tells."""
    found = _Heading()
    for line in lines:
        said = _heading_of_line(line)
        found = said if said is not None and (said.rules or not found.rules) else found
    return found


def _heading_of_line(line: str) -> _Heading | None:
    """Return what a line says about the board; None for a line that may be a row.

    Raises `RulesError` for a size with impossible rules.
    """
    words = line.split()
    if words and (words[0].lower() in PRESETS or _RULES.fullmatch(words[0])):
        return _Heading(Rules.parse(line))
    size = _SIZE.search(line)
    if size is not None:
        width, height, mines = map(int, size.groups())
        return _Heading(Rules(width, height, mines))
    title = re.split("[:：,，]", line)[0].strip()
    level = next((rules for name, rules in LEVELS.items() if title in {name, tr(name)}), None)
    if level is not None:
        return _Heading(level)
    count = _MINES.fullmatch(line.strip())
    return None if count is None else _Heading(mines=int(count[1] or count[2]))


# The rows


def _read_labelled_rows(lines: Sequence[str]) -> tuple[_Heading, list[Cells]] | None:
    """Return the board below a ruler of column numbers, with a row number in each row.

    None without a ruler.
    """
    at = next((at for at, (ruler, row) in enumerate(pairwise(lines)) if _is_ruler(ruler, row)), -1)
    if at < 0:
        return None
    width = int(lines[at].split()[-1])
    rows: list[Cells] = []
    for number, line in enumerate(lines[at + 1 :], start=1):
        label, _, cells = line.strip().partition(" ")
        if label != str(number):
            break
        rows.append([_unmarked(word) for word in re.sub(r"[()\[\]]", " ", cells).split()])
        if len(rows[-1]) != width:
            raise _width_error(number - 1, len(rows[-1]), width)
    return _read_heading(lines[:at]), rows


def _is_ruler(line: str, next_line: str) -> bool:
    """Whether a line has the numbers of columns, and the next one the number of the first row."""
    words = line.split()
    if len(words) < 2 or not all(word.isdecimal() and len(word) < 6 for word in words):
        return False
    numbers = list(map(int, words))
    rising = all(left < right for left, right in pairwise(numbers))
    cells = re.sub(r"[()\[\]]", " ", next_line).split()
    return rising and numbers[0] == 1 and cells[:1] == ["1"] and len(cells) == numbers[-1] + 1


def _unmarked(word: str) -> str:
    """Return the sign of a cell that `demine solve` may have written as a risk."""
    known = word in FACE_LETTERS and word != "*"
    return FACE_LETTERS[Face.COVERED] if not known and _RISK.fullmatch(word) else word


def _read_rows(lines: Sequence[str]) -> tuple[_Heading, list[Cells]]:
    """Return the board of rows without numbers, after at most one line that tells of its rules."""
    lines = [line for line in lines if line.strip()]
    if not lines:
        raise TextError("it is empty")
    said = _heading_of_line(lines[0])
    rows = _without_border(lines if said is None else lines[1:])
    if not rows:
        raise TextError("it has no rows")
    return said or _Heading(), _split_rows(rows)


def _without_border(lines: Sequence[str]) -> list[str]:
    """Return the lines without the upper and lower border, and without sides of blocks."""
    barred = any(_BARS.search(line) for line in lines)
    blocks = bool(lines) and set(lines[0].strip()) == {"▄"}
    rows = [line for line in lines if not _is_border(line, barred)]
    if not blocks:
        return rows
    return ["|" + row.strip().removeprefix("█").removesuffix("█") + "|" for row in rows]


def _is_border(line: str, barred: bool) -> bool:
    """Whether a line has no cells; `-` alone may be covered cells, unless others have bars."""
    if not _BORDER.fullmatch(line):
        return False
    strokes = set(line) - set("|│┃║ ")
    return bool(strokes) and (barred or strokes != {"-"})


def _split_rows(lines: Sequence[str]) -> list[Cells]:
    """Return the cells of rows, which may stand between bars; there a blank is a cell."""
    if not all(_BARS.match(line.lstrip()) for line in lines):
        return [list("".join(line.split())) for line in lines]
    rows = [_BARS.split(line.strip())[1:] for line in lines]
    # The last bar may be missing.
    rows = [row if row[-1].strip() else row[:-1] for row in rows]
    if any(len(row) > 1 for row in rows):
        return [["".join(cell.split()) or " " for cell in row] for row in rows]
    return _split_by_columns(["".join(row) for row in rows])


def _split_by_columns(lines: Sequence[str]) -> list[Cells]:
    """Return the cells of lines in which every column is a cell, or every other one."""
    width = max(map(len, lines))
    filled = {at for line in lines for at, letter in enumerate(line) if letter != " "}
    spaced = width > 1 and len({at % 2 for at in filled}) == 1
    step = slice(min(filled) % 2, None, 2) if spaced else slice(None)
    return [list(line.ljust(width)[step]) for line in lines]


def _check_widths(rows: Sequence[Cells]) -> None:
    width = len(rows[0])
    for number, row in enumerate(rows):
        if len(row) != width:
            raise _width_error(number, len(row), width)


def _width_error(row: int, count: int, width: int) -> TextError:
    return TextError(
        "row {row} has {count} cells instead of {width}", row=row, count=count, width=width
    )


# The faces


def _check_signs(rows: Sequence[Cells]) -> None:
    """Raise `TextError` for the first sign that is no face, `NoDiagram` if a third are none."""
    signs = Counter(chain.from_iterable(rows))
    wrong = {sign for sign in signs if sign not in _FACES and sign not in _SQUARES}
    if not wrong:
        return
    error = TextError if 3 * sum(signs[sign] for sign in wrong) < signs.total() else NoDiagram
    row, col = next(
        (row, col)
        for row, line in enumerate(rows)
        for col, sign in enumerate(line)
        if sign in wrong
    )
    raise error(
        mark("row {row}, column {col}: {char!r} is not a face"),
        row=row,
        col=col,
        char=rows[row][col],
    )


def _to_faces(rows: Sequence[Cells]) -> NDArray[np.uint8]:
    signs = sorted({sign for row in rows for sign in row})
    places = {sign: place for place, sign in enumerate(signs)}
    table = np.array([[places[sign] for sign in row] for row in rows], dtype=np.uint8)
    return _settle_squares(table, signs)


def _settle_squares(table: NDArray[np.uint8], signs: Sequence[str]) -> NDArray[np.uint8]:
    """Return the faces with the fewest sorts of squares covered for which the numbers are right.

    `table` has the place of each cell's sign in `signs`.
    """
    squares = [sign for sign in signs if sign in _SQUARES]
    certain = any(_FACES.get(sign) in _COVERED for sign in signs)
    if not squares and not certain and "." in signs:
        # A board always has a covered cell, so the points must be what is covered.
        squares = ["."]
    if len(squares) > _MOST_SORTS:
        raise TextError("it has {count} sorts of squares: write # and .", count=len(squares))
    if len(squares) <= 1 and not certain:
        return _faces_with(table, signs, squares)
    for count in range(0 if certain else 1, len(squares) + 1):
        tried = [_faces_with(table, signs, covered) for covered in combinations(squares, count)]
        fitting = [each for each in tried if _fits(each)]
        if len(fitting) > 1:
            raise TextError(
                "which of {signs} are covered cells cannot be told: write # and .",
                signs=" ".join(squares),
            )
        if fitting:
            return fitting[0]
    # The numbers are wrong whatever is covered, which is for the solver to say.
    return _faces_with(table, signs, squares)


def _faces_with(
    table: NDArray[np.uint8], signs: Sequence[str], covered: Iterable[str]
) -> NDArray[np.uint8]:
    """Return the faces if of the squares only those `covered` are."""
    faces = {**_FACES, **dict.fromkeys(covered, Face.COVERED)}
    found: NDArray[np.uint8] = np.array(
        [faces.get(sign, Face.ZERO) for sign in signs], dtype=np.uint8
    )[table]
    return found


def _fits(faces: NDArray[np.uint8]) -> bool:
    """Whether every number has as many covered cells around it as it needs, and 0 has none."""
    around = count_around(faces > Face.EIGHT)
    opened = faces <= Face.EIGHT
    return bool(((around >= faces) & ((faces > 0) | (around == 0)))[opened].all())
