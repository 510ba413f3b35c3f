"""PCG64 in plain Python, beside NumPy's."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic import layout, pcg64
from demine.logic.layout import MAX_SEED, deal
from demine.logic.rules import EXPERT


@given(seed=st.integers(0, MAX_SEED - 1) | st.integers(0, 300), size=st.integers(0, 40))
def test_the_numbers_of_every_seed_are_those_of_numpy(seed: int, size: int) -> None:
    assert pcg64.raw_numbers(seed, size) == np.random.PCG64(seed).random_raw(size).tolist()


def test_a_seed_has_the_same_board_with_and_without_numpys_generator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards = []
    for without_import in (2, 0):
        monkeypatch.setattr(layout, "_boards_without_import", iter(range(without_import)))
        boards.append(deal(EXPERT, 7, (8, 15)))
        assert next(layout._boards_without_import, None) is None
    assert np.array_equal(boards[0], boards[1])


def test_a_first_game_imports_no_random_numbers_of_numpy() -> None:
    code = (
        "import demine, sys; demine.Game('expert', seed=7).open(8, 15);"
        "sys.exit('numpy.random' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
