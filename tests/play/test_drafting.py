"""Drafting at a board: clicks and keys assume, numbers break, and the game knows nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from importlib import import_module

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.event import Touch
from demine.logic.game import Status
from demine.logic.neighbours import neighbours
from demine.logic.rules import Rules
from demine.play.controller import Controller
from demine.play.game_session import GameSession
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Mark
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import set_language
from demine.solver.exact.deduce import deduce
from demine.solver.service.server import QUESTIONS
from demine.store import Store

Cell = tuple[int, int]


def answer_at_once(name: str, /, *args: object, **kwargs: object) -> Future[object]:
    future: Future[object] = Future()
    module, function = QUESTIONS[name].split(":")
    future.set_result(getattr(import_module(module), function)(*args, **kwargs))
    return future


@pytest.fixture
def player() -> Iterator[Controller]:
    """A player at a beginner's board that counts, with something to draft about and to prove."""
    set_language("en")
    with Store.memory() as store:
        options = StartOptions(rules=Rules.parse("9x9/10"))
        session = GameSession.begin(store, options, Preferences())
        controller = Controller(session, Preferences(), ask=answer_at_once, wake=lambda: None)
        # A board of a chosen seed would not count, so boards are begun until one will do.
        while not (ones_with_two_covered(controller) and player_safe(controller).any()):
            controller.begin_new_game()
            controller.act_at(Command.ACT, (4, 4))
        yield controller


def click(player: Controller, button: Button, cell: Cell) -> None:
    row, col = cell
    player.press(button, cell, (col * 16 + 8, row * 16 + 8))
    player.release(button, cell, (col * 16 + 8, row * 16 + 8))


def marks(player: Controller, mark: Mark) -> list[Cell]:
    overlay = player.frame().overlay
    assert overlay is not None
    return [(row, col) for row, col in np.argwhere(overlay.marks == mark).tolist()]


def ones_with_two_covered(player: Controller) -> list[tuple[Cell, list[Cell]]]:
    """Each 1 with two covered neighbours at least, and those."""
    found = []
    for row, col in np.argwhere(player.faces == Face.ONE).tolist():
        near = [cell for cell in neighbours(row, col, 9, 9) if player.faces[cell] == Face.COVERED]
        if len(near) >= 2:
            found.append(((row, col), near))
    return found


def player_safe(player: Controller) -> NDArray[np.bool_]:
    """The cells that are certainly safe."""
    return deduce(player.faces, 10).safe


def test_clicks_assume_and_the_game_knows_nothing_of_it(player: Controller) -> None:
    game = player.session.game
    before = len(game.events)
    one, (first, second, *_) = ones_with_two_covered(player)[0]
    player.run_command(Command.DRAFT)
    click(player, Button.RIGHT, first)
    click(player, Button.RIGHT, second)
    assert marks(player, Mark.ASSUMED_MINE) == sorted([first, second])
    assert one in marks(player, Mark.BROKEN)
    assert "can no longer hold" in player.board_message().text
    player.run_command(Command.UNDO)
    assert marks(player, Mark.ASSUMED_MINE) == [first]
    click(player, Button.LEFT, second)
    assert marks(player, Mark.ASSUMED_SAFE) == [second]
    assert len(game.events) == before, "neither acts nor clicks are recorded"
    assert game.ranked
    player.run_command(Command.CANCEL)
    assert player.frame().overlay is None
    click(player, Button.RIGHT, first)
    assert player.faces[first] == Face.FLAG, "after a draft a click is a click"
    assert len(game.events) > before


def test_keys_assume_and_enter_keeps_the_mines_as_flags(player: Controller) -> None:
    _, (first, second, *_) = ones_with_two_covered(player)[0]
    player.run_command(Command.DRAFT)
    player.move_cursor(first)
    player.run_command(Command.FLAG)
    player.move_cursor(second)
    player.run_command(Command.QUESTION)
    drafted = player.drafting.draft
    assert (drafted.cells(mines=True), drafted.cells(mines=False)) == ((first,), (second,))
    player.run_command(Command.ACT)
    assert player.faces[first] == Face.FLAG
    assert player.faces[second] == Face.COVERED
    assert not player.drafting.is_on
    assert not player.drafting.draft.assumptions


def test_a_draft_that_is_put_aside_comes_back(player: Controller) -> None:
    _, (first, *_) = ones_with_two_covered(player)[0]
    player.run_command(Command.DRAFT)
    click(player, Button.RIGHT, first)
    player.run_command(Command.DRAFT)
    assert player.frame().overlay is None
    player.act_at(Command.FLAG, first)
    player.run_command(Command.DRAFT)
    assert marks(player, Mark.ASSUMED_MINE) == [first]
    player.begin_new_game()
    assert not player.drafting.is_on
    assert player.frame().overlay is None


