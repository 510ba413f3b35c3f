"""Hints that a loop looks after: when answers are taken up, and when a proof goes on."""

from __future__ import annotations

from concurrent.futures import Future
from importlib import import_module

from demine.logic.event import Verb
from demine.logic.rules import Rules
from demine.play.game_session import GameSession
from demine.play.timed_hints import TimedHints
from demine.scene.preferences import Preferences, StartOptions
from demine.solver.service.server import QUESTIONS
from demine.store import Store


class Due:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


def test_a_proof_waits_for_the_player_and_plays_on_if_told_to() -> None:
    due = Due()
    with Store.memory() as store:
        rules = Rules(9, 9, 10, guess_free=True)
        session = GameSession.begin(store, StartOptions(rules=rules, seed=7), Preferences())
        timer = TimedHints(session, at_once, lambda: None, due)
        session.play(Verb.OPEN, 4, 4)
        timer.tick()
        assert session.game.begun
        timer.ask_for_proof()
        assert timer.seconds_until_next_proof_step() > 30
        assert timer.tick()  # the proof is there
        opened = session.game.board.opened
        due.now += 100
        assert not timer.tick()  # it waits for the player
        timer.toggle_playing_proof()
        assert 0 < timer.seconds_until_next_proof_step() < 5
        assert not timer.tick()
        due.now += 10
        assert not timer.tick(board_hidden=True)
        assert not timer.tick()
        assert session.game.board.opened == opened
        due.now += 10
        assert timer.seconds_until_next_proof_step() < 0.01
        assert timer.tick()
        assert session.game.board.opened > opened
        steps = session.game.board.opened
        timer.show_next_proof_step()  # at once
        assert session.game.board.opened > steps
        assert timer.text.startswith("Step 3 of ")
        timer.show_previous_proof_step()
        assert session.game.board.opened == steps
        assert timer.text.startswith("Step 2 of ")
        assert timer.seconds_until_next_proof_step() > 30
        timer.show_previous_proof_step()
        timer.show_previous_proof_step()  # before the first step there is none
        assert session.game.board.opened == opened
        assert timer.text.startswith("Step 1 of ")
        timer.reset()
        assert timer.load().title_with_difficulty() == "Beginner, guess-free · practice: helped"


def test_a_mistake_of_the_solver_does_not_end_the_game() -> None:
    def broken(name: str, /, *args: object, **kwargs: object) -> Future[object]:
        future: Future[object] = Future()
        future.set_exception(ZeroDivisionError(name))
        return future

    with Store.memory() as store:
        session = GameSession.begin(
            store, StartOptions(rules=Rules(9, 9, 10), seed=7), Preferences()
        )
        timer = TimedHints(session, broken, lambda: None)
        session.play(Verb.OPEN, 4, 4)
        timer.ask_for_hint()
        assert timer.tick()
        assert "ZeroDivisionError: hint" in str(session.troubles.pop())
        assert not timer.load().text
        assert not timer.tick()


def at_once(name: str, /, *args: object, **kwargs: object) -> Future[object]:
    """Answer a question here and now."""
    future: Future[object] = Future()
    module, function = QUESTIONS[name].split(":")
    future.set_result(getattr(import_module(module), function)(*args, **kwargs))
    return future
