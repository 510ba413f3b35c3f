"""The card on a paused board: all of it where there is room, and less where there is not."""

from __future__ import annotations

import numpy as np
import pytest

from demine.picture.pause_card import PauseCard, card_colours, card_picture, pause_card
from demine.scene.board_geometry import Rect, View
from demine.scene.colours import contrast
from demine.scene.themes import THEMES, theme

WORDS = ("Paused", "Resume", "Click or press P to resume")


def card_in(width: int, height: int, margin: int = 0) -> PauseCard:
    """Return the card on a board of a size, with room around it in the window."""
    around = Rect(3 - margin, 5 - margin, width + 2 * margin, height + 2 * margin)
    view = View(height, width, 1, around, 3, 5)
    return pause_card(WORDS, view, 14, lambda text, size: len(text) * size // 2)


@pytest.mark.parametrize(
    ("size", "parts"),
    [((288, 288), 3), ((960, 512), 3), ((128, 128), 2), ((160, 90), 2), ((90, 40), 1), ((9, 9), 1)],
)
def test_what_has_no_room_goes(size: tuple[int, int], parts: int) -> None:
    card = card_in(*size)
    assert [each.text for each in card.texts] == list(WORDS[:parts])


@pytest.mark.parametrize("margin", [0, 200])
@pytest.mark.parametrize("size", [(288, 288), (960, 512), (128, 128), (160, 90)])
def test_everything_is_in_the_middle_of_the_room_and_in_its_place(
    size: tuple[int, int], margin: int
) -> None:
    card, room = card_in(*size, margin), Rect(3, 5, *size)
    assert card.place.intersection(room) == card.place
    assert abs((card.place.x - room.x) - (room.right - card.place.right)) <= 1
    for each in card.texts:
        assert each.place.intersection(card.place) == each.place
        assert len(each.text) * each.size_px // 2 <= each.place.width
    if card.button is not None and card.label is not None:
        assert card.label.place.intersection(card.button) == card.label.place


def test_a_title_alone_fits_its_board() -> None:
    card = card_in(90, 40)
    assert card.place.intersection(Rect(3, 5, 90, 40)) == card.place


def test_a_board_without_room_for_the_button_lets_the_card_reach_over_its_border() -> None:
    assert [each.text for each in card_in(168, 24, margin=200).texts] == list(WORDS)


@pytest.mark.parametrize("name", THEMES)
def test_the_words_can_be_read_in_every_theme(name: str) -> None:
    look = theme(name)
    ink, on_button = card_colours(look)
    assert contrast(ink, look.panel) >= 4.5
    assert contrast(on_button, look.panel if look.bevelled else look.cursor) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_the_card_hides_what_is_under_it(name: str) -> None:
    card = card_in(288, 288)
    picture = card_picture(card, theme(name))
    assert picture.shape == (card.place.height, card.place.width, 4)
    assert (picture[10:-10, 10:-10, 3] == 255).all()
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 3
