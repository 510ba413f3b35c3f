"""Motion: what is shown a moment after an act, and when all of it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic.event import Act, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.motion import (
    FADE_MS,
    LANDING_MS,
    LONGEST_MS,
    LOSS_MS,
    OTHER_MINES_MS,
    SHORTEST_MS,
    WAVE_MS,
    Motion,
)
from demine.scene.sight import sight

START = 5000.0
Faces = NDArray[np.uint8]


def covered(rows: int, cols: int) -> Faces:
    """A board nobody has touched."""
    return np.full((rows, cols), Face.COVERED, np.uint8)


def begun(
    before: Faces, faces: Faces, origin: tuple[int, int], status: Status = Status.RUNNING
) -> Motion:
    """The motion of one act at `START`."""
    motion = Motion((faces.shape[0], faces.shape[1]))
    motion.animate_change(before, faces, origin, status, START)
    return motion


def test_the_cell_acted_on_and_its_neighbours_show_at_once() -> None:
    before, faces = covered(9, 9), np.zeros((9, 9), np.uint8)
    shown = begun(before, faces, (4, 4)).frame(faces, START)
    assert (shown.faces[3:6, 3:6] == Face.ZERO).all()
    assert not shown.veil[3:6, 3:6].any()
    assert shown.faces[0, 0] == shown.faces[4, 8] == Face.COVERED


def test_an_opening_spreads_outwards_and_never_back() -> None:
    before, faces = covered(16, 30), np.zeros((16, 30), np.uint8)
    motion = begun(before, faces, (8, 3))
    far = np.hypot(*np.indices(faces.shape) - np.array([8, 3])[:, None, None])
    opened = np.zeros(faces.shape, np.bool_)
    for ms in range(0, LONGEST_MS + 1, 4):
        now = motion.frame(faces, START + ms).faces == Face.ZERO
        assert (now | ~opened).all()
        assert far[now].max() <= far[~now].min(initial=99)
        opened = now
    assert opened.all()


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (9, 9), (16, 30), (100, 200)])
def test_an_opening_takes_80_to_120_ms_in_all(rows: int, cols: int) -> None:
    before, faces = covered(rows, cols), np.zeros((rows, cols), np.uint8)
    motion = begun(before, faces, (0, 0))
    assert SHORTEST_MS <= motion.ends_at - START <= LONGEST_MS
    still = motion.frame(faces, motion.ends_at)
    assert (still.faces == faces).all()
    assert not still.veil.any()
    assert FADE_MS < SHORTEST_MS


def test_a_single_number_does_not_move() -> None:
    before, faces = covered(9, 9), covered(9, 9)
    faces[4, 4] = Face.THREE
    motion = begun(before, faces, (4, 4))
    assert motion.ends_at < START
    assert (motion.frame(faces, START).faces == faces).all()


def test_a_flag_is_seen_at_once_and_lands() -> None:
    before, faces = covered(9, 9), covered(9, 9)
    faces[2, 3] = Face.FLAG
    motion = begun(before, faces, (2, 3))
    heights = [
        motion.frame(faces, START + ms).landing.get((2, 3), 0.0) for ms in (0, 30, 60, LANDING_MS)
    ]
    assert heights[0] == 1.0
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] == 0.0
    assert (motion.frame(faces, motion.ends_at).faces == faces).all()


def test_a_flag_taken_off_in_the_air_is_gone() -> None:
    before, faces = covered(9, 9), covered(9, 9)
    faces[2, 3] = Face.FLAG
    motion = begun(before, faces, (2, 3))
    motion.animate_change(faces, before, (2, 3), Status.RUNNING, START + 20)
    now = motion.frame(before, START + 21)
    assert not now.landing
    assert (now.faces == before).all()


def test_a_loss_shows_the_mine_that_was_hit_before_all_others() -> None:
    before, faces = covered(9, 9), covered(9, 9)
    faces[4, 4] = Face.BLOWN
    faces[0, 0] = faces[4, 5] = Face.MINE
    faces[8, 8] = Face.WRONG
    motion = begun(before, faces, (4, 4), Status.LOST)
    first = motion.frame(faces, START + OTHER_MINES_MS - 1).faces
    assert first[4, 4] == Face.BLOWN
    assert np.count_nonzero(first != Face.COVERED) == 1
    half = motion.frame(faces, START + (OTHER_MINES_MS + LOSS_MS) / 2).faces
    assert half[4, 5] == Face.MINE
    assert half[0, 0] == Face.COVERED
    assert motion.ends_at == START + LOSS_MS
    assert (motion.frame(faces, motion.ends_at).faces == faces).all()


def test_a_wave_of_light_passes_over_a_won_board() -> None:
    before, faces = covered(9, 9), np.zeros((9, 9), np.uint8)
    before[:, 1:] = Face.ZERO
    motion = begun(before, faces, (4, 0), Status.WON)
    crests = []
    for ms in range(0, WAVE_MS, 20):
        light = motion.frame(faces, START + ms).light
        if light.any():
            crests.append(int(np.argmax(light.ravel()[::10])))
    assert crests == sorted(crests)
    assert len(set(crests)) == 9  # each cell of the diagonal in turn
    assert not motion.frame(faces, motion.ends_at).light.any()


def test_a_new_act_leaves_what_moves_alone() -> None:
    before, faces = covered(9, 30), covered(9, 30)
    faces[:, 10:] = Face.ZERO
    motion = begun(before, faces, (4, 10))
    later = faces.copy()
    later[0, 0] = Face.ONE
    motion.animate_change(faces, later, (0, 0), Status.RUNNING, START + 10)
    now = motion.frame(later, START + 10).faces
    assert now[0, 0] == Face.ONE
    assert now[4, 29] == Face.COVERED
    assert (motion.frame(later, START + LONGEST_MS).faces == later).all()


cells = st.integers(0, 8)


@given(st.integers(0, 2**32), st.lists(st.tuples(cells, cells, st.integers(0, 60)), max_size=12))
def test_whatever_is_played_all_is_seen_in_the_end(
    seed: int, acts: list[tuple[int, int, int]]
) -> None:
    game = BaseGame(Rules.parse("9x9/10"), seed)
    motion, now = Motion((9, 9)), START
    before = sight(game)
    for number, (row, col, wait) in enumerate(acts):
        now += wait
        act = Act(number, Verb.FLAG if wait % 5 == 0 else Verb.OPEN, row, col)
        if not game.can(act):
            continue
        game.play(act)
        faces = sight(game)
        motion.animate_change(before, faces, (row, col), game.status, now)
        seen = motion.frame(faces, now)
        if act.verb is Verb.OPEN:
            assert seen.faces[row, col] == faces[row, col]
        else:
            assert seen.faces[row, col] == faces[row, col] or (row, col) in seen.landing
        before = faces
    rest = motion.frame(before, max(now, motion.ends_at))
    assert (rest.faces == before).all()
    assert not rest.veil.any()
    assert not rest.light.any()
    assert not rest.landing
