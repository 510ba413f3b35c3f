"""The panel's parts, the icon and whole windows."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray

import demine.picture
from demine.picture import (
    PictureError,
    icon,
    icon_svg,
    led_display,
    panel_sign,
    picture_of_window,
    restart_button_picture,
    restart_face,
    window_svg,
)
from demine.picture.board import blend_over
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import cell_looks
from demine.scene.face_mood import FaceMood
from demine.scene.panel import Panel
from demine.scene.themes import THEMES, Theme, theme
from tests.pictures import compare

SIGNS = ("pause", "flag", "mine", "clock")

LOST = """
    1 2 2 1 0 0 0 0 0 0
    9 F 3 1 1 1 1 1 0 0
    9 9 9 F 2 9 F 2 1 1
    9 4 9 9 9 9 2 F 9 9
    X * 9 ! 9 3 9 9 9 ?
"""
FACES = {"F": Face.FLAG, "?": Face.QUESTION, "*": Face.MINE, "X": Face.BLOWN, "!": Face.WRONG}


def board(text: str) -> NDArray[np.uint8]:
    rows = [line.split() for line in text.strip().splitlines()]
    return np.array([[FACES.get(sign) or int(sign) for sign in row] for row in rows], np.uint8)


def on_panel(look: Theme, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    ground = np.empty((*picture.shape[:2], 3), np.uint8)
    ground[:] = look.panel
    return blend_over(ground, picture)


@pytest.mark.parametrize("name", THEMES)
def test_the_parts_look_as_they_should(name: str, regenerate: bool) -> None:
    look = theme(name)
    rows = []
    for size in (23, 40):
        parts = [on_panel(look, restart_face(each, look, size)) for each in FaceMood]
        parts += [restart_button_picture(each, look, size) for each in FaceMood]
        parts += [restart_button_picture(FaceMood.PRESSED, look, size, pressed=True)]
        parts += [on_panel(look, panel_sign(each, look, size)) for each in SIGNS]
        parts += [led_display("-0123456789 ", look, size)]
        row = np.zeros((size, 40 * 15 + 23 * 12, 3), np.uint8)
        joined = np.concatenate(parts, axis=1)
        row[:, : joined.shape[1]] = joined
        rows.append(row)
    compare(np.concatenate(rows), f"picture/panel-{name}", regenerate)


@pytest.mark.parametrize("name", THEMES)
def test_a_window_looks_as_it_should(name: str, regenerate: bool) -> None:
    scene = board(LOST)
    values = Panel(mines_left=-2, seconds=137, mood=FaceMood.LOST, message="Game over")
    picture = picture_of_window(scene, theme(name), values, 24, cell_looks(scene), cursor=(1, 8))
    compare(picture, f"picture/window-{name}", regenerate)


def test_the_icon_looks_as_it_should(regenerate: bool) -> None:
    sheet = np.zeros((128, 240, 4), np.uint8)
    for size, left in ((16, 0), (32, 16), (64, 48), (128, 112)):
        sheet[:size, left : left + size] = icon(size)
    compare(sheet, "picture/icon", regenerate)


def test_the_packaged_icon_is_the_drawn_one() -> None:
    packaged = Path(demine.picture.__file__).with_name("icon.svg")
    assert packaged.read_text("utf-8") == icon_svg(256)


@pytest.mark.parametrize("size", [17, 24, 48])
def test_moods_differ_without_colour(size: int) -> None:
    pictures = [
        on_panel(theme("classic"), restart_face(each, theme("classic"), size)) for each in FaceMood
    ]
    for one, two in combinations(pictures, 2):
        apart = np.abs(one.astype(int) - two).max(axis=2)
        assert (apart > 60).mean() > 0.04


def test_a_face_is_round_and_alone() -> None:
    alone = restart_face(FaceMood.IDLE, theme("light"), 40)
    assert alone.shape == (40, 40, 4)
    assert alone[0, 0, 3] == alone[39, 39, 3] == 0
    assert (alone[20, 2:38, 3] == 255).all()


def test_a_display_has_segments_lit_and_unlit() -> None:
    look = theme("classic")
    shown = led_display("8 -1", look, 23)
    assert shown.shape == (23, 4 * 13, 3)
    eight, blank, minus, one = (shown[:, n * 13 : n * 13 + 13] for n in range(4))
    lit = [int((part == look.led_on).all(axis=2).sum()) for part in (eight, blank, minus, one)]
    assert lit[0] > 70 > lit[3] > lit[2] > lit[1] == 0
    np.testing.assert_array_equal((blank == look.led_off).all(axis=2).sum(), lit[0])


def test_unknown_parts_are_refused() -> None:
    look = theme("dark")
    with pytest.raises(PictureError, match="0 to 9, - and blanks, not 'x'"):
        led_display("0x", look)
    with pytest.raises(PictureError, match="at least one sign"):
        led_display("", look)
    with pytest.raises(PictureError, match="a part of 7 pixels"):
        led_display("1", look, 7)
    with pytest.raises(PictureError, match="a part of 4000 pixels"):
        restart_face(FaceMood.WON, look, 4000)
    with pytest.raises(PictureError, match="unknown sign 'cat'; the signs are pause, flag"):
        panel_sign("cat", look)
    with pytest.raises(PictureError, match="an icon of 4 pixels"):
        icon(4)
    with pytest.raises(AttributeError, match="no attribute 'painting'"):
        demine.picture.painting  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", THEMES)
def test_a_window_is_as_large_in_both_outputs(name: str) -> None:
    scene = np.full((2, 3), Face.COVERED, np.uint8)
    values = Panel(mines_left=5, seconds=1234, mood=FaceMood.PRESSED, message="")
    picture = picture_of_window(scene, theme(name), values, 16)
    root = ET.fromstring(window_svg(scene, theme(name), values, 16))
    assert root.get("viewBox") == f"0 0 {picture.shape[1]} {picture.shape[0]}"
    assert picture.shape[1] > 7 * 13 + 26  # a narrow board still has room for its panel


def test_a_portrait_of_a_huge_board_is_refused() -> None:
    values = Panel(mines_left=5, seconds=0, mood=FaceMood.IDLE, message="")
    with pytest.raises(PictureError, match=r"a portrait of .* is too large"):
        picture_of_window(np.full((200, 200), Face.COVERED, np.uint8), theme("dark"), values, 16)


def test_every_offered_name_is_there() -> None:
    for name in ("render", "svg", "png_bytes", "picture_of_window", "PictureError"):
        assert name in dir(demine.picture)
        assert getattr(demine.picture, name) is not None
