"""A main window in a program of its own that prints what it says: `python drop_target.py`.

Each line is JSON, `[text of the message strip, opened cells]`; the first one has no text.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtWidgets import QApplication

from tests.desktop.asking import until
from tests.desktop.room import click, room

app = QApplication(["drop-target"])
with room(start_tip=False) as window:
    click(window, 4, 4)

    def tell(text: str = "") -> None:
        """Print what the window says, and how many cells of its game are open."""
        board = window.controller.session.game.board
        print(json.dumps([text, int(board.open_map.sum())]), flush=True)

    until(window.acceptDrops)
    tell()
    window.central.message_strip.text_changed.connect(tell)
    app.exec()
