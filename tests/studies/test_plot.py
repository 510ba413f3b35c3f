"""Pictures of studies: drawn whole, no text over another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from demine.studies.errors import StudyError
from demine.studies.plan import StudyPlan
from demine.studies.result import StudyResult
from demine.studies.resumable_study import study
from tests.studies.samples import PAIR, SMALL, outcome

pytest.importorskip("matplotlib")
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from demine.studies.plot import check_plot_target, draw_results

if TYPE_CHECKING:
    from pathlib import Path


def of(plan: StudyPlan) -> StudyResult:
    return StudyResult(plan, outcome(plan))


def sweep() -> list[StudyResult]:
    return [of(replace(PAIR, rules=replace(PAIR.rules, mines=mines))) for mines in (3, 7, 11)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[Text, Bbox]:
    """The texts that are drawn meanwhile, and where."""
    found: dict[Text, Bbox] = {}
    draw_text = Text.draw

    def kept(self: Text, renderer: Any) -> None:
        draw_text(self, renderer)
        if self.get_visible() and self.get_text().strip():
            found[self] = self.get_window_extent(renderer)

    monkeypatch.setattr(Text, "draw", kept)
    return found


@pytest.mark.parametrize("kind", ["one", "two", "sweep", "all won", "no win"])
def test_no_text_lies_over_another(tmp_path: Path, drawn: dict[Text, Bbox], kind: str) -> None:
    target = str(tmp_path / "a.png")
    if kind == "sweep":
        draw_results(sweep(), target, sweep=True)
    elif kind in {"all won", "no win"}:
        rules = "5x5/1" if kind == "all won" else "7x7/40"
        draw_results([study(rules, games=20, seed=1)], target)
    else:
        draw_results([of(SMALL if kind == "one" else PAIR)], target)
    boxes = [(text.get_text(), box) for text, box in drawn.items()]
    assert len(boxes) > 10
    figure = next(iter(drawn)).get_figure(root=True)
    assert figure is not None
    edge = figure.bbox
    for place, (words, box) in enumerate(boxes):
        assert edge.x0 <= box.x0 < box.x1 <= edge.x1, words
        assert edge.y0 <= box.y0 < box.y1 <= edge.y1, words
        for other, beside in boxes[place + 1 :]:
            assert not box.overlaps(beside), (words, other)


def test_it_is_a_light_picture_with_something_in_it(tmp_path: Path) -> None:
    from matplotlib import image

    draw_results([of(PAIR)], str(tmp_path / "a.png"))
    pixels = image.imread(tmp_path / "a.png")
    assert np.array_equal(pixels[0, 0, :3], (1, 1, 1))
    assert 0.02 < (pixels[..., :3] < 0.9).any(axis=2).mean() < 0.5


@pytest.mark.parametrize(
    ("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_kinds(tmp_path: Path, kind: str, begin: bytes) -> None:
    draw_results([of(SMALL)], str(tmp_path / f"a.{kind}"))
    assert (tmp_path / f"a.{kind}").read_bytes().startswith(begin)


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    for name in ("a.bmp", "a", "png"):
        with pytest.raises(StudyError, match="is not a picture demine draws"):
            check_plot_target(name)
    with pytest.raises(StudyError, match="there is no folder "):
        draw_results([of(SMALL)], str(tmp_path / "no" / "a.png"))
