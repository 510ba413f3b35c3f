"""A game being watched: any moment is what the game itself was then."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.logic.event import Act, Event, Lay, Touch, Verb
from demine.logic.game import BaseGame, Status, play_event
from demine.logic.journal import parse_journal
from demine.logic.rules import BEGINNER, Rules
from demine.scene.cell_highlights import Look
from demine.scene.face_mood import FaceMood
from demine.scene.playback import LEAD_MS, SPEEDS, TAIL_MS, Playback
from demine.scene.sight import sight

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.jsonl"))


def restless(seed: int, acts: int = 120) -> BaseGame:
    """A game with flags, question marks, chords, pauses and acts taken back."""
    dice = random.Random(seed)
    game = BaseGame(Rules(9, 9, 10), seed)
    game.play(Act(0, Verb.OPEN, 4, 4))
    verbs = [Verb.OPEN, Verb.FLAG, Verb.FLAG, Verb.QUESTION, Verb.CHORD, Verb.UNDO, Verb.UNDO,
             Verb.PAUSE, Verb.RESUME]  # fmt: skip
    t = 0
    for _ in range(acts):
        verb = dice.choice(verbs)
        t += dice.choice([0, 0, 50])
        cell = (dice.randrange(9), dice.randrange(9)) if verb in list(Verb)[:4] else (-1, -1)
        act = Act(t, verb, *cell)
        if game.can(act):
            game.play(act)
    return game


def prefix(game: BaseGame, place: int) -> BaseGame:
    made = BaseGame(game.rules, game.seed, start=game.start)
    begun = False
    events = game.events[:place]
    for event in events:
        if isinstance(event, Lay) and not begun:
            made.lay(event)
        elif not isinstance(event, Lay):
            play_event(made, event)
    return made


@given(st.integers(0, 10_000), st.lists(st.integers(0, 200), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_any_moment_in_any_order_is_the_game_of_then(seed: int, places: list[int]) -> None:
    game = restless(seed)
    watched = Playback(game)
    for wanted in places:
        watched.preload(wanted % 7)
        place = min(wanted, len(game.events))
        watched.seek_before_event(place)
        then = prefix(game, place)
        still = watched.snapshot()
        assert still.status is then.status
        assert np.array_equal(still.faces, sight(then))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_the_end_of_a_golden_game_is_its_end(file: Path) -> None:
    game = parse_journal(BaseGame, file.read_text("utf-8"))
    watched = Playback(game)
    watched.seek(watched.end)
    assert watched.ended
    assert np.array_equal(watched.snapshot().faces, sight(game))
    watched.seek(watched.start)
    watched.step(-1)
    assert watched.acts_done == 0 or int(game.events[0].t) == watched.start


def touched() -> BaseGame:
    game = BaseGame(BEGINNER, 7)
    game.touch(Touch(-400, "", "move", 10, 10))
    game.touch(Touch(-300, "left", "press", 72, 72))
    game.touch(Touch(-20, "", "move", 73, 70))
    game.touch(Touch(0, "left", "release", 73, 70))
    game.play(Act(0, Verb.OPEN, 4, 4))
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    game.touch(Touch(900, "", "move", 16 * col + 8, 16 * row + 8))
    game.touch(Touch(1000, "right", "press", 16 * col + 8, 16 * row + 8))
    game.play(Act(1000, Verb.FLAG, row, col))
    game.touch(Touch(1080, "right", "release", 16 * col + 8, 16 * row + 8))
    game.touch(Touch(2000, "left", "press", 8, 8))
    return game


def test_a_held_cell_is_pressed_and_the_face_worries() -> None:
    watched = Playback(touched())
    watched.seek(-200)
    still = watched.snapshot()
    assert still.looks[4, 4] == Look.PRESSED
    assert still.mood is FaceMood.WORRIED
    assert still.pointer == (72, 72)
    watched.seek(0)
    assert watched.snapshot().mood is FaceMood.IDLE
    assert not (watched.snapshot().looks == Look.PRESSED).any()
    watched.seek(-200)
    assert watched.snapshot().looks[4, 4] == Look.PRESSED


def test_steps_stand_after_each_act_and_back_takes_it_back() -> None:
    watched = Playback(touched())
    watched.step(1)
    assert (watched.ms, watched.acts_done, watched.snapshot().mines_left) == (0, 1, 10)
    watched.step(1)
    assert (watched.ms, watched.acts_done, watched.snapshot().mines_left) == (1000, 2, 9)
    watched.step(1)
    assert watched.ended
    watched.step(-1)
    assert (watched.acts_done, watched.snapshot().mines_left) == (1, 10)
    watched.step(-1)
    assert (watched.acts_done, watched.snapshot().status) == (0, Status.READY)
    watched.step(-1)
    assert watched.ms == watched.start


def test_just_before_an_act_shows_what_led_to_it() -> None:
    watched = Playback(touched())
    place = int(watched.acts[1])
    watched.seek_before_event(place)
    assert (watched.ms, watched.snapshot().mines_left) == (1000, 10)
    act = watched.next_act
    assert act is not None
    assert act.verb is Verb.FLAG
    watched.advance(0)
    assert watched.ms < watched.end
    assert watched.snapshot().mines_left == 9


def test_time_passes_at_the_speed_chosen_and_stops_at_the_end() -> None:
    watched = Playback(touched())
    watched.seek(0)
    watched.change_speed(1)
    assert watched.speed == 1.5
    watched.advance(100)
    assert watched.ms == 150
    assert watched.ms < watched.end
    watched.change_speed(100)
    assert watched.speed == SPEEDS[-1] == 16
    watched.advance(10_000)
    assert watched.ended
    watched.change_speed(-100)
    assert watched.speed == SPEEDS[0] == 0.1


def test_the_way_of_the_pointer() -> None:
    watched = Playback(touched())
    watched.seek(1000)
    whole, last = watched.trail(None), watched.trail(150)
    assert whole.points.tolist()[:2] == [[10, 10], [72, 72]]
    assert [each[2] for each in whole.clicks] == ["left", "right"]
    assert len(last.points) == 2
    assert Playback(restless(1)).trail(None).points.shape == (0, 2)


def test_a_keyboard_game_shows_the_cell_of_its_last_act() -> None:
    game = BaseGame(BEGINNER, 7)
    game.play(Act(0, Verb.OPEN, 4, 4))
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    game.play(Act(500, Verb.FLAG, row, col))
    watched = Playback(game)
    assert (watched.snapshot().cursor, watched.snapshot().pointer) == ((4, 4), None)
    watched.seek(600)
    assert watched.snapshot().cursor == (row, col)
    assert not watched.has_touches


def test_hours_before_and_after_the_game_are_not_shown() -> None:
    game = BaseGame(BEGINNER, 7)
    game.touch(Touch(-9_000_000, "", "move", 1, 1))
    game.touch(Touch(0, "", "move", 1, 1))
    game.play(Act(0, Verb.OPEN, 4, 4))
    game.touch(Touch(7_200_000, "", "move", 1, 1))
    watched = Playback(game)
    assert (watched.start, watched.end) == (-LEAD_MS, TAIL_MS)
    assert watched.place == 1


def test_a_game_without_events_is_a_covered_board() -> None:
    watched = Playback(BaseGame(BEGINNER, 7))
    watched.step(1)
    watched.step(-1)
    assert watched.ended
    assert watched.snapshot().status is Status.READY
    assert watched.next_act is None


def test_seeking_in_a_long_game_folds_few_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BaseGame(Rules(40, 40, 300), 3)
    game.play(Act(0, Verb.OPEN, 20, 20))
    covered = [cell for cell in np.ndindex(40, 40) if not game.board.open_map[cell]]
    for t in range(4000):
        game.play(Act(t, Verb.FLAG, *covered[t % len(covered)]))
    watched = Playback(game)
    rounds = 0
    while not watched.is_preloaded:
        watched.preload(100)
        rounds += 1
    assert rounds == 41
    watched.seek(watched.end)
    applied = 0
    original = type(game.board).apply_unless_refused

    def counted(board: object, event: Event) -> None:
        nonlocal applied
        applied += 1
        original(board, event)  # type: ignore[arg-type]

    monkeypatch.setattr(type(game.board), "apply_unless_refused", counted)
    for ms in random.Random(1).sample(range(4000), 50):
        watched.seek(ms)
        watched.snapshot()
    assert applied < 50 * 64
