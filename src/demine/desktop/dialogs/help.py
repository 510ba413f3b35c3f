"""The dialog Help: how to play, with boards, and what the keys and the mouse do."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QPainter,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from demine.desktop.board.qt_board_painting import to_qimage
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.widget_builders import hbox, vbox
from demine.picture import cell_marker, render
from demine.scene.cell_highlights import cell_looks
from demine.scene.diagram import parse_scene
from demine.scene.how_to_play import LESSONS, MOUSE, Cell, LessonBoard
from demine.scene.key_bindings import DESCRIPTIONS, SECTIONS, KeyMap, commands_of_section, key_label
from demine.scene.translation import mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from demine.desktop.retranslator import Retranslator
    from demine.picture.draw_request import Mark
    from demine.scene.themes import Theme

PageName = Literal["play", "keys"]

_WIDEST: Final = max(
    parse_scene(shown.diagram)[0].width for lesson in LESSONS for shown in lesson.boards
)
_SPACE: Final = 24
"""The extra width of a column of boards, in logical pixels."""


class HelpDialog(Dialog):
    """Two searchable pages of help; `page` is the one to open."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        page: PageName = "play",
        keymap: KeyMap | None = None,
    ) -> None:
        super().__init__(parent, mark("Help"))
        self._theme = theme
        self._keymap = KeyMap() if keymap is None else keymap
        self.tabs = QTabWidget()
        self.play = HelpPage(self._lessons_html, self.texts)
        self.keys = HelpPage(self._keys_html, self.texts)
        self.texts.add_tab(self.tabs, self.play, mark("&How to play"))
        self.texts.add_tab(self.tabs, self.keys, mark("&Keys and mouse"))
        self.tabs.setCurrentWidget(self.keys if page == "keys" else self.play)
        vbox((self.tabs, 1), self.make_button_box(), parent=self)
        self.disable_auto_default()  # Enter goes to the next match
        self.resize_to_line_heights(52, 40)
        self.update_composed_texts()

    def update_composed_texts(self) -> None:
        """Write both pages again."""
        self.play.rewrite_html()
        self.keys.rewrite_html()

    # Contents

    def _lessons_html(self, page: HelpPage) -> str:
        parts = []
        for lesson in LESSONS:
            page.add_to_contents(lesson.name, tr(lesson.heading))
            parts.append(heading_html(lesson.name, tr(lesson.heading)))
            parts += [f"<p>{escape(tr(text))}</p>" for text in lesson.paragraphs]
            parts.append(self._boards_html(page, lesson.name, lesson.boards))
        return "".join(parts)

    def _boards_html(self, page: HelpPage, name: str, boards: tuple[LessonBoard, ...]) -> str:
        """Return a table of boards with their captions."""
        if not boards:
            return ""
        drawn_boards = []
        for number, shown in enumerate(boards):
            url = f"board:{name}-{number}"
            drawn = lesson_board_image(shown, self._theme, page.cell_size, self.devicePixelRatioF())
            page.add_image(url, drawn)
            caption = escape(tr(shown.caption))
            drawn_boards.append(f'<p><img src="{url}"></p><p>{caption}</p>')
        return _columns_html(drawn_boards, page.boards_per_row)

    def _keys_html(self, page: HelpPage) -> str:
        mouse = [(tr(hand), tr(meaning)) for hand, meaning in MOUSE]
        parts = [self._section_html(page, "mouse", tr("Mouse and touch"), mouse)]
        for section in SECTIONS:
            commands = commands_of_section(section)
            keys = [
                (tr(DESCRIPTIONS[command]), ",  ".join(map(key_label, bound)))
                for command in commands
                if (bound := self._keymap.keys(command))
            ]
            parts.append(self._section_html(page, section.value, tr(SECTIONS[section]), keys))
        note = tr("You can change every key in the settings.")
        return "".join([*parts, f"<p>{escape(note)}</p>"])

    def _section_html(
        self, page: HelpPage, name: str, title: str, rows: list[tuple[str, str]]
    ) -> str:
        """Return a heading and a table below it, and list the section in the contents."""
        page.add_to_contents(name, title)
        return heading_html(name, title) + table_html(rows)


