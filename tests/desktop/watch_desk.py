"""What the tests of the player stand on: a game that a hand played, and a window to watch it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.watch.replay_window import ReplayWindow
from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.rules import BEGINNER
from demine.scene.preferences import Preferences
from demine.store import Store


def careless(seed: int = 1) -> Game:
    """A won game: a first opening, two flags, then any safe cell, with the hand that did it."""
    dice, game = random.Random(seed), Game(BEGINNER, seed)
    t, at = -900, (8, 8)

    def go(row: int, col: int) -> None:
        nonlocal t, at
        goal = (16 * col + 8, 16 * row + 8)
        for step in range(1, 9):
            t += 25
            x, y = (round(a + (b - a) * step / 8) for a, b in zip(at, goal, strict=True))
            game.touch(Touch(t, "", "move", x, y))
        at = goal

    def click(button: str, verb: Verb, row: int, col: int) -> None:
        nonlocal t
        go(row, col)
        game.touch(Touch(t + 10, button, "press", *at))
        t += 70
        if button == "left":
            game.touch(Touch(t, button, "release", *at))
        game.play(Act(t, verb, row, col))
        if not game.board.flags and verb is Verb.OPEN and game.board.opened:
            t = game.events[-1].t
        if button == "right":
            game.touch(Touch(t, button, "release", *at))
        t += dice.randrange(100, 600)

    click("left", Verb.OPEN, 4, 4)
    for row, col in np.argwhere(game.board.mine_map)[:2].tolist():
        click("right", Verb.FLAG, row, col)
    while not game.status.over:
        closed = np.argwhere(~(game.board.mine_map | game.board.open_map))
        click("left", Verb.OPEN, *dice.choice(closed.tolist()))
    return game


@contextmanager
def watching(
    game: Game | None = None, store: Store | None = None, **chosen: object
) -> Iterator[ReplayWindow]:
    """Show a game in a window with some preferences; close it in the end."""
    preferences = Preferences.from_settings({"theme": "light", **chosen})
    translations = TranslationInstaller()
    translations.install_language(preferences.language or "en")
    window = ReplayWindow(game or careless(), preferences, name="game.jsonl", store=store)
    window.open()
    QTest.qWaitForWindowExposed(window)
    QApplication.processEvents()
    try:
        yield window
    finally:
        window.close()
        translations.install_language("en")
        window.deleteLater()
        QApplication.processEvents()
