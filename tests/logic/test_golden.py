"""Played games kept as files: the same rules read them to the same end, for ever.

`pytest tests/logic/test_golden.py --regenerate` writes them anew, on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from demine.logic.event import Act, Touch, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.layout import parse_layout
from demine.logic.neighbours import neighbours
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.logic.share_code import encode
from demine.scene.diagram import format_scene
from demine.scene.sight import sight
from tests.logic.boards import played

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def won_by_hand() -> BaseGame:
    """An expert game won by somebody who knows where the mines are: flags, chords, openings."""
    game = BaseGame(EXPERT, 7, facts={"player": '扫雷 "demine"', "program": "demine"})
    t = 0
    for cell in [(8, 15), *((row, col) for row in range(16) for col in range(30))]:
        near = [c for c in neighbours(*cell, 16, 30) if game.board.laid]
        acts = [Act(t, Verb.OPEN, *cell)]
        if game.begun:
            acts = [Act(0, Verb.OPEN, *cell)] if not game.board.mine_map[cell] else []
            acts += [Act(0, Verb.FLAG, *c) for c in near if unmarked_mine(game, c)]
            acts += [Act(0, Verb.CHORD, *cell)]
        for act in acts:
            timed = Act(t, act.verb, act.row, act.col)
            if game.can(timed):
                game.play(timed)
                t += 173
    return game


def unmarked_mine(game: BaseGame, cell: tuple[int, int]) -> bool:
    return bool(game.board.mine_map[cell] and not game.board.flag_map[cell])


def lost_by_a_chord() -> BaseGame:
    """A beginner's wrong flag: three right ones before it, then the chord opens a mine."""
    game = BaseGame(BEGINNER, 7, origin="fresh")
    game.touch(Touch(812, "left", "press", 72, 70))
    game.touch(Touch(901, "left", "release", 72, 71))
    return played(game, WRONG_CHORD)


def practice() -> BaseGame:
    """Notes before the first cell, help, a loss undone, a pause: nothing for the best times."""
    return played(BaseGame(BEGINNER, 11), PRACTICE)


def won_by_flags() -> BaseGame:
    """The other goal: won by the last right flag while safe cells are still covered."""
    game = BaseGame(Rules.parse("8x5/6 first=safe goal=flag"), 3)
    played(game, "flag 4,7; open 2,3")
    for row in range(5):
        for col in range(8):
            if bool(game.board.mine_map[row, col]) != bool(game.board.flag_map[row, col]):
                played(game, f"flag {row},{col}")
    return game


def resigned_on_a_shared_board() -> BaseGame:
    """A board that came as a code begins where the code says, and was given up while paused."""
    rules, mines = parse_layout(SHARED)
    game = BaseGame.from_share(encode(rules, mines, (0, 4)))
    return played(game, "flag 0,0; open 0,4; question 3,4; pause; resign")


SHARED = """5x4/3
    *....
    .....
    ....*
    ...*."""
WRONG_CHORD = "open 4,4; flag 4,1; flag 5,1; flag 6,1; question 0,6; flag 7,3; chord 6,3"
PRACTICE = """flag 0,0; question 0,1; open 4,4; hint 5,2; open 5,2; undo;
    flag 5,2; pause; resume; chord 5,1"""

GAMES: dict[str, tuple[Callable[[], BaseGame], Status, str]] = {
    "expert-won": (won_by_hand, Status.WON, "seed"),
    "beginner-lost-by-a-chord": (lost_by_a_chord, Status.LOST, ""),
    "beginner-practice": (practice, Status.RUNNING, "hint"),
    "won-by-flags": (won_by_flags, Status.WON, "seed"),
    "shared-and-resigned": (resigned_on_a_shared_board, Status.LOST, "share"),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name: str, regenerate: bool) -> None:
    play, status, unranked = GAMES[name]
    journal, diagram = GOLDEN / f"{name}.jsonl", GOLDEN / f"{name}.txt"
    game = play()
    if regenerate:
        journal.write_text(format_journal(game), encoding="utf-8", newline="\n")
        diagram.write_text(format_scene(game.rules, sight(game)), encoding="utf-8", newline="\n")
    kept = parse_journal(BaseGame, journal.read_text(encoding="utf-8"))
    assert kept == game
    assert kept.board == game.board
    assert format_journal(game) == journal.read_text(encoding="utf-8")
    assert format_scene(kept.rules, sight(kept)) == diagram.read_text(encoding="utf-8")
    assert (kept.status, kept.unranked) == (status, unranked)


def test_every_golden_file_is_played() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.jsonl")) == sorted(GAMES)
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted(GAMES)
