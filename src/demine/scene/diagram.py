"""Diagrams: scene boards as text, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from demine.logic.errors import TextError
from demine.logic.rules import Rules
from demine.scene.board_title import LEVELS
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

FACE_LETTERS: Final = ".12345678#F?*X!"
"""The letter of each face, in the order of `Face`."""
ROW_END: Final = "/"
"""What stands between the rows of a position in one line."""
_FACES: Final = {letter: face for face, letter in enumerate(FACE_LETTERS)} | {"0": Face.ZERO}
_LETTER_CODES: Final = np.frombuffer(FACE_LETTERS.encode("ascii"), np.uint8)
_NO_FACE: Final = 255
_FACE_OF_CODE: Final = np.array(
    [_FACES.get(chr(code), _NO_FACE) for code in range(256)], dtype=np.uint8
)


class MineCountMissing(TextError):
    """A diagram that does not tell how many mines its board has."""

    @classmethod
    def of(cls, width: int, height: int) -> Self:
        """Return the error for a board of that size."""
        level = next((each for each in LEVELS.values() if each.shape == (height, width)), None)
        return cls(
            "it does not tell how many mines there are: begin it with a line such as {rules}",
            rules=str(level) if level else f"{width}x{height}/{max(1, width * height // 6)}",
        )


def format_scene(rules: Rules | str, scene: ArrayLike) -> str:
    """Write a diagram: a line of rules, then a line for each row, with spaces between cells.

    `scene` holds `Face` values, shape (height, width). Raises `TextError` when it does not match
    the rules.

    >>> import demine
    >>> print(demine.format_scene("3x1/1", [[1, 9, 9]]), end="")
    3x1/1
    1 # #
    """
    rules, faces = Rules.of(rules), np.asarray(scene)
    if faces.shape != rules.shape:
        raise TextError(
            "the scene has shape {shape}, but the rules {rules} need {needed}",
            shape=faces.shape,
            rules=rules,
            needed=rules.shape,
        )
    if faces.dtype.kind not in "iu" or faces.min() < 0 or faces.max() > Face.WRONG:
        raise TextError("a scene holds faces from 0 to {last}", last=int(Face.WRONG))
    letters = np.array(list(FACE_LETTERS))[faces]
    return "\n".join([str(rules), *(" ".join(row) for row in letters)]) + "\n"


def parse_scene(text: str, mines: SupportsIndex | None = None) -> tuple[Rules, NDArray[np.uint8]]:
    r"""Read a diagram; return the rules and a uint8 array of `Face`.

    The letters are `#` covered, `F` flag, `?` question mark, `.` or digits opened, `*` mine, `X`
    blown mine and `!` wrong flag; spaces between them are optional. The first line is the rules,
    unless `mines` is given, which counts more. Raises `RulesError` for impossible rules,
    `MineCountMissing` for rows alone, and `TextError` with the number of a line that is no row.

    >>> import demine
    >>> rules, scene = demine.parse_scene("4x1/1\n. 1 # F")
    >>> scene.tolist()
    [[0, 1, 9, 10]]
    """
    heading, *_ = text.strip().splitlines() or [""]
    lines = ["".join(line.split()) for line in text.strip().splitlines()]
    has_head = not (lines and _FACES.keys() >= set(lines[0]))
    if has_head:
        rules = Rules.parse(heading)
        rules = rules if mines is None else replace(rules, mines=Rules(*rules.shape, mines).mines)
        del lines[0]
    elif mines is None:
        raise MineCountMissing.of(len(lines[0]), len(lines))
    else:
        rules = Rules(len(lines[0]), len(lines), mines)
    if len(lines) != rules.height:
        raise TextError(
            "the diagram has {count} rows, the rules {rules}", count=len(lines), rules=rules
        )
    rows = [_parse_row(line, number, rules) for number, line in enumerate(lines, 1 + has_head)]
    return rules, np.array(rows, dtype=np.uint8)


def _parse_row(letters: str, number: int, rules: Rules) -> list[int]:
    for letter in letters:
        if letter not in _FACES:
            raise TextError("line {line}: {char!r} is not a face", line=number, char=letter)
    if len(letters) != rules.width:
        raise TextError(
            "line {line} has {count} cells, the rules {rules}",
            line=number,
            count=len(letters),
            rules=rules,
        )
    return [int(_FACES[letter]) for letter in letters]


def format_position(scene: NDArray[np.uint8]) -> str:
    """Write a scene board as one word: the letters of each row, with `/` between the rows."""
    height, width = scene.shape
    letters = np.full((height, width + 1), ord(ROW_END), np.uint8)
    letters[:, :width] = _LETTER_CODES[scene]
    return letters.tobytes()[:-1].decode("ascii")


def parse_position(text: str, rules: Rules) -> NDArray[np.uint8]:
    """Read what `format_position` writes; return a new uint8 array `(height, width)` of `Face`.

    `0` is read as `.`. Raises `TextError`; it counts rows from 0, as programs do.
    """
    rows = text.split(ROW_END)
    if len(rows) != rules.height:
        raise TextError(
            "the position has {count} rows, the rules {rules}", count=len(rows), rules=rules
        )
    for index, letters in enumerate(rows):
        if len(letters) != rules.width:
            raise TextError(
                "row {index} of the position has {count} cells, the rules {rules}",
                index=index,
                count=len(letters),
                rules=rules,
            )
    codes = np.frombuffer("".join(rows).encode("utf-32-le", "surrogatepass"), np.uint32)
    faces = _FACE_OF_CODE[np.minimum(codes, 255)].reshape(rules.shape)
    if (wrong := faces == _NO_FACE).any():
        index, at = divmod(int(np.flatnonzero(wrong)[0]), rules.width)
        raise TextError(
            "row {index} of the position: {char!r} is not a face", index=index, char=rows[index][at]
        )
    return faces
