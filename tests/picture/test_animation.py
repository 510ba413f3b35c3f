"""A watched game as pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.rules import BEGINNER, Rules
from demine.picture import PictureError, render
from demine.picture.animation import FrameMaker, playback_frame, write_game_gif
from demine.picture.pointer_trail import click_picture, paste_over, pointer_picture
from demine.scene.playback import Playback
from demine.scene.themes import THEMES
from tests.picture.test_gif_file import shown
from tests.pictures import compare

LIGHT = THEMES["light"]


def played() -> Game:
    game = Game(BEGINNER, 7)
    for t, x, y in ((-300, 30, 30), (-200, 50, 60), (-100, 72, 72)):
        game.touch(Touch(t, "", "move", x, y))
    game.touch(Touch(-90, "left", "press", 72, 72))
    game.touch(Touch(0, "left", "release", 72, 72))
    game.play(Act(0, Verb.OPEN, 4, 4))
    for row, col in np.argwhere(game.board.mine_map)[:2]:
        t = 1000 + 500 * int(row)
        x, y = 16 * int(col) + 8, 16 * int(row) + 8
        if t >= game.events[-1].t:
            game.touch(Touch(t, "right", "press", x, y))
            game.play(Act(t, Verb.FLAG, int(row), int(col)))
            game.touch(Touch(t + 50, "right", "release", x, y))
    return game


@pytest.mark.parametrize("look", list(THEMES))
def test_a_frame_with_the_way_of_the_pointer(look: str, regenerate: bool) -> None:
    watched = Playback(played())
    watched.seek(watched.end)
    picture = playback_frame(watched, THEMES[look], 24, trail=watched.trail(None))
    compare(picture, f"picture/film-{look}", regenerate)


def test_a_frame_after_others_is_the_frame_alone() -> None:
    game = played()
    watched = Playback(game)
    film = FrameMaker((9, 9), LIGHT, 20)
    for ms in (-300, -80, 0, 1200, watched.end, -300, 0):
        watched.seek(ms)
        assert np.array_equal(film.frame(watched.snapshot()), playback_frame(watched, LIGHT, 20))


def test_the_board_is_drawn_as_everywhere() -> None:
    game = Game(BEGINNER, 7)
    game.play(Act(0, Verb.OPEN, 4, 4))
    watched = Playback(game)
    picture = playback_frame(watched, LIGHT, 16)
    still = watched.snapshot()
    board = render(still.faces, LIGHT, 16, still.looks, still.cursor)
    high, wide = board.shape[:2]
    places = [
        (top, left)
        for top in range(picture.shape[0] - high + 1)
        for left in range(picture.shape[1] - wide + 1)
        if np.array_equal(picture[top : top + high, left : left + wide], board)
    ]
    assert len(places) == 1


def test_a_game_is_an_animation_that_ends_as_the_game_does() -> None:
    watched = Playback(played())
    sink = io.BytesIO()
    told: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> bool:
        told.append((done, count))
        return True

    assert write_game_gif(watched, sink, LIGHT, 16, 2.0, progress=progress)
    frames = shown(sink.getvalue())
    assert told[-1][0] == told[-1][1] - 1
    wanted = (watched.end - watched.start) / 2
    assert abs(sum(delay for _, delay in frames[:-1]) + frames[-1][1] - 2000 - wanted) <= 100
    watched.seek(watched.end)
    apart = np.abs(frames[-1][0].astype(int) - playback_frame(watched, LIGHT, 16))
    assert apart.mean() < 1


def test_an_animation_stops_when_asked() -> None:
    sink = io.BytesIO()
    assert not write_game_gif(
        Playback(played()), sink, LIGHT, 16, progress=lambda done, _: done < 3
    )


def test_frames_that_are_too_large_are_refused() -> None:
    game = Game(Rules(500, 500, 50_000), 1)
    with pytest.raises(PictureError, match="too large"):
        write_game_gif(Playback(game), io.BytesIO(), LIGHT, 16)


def test_marks_at_the_border_are_cut() -> None:
    picture = np.zeros((10, 10, 3), np.uint8)
    for top, left in ((-5, -5), (8, 8), (-100, 3), (3, 100)):
        paste_over(picture, pointer_picture(LIGHT, 24), top, left)
    assert picture.shape == (10, 10, 3)
    kinds = [click_picture(LIGHT, name, 24) for name in ("left", "right", "middle")]
    assert len({kind.tobytes() for kind in kinds}) == 3