def test_checking_with_all_numbers_is_help_and_says_so_before(player: Controller) -> None:
    game = player.session.game
    safe = next(iter(np.argwhere(player_safe(player)).tolist()))
    player.run_command(Command.DRAFT)
    click(player, Button.RIGHT, (safe[0], safe[1]))
    player.run_command(Command.HINT)
    assert "counts as help" in player.board_message().text
    assert game.ranked
    player.run_command(Command.HINT)
    player.tick()
    assert not player.session.game.ranked
    assert "cannot" in player.board_message().text
    assert marks(player, Mark.BECAUSE)
    assert "hint" in str(game.events[-1])
    player.run_command(Command.UNDO)
    assert "cannot" not in player.board_message().text, "what was found is out of date"
    player.run_command(Command.HINT)
    player.tick()
    assert "All of this can be true" in player.board_message().text


def test_may_i_guess_answers_yes_or_no(player: Controller) -> None:
    player.run_command(Command.MAY_GUESS)
    player.tick()
    text = player.board_message().text
    assert "No need to guess" in text
    assert player.frame().overlay is None, "it says no more"
    assert not player.session.game.ranked


def test_may_i_guess_says_yes_where_nothing_is_safe(player: Controller) -> None:
    while True:
        player.begin_new_game()
        player.act_at(Command.ACT, (0, 0))
        if player.session.game.status is Status.RUNNING and not player_safe(player).any():
            break
    player.run_command(Command.MAY_GUESS)
    player.tick()
    assert "you have to guess" in player.board_message().text


def test_a_draft_needs_a_running_game(player: Controller) -> None:
    player.begin_new_game()
    player.run_command(Command.DRAFT)
    assert not player.drafting.is_on
    assert "A draft needs a game" in player.board_message().text


def test_a_pause_covers_the_draft(player: Controller) -> None:
    _, (first, *_) = ones_with_two_covered(player)[0]
    player.run_command(Command.DRAFT)
    click(player, Button.RIGHT, first)
    player.run_command(Command.PAUSE)
    assert player.session.game.status is Status.PAUSED
    assert player.frame().overlay is None
    player.run_command(Command.PAUSE)
    assert marks(player, Mark.ASSUMED_MINE) == [first]


@pytest.mark.parametrize("end", [Command.CANCEL, Command.ACT, Command.DRAFT])
@pytest.mark.parametrize("button", [Button.LEFT, Button.RIGHT])
def test_a_button_held_as_a_draft_ends_does_nothing(
    player: Controller, end: Command, button: Button
) -> None:
    _, (first, *_) = ones_with_two_covered(player)[0]
    before = len(player.session.game.events)
    player.run_command(Command.DRAFT)
    player.press(button, first, (8, 8))
    flagged = bool(player.drafting.draft.assumptions)
    player.run_command(end)
    player.move(first, (9, 9))
    player.release(button, first, (9, 9))
    kept = end is Command.ACT and flagged
    assert player.faces[first] == (Face.FLAG if kept else Face.COVERED)
    touches = [each for each in player.session.game.events[before:] if isinstance(each, Touch)]
    assert not [each for each in touches if each.action == "release"], "a release without its press"


def test_a_button_held_as_a_draft_begins_is_released_in_the_journal(player: Controller) -> None:
    _, (first, *_) = ones_with_two_covered(player)[0]
    before = len(player.session.game.events)
    player.press(Button.LEFT, first, (8, 8))
    player.run_command(Command.DRAFT)
    player.move(first, (9, 9))
    player.release(Button.LEFT, first, (9, 9))
    touches = [each for each in player.session.game.events[before:] if isinstance(each, Touch)]
    assert [each.action for each in touches] == ["press", "release"]
    assert player.faces[first] == Face.COVERED


def test_every_check_is_announced_anew(player: Controller) -> None:
    def ask() -> str:
        player.run_command(Command.DRAFT)
        player.run_command(Command.HINT)
        player.tick()
        return player.board_message().text

    assert "counts as help" in ask()
    player.run_command(Command.DRAFT)
    assert "counts as help" in ask(), "the message was gone"
    player.begin_new_game()
    player.act_at(Command.ACT, (4, 4))
    assert "counts as help" in ask(), "this is another game"
    assert not player.session.game.hinted


def test_a_check_is_announced_in_games_that_are_no_records(player: Controller) -> None:
    player.begin_shared_board(player.share_code_to_copy())
    player.act_at(Command.ACT, (4, 4))
    assert not player.session.game.ranked
    player.run_command(Command.DRAFT)
    player.run_command(Command.HINT)
    assert "counts as help" in player.board_message().text
    assert not player.session.game.hinted


def test_escape_on_a_covered_board_keeps_the_draft(player: Controller) -> None:
    _, (first, *_) = ones_with_two_covered(player)[0]
    player.run_command(Command.DRAFT)
    click(player, Button.RIGHT, first)
    player.run_command(Command.PAUSE)
    player.run_command(Command.CANCEL)
    player.run_command(Command.PAUSE)
    assert marks(player, Mark.ASSUMED_MINE) == [first]
