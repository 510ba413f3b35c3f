"""Words on the glass, in a font that has both of the program's languages."""

from __future__ import annotations

import io
import pkgutil
import re
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.geometry import Rect

if TYPE_CHECKING:
    from demine.classic.shot import Page

    Colour = tuple[int, int, int]

FONT: Final = "fonts/NotoSansSC-demine.otf"
_SMALLEST = 10


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
        self.centred(surface, page.foot, colour, foot)


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

    A word that is too long by itself, as a path is, is broken where the line ends.
    """
    font, lines = _font(size), [""]
    for word in re.findall(r"[ -~]+?(?:\s|$)|.", text):
        if lines[-1] and font.size(lines[-1] + word.rstrip())[0] > room:
            lines.append("")
        pieces = list(word) if font.size(word.rstrip())[0] > room else [word]
        for piece in pieces:
            if lines[-1] and font.size(lines[-1] + piece.rstrip())[0] > room:
                lines.append("")
            lines[-1] += piece
    return [line.strip() for line in lines]


def _line(text: str, colour: Colour, size: int, room: int, tail: str = "…") -> pygame.Surface:
    """Return one line in its full size, cut with the tail when it is too long."""
    font = _font(size)
    if font.size(text)[0] > room:
        while text and font.size(text + tail)[0] > room:
            text = text[:-1]
        text = text.rstrip() + tail
    return font.render(text, True, colour)


@lru_cache(maxsize=256)
def _fitted(text: str, colour: Colour, width: int, height: int, tail: str) -> pygame.Surface:
    """Return the text as large as the place allows, cut with the tail when it is too long."""
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
