"""What environments return is nobody else's, and takes no new memory at every step."""

from __future__ import annotations

import copy
import gc
import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.envs import MinesweeperVectorEnv
from demine.envs.output_arrays import MOST_KEPT, UnheldArrays


def address(array: NDArray[Any]) -> int:
    return int(array.ctypes.data)


@pytest.mark.parametrize(
    "part",
    [
        lambda array: array,
        lambda array: array[1],
        lambda array: array.reshape(-1)[::2].T,
        lambda array: array.view(np.int8)[0].view(np.bool_),
        lambda array: memoryview(array)[1:],
        lambda array: np.frombuffer(memoryview(array), np.uint16),
        lambda array: np.from_dlpack(array)[0],
        lambda array: np.ma.masked_array(array, mask=False)[1],
        iter,
    ],
)
def test_memory_is_used_again_once_no_part_is_held(part: Callable[[Any], Any]) -> None:
    arrays = UnheldArrays((4, 6), np.uint8)
    first = arrays.take()
    where, held = address(first), part(first)
    del first
    gc.collect()
    assert address(arrays.take()) != where
    del held
    gc.collect()
    assert where in {address(each) for each in [arrays.take() for _ in range(MOST_KEPT)]}


def test_memory_is_kept_for_few_arrays() -> None:
    arrays = UnheldArrays((4, 6), np.uint8)
    many = [arrays.take() for _ in range(20)]
    assert len({address(each) for each in many}) == 20
    assert len(arrays._lent) == MOST_KEPT


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda arrays: pickle.loads(pickle.dumps(arrays))]
)
def test_a_copy_has_memory_of_its_own(again: Callable[[UnheldArrays], UnheldArrays]) -> None:
    arrays = UnheldArrays((4, 6), np.uint8)
    where = address(arrays.take())
    other = again(arrays).take()
    assert (other.shape, other.dtype) == ((4, 6), np.dtype(np.uint8))
    assert address(other) != where


def test_observations_that_are_held_stay_as_they_were() -> None:
    env = MinesweeperVectorEnv(8, "9x9/10")
    seen, infos = env.reset(seed=1)
    held: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for _ in range(3 * MOST_KEPT):
        held += ((each[2:5], each[2:5].copy()) for each in (seen, infos["action_mask"]))
        seen, _, _, _, infos = env.step(env.sample_actions())
    assert all(np.array_equal(now, then) for now, then in held)
    assert len({now.tobytes() for now, _ in held}) > MOST_KEPT


@pytest.mark.parametrize("copy", [True, False])
def test_steps_take_no_new_memory(copy: bool) -> None:
    env = MinesweeperVectorEnv(500, "30x16/99", copy=copy)
    answer: Any = env.reset(seed=1)
    for _ in range(3):
        answer = env.step(env.sample_actions())
    tracemalloc.start()
    try:
        for _ in range(5):
            answer = env.step(env.sample_actions())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < answer[0].nbytes / 2
