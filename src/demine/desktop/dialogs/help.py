"""Help: how to play, with boards, and what every key and button does."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QPainter,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs.base import Dialog, Sentence, image
from demine.desktop.dialogs.lessons import LESSONS, Cell, Shown
from demine.picture import overlay, render
from demine.scene.keys import DESCRIPTIONS, KeyMap, label
from demine.scene.look import looks
from demine.scene.messages import mark, ntr, tr
from demine.scene.text import parse_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from demine.desktop.dialogs.base import Wording
    from demine.picture.view import Mark
    from demine.scene.theme import Theme

Name = Literal["play", "keys"]

MOUSE: Final = (
    (mark("Left button"), mark("Open the cell")),
    (mark("Right button, or Ctrl and the left one"), mark("Flag, or take the flag away")),
    (
        mark("Both buttons, the middle one, or Shift and the left one"),
        mark("Chord: open around a number that has its flags"),
    ),
    (mark("Slide off the cell before letting go"), mark("Do nothing after all")),
    (mark("Tap, long press"), mark("Open and flag, or the other way round")),
    (mark("Wheel, with Ctrl"), mark("Scroll, zoom")),
)
"""What the hand does, and what it means: message ids."""


class HelpDialog(Dialog):
    """Two pages of help, both to be searched; `page` is the one to open."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        page: Name = "play",
        keymap: KeyMap | None = None,
    ) -> None:
        super().__init__(parent, mark("Help"))
        self._theme = theme
        self._keymap = KeyMap() if keymap is None else keymap
        self.tabs = QTabWidget()
        self.play = HelpPage(self._write_lessons, self.wording)
        self.keys = HelpPage(self._write_keys, self.wording)
        for content, message in (
            (self.play, mark("&How to play")),
            (self.keys, mark("&Keys and mouse")),
        ):
            place = self.tabs.addTab(content, "")
            self.wording.say(partial(self.tabs.setTabText, place), message)
        self.tabs.setCurrentWidget(self.keys if page == "keys" else self.play)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(buttons)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter looks for the next place
        self.open_as(52, 40)
        self._write()

    def retranslate(self) -> None:
        """Write both pages anew."""
        super().retranslate()
        self._write()

    def _write(self) -> None:
        for page in (self.play, self.keys):
            page.write()

    # What the pages say

    def _write_lessons(self, page: HelpPage) -> str:
        parts = []
        for lesson in LESSONS:
            page.add_section(lesson.name, tr(lesson.heading))
            parts.append(_heading(lesson.name, tr(lesson.heading)))
            parts += [f"<p>{escape(tr(text))}</p>" for text in lesson.paragraphs]
            parts.append(self._boards(page, lesson.name, lesson.boards))
        return "".join(parts)

    def _boards(self, page: HelpPage, name: str, boards: tuple[Shown, ...]) -> str:
        """Boards side by side, each over its caption."""
        if not boards:
            return ""
        cells = []
        for number, shown in enumerate(boards):
            url = f"board:{name}-{number}"
            drawn = board_image(shown, self._theme, page.cell, self.devicePixelRatioF())
            page.add_image(url, drawn)
            caption = escape(tr(shown.caption))
            cells.append(f'<td width="50%"><p><img src="{url}"></p><p>{caption}</p></td>')
        return f'<table width="98%" cellspacing="6"><tr>{"".join(cells)}</tr></table>'

    def _write_keys(self, page: HelpPage) -> str:
        page.add_section("mouse", tr("Mouse and touch"))
        page.add_section("keyboard", tr("Keys"))
        mouse = [(tr(hand), tr(meaning)) for hand, meaning in MOUSE]
        keys = [
            (tr(DESCRIPTIONS[command]), ",  ".join(label(key) for key in bound))
            for command, bound in self._keymap.items()
            if bound
        ]
        note = tr("Every key can be changed in the settings.")
        return (
            _heading("mouse", tr("Mouse and touch"))
            + _table(mouse)
            + _heading("keyboard", tr("Keys"))
            + f"<p>{escape(note)}</p>"
            + _table(keys)
        )


