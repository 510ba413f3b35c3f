"""Layouts, that is where the mines are: dealt, checked, packed and written as text."""

from __future__ import annotations

import base64
import binascii
import operator
from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demine.logic import pcg64
from demine.logic.errors import LayoutError, RulesError, quoted
from demine.logic.neighbours import block_around
from demine.logic.rules import First, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SEED: Final = 2**128
_CHUNK = 1 << 16
_SMALL_BOARD: Final = 1000
"""The most cells whose keys plain Python draws sooner than NumPy's generator is imported."""
_boards_without_import: Final = iter(range(16))
"""One for each time that this is done: who deals more boards is faster with NumPy's generator."""
_IN_ROWS: Final = np.zeros(256, np.bool_)
_IN_ROWS[list(b"*.012345678\n")] = True
_NEVER = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def deal(rules: Rules, seed: int, first: tuple[int, int] | None = None) -> NDArray[np.bool_]:
    """Return a random mine map, uniform over the layouts that the first click allows.

    Every cell draws a 64-bit key and the cells with the smallest keys become mines, so the work is
    the same at any density, and no layout has to be rejected. Returns a bool array of shape
    `(height, width)`. The keys are the raw stream of PCG64, which NumPy keeps stable across
    versions, so a seed gives the same board everywhere; with another first click, a seed gives the
    same mines except those that have to make room. `first` is `(row, col)`, or None for no promise.
    Raises `LayoutError` for an invalid seed or a first click outside the board, and `RulesError`
    for guess-free rules, which need a solver.
    """
    if rules.guess_free:
        raise RulesError("guess-free boards need the solver to lay them")
    seed = checked_seed(seed)
    mine_map = np.zeros(rules.cells, dtype=np.bool_)
    free = guaranteed_safe_cells(rules, first)
    if rules.mines:
        bar = _highest_mine_key(rules, seed, free)
        begin = 0
        for keys in _key_chunks(seed, rules.cells):
            np.less_equal(keys, bar, out=mine_map[begin : begin + keys.size])
            begin += keys.size
        mine_map[free] = False
        # Of equal keys, once in about 10^12 boards of the largest size, the first ones count.
        mine_map[np.flatnonzero(mine_map)[rules.mines :]] = False
    return mine_map.reshape(rules.shape)


def game_seed(seed: int, index: int) -> int:
    """Return the seed of one board of many, which `demine play RULES --seed` deals too.

    Boards of different `seed`s differ, as there are fewer than 2**64 of each.
    """
    return seed << 64 | index


def guaranteed_safe_cells(rules: Rules, first: tuple[int, int] | None) -> NDArray[np.intp]:
    """Return the flat indices that the rules keep free of mines for a first click.

    None of them if there is no first click, or if the rules promise nothing about it.
    """
    if first is None:
        return np.empty(0, dtype=np.intp)
    row, col = checked_cell(rules, first)
    if rules.first is First.ANY:
        return np.empty(0, dtype=np.intp)
    if rules.first is First.SAFE:
        return np.array([row * rules.width + col], dtype=np.intp)
    rows, cols = block_around(row, col, rules.height, rules.width)
    grid = np.arange(rows.start, rows.stop)[:, None] * rules.width
    return (grid + np.arange(cols.start, cols.stop)).ravel()


def checked_cell(rules: Rules, cell: tuple[int, int]) -> tuple[int, int]:
    """Return a cell as plain integers; raises `LayoutError` for one outside the board."""
    try:
        row, col = map(operator.index, cell)
    except (TypeError, ValueError):
        raise LayoutError("a cell is a row and a column, not {cell}", cell=quoted(cell)) from None
    if not (0 <= row < rules.height and 0 <= col < rules.width):
        raise LayoutError(
            "row {row}, column {col} is outside the {width}x{height} board",
            row=row,
            col=col,
            width=rules.width,
            height=rules.height,
        )
    return row, col


