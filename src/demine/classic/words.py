"""Words on the glass, in a font that has both of the program's languages."""

from __future__ import annotations

import io
import pkgutil
import re
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.board_geometry import Rect
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.classic.shot import Page
    from demine.classic.stage import Stage

    Colour = tuple[int, int, int]

FONT: Final = "fonts/NotoSansSC-demine.otf"
PARTED: Final = " · "
"""What stands between the parts of a line."""
_SMALLEST = 10
_USUAL: Final = 150
"""How many letters a sentence about a cell usually has."""
_PARTS: Final = re.compile(r".+?(?:\s{2,}|$)", re.DOTALL)
_WORDS: Final = re.compile(r"[“（]*(?:[!-~]+|[^!-~“（])[，。：；、！？）”]*\s*|.")
"""What stays together: what has no space within, and a mark with the letter it belongs to."""


class Words:
    """Draws text that fits its place, smaller or cut where it must be."""

    def centred(
        self, surface: pygame.Surface, text: str, colour: Colour, place: Rect, tail: str = "…"
    ) -> None:
        """Draw one line in the middle of a place; where it is cut it ends with the tail."""
        if not text:
            return
        drawn = _fitted(text, colour, place.width, place.height, tail)
        x = place.x + (place.width - drawn.get_width()) // 2
        y = place.y + (place.height - drawn.get_height()) // 2
        surface.blit(drawn, (x, y))

    def block(
        self,
        surface: pygame.Surface,
        text: str,
        colour: Colour,
        place: Rect,
        size: int,
        tail: str = "…",
    ) -> None:
        """Draw words on as many lines as they need, smaller or cut where there is no room."""
        while size > _SMALLEST and block_height(text, size, place.width) > place.height:
            size -= 1
        lines = _wrapped(text, size, place.width)
        room = max(1, place.height // line_step(size))
        if len(lines) > room:
            lines[room - 1 :] = [_cut(lines[room - 1], size, place.width, tail)]
        for number, line in enumerate(lines):
            drawn = _font(size).render(line, True, colour)
            # One line stands in the middle, as those in the panel do.
            indent = (place.width - drawn.get_width()) // 2 if len(lines) == 1 else 0
            surface.blit(drawn, (place.x + indent, place.y + number * line_step(size)))

    def page(
        self, surface: pygame.Surface, page: Page, colour: Colour, accent: Colour, place: Rect
    ) -> None:
        """Draw a page: a title, rows of a key and its meaning, and a foot."""
        size = text_size(place)
        step = line_step(size)
        self.centred(surface, page.title, colour, Rect(place.x, place.y, place.width, step))
        column = _key_column(page, place, size)
        lines = page_lines(page, place)
        shown = lines[page.scroll : page.scroll + lines_on_page(place)]
        for number, (key, text) in enumerate(shown, start=1):
            y = place.y + number * step + step // 2
            surface.blit(_line(key, accent, size, column - size), (place.x, y))
            surface.blit(_line(text, colour, size, place.width - column), (place.x + column, y))
        foot = Rect(place.x, place.bottom - step, place.width, step)
        whole = len(lines) <= lines_on_page(place)
        hand = tr("Esc closes") if whole else tr("Up and down scroll, Esc closes")
        self.centred(surface, hand, colour, foot)


@lru_cache(maxsize=64)
def block_height(text: str, size: int, room: int) -> int:
    """Return how high words of a size stand on lines that are as wide as the room."""
    return len(_wrapped(text, size, room)) * line_step(size) if text else 0


def note_height(text: str, stage: Stage) -> int:
    """Return how high the strip has to be for words below the board, 0 for none.

    It is high enough for a sentence of usual length, so that it seldom has to grow.
    """
    if not text:
        return 0
    size, room = stage.note_size, stage.note_text.width
    usual = -(-_USUAL * size // (2 * room)) * line_step(size)
    return max(usual, block_height(text, size, room)) + 2 * stage.note_pad


def fits_line(text: str, stage: Stage) -> bool:
    """Whether words are wholly seen in the panel's line."""
    return _font(_SMALLEST).size(text)[0] <= stage.line.width


def text_size(place: Rect) -> int:
    """Return the size of a page's text: readable, and larger where there is room."""
    return min(max(place.width // 28, 13), 20)


def line_step(size: int) -> int:
    """Return the distance of two lines of text of this size."""
    return size * 3 // 2


def lines_on_page(place: Rect) -> int:
    """Return how many lines fit between a page's title and its foot."""
    return max(1, place.height // line_step(text_size(place)) - 3)


def page_lines(page: Page, place: Rect) -> list[tuple[str, str]]:
    """Return a page's rows as lines of text: what is too long for one goes on below."""
    size = text_size(place)
    column = _key_column(page, place, size)
    lines: list[tuple[str, str]] = []
    for key, meaning in page.rows:
        keys = _wrapped(key, size, column - size)
        lines += zip_longest(keys, _wrapped(meaning, size, place.width - column), fillvalue="")
    return lines


def _key_column(page: Page, place: Rect, size: int) -> int:
    """Return the width of the keys' column: as wide as the widest, at most two fifths."""
    widest = max((_font(size).size(key)[0] for key, _ in page.rows), default=0)
    return min(widest + size, place.width * 2 // 5)


def _wrapped(text: str, size: int, room: int) -> list[str]:
    """Break a text into lines that fit: at spaces, or anywhere in Chinese, which has none.

    What stands between two spaces and two spaces stays together. A word that is too long by itself,
    as a path is, is broken where the line ends.
    """
    font, lines = _font(size), [""]

    def fits(more: str) -> bool:
        return not lines[-1] or font.size(lines[-1] + more.rstrip())[0] <= room

    for part in _PARTS.findall(text):
        alone = font.size(part.rstrip())[0] <= room
        if alone and not fits(part):
            lines.append("")
        for word in [part] if alone else _WORDS.findall(part):
            if not fits(word):
                lines.append("")
            for piece in list(word) if font.size(word.rstrip())[0] > room else [word]:
                if not fits(piece):
                    lines.append("")
                lines[-1] += piece
    return [line.strip() for line in lines]


def _line(text: str, colour: Colour, size: int, room: int, tail: str = "…") -> pygame.Surface:
    """Return one line in its full size, cut with the tail when it is too long."""
    font = _font(size)
    if font.size(text)[0] > room:
        text = _cut(text, size, room, tail)
    return font.render(text, True, colour)


def _cut(text: str, size: int, room: int, tail: str) -> str:
    """Return as much of a line as there is room for before the tail."""
    while text and _font(size).size(text + tail)[0] > room:
        text = text[:-1]
    return text.rstrip() + tail


@lru_cache(maxsize=256)
def _fitted(text: str, colour: Colour, width: int, height: int, tail: str) -> pygame.Surface:
    """Return the text as large as the place allows, cut with the tail when it is too long.

    A line in parts loses whole ones first, from the end, as long as two of them stay.
    """
    while text.count(PARTED) > 1 and _font(_SMALLEST).size(text)[0] > width:
        text = text.rpartition(PARTED)[0]
    size = max(_SMALLEST, height * 3 // 4)
    while size > _SMALLEST and _font(size).size(text)[0] > width:
        size -= 1
    return _line(text, colour, size, width, tail)


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(io.BytesIO(_font_file()), size)


@lru_cache(maxsize=1)
def _font_file() -> bytes:
    data = pkgutil.get_data("demine.picture", FONT)
    if data is None:
        raise FileNotFoundError(FONT)
    return data
