"""Engines as policies: honest ones, and those that lie, hang, die or never end."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_position
from demine.scene.sight import sight
from demine.solver.engine.client import Engine
from demine.solver.engine.errors import (
    EngineAnswerError,
    EngineEnded,
    EngineError,
    EngineStartError,
    EngineTimeout,
)
from demine.solver.errors import NothingCertain
from tests.hand import wait_for
from tests.solver.engine.players import PYTHON, engine
from tests.table import environment

RULES = Rules(4, 3, 2)
SCENE = parse_position("####/#2##/####", RULES)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()


def test_an_engine_is_a_policy() -> None:
    with Engine(engine()) as player:
        assert (player.name, player.author) == ("test", "nobody")
        assert player(SCENE, RULES) == (0, 0)
        open_first = SCENE.copy()
        open_first[0, 0] = Face.ONE
        assert player(open_first, RULES) == (0, 1)


def test_limits_and_games_are_told() -> None:
    """The program gets exactly the lines of the protocol; a new game only where one begins."""
    body = "heard = []\ndef go():\n    say('info heard ' + ','.join(heard)); say(first())\n"
    body += "old = answer\ndef answer(line):\n    heard.append(line.strip().replace(' ', '_'))\n"
    body += "    old(line)\n"
    go = "go_movetime_70_playouts_9"
    with Engine(engine(body), movetime=70, playouts=9) as player:
        player(SCENE, RULES)
        more = SCENE.copy()
        more[0, 0] = Face.ONE
        player(more, RULES)
        player(SCENE, RULES)
        heard = player.choose(SCENE, Rules(4, 3, 3)).info["heard"].split(",")
    where, then = "position_####/#2##/####", "position_1###/#2##/####"
    assert heard == [
        "umi", "newgame_4x3/2", "isready", where, go, then, go,
        "newgame_4x3/2", "isready", where, go, "newgame_4x3/3", "isready", where, go,
    ]  # fmt: skip


def test_giving_up_is_told() -> None:
    with Engine(engine("def go(): say('bestmove none')")) as player:
        assert player.choose(SCENE, RULES).cell is None
        with pytest.raises(NothingCertain):
            player(SCENE, RULES)


def test_a_copy_has_a_program_of_its_own() -> None:
    with Engine(engine(), movetime=5, timeout=20.0) as player:
        copy = pickle.loads(pickle.dumps(player))
        assert repr(copy) == repr(player)
        with copy:
            assert copy(SCENE, RULES) == player(SCENE, RULES)
            assert copy.is_running
            assert player.is_running


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        (
            "def go(): say('bestmove 3 0')",
            EngineAnswerError,
            "'bestmove 3 0': that cell is outside",
        ),
        ("def go(): say('bestmove 1 1')", EngineAnswerError, "'bestmove 1 1': that cell is open"),
        ("def go(): say('bestmove -1 0')", EngineAnswerError, "with 'bestmove -1 0'"),
        ("def go(): say('bestmove 0')", EngineAnswerError, "with 'bestmove 0'"),
        ("def go(): say('bestmove 0 0 0')", EngineAnswerError, "with 'bestmove 0 0 0'"),
        ("def go(): say('bestmove ' + '9' * 5000 + ' 0')", EngineAnswerError, "'bestmove 999"),
        ("def go(): say('bestmove \\u0663 0')", EngineAnswerError, "bestmove"),
        ("def go(): say('error no idea')", EngineAnswerError, "'go' with 'error no idea'"),
        ("def go(): say('hello')", EngineAnswerError, "answered 'go' with 'hello'"),
        ("def go(): os.write(1, bytes(range(256)) * 9 + b'\\n')", EngineAnswerError, "with '"),
        ("def go(): os.write(1, b'x' * 100_000)", EngineAnswerError, "more than 65536 bytes"),
        (
            "def go():\n    while True: os.write(1, b'x' * 65536)",
            EngineAnswerError,
            "more than 65536 bytes",
        ),
        (
            "def go():\n    while True: os.write(1, b'info nodes 1\\n' * 999)",
            EngineTimeout,
            "did not answer 'go' in time",
        ),
        ("def go(): time.sleep(99)", EngineTimeout, "did not answer 'go' in time"),
        ("def go(): os.close(1); time.sleep(99)", EngineEnded, "ended"),
        ("def go(): sys.exit('all is lost')", EngineEnded, "exit code 1.* 'go': all is lost"),
        ("def go(): os.kill(os.getpid(), 9)", EngineEnded, "ended .exit code -9"),
        ("say('too early')", EngineAnswerError, "answered 'umi' with 'too early'"),
        ("sys.exit(3)", EngineEnded, "exit code 3. instead of answering 'umi'"),
        ("time.sleep(99)", EngineTimeout, "did not answer 'umi' in time"),
        ("def go(): say(first()); say(first())", EngineAnswerError, "without being asked|is open"),
    ],
)
def test_whatever_an_engine_does_wrong_is_a_typed_error(
    body: str, kind: type[EngineError], why: str
) -> None:
    """The error names the program, and nothing of it is left."""
    # What hangs is waited for, but not long.
    player = Engine(engine(body), timeout=0.4 if kind is EngineTimeout else 20.0)
    with pytest.raises(kind, match=why) as caught:
        _play_two_moves(player)
    assert caught.value.engine.startswith(sys.executable)
    assert caught.value.command in {"umi", "go", None}
    assert not player.is_running


def _play_two_moves(player: Engine) -> None:
    after = SCENE.copy()
    after[player(SCENE, RULES)] = Face.ONE
    player(after, RULES)


def test_an_engine_that_failed_is_started_anew(tmp_path: Path) -> None:
    flag = tmp_path / "failed"
    body = f"def go():\n    open({str(flag)!r}, 'x'); sys.exit(1)\n"
    body += f"if os.path.exists({str(flag)!r}):\n    def go(): say(first())"
    with Engine(engine(body)) as player:
        with pytest.raises(EngineEnded):
            player(SCENE, RULES)
        assert player(SCENE, RULES) == (0, 0)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("there-is-no-such-program x", "there-is-no-such-program x cannot be started"),
        ("", "is empty"),
        ("'open", "No closing quotation"),
        ((str(Path(__file__).parent),), "access is denied"),
        (("a\0b",), "cannot be started"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows says it in other words")
def test_programs_that_cannot_be_started(command: str | tuple[str, ...], why: str) -> None:
    with pytest.raises(EngineStartError, match=why):
        Engine(command)(SCENE, RULES)


def test_an_engine_that_reads_nothing_blocks_nobody() -> None:
    """A position of a large board fills every pipe."""
    rules = Rules(700, 700, 9)
    body = "def answer(line):\n    say('umiok'); say('readyok')\n    time.sleep(99)"
    player = Engine(engine(body), timeout=0.5)
    with pytest.raises(EngineTimeout):
        player(np.full(rules.shape, Face.COVERED, np.uint8), rules)


WAITS = """
import signal, sys, threading, time
from demine.solver.engine.engine_process import EngineProcess