class HelpPage(QWidget):
    """A text with a list of its sections, and a field to search it."""

    def __init__(self, make_html: Callable[[HelpPage], str], texts: Retranslator) -> None:
        super().__init__()
        self._make_html = make_html
        self._images: dict[str, QImage] = {}
        self._text_width = 0
        """The width for the text in logical pixels; 0 until it is laid out."""
        self.text = HelpBrowser()
        self.text.setOpenLinks(False)
        # If the bar came and went, it would change the width, and so the columns.
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._resize_delay = QTimer(self, singleShot=True)
        self._resize_delay.timeout.connect(self._fit_boards)
        self.text.resized.connect(self._resize_delay.start)
        self.text.document().setDocumentMargin(self.fontMetrics().height() * 0.8)
        self.sections, self.field = QListWidget(), FindField(clearButtonEnabled=True)
        self.match_count = MessageLabel()
        key_label = texts.make_label(mark("&Find:"), self.field)
        next_ = texts.make_button(mark("&Next"), self.find_next)
        texts.bind(self.sections.setAccessibleName, mark("Sections"))
        texts.bind(self.text.setAccessibleName, mark("Text"))
        texts.bind(self.field.setAccessibleName, mark("Find in this page"))
        head = hbox(key_label, self.field, next_, (self.match_count, 1))
        vbox(head, (hbox(self.sections, (self.text, 1)), 1), parent=self)
        self.field.textChanged.connect(self.highlight_matches)
        self.field.enter_pressed.connect(self.find_next)
        self.sections.currentItemChanged.connect(self._go_to_section)
        self.sections.itemClicked.connect(self._go_to_section)
        for key, action in (
            (QKeySequence.StandardKey.Find, self.field.setFocus),
            (QKeySequence.StandardKey.FindNext, self.find_next),
        ):
            QShortcut(QKeySequence(key), self, action)

    # The boards

    @property
    def cell_size(self) -> int:
        """The side of a cell for the font and the width of the text, in logical pixels."""
        suits = min(max(round(self.text.fontMetrics().height() * 1.7), 16), 64)
        fits = (self._text_width - _SPACE) // _WIDEST
        return suits if not self._text_width else max(8, min(suits, fits))

    @property
    def boards_per_row(self) -> int:
        """How many boards fit side by side: 1 or 2."""
        pair = 2 * (_WIDEST * self.cell_size + _SPACE)
        return 2 if not self._text_width or pair <= self._text_width else 1

    def _fit_boards(self) -> None:
        """Write the page again if the boards do not suit the width of the text any more."""
        before = self.cell_size, self.boards_per_row
        margins = 2 * self.text.document().documentMargin()
        self._text_width = max(1, round((self.text.viewport().width() - margins) * 0.98))
        # While being resized, Qt may keep the width of an earlier step.
        too_wide = self.text.horizontalScrollBar().maximum() > 0
        if self._images and ((self.cell_size, self.boards_per_row) != before or too_wide):
            self.rewrite_html()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the sections where the text would be narrower than they are."""
        self.sections.setVisible(event.size().width() > 2.2 * self.sections.width())
        super().resizeEvent(event)

    # Text

    def rewrite_html(self) -> None:
        """Write the page again, in the current language; the scroll position stays."""
        place = self.text.verticalScrollBar().value()
        blocker = QSignalBlocker(self.sections)
        self.sections.clear()
        self.text.setHtml(self._make_html(self))
        for url, drawn in self._images.items():
            kind = QTextDocument.ResourceType.ImageResource
            self.text.document().addResource(kind.value, QUrl(url), drawn)
        del blocker
        widest = self.sections.sizeHintForColumn(0)
        self.sections.setFixedWidth(widest + 3 * self.sections.fontMetrics().height())
        self.text.verticalScrollBar().setValue(place)
        self.highlight_matches(self.field.text())

    def add_to_contents(self, anchor: str, heading: str) -> None:
        """Add a section to the list, with the anchor it leads to."""
        item = QListWidgetItem(heading, self.sections)
        item.setData(Qt.ItemDataRole.UserRole, anchor)

    def add_image(self, url: str, image: QImage) -> None:
        """Add an image, to which the HTML refers by its URL."""
        self._images[url] = image

    def _go_to_section(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.text.scrollToAnchor(item.data(Qt.ItemDataRole.UserRole))

    # Finding

    def highlight_matches(self, text: str) -> None:
        """Highlight all matches of a text, go to the first, and show their number."""
        places = self._matches(text) if text.strip() else []
        self.text.setExtraSelections([self._highlight(place) for place in places])
        if places:
            start = QTextCursor(places[0])
            start.setPosition(places[0].selectionStart())
            self.text.setTextCursor(start)
            self.text.find(text)
        if not text.strip():
            self.match_count.set_message("")
        elif places:
            self.match_count.set_message(ntr("{n} place", "{n} places", len(places)))
        else:
            self.match_count.set_message(tr("Nothing found"))

    def find_next(self) -> None:
        """Go to the next match, and after the last one to the first."""
        wanted = self.field.text()
        if wanted.strip() and not self.text.find(wanted):
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.text.find(wanted)

    def _matches(self, wanted: str) -> list[QTextCursor]:
        found, places = self.text.document().find(wanted), []
        while not found.isNull():
            places.append(found)
            found = self.text.document().find(wanted, found)
        return places

    def _highlight(self, place: QTextCursor) -> QTextEdit.ExtraSelection:
        marked = QTextEdit.ExtraSelection()
        marked.cursor = place
        marked.format.setBackground(self.palette().highlight())
        marked.format.setForeground(self.palette().highlightedText())
        return marked


class HelpBrowser(QTextBrowser):
    """A text browser with a signal for a changed size."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit `resized`."""
        super().resizeEvent(event)
        self.resized.emit()


