"""The picture of a judged game: what it shows, in every theme, as pixels and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import numpy as np
import pytest

from demine.picture import PictureError, RiskTimeline, picture_of_window, review_picture, review_svg
from demine.scene.cell_faces import Face
from demine.scene.face_mood import FaceMood
from demine.scene.overlay import Mark, Overlay
from demine.scene.panel import Panel
from demine.scene.themes import THEMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCENE = np.full((8, 12), Face.COVERED, np.uint8)
PANEL = Panel(10, 42, FaceMood.LOST, "")
MARKS = Overlay.empty(SCENE.shape).with_marks(Mark.MISTAKE, [(2, 3)])


def timeline(**changed: object) -> RiskTimeline:
    """Two proven acts, a forced guess, a mistake and the end of it."""
    plain = RiskTimeline(
        np.array([1000, 2000, 12000, 30000, 42000]),
        np.array([0.0, 0.0, 0.25, 0.4, 0.5]),
        np.array([0.0, 0.0, 0.25, 0.0, 0.1]),
        np.array([False, False, False, True, True]),
        np.array([False, False, False, False, True]),
        42000,
    )
    return plain._replace(**changed)  # type: ignore[arg-type]


def drawn(line: RiskTimeline, theme: str = "light", cell: int = 32) -> NDArray[np.uint8]:
    return review_picture(SCENE, THEMES[theme], PANEL, MARKS, line, cell)


def coloured(picture: NDArray[np.uint8], colour: tuple[int, int, int]) -> NDArray[np.intp]:
    """The columns that have pixels of a colour."""
    return np.unique((picture == colour).all(2).nonzero()[1])


@pytest.mark.parametrize("theme", list(THEMES))
def test_the_board_with_its_marks_is_on_top_of_the_chart(theme: str) -> None:
    picture = drawn(timeline(), theme)
    above = picture_of_window(SCENE, THEMES[theme], PANEL, 32, advice=MARKS)
    assert picture.dtype == np.uint8
    assert picture.shape[1] == above.shape[1]
    assert picture.shape[0] > above.shape[0] + 120
    np.testing.assert_array_equal(picture[: above.shape[0]], above)
    assert not np.array_equal(above, picture_of_window(SCENE, THEMES[theme], PANEL, 32))


def test_marks_stand_where_their_time_is() -> None:
    theme = THEMES["light"]
    below = picture_of_window(SCENE, theme, PANEL, 32).shape[0]
    chart = drawn(timeline())[below:]
    head = round(chart.shape[0] * 0.2)
    mistakes, guesses = (coloured(chart[head:], ink) for ink in (theme.mistake, theme.guess))
    early = drawn(timeline(times=np.array([1000, 2000, 5000, 10000, 42000])))[below:]
    earlier = coloured(early[head:], theme.guess)
    assert earlier.mean() < guesses.mean() < mistakes.mean()


def test_a_higher_risk_stands_higher() -> None:
    theme = THEMES["light"]
    below = picture_of_window(SCENE, theme, PANEL, 32).shape[0]

    def top(risk: float) -> int:
        risks = np.array([0.0, 0.0, risk, 0.0, 0.0])
        line = timeline(
            risks=risks, lowest=risks, mistakes=np.zeros(5, bool), blew=np.zeros(5, bool)
        )
        chart = drawn(line)[below:]
        half = chart.shape[1] // 2
        head = round(chart.shape[0] * 0.2)
        return int((chart[head:, :half] == theme.guess).all(2).nonzero()[0].min())

    tops = [top(risk) for risk in (0.1, 0.3, 0.6, 0.9)]
    assert tops == sorted(tops, reverse=True)
    assert len(set(tops)) == 4


def test_luck_lowers_the_curve() -> None:
    theme = THEMES["dark"]
    below = picture_of_window(SCENE, theme, PANEL, 32).shape[0]
    lucky = drawn(timeline(), "dark")[below:]
    sure = drawn(
        timeline(risks=np.zeros(5), lowest=np.zeros(5), mistakes=np.zeros(5, bool)), "dark"
    )[below:]
    ground = (lucky == theme.opened).all(2).sum(), (sure == theme.opened).all(2).sum()
    assert ground[0] > 2 * ground[1]


@pytest.mark.parametrize("cell", [12, 16, 48])
def test_every_size_can_be_drawn(cell: int) -> None:
    assert drawn(timeline(wrong_flags=3), cell=cell).shape[2] == 3


def test_a_game_without_opening_acts_has_a_picture() -> None:
    none, nowhere = np.zeros(0), np.zeros(0, bool)
    line = RiskTimeline(np.zeros(0, np.int64), none, none, nowhere, nowhere, 0)
    assert drawn(line).any()
    long = timeline(end_ms=100_000_000, times=np.array([0, 1, 2, 3, 100_000_000]))
    assert drawn(long).any()


def test_svg_holds_the_same() -> None:
    text = review_svg(SCENE, THEMES["light"], PANEL, MARKS, timeline(), 32)
    root = ET.fromstring(text)
    picture = drawn(timeline())
    assert (int(root.attrib["height"]), int(root.attrib["width"])) == picture.shape[:2]
    assert "opacity" not in text
    mistake = "#{:02x}{:02x}{:02x}".format(*THEMES["light"].mistake)
    assert text.count(mistake) >= 4


@pytest.mark.parametrize(
    "changed",
    [
        {"risks": np.zeros(4)},
        {"risks": np.array([0, 0, 0, 0, 1.5])},
        {"lowest": np.array([0, 0, 0, 0, np.nan])},
        {"end_ms": -1},
        {"times": np.zeros((5, 1), np.int64)},
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(PictureError, match="a timeline has arrays of one length"):
        drawn(timeline(**changed))
