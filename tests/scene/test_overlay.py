"""Overlays are values, percents keep certainty apart, and the colours of advice can be seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.scene.cell_faces import Face
from demine.scene.colours import RGB, RiskScale, contrast
from demine.scene.digit_palettes import PALETTES
from demine.scene.overlay import (
    UNKNOWN,
    Mark,
    Overlay,
    OverlayError,
    least_risky_cells,
    risks_without_figure,
    to_percent,
)
from demine.scene.themes import THEMES, Theme, theme, with_palette
from tests.scene.vision import DEFICIENCIES, ciede2000, lab, seen

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
INKS = ("safe", "proven", "because", "about", "guess", "mistake", "missed")
RISKS = range(1, 100)
probabilities = st.one_of(st.floats(0, 1), st.just(float("nan")))


def row(*values: float) -> NDArray[np.float64]:
    return np.array([values])


def ink(look: Theme, name: str) -> RGB:
    found = getattr(look, name)
    assert isinstance(found, tuple)
    return found


def test_percents_round_halves_up_and_keep_certainty_for_certainty() -> None:
    nan = float("nan")
    told = to_percent(row(0.0, 1e-9, 0.004, 0.125, 0.245, 0.5, 0.994, 0.9999, 1.0, nan))
    assert told.dtype == np.uint8
    assert told.tolist() == [[0, 1, 1, 13, 25, 50, 99, 99, 100, UNKNOWN]]


@given(st.lists(probabilities, min_size=1, max_size=20))
def test_percents_never_contradict_the_probability(values: list[float]) -> None:
    for value, told in zip(values, to_percent(row(*values))[0].tolist(), strict=True):
        if np.isnan(value):
            assert told == UNKNOWN
        else:
            assert (told == 0) == (value == 0)
            assert (told == 100) == (value == 1)
            assert abs(told - 100 * value) <= 1


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_a_higher_risk_never_has_a_lower_percent(values: list[float]) -> None:
    told = to_percent(row(*sorted(values)))[0].tolist()
    assert told == sorted(told)


@pytest.mark.parametrize("value", [-0.01, 1.01, float("inf"), float("-inf")])
def test_what_is_no_probability_has_no_percent(value: float) -> None:
    with pytest.raises(OverlayError, match="is not a probability from 0 to 1"):
        to_percent(row(0.5, value))


def test_the_safest_cells_are_found_among_equal_percents() -> None:
    nan = float("nan")
    chance = row(0.201, 0.199, nan, 0.199 * (1 + 1e-12), 0.9)
    assert to_percent(chance)[0].tolist() == [20, 20, UNKNOWN, 20, 90]
    assert least_risky_cells(chance).tolist() == [[False, True, False, True, False]]
    assert least_risky_cells(row(0.0, 0.0, 1e-12)).tolist() == [[True, True, False]]
    assert not least_risky_cells(row(nan, nan)).any()


def test_an_overlay_is_a_value() -> None:
    plain = Overlay.empty((2, 3))
    assert plain == Overlay.empty((2, 3))
    assert plain != Overlay.empty((3, 2))
    assert plain != "overlay"
    assert not plain
    marked = plain.with_marks(Mark.SAFE, [(1, 2)])
    assert marked
    assert marked != plain
    assert not plain.marks.any()
    assert marked == plain.with_marks(Mark.MINE, [(1, 2)]).with_marks(Mark.SAFE, [(1, 2)])
    risky = plain.with_risks(np.full((2, 3), 0.25))
    assert (risky.risk == 25).all()
    assert risky != plain
    with pytest.raises(TypeError, match="unhashable"):
        hash(plain)


def written(picture: str, risks: str) -> list[tuple[int, int]]:
    """The cells whose risk is a number: `#` is covered, risks are in tens of percent, `x` 100."""
    known = {"#": Face.COVERED, "F": Face.FLAG, ".": Face.ZERO, "1": Face.ONE}
    faces = np.array([[known[sign] for sign in line] for line in picture.split()], np.uint8)
    tens = [["0123456789x".find(sign) for sign in line] for line in risks.split()]
    risk = np.where(np.array(tens) < 0, UNKNOWN, np.array(tens) * 10).astype(np.uint8)
    numbers = ~risks_without_figure(risk, faces) & (risk != UNKNOWN)
    return [(row, col) for row, col in np.argwhere(numbers).tolist()]


def test_the_risk_far_from_numbers_is_written_once_in_their_midst() -> None:
    rows = [["1" + 9 * "#", *9 * [10 * "#"]], ["-3" + 8 * "2", "33" + 8 * "2", *8 * [10 * "2"]]]
    faces, risks = (" ".join(each) for each in rows)
    assert written(faces, risks) == [(0, 1), (5, 5)]


def test_neighbours_of_one_risk_have_one_number() -> None:
    assert written("...... 111111 ######", "------ ------ 335535") == [
        (2, 0),
        (2, 2),
        (2, 4),
        (2, 5),
    ]


def test_certainties_have_their_sign_in_every_cell() -> None:
    assert written("...... 111111 ######", "------ ------ 00xx00") == [(2, col) for col in range(6)]


def test_flags_keep_their_own_figures() -> None:
    assert written("...... 111111 FFFF##", "------ ------ 333333") == [(2, col) for col in range(5)]


def test_every_risk_can_be_read_somewhere_near() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        risk = rng.integers(0, 5, (9, 12)).astype(np.uint8) * 25
        faces = np.where(rng.random((9, 12)) < 0.3, Face.ONE, Face.COVERED).astype(np.uint8)
        hidden = risks_without_figure(risk, faces)
        for row, col in np.argwhere(hidden):
            near = np.s_[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
            beside_number = (faces[near] == Face.ONE).any()
            assert not beside_number or np.count_nonzero(risk[near] == risk[row, col]) > 1


def test_an_overlay_keeps_its_own_arrays() -> None:
    marks, risk = np.zeros((2, 2), np.uint8), np.full((2, 2), 7, np.uint8)
    kept = Overlay(marks, risk)
    marks[0, 0] = Mark.MINE
    assert kept.marks[0, 0] == Mark.NONE
    with pytest.raises(ValueError, match="read-only"):
        kept.risk[0, 0] = 1


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_changes_are_the_cells_that_differ(data: st.DataObject, high: int, wide: int) -> None:
    def drawn() -> Overlay:
        size = high * wide
        marks = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        risk = data.draw(st.lists(st.sampled_from([0, 50, UNKNOWN]), min_size=size, max_size=size))
        shape = high, wide
        return Overlay(
            np.array(marks, np.uint8).reshape(shape), np.array(risk, np.uint8).reshape(shape)
        )

    one, two = drawn(), drawn()
    changed = one.differences(two)
    for at in np.ndindex(high, wide):
        assert changed[at] == (one.marks[at] != two.marks[at] or one.risk[at] != two.risk[at])
    assert (one == two) == (not changed.any())
    assert not one.differences(one).any()
    assert one.differences(Overlay.empty((high + 1, wide))).all()


def test_a_part_is_cut_from_both_arrays() -> None:
    whole = Overlay.empty((4, 5)).with_marks(Mark.GUESS, [(2, 3)]).with_risks(np.full((4, 5), 0.5))
    part = whole.cropped(2, 1, 4, 5)
    assert part.shape == (2, 4)
    assert part == Overlay.empty((2, 4)).with_marks(Mark.GUESS, [(0, 2)]).with_risks(
        np.full((2, 4), 0.5)
    )


def test_what_cannot_be_laid_over_a_board_is_refused() -> None:
    good = np.zeros((2, 2), np.uint8)
    with pytest.raises(OverlayError, match="marks must be a uint8 array"):
        Overlay(np.zeros((2, 2), np.int64), good)
    with pytest.raises(OverlayError, match="risk must be a uint8 array with rows and columns"):
        Overlay(good, np.zeros(4, np.uint8))
    with pytest.raises(OverlayError, match=r"\(2, 2\) and risks of the shape \(2, 3\)"):
        Overlay(good, np.zeros((2, 3), np.uint8))
    with pytest.raises(OverlayError, match=f"marks has {len(Mark)} at row 1, column 1"):
        Overlay(np.full((2, 2), len(Mark), np.uint8), good)
    with pytest.raises(OverlayError, match="risk has 101 at row 2, column 1"):
        Overlay(good, np.array([[1, 2], [101, 3]], np.uint8))
    for cell in ((2, 0), (0, -1)):
        with pytest.raises(OverlayError, match="is not on a board of 2 rows and 2 columns"):
            Overlay(good, good).with_marks(Mark.SAFE, [cell])


@pytest.mark.parametrize("name", THEMES)
def test_every_mark_stands_out_from_its_ground(name: str) -> None:
    look = theme(name)
    for each in INKS:
        opened = each in ("because", "mistake")
        assert contrast(ink(look, each), look.opened if opened else look.covered) >= 3, each
        assert contrast(ink(look, each), look.mark_halo) >= 4.5, each
    # Where risks are shown as well, or a mine blew, the halo stands out if the ink does not.
    grounds = [look.risks.colour_at(risk) for risk in range(101)]
    for each in ("safe", "proven", "about", "guess", "missed"):
        for ground in grounds:
            tones = ink(look, each), look.mark_halo
            assert max(contrast(tone, ground) for tone in tones) >= 3, (each, ground)
    for tone in (look.blown, look.opened, look.crowded):
        assert max(contrast(look.mistake, tone), contrast(look.mark_halo, tone)) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("palette", PALETTES)
def test_a_number_with_a_ring_is_read_as_before(name: str, palette: str) -> None:
    look = with_palette(theme(name), palette)
    assert contrast(look.because, look.because_ground) >= 3
    for number in range(1, 9):
        before = contrast(look.digit_colour(number), look.opened)
        assert contrast(look.digit_colour(number), look.because_ground) >= min(4.5, 0.94 * before)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_risks_are_in_order_of_lightness_for_every_sight(name: str, deficiency: str) -> None:
    scale = theme(name).risks
    light = [lab(seen(scale.colour_at(risk), deficiency))[0] for risk in RISKS]
    way = 1 if light[-1] > light[0] else -1
    assert abs(light[-1] - light[0]) > 65
    for less, more in pairwise(light):
        assert (more - less) * way > 0
    for start in range(len(light) - 10):
        assert (light[start + 10] - light[start]) * way > 2.5


@pytest.mark.parametrize("name", [name for name in THEMES if name != "contrast"])
def test_ten_percent_are_about_as_far_apart_everywhere(name: str) -> None:
    # High contrast has a gap in the middle, between what white and what black can be read on.
    scale = theme(name).risks
    tones = [lab(seen(scale.colour_at(risk), "normal")) for risk in range(0, 100, 10)[1:]]
    apart = [ciede2000(less, more) for less, more in pairwise(tones)]
    assert min(apart) > 5
    assert max(apart) < 2 * min(apart)


@pytest.mark.parametrize("name", THEMES)
def test_a_number_can_be_read_on_every_risk(name: str) -> None:
    scale = theme(name).risks
    least = 7.0 if name == "contrast" else 4.5
    for risk in range(101):
        assert max(contrast(tone, scale.colour_at(risk)) for tone in (BLACK, WHITE)) >= least, risk


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_certainties_differ_from_each_other_and_from_the_nearest_risk(
    name: str, deficiency: str
) -> None:
    scale = theme(name).risks
    tones = [lab(seen(scale.colour_at(risk), deficiency)) for risk in (0, 100, 1)]
    assert ciede2000(tones[0], tones[1]) > 10
    assert ciede2000(tones[0], tones[2]) > 8


def test_a_scale_mixes_between_its_steps() -> None:
    scale = RiskScale(
        (1, 1, 1), (2, 2, 2), ((1, (0, 0, 0)), (51, (100, 200, 50)), (100, (0, 0, 0)))
    )
    assert scale.colour_at(0) == (1, 1, 1)
    assert scale.colour_at(1) == (0, 0, 0)
    assert scale.colour_at(26) == (50, 100, 25)
    assert scale.colour_at(51) == (100, 200, 50)
    assert scale.colour_at(100) == (2, 2, 2)