class HelpPage(QWidget):
    """A text with its sections beside it and a field to find words in it."""

    def __init__(self, author: Callable[[HelpPage], str], wording: Wording) -> None:
        super().__init__()
        self._author = author
        self._images: dict[str, QImage] = {}
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(self.fontMetrics().height() * 0.8)
        self.sections, self.field = QListWidget(), FindField()
        self.found = Sentence()
        label_, again = QLabel(), QPushButton()
        label_.setBuddy(self.field)
        wording.say(label_.setText, mark("&Find:"))
        wording.say(again.setText, mark("&Next"))
        wording.say(self.sections.setAccessibleName, mark("Sections"))
        wording.say(self.text.setAccessibleName, mark("Text"))
        wording.say(self.field.setAccessibleName, mark("Find in this page"))
        head = QHBoxLayout()
        for part in (label_, self.field, again):
            head.addWidget(part)
        head.addWidget(self.found, 1)
        both = QHBoxLayout()
        both.addWidget(self.sections)
        both.addWidget(self.text, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addLayout(both, 1)
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self.search)
        self.field.entered.connect(self.next)
        again.clicked.connect(self.next)
        self.sections.currentItemChanged.connect(self._go)
        self.sections.itemClicked.connect(self._go)
        for key, action in (
            (QKeySequence.StandardKey.Find, self.field.setFocus),
            (QKeySequence.StandardKey.FindNext, self.next),
        ):
            QShortcut(QKeySequence(key), self, action)

    @property
    def cell(self) -> int:
        """The size of a cell that suits the text, in logical pixels."""
        return min(max(round(self.text.fontMetrics().height() * 1.7), 16), 64)

    # Writing

    def write(self) -> None:
        """Write the page in the language set now; the place where it is read stays."""
        place = self.text.verticalScrollBar().value()
        self.sections.blockSignals(True)
        self.sections.clear()
        self.text.setHtml(self._author(self))
        for url, drawn in self._images.items():
            kind = QTextDocument.ResourceType.ImageResource
            self.text.document().addResource(kind.value, QUrl(url), drawn)
        self.sections.blockSignals(False)
        widest = self.sections.sizeHintForColumn(0)
        self.sections.setFixedWidth(widest + 3 * self.sections.fontMetrics().height())
        self.text.verticalScrollBar().setValue(place)
        self.search(self.field.text())

    def add_section(self, name: str, heading: str) -> None:
        """Name a section of the text."""
        item = QListWidgetItem(heading, self.sections)
        item.setData(Qt.ItemDataRole.UserRole, name)

    def add_image(self, url: str, drawn: QImage) -> None:
        """Provide a picture of the text."""
        self._images[url] = drawn

    def _go(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.text.scrollToAnchor(item.data(Qt.ItemDataRole.UserRole))

    # Finding

    def search(self, wanted: str) -> None:
        """Mark every place that has the words, go to the first, and say how many there are."""
        places = self._places(wanted) if wanted.strip() else []
        self.text.setExtraSelections([self._marked(place) for place in places])
        if places:
            start = QTextCursor(places[0])
            start.setPosition(places[0].selectionStart())
            self.text.setTextCursor(start)
            self.text.find(wanted)
        if not wanted.strip():
            self.found.tell("")
        elif places:
            self.found.tell(ntr("{n} place", "{n} places", len(places)))
        else:
            self.found.tell(tr("Nothing found"))

    def next(self) -> None:
        """Go to the next place, after the last to the first again."""
        wanted = self.field.text()
        if wanted.strip() and not self.text.find(wanted):
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.text.find(wanted)

    def _places(self, wanted: str) -> list[QTextCursor]:
        found, places = self.text.document().find(wanted), []
        while not found.isNull():
            places.append(found)
            found = self.text.document().find(wanted, found)
        return places

    def _marked(self, place: QTextCursor) -> QTextEdit.ExtraSelection:
        marked = QTextEdit.ExtraSelection()
        marked.cursor = place
        marked.format.setBackground(self.palette().highlight())
        marked.format.setForeground(self.palette().highlightedText())
        return marked


class FindField(QLineEdit):
    """A line that keeps Enter to itself: it goes on to the next place."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks for the next place."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


def board_image(shown: Shown, theme: Theme, cell: int, ratio: float = 1.0) -> QImage:
    """Draw a board of a lesson with its marks, cells of `cell` logical pixels."""
    _, faces = parse_scene(shown.diagram)
    pixels = round(cell * ratio)
    drawn = image(render(faces, theme, pixels, looks(faces)))
    rings = () if shown.ring is None else (shown.ring,)
    painter = QPainter(drawn)
    marks: tuple[tuple[Mark, tuple[Cell, ...]], ...] = (("start", shown.safe), ("cursor", rings))
    for kind, places in marks:
        for row, col in places:
            painter.drawImage(col * pixels, row * pixels, image(overlay(theme, kind, pixels)))
    painter.end()
    drawn.setDevicePixelRatio(pixels / cell)
    return drawn


def _heading(name: str, text: str) -> str:
    return f'<h2><a name="{name}"></a>{escape(text)}</h2>'


def _table(rows: list[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><td>{escape(left)}</td><td><b>{escape(right)}</b></td></tr>" for left, right in rows
    )
    return f'<table width="98%" cellpadding="3">{lines}</table>'
