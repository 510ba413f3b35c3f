"""What the coach says and marks, beside reference pictures."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from tests.desktop.asking import ask, until
from tests.desktop.room import room
from tests.desktop.test_pictures import letters, picture_of, stopped
from tests.pictures import compare

__all__ = ["letters"]

pytestmark = pytest.mark.usefixtures("app", "letters")


@pytest.mark.parametrize(
    ("look", "language"),
    [("light", "en"), ("dark", "zh_CN"), ("contrast", "en"), ("classic", "zh_CN")],
)
def test_a_hint_beside_its_picture(look: str, language: str, regenerate: bool) -> None:
    with room(theme=look, language=language, cell=24) as window:
        window.controller.act_at(Command.ACT, (4, 4))
        ask(window)
        stopped(window)
        QApplication.processEvents()
        name = f"desktop/hint-{look}-{language}"
        compare(picture_of(window), name, regenerate, mean=0.6, worst=255)


def test_risks_and_a_verdict_beside_their_pictures(regenerate: bool) -> None:
    with room(theme="light", cell=24) as window:
        window.controller.act_at(Command.ACT, (4, 4))
        ask(window, Command.CHANCES)
        stopped(window)
        compare(picture_of(window), "desktop/risks", regenerate, mean=0.6, worst=255)
        mines = np.argwhere(window.controller.session.game.board.mine_map)
        window.controller.act_at(Command.ACT, (int(mines[3][0]), int(mines[3][1])))
        until(lambda: window.controller.hints.text)
        QApplication.processEvents()
        compare(picture_of(window), "desktop/verdict", regenerate, mean=0.6, worst=255)


@pytest.mark.parametrize(("look", "language"), [("light", "en"), ("dark", "zh_CN")])
def test_a_draft_beside_its_picture(look: str, language: str, regenerate: bool) -> None:
    with room(theme=look, language=language, cell=24) as window:
        player = window.controller
        player.act_at(Command.ACT, (4, 4))
        window.run_command(Command.DRAFT)
        for at, cell in enumerate(np.argwhere(player.faces == Face.COVERED)[20:26].tolist()):
            player.move_cursor((cell[0], cell[1]))
            window.run_command(Command.QUESTION if at % 3 == 2 else Command.FLAG)
        stopped(window)
        QApplication.processEvents()
        name = f"desktop/draft-{look}-{language}"
        compare(picture_of(window), name, regenerate, mean=0.6, worst=255)
