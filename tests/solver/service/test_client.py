"""The solver in another process: the same answers, and none of it is left when the window goes."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demine
from demine.game import Game
from demine.kernels.kernel_set import KernelSet
from demine.logic.errors import DemineError
from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.reviews.review import review
from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, SceneError
from demine.solver.exact.compiled_engine import ProbabilityKernel
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import mine_probability
from demine.solver.player.choose_cell import best_move
from demine.solver.service import client as module
from demine.solver.service.client import SolverClient
from demine.solver.service.server import (
    QUESTIONS,
    SolverClientError,
    answer_question,
    encode_question,
)
from tests.solver.boards import dealt, played, seen
from tests.solver.processes import SECONDS, gone, until

SOURCE = Path(demine.__file__).parents[1]
posix = pytest.mark.skipif(os.name != "posix", reason="stops processes by signals")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for the processes of a test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "demine"


@pytest.fixture
def aside(cache: Path) -> Iterator[SolverClient]:
    with SolverClient() as made:
        yield made


@pytest.fixture
def busy(aside: SolverClient) -> SolverClient:
    """One whose process has begun and does not respond until it is woken."""
    assert aside.ask("ready").result(SECONDS)
    os.kill(pid(aside), signal.SIGSTOP)
    return aside


def pid(aside: SolverClient) -> int:
    """The process that answers."""
    solver = aside._answering_thread._solver
    assert solver is not None
    return solver._process.pid


def maps(number: int) -> str:
    """The files that a process has mapped: libraries it has loaded."""
    return Path(f"/proc/{number}/maps").read_text()


def endless() -> tuple[Any, int]:
    """A position that nobody will ever have counted."""
    random = np.random.default_rng(5)
    layout = dealt(random, 200, 200, 8000)
    opened = ~layout & (random.random(layout.shape) < 0.3)
    return seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8)), 8000


# Answers


def test_the_answers_are_the_solvers(aside: SolverClient) -> None:
    faces = played(np.random.default_rng(1), 16, 30, 99, 5)
    futures = [aside.ask(name, faces, 99) for name in ("best_move", "deduce", "mine_probability")]
    before = faces.copy()
    faces[:] = Face.COVERED  # the questions are what they were
    move, certain, chance = (future.result(SECONDS) for future in futures)
    assert move == best_move(before, 99)
    wanted = deduce(before, 99)
    assert all(np.array_equal(a, b) for a, b in zip(certain, wanted, strict=True))  # type: ignore[call-overload]
    assert np.array_equal(chance, mine_probability(before, 99), equal_nan=True)  # type: ignore[arg-type]


def lost_game() -> Game:
    """A game with two openings, of which the last is a mine."""
    game = Game(Rules(9, 9, 10), 3)
    game.play(Act(0, Verb.OPEN, 4, 4))
    row, col = np.argwhere(game.board.mine_map)[0].tolist()
    game.play(Act(900, Verb.OPEN, row, col))
    return game


def test_who_asks_hears_how_far_it_is(aside: SolverClient) -> None:
    game = lost_game()
    heard: list[tuple[int, int]] = []
    asked = aside.ask("review", game.rules, game.events, progress=lambda *said: heard.append(said))
    assert asked.result(SECONDS) == review(game)
    assert heard[-1] == (3, 3)


def test_a_thread_tells_how_far_it_is_too(
    aside: SolverClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(module, "SolverProcess", no_process)
    game = lost_game()
    heard: list[tuple[int, int]] = []
    asked = aside.ask("review", game.rules, game.events, progress=lambda *said: heard.append(said))
    assert asked.result(SECONDS) == review(game)
    assert heard[-1] == (3, 3)


def test_large_boards_go_through_the_pipes(aside: SolverClient) -> None:
    faces = np.full((500, 500), Face.COVERED, np.uint8)
    chance = aside.ask("mine_probability", faces, mines=50_000).result(SECONDS)
    assert isinstance(chance, np.ndarray)
    assert chance.shape == (500, 500)
    assert np.allclose(chance, 0.2, rtol=1e-12)


def test_errors_arrive_as_they_are(aside: SolverClient) -> None:
    with pytest.raises(InconsistentBoard) as caught:
        aside.ask("best_move", np.array([[1, 0, 9]], np.uint8), 0).result(SECONDS)
    assert caught.value.cell == (0, 0)
    with pytest.raises(SceneError, match="-1 mines cannot lie in 1 cells"):
        aside.ask("deduce", [[9]], -1).result(SECONDS)
    with pytest.raises(TypeError, match="positional argument"):
        aside.ask("deduce").result(SECONDS)
    assert aside.ask("ready").result(SECONDS)


def test_an_endless_search_in_a_thread_ends_when_nobody_waits(
    aside: SolverClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("demine.solver.service.client.SolverProcess", refuse)
    told = threading.Event()
    rules = Rules.parse("200x2/9 guess-free")
    search = aside.ask("make", rules, 1, (0, 100), limit=None, progress=lambda *_: told.set())
    assert told.wait(SECONDS)
    search.cancel()
    assert aside.ask("ready").result(SECONDS)


def test_callbacks_come_in_another_thread(aside: SolverClient) -> None:
    threads: list[threading.Thread] = []
    future = aside.ask("best_move", [[9, 9]], 1)
    future.add_done_callback(lambda _: threads.append(threading.current_thread()))
    until(lambda: threads)
    assert threads[0] is not threading.main_thread()


def test_what_cannot_be_asked_is_refused_at_once(aside: SolverClient) -> None:
    with pytest.raises(SolverClientError, match="no answer for 'eval', only for ready, mine_"):
        aside.ask("eval", "1")
    with pytest.raises(SolverClientError, match="cannot be sent"):
        aside.ask("make", lambda: None)
    assert aside._answering_thread._thread is None


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_has_an_answer(name: str) -> None:
    where, _, function = QUESTIONS[name].partition(":")
    assert callable(getattr(importlib.import_module(where), function))


def test_what_does_not_travel_is_told() -> None:
    """An answer that is no value, and an error that cannot be made again."""

    class Local(Exception):
        pass

    def raises() -> None:
        raise Local

    with pytest.MonkeyPatch.context() as patch:
        for result in (raises, lambda: lambda: None):
            patch.setattr("demine.solver.service.server.ready", result)
            kind, error = pickle.loads(answer_question(encode_question("ready", (), {})))
            assert (kind, type(error)) == ("failed", SolverClientError)
            assert str(error).startswith("the solver failed: ")


def test_every_error_travels() -> None:
    """From the floors that a question may come from or go to."""
    for path in sorted((SOURCE / "demine").rglob("*.py")):
        inside = path.relative_to(SOURCE).with_suffix("").parts
        if inside[1] in {"logic", "scene", "solver", "stats", "replay", "store", "picture"}:
            importlib.import_module(".".join(inside).removesuffix(".__init__"))
    kinds = [DemineError]
    for kind in kinds:
        kinds += kind.__subclasses__()
        error = kind("{what} at row {row}", what="x", row=3)
        error.add_note("seen from afar")
        other = pickle.loads(pickle.dumps(error))
        assert type(other) is kind
        assert (other.template, other.params) == (error.template, error.params)
        assert (str(other), other.__notes__) == ("x at row 4", ["seen from afar"])
    assert len(kinds) > 15


# Dropping questions


@posix
def test_a_question_not_begun_is_dropped(busy: SolverClient) -> None:
    first, second, third = (busy.ask("best_move", [[9, 9]], n) for n in (0, 1, 2))
    number = pid(busy)
    assert second.cancel()
    os.kill(number, signal.SIGCONT)
    assert first.result(SECONDS) == (0, 0, 0.0)
    assert third.result(SECONDS) is None
    assert second.cancelled()
    assert pid(busy) == number


@posix
def test_a_dropped_question_costs_its_process_only_if_it_is_in_the_way(busy: SolverClient) -> None:
    number = pid(busy)
    old = busy.ask("best_move", [[9, 9]], 0)
    until(lambda: busy._answering_thread._current)
    assert old.cancel()
    with pytest.raises(CancelledError):
        old.result()
    # Nobody else asks: it may finish.
    os.kill(number, signal.SIGCONT)
    until(lambda: busy._answering_thread._current is None)
    assert busy.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)
    assert pid(busy) == number
    # Somebody does.
    os.kill(number, signal.SIGSTOP)
    old = busy.ask("best_move", [[9, 9]], 0)
    new = busy.ask("best_move", [[9, 9]], 1)
    until(lambda: busy._answering_thread._current)
    assert not gone(number)
    old.cancel()
    assert new.result(SECONDS) == (0, 0, 0.5)
    assert pid(busy) != number
    assert gone(number)


def test_an_endless_question_can_be_left(aside: SolverClient) -> None:
    old = aside.ask("count_layouts", *endless(), states=10**12)
    until(lambda: aside._answering_thread._current)
    old.cancel()
    assert aside.ask("count_layouts", [[9, 9]], 1).result(SECONDS) == 2


# Processes that end


@posix
def test_a_killed_process_is_replaced_and_asked_again(busy: SolverClient) -> None:
    number = pid(busy)
    future = busy.ask("best_move", [[9, 9]], 1)
    until(lambda: busy._answering_thread._current)
    os.kill(number, signal.SIGKILL)
    assert future.result(SECONDS) == (0, 0, 0.5)
    assert pid(busy) != number
    # While it has nothing to do, too.
    os.kill(pid(busy), signal.SIGKILL)
    assert busy.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc")
def test_a_question_that_ends_two_processes_fails(aside: SolverClient) -> None:
    aside.ask("ready").result(SECONDS)
    first = pid(aside)
    future = aside.ask("count_layouts", *endless(), states=10**12)
    until(lambda: aside._answering_thread._current)
    os.kill(first, signal.SIGKILL)
    until(lambda: aside._answering_thread._solver and pid(aside) != first)
    # What has loaded NumPy has read the question.
    until(lambda: "_multiarray_umath" in maps(pid(aside)))
    os.kill(pid(aside), signal.SIGKILL)
    with pytest.raises(SolverClientError, match="ended before it had an answer"):
        future.result(SECONDS)
    assert aside.ask("count_layouts", [[9, 9]], 1).result(SECONDS) == 2


@pytest.mark.parametrize("interpreter", ["/no/such/python", "", "/bin/false", "frozen", "older"])
def test_without_a_process_a_thread_answers(
    interpreter: str, aside: SolverClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interpreted: nothing is ever compiled in the window's own process."""
    if interpreter == "frozen":
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    elif interpreter == "older":
        monkeypatch.setattr(module, "demine_version", lambda: "0.0.1")
    else:
        monkeypatch.setattr(sys, "executable", interpreter)
    monkeypatch.setattr(KernelSet, "load", lambda _: pytest.fail("compiled in the window"))
    assert aside.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)
    with pytest.raises(SceneError):
        aside.ask("best_move", [[9, 9]], 3).result(SECONDS)
    assert aside._answering_thread._solver is None


