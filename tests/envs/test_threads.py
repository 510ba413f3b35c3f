"""Boards that are played on several threads answer as on one."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.envs import EnvSettingError, MinesweeperVectorEnv
from demine.envs.board_batch import BitBoards
from demine.envs.kernels import ENV_KERNELS
from demine.envs.range_threads import RangeThreads

BOARDS = 37
SETTINGS: dict[str, Any] = {"rules": "12x7/15 first=safe lives=2", "actions": "all"}


def played(env: MinesweeperVectorEnv, steps: int = 60) -> list[NDArray[Any]]:
    """All that some random steps answer."""
    answers: list[NDArray[Any]] = []
    for _ in range(steps):
        seen, rewards, ended, _, infos = env.step(env.sample_actions())
        answers += [seen.copy(), rewards, ended, infos["action_mask"].copy()]
    return answers


def begun(threads: int, **settings: Any) -> MinesweeperVectorEnv:
    env = MinesweeperVectorEnv(BOARDS, **{**SETTINGS, **settings}, threads=threads)
    env.reset(seed=4)
    return env


def others() -> int:
    return sum(each.name.startswith("demine.envs") for each in threading.enumerate())


@pytest.mark.parametrize("threads", [2, 3, 36, 200])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_threads_change_nothing(threads: int, mode: str) -> None:
    env = begun(threads, autoreset_mode=mode)
    for one, other in zip(played(begun(1, autoreset_mode=mode)), played(env), strict=True):
        assert np.array_equal(one, other)
    assert others() >= 1
    env.close()
    assert others() == 0


def test_interpreted_kernels_play_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = played(begun(1), 12)
    monkeypatch.setattr(type(ENV_KERNELS), "load", lambda *_, **__: False)
    env = begun(3)
    assert isinstance(env._boards, BitBoards)
    assert not hasattr(env._boards._play, "signatures")
    for one, other in zip(expected, played(env, 12), strict=True):
        assert np.array_equal(one, other)
    env.close()


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(again: Any) -> None:
    env = begun(2)
    played(env, 3)
    other = again(env)
    for mine, theirs in zip(played(env), played(other), strict=True):
        assert np.array_equal(mine, theirs)
    for each in (env, other):
        each.close()
    assert others() == 0


def test_boards_are_played_on_after_the_end_of_their_threads() -> None:
    env, expected = begun(3), played(begun(1))
    first = played(env, 20)
    env._boards.close()
    for one, other in zip(expected, first + played(env, 40), strict=True):
        assert np.array_equal(one, other)
    env.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_has_threads_of_its_own() -> None:
    env = begun(2)
    played(env, 3)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send([each.tobytes() for each in played(env)]))
    child.start()
    try:
        assert receiver.poll(60), "the child waits for threads that it has not"
        theirs = receiver.recv()
    finally:
        child.kill()
        child.join()
    assert theirs == [each.tobytes() for each in played(env)]
    env.close()


def test_an_error_waits_for_all_ranges() -> None:
    ranges, release, done = RangeThreads(10, 2), threading.Event(), []

    def work(begin: int, end: int) -> None:
        if begin == 0:
            threading.Timer(0.05, release.set).start()
            raise KeyboardInterrupt
        assert release.wait(60)
        done.append(end)

    with pytest.raises(KeyboardInterrupt):
        ranges.run(work)
    assert done == [10]
    ranges.close()


@pytest.mark.parametrize("threads", [0, -1, 257, 10**30])
def test_a_number_of_threads_that_cannot_be(threads: int) -> None:
    with pytest.raises(EnvSettingError, match="has 1 to 256 threads, not"):
        begun(threads)
