"""The comparison of pictures fails when it should, and leaves something to look at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import pictures
from tests.png_reader import read_png


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "IMAGES", tmp_path / "images")
    monkeypatch.setattr(pictures, "FAILED", tmp_path / "failed")


def test_a_reference_is_made_on_purpose_only() -> None:
    picture = np.full((4, 5, 3), 100, np.uint8)
    with pytest.raises(pytest.fail.Exception, match="no reference picture a/b"):
        pictures.compare(picture, "a/b", regenerate=False)
    pictures.compare(picture, "a/b", regenerate=True)
    pictures.compare(picture, "a/b", regenerate=False)


def test_a_picture_that_strays_is_shown_beside_its_reference() -> None:
    picture = np.full((4, 5, 3), 100, np.uint8)
    pictures.compare(picture, "a", regenerate=True)
    close = picture.copy()
    close[0, 0, 0] += 5
    pictures.compare(close, "a", regenerate=False)
    far = picture.copy()
    far[0, 0] = 0
    with pytest.raises(pytest.fail.Exception, match=r"100 .worst. of 0.1 and 8"):
        pictures.compare(far, "a", regenerate=False)
    shown = read_png((pictures.FAILED / "a.png").read_bytes())
    np.testing.assert_array_equal(shown[:, :10], np.concatenate([picture, far], axis=1))
    with pytest.raises(pytest.fail.Exception, match="has the shape"):
        pictures.compare(far[:2], "a", regenerate=False)