def press():
    time.sleep(0.5)  # the wait has begun by then; if not, Ctrl-C ends it all the same
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    print("in time" if ended.wait(20) else "too late", flush=True)

ended = threading.Event()
process = EngineProcess(sys.argv[1:])
try:
    threading.Thread(target=press).start()
    process.receive(time.monotonic() + 40)
except KeyboardInterrupt:
    ended.set()
    process.kill()
"""
"""A program whose thread gets the signal, which does not wake the thread that waits."""


def test_ctrl_c_ends_the_wait_for_an_answer() -> None:
    command = [sys.executable, "-c", WAITS, *engine()]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=True, timeout=90
    )
    assert done.stdout == "in time\n"


@pytest.mark.parametrize("movetime", [0, -1, 1.5, True, 10**9])
def test_impossible_limits_are_refused(movetime: int) -> None:
    with pytest.raises(ValueError, match="movetime is a whole number from 1 to 86400000"):
        Engine("x", movetime=movetime)


def test_impossible_timeouts_are_refused() -> None:
    for timeout in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a timeout takes more than 0 seconds"):
            Engine("x", timeout=timeout)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_its_parent(end: signal.Signals, tmp_path: Path) -> None:
    """Neither the engine, which ignores the end of its input, nor a child that it has started."""
    body = "child = os.fork()\nsignal = __import__('signal')\n"
    body += "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    body += "if not child:\n    os.close(0); os.close(1)\n    while True: time.sleep(9)\n"
    body += "def go():\n    say(f'info pid {os.getpid()} child {child}'); say(first())\n"
    body += "    while True: time.sleep(9)"
    parent = textwrap.dedent(
        f"""
        from demine.solver.engine.client import Engine
        from demine.scene.diagram import parse_position
        from demine.logic.rules import Rules
        rules = Rules(4, 3, 2)
        player = Engine({engine(body)!r})
        info = player.choose(parse_position("####/#2##/####", rules), rules).info
        print(info["pid"], info["child"], flush=True)
        input()
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    assert process.stdout is not None
    numbers = list(map(int, process.stdout.readline().split()))
    assert len(numbers) == 2
    assert all(map(is_alive, numbers))
    process.send_signal(end)
    process.communicate()
    wait_for(lambda: not any(map(is_alive, numbers)), "the engine to be gone")


def test_a_game_is_played_to_its_end() -> None:
    with Engine((*PYTHON[:1], "-m", "demine", "engine", "--policy", "safest")) as player:
        game = Game("8x8/6", seed=3)
        game.open(2, 2)
        while game.status is Status.RUNNING:
            game.open(*player(sight(game), game.rules))
    assert game.status is Status.WON
