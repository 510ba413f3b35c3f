"""Boards as pictures for notebooks: what they show, what they hide, what they refuse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import demine
from demine.logic.event import Verb
from demine.notebook.displayable_picture import Picture
from demine.picture import PictureError, render
from demine.scene.cell_faces import Face
from demine.scene.colours import to_hex
from demine.scene.diagram import format_scene
from demine.scene.overlay import Mark, Overlay
from demine.scene.themes import THEMES, ThemeError, with_palette
from demine.scene.translation import set_language
from tests.png_reader import read_png

ROOT = Path(__file__).parents[2]
RULES = demine.Rules.parse("9x9/10")


@pytest.fixture
def game() -> demine.Game:
    """A beginner's game after its first opening."""
    game = demine.Game(RULES, seed=7)
    game.play(demine.Act(0, Verb.OPEN, 4, 4))
    return game


def method(value: object, name: str) -> Any:
    """A method that a notebook asks for: the classes' own floors know nothing of it."""
    return getattr(value, name)


def kinds(svg: str) -> set[tuple[int, str]]:
    """The faces that a board shows, each with its mark and risk."""
    names = [str(each.get("id")) for each in ET.fromstring(svg).iter() if each.get("id")]
    found = [re.fullmatch(r"c(\d+)-\d((?:-[mr]\d+)*)-[0-9a-f]+", name) for name in names]
    return {(int(each[1]), each[2]) for each in found if each}


# What is shown


def test_a_running_game_shows_no_mine(game: demine.Game) -> None:
    faces = {face for face, _ in kinds(method(game, "_repr_svg_")())}
    assert faces == {int(face) for face in np.unique(demine.sight(game))}
    assert not faces & {Face.MINE, Face.BLOWN, Face.WRONG}


def test_a_paused_game_shows_nothing(game: demine.Game) -> None:
    game.play(demine.Act(10, Verb.PAUSE))
    assert {face for face, _ in kinds(demine.show(game).svg)} == {Face.COVERED}


def test_a_lost_game_shows_its_mines(game: demine.Game) -> None:
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    game.play(demine.Act(10, Verb.OPEN, row, col))
    assert {Face.MINE, Face.BLOWN} <= {face for face, _ in kinds(demine.show(game).svg)}


def test_a_game_has_its_panel_and_a_scene_has_none(game: demine.Game) -> None:
    panel, bare = (
        ET.fromstring(demine.show(what).svg) for what in (game, demine.sight(game))
    )  # fmt: skip
    assert int(panel.get("height", "0")) > int(bare.get("height", "0")) == 9 * 28
    assert "max-width:100%" in bare.get("style", "")


def test_pixels_and_text_are_the_same_board(game: demine.Game, tmp_path: Path) -> None:
    scene = demine.sight(game)
    picture = demine.show(scene)
    assert np.array_equal(read_png(picture.png()), render(scene, THEMES["light"], 28))
    coloured = demine.show(scene, theme="dark", palette="okabe-ito")
    look = with_palette(THEMES["dark"], "okabe-ito")
    assert np.array_equal(read_png(coloured.png()), render(scene, look, 28))
    assert to_hex(look.digit_colour(1)) in coloured.svg
    assert (
        to_hex(look.digit_colour(1)) in demine.heat_map(game, theme="dark", palette="okabe-ito").svg
    )
    assert str(picture) + "\n" == format_scene(RULES, scene).partition("\n")[2]
    picture.save(tmp_path / "board.svg")
    picture.save(tmp_path / "board.PNG")
    assert (tmp_path / "board.svg").read_text("utf-8") == method(picture, "_repr_svg_")()
    assert (tmp_path / "board.PNG").read_bytes() == picture.png()


def test_a_diagram_is_shown_as_the_scene_it_is(game: demine.Game) -> None:
    scene = demine.sight(game)
    diagram = format_scene(RULES, scene)
    assert demine.show(diagram).svg == demine.show(scene).svg
    assert demine.heat_map(diagram).svg == demine.heat_map(scene, 10).svg == heat(game).svg


def heat(game: demine.Game) -> Picture:
    """The heat map of a game."""
    return demine.heat_map(game)


def test_a_layout_shows_mines_and_numbers() -> None:
    mine_map = np.array([[True, False], [False, False]])
    assert str(demine.show(mine_map)) == "* 1\n1 1"


def test_the_heat_map_tells_every_chance(game: demine.Game) -> None:
    chances = demine.mine_probability(demine.sight(game), 10)
    words = [line.split() for line in str(heat(game)).splitlines()]
    for row, col in np.argwhere(~np.isnan(chances)):
        told = float(words[row][col].removesuffix("%")) / 100
        assert told == pytest.approx(chances[row, col], abs=0.01)
        assert (told in (0, 1)) == (chances[row, col] in (0, 1))
    covered = {advice for face, advice in kinds(heat(game).svg) if face == Face.COVERED}
    assert {"-r0", "-r100", "-r50"} <= covered


