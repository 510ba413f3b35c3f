"""Whatever the constructors are given, what is wrong is said in one line by a `DemineError`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import demine
from demine.logic.daily_board import Daily
from demine.logic.errors import DemineError, quoted
from demine.logic.event import Act, Lay, Touch
from demine.logic.rules import EXPERT, Rules
from demine.scene.translation import Catalogue
from tests.outside import EVERY, EVIL, acting


class Unwritable:
    """What fails at whatever it is asked."""

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __bool__(self) -> bool:
        raise RuntimeError("no")


DEEP: Final[list[Any]] = []
for _ in range(100_000):
    DEEP = [DEEP]  # type: ignore[misc]
HOSTILE: Final[tuple[Any, ...]] = (
    None, "x", "", EVIL, *EVERY, -1, 2**70, 10**5000, 1.5, float("nan"), True, b"x", [1], [], {},
    {"a": [1]}, {1: 2}, {EVIL: EVIL}, {EVIL: [EVIL]}, {"a": Unwritable()}, (1,), (1, 2, 3), (-1, 0),
    ("a", "b"), (10**30, 0), (10**5000, 0), object(), np.array([1, 2]), np.zeros((9, 9)), np.nan,
    np.bool_(True), Unwritable(), [Unwritable()], DEEP, (DEEP, DEEP), len, set(), range(3), Rules,
    EXPERT, dt.date(2026, 11, 21), dt.timedelta(1), ...,
)  # fmt: skip
RULES: Final[dict[str, Any]] = {"width": 9, "height": 9, "mines": 10}
ACT: Final[dict[str, Any]] = {"t": 0, "verb": "open", "row": 0, "col": 0}
TOUCH: Final[dict[str, Any]] = {"t": 0, "button": "left", "action": "press", "x": 0, "y": 0}
LAY: Final[dict[str, Any]] = {"t": 0, "mine_map": np.zeros((2, 2), np.bool_)}
DAILY: Final[dict[str, Any]] = {"day": dt.date(2026, 11, 21), "level": "beginner"}
GAME: Final[dict[str, Any]] = {"rules": "9x9/10", "seed": 7}
MAKERS: Final[dict[str, tuple[Callable[..., Any], dict[str, Any], tuple[str, ...]]]] = {
    "Game": (demine.Game, GAME, ("rules", "seed", "origin", "start", "facts", "dealer")),
    "Rules": (Rules, RULES, (*RULES, "first", "goal", "flags", "guess_free")),
    "Rules.parse": (Rules.parse, {}, ("text",)),
    "Rules.of": (Rules.of, {}, ("rules",)),
    "Board": (demine.Board, {}, ("rules",)),
    "Act": (Act, ACT, tuple(ACT)),
    "Touch": (Touch, TOUCH, tuple(TOUCH)),
    "Lay": (Lay, LAY, tuple(LAY)),
    "Daily": (Daily, DAILY, tuple(DAILY)),
    "Daily.parse": (Daily.parse, {}, ("text",)),
    "Game.from_share": (demine.Game.from_share, {}, ("code",)),
}
act: Callable[..., Any] = Act
board: Callable[..., Any] = demine.Board
daily: Callable[..., Any] = Daily
PARAMETERS: Final = [(maker, name) for maker, (_, _, names) in MAKERS.items() for name in names]


def game(**changes: Any) -> Any:
    return demine.Game(**{**GAME, **changes})


def rules(**changes: Any) -> Any:
    return Rules(**{**RULES, **changes})


@pytest.mark.parametrize(("maker", "name"), PARAMETERS)
def test_a_wrong_argument_is_told_of_in_one_line(maker: str, name: str) -> None:
    make, usual, _ = MAKERS[maker]
    chinese = Catalogue("zh_CN")
    refused = 0
    for value in HOSTILE:
        try:
            make(**{**usual, name: value})
        except DemineError as error:
            refused += 1
            for said in (str(error), chinese.explain(error)):
                assert (said.splitlines()[1:], acting(said)) == ([], [])
                assert 0 < len(said) < 400
    assert refused > len(HOSTILE) // 2 or name in {"dealer", "facts"}


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: game(origin="x"), "'x' is not an origin of a game: use fresh, seed,"),
        (lambda: game(facts=[1]), "facts must be a dict by name, not [1]"),
        (lambda: game(facts=[]), "facts must be a dict by name, not []"),
        (lambda: game(dealer=7), "7 cannot lay mines: it is not callable"),
        (lambda: game(start=(9, 0)), "row 10, column 1 is outside the 9x9 board"),
        (lambda: game(rules=7), "7 is neither rules nor their text, such as 30x16/99"),
        (lambda: rules(guess_free="no"), "'no' is not valid for guess_free: use True, F"),
        (lambda: rules(first=["any"]), "['any'] is not valid for first: use safe, zero"),
        (lambda: board(None), "None is neither rules nor their text, such as 30x16/99"),
        (lambda: act(0, ["open"]), "['open'] is not a verb: use open, "),
        (lambda: daily("today", "expert"), "'today' is not a date; write it like 2026-11-21"),
    ],
)
def test_what_is_said(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(DemineError) as caught:
        make()
    assert str(caught.value).startswith(sentence)


def test_what_fits_is_taken_as_before() -> None:
    assert Rules(9, 9, 10, guess_free=np.bool_(True)).guess_free is True  # type: ignore[arg-type]
    assert demine.Game("9x9/10", facts={}).facts == {}
    assert demine.Board("9x9/10") == demine.Board(Rules(9, 9, 10))


def test_values_that_cannot_be_written() -> None:
    assert quoted(Unwritable()) == "<Unwritable>"
    assert quoted(10**5000) == "<int>"
    assert quoted(DEEP) == "<list>"
    assert quoted("x" * 100) == "'" + "x" * 79