def keeps_first_click_promise(
    rules: Rules, mine_map: NDArray[np.bool_], first: tuple[int, int]
) -> bool:
    """Return whether a mine map keeps free what the rules promise for a first click."""
    return not mine_map.ravel()[guaranteed_safe_cells(rules, first)].any()


def checked_seed(seed: SupportsIndex) -> int:
    """Return a seed as a plain integer, 0 <= seed < 2**128; raises `LayoutError`."""
    try:
        number = int(operator.index(seed))
    except TypeError:
        number = -1
    if not 0 <= number < MAX_SEED:
        if number.bit_length() > 256:  # Python refuses to write very long numbers
            raise LayoutError("a seed is a whole number from 0 up to 2**128 - 1")
        raise LayoutError(
            "a seed is a whole number from 0 up to 2**128 - 1, not {seed}", seed=quoted(seed)
        )
    return number


def _highest_mine_key(rules: Rules, seed: int, free: NDArray[np.intp]) -> np.uint64:
    keys = np.empty(rules.cells, dtype=np.uint64)
    begin = 0
    for chunk in _key_chunks(seed, rules.cells):
        keys[begin : begin + chunk.size] = chunk
        begin += chunk.size
    keys[free] = _NEVER
    # In place: the keys are drawn again afterwards, which keeps the peak at 8 bytes a cell.
    keys.partition(rules.mines - 1)
    return np.uint64(keys[rules.mines - 1])


def random_keys(seed: int, count: int) -> NDArray[np.uint64]:
    """Return the first keys of a seed, which decide where the mines are."""
    from numpy.random import PCG64

    return PCG64(seed).random_raw(count)


def _key_chunks(seed: int, count: int) -> Iterator[NDArray[np.uint64]]:
    if count <= _SMALL_BOARD and next(_boards_without_import, None) is not None:
        yield np.array(pcg64.raw_numbers(seed, count), np.uint64)
        return
    from numpy.random import PCG64

    stream = PCG64(seed)
    for begin in range(0, count, _CHUNK):
        yield stream.random_raw(min(_CHUNK, count - begin))


def checked_mine_map(rules: Rules, mine_map: ArrayLike) -> NDArray[np.bool_]:
    """Return a read-only bool copy of a mine map; raises `LayoutError` if it breaks the rules."""
    mines = as_bool_array(mine_map)
    if mines.shape != rules.shape:
        raise LayoutError(
            "the layout has shape {shape}, but the rules {rules} need {needed}",
            shape=mines.shape,
            rules=rules,
            needed=rules.shape,
        )
    count = int(np.count_nonzero(mines))
    if count != rules.mines:
        raise LayoutError(
            "the layout has {count} mines, the rules {rules}", count=count, rules=rules
        )
    return mines


def as_bool_array(mine_map: ArrayLike) -> NDArray[np.bool_]:
    """Return a read-only bool copy of an array of any shape; raises `LayoutError` if it is none."""
    try:
        mines = np.array(mine_map, dtype=np.bool_, order="C", copy=True)
    except (TypeError, ValueError, RuntimeError):  # nested too deeply, or a foreign object's code
        raise LayoutError("{value} is not a mine map", value=quoted(mine_map)) from None
    mines.flags.writeable = False
    return mines


def as_mine_maps(mine_maps: ArrayLike) -> NDArray[np.bool_]:
    """Return a stack of mine maps, bool `(boards, height, width)`; raises `LayoutError`."""
    maps = np.asarray(mine_maps)
    if maps.dtype != np.bool_ or maps.ndim != 3 or not maps.size:
        raise LayoutError(
            "mine maps are booleans of boards, rows and columns, not {kind} of shape {shape}",
            kind=maps.dtype,
            shape=maps.shape,
        )
    return maps


def pack_mine_map(mine_map: NDArray[np.bool_]) -> str:
    """Return a mine map as URL-safe text: one bit a cell, row by row, base 64 without padding."""
    bits = np.packbits(mine_map.ravel()).tobytes()
    return base64.urlsafe_b64encode(bits).decode("ascii").rstrip("=")


