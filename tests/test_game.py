"""The complete game: it deals guess-free boards, draws itself, and stays what it is in copies."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import demine
from demine.game import Game
from demine.logic import game as logic_game
from demine.logic.errors import RulesError
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER, Rules
from demine.replay.model import Replay
from demine.store.store import Store

GUESS_FREE = Rules.parse("6x6/6 guess-free")
MAKE = f"""
from demine.logic.event import Act
game = Game({str(GUESS_FREE)!r}, 1)
game.play(Act(0, "open", 3, 3))
"""
DRAW = """
assert game._repr_svg_().startswith("<svg")
assert game._repr_html_() is None
"""
SCENE = "[[1, 1, 0], [9, 1, 0], [9, 1, 0]], 1"
PROGRAMS = {
    "the game's own module": f"from demine.game import Game{MAKE}{DRAW}",
    "the front door": f"from demine import Game{MAKE}{DRAW}",
    "the rules first": f"import demine.logic.game\nfrom demine import Game{MAKE}{DRAW}",
    "a file": f"""
from demine.replay.load_save import read
from demine.game import Game{MAKE}
game = read(game.journal().encode()){DRAW}""",
    "a hint": f"""
from demine.solver.hint import hint
assert hint({SCENE})._repr_html_().startswith("<p>")""",
    "a reason": f"""
from demine.solver.proof.explain import explain
assert explain({SCENE})._repr_html_().startswith("<p>")""",
    "a review": f"""
from demine.reviews.review import review
from demine.game import Game{MAKE}
assert review(game)._repr_html_().startswith("<p>")""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_values_show_themselves_whatever_was_imported(program: str) -> None:
    """Nothing is given to these classes by the door through which they were imported."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_rules_alone_lay_no_guess_free_board() -> None:
    plain = logic_game.BaseGame(GUESS_FREE, 1)
    with pytest.raises(RulesError, match="guess-free boards need the solver"):
        plain.play(Act(0, Verb.OPEN, 3, 3))
    complete = Game(GUESS_FREE, 1)
    complete.play(Act(0, Verb.OPEN, 3, 3))
    assert plain != complete
    plain = logic_game.BaseGame(BEGINNER, 1)
    assert plain == Game(BEGINNER, 1)


def test_it_stays_itself() -> None:
    game = Game(BEGINNER, 1)
    game.play(Act(0, Verb.OPEN, 3, 3))
    for other in (
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        Game.from_journal(game.journal()),
    ):
        assert type(other) is Game
        assert other == game
    for other in (game.again(), Game.from_share(game.share())):
        assert type(other) is Game


def test_it_draws_itself_as_it_is_shown() -> None:
    game = Game(BEGINNER, 1)
    game.play(Act(0, Verb.OPEN, 3, 3))
    assert game._repr_svg_() == demine.show(game).svg


def test_whatever_is_above_makes_complete_games(tmp_path: Path) -> None:
    game = Game(BEGINNER, 1)
    game.play(Act(0, Verb.OPEN, 3, 3))
    for suffix in ("jsonl", "rmv", "journal"):
        path = tmp_path / f"game.{suffix}"
        demine.save(game, path)
        assert type(demine.load(path)) is Game
    assert type(Replay.of(game).game()) is Game
    with Store.memory() as store:
        key = store.begin(game).id
        assert type(store.load_game(key)) is Game
