"""What a window of a panel and a board shows, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import pytest

from demine.logic.rules import Rules
from demine.play.controller import Controller
from demine.play.game_session import GameSession
from demine.play.window_frame import CellSprite, WindowFrame
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look, cell_looks
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.window_layout import Layout
from demine.store import Store

SHAPE = (40, 50)
PRESSED = ((12, 14), (39, 49))


@pytest.fixture
def controller() -> Iterator[Controller]:
    """A controller of a large board with many numbers and flags, two of its cells held down."""
    with Store.memory() as store:
        options = StartOptions(rules=Rules(SHAPE[1], SHAPE[0], 300))
        session = GameSession.begin(store, options, Preferences())
        made = Controller(session, Preferences(), ask=lambda *_, **__: Future(), wake=int)
        rng = np.random.default_rng(3)
        made.faces = rng.choice([Face.ONE, Face.TWO, Face.COVERED, Face.FLAG], SHAPE).astype(
            np.uint8
        )
        made.faces[tuple(np.transpose(PRESSED))] = Face.COVERED
        made.set_touched_cells(PRESSED)
        yield made


@pytest.mark.parametrize(
    ("dx", "dy"), [(0, 0), (-95, -133), (-400, -200), (-9999, -9999), (9999, 9999)]
)
def test_visible_looks_are_those_of_the_whole_board(
    controller: Controller, dx: int, dy: int
) -> None:
    whole = cell_looks(controller.faces, PRESSED)
    assert (whole == Look.CROWDED).any()
    layout = Layout.with_cell_size((300, 300), SHAPE, 10)
    layout = replace(layout, view=layout.view.panned(dx, dy))
    frame = WindowFrame.of(controller, layout)
    rows, cols = layout.view.visible_rows_and_cols()
    assert list(frame.cells) == [(row, col) for row in rows for col in cols]
    for cell, sprite in frame.cells.items():
        assert sprite == CellSprite(int(controller.faces[cell]), int(whole[cell]))


def test_the_cursor_is_a_sign_over_its_cell(controller: Controller) -> None:
    controller.move_cursor((1, 2))
    frame = WindowFrame.of(controller, Layout.with_cell_size((300, 300), SHAPE, 10))
    assert {cell for cell, sprite in frame.cells.items() if sprite.sign} == {(1, 2)}
    assert frame.cells[1, 2].sign == "cursor"
