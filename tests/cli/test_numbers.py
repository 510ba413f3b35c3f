"""Numbers beyond all sense for every option that takes one are answered, or refused in a line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest

from demine.cli.main import command_group
from demine.cli.parallel_statistics import MAX_PROCESSES, process_count
from demine.cli.param_types import Number
from demine.cli.verbs import help_lines_by_verb
from demine.game import Game
from demine.store import Store
from tests.outside import survival_of_play_out
from tests.table import environment

GOLDEN: Final = str(Path(__file__).parents[1] / "golden" / "beginner-practice.jsonl")
SENSELESS: Final = (
    str(2**63), str(-(2**63) - 1), str(10**40), "9" * 5000, "1e400", "-1e308", "nan", "-inf", "٣",
)  # fmt: skip
WITH: Final = {
    "play": (),
    "make": ("9x9/10", "-n", "1"),
    "hint": ("POSITION",),
    "solve": ("POSITION",),
    "analyse": ("POSITION",),
    "review": (GOLDEN,),
    "stats": (GOLDEN,),
    "watch": (GOLDEN, "--png", "PICTURE"),
    "records": (),
    "train": ("--level", "beginner"),
    "match": ("safest", "logic", "--rules", "4x4/3", "--games", "2", "--workers", "1"),
    "study": ("4x4/3", "--games", "2", "--workers", "1"),
    "book": ("4x4/3", "-n", "1", "--rating", "satisfied", "-o", "PICTURE"),
    "dataset": ("4x4/3", "--positions", "2", "--format", "npz", "-o", "FOLDER", "--workers", "1"),
}
"""What every verb that takes numbers is given besides one."""


def numeric(verb: str) -> list[str]:
    """The options of a verb that take a number."""
    group = command_group()
    with click.Context(group) as ctx:
        command = group.get_command(ctx, verb)
    assert command is not None
    return [each.opts[0] for each in command.params if isinstance(each.type, Number)]


def test_every_verb_with_numbers_is_tried() -> None:
    # `serve` does not end by itself; tests/web has its numbers.
    assert {*WITH, "serve"} == {verb for verb in help_lines_by_verb() if numeric(verb)}


def test_numbers_of_options_without_sense(tmp_path: Path) -> None:
    """All in one process, which a number may neither end nor keep."""
    (tmp_path / "position").write_text("2x1/1 first=any\n1#\n")
    with Store.open() as store:
        survival_of_play_out(store.begin(small()).game)
    places = {
        "POSITION": str(tmp_path / "position"),
        "PICTURE": str(tmp_path / "picture.png"),
        "FOLDER": str(tmp_path / "folder"),
    }
    commands = [
        [verb, *(places.get(word, word) for word in words), f"{option}={value}"]
        for verb, words in WITH.items()
        for option in numeric(verb)
        for value in SENSELESS
        # So many boards are written as long as somebody reads them.
        if (verb, option) != ("make", "-n") or value != str(2**63)
    ]
    script = (
        "import json, sys, traceback\nfrom demine.cli.main import run\n"
        "for words in json.load(sys.stdin):\n"
        "    print('##', words[0], words[-1][:40], file=sys.stderr, flush=True)\n"
        "    try: code = run(words)\n"
        "    except BaseException: traceback.print_exc(); code = -1\n"
        "    print('=>', code, file=sys.stderr, flush=True)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        cwd=tmp_path,
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    said = ended.stderr.split("## ")[1:]
    assert len(said) == len(commands)
    assert [each for each in said if not _is_sensible(each)] == []


def _is_sensible(said: str) -> bool:
    """Whether it was answered, or refused in one line that is no longer than a screen."""
    _, *lines, code = said.splitlines()
    if code not in {"=> 0", "=> 1", "=> 2"} or any("Traceback" in line for line in lines):
        return False
    return code == "=> 0" or (len(lines) == 1 and len(lines[0]) < 500)


def small() -> Game:
    """A game that is soon played."""
    return Game("4x4/3", 7)


@pytest.mark.parametrize("count", [2**63 - 1, 2**63, 10**40, -(2**63) - 1])
def test_pages_of_the_history_beyond_all_sense(count: int) -> None:
    with Store.open() as store:
        survival_of_play_out(store.begin(small()).game)
        store.begin(small())
        assert store.games(limit=count) == store.games(limit=-1)
        assert store.games(limit=5, offset=abs(count)) == ()


def test_so_many_processes_are_nobodys() -> None:
    assert process_count(10**6, 10**40) == MAX_PROCESSES
