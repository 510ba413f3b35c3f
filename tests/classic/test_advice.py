"""The solver at the window: hints, chances, verdicts, guess-free boards and their proof."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.classic.stage import Stage
from demine.classic.words import note_height
from demine.logic.game import Game
from demine.logic.rules import BEGINNER, Rules
from demine.play.hints import PATTERNS
from demine.scene.face import Face
from demine.scene.overlay import Mark
from demine.scene.panel import Mood
from demine.scene.sight import running
from demine.scene.themes import THEMES, theme
from demine.scene.translation import set_language, tr
from demine.solver.hint import hint
from demine.solver.judge import judge
from demine.solver.proof.rating import rate
from demine.store import Store
from tests.classic.desk import BEGINNER_7, CELL, Table, remaining
from tests.hand import wait_for
from tests.pictures import compare_soon

Sit = Callable[..., Table]

FREE = Rules(9, 9, 10, guess_free=True)
COVERED = np.full((9, 9), Face.COVERED, np.uint8)
GUESS_FREE = ("9x9/10", "--guess-free", "--new", "--cell", str(CELL))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say what is expected in a language."""
    set_language(language)
    try:
        yield
    finally:
        set_language("en")


def still(table: Table, look: str) -> NDArray[np.uint8]:
    """The window without its lamps for time and its line of words, which tell how long it took."""
    picture, stage = table.picture(), table.stage
    picture[stage.lamps.y : stage.lamps.bottom, stage.face.right :] = theme(look).panel
    picture[stage.line.y : stage.line.bottom] = theme(look).panel
    return picture


def hinted(table: Table) -> str:
    """What the solver says of the board that stands there."""
    found = hint(running(table.game.board), table.game.rules.mines)
    assert found is not None
    return found.text()


# Hints


@pytest.mark.parametrize("look", list(THEMES))
def test_a_hint_marks_a_cell_and_says_why(sit: Sit, look: str, regenerate: bool) -> None:
    table = sit(*BEGINNER_7.options, "--theme", look, look=look)
    table.open(4, 4)
    size = table.hand.size()
    table.hand.key("h")
    wait_for(lambda: table.notes(hinted(table)), "the sentence")
    assert table.hand.size()[0] == size[0]  # it grew below, and the board stands where it was
    found = hint(running(table.game.board), 10)
    assert found is not None
    assert found.reason is not None
    marks = table.advice()
    assert marks[found.row, found.col] is Mark.SAFE
    assert {cell for cell, mark in marks.items() if mark is Mark.BECAUSE} == {*found.reason.because}
    assert table.says("Beginner · practice: helped")
    compare_soon(lambda: still(table, look), f"classic/hint-{look}", regenerate)
    table.open(found.row, found.col)
    wait_for(lambda: not table.advice(), "an unmarked board")
    wait_for(table.silent, "no more words")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_hint_is_said_in_the_language_of_the_moment(sit: Sit, language: str) -> None:
    table = sit(*BEGINNER_7.options, "--lang", language)
    table.open(4, 4)
    table.hand.key("f4")
    with speaking(language):
        wait_for(lambda: table.notes(hinted(table)), "the sentence")
    table.hand.key("ctrl+l")
    with speaking({"en": "zh_CN", "zh_CN": "en"}[language]):
        wait_for(lambda: table.notes(hinted(table)), "the sentence in the other language")
    table.hand.key("escape")
    wait_for(lambda: not table.advice(), "an unmarked board")


def test_where_a_hint_has_no_place_it_says_so(sit: Sit) -> None:
    table = sit()
    size = table.hand.size()
    table.hand.key("h")
    wait_for(lambda: table.says("Begin anywhere: the first cell is safe"), "the sentence")
    assert table.hand.size() == size  # short words need no room of their own
    table.open(4, 4)
    table.hand.key("p")
    wait_for(lambda: table.says("Paused · P or a click goes on"), "the pause")
    table.hand.key("h")
    table.hand.key("shift+h")
    table.hand.key("p")
    table.expect()
    assert not table.advice()
    assert table.says("Beginner · chosen seed")


