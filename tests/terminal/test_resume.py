"""Games that go on in a real pseudo-terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.game import Game
from demine.scene.sight import sight
from demine.store import Store
from demine.terminal.screen_layout import SMALL
from tests.table import left_large
from tests.terminal.conftest import Sit


@pytest.mark.parametrize("place", [(60, 75), (2, 1)])
def test_a_large_board_goes_on_where_it_was_played(
    sit: Sit, data_dir: Path, place: tuple[int, int]
) -> None:
    game = left_large(*place)
    table = sit(game=game)
    layout = table.layout.initially_centred_on(place)
    x, y = layout.border_x + 2, layout.first_row_y
    wanted = {
        (row, col): str(found) if 0 < (found := int(sight(game)[row, col])) < 9 else None
        for row in range(place[0], place[0] + 3)
        for col in range(place[1], place[1] + 3)
    }
    assert any(wanted.values())

    def seen() -> bool:
        cells = table.screen.buffer
        return all(
            text is None
            or cells[y + row - layout.top][x + SMALL.cols * (col - layout.left)].data == text
            for (row, col), text in wanted.items()
        )

    table.resume()
    table.wait(seen, "the cells opened last")
    table.keys("f1")
    table.wait(lambda: not seen(), "the page of keys")
    table.keys("escape")
    table.resume()  # the page covered the board
    table.wait(seen, "the cells opened last once more")


def test_rules_of_the_command_line_are_those_played_last(sit: Sit) -> None:
    game = Game("7x6/5 first=any")
    for options in (("7x6/5", "--first", "any"), ("--new",)):
        table = sit(*options, game=game)
        table.expect()
        table.leave()
    with Store.open() as store:
        assert store.settings.all()["rules"] == str(game.rules)


def test_a_folder_that_cannot_be_keeps_nobody_from_playing(sit: Sit) -> None:
    game = Game("7x6/5", 7)
    table = sit("7x6/5", "--seed", "7", game=game, DEMINE_DATA_DIR="~nobody-of-that-name/x")
    table.expect()
    table.wait_text("no such home")
    assert table.leave() == 0
