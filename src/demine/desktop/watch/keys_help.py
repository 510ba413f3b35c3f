"""The dialog with the keys of the replay player, as its menus bind them, and its mouse actions."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from demine.desktop.dialogs.base import Dialog
from demine.desktop.dialogs.help import HelpPage, heading_html, table_html
from demine.desktop.watch.menus import MENUS
from demine.desktop.widget_builders import vbox
from demine.scene.key_bindings import key_label
from demine.scene.translation import mark, tr, translated_without_access_key

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MOUSE: Final = (
    (mark("Click on the board"), mark("Play or pause")),
    (mark("Click on the bar, or drag"), mark("Go to that moment")),
    (mark("Wheel on the bar, Shift + wheel"), mark("Back or forward one second, or ten")),
    (mark("Wheel, Ctrl + wheel"), mark("Scroll, zoom")),
)
"""Mouse actions and what they do: message ids."""


class KeysDialog(Dialog):
    """A searchable page of all keys of the player."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent, mark("Keys"))
        self.page = HelpPage(_keys_html, self.texts)
        vbox((self.page, 1), self.make_button_box(), parent=self)
        self.disable_auto_default()  # Enter goes to the next match
        self.resize_to_line_heights(46, 36)
        self.page.rewrite_html()
        self.page.text.setFocus()

    def update_composed_texts(self) -> None:
        """Write the page again."""
        self.page.rewrite_html()


def _keys_html(page: HelpPage) -> str:
    hand = tr("Mouse")
    page.add_to_contents("mouse", hand)
    parts = [
        heading_html("mouse", hand),
        table_html([(tr(what), tr(meaning)) for what, meaning in MOUSE]),
    ]
    for number, (title, entries) in enumerate(MENUS):
        name, said = f"menu-{number}", translated_without_access_key(title)
        page.add_to_contents(name, said)
        keys = [
            (translated_without_access_key(text), ",  ".join(map(key_label, bound)))
            for _, text, bound in entries
            if bound
        ]
        parts += [heading_html(name, said), table_html(keys)]
        if any(deed == "close" for deed, _, _ in entries):
            parts.append(f"<p>{escape(tr('Esc leaves full screen first.'))}</p>")
    return "".join(parts)
