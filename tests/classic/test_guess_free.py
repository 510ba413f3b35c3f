"""Guess-free boards in the small window, and the process that lays them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np

from demine.game import Game
from demine.logic.rules import BEGINNER, Rules
from demine.scene.cell_faces import Face
from demine.solver.proof.rating import rate
from demine.store import Store
from tests.classic.desk import CELL, Table
from tests.hand import wait_for

Sit = Callable[..., Table]

FREE = Rules(9, 9, 10, guess_free=True)
COVERED = np.full((9, 9), Face.COVERED, np.uint8)
GUESS_FREE = ("9x9/10", "--guess-free", "--new", "--cell", str(CELL))
NO_TIP = {"start_tip": False}
"""Lets the line of words tell what is played before the first cell is opened."""


def running_game() -> Game:
    """The unfinished game as it is kept."""
    with Store.open() as store:
        (row,) = store.games(status="running")
        return store.load_game(row.id)


def test_guess_free_begins_now_or_with_the_next_game(sit: Sit) -> None:
    with Store.open() as store:
        store.settings.update(NO_TIP)
    table = sit("beginner", "--new", "--cell", str(CELL), game=Game(BEGINNER))
    table.hand.key("g")
    wait_for(lambda: table.says("Guess-free boards"), "the word")
    table.hand.key("g")
    wait_for(lambda: table.says("Ordinary boards, which may need a guess"), "the word")
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: not table.shows(COVERED), "the first opening")
    assert not running_game().rules.guess_free
    table.hand.key("g")
    wait_for(lambda: table.says("Guess-free boards from the next game"), "the word")
    table.hand.key("f2")
    table.hidden()
    wait_for(lambda: table.says("Beginner, guess-free"), "what is played")
    # The levels keep to it, and so does the next start.
    table.hand.key("2")
    wait_for(lambda: table.says("Intermediate, guess-free"), "the other level")
    assert table.stop() == 0
    again = sit("--cell", str(CELL), game=Game(Rules(16, 16, 40, guess_free=True)))
    wait_for(lambda: again.says("Intermediate, guess-free"), "the level")
    again.hand.key("1")
    wait_for(lambda: again.says("Beginner, guess-free"), "the first level")


def test_levels_keep_to_what_was_chosen_elsewhere(sit: Sit) -> None:
    with Store.open() as store:
        store.settings.update({"first": "any", "goal": "flag", **NO_TIP})
    table = sit("--cell", str(CELL), game=Game(BEGINNER))
    table.hand.key("1")
    wait_for(lambda: table.says("Beginner, first click may be a mine, won by flags"), "the rules")
    table.hand.key("g")
    refusal = "Guess-free boards need a safe first click"
    wait_for(lambda: table.says(refusal), "the reason")


# Its process


def helpers(table: Table) -> list[int]:
    """The processes that the window has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue  # gone since it was listed
        if int(parent) == table.process.pid:
            found.append(int(folder.name))
    return found


def test_a_board_is_laid_by_a_process_that_ends_with_the_window(sit: Sit) -> None:
    table = sit(*GUESS_FREE, game=Game(FREE))
    assert not helpers(table)
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: not table.shows(COVERED), "the first opening")
    table.game = running_game()
    table.expect()
    rate(table.game.board.mine_map, (4, 4))  # raises where a guess is needed
    found = helpers(table)
    assert found
    assert table.stop() == 0
    assert table.process.communicate() == ("", "")
    wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in found), "its end")


def test_a_window_outlives_the_process(sit: Sit) -> None:
    table = sit(*GUESS_FREE, game=Game(FREE))
    for _ in range(2):
        table.hand.click(*table.middle(4, 4))
        wait_for(lambda: not table.shows(COVERED), "the first opening")
        for number in helpers(table):
            os.kill(number, signal.SIGKILL)
        table.hand.key("f2")
        table.hidden()
