"""Comparing pictures with the reference pictures in tests/images."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.picture import png_bytes
from tests.png_reader import read_png

IMAGES = Path(__file__).parent / "images"
FAILED = Path(tempfile.gettempdir()) / "demine-failed-pictures"


def compare(
    picture: NDArray[np.uint8],
    name: str,
    regenerate: bool,
    *,
    mean: float = 0.1,
    worst: int = 8,
) -> None:
    """Fail when a picture strays from `tests/images/{name}.png`, or write that reference anew.

    `picture` is uint8 (height, width, 3 or 4); `mean` and `worst` are the differences allowed, in
    steps of a colour's 0 to 255. A failure leaves the reference, the picture and their amplified
    difference side by side in the temporary folder `FAILED`.
    """
    reference = IMAGES / f"{name}.png"
    if regenerate:
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_bytes(png_bytes(picture))
        return
    if not reference.exists():
        pytest.fail(f"no reference picture {name}: make it with pytest --regenerate")
    wanted = read_png(reference.read_bytes())
    if wanted.shape != picture.shape:
        where = _keep(name, picture)
        pytest.fail(f"{name} has the shape {picture.shape}, not {wanted.shape}: see {where}")
    apart = np.abs(picture.astype(np.int16) - wanted)
    if apart.mean() > mean or apart.max() > worst:
        amplified = np.minimum(apart * 8, 255).astype(np.uint8)
        if picture.shape[2] == 4:
            amplified[:, :, 3] = 255
        where = _keep(name, np.concatenate([wanted, picture, amplified], axis=1))
        pytest.fail(
            f"{name} strays from its reference by {apart.mean():.2f} (mean) and {apart.max()}"
            f" (worst) of {mean} and {worst}: see {where}; accept it with pytest --regenerate"
        )


def compare_soon(
    look: Callable[[], NDArray[np.uint8]], name: str, regenerate: bool, seconds: float = 5.0
) -> None:
    """Compare what a running window shows, again until it agrees or the seconds are over.

    For windows of other processes: the last key may still be on its way.
    """
    end = time.monotonic() + seconds
    if regenerate:
        time.sleep(0.5)
    while True:
        try:
            compare(look(), name, regenerate)
        except pytest.fail.Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


def _keep(name: str, picture: NDArray[np.uint8]) -> Path:
    where = FAILED / f"{name}.png"
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_bytes(png_bytes(picture))
    return where
