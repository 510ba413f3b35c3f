"""The example programs of docs/examples: each is on a page and prints what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import demine
from tests.docs.pages import DOCS, PAGES
from tests.table import environment

EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
ARGUMENTS = {"study_on_processes": ["40"], "study_on_dask": ["", "40"], "own_policy": ["40"]}
"""Fewer games than on the page, where they are played by plain Python."""
LIBRARIES = {"replays_to_dataframe": "pandas", "study_on_dask": "distributed"}
"""What an example needs beside demine, and not every machine has."""
SURVIVED = {"9x9/10": (0, 6), "16x16/40": (4, 8)}
"""A guess in the sample games, for reviews to find."""
FILES = {
    "convert_replays": ["converted/beginner.evf", "converted/intermediate.evf"],
    "pictures": ["board.png", "game.gif", "hint.svg", "layout.svg", "risks.png"],
    "review_to_json": ["reviews.jsonl"],
    "study_on_dask": ["games.parquet"],
    "own_records": ["last-win.evf"],
}
"""What an example leaves behind."""


def play(rules: str, seed: int) -> demine.Game:
    """A game of the solver's, a click every 300 ms."""
    game = demine.Game(rules, seed, origin="fresh")
    game.open(4, 4)
    game.open(*SURVIVED[rules], t=500)
    while not game.status.over:
        move = demine.best_move(game)
        game.open(move.row, move.col, t=game.time_ms + 300)
    return game


@pytest.fixture(scope="module")
def games() -> dict[str, demine.Game]:
    return {"beginner": play("9x9/10", 7), "intermediate": play("16x16/40", 8)}


@pytest.fixture
def folder(tmp_path: Path, games: dict[str, demine.Game]) -> Path:
    """A folder with replays, and records of the player's own."""
    (tmp_path / "replays").mkdir()
    demine.save(games["beginner"], tmp_path / "replays" / "beginner.avf")
    demine.save(games["intermediate"], tmp_path / "replays" / "intermediate.rmv")
    with demine.Store.open(tmp_path / "data" / "demine.db") as store:
        for game in games.values():
            store.begin(game)
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_it_prints_what_its_page_shows(example: Path, folder: Path, regenerate: bool) -> None:
    name = example.stem
    if name in LIBRARIES and find_spec(LIBRARIES[name]) is None:
        pytest.skip(f"no {LIBRARIES[name]} on this machine")
    # Nothing is compiled for the sake of an example, in its worker processes neither.
    (folder / "sitecustomize.py").write_text("import sys; sys.modules['numba'] = None", "utf-8")
    path = os.pathsep.join([str(folder), *map(os.path.abspath, sys.path)])
    wanted = environment(
        PYTHONPATH=path, DEMINE_DATA_DIR=str(folder / "data"), DEMINE_LANG="en", COLUMNS="100"
    )
    done = subprocess.run(
        [sys.executable, str(example), *ARGUMENTS.get(name, [])],
        cwd=folder, env=wanted, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for file in FILES.get(name, []):
        assert (folder / file).stat().st_size > 100
    printed = re.sub(r"20\d\d-\d\d-\d\d", "2026-11-21", done.stdout)
    printed = re.sub(r" +$", "", printed, flags=re.MULTILINE)
    shown = example.with_suffix(".txt")
    if regenerate and printed:
        shown.write_text(printed, "utf-8")
    assert printed == (shown.read_text("utf-8") if shown.exists() else "")


def included() -> Iterator[tuple[Path, str]]:
    """Every file of docs/examples that a page includes."""
    for page in PAGES:
        for found in re.findall(
            r"^```\{literalinclude\} (\S+)", page.read_text("utf-8"), re.MULTILINE
        ):
            yield page, (page.parent / found).resolve().name


def test_a_page_shows_each_program_and_what_it_prints() -> None:
    shown = sorted(name for _, name in included())
    folders = (DOCS / "examples", DOCS / "examples" / "clients")
    files = [path.name for folder in folders for path in folder.iterdir() if path.is_file()]
    assert shown == sorted(files)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_it_is_short_and_knows_the_public_door_only(example: Path) -> None:
    text = example.read_text("utf-8")
    assert 12 <= len(text.splitlines()) <= 42
    assert not re.search(r"(from|import) demine\.", text)
