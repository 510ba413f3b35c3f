"""Reads the event lines of most RawVF files, with the same result as `replay.formats.rawvf`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.kernels.marks import inlined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What a word of the table stands for.
MOUSE: Final = 0
CHANGE: Final = 1
NUMBERED_CHANGE: Final = 2
GAME: Final = 3
# Indices of `found`.
CHANGES: Final = 0
SAYS_ENDING: Final = 1

_BITS: Final = 5
_LONGEST_WORD: Final = 12
_LONGEST_NUMBER: Final = 7
_MOST_AROUND: Final = 8
_BEFORE_A: Final = ord("a") - 1
_Z: Final = ord("z")
_ZERO: Final = ord("0")
_NINE: Final = ord("9")
_LINE_END: Final = ord("\n")
_RETURN: Final = ord("\r")
_SPACE: Final = ord(" ")
_MINUS: Final = ord("-")
_POINT: Final = ord(".")
_BRACKET: Final = ord("(")
_END_BRACKET: Final = ord(")")


def number_of_word(word: bytes) -> int:
    """Return up to 12 small letters as a number, five bits each."""
    number = 0
    for letter in word:
        number = number << _BITS | letter - _BEFORE_A
    return number


def read_event_lines(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - kernels hold nothing
    data: NDArray[np.uint8], words: NDArray[np.int64], height: int, width: int,
    t: NDArray[np.int64], signal: NDArray[np.uint8], x: NDArray[np.int32], y: NDArray[np.int32],
    after: NDArray[np.int64], row: NDArray[np.int32], col: NDArray[np.int32],
    look: NDArray[np.uint8], found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write the mouse events into columns; return their number, or -1 for lines to read plainly.

    These are invalid lines, lines with other gaps than one space, and those about anything but
    events, changes of the board, start and end. The data ends with the end of a line. `words` has a
    number, a meaning and a code for each word. The columns must have room for every line; the last
    four get the changes of the board, and how many events came before each. `found` gets their
    number, and whether a line says that the game ended.
    """
    at = count = changes = ended = 0
    while at < data.size:
        if data[at] == _LINE_END or data[at] == _RETURN:
            at = _after_line(data, at)
            if at < 0:
                return -1
            continue
        timed = data[at] == _MINUS or _ZERO <= data[at] <= _NINE
        ms = 0
        if timed:
            ms, at = _time(data, at)
        word, at = _word(data, at)
        if at < 0:
            return -1
        if data[at] == _SPACE and timed:
            code = _code(words, word, MOUSE)
            at += 1
            left = up = False
            if data[at] != _BRACKET:
                left = data[at] == _MINUS
                _, at = _signed(data, at)
                at = _after(data, at, _SPACE)
                up = at >= 0 and data[at] == _MINUS
                _, at = _signed(data, at)
                at = _after(data, at, _SPACE)
            at = _after(data, at, _BRACKET)
            # So there are fewer kinds of lines than a file may have.
            left = left and data[at] != _MINUS
            across, at = _signed(data, at)
            at = _after(data, at, _SPACE)
            up = up and data[at] != _MINUS
            down, at = _signed(data, at)
            at = _after_line(data, _after(data, at, _END_BRACKET))
            if at < 0 or code < 0 or left or up or (count > 0 and ms < t[count - 1]):
                return -1
            t[count], signal[count], x[count], y[count] = ms, code, across, down
            count += 1
        elif data[at] == _LINE_END or data[at] == _RETURN:
            code = _code(words, word, GAME)
            at = _after_line(data, at)
            if at < 0 or code < 0:
                return -1
            ended |= code
        else:
            code = _code(words, word, CHANGE)
            if data[at] != _SPACE:
                code = _code(words, word, NUMBERED_CHANGE)
                number, at = _unsigned(data, at)
                code = number if code == 0 and number <= _MOST_AROUND else -1
            first, at = _unsigned(data, _after(data, at, _SPACE))
            second, at = _unsigned(data, _after(data, at, _SPACE))
            at = _after_line(data, at)
            inside = 1 <= first <= width and 1 <= second <= height
            if at < 0 or code < 0 or timed or not inside:
                return -1
            after[changes], row[changes] = count, second - 1
            col[changes], look[changes] = first - 1, code
            changes += 1
    found[CHANGES], found[SAYS_ENDING] = changes, ended
    return count


# Each takes the offset at which something should stand, and returns the one after it; -1 if
# something else stands there, or if that was -1 already.


@inlined
def _after(data: NDArray[np.uint8], at: int, byte: int) -> int:
    if at < 0 or data[at] != byte:
        return -1
    return at + 1


@inlined
def _after_line(data: NDArray[np.uint8], at: int) -> int:
    if at >= 0 and data[at] == _RETURN:
        at += 1
    return _after(data, at, _LINE_END)


@inlined
def _unsigned(data: NDArray[np.uint8], at: int) -> tuple[int, int]:
    number, begin = 0, at
    while at >= 0 and _ZERO <= data[at] <= _NINE:
        number = 10 * number + int(data[at]) - _ZERO
        at += 1
        if at - begin > _LONGEST_NUMBER:
            return 0, -1
    return number, at if at > begin else -1


@inlined
def _signed(data: NDArray[np.uint8], at: int) -> tuple[int, int]:
    minus = at >= 0 and data[at] == _MINUS
    number, at = _unsigned(data, at + 1 if minus else at)
    return -number if minus else number, at


@inlined
def _time(data: NDArray[np.uint8], at: int) -> tuple[int, int]:
    """Return a time of two or three decimals in ms, and the offset after the space behind it."""
    minus = data[at] == _MINUS
    seconds, at = _unsigned(data, at + 1 if minus else at)
    begin = _after(data, at, _POINT)
    part, at = _unsigned(data, begin)
    if at - begin == 2:
        part *= 10
    elif at - begin != 3:
        at = -1
    ms = 1000 * seconds + part
    return -ms if minus else ms, _after(data, at, _SPACE)


@inlined
def _word(data: NDArray[np.uint8], at: int) -> tuple[int, int]:
    """Return small letters as `number_of_word` does."""
    number, begin = 0, at
    while at >= 0 and _BEFORE_A < data[at] <= _Z:
        number = number << _BITS | int(data[at]) - _BEFORE_A
        at += 1
        if at - begin > _LONGEST_WORD:
            return 0, -1
    return number, at


@inlined
def _code(words: NDArray[np.int64], number: int, meaning: int) -> int:
    """Return the code of a word that has this meaning, -1 if there is none."""
    for entry in range(0, words.size, 3):
        if words[entry] == number and words[entry + 1] == meaning:
            return int(words[entry + 2])
    return -1
