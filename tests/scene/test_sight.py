"""What the player sees of a game, in every state it can be in."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from demine.logic.event import Touch
from demine.logic.game import BaseGame, Status
from demine.scene.cell_faces import Face
from demine.scene.diagram import format_scene
from demine.scene.sight import (
    cell_to_resume_at,
    faces_of_cells,
    sight,
    sight_while_running,
)
from tests.logic.boards import game_on, games, played

LAYOUT = """5x4/3
    *....
    .....
    ....*
    ...*."""


def shown(game: BaseGame) -> str:
    """The sight as rows of letters."""
    return format_scene(game.rules, sight(game)).replace(" ", "").partition("\n")[2].strip()


def test_a_new_game_shows_covers_and_notes() -> None:
    game = played(game_on(LAYOUT), "flag 0,0; question 0,1")
    assert shown(game) == "F?###\n#####\n#####\n#####"
    assert sight(game).dtype == np.uint8
    assert sight(game).shape == (4, 5)


def test_a_running_game_shows_what_is_open() -> None:
    game = played(game_on(LAYOUT), "open 0,4; flag 2,4; question 0,0")
    assert shown(game) == "?1...\n11.11\n..12F\n..1##"


def test_a_paused_game_shows_nothing() -> None:
    game = played(game_on(LAYOUT), "open 0,4; flag 2,4; question 0,0; pause")
    assert shown(game) == "#####\n#####\n#####\n#####"
    played(game, "resume")
    assert shown(game) == "?1...\n11.11\n..12F\n..1##"


def test_a_won_board_is_flagged() -> None:
    game = played(game_on(LAYOUT), "open 0,4; question 0,0; open 3,4")
    assert game.status is Status.WON
    assert shown(game) == "F1...\n11.11\n..12F\n..1F2"


def test_a_board_won_by_its_flags_keeps_its_covers() -> None:
    game = played(
        game_on(LAYOUT.replace("5x4/3", "5x4/3 goal=flag")),
        "open 3,4; question 0,2; flag 0,0; flag 2,4; flag 3,3",
    )
    assert game.status is Status.WON
    assert shown(game) == "F#?##\n#####\n####F\n###F2"


def test_a_lost_board_shows_its_mines_and_mistakes() -> None:
    game = played(game_on(LAYOUT), "open 0,1; flag 0,0; flag 3,0; question 3,3; question 0,4")
    played(game, "open 2,4")
    assert game.status is Status.LOST
    assert shown(game) == "F1##?\n#####\n####X\n!##*#"


def test_a_wrong_chord_shows_every_mine_it_opened() -> None:
    game = played(game_on("3x3/2\n*..\n..*\n..."), "open 1,1; flag 0,1; flag 2,2; chord 1,1")
    assert game.status is Status.LOST
    assert shown(game) == "X!1\n12X\n.1!"


def test_a_resigned_board_shows_its_mines_but_none_that_blew() -> None:
    game = played(game_on(LAYOUT), "open 0,1; flag 0,0; flag 0,4; pause; resign")
    assert shown(game) == "F1##!\n#####\n####*\n###*#"


def test_an_undone_loss_is_covered_again() -> None:
    game = played(game_on(LAYOUT), "open 0,1; open 2,4; undo")
    assert shown(game) == "#1###\n#####\n#####\n#####"


def test_the_sight_is_the_callers_own() -> None:
    game = played(game_on(LAYOUT), "open 0,4")
    sight(game)[:] = Face.MINE
    assert shown(game) == "#1...\n11.11\n..12#\n..1##"


@given(games())
def test_faces_follow_from_the_boards(game: BaseGame) -> None:
    faces, board = sight(game), game.board
    if game.status is Status.PAUSED:
        assert (faces == Face.COVERED).all()
        return
    assert np.array_equal(faces <= Face.EIGHT, board.open_map)
    assert np.array_equal(faces[board.open_map], board.hint_map[board.open_map])
    blown = [tuple(cell) for cell in np.argwhere(faces == Face.BLOWN).tolist()]
    assert sorted(blown) == sorted(board.blown)
    if not game.status.over:
        assert len(blown) < game.rules.lives
        assert np.array_equal(faces == Face.FLAG, board.flag_map)
        # A question mark stays on a mine that blew and was forgiven, and is not seen there.
        asked = board.question_map & (faces != Face.BLOWN)
        assert np.array_equal(faces == Face.QUESTION, asked)
        assert not np.isin(faces, [Face.MINE, Face.WRONG]).any()
    elif game.status is Status.LOST:
        assert np.array_equal(faces == Face.WRONG, board.flag_map & ~board.mine_map)
        assert np.array_equal(faces == Face.FLAG, board.flag_map & board.mine_map)
        assert np.isin(faces[board.mine_map], [Face.FLAG, Face.MINE, Face.BLOWN]).all()
    else:
        assert np.isin(faces[board.mine_map], [Face.FLAG, Face.BLOWN]).all()
        assert not (faces[~board.mine_map] == Face.FLAG).any()


def test_a_board_that_goes_on_is_first_looked_at_where_it_was_played() -> None:
    game = game_on(LAYOUT)
    assert cell_to_resume_at(game) is None
    assert cell_to_resume_at(played(game, "flag 0,0")) == (0, 0)
    assert cell_to_resume_at(played(game, "open 2,1")) == (2, 1)
    game.touch(Touch(game.time_ms + 9, "", "move", 3, 3))
    assert cell_to_resume_at(played(game, "pause")) == (2, 1)
    assert cell_to_resume_at(played(game, "resume; flag 3,4")) == (3, 4)
    assert cell_to_resume_at(played(game, "flag 0,0; open 0,0")) is None


@given(games())
def test_a_cell_alone_looks_as_it_does_on_the_board(game: BaseGame) -> None:
    if game.status.over:
        return  # cells alone are asked for while a game is running
    faces = sight_while_running(game.board).reshape(-1).tolist()
    assert faces_of_cells(game.board, range(len(faces))) == faces


def test_a_mine_that_cost_a_life_is_seen_alone() -> None:
    game = played(game_on(LAYOUT.replace("5x4/3", "5x4/3 lives=2")), "open 0,1; open 0,0")
    assert faces_of_cells(game.board, [0, 1, 2]) == [Face.BLOWN, Face.ONE, Face.COVERED]