class FindField(QLineEdit):
    """A line edit that does not pass Enter on to the dialog."""

    enter_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `enter_pressed` for Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()
        else:
            super().keyPressEvent(event)


def lesson_board_image(
    board: LessonBoard, theme: Theme, logical_px: int, ratio: float = 1.0
) -> QImage:
    """Return a picture of a lesson board and its marks, in cells of some logical pixels."""
    _, faces = parse_scene(board.diagram)
    pixels = round(logical_px * ratio)
    drawn = to_qimage(render(faces, theme, pixels, cell_looks(faces)))
    rings = () if board.ring is None else (board.ring,)
    painter = QPainter(drawn)
    marks: tuple[tuple[Mark, tuple[Cell, ...]], ...] = (("start", board.safe), ("cursor", rings))
    for kind, places in marks:
        for row, col in places:
            painter.drawImage(
                col * pixels, row * pixels, to_qimage(cell_marker(theme, kind, pixels))
            )
    painter.end()
    drawn.setDevicePixelRatio(pixels / logical_px)
    return drawn


def _columns_html(parts: list[str], columns: int) -> str:
    rows = [parts[at : at + columns] for at in range(0, len(parts), columns)]
    width = 100 // columns
    written = "".join(
        "<tr>" + "".join(f'<td width="{width}%">{part}</td>' for part in row) + "</tr>"
        for row in rows
    )
    return f'<table width="98%" cellspacing="6">{written}</table>'


def heading_html(anchor: str, text: str) -> str:
    """Return a heading with an anchor, as HTML."""
    return f'<h2><a name="{anchor}"></a>{escape(text)}</h2>'


def table_html(rows: list[tuple[str, str]]) -> str:
    """Return a table of two columns, the second one bold, as HTML."""
    lines = "".join(
        f'<tr><td width="56%">{escape(left)}</td><td><b>{escape(right)}</b></td></tr>'
        for left, right in rows
    )
    return f'<table width="98%" cellpadding="3">{lines}</table>'
