"""Words in the window, in a font that has both of the program's languages."""

from __future__ import annotations

import io
import pkgutil
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Final

import pygame

from demine.scene.board_geometry import Rect
from demine.scene.translation import tr

Colour = tuple[int, int, int]

_FONT: Final = "fonts/NotoSansSC-demine.otf"
_SEPARATOR: Final = " · "
"""What stands between the parts of a line."""
_SMALLEST: Final = 10
_WORDS: Final = re.compile(r"[“（]*(?:[!-~]+|[^!-~“（])[，。：；、！？）”]*\s*|.")
"""What a line may not be broken within: what has no space, and a mark with its letter."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over the whole window: rows of a key and what it does."""

    title: str
    rows: tuple[tuple[str, str], ...]
    scroll: int = 0
    """How many lines have been scrolled away."""

    def scrolled(self, lines: int, place: Rect) -> Page:
        """Return the page scrolled by so many lines, as far as it goes."""
        most = max(0, len(page_lines(self, place)) - lines_on_page(place))
        return replace(self, scroll=min(max(self.scroll + lines, 0), most))


def draw_line(
    surface: pygame.Surface, text: str, colour: Colour, place: Rect, tail: str = "…"
) -> None:
    """Draw one line in the middle of a place; where it is cut it ends with the tail."""
    if text:
        drawn = _fitted(text, colour, place.width, place.height, tail)
        x = place.x + (place.width - drawn.get_width()) // 2
        surface.blit(drawn, (x, place.y + (place.height - drawn.get_height()) // 2))


def draw_page(
    surface: pygame.Surface, page: Page, colour: Colour, accent: Colour, place: Rect
) -> None:
    """Draw a page: a title, rows of a key and its meaning, and how it is closed."""
    size, lines = text_size(place), page_lines(page, place)
    step, column = line_step(size), _key_column(page, place, size)
    draw_line(surface, page.title, colour, Rect(place.x, place.y, place.width, step))
    shown = lines[page.scroll : page.scroll + lines_on_page(place)]
    for number, (key, text) in enumerate(shown, start=1):
        y = place.y + number * step + step // 2
        surface.blit(_font(size).render(key, True, accent), (place.x, y))
        surface.blit(_font(size).render(text, True, colour), (place.x + column, y))
    whole = len(lines) <= lines_on_page(place)
    foot = tr("Esc closes") if whole else tr("Up and down scroll, Esc closes")
    draw_line(surface, foot, colour, Rect(place.x, place.bottom - step, place.width, step))


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
        keys = wrapped(key, size, column - size)
        lines += zip_longest(keys, wrapped(meaning, size, place.width - column), fillvalue="")
    return lines


def _key_column(page: Page, place: Rect, size: int) -> int:
    """Return the width of the keys' column: as wide as the widest, at most two fifths."""
    widest = max((_font(size).size(key)[0] for key, _ in page.rows), default=0)
    return min(widest + size, place.width * 2 // 5)


def wrapped(text: str, size: int, room: int) -> list[str]:
    """Break a text into lines that fit: at spaces, or anywhere in Chinese, which has none.

    A word that is too long by itself, as a path is, is broken where the line ends.
    """
    font, lines = _font(size), [""]
    for word in _WORDS.findall(text):
        for piece in list(word) if font.size(word.rstrip())[0] > room else [word]:
            if lines[-1] and font.size(lines[-1] + piece.rstrip())[0] > room:
                lines.append("")
            lines[-1] += piece
    return [line.strip() for line in lines]


@lru_cache(maxsize=64)
def _fitted(text: str, colour: Colour, width: int, height: int, tail: str) -> pygame.Surface:
    """Return the text as large as the place allows, cut with the tail when it is too long.

    A line in parts loses whole ones first, from the end, as long as two of them stay.
    """
    while text.count(_SEPARATOR) > 1 and _font(_SMALLEST).size(text)[0] > width:
        text = text.rpartition(_SEPARATOR)[0]
    size = max(_SMALLEST, height * 3 // 4)
    while size > _SMALLEST and _font(size).size(text)[0] > width:
        size -= 1
    font = _font(size)
    if font.size(text)[0] > width:
        while text and font.size(text + tail)[0] > width:
            text = text[:-1]
        text = text.rstrip() + tail
    return font.render(text, True, colour)


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    data = pkgutil.get_data("demine.picture", _FONT)
    if data is None:
        raise FileNotFoundError(_FONT)
    return pygame.font.Font(io.BytesIO(data), size)
