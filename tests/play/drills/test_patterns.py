"""The names of patterns: what players call them, and where they stand."""

from __future__ import annotations

import pytest

import demine
from demine.play.drills.patterns import DrillPattern, all_patterns, pattern_of_proof
from demine.scene.board_turn import turned
from demine.solver.proof.explain import explain

NAMED = {
    "single": "4x3/2\n1 1 1 #\n# 1 1 #\n# # # #",
    "1-1/edge": "5x3/3\n# # # # #\n1 1 1 2 #\n. . . 1 #",
    "1-2": (
        "9x9/12\n#########\n#########\n#########\n###2111##\n###1..1##\n###3211##\n#########\n"
        "#########\n#########"
    ),
    "1-2-1": (
        "9x9/12\n....1#111\n...12222#\n...1#11#2\n...111111\n221....11\n##312122#\n#########\n"
        "#########\n#########"
    ),
    "1-2-2-1": (
        "9x9/12\n#########\n#########\n#########\n##1111232\n##21..12#\n###1..1#2\n##32..111\n"
        "###2...11\n###2...1#"
    ),
    "reduction": (
        "9x9/12\n#2#1..111\n#311..1#1\n#31...111\n##1......\n#21...111\n#31...2#2\n##1...3#3\n"
        "22211.2#2\n..1#1.111"
    ),
    "subset": (
        "9x9/12\n#########\n#########\n##2###2##\n##2221111\n#1#1.....\n###21....\n##2#1....\n"
        "###21....\n###1....."
    ),
    "chain": (
        "9x9/12\n#########\n#########\n#########\n##2222###\n##2..1###\n##2111###\n#########\n"
        "#########\n#########"
    ),
    "count": "3x2/1\n1 # #\n1 # #",
}


@pytest.mark.parametrize("code", [each.code for each in all_patterns()])
def test_a_code_is_read_back(code: str) -> None:
    pattern = DrillPattern.parse(code)
    assert pattern.code == code
    assert str(pattern)


@pytest.mark.parametrize("code", ["", "chess", "1-1/", "1-1/middle", "/edge", "1-1/edge/edge"])
def test_other_texts_are_none(code: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the enums' own
        DrillPattern.parse(code)


def name_of(text: str, turn: int = 0) -> str:
    seen = demine.SeenPosition.parse(text)
    faces = turned(seen.scene, turn).copy()
    return pattern_of_proof(faces, seen.mines, explain(faces, seen.mines)).code


@pytest.mark.parametrize("code", NAMED)
def test_a_pattern_has_its_name_however_the_board_is_turned(code: str) -> None:
    assert {name_of(NAMED[code], turn) for turn in range(8)} == {code}


def test_a_line_of_numbers_without_a_wall_has_no_longer_name() -> None:
    island = (
        "9x9/12\n#########\n#########\n###111###\n###1.2###\n###1.1###\n###112###\n#########\n"
        "#########\n#########"
    )
    assert {name_of(island, turn) for turn in range(8)} == {"1-2"}


def test_names_of_made_games_do_not_depend_on_the_turn() -> None:
    checked = 0
    for drill in demine.drills("16x16/40", seed=5, kind="safe", count=12):
        faces = drill.faces()
        reason = explain(faces, drill.mines, drill.cell)
        name = pattern_of_proof(faces, drill.mines, reason).name
        for turn in range(8):
            shown = demine.DrillQuestion(drill, turn)
            proof = shown.solution.reason
            assert proof is not None
            if len(proof.because) == len(reason.because) <= 2:
                assert pattern_of_proof(shown.faces, drill.mines, proof).name is name
                checked += 1
    assert checked > 16