def unpack_mine_map(text: str, height: int, width: int) -> NDArray[np.bool_]:
    """Return the mine map that `pack_mine_map` wrote; raises `LayoutError` if the text is wrong."""
    cells = height * width
    length = -(-cells // 8)
    if len(text) != -(-length * 4 // 3):
        raise LayoutError(
            "a packed layout of {width}x{height} has {needed} characters, not {length}",
            width=width,
            height=height,
            needed=-(-length * 4 // 3),
            length=len(text),
        )
    try:
        bits = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise LayoutError("a packed layout holds letters, digits, - and _ only") from None
    beyond = bits[-1] & (1 << -cells % 8) - 1
    # The last letter may have bits that belong to no byte.
    if beyond or base64.urlsafe_b64encode(bits).decode("ascii").rstrip("=") != text:
        raise LayoutError("the packed layout has bits beyond its last cell")
    mine_map = np.unpackbits(np.frombuffer(bits, np.uint8), count=cells)
    return mine_map.view(np.bool_).reshape(height, width)


def format_layout(rules: Rules | str, mine_map: ArrayLike) -> str:
    """Return a layout as text: the rules, then rows of `*` for a mine and `.` for a safe cell.

    >>> import demine
    >>> print(demine.format_layout("4x2/2", demine.make("4x2/2", seed=1)), end="")
    4x2/2
    ..*.
    *...
    """
    rules = Rules.of(rules)
    rows = np.where(checked_mine_map(rules, mine_map), "*", ".")
    return "\n".join([str(rules), *("".join(row) for row in rows)]) + "\n"


def parse_layout(text: str) -> tuple[Rules, NDArray[np.bool_]]:
    r"""Parse a layout: `*` is a mine, `.` and digits are safe, spaces between cells are allowed.

    Raises `RulesError` for its first line, `LayoutError` with the line number for the others.

    >>> import demine
    >>> rules, mine_map = demine.parse_layout("4x1/1\n...*")
    >>> rules.mines, mine_map.tolist()
    (1, [[False, False, False, True]])
    """
    head, _, body = _plain_lines(text.strip()).partition("\n")
    rules = Rules.parse(head)
    cells = np.frombuffer(body.encode("ascii", "replace") + b"\n", np.uint8)
    ends = np.flatnonzero(cells == ord("\n"))
    count = ends.size if body else 0
    if count != rules.height:
        raise LayoutError(
            "the layout has {count} rows, the rules {rules}", count=count, rules=rules
        )
    _check_rows(body, cells, ends, rules)
    is_mine: NDArray[np.bool_] = cells.reshape(rules.height, rules.width + 1)[:, :-1] == ord("*")
    return rules, checked_mine_map(rules, is_mine)


def _plain_lines(text: str) -> str:
    """Return a text with Unix line ends, and no spaces after its first line."""
    for char in set(text):
        if char != "\n" and len(f"0{char}0".splitlines()) > 1:
            text = text.replace(f"{char}\n", "\n").replace(char, "\n")
    head, end, body = text.partition("\n")
    for char in set(body):
        if char != "\n" and char.isspace():
            body = body.replace(char, "")
    return head + end + body


def _check_rows(body: str, cells: NDArray[np.uint8], ends: NDArray[np.intp], rules: Rules) -> None:
    """Raise `LayoutError` for the first invalid row; their number is right already."""
    strange = np.flatnonzero(~_IN_ROWS[cells])[:1]
    at = int(np.searchsorted(ends, strange[0])) if strange.size else rules.height
    lengths = np.diff(ends, prepend=-1) - 1
    wrong = np.flatnonzero(lengths != rules.width)[:1]
    if strange.size and not (wrong.size and wrong[0] < at):
        raise LayoutError(
            "line {line}: {char!r} is neither * nor . nor a digit",
            line=at + 2,
            char=body[int(strange[0])],
        )
    if wrong.size:
        raise LayoutError(
            "line {line} has {count} cells, the rules {rules}",
            line=int(wrong[0]) + 2,
            count=int(lengths[wrong[0]]),
            rules=rules,
        )
