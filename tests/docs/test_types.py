"""What the pages show is typed: examples and code blocks pass mypy and pyright.

They are checked against the wheel, installed where nothing leads to the sources.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, PAGES, ROOT, fences, name

NO_PYRIGHT = find_spec("pyright") is None


def program(page: Path) -> str:
    """The Python of a page, from one end to the other, without what it prints."""
    prompts = doctest.DocTestParser().get_examples("\n".join(fences(page, "pycon")))
    return "".join(each.source for each in prompts) or "\n\n".join(fences(page, "python"))


def notebook_program(path: Path) -> str:
    """The code of a notebook."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "code")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the repository, where its settings do not hold: a file for each page."""
    folder = tmp_path_factory.mktemp("programs")
    found = {name(page): program(page) for page in PAGES}
    found |= {name(path): path.read_text("utf-8") for path in (DOCS / "examples").glob("*.py")}
    found |= {name(path): notebook_program(path) for path in DOCS.rglob("*.ipynb")}
    for title, text in found.items():
        if text.strip():
            module = re.sub(r"\W", "_", title.removesuffix(".py"))
            (folder / f"{module}.py").write_text(text + "\n", "utf-8")
    assert len(list(folder.iterdir())) > 25
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the sources as they are."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.iterdir()
    return found


def install(wheel: Path, folder: Path, *, without: str = "") -> str:
    """Make an environment of the wheel and this one's libraries; its Python."""
    builder = venv.EnvBuilder(symlinks=os.name != "nt")
    builder.create(folder)
    python = str(builder.ensure_directories(folder).env_exe)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site, [each for each in archive.namelist() if each != without])
    # A folder named in a .pth file brings no .pth files of its own: the sources stay away.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return python


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has demine as people install it."""
    return install(wheel, tmp_path_factory.mktemp("installed"))


def complaints(folder: Path, *command: str) -> str:
    """What a checker says of the programs of a folder; empty if it has no objection."""
    wanted = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    # Neither leads to the sources.
    for variable in ("PYTHONPATH", "MYPYPATH"):
        wanted.pop(variable, None)
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env=wanted, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout + done.stderr


def mypy(folder: Path, python: str, *words: str) -> str:
    """What mypy says of a folder of programs."""
    # Dask has no types.
    options = ("--strict", "--untyped-calls-exclude=distributed", "--config-file=")
    return complaints(folder, "mypy", *options, f"--python-executable={python}", *words)


def needs_example_libraries() -> None:
    """Skip where the libraries of the examples are missing."""
    for library in ("pandas", "distributed"):
        if find_spec(library) is None:
            pytest.skip(f"no {library} on this machine")


def test_mypy_has_no_objection(programs: Path, python: str) -> None:
    needs_example_libraries()
    said = mypy(programs, python, ".")
    assert not said, said


@pytest.mark.skipif(NO_PYRIGHT, reason="no pyright on this machine")
def test_pyright_has_no_objection(programs: Path, python: str) -> None:
    needs_example_libraries()
    said = complaints(programs, "pyright", "--pythonpath", python, ".")
    assert not said, said


def test_only_the_wheel_is_checked(wheel: Path, tmp_path: Path) -> None:
    """Without its mark of types mypy knows nothing of the package: no sources step in."""
    python = install(wheel, tmp_path / "untyped", without="demine/py.typed")
    said = mypy(tmp_path, python, "-c", "import demine")
    assert "py.typed" in said