@posix
def test_a_process_that_never_begins_is_given_up(
    aside: SolverClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = tmp_path / "python"
    sleeper.write_text("#!/bin/sh\nexec sleep 1000\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    monkeypatch.setattr(module, "START_SECONDS", 0.05)
    assert aside.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)


@posix
def test_ctrl_c_is_for_the_window(aside: SolverClient) -> None:
    aside.ask("ready").result(SECONDS)
    number = pid(aside)
    os.kill(number, signal.SIGINT)
    assert aside.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)
    assert pid(aside) == number
    assert os.getpgid(number) != os.getpgid(0)


# The end


def test_close_drops_everything_and_may_be_called_again(aside: SolverClient) -> None:
    slow = aside.ask("count_layouts", *endless(), states=10**12)
    waiting = aside.ask("ready")
    until(lambda: aside._answering_thread._solver and aside._answering_thread._current)
    number = pid(aside)
    aside.close()
    assert slow.cancelled()
    assert waiting.cancelled()
    assert gone(number)
    aside.close()
    with pytest.raises(SolverClientError, match="closed"):
        aside.ask("ready")


def test_closing_before_the_first_question() -> None:
    SolverClient().close()


def test_closing_from_a_callback(aside: SolverClient) -> None:
    future = aside.ask("ready")
    future.add_done_callback(lambda _: aside.close())
    assert aside._answering_thread._thread is not None
    aside._answering_thread._thread.join(SECONDS)
    assert aside._answering_thread._solver is None or gone(pid(aside))


