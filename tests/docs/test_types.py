"""What the pages show is typed: examples and code blocks pass mypy and pyright."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, PAGES, fences, name


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
    """A folder outside the repository with a file for each page and example.

    There no settings of the repository hold, and `demine` is the installed package.
    """
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


def complaints(folder: Path, *command: str) -> str:
    """What a checker says of the programs of a folder; empty if it has no objection."""
    for library in ("pandas", "distributed"):
        if find_spec(library) is None:
            pytest.skip(f"no {library} on this machine")
    wanted = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env=wanted, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_mypy_has_no_objection(programs: Path) -> None:
    # Dask has no types.
    options = ("--strict", "--untyped-calls-exclude=distributed", "--config-file=")
    said = complaints(programs, "mypy", *options, ".")
    assert not said, said


@pytest.mark.skipif(find_spec("pyright") is None, reason="no pyright on this machine")
def test_pyright_has_no_objection(programs: Path) -> None:
    said = complaints(programs, "pyright", "--pythonpath", sys.executable, ".")
    assert not said, said
