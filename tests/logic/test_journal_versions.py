"""The versions of journals: what is written in which, and what each of them refuses."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import JournalError
from demine.logic.event import Act, Touch, Verb
from demine.logic.game import BaseGame
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import BEGINNER
from tests.logic.boards import games, played, read_line_by_line

HEADER = '{"demine":1,"rules":"9x9/10","seed":7}'


def header(game: BaseGame) -> dict[str, object]:
    found: dict[str, object] = json.loads(format_journal(game).partition("\n")[0])
    return found


@given(games())
def test_what_version_1_holds_is_written_in_it(game: BaseGame) -> None:
    assert header(game)["demine"] == 1
    assert "cell_px" not in header(game)
    later = format_journal(game).replace('{"demine":1,', '{"demine":2,', 1)
    assert parse_journal(BaseGame, later) == game
    assert format_journal(parse_journal(BaseGame, later)) == format_journal(game)


@pytest.mark.parametrize("cell", [1, 7, 24, 65536])
def test_touches_keep_the_pixels_of_their_field(cell: int) -> None:
    game = BaseGame(BEGINNER, 7, cell_px=cell)
    game.touch(Touch(0, "left", "press", 5 * cell - 1, 3))
    played(game, "open 4,4")
    assert (header(game)["demine"], header(game)["cell_px"]) == (2, cell)
    again = parse_journal(BaseGame, format_journal(game))
    assert again == game == copy.deepcopy(game)
    assert again.cell_px == cell
    assert again != parse_journal(
        BaseGame, format_journal(game).replace(f'"cell_px":{cell}', '"cell_px":16')
    )


def several() -> BaseGame:
    """A board that two play: in turn, and one act that nobody is named for."""
    game = BaseGame(BEGINNER, 7)
    game.play(Act(300, Verb.FLAG, 0, 0, player="Bo"))
    game.play(Act(900, Verb.OPEN, 4, 4, player="Ann"))
    for t, verb, player in ((50, Verb.PAUSE, "Bo"), (50, Verb.RESUME, "小雷"), (60, Verb.UNDO, "")):
        game.play(Act(t, verb, player=player))
    return game


PLAYERS = ["Bo", "Ann", "Bo", "小雷", ""]


def players(game: BaseGame) -> list[str]:
    return [event.player for event in game.events if isinstance(event, Act)]


def test_acts_keep_their_players() -> None:
    game = several()
    assert players(game) == PLAYERS
    text = format_journal(game)
    assert header(game)["demine"] == 2
    assert '[0,"open",4,4,"Ann"]' in text
    again = parse_journal(BaseGame, text)
    assert again == game == copy.deepcopy(again)
    assert players(again) == PLAYERS
    assert format_journal(again) == text
    again.play(Act(70, Verb.FLAG, 8, 8))
    assert players(again) == [*PLAYERS, ""]
    assert header(again)["demine"] == 2


@given(games(acts=25), st.data())
def test_games_of_several_players_round_trip(game: BaseGame, data: st.DataObject) -> None:
    lines = format_journal(game).replace('{"demine":1,', '{"demine":2,', 1).splitlines()
    for at, line in enumerate(lines[1:], 1):
        event = json.loads(line)
        if event[1] not in {"lay", "press", "release", "move"}:
            event += data.draw(st.sampled_from(([], ["Ann"], ["小雷"])))
        lines[at] = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    text = "\n".join(lines) + "\n"
    read = parse_journal(BaseGame, text)
    assert read == read_line_by_line(text)
    assert read.board == game.board
    assert format_journal(read).splitlines()[1:] == lines[1:]


def test_version_1_has_neither() -> None:
    text = format_journal(several()).replace('{"demine":2,', '{"demine":1,', 1)
    with pytest.raises(JournalError, match="line 2: only journals of version 2 name the pl"):
        parse_journal(BaseGame, text)
    with pytest.raises(JournalError, match="line 1: 'cell_px' is not an entry of a header"):
        parse_journal(BaseGame, HEADER.replace("}", ',"cell_px":16}'))


@pytest.mark.parametrize("cell", ["0", "-1", "65537", "true", "16.0", '"16"', "null", "[16]"])
def test_what_is_no_size_of_a_cell(cell: str) -> None:
    text = HEADER.replace('"demine":1', '"demine":2').replace("}", f',"cell_px":{cell}}}')
    with pytest.raises(JournalError, match="line 1: a cell has 1 to 65536 pixels, not"):
        parse_journal(BaseGame, text)
