"""Errors keep their sentence, their parameters and their type, wherever they go."""

from __future__ import annotations

import copy
import pickle

import pytest

from demine.logic import errors
from demine.logic.errors import ActError, DemineError, ShareError, TextError

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, DemineError)
]


@pytest.mark.parametrize("kind", KINDS)
def test_errors_travel(kind: type[DemineError]) -> None:
    error = kind("row {row}: {char!r} is {what}", row=3, char="{x}", what="no {face}")
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is kind
        assert str(other) == str(error) == "row 4: '{x}' is no {face}"
        assert (other.template, other.params) == (error.template, error.params)


def test_every_refusal_is_of_a_value_or_a_type() -> None:
    known = (ValueError, TypeError)
    assert all(issubclass(kind, known) for kind in KINDS if kind is not DemineError)
    assert issubclass(ShareError, TextError)


def test_an_error_may_be_the_reason_of_another() -> None:
    inner = ActError("the game is {state}", state="over")
    assert str(DemineError("line {line}: {reason}", line=2, reason=inner)) == (
        "line 2: the game is over"
    )
