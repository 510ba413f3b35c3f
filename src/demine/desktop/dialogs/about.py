"""The dialog About demine: its version, the system, and where data is stored."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Final

import numpy as np
import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel

import demine
from demine.desktop.board.qt_board_painting import to_qimage
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.widget_builders import vbox
from demine.picture import icon
from demine.scene.translation import explain, mark, tr
from demine.store import StoreError, data_dir

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_ICON: Final = 96


class AboutDialog(Dialog):
    """Shows the version and the system; a button copies them for a bug report."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent, mark("About demine"))
        picture, ratio = QLabel(), self.devicePixelRatioF()
        picture.setPixmap(QPixmap.fromImage(to_qimage(icon(round(_ICON * ratio)), ratio)))
        self.texts.bind(picture.setAccessibleName, mark("The icon of demine: a friendly mine"))
        self._name, self._what, self._report = MessageLabel(), MessageLabel(), MessageLabel()
        self._name.make_heading(1.6)
        self._name.set_message(f"demine {demine.__version__}")
        self._report.setMinimumWidth(self.fontMetrics().averageCharWidth() * 52)
        self._report.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        both = QHBoxLayout()
        both.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        both.addSpacing(self.fontMetrics().height())
        both.addLayout(vbox(self._name, self._what, self._report, None), 1)
        copy = self.texts.make_button(mark("&Copy"), self.copy_report, auto_default=True)
        vbox(both, self.make_button_box(actions=[copy]), parent=self)
        self.update_composed_texts()

    def update_composed_texts(self) -> None:
        """Set the description and the version report."""
        self._what.set_message(
            tr("Minesweeper: the game, its records, its boards. Free software, MIT licence.")
        )
        self._report.set_message(version_report())

    def copy_report(self) -> None:
        """Copy the program's name and version with the version report to the clipboard."""
        QGuiApplication.clipboard().setText(f"demine {demine.__version__}\n{version_report()}")


def version_report() -> str:
    """Return the versions, the system and the data folder for a bug report, as lines."""
    system = f"{platform.system()} {platform.release()}"
    return "\n".join(
        (
            f"Python {platform.python_version()} · NumPy {np.__version__}",
            f"Qt {qVersion()} · PySide {PySide6.__version__}",
            f"{system} {platform.machine()} · {QGuiApplication.platformName()}",
            tr("Games and settings: {folder}", folder=_data_folder()),
        )
    )


def _data_folder() -> object:
    """Return the folder of games and settings, or the error text if there is none."""
    try:
        return data_dir()
    except StoreError as error:
        return explain(error)
