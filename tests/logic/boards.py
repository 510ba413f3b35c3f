"""What the tests of the rules stand on: strategies, slow and obvious twins, a game in one line."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.errors import DemineError, JournalError
from demine.logic.event import Act, Lay, Verb, check_has_no_player, parse_event
from demine.logic.game import AnyGame
from demine.logic.journal import _play_checked, parse_journal
from demine.logic.layout import deal, parse_layout
from demine.logic.rules import First, Flags, Goal, Rules, most_mines

Mines: TypeAlias = NDArray[np.bool_]
Hints: TypeAlias = NDArray[np.uint8]
Cell: TypeAlias = tuple[int, int]


def around(row: int, col: int, height: int, width: int) -> list[Cell]:
    """The neighbours of a cell, found by trying every cell of the board."""
    return [
        (r, c)
        for r, c in itertools.product(range(height), range(width))
        if max(abs(r - row), abs(c - col)) == 1
    ]


def slow_hints(mines: Mines) -> Hints:
    """Mines around each cell, one cell after the other."""
    height, width = mines.shape
    return np.array(
        [
            [sum(bool(mines[cell]) for cell in around(r, c, height, width)) for c in range(width)]
            for r in range(height)
        ],
        dtype=np.uint8,
    ).reshape(height, width)


def slow_opening(hints: Hints, start: Cell) -> Mines:
    """The cells that open with a zero cell: breadth first, cell by cell."""
    height, width = hints.shape
    opened = np.zeros(hints.shape, dtype=np.bool_)
    opened[start] = True
    waiting = deque([start])
    while waiting:
        row, col = waiting.popleft()
        if hints[row, col]:
            continue
        for r in range(max(row - 1, 0), min(row + 2, height)):
            for c in range(max(col - 1, 0), min(col + 2, width)):
                if not opened[r, c]:
                    opened[r, c] = True
                    waiting.append((r, c))
    return opened


@st.composite
def all_rules(draw: st.DrawFn, most: int = 40) -> Rules:
    """Every kind of playable rules, boards up to `most` x `most`."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    first = draw(st.sampled_from([None, *First]))
    goal = draw(st.sampled_from(Goal))
    limit = most_mines(width, height, First.SAFE if first is None else first)
    if goal is Goal.FLAG and limit == 0:
        goal = Goal.OPEN
    mines = draw(st.integers(int(goal is Goal.FLAG), limit))
    guess_free = first is not First.ANY and draw(st.booleans())
    lives = draw(st.sampled_from([1, 1, 1, 2, 3, 9]))
    flags = draw(st.sampled_from(Flags))
    return Rules(width, height, mines, first, goal, guess_free, flags, lives)


def playable(most: int = 9) -> st.SearchStrategy[Rules]:
    """Rules whose boards need no solver to be laid."""
    return all_rules(most).map(lambda rules: replace(rules, guess_free=False))


@st.composite
def mine_maps(draw: st.DrawFn, most: int = 9) -> Mines:
    """Any mine map, from empty to full."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    cells = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    return np.array(cells, dtype=np.bool_).reshape(height, width)


@st.composite
def games(draw: st.DrawFn, most: int = 9, acts: int = 30) -> Game:
    """A game in which whatever was drawn and allowed was played."""
    rules = draw(playable(most))
    game = Game(rules, draw(st.integers(0, 2**48)), facts=draw(facts()))
    t = draw(st.integers(-(10**6), 10**6))
    begun = False
    for verb, step, row, col in draw(st.lists(moves(), max_size=acts)):
        t += step
        cell = (row % rules.height, col % rules.width) if verb in CELL else (-1, -1)
        act = Act(t, verb, *cell)
        if game.can(act):
            game.play(act)
            if game.begun and not begun:
                begun, t = True, 0
    return game


CELL = (Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD, Verb.HINT)
COMMON = (Verb.OPEN, Verb.OPEN, Verb.FLAG, Verb.FLAG, Verb.CHORD)


def moves() -> st.SearchStrategy[tuple[Verb, int, int, int]]:
    """A verb, a pause before it in milliseconds, and a cell to be cut to the board."""
    return st.tuples(
        st.sampled_from([*COMMON, *Verb]),
        st.integers(0, 5000),
        st.integers(0, 40),
        st.integers(0, 40),
    )


def facts() -> st.SearchStrategy[dict[str, str | int | float | bool | None]]:
    """Facts that a journal can hold."""
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    return st.dictionaries(text, st.none() | st.booleans() | text | numbers, max_size=3)


def read_line_by_line(text: str) -> Game:
    """What a journal says, each line parsed and played on its own."""
    head, *lines = text.rstrip("\n").split("\n")
    game = parse_journal(Game, head)
    for number, line in enumerate(lines, 2):
        try:
            event = parse_event(line)
            if '"demine":1' in head:
                check_has_no_player(event)
            _play_checked(game, event)
        except DemineError as error:
            raise JournalError("line {line}: {reason}", line=number, reason=error) from None
    return game


def refusal_of(read: Callable[[str], object], text: str) -> str:
    """The sentence that refuses a text, empty when it was read; other errors are the test's."""
    try:
        read(text)
    except DemineError as error:
        return str(error) or "a refusal without a word"
    return ""


def game_on(layout: str, seed: int = 0) -> Game:
    """A game on a layout given as text, its first line the rules."""
    rules, mines = parse_layout(layout)
    game = Game(rules, seed)
    game.lay(Lay(0, mines))
    return game


def played(game: AnyGame, text: str) -> AnyGame:
    """Play acts given as `open 0,1; flag 2,2; undo`, one second apart; return the game."""
    for words in text.split(";"):
        verb, *cell = words.replace(",", " ").split()
        last = game.events[-1].t if game.events else 0
        runs = game.begun and verb != Verb.RESUME  # a paused game's clock stands still
        game.play(Act(last + 1000 * runs, Verb(verb), *map(int, cell)))
    return game


def any_deal(rules: Rules, seed: int, first: tuple[int, int]) -> Mines:
    """A layout for rules that may ask for guess-free boards: the promise nobody checks is kept."""
    return deal(replace(rules, guess_free=False), seed, first)
