"""A program of its own whose window is dragged from: `python drag_source.py CONTENT`.

CONTENT is JSON, `{"urls": [...], "text": "..."}`, each part if there is one. The program prints
"ready" once its window stands, "over" and the action when a window would take it, and at the drop
what became of it: "CopyAction", "MoveAction", or "IgnoreAction" if nobody took it.
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication, QPushButton

CONTENT = json.loads(sys.argv[1])


def drag() -> None:
    """Drag until the button is released, and print what became of it."""
    dragged = QMimeData()
    if "urls" in CONTENT:
        dragged.setUrls([QUrl(each) for each in CONTENT["urls"]])
    if "text" in CONTENT:
        dragged.setText(CONTENT["text"])
    held = QDrag(window)
    held.setMimeData(dragged)
    held.actionChanged.connect(lambda action: print("over", action.name, flush=True))
    taken = held.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction)
    print(taken.name, flush=True)


app = QApplication(["drag-source"])
window = QPushButton("Drag me")
window.setGeometry(1400, 1000, 120, 60)
window.pressed.connect(drag)
window.show()
QTimer.singleShot(0, lambda: print("ready", flush=True))
app.exec()