def test_advice_of_every_sort_is_marked(game: demine.Game) -> None:
    scene = demine.sight(game)
    hint, certain = demine.hint(scene, 10), demine.deduce(scene, 10)
    move = demine.best_move(scene, 10)
    assert hint is not None
    assert hint.reason is not None
    reason = demine.explain(scene, 10, hint.reason.cell)
    safe, mine, because, about = (
        f"-m{mark:d}" for mark in (Mark.SAFE, Mark.MINE, Mark.BECAUSE, Mark.ABOUT)
    )
    for advice, marks in (
        (hint, {safe, because, about}),
        (reason, {safe, because, about}),
        (move, {safe}),
        (certain, {safe, mine}),
        (Overlay.empty((9, 9)).with_marks(Mark.MINE, [(0, 8)]), {mine}),
    ):
        assert {told for _, told in kinds(demine.show(scene, advice).svg)} - {""} == marks


def test_a_region_of_a_board(game: demine.Game) -> None:
    scene = demine.sight(game)
    part = demine.show(game, region=(2, 3, 5, 9))
    assert read_png(part.png()).shape == (3 * 28, 6 * 28, 3)
    assert str(part).splitlines()[0] == " ".join(
        str(demine.show(scene)).splitlines()[2].split()[3:]
    )


def lost_game() -> demine.Game:
    """A game that ends by a needless risk."""
    game = demine.Game(RULES, seed=7)
    game.play(demine.Act(0, Verb.OPEN, 4, 4))
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    game.play(demine.Act(1500, Verb.OPEN, row, col))
    return game


def test_a_review_is_shown_with_its_game_and_told_as_a_table() -> None:
    game = lost_game()
    found = demine.review(game)
    shown = demine.show(game, found)
    marks = {advice for _, advice in kinds(shown.svg)}
    assert f"-m{Mark.MISTAKE:d}" in marks
    html = method(found, "_repr_html_")()
    assert html.startswith(f"<p>{str(found).splitlines()[0]}</p>\n<table>")
    (act,) = found.mistakes
    assert act.judgement is not None
    assert str(act.judgement) in html
    assert shown.text == str(found)
    with pytest.raises(PictureError, match="show\\(game, review\\)"):
        demine.show(demine.sight(game), found)


def test_hints_and_statistics_are_told(game: demine.Game) -> None:
    hint = demine.hint(demine.sight(game), 10)
    assert hint is not None
    assert str(hint) in method(hint, "_repr_html_")()
    assert "<td>bv</td>" in method(demine.stats(game), "_repr_html_")()


def test_a_terminal_prints_the_text(game: demine.Game) -> None:
    class Printer:
        said = ""

        def text(self, text: str) -> None:
            self.said += text

    printer = Printer()
    method(demine.show(game), "_repr_pretty_")(printer, False)
    assert printer.said == str(demine.show(game))


# What is refused


def test_huge_boards_are_a_sentence() -> None:
    game = demine.Game(demine.Rules.parse("300x300/9000"), seed=1)
    assert method(game, "_repr_svg_")() is None
    assert "demine.show(game, region=...)" in method(game, "_repr_html_")()
    set_language("zh_CN")
    try:
        assert "太大" in method(game, "_repr_html_")()
    finally:
        set_language("en")
    with pytest.raises(PictureError, match="300 x 300 cells are too many"):
        demine.show(game)
    with pytest.raises(PictureError, match="choose a region"):
        demine.heat_map(game)
    assert len(demine.show(game, region=(0, 0, 100, 100)).svg) < 1_000_000
    assert method(demine.Game(RULES), "_repr_html_")() is None


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((0, 3), np.uint8),
        np.zeros(4, np.uint8),
        np.full((2, 2), 99),
        np.ones((2, 2)),
        [[1, 2], [3]],
        None,
    ],
)
def test_what_is_no_board_is_refused(bad: Any) -> None:
    with pytest.raises(PictureError):
        demine.show(bad)


def test_what_cannot_be_asked_is_refused(game: demine.Game, tmp_path: Path) -> None:
    scene = demine.sight(game)
    with pytest.raises(demine.SceneError, match="number of mines"):
        demine.heat_map(scene)
    with pytest.raises(PictureError, match="cannot be marked"):
        demine.show(scene, "x")  # type: ignore[arg-type]
    with pytest.raises(ThemeError):
        demine.show(scene, theme="pink")
    with pytest.raises(ThemeError, match="'neon'; the palettes are"):
        demine.heat_map(game, palette="neon")
    with pytest.raises(PictureError, match=r"'board\.bmp'"):
        demine.show(scene).save(tmp_path / "board.bmp")
    for suffix in (".svg", ".png"):
        with pytest.raises(demine.ReplayError, match=r"there is no folder .*no folder"):
            demine.show(scene).save(tmp_path / "no folder" / f"board{suffix}")
    with pytest.raises(PictureError):
        demine.show(scene, region=(0, 0, 10, 3))


def test_pictures_are_loaded_when_one_is_wanted() -> None:
    """Making a game loads neither pictures nor solver, whatever a notebook may ask of it later."""
    code = (
        "import sys, demine; game = demine.Game(demine.BEGINNER);"
        "early = [n for n in sys.modules if n.startswith(('demine.picture', 'demine.solver'))];"
        "svg = game._repr_svg_(); print(early, svg[:4], 'demine.picture' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "src",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["[]", "<svg", "True"]
