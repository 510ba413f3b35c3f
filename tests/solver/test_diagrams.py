"""What is asked of a scene board may be asked of a diagram: it tells its mine count itself."""

from __future__ import annotations

import numpy as np
import pytest

import demine

DIAGRAM = "5x3/2\n1 1 1 # #\n1 # 1 # #\n1 1 1 # #"


def test_a_diagram_is_a_scene_and_its_mine_count() -> None:
    rules, scene = demine.parse_scene(DIAGRAM)
    mines = rules.mines
    assert demine.hint(DIAGRAM) == demine.hint(scene, mines)
    assert demine.best_move(DIAGRAM) == demine.best_move(scene, mines)
    assert demine.explain(DIAGRAM, cell=(1, 3)) == demine.explain(scene, mines, (1, 3))
    assert demine.count_layouts(DIAGRAM) == demine.count_layouts(scene, mines) == 3
    assert np.array_equal(demine.deduce(DIAGRAM).safe, demine.deduce(scene, mines).safe)
    found, same = (
        demine.mine_probability(each) for each in (DIAGRAM, demine.SeenPosition.parse(DIAGRAM))
    )
    assert np.array_equal(found, same, equal_nan=True)
    assert np.array_equal(found, demine.mine_probability(scene, mines), equal_nan=True)
    assert demine.analyse(DIAGRAM).cells == demine.analyse(scene, mines).cells


def test_its_rules_say_what_the_first_cell_promises() -> None:
    covered = "\n".join(["#" * 9] * 9)
    assert demine.best_move(f"9x9/10\n{covered}") == (2, 2, 0.0)
    assert demine.best_move(f"9x9/10 first=safe\n{covered}") == (0, 0, 0.0)
    assert demine.best_move(f"9x9/10 first=any\n{covered}") == (0, 0, 10 / 81)


def test_what_it_says_wrongly_is_told() -> None:
    with pytest.raises(demine.TextError, match="row 1, column 1: 'x' is not a face"):
        demine.hint("3x1/1\nx # #")
    with pytest.raises(demine.NotAGame, match=r"'board\.txt' is the name of a file"):
        demine.hint("board.txt")
    with pytest.raises(demine.RulesError, match="99 mines do not fit"):
        demine.hint("3x1/99\n# # #")
