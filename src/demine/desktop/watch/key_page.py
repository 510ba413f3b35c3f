"""The player's page of keys: what the hand and every key do, as they are bound in the menus."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QVBoxLayout

from demine.desktop.dialogs.base import Dialog
from demine.desktop.dialogs.formatting import plain
from demine.desktop.dialogs.how_to_play_and_keys import HelpPage, heading, table
from demine.desktop.watch.menus import MENUS
from demine.scene.key_bindings import key_label
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MOUSE: Final = (
    (mark("Click on the board"), mark("Play or pause")),
    (mark("Click on the bar, or drag"), mark("To that moment")),
    (mark("Wheel on the bar, with Shift"), mark("Back or forth by a second, or by ten")),
    (mark("Wheel, with Ctrl"), mark("Scroll, zoom")),
)
"""What the hand does, and what it means: message ids."""


class KeysDialog(Dialog):
    """All keys of the player, to be searched."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent, mark("Keys"))
        self.page = HelpPage(_write, self.texts)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.page, 1)
        layout.addWidget(buttons)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter looks for the next place
        self.resize_to_lines(46, 36)
        self.page.write()
        self.page.text.setFocus()

    def retranslate_ui(self) -> None:
        """Write the page anew."""
        super().retranslate_ui()
        self.page.write()


def _write(page: HelpPage) -> str:
    hand = tr("Mouse")
    page.add_section("mouse", hand)
    parts = [heading("mouse", hand), table([(tr(what), tr(meaning)) for what, meaning in MOUSE])]
    for number, (title, entries) in enumerate(MENUS):
        name, said = f"menu-{number}", plain(title)
        page.add_section(name, said)
        keys = [
            (plain(text), ",  ".join(map(key_label, bound))) for _, text, bound in entries if bound
        ]
        parts += [heading(name, said), table(keys)]
        if any(deed == "close" for deed, _, _ in entries):
            parts.append(f"<p>{escape(tr('Esc leaves full screen first.'))}</p>")
    return "".join(parts)
