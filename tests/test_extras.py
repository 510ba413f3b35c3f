"""What `pip install demine` brings, alone and with each extra, is what its code imports."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "demine"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
CODE = {
    "desktop": ("desktop",),
    "classic": ("classic",),
    "terminal": ("terminal",),
    "solver": ("kernels",),
    "web": ("web",),
    "postgres": (
        "web/database/postgres.py",
        "web/cluster/members.py",
        "web/cluster/membership.py",
        "web/cluster/peer_client.py",
    ),
    "envs": ("envs",),
    "text-server": ("envs/text/server",),
    "learn": ("envs/learning",),
    "book": ("books/pdf.py",),
    "study": (
        "studies",
        "cli/row_writers.py",
        "solver/player/custom_policy.py",
        "web/verified_games.py",
    ),
}
"""The code that wants each extra: folders and files of the package."""
MODULES = {
    "fpdf2": {"fpdf"},
    "PySide6-Essentials": {"PySide6", "shiboken6"},
    "pygame-ce": {"pygame"},
    "prometheus-client": {"prometheus_client"},
    "python-json-logger": {"pythonjsonlogger"},
}
"""What a distribution is imported as, where that is not its name."""
LOADED_BY_OTHERS = {
    "web": {"uvloop", "websockets"},
    "postgres": {"psycopg"},
    "envs": {"numba"},
    "text-server": {"websockets"},
    "learn": {"numba", "pygame"},
}
"""What the code of an extra has another of its libraries load, by name."""
NOT_IN_ALL = {"learn"}
"""Extras that few want and that are large."""
OF_NO_EXTRA = {SOURCE / "envs/learning/maskable_ppo_sb3.py"}
"""Examples for libraries that nobody gets from demine: PyTorch alone is gigabytes."""
SCENES = ("desktop", "classic", "terminal")


def imports(path: Path) -> set[str]:
    """The packages that a file imports from outside, in functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"demine"}


def files(extra: str) -> set[Path]:
    """The files that want an extra."""
    return below(CODE[extra]) - set().union(
        *(below(places) for places in CODE.values() if is_inside(places, CODE[extra]))
    )


def is_inside(places: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether some places are folders inside other ones."""
    return any(place.startswith(f"{other}/") for place in places for other in others)


def below(places: tuple[str, ...]) -> set[Path]:
    paths = [SOURCE / each for each in places]
    return {
        path for place in paths for path in ([place] if place.is_file() else place.rglob("*.py"))
    } - OF_NO_EXTRA


def wanted(paths: set[Path]) -> set[str]:
    return set().union(*map(imports, paths))


def installed(requirements: list[str]) -> set[str]:
    """What can be imported for a list of requirements."""
    names = {Requirement(each).name for each in requirements}
    return set().union(*(MODULES.get(name, {name}) for name in names))


BASE = installed(PROJECT["dependencies"])


def test_every_extra_has_code_behind_it() -> None:
    assert set(EXTRAS) == {*CODE, "all"}
    (everything,) = map(Requirement, EXTRAS["all"])
    assert (everything.name, everything.extras) == ("demine", set(CODE) - NOT_IN_ALL)


def test_without_extras_the_rest_is_imported() -> None:
    of_extras = set().union(*map(files, CODE))
    assert wanted(set(SOURCE.rglob("*.py")) - of_extras - OF_NO_EXTRA) == BASE


@pytest.mark.parametrize("extra", CODE)
def test_an_extra_installs_what_its_code_imports(extra: str) -> None:
    found = wanted(files(extra)) - BASE | LOADED_BY_OTHERS.get(extra, set())
    assert found == installed(EXTRAS[extra])


BLOCKER = """
import importlib.util, sys
blocked = set(sys.argv.pop(1).split())
find = importlib.util.find_spec
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
importlib.util.find_spec = lambda name, package=None: (
    None if name.partition(".")[0] in blocked else find(name, package))
from demine.__main__ import main
sys.exit(main())
"""
"""Runs demine as if some packages were not installed, as one asks and as one imports."""
EVERYTHING = set().union(*(installed(EXTRAS[extra]) for extra in CODE))


def run(extras: tuple[str, ...], *words: str, given: str = "") -> tuple[int, str, str]:
    """The exit code and what is said by a demine that has been installed with extras."""
    there = BASE | set().union(*(installed(EXTRAS[each]) for each in extras))
    done = subprocess.run(
        [sys.executable, "-c", BLOCKER, " ".join(EVERYTHING - there), *words],
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_base_makes_solves_and_counts() -> None:
    assert run((), "make", "4x4/3", "--seed", "1")[0] == 0
    assert run((), "solve", "-", "--json", given="4x1/1\n#1..\n")[0] == 0
    assert run((), "study", "4x4/3", "--games", "2", "--seed", "1", "--json")[0] == 0


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_names_the_extra_it_wants(scene: str) -> None:
    code, out, err = run((), "play", "--scene", scene)
    assert (code, out) == (2, "")
    assert f"pip install 'demine[{scene}]'" in err


@pytest.mark.parametrize(
    "words",
    [
        ("study", "4x4/3", "--games", "2", "-o", "out.parquet"),
        ("study", "4x4/3", "--games", "2", "--plot", "out.png"),
        ("study", "4x4/3", "--games", "2", "--scheduler", "tcp://127.0.0.1:9"),
        ("stats", "no.evf", "--parquet", "out.parquet"),
    ],
)
def test_a_study_names_the_extra_it_wants(words: tuple[str, ...]) -> None:
    code, _, err = run(("solver",), *words)
    assert code == 2
    assert 'pip install "demine[study]"' in err
    assert "Traceback" not in err


def test_warming_names_the_extra_it_wants() -> None:
    code, _, err = run((), "warm")
    assert code in {1, 2}
    assert 'pip install "demine[solver]"' in err
