"""The table of formats, and formats that other packages declare by an entry point."""

from __future__ import annotations

import os
import pkgutil
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.rules import First, Rules
from demine.replay import ReplayError, convert, formats, load, registry, save
from demine.replay.errors import FormatError
from demine.replay.format import AnyFormat, WritableFormat
from demine.replay.formats import evf
from tests.logic.boards import game_on
from tests.replay.builders import every

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
EXAMPLE = next(
    block
    for block in re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    if "FORMAT = " in block
)
BOARD = "4x3/2\n*...\n....\n...*\n"
ENTRIES = pytest.mark.parametrize(
    "known", registry.built_in_formats(), ids=lambda known: known.name
)


def test_every_module_declares_its_format() -> None:
    names = [each.name for each in pkgutil.iter_modules(formats.__path__)]
    modules = [import_module(f"{formats.__name__}.{name}") for name in names]
    assert {module.FORMAT.name for module in modules} == {
        known.name for known in registry.built_in_formats()
    }
    assert all(module.FORMAT.name == module.NAME for module in modules)


@ENTRIES
def test_a_format_is_tried_and_documented(known: AnyFormat) -> None:
    assert any(known.recognises(data) for data in every().values())
    row = f"| {' | '.join(known.docs_table_row)} |"
    assert row in DOCS.read_text("utf-8").replace("`.board`", "board")


@ENTRIES
def test_the_largest_board_is_written_and_no_larger_one(known: AnyFormat) -> None:
    if not isinstance(known, WritableFormat) or known.largest is None:
        return
    data, _ = known.encode(long_game(known.largest))
    assert known.read(data).game().rules.height == known.largest
    with pytest.raises(ReplayError, match=r"file holds boards (and cells )?up to"):
        known.encode(long_game(known.largest + 1))


def long_game(height: int) -> Game:
    """A game on a board of two columns, in which the first cell is opened."""
    mine_map = np.zeros((height, 2), np.bool_)
    mine_map[-1, -1] = True
    game = Game(Rules(2, height, 1, first=First.ANY), 0)
    game.lay(Lay(0, mine_map))
    game.play(Act(0, Verb.OPEN, 0, 0))
    return game


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "two words"}, "its name is not a word"),
        ({"extensions": ()}, "it has no extension"),
        ({"extensions": ("evf",)}, "an extension is a point and small letters"),
        ({"holds": Game}, "it holds neither replays nor layouts"),
        ({"program": ""}, "it does not say whose files these are"),
    ],
)
def test_a_forgotten_part_is_an_error_at_import(change: dict[str, object], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        replace(evf.FORMAT, **change)  # type: ignore[arg-type] # that is what is tried


class Packages:
    """A folder of installed packages that declare formats."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, source: str) -> None:
        (self.folder / f"demine_{name}.py").write_text(source, "utf-8")
        info = self.folder / f"demine_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: demine-{name}\nVersion: 1.0\n", "utf-8"
        )
        (info / "entry_points.txt").write_text(
            f"[demine.formats]\n{name} = demine_{name}:FORMAT\n", "utf-8"
        )


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Packages]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    registry.plugin_formats.cache_clear()
    before = set(sys.modules)
    yield Packages(folder)
    registry.plugin_formats.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith("demine_"):
            del sys.modules[name]


def test_the_example_of_the_documentation(packages: Packages, tmp_path: Path) -> None:
    packages.install("toy", EXAMPLE)
    game, path = game_on(BOARD), tmp_path / "board.toy"
    assert save(game, path) == ()
    assert path.read_bytes() == b"TOY\n*...\n....\n...*\n"
    assert np.array_equal(load(path).board.mine_map, game.board.mine_map)
    assert "Toy" in {known.name for known in registry.writable_formats()}
    assert "Toy" not in {known.name for known in registry.replay_formats()}


def test_the_command_line_knows_it(packages: Packages, tmp_path: Path) -> None:
    packages.install("toy", EXAMPLE)
    (tmp_path / "board.toy").write_bytes(b"TOY\n*...\n....\n...*\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(packages.folder), *sys.path))}
    for target in ("board.mbf", "again.toy"):
        done = subprocess.run(
            [sys.executable, "-m", "demine", "convert", "board.toy", target],
            cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "again.toy").read_bytes() == (tmp_path / "board.toy").read_bytes()


BROKEN = {
    "import": "import a_package_that_nobody_has",
    "kind": "FORMAT = 3",
    "name": EXAMPLE.replace('name="Toy"', 'name="EVF"'),
    "extension": EXAMPLE.replace('".toy"', '".evf"'),
    "part": EXAMPLE.replace("    losses=lambda layout: layout.lost,\n", ""),
    "reader": EXAMPLE.replace('data.startswith(b"TOY\\n")', "1 / 0"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_one_is_named_and_stops_no_other(
    kind: str, packages: Packages, tmp_path: Path
) -> None:
    packages.install("toy", BROKEN[kind])
    packages.install("other", EXAMPLE.replace("oy", "oz").replace("TOY", "TOZ"))
    named = "the format toy of the package demine-toy does not work: "
    with pytest.raises(ReplayError, match=named):
        load(b"TOY\n*...\n")
    assert load(b"TOZ\n*.\n..\n").rules.mines == 1
    for data in every().values():
        registry.recognised_format(data)
    assert load(convert(game_on(BOARD), "journal")[0]).rules.mines == 2
    if kind != "reader":
        with pytest.raises(ReplayError, match=named):
            save(game_on(BOARD), tmp_path / "board.toy")
        with pytest.raises(FormatError, match=named):
            convert(game_on(BOARD), "toy")


def test_an_unforeseen_error_of_its_writer_is_typed(packages: Packages) -> None:
    packages.install("toy", EXAMPLE.replace('("TOY", *rows, "")', '("TOY", 3)'))
    with pytest.raises(FormatError, match=r"package demine-toy does not work: TypeError: "):
        convert(game_on(BOARD), "toy")


def test_packages_are_not_looked_at_for_files_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> registry.Plugins:
        raise AssertionError

    monkeypatch.setattr(registry, "plugin_formats", fail)
    for data in every().values():
        assert registry.recognised_format(data) is not None
    assert registry.format_name_of_path("a.evf") == "EVF"
