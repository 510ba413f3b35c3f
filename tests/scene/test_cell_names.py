"""One cell, `(3, 13)` in the library, is row 4, column 14 wherever people read of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from demine.cli.main import run
from demine.game import Game
from demine.logic.errors import ActError
from demine.logic.event import Act, Lay, Verb
from demine.logic.rules import Rules
from demine.replay.load_save import save
from demine.reviews.review import review
from demine.reviews.watch_text import act_sentence, verdict_text
from demine.scene.cell_names import cell_name, cell_pair
from demine.scene.diagram import format_scene
from demine.scene.sight import sight
from demine.scene.translation import explain, set_language
from demine.solver.hint import hint
from demine.solver.judge import judge
from demine.solver.win_chances import analyse

RULES = Rules.parse("14x4/1 first=any")
CELL, MINE = (3, 13), (2, 13)
NAME, PAIR, CHINESE = "row 4, column 14", "(4, 14)", "第 4 行第 14 列"


def new_game() -> Game:
    """Return a game in which only `MINE` and `CELL`, which is safe, are covered."""
    mines = np.zeros(RULES.shape, np.bool_)
    mines[MINE] = True
    game = Game(RULES, 0)
    game.lay(Lay(0, mines))
    game.play(Act(0, Verb.OPEN, 0, 0))
    return game


def lost_game() -> Game:
    """Return the game of somebody who put a flag on `CELL` and opened `MINE`."""
    game = new_game()
    game.play(Act(1000, Verb.FLAG, *CELL))
    game.play(Act(2000, Verb.OPEN, *MINE))
    return game


def refusal() -> ActError:
    with pytest.raises(ActError) as caught:
        new_game().check(Act(9, Verb.CHORD, *CELL))
    return caught.value


def hint_text() -> str:
    advice = hint(sight(new_game()), 1)
    assert advice is not None
    return str(advice)


def verdict_of_loss() -> str:
    return verdict_text(review(lost_game()).acts[-1])


def caption() -> str:
    return act_sentence(Act(9, Verb.OPEN, *CELL), sight(new_game()))


WAYS_TO_SAY: dict[str, Callable[[], str]] = {
    "name": lambda: cell_name(*CELL),
    "hint": hint_text,
    "judgement": lambda: str(judge(sight(new_game()), 1, [MINE])),
    "verdict": verdict_of_loss,
    "caption": caption,
    "error": lambda: explain(refusal()),
}
"""Where sentences name `CELL`, each as a function in the language set."""


@pytest.mark.parametrize("way", WAYS_TO_SAY)
def test_every_sentence_counts_from_one(way: str) -> None:
    said = WAYS_TO_SAY[way]()
    assert NAME in said.lower()
    set_language("zh_CN")
    try:
        assert CHINESE in WAYS_TO_SAY[way]()
    finally:
        set_language("en")


WAYS_TO_LIST: dict[str, Callable[[], str]] = {
    "pair": lambda: cell_pair(*CELL),
    "analysis": lambda: analyse(sight(new_game()), 1).table_rows()[0][0],
    "review": lambda: review(lost_game()).acts[1].table_row()[2],
}


@pytest.mark.parametrize("way", WAYS_TO_LIST)
def test_every_table_counts_from_one(way: str) -> None:
    assert WAYS_TO_LIST[way]() == PAIR


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "position.txt"
    path.write_text(format_scene(RULES, sight(new_game())), "utf-8")
    return str(path)


def test_the_command_line_counts_from_one(
    position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*args: str) -> str:
        assert run(args) == 0
        return capsys.readouterr().out

    solved = printed("solve", position)
    assert f"Safe: {PAIR}\n" in solved
    assert f"Best move: {NAME}, which is safe" in solved
    columns, *rows = [line.split() for line in solved.splitlines()[2:7]]
    assert columns == [str(number) for number in range(1, 15)]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert f"{NAME.capitalize()} is safe." in printed("hint", position)
    analysed = printed("analyse", position)
    assert PAIR in analysed
    assert NAME.capitalize() in analysed
    save(lost_game(), tmp_path / "lost")
    reviewed = printed("review", str(tmp_path / "lost"))
    assert f"flag  {PAIR}" in reviewed
    assert f"{PAIR} 0%" in reviewed


def test_values_and_files_count_from_zero(
    position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    advice = hint(sight(new_game()), 1)
    assert advice is not None
    assert advice.reason is not None
    assert (advice.row, advice.col) == advice.reason.cell == CELL
    assert advice.to_dict()["cell"] == list(CELL)
    assert repr(advice).startswith("Hint(row=3, col=13,")
    assert refusal().cell == CELL
    assert repr(Act(9, Verb.OPEN, *CELL)) == "Act(9, 'open', 3, 13)"
    assert '"open",3,13' in str(Act(9, Verb.OPEN, *CELL))
    for verb, key in (("solve", "best"), ("hint", "cell")):
        assert run([verb, "--json", position]) == 0
        assert json.loads(capsys.readouterr().out)[key] == list(CELL)


def test_an_option_counts_from_zero_and_its_errors_say_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    make = ["make", "14x4/1", "--seed", "1", "--format", "json", "--first"]
    assert run([*make, "3,13"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == list(CELL)
    assert run([*make, "3,14"]) == 2
    assert capsys.readouterr().err == (
        "demine make: row 4, column 15 is outside the 14x4 board (--first 3,14)\n"
    )
    assert run(["study", "14x4/1", "--start", "3,14", "--seed", "1"]) == 2
    assert capsys.readouterr().err.endswith("is outside the 14x4 board (--start 3,14)\n")
