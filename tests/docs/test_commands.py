"""Every shell command of docs and READMEs runs, in a folder that holds what it speaks of."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import demine
from demine.cli.main import run
from demine.cli.verbs import help_lines_by_verb
from demine.scene.translation import set_language
from demine.store.database_paths import data_dir
from tests.docs import pages, test_go_commands, test_learning_commands, test_protocol, test_site
from tests.hand import Hand, wait_for
from tests.replay.builders import CLICKS, Arbiter
from tests.server_database import make_server_database
from tests.table import environment
from tests.terminal.teletype import Teletype
from tests.web import service_setup

EVERY = pages.every_command()
NEEDS = {"--parquet": "pyarrow", ".parquet": "pyarrow", "--plot": "matplotlib"}
"""What parts of a command need, that not every machine has."""
NO = {
    # The file has what the target cannot hold, which is what the option is about.
    "demine convert game.avf game.rmv --strict",
    # A new player has no result of today to share.
    "demine daily expert --share",
}
"""Commands whose answer here may be no."""
SECONDS = 60


def smaller(command: str) -> str:
    """What runs in the place of a command that would take too long, or what it says itself."""
    if command == "demine warm":
        # Compiling takes half a minute; tests/cli/verbs/test_warm.py does it for real.
        return "demine warm --help"
    if command.startswith("demine serve"):
        return "demine serve --help"  # serves until it is stopped: tests/web does that
    if command.startswith("demine match ") and "--games" not in command:
        command += " --games 1000 --rules beginner"
    if command.startswith("demine dataset "):
        return f"{command} --workers 1 --positions 2"
    if command.startswith("demine book "):
        # Hard puzzles are rare; tests/books makes one of each rating.
        return re.sub(r"(--rating \w+|--count \d+)", "", command) + " --count 1"
    if command.startswith(("demine study ", "demine match ")):
        # Thousands of games keep two cores busy for minutes; tests/studies play studies in full.
        workers = "" if "--scheduler" in command else " --workers 1"
        return re.sub(r"--games \d+", f"--games 2{workers}", command)
    return command


def opens_window(command: str) -> bool:
    """Whether a command opens a window and waits for somebody to close it."""
    words = shlex.split(command)
    if words[0] == "demine" and len(words) == 2 and Path(words[1]).suffix:
        return True  # `demine FILE` plays or watches it
    watches = words[:2] == ["demine", "watch"] and not {"--png", "--gif"} & set(words)
    plays = words == ["demine"] or words[:2] == ["demine", "play"]
    return watches or (plays and "terminal" not in words)


WINDOWS = [command for command in EVERY if opens_window(command)]
TERMINALS = [command for command in EVERY if command.startswith("demine play --scene terminal")]
CLUSTER = [command for command in EVERY if command.startswith("dask ") or "tcp://" in command]
ENGINES = [command for command in EVERY if command.startswith("demine engine")]
OTHERS = [command for command in EVERY if not command.startswith(("demine", "dask"))]
PLAIN = [c for c in EVERY if c not in {*WINDOWS, *TERMINALS, *CLUSTER, *ENGINES, *OTHERS}]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that a page names."""
    folder = tmp_path_factory.mktemp("desk")
    diagrams = pages.fences(pages.DOCS / "cli.md", "text")
    for name, diagram in zip(("board.txt", "small.txt"), diagrams, strict=False):
        (folder / name).write_text(diagram, "utf-8")
    lost = (*CLICKS, (2600, 2, 3, 3), (2650, 3, 3, 3))
    (folder / "game.avf").write_bytes(Arbiter(lines=lost).data())
    demine.save(demine.load(folder / "game.avf"), folder / "game.evf")
    golden = pages.ROOT / "tests" / "golden"
    shutil.copy(golden / "beginner-lost-by-a-chord.jsonl", folder / "lost.journal")
    (folder / "replays").mkdir()
    shutil.copy(folder / "game.avf", folder / "replays" / "game.avf")
    shutil.copy(golden / "expert-won.jsonl", folder / "replays" / "won.jsonl")
    shutil.copytree(pages.DOCS / "examples", folder / "docs" / "examples")
    shutil.copy(pages.DOCS / "examples" / "own_policy.py", folder)
    (folder / "board.mbf").write_bytes(b"\x09\x09\x00\x01\x04\x04")
    return folder


