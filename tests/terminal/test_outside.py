"""Names and facts from outside in a real pseudo-terminal: nothing of them acts on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.outside import NAME, evil_folder, evil_game
from tests.terminal.teletype import Teletype

PARTS = ["\x1b]0;own", "\x1b[2J\x9b31m", "\x9b31m", "\x08", "\x85", "\u202e", "\u2066", "\u200f"]
"""Pieces of the evil text that would act, and that no screen is drawn with."""


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with so short a name that what is said of it fits into a line."""
    with TemporaryDirectory(prefix="d") as folder:
        yield Path(folder)


def acting_parts(table: Teletype) -> list[str]:
    """What of the evil text went out as it is."""
    raw = table.raw.decode("utf-8", "surrogateescape")
    return [part for part in PARTS if part in raw]


def test_the_player_of_games_shows_a_file_of_an_evil_name(tmp_path: Path) -> None:
    file = evil_folder(tmp_path) / f"{NAME}.jsonl"
    file.write_text(evil_game().journal(), "utf-8")
    table = Watching(str(file))
    try:
        table.wait_text("opens row")
        table.keys("c")  # without the counters, the name and the facts stand below the board
        table.wait_text("owned")
        table.keys("f1")
        table.wait_text("Esc closes")
        table.keys("q")
        table.wait(lambda: "Esc closes" not in table.text(), "the end of the page")
        table.keys("q")
        table.ended()
        assert acting_parts(table) == []
    finally:
        table.end()


class Watching(Teletype):
    """The player of games at a terminal, which is another verb."""

    def __init__(self, file: str) -> None:
        super().__init__(program=("-c", SCRIPT, file), scene=None, size=(120, 48))


SCRIPT = (
    "import sys; sys.argv[1:] = ['watch', sys.argv[1], '--scene', 'terminal', '--at', '1']; "
    "from demine.__main__ import main; raise SystemExit(main())"
)


def test_records_in_a_folder_of_an_evil_name_are_told_of(short_path: Path) -> None:
    folder = evil_folder(short_path)
    (folder / "demine.db").write_bytes(b"owned" * 1000)
    table = Teletype("9x9/10", size=(240, 24), DEMINE_DATA_DIR=str(folder))
    try:
        table.wait_text("owned")
        table.keys("f1")
        table.listen(0.5)
        table.leave()
        assert acting_parts(table) == []
    finally:
        table.end()
