"""The action in the answer of a language model."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from typing import Final, NamedTuple

from demine.logic.errors import DemineError
from demine.logic.event import Verb

MOST_READ: Final = 1 << 14
"""How many characters of an answer are read, the last ones."""
EXAMPLE: Final = "open 3 4"
"""An action as sentences show it."""
WORDS: Final = {
    Verb.OPEN: ("open", "reveal", "打开"),
    Verb.FLAG: ("flag", "插旗"),
    Verb.CHORD: ("chord", "双击"),
}
"""The words for each verb, the one that instructions use first."""
_VERBS: Final = {word: verb for verb, words in WORDS.items() for word in words}
_VERB: Final = rf"(?<![a-z])(?P<verb>{'|'.join(_VERBS)})(?![a-z])"
_OTHER_NUMBER: Final = "½"
"""Stands for every number that is not written with the digits 0 to 9."""
_GAP: Final = rf"[^a-z0-9\n{_OTHER_NUMBER}]{{0,12}}"
_GAP_WITHOUT_COL: Final = _GAP.replace("[^", "[^列")
_NUMBER: Final = r"(?<![-.0-9])(?P<{name}>[0-9]{{1,9}})(?![0-9])"
_BEFORE_ROW: Final = rf"(?:(?:the|cell|at|row|r){_GAP_WITHOUT_COL}){{0,4}}"
_NOT_A_COL: Final = r"(?!\s{0,4}列)"
_BEFORE_COL: Final = rf"(?:(?:and|column|col|c){_GAP}){{0,2}}"
_NOT_A_ROW: Final = r"(?!\s{0,4}(?:row(?![a-z])|行))"
_NO_MORE_NUMBERS: Final = (
    rf"(?!(?:[a-z_]{{1,12}}|[^\S\n]|[,，、/]){{0,4}}[-+]?[.]?[0-9{_OTHER_NUMBER}])"
)
_ACTION: Final = re.compile(
    _VERB + _GAP_WITHOUT_COL + _BEFORE_ROW + _NUMBER.format(name="row") + _NOT_A_COL
    + _GAP + _BEFORE_COL + _NUMBER.format(name="col") + _NOT_A_ROW + _NO_MORE_NUMBERS,
    re.IGNORECASE,
)  # fmt: skip
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_ANY_VERB: Final = re.compile(_VERB, re.IGNORECASE)


class AnswerError(DemineError, ValueError):
    """An answer in which no action can be read; the message says how to write one.

    >>> from demine.envs.text import read_action
    >>> read_action("I give up.")
    Traceback (most recent call last):
    demine.envs.text.answer.AnswerError: there is no action in it; write one such as open 3 4
    """


class TextAction(NamedTuple):
    """An action as it is written; `row` and `col` count from 0, in the text from 1.

    >>> from demine.envs.text import read_action
    >>> action = read_action("flag 3 4")
    >>> action.row, action.col, str(action)
    (2, 3, 'flag 3 4')
    """

    verb: Verb
    row: int
    col: int

    def __str__(self) -> str:
        return f"{WORDS[self.verb][0]} {self.row + 1} {self.col + 1}"


def read_action(answer: str) -> TextAction:
    r"""Return the last action in an answer; raises `AnswerError` if there is none.

    An action is a verb (open, flag or chord), a row and a column, on one line; the numbers count
    from 1. Between these may be signs, spaces, and the words cell, row and column; the row comes
    first. Only the last 16 384 characters are read.

    >>> from demine.envs.text import read_action
    >>> [str(read_action(each)) for each in (
    ...     "Not open 1 1 but **open(3, 4)**", r"\boxed{Flag row 3, column 4}",
    ...     '{"action": "chord", "row": 3, "col": 4}')]
    ['open 3 4', 'flag 3 4', 'chord 3 4']
    """
    read = _NOT_ASCII.sub(_plain, answer[-MOST_READ:])
    found = deque(_ACTION.finditer(read), maxlen=1)
    if not found:
        if _ANY_VERB.search(read):
            raise AnswerError(
                "an action needs a row and a column after its verb, as in {example}",
                example=EXAMPLE,
            )
        raise AnswerError("there is no action in it; write one such as {example}", example=EXAMPLE)
    match = found.pop()
    verb = _VERBS[match["verb"].lower()]
    return TextAction(verb, int(match["row"]) - 1, int(match["col"]) - 1)


def _plain(character: re.Match[str]) -> str:
    """Return the one sign that stands for all minus signs, or for all numbers of other scripts."""
    found = character[0]
    if found.isnumeric():
        return _OTHER_NUMBER
    is_minus = unicodedata.category(found) == "Pd" or "MINUS" in unicodedata.name(found, "")
    return "-" if is_minus else found