@pytest.fixture
def here(desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the desk to work in, and a home in which nothing lies."""
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    # A terminal names its shell; what starts tests need not.
    monkeypatch.setenv("SHELL", "/bin/bash")
    yield folder
    set_language("en")


def test_every_command_has_its_kind() -> None:
    assert len(EVERY) > 50
    assert WINDOWS
    assert TERMINALS
    assert set(PLAIN) >= NO


@pytest.mark.parametrize("command", PLAIN)
def test_commands_run(
    command: str,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages.hide_numba(monkeypatch)
    for part, library in NEEDS.items():
        if part in command and find_spec(library) is None:
            pytest.skip(f"no {library} on this machine")
    if "perl " in command and shutil.which("perl") is None:
        pytest.skip("no perl on this machine")
    if "--export my" not in command and "--import my" in command:
        assert run(["records", "--export", "my-records.jsonl"]) == 0
    if command.startswith("demine admin "):
        make_server_database(data_dir() / "server.sqlite")
    words = shlex.split(smaller(command))
    assert words[0] == "demine"
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody is there to answer
    code = run(words[1:])
    said = capsys.readouterr().err
    assert code in ({0, 1} if command in NO else {0}), said


@pytest.mark.parametrize("command", ENGINES)
def test_commands_play_as_engines(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        input="umi\n", capture_output=True, text=True, env=environment(), check=True,
    )  # fmt: skip
    assert done.stdout.endswith("umiok\n")


@pytest.fixture
def started(xvfb: str, here: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """A function that starts a command on the screen, each for a player of its own."""
    begun: list[subprocess.Popen[str]] = []

    def start(command: str) -> subprocess.Popen[str]:
        folder = here.parent / f"player {len(begun)}"
        process = subprocess.Popen(
            [sys.executable, "-m", *shlex.split(command)],
            env=environment(DISPLAY=xvfb, DEMINE_DATA_DIR=str(folder), QT_QPA_PLATFORM=None),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        process.kill()
        process.communicate()


@pytest.mark.timeout(300)  # a dozen windows, three at a time
@pytest.mark.skipif(os.name == "nt", reason="windows are watched on an X screen")
def test_commands_open_their_windows(
    xvfb: str, started: Callable[[str], subprocess.Popen[str]]
) -> None:
    hand = Hand(xvfb)
    seen: list[int] = []
    running: dict[str, subprocess.Popen[str]] = {}
    for place in range(0, len(WINDOWS), 3):  # as many at a time as come up within Hand's patience
        together = WINDOWS[place : place + 3]
        running |= {command: started(command) for command in together}
        for _ in together:
            hand.find("demine", besides=seen)
            assert hand.window is not None
            seen.append(hand.window.id)
    for command, process in running.items():
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=SECONDS)[1]
        assert (process.returncode, said) == (130, ""), command
    hand.window = None
    hand.close()


@pytest.mark.parametrize("command", TERMINALS)
def test_commands_play_in_a_terminal(command: str) -> None:
    options = shlex.split(command)[4:]
    table = Teletype(*options)
    try:
        table.wait_text("Beginner")
        assert table.leave() == 0
    finally:
        table.end()


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """What a test starts, each in a group of its own, of which nothing is left behind."""
    begun: list[subprocess.Popen[bytes]] = []
    yield begun
    for process in begun:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.skipif(os.name == "nt", reason="groups of processes")
def test_the_commands_of_a_cluster_run(
    here: Path, processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they stand on the page; only HOST is this machine, and the port one that is free."""
    pytest.importorskip("distributed")
    port = str(free_port())
    *daemons, study = [
        command.replace("HOST", "127.0.0.1").replace("8786", port) for command in CLUSTER
    ]
    assert [each.split()[:2] for each in daemons] == [["dask", "scheduler"], ["dask", "worker"]]
    # Nothing is compiled for the sake of an example, on the workers either.
    (here / "sitecustomize.py").write_text("import sys; sys.modules['numba'] = None", "utf-8")
    pages.hide_numba(monkeypatch)
    path = os.pathsep.join([str(here), *map(os.path.abspath, sys.path)])
    wanted = environment(PYTHONPATH=path, DASK_TEMPORARY_DIRECTORY=str(here))
    for number, command in enumerate(daemons):
        program, *words = shlex.split(command)
        with (here / f"{number}.log").open("wb") as log:
            processes.append(
                subprocess.Popen(
                    [str(Path(sys.executable).with_name(program)), *words],
                    env=wanted, stdout=log, stderr=log, start_new_session=True,
                )
            )  # fmt: skip
        wait_for(
            lambda number=number: b"tcp://" in (here / f"{number}.log").read_bytes(),  # type: ignore[misc]
            command,
        )
    assert run(shlex.split(smaller(study))[1:]) == 0


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_every_other_command_runs_elsewhere() -> None:
    """Pip fetches packages and go.py sets environments up: tests of their own run them."""
    clients = test_protocol.COMMAND
    here = {*test_go_commands.COMMANDS, test_site.COMMAND, clients, *pages.installations()}
    here |= set(service_setup.COMMANDS)
    assert set(OTHERS) <= here | set(test_learning_commands.COMMANDS)


@pytest.mark.parametrize("verb", help_lines_by_verb())
def test_every_verb_is_shown_on_a_page(verb: str) -> None:
    assert any(command.split()[:2] == ["demine", verb] for command in EVERY)
