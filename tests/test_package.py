"""The wheel and the source archive: the same wherever built, and a whole game where installed.

`DEMINE_SMOKE_PYTHON` names the Python of an environment with demine in it, to try that one instead.
"""

from __future__ import annotations

import email
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import numpy as np
import pytest
from websockets.sync.client import connect

import demine
from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER
from tests.classic.desk import Table
from tests.desktop.desk import Desk
from tests.docs import pages
from tests.terminal.teletype import LEFT, Teletype

ROOT = Path(__file__).resolve().parent.parent
GIVEN = os.environ.get("DEMINE_SMOKE_PYTHON", "")
SEEDED = ("beginner", "--seed", "7")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive and the wheel of the last commit, from builds that agree."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    folder = tmp_path_factory.mktemp("archives")
    script = ROOT / "scripts" / "package.py"
    done = subprocess.run(
        [sys.executable, str(script), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    assert all(each.name in done.stdout for each in (source, wheel))
    return source, wheel


@pytest.fixture(scope="module")
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has the wheel installed, and of this environment only the libraries."""
    if GIVEN:
        return GIVEN
    _, wheel = request.getfixturevalue("archives")
    folder = tmp_path_factory.mktemp("installed") / "an environment, 扫雷"
    builder = venv.EnvBuilder(symlinks=os.name != "nt")
    builder.create(folder)
    found = builder.ensure_directories(folder)
    for command in pages.installations():
        if command.split()[2].strip("'").startswith("."):
            pip(str(found.env_exe), command, wheel)
    # A folder named in a .pth file brings no .pth files of its own: the sources stay away.
    (lib,) = [each.parent for each in folder.rglob("demine/__init__.py")]
    (lib.parent / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return str(found.env_exe)


def pip(python: str, command: str, wheel: Path, *options: str) -> str:
    """What a `pip install ...` of a page says, with the wheel for the repository and no network."""
    program, verb, *wanted = shlex.split(command)
    assert (program, verb) == ("pip", "install")
    asked = [re.sub(r"^\.(?=\[|$)", lambda _: str(wheel), each) for each in wanted]
    words = [sys.executable, "-m", program, "--python", python, "--no-input", verb]
    alone = ["--no-index", "--no-deps", "--disable-pip-version-check"]
    done = subprocess.run(
        [*words, *alone, *options, *asked], env=plain(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, "an extra that the wheel has not"
    return done.stdout


def plain(**more: str) -> dict[str, str]:
    """The variables without those that lead to the sources."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | more


def run(python: str, *words: str, given: str = "", **more: str) -> str:
    """What the installed program prints."""
    done = subprocess.run(
        [python, *words],
        cwd=Path(python).parent,
        env=plain(**more),
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# The archives


def test_what_the_wheel_says_of_itself(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[1]) as wheel:
        names = set(wheel.namelist())
        info = f"demine-{demine.__version__}.dist-info"
        told = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
        starts = wheel.read(f"{info}/entry_points.txt").decode()
    assert told["License-Expression"] == "MIT AND OFL-1.1"
    licences = told.get_all("License-File") or []
    assert len(licences) == 2
    assert {f"{info}/licenses/{each}" for each in licences} <= names
    assert "demine = demine.__main__:main" in starts
    assert {"desktop", "classic", "terminal", "solver", "web"} <= set(
        told.get_all("Provides-Extra") or []
    )
    assert "Project-URL" not in told, "addresses that exist only"
    shared = f"demine-{demine.__version__}.data/data/share"
    assert f"{shared}/applications/demine.desktop" in names
    assert f"{shared}/mime/packages/demine.xml" in names
    assert f"{shared}/icons/hicolor/scalable/apps/demine.svg" in names


def test_the_source_archive_can_be_tested(archives: tuple[Path, Path], tmp_path: Path) -> None:
    with tarfile.open(archives[0]) as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    links = "tests/test_docs.py::test_links_lead_somewhere"
    chosen = [links, "tests/logic/test_golden.py"]
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    told = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=plain(PYTHONPATH=str(folder / "src")),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert told.returncode == 0, told.stdout[-2000:]


# What is installed


def test_it_is_the_wheel_that_runs(python: str) -> None:
    where = run(python, "-c", "import demine; print(demine.__file__)")
    assert Path(where.strip()).is_relative_to(Path(python).parents[1])
    assert str(ROOT) not in where
    assert run(python, "-m", "demine", "--version") == f"demine {demine.__version__}\n"
    beside = Path(python).with_name("demine.exe" if os.name == "nt" else "demine")
    done = subprocess.run([beside, "--version"], env=plain(), capture_output=True, check=True)
    assert done.stdout.decode().split() == ["demine", demine.__version__]


@pytest.mark.skipif(bool(GIVEN), reason="nothing is installed here")
def test_the_pages_name_what_can_be_installed(python: str, archives: tuple[Path, Path]) -> None:
    """Whatever else they install by name is the wheel, with extras that it has."""
    wheel = archives[1]
    wanted = [word for each in pages.installations() for word in shlex.split(each)[2:]]
    named = [word for word in wanted if not word.startswith(".")]
    assert named
    options = "--dry-run", "--force-reinstall", "--find-links", str(wheel.parent)
    told = pip(python, shlex.join(["pip", "install", *named]), wheel, *options)
    assert f"Would install demine-{demine.__version__}" in told


def test_it_makes_a_board_and_solves_a_position(python: str) -> None:
    assert run(python, "-m", "demine", "make", "beginner", "--seed", "7").count("*") == 10
    diagram = "4x1/1\n#1..\n"
    assert '"mines": [[0, 0]]' in run(
        python, "-m", "demine", "solve", "-", "--json", given=diagram
    ).replace("],\n", "], ")  # fmt: skip


def test_it_speaks_chinese_and_draws(python: str) -> None:
    assert "扫雷" in run(python, "-m", "demine", "--lang", "zh_CN", "--help", PYTHONUTF8="1")
    code = (
        "import demine; from importlib.resources import files; here = files('demine') / 'picture';"
        "print(len((here / 'fonts/NotoSansSC-demine.otf').read_bytes()) > 10000,"
        " (here / 'icon.svg').read_text('utf-8')[:4],"
        " len(demine.show(demine.Game(demine.EXPERT)).png()) > 1000)"
    )
    assert run(python, "-c", code).split() == ["True", "<svg", "True"]


@pytest.fixture
def installed(python: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the windows of a test be those of the installed program, started from anywhere."""
    monkeypatch.setattr(sys, "executable", python)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("scene", [Desk, Table])
def test_a_window_opens_and_plays(scene: type[Desk | Table], installed: None, xvfb: str) -> None:
    window = scene(
        xvfb, *SEEDED, "--cell", "24", "--theme", "light", game=Game(BEGINNER, 7), PYTHONPATH=None
    )
    try:
        window.appear()
        window.expect()
        window.open(4, 4)
        assert np.count_nonzero(window.game.board.open_map) > 1
    finally:
        window.end()


@pytest.fixture
def server(python: str, tmp_path: Path) -> Iterator[str]:
    """The address at which the installed program serves."""
    command = [python, "-m", "demine", "serve", "--port", "0"]
    database = ["--database", str(tmp_path / "games" / "server.sqlite")]
    with subprocess.Popen(
        [*command, *database], cwd=tmp_path, env=plain(LC_ALL="C.UTF-8"),
        stderr=subprocess.PIPE, encoding="utf-8",
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found, said
            yield found[0]
        finally:
            process.terminate()


def test_it_serves_the_page_with_all_its_files(python: str, server: str) -> None:
    code = (
        "from importlib.resources import files; static = files('demine') / 'web/static';"
        "print(*(path.relative_to(static).as_posix() for path in static.rglob('*.*')))"
    )
    in_it = set(run(python, "-c", code).split())
    static = ROOT / "src" / "demine" / "web" / "static"
    assert in_it == {path.relative_to(static).as_posix() for path in static.rglob("*.*")}
    with urlopen(f"{server}/api/setup", timeout=60) as answer:
        version = json.load(answer)["page"]
    frames = (each for each in in_it - {"index.html"} if each.endswith(".html"))
    found = files_of_page(server, "/", *(f"/static/{version}/{each}" for each in frames))
    assert {kind for _, kind in found} <= {"html", "js", "css", "svg", "png", "webmanifest", "json"}
    names = [path for path, _ in found]
    for each in in_it - {"index.html"}:
        assert any(path.endswith(f"/{each}") for path in names), f"no file of the page is {each}"


TYPES = {
    "html": "text/html", "js": "text/javascript", "css": "text/css", "png": "image/png",
    "svg": "image/svg+xml", "json": "application/json",
    "webmanifest": "application/manifest+json",
}  # fmt: skip
NAMED = re.compile(r"""["'(]((?:/|\./|\.\./)[\w./-]+\.(?:js|css|png|svg|webmanifest))["')]""")
"""A file that a page, a style sheet, a script or a manifest names."""


def files_of_page(server: str, *pages: str) -> set[tuple[str, str]]:
    """All files that some pages name, and those name, each with the end of its name."""
    waiting, seen = [*pages], {*pages}
    while waiting:
        path = waiting.pop()
        kind = path.rpartition(".")[2] if "." in path else "html"
        with urlopen(server + path, timeout=60) as answer:
            text, headers = answer.read(), answer.headers
        assert headers["Content-Type"].partition(";")[0] == TYPES[kind], path
        assert headers["Cache-Control"], path
        with pytest.raises(HTTPError, match="304"):
            urlopen(Request(server + path, headers={"If-None-Match": headers["ETag"]}), timeout=60)
        if kind in {"html", "js", "css", "webmanifest"}:
            for name in NAMED.findall(text.decode()):
                named = urljoin(path, name)
                if named not in seen:
                    seen.add(named)
                    waiting.append(named)
    return {(path, path.rpartition(".")[2] if "." in path else "html") for path in seen}


def test_it_plays_in_a_browser(server: str) -> None:
    body, kind = b'{"rules": "9x9/10", "seed": 7}', {"Content-Type": "application/json"}
    with urlopen(Request(f"{server}/api/games", body, kind), timeout=60) as answer:
        game = json.load(answer)["id"]
        cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
    address = f"{server.replace('http', 'ws', 1)}/ws/games/{game}"
    with connect(address, additional_headers=cookie) as socket:
        assert json.loads(socket.recv(timeout=60))["hello"]["status"] == "ready"
        socket.send(json.dumps({"seq": 1, "verb": "open", "cell": [4, 4]}))
        state = json.loads(socket.recv(timeout=60))
    assert (state["ack"], state["status"]) == (1, "running")


def test_the_terminal_plays(installed: None) -> None:
    table = Teletype(*SEEDED, game=Game(BEGINNER, 7), PYTHONPATH=None)
    try:
        table.expect()
        table.click(LEFT, table.spot(4, 4))
        table.play(Verb.OPEN, 4, 4)
        table.expect()
    finally:
        table.end()
