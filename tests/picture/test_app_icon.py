"""The icon for systems that cut its outline: its ground fills the square, its mine stays inside."""

from __future__ import annotations

import numpy as np

from demine.picture.app_icon import icon, maskable_icon


def test_no_outline_cuts_the_mine_of_the_maskable_icon() -> None:
    size = 192
    drawn = maskable_icon(size)
    assert (drawn[..., 3] == 255).all()
    assert (icon(size)[0, 0] == 0).all()
    rows, cols = np.mgrid[:size, :size] - (size - 1) / 2
    outside = np.hypot(rows, cols) > 0.4 * size
    assert (drawn[outside] == drawn[0, 0]).all()
    assert (drawn[~outside] != drawn[0, 0]).any()