def test_one_that_is_forgotten_closes_itself(cache: Path) -> None:
    aside = SolverClient()
    aside.ask("ready").result(SECONDS)
    number = pid(aside)
    del aside
    gc.collect()
    assert gone(number)


# Compiled kernels


def loaded(number: int) -> bool:
    """Whether a process holds a compiler, as it does once it has loaded kernels."""
    return "llvmlite" in maps(number)


@posix
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc")
@pytest.mark.parametrize("home", ["warm", "cold", "unwritable"])
def test_kernels_get_ready_beside_the_answers(
    home: str,
    cache_home: Path,
    built: ProbabilityKernel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Loaded from the cache; compiled in a process of their own; here, if nothing can be kept."""
    (tmp_path / "cache").mkdir()
    if home == "warm":
        (tmp_path / "cache" / "demine").symlink_to(cache_home)
    if home == "unwritable":
        (tmp_path / "cache" / "demine").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with SolverClient() as aside:
        asked = 0

        def answered() -> bool:
            nonlocal asked
            asked += 1
            return aside.ask("best_move", [[9, 9]], 1).result(SECONDS) == (0, 0, 0.5)

        assert answered()
        number = pid(aside)
        if home == "cold":
            # Others see to it that compiling comes to an end.
            until(lambda: answered() and aside._answering_thread._compiler)
            other = aside._answering_thread._compiler
            assert other is not None
            until(lambda: answered() and loaded(other._process.pid))
            assert not loaded(number)
            return
        until(lambda: answered() and loaded(number))
        # What the cache has not, the player, is compiled elsewhere; what it cannot keep, nowhere.
        assert home == "warm" or aside._answering_thread._compiler is None
        assert pid(aside) == number
