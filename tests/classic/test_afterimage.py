"""The picture of the last moment: shown once, and only when it is what comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from demine.classic import afterimage
from demine.classic.window import Window
from demine.logic.rules import BEGINNER
from demine.scene.wishes import Wishes
from tests.classic.desk import Table

Sit = Callable[..., Table]


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    opened = Window.open("demine")
    yield opened
    opened.close()


def picture() -> pygame.Surface:
    """Something to keep."""
    surface = pygame.Surface((90, 70))
    surface.fill((10, 200, 30), (20, 20, 30, 30))
    return surface


def test_it_is_shown_once(window: Window) -> None:
    assert not afterimage.recall(window, Wishes())
    afterimage.keep(picture())
    assert afterimage.recall(window, Wishes())
    assert window.surface.get_size() == (90, 70)
    assert window.surface.get_at((25, 25))[:3] == (10, 200, 30)
    assert not afterimage.recall(window, Wishes())


@pytest.mark.parametrize(
    "wishes", [Wishes(rules=BEGINNER), Wishes(new=True), Wishes(settings={"theme": "dark"})]
)
def test_wishes_make_another_picture(window: Window, wishes: Wishes) -> None:
    afterimage.keep(picture())
    assert not afterimage.recall(window, wishes)


def test_other_records_make_another_picture(window: Window, data_dir: Path) -> None:
    afterimage.keep(picture())
    (data_dir / "demine.db").write_bytes(b"changed since")
    assert not afterimage.recall(window, Wishes())


def test_another_language_makes_another_picture(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    afterimage.keep(picture())
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert not afterimage.recall(window, Wishes())


@pytest.mark.parametrize("nonsense", [b"", b"\xff", b"{}", b"[" * 9999])
def test_nonsense_is_no_picture(window: Window, data_dir: Path, nonsense: bytes) -> None:
    afterimage.keep(picture())
    (data_dir / "cache" / "window.txt").write_bytes(nonsense)
    assert not afterimage.recall(window, Wishes())
    afterimage.keep(picture())
    (data_dir / "cache" / "window.png").write_bytes(nonsense)
    assert not afterimage.recall(window, Wishes())


def test_a_folder_that_cannot_be_written_is_no_matter(window: Window, data_dir: Path) -> None:
    data_dir.write_text("not a folder")
    afterimage.keep(picture())
    assert not afterimage.recall(window, Wishes())


def kept(data_dir: Path) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """The picture that was kept, `(height, width, 3)`."""
    surface = pygame.image.load(data_dir / "cache" / "window.png")
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return pixels.reshape(surface.get_height(), surface.get_width(), 3)


@pytest.mark.parametrize("end", ["as it was", "lost", "paused", "page of keys"])
def test_the_picture_is_what_the_next_start_shows(sit: Sit, data_dir: Path, end: str) -> None:
    table = sit()
    table.open(4, 4)
    if end == "lost":
        table.lose()
    elif end == "paused":
        table.hand.key("p")
        table.hidden()
    elif end == "page of keys":
        table.hand.key("f1")
    table.hand.key("t")
    assert table.stop() == 0
    picture = kept(data_dir)
    assert (data_dir / "cache" / "window.txt").exists()
    again = sit("--scene", "classic", look="dark", game=table.game)
    stage = again.stage
    # The clock may have gone on by a second since.
    seen = again.picture()
    seen[: stage.lamps.bottom, stage.face.right :] = 0
    picture = picture.copy()
    picture[: stage.lamps.bottom, stage.face.right :] = 0
    np.testing.assert_array_equal(seen, picture)
    again.hand.key("f2")
    again.measure(24)
    again.hidden()
    assert not (data_dir / "cache" / "window.txt").exists()


def test_a_kill_leaves_no_picture(sit: Sit, data_dir: Path) -> None:
    assert sit().stop() == 0
    assert (data_dir / "cache" / "window.txt").exists()
    sit("--scene", "classic").kill()
    assert not (data_dir / "cache" / "window.txt").exists()
