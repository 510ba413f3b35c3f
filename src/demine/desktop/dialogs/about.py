"""About: what this is, in which version, with what, and where it keeps things."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Final

import numpy as np
import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

import demine
from demine.desktop.dialogs.base import Dialog, MessageLabel, image
from demine.picture import icon
from demine.scene.translation import explain, mark, tr
from demine.store import StoreError, data_dir

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_ICON: Final = 96


class AboutDialog(Dialog):
    """Says which program this is; one button copies that for a letter about a fault."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent, mark("About demine"))
        picture = QLabel()
        ratio = self.devicePixelRatioF()
        picture.setPixmap(QPixmap.fromImage(image(icon(round(_ICON * ratio)), ratio)))
        self.texts.say(picture.setAccessibleName, mark("The icon of demine: a friendly mine"))
        self._name, self._what, self._facts = MessageLabel(), MessageLabel(), MessageLabel()
        font = self._name.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        font.setBold(True)
        self._name.setFont(font)
        self._facts.setMinimumWidth(self.fontMetrics().averageCharWidth() * 52)
        self._facts.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        copy = QPushButton()
        self.texts.say(copy.setText, mark("&Copy"))
        copy.clicked.connect(self.copy)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        beside = QVBoxLayout()
        for part in (self._name, self._what, self._facts):
            beside.addWidget(part)
        beside.addStretch(1)
        both = QHBoxLayout()
        both.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        both.addSpacing(self.fontMetrics().height())
        both.addLayout(beside, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(both)
        layout.addWidget(buttons)
        self._tell()

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        self._tell()

    def _tell(self) -> None:
        self._name.tell(f"demine {demine.__version__}")
        self._what.tell(
            tr("Minesweeper: the game, its records, its boards. Free software, MIT licence.")
        )
        self._facts.tell(version_report())

    def copy(self) -> None:
        """Put name, version and facts on the clipboard."""
        QGuiApplication.clipboard().setText(f"demine {demine.__version__}\n{version_report()}")


def version_report() -> str:
    """Return what a report of a fault should say, one thing a line."""
    system = f"{platform.system()} {platform.release()}"
    return "\n".join(
        (
            f"Python {platform.python_version()} · NumPy {np.__version__}",
            f"Qt {qVersion()} · PySide {PySide6.__version__}",
            f"{system} {platform.machine()} · {QGuiApplication.platformName()}",
            tr("Games and settings: {folder}", folder=_folder()),
        )
    )


def _folder() -> object:
    """Return where games and settings lie, or why nowhere."""
    try:
        return data_dir()
    except StoreError as error:
        return explain(error)