def test_words_are_readable_where_the_window_cannot_grow(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    table.hand.key("f11")
    wait_for(lambda: table.hand.size() == (1600, 1200), "the whole screen")
    table.hand.key("h")
    words = hinted(table)

    bare = Stage.of((1600, 1200), CELL * 5)  # the panel grows no further with the cells
    wide = replace(bare, note_height=note_height(words, bare))
    wait_for(lambda: table.notes(words, wide), "the sentence in full screen")
    table.hand.key("f11")
    wait_for(lambda: table.notes(words), "the sentence in the window")
    table.expect()  # in cells as large as before


# Chances


@pytest.mark.parametrize("look", list(THEMES))
def test_chances_are_shown_and_hidden(sit: Sit, look: str, regenerate: bool) -> None:
    table = sit(*BEGINNER_7.options, "--theme", look, look=look)
    table.open(4, 4)
    table.hand.key("shift+h")
    wait_for(lambda: 255 in table.board()[0], "risks on the board")
    assert table.says("Beginner · practice: helped")
    compare_soon(lambda: still(table, look), f"classic/chances-{look}", regenerate)
    table.hand.key("shift+h")
    table.expect()


# The end


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_lost_game_says_what_was_better(sit: Sit, language: str) -> None:
    table = sit(*BEGINNER_7.options, "--lang", language)
    table.open(4, 4)
    before = running(table.game.board)
    mine = table.lose()
    verdict = judge(before, 10, [mine])
    with speaking(language):
        text = verdict.text()
    wait_for(lambda: table.notes(text), "the verdict")
    marks = table.advice()
    assert marks[mine] is Mark.MISTAKE
    assert verdict.best is not None
    assert marks[verdict.best.row, verdict.best.col] is Mark.MISSED
    # A new game has nothing to do with it.
    table.hand.key("f2")
    table.hidden()
    wait_for(table.silent, "no more words")


# Guess-free boards


def test_a_guess_free_board_is_laid_rated_and_proven(sit: Sit) -> None:
    table = sit(*GUESS_FREE, game=Game(FREE))
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: not table.shows(COVERED), "the first opening")
    table.game = running_game()
    rating = rate(table.game.board.mine_map, (4, 4))
    hardest, times = tr(PATTERNS[rating.hardest]), rating.times[rating.hardest]
    rated = f"Beginner, guess-free · hardest: {hardest} ×{times}"
    wait_for(lambda: table.says(rated), "the rating")
    table.hand.key("ctrl+p")
    asked = "A proof begins this board again and gives your game up: ask once more"
    wait_for(lambda: table.notes(asked), "the question")
    table.expect()  # nothing was given up yet
    table.hand.key("ctrl+p")
    wait_for(lambda: Mark.SAFE in table.advice().values(), "the first step")
    first = table.board()[0]
    table.after(first)  # it goes on by itself, and at once by the key
    for _ in range(80):
        table.hand.key("space")
    table.feels(Mood.WON)
    wait_for(lambda: table.notes("Proven: this board needs no guess"), "the end of the proof")
    with Store.open() as store:
        ends = {row.status: row.unranked for row in store.games()}
        (record,) = store.records()
    assert ends == {"resigned": "", "won": "hint"}
    assert record.wins == 0  # helped, it counts for nothing


def running_game() -> Game:
    """The unfinished game as it is kept."""
    with Store.open() as store:
        (row,) = store.games(status="running")
        return store.journal(row.id)


def test_own_acts_and_escape_end_a_proof(sit: Sit) -> None:
    table = sit(*GUESS_FREE, "--seed", "7", game=Game(FREE, 7))
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: not table.shows(COVERED), "the first opening")
    table.hand.key("ctrl+p")  # a chosen seed counts for nothing, so nothing is asked
    wait_for(lambda: Mark.SAFE in table.advice().values(), "the first step")
    table.hand.key("escape")
    wait_for(lambda: not table.advice(), "the end of the proof")
    table.game = running_game()
    table.expect()
    table.flag(*remaining(table.game)[0])  # it goes on as a game of the player's own
    table.hand.key("ctrl+p")
    wait_for(lambda: Mark.SAFE in table.advice().values(), "the first step again")
    table.hand.click(*table.middle(*remaining(table.game)[-1]), 3)
    wait_for(lambda: not table.advice(), "the end of the proof")


def test_guess_free_begins_now_or_with_the_next_game(sit: Sit) -> None:
    table = sit("beginner", "--new", "--cell", str(CELL), game=Game(BEGINNER))
    table.hand.key("g")
    wait_for(lambda: table.says("Guess-free boards"), "the word")
    table.hand.key("g")
    wait_for(lambda: table.says("Boards that may need a guess"), "the word")
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: not table.shows(COVERED), "the first opening")
    assert not running_game().rules.guess_free
    table.hand.key("g")
    wait_for(lambda: table.says("Guess-free from the next game"), "the word")
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
        store.settings.update({"first": "any", "goal": "flag"})
    table = sit("--cell", str(CELL), game=Game(BEGINNER))
    table.hand.key("1")
    wait_for(lambda: table.says("9x9/10 first=any goal=flag"), "the rules")
    table.hand.key("g")
    refusal = "Where the first click may be a mine, no board is guess-free"
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


def test_the_solver_starts_when_it_is_asked_and_ends_with_the_window(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    assert not helpers(table)
    table.hand.key("h")
    wait_for(table.advice, "the hint")
    found = helpers(table)
    assert found
    assert table.stop() == 0
    assert table.process.communicate() == ("", "")
    wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in found), "its end")


def test_a_window_outlives_its_solver(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    table.hand.key("h")
    wait_for(lambda: table.notes(hinted(table)), "the hint")
    for number in helpers(table):
        os.kill(number, signal.SIGKILL)
    found = hint(running(table.game.board), 10)
    assert found is not None
    table.open(found.row, found.col)
    table.hand.key("h")
    wait_for(lambda: table.notes(hinted(table)), "the next hint")
    assert table.advice()
