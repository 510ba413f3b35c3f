"""What every test stands on: an own player, a language, and a screen for those that need one."""

from __future__ import annotations

import itertools
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from demine.logic import game

# A test decides itself whether compiled code answers; processes that it starts inherit this.
os.environ["DEMINE_KERNELS"] = "foreground"
IN_CI = bool(os.environ.get("CI"))
XVFB_SECONDS = 60.0
XVFB_SCREEN = ("-screen", "0", "1600x1200x24")

# Deadlines measure the machine's other load, not the code. CI tries the same examples each time.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if IN_CI else "desk")

# A shell starts what runs in its background without Ctrl-C, and processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# By measure. Processes take files in this order, so that none is left with a long one at the end.
LONGEST_FIRST = (
    "cli/verbs/test_warm.py",
    "studies/test_play_games.py",
    "studies/test_replaceable_executor.py",
    "cli/test_outside.py",
    "cli/verbs/test_study.py",
    "test_package.py",
    "docs/test_site.py",
    "docs/test_commands.py",
    "docs/test_go_commands.py",
    "store/test_salvage.py",
    "web/cluster/test_failures.py",
    "web/browser/test_race.py",
    "web/browser/test_views.py",
    "envs/test_bit_boards.py",
    "solver/deal/test_guess_free.py",
    "studies/test_dask_cluster.py",
    "web/browser/test_board.py",
    "web/test_no_mines_sent.py",
    "desktop/test_app.py",
    "store/test_kill.py",
    "store/test_trouble.py",
    "desktop/test_keeping.py",
    "desktop/window/test_startup_window.py",
    "test_contributing.py",
    "test_go.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    places = {Path(__file__).parent / name: at for at, name in enumerate(LONGEST_FIRST)}
    gone = [str(path) for path in places if not path.exists()]
    if gone:
        raise pytest.UsageError(f"LONGEST_FIRST names files that are no more: {', '.join(gone)}")
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one flag that renews what pictures and journals are compared with."""
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="write reference pictures and golden files anew instead of comparing with them",
    )


@pytest.fixture(scope="session")
def regenerate(pytestconfig: pytest.Config) -> bool:
    """Whether references are to be written anew on purpose."""
    return bool(pytestconfig.getoption("regenerate"))


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new player's empty data folder, an English locale, no sound card and no screen."""
    folder = tmp_path / "player"
    monkeypatch.setenv("DEMINE_DATA_DIR", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    for name in ("DEMINE_LANG", "LANGUAGE", "NO_COLOR", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board for which no test chose a seed is the same in every run: none is won by chance."""
    seeds = itertools.count(1)
    monkeypatch.setattr(game, "random_seed", lambda: next(seeds))


@pytest.fixture(autouse=True)
def no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever loaded the compiled player before: advice is that of a new process."""
    adviser = sys.modules.get("demine.solver.player.advise")
    if adviser is not None:
        monkeypatch.setattr(adviser.PLAYER_KERNELS, "loaded", {})


@pytest.fixture(scope="session")
def xvfb() -> Iterator[str]:
    """A real X server's DISPLAY, 1600 x 1200 pixels in 24 bits, on a display number of its own.

    The name is not put into the environment: a test hands it to the program it starts.
    """
    program = shutil.which("Xvfb")
    if program is None:
        sentence = "no Xvfb on this machine (on Debian: apt install xvfb)"
        if IN_CI:
            pytest.fail(sentence)
        pytest.skip(sentence)
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writer), "-nolisten", "tcp", "-noreset", *XVFB_SCREEN],
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        yield f":{display_number(reader)}"
    finally:
        os.close(reader)
        server.terminate()
        server.wait(timeout=XVFB_SECONDS)


def display_number(reader: int) -> int:
    """The number that an X server writes into its pipe once it listens."""
    text = b""
    while not text.endswith(b"\n"):
        if not select.select([reader], [], [], XVFB_SECONDS)[0]:
            pytest.fail(f"Xvfb did not start within {XVFB_SECONDS:.0f} s")
        piece = os.read(reader, 16)
        if not piece:
            pytest.fail("Xvfb ended before it had a screen")
        text += piece
    return int(text)
