"""Games, by example: which act is allowed when, what time it is, and what a game is worth."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.board_state import Board, board_after_events
from demine.logic.errors import ActError, DemineError, LayoutError, RulesError, ShareError
from demine.logic.event import Act, Lay, Touch, Verb
from demine.logic.game import BaseGame, Origin, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.layout import deal
from demine.logic.rules import BEGINNER, EXPERT, PRESETS, Rules
from demine.logic.undoable_openings import Change
from tests.logic.boards import Mines, any_deal, game_on, games, played

LAYOUT = """5x4/3
    *....
    .....
    ....*
    ...*."""


def why_not(game: BaseGame, verb: str, row: int = -1, col: int = -1, t: int | None = None) -> str:
    """The sentence that refuses an act through all three doors; empty when it is allowed."""
    last = game.events[-1].t if game.events else 0
    act = Act(last if t is None else t, Verb(verb), row, col)
    if game.can(act):
        game.check(act)
        return ""
    before = copy.deepcopy(game)
    with pytest.raises(ActError) as checked:
        game.check(act)
    with pytest.raises(ActError) as refused:
        game.play(act)
    assert str(checked.value) == str(refused.value)
    assert game == before
    assert game.board == before.board
    return str(checked.value)


def test_a_new_game_is_ready() -> None:
    game = BaseGame(EXPERT)
    assert (game.status, game.time_ms, game.events) == (Status.READY, 0, ())
    assert (game.begun, game.resigned, game.undone, game.hinted) == (False, False, False, False)
    assert game.origin is Origin.FRESH
    assert game.ranked
    assert repr(game) == "<Game 30x16/99: ready, 0 events>"


def test_every_game_has_a_seed_of_its_own() -> None:
    assert len({BaseGame(BEGINNER).seed for _ in range(100)}) == 100
    assert BaseGame(BEGINNER, np.int64(5)).seed == 5  # type: ignore[arg-type]
    with pytest.raises(LayoutError):
        BaseGame(BEGINNER, -1)


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_seed_and_click_lay_the_same_board(name: str) -> None:
    rules = PRESETS[name]
    one, two = BaseGame(rules, 7), BaseGame(rules, 7)
    for game in (one, two):
        game.play(Act(10, Verb.OPEN, 3, 4))
    assert one == two
    assert one.board == two.board
    assert np.array_equal(one.board.mine_map, deal(rules, 7, (3, 4)))
    assert (one.origin, one.unranked) == (Origin.SEED, "seed")


def test_the_first_open_lays_the_mines() -> None:
    game = BaseGame(BEGINNER, 3)
    game.play(Act(5, Verb.FLAG, 0, 0))
    assert not game.board.laid
    game.play(Act(9, Verb.OPEN, 4, 4))
    assert [type(event) for event in game.events] == [Act, Lay, Act]
    assert game.status is Status.RUNNING
    assert game.board.open_map[4, 4]


def test_nothing_dealt_is_better_than_the_first_click_allows() -> None:
    rules = Rules.parse("2x1/1 first=any")
    ends = {BaseGame(rules, seed).play(Act(0, Verb.OPEN, 0, 0)) for seed in range(30)}
    assert ends == {Status.WON, Status.LOST}


def test_times_count_from_the_first_cell() -> None:
    game = BaseGame(BEGINNER, 1)
    game.touch(Touch(100, "left", "press", 8, 8))
    game.play(Act(250, Verb.FLAG, 0, 0))
    assert (game.time_ms, game.events[1].t) == (0, 250)
    game.play(Act(1000, Verb.OPEN, 8, 8))
    assert [event.t for event in game.events] == [-900, -750, 0, 0]
    assert game.time_ms == 0
    game.play(Act(1234, Verb.FLAG, 0, 0))
    assert game.time_ms == 1234


def test_time_does_not_run_back() -> None:
    game = played(game_on(LAYOUT), "open 0,1")
    game.play(Act(500, Verb.FLAG, 0, 0))
    assert why_not(game, "flag", 0, 0, t=499) == "time cannot run backwards from 500 to 499 ms"
    assert why_not(game, "flag", 0, 0, t=500) == ""
    with pytest.raises(ActError, match="run back"):
        game.touch(Touch(499, "", "move", 1, 1))


def test_the_end_stops_the_clock() -> None:
    game = played(game_on(LAYOUT), "open 2,2")
    game.play(Act(4321, Verb.OPEN, 0, 0))
    assert game.status is Status.LOST
    game.touch(Touch(4400, "left", "release", 3, 3))
    game.touch(Touch(9999, "", "move", 3, 3))
    assert game.time_ms == 4321
    assert parse_journal(BaseGame, format_journal(game)).time_ms == 4321
    game.play(Act(10_000, Verb.UNDO))
    assert (game.status, game.time_ms) == (Status.RUNNING, 10_000)


def test_refusals_of_a_game_that_has_not_begun() -> None:
    game = BaseGame(Rules(5, 4, 3), 1)
    assert why_not(game, "pause") == "the game has not started"
    assert why_not(game, "resign") == "the game has not started"
    assert why_not(game, "resume") == "the game is not paused"
    assert why_not(game, "undo") == "there is nothing to undo"
    assert why_not(game, "open", 4, 0) == "row 5, column 1 is outside the 5x4 board"
    assert why_not(game, "hint", 0, 5) == "row 1, column 6 is outside the 5x4 board"
    assert why_not(game, "hint") == "row 0, column 0 is outside the 5x4 board"
    assert why_not(game, "chord", 0, 0) == (
        "row 1, column 1 is covered: only an opened number chords"
    )
    game.play(Act(0, Verb.FLAG, 1, 1))
    assert why_not(game, "open", 1, 1) == "row 2, column 2 is flagged: take the flag off to open it"
    assert why_not(game, "open", 1, 2) == ""


def test_a_paused_game_only_goes_on() -> None:
    game = played(game_on(LAYOUT), "open 0,1; pause")
    assert game.status is Status.PAUSED
    for verb, cell in (("open", (3, 0)), ("flag", (3, 0)), ("chord", (0, 1)), ("hint", (0, 0))):
        assert why_not(game, verb, *cell) == "the game is paused"
    assert why_not(game, "pause") == "the game is paused"
    assert why_not(game, "undo") == "the game is paused"
    assert why_not(game, "resume") == why_not(game, "resign") == ""
    assert played(game, "resume; flag 0,0").status is Status.RUNNING
    assert why_not(game, "resume") == "the game is not paused"
    assert game.ranked is False
    assert game.unranked == "seed"


def test_a_won_game_is_over() -> None:
    game = played(game_on(LAYOUT), "open 0,4; open 3,4")
    assert game.status is Status.WON
    for verb, cell in (("open", (0, 0)), ("flag", (0, 0)), ("chord", (0, 1)), ("hint", (0, 0))):
        assert why_not(game, verb, *cell) == "the game is over"
    assert why_not(game, "pause") == why_not(game, "resign") == "the game is over"
    assert why_not(game, "undo") == "a won game stays won"


def test_flags_alone_win_no_game_that_has_not_begun() -> None:
    game = game_on(LAYOUT.replace("5x4/3", "5x4/3 goal=flag"))
    played(game, "flag 0,0; flag 2,4; flag 3,3")
    assert game.board.won
    assert game.status is Status.READY
    assert parse_journal(BaseGame, format_journal(game)).status is Status.READY
    assert game.play(Act(5, Verb.OPEN, 0, 4)) is Status.WON
    assert parse_journal(BaseGame, format_journal(game)) == game


def test_a_resigned_game_is_lost() -> None:
    game = played(game_on(LAYOUT), "open 0,1; pause; resign")
    assert (game.status, game.resigned, game.board.lost) == (Status.LOST, True, False)
    assert why_not(game, "undo") == "the game was given up"
    assert why_not(game, "resume") == "the game is over"


def test_a_loss_can_be_undone_and_counts_for_nothing_then() -> None:
    game = played(game_on(LAYOUT), "open 0,1; flag 2,2; open 0,0")
    assert game.status is Status.LOST
    lost = game.board
    played(game, "undo")
    assert (game.status, game.undone, game.unranked) == (Status.RUNNING, True, "undo")
    assert game.board.blown == ()
    assert game.board is lost
    played(game, "undo; undo")
    assert game.board.opened == game.board.flags == 0
    assert why_not(game, "undo") == "there is nothing to undo"
    played(game, "open 3,0")
    assert game.first_cell() == (0, 1)


def test_undo_takes_back_one_act_and_only_acts_on_the_board() -> None:
    game = played(game_on(LAYOUT), "open 0,1; hint 0,0; pause; resume; flag 0,0; chord 0,1")
    played(game, "undo; undo; undo")
    assert not game.board.opened
    assert why_not(game, "undo") == "there is nothing to undo"
    assert len(game.events) == 10


@pytest.mark.parametrize(
    ("origin", "acts", "reason"),
    [
        ("fresh", "open 0,4", ""),
        ("fresh", "open 0,4; pause; resume", ""),
        ("fresh", "flag 0,0; undo; open 0,4", ""),
        ("fresh", "open 0,4; question 0,0; undo", ""),
        ("fresh", "open 0,4; flag 0,0; undo; undo", "undo"),
        ("fresh", "hint 0,0; open 0,4", "hint"),
        ("fresh", "open 0,1; hint 0,0; undo", "hint"),
        ("fresh", "open 0,1; undo; hint 0,0", "undo"),
        ("fresh", "open 0,1; flag 0,0; undo; hint 0,0; undo", "hint"),
        ("seed", "open 0,4", "seed"),
        ("share", "open 0,4", "share"),
        ("again", "open 0,4; open 3,4", "again"),
        ("again", "open 0,4; hint 3,4", "hint"),
    ],
)
def test_why_a_game_enters_no_best_times(origin: str, acts: str, reason: str) -> None:
    model = game_on(LAYOUT)
    game = BaseGame(model.rules, 1, origin=origin)
    game.lay(Lay(0, model.board.mine_map))
    played(game, acts)
    assert game.unranked == reason
    assert game.ranked == (not reason)
    assert parse_journal(BaseGame, format_journal(game)).unranked == reason


def test_mines_are_laid_once() -> None:
    game = game_on(LAYOUT)
    with pytest.raises(ActError, match="the mines have already been laid"):
        game.lay(Lay(0, game.board.mine_map))
    assert len(game.events) == 1


def test_mines_that_do_not_fit_leave_the_game_as_it_was() -> None:
    game = BaseGame(BEGINNER, 1)
    with pytest.raises(LayoutError):
        game.lay(Lay(0, np.eye(9, dtype=np.bool_)))
    assert game.events == ()
    assert not game.board.laid


def test_a_start_is_binding() -> None:
    game = BaseGame(BEGINNER, 1, start=(3, 4))
    assert why_not(game, "open", 3, 3) == "this board begins at row 4, column 5"
    game.play(Act(0, Verb.FLAG, 3, 4))
    assert why_not(game, "open", 3, 4).startswith("row 4, column 5 is flagged")
    game.play(Act(0, Verb.FLAG, 3, 4))
    game.play(Act(0, Verb.OPEN, 3, 4))
    assert why_not(game, "open", 0, 0) in ("", "row 1, column 1 is open already")


def test_a_start_is_a_cell_of_the_board() -> None:
    with pytest.raises(LayoutError, match="is outside the 9x9 board"):
        BaseGame(BEGINNER, 1, start=(9, 0))
    game = BaseGame(BEGINNER, 1, start=(np.uint8(3), np.int64(4)))  # type: ignore[arg-type]
    assert parse_journal(BaseGame, format_journal(game)).start == (3, 4)


def test_guess_free_boards_need_somebody_who_can_lay_them() -> None:
    rules = Rules.parse("9x9/10 guess-free")
    game = BaseGame(rules, 1, dealer=deal)
    with pytest.raises(RulesError, match="guess-free boards need the solver"):
        game.play(Act(0, Verb.OPEN, 0, 0))
    assert game.events == ()
    assert not game.begun
    asked: list[tuple[Rules, int, tuple[int, int]]] = []

    def dealer(rules: Rules, seed: int, first: tuple[int, int]) -> Mines:
        asked.append((rules, seed, first))
        return any_deal(rules, seed, first)

    game = BaseGame(rules, 5, dealer=dealer)
    game.play(Act(70, Verb.OPEN, 2, 3))
    assert asked == [(rules, 5, (2, 3))]
    again = game.again()
    again.play(Act(0, Verb.OPEN, 2, 3))
    assert len(asked) == 1
    assert again.board == game.board


def test_a_dealer_keeps_the_rules() -> None:
    def careless(rules: Rules, seed: int, first: tuple[int, int]) -> Mines:
        return deal(rules, seed)

    broken = next(seed for seed in range(40) if deal(BEGINNER, seed)[3:6, 3:6].any())
    game = BaseGame(BEGINNER, broken, dealer=careless)
    with pytest.raises(LayoutError, match="these mines break the promise first=zero"):
        game.play(Act(3, Verb.OPEN, 4, 4))
    assert (game.events, game.status) == ((), Status.READY)
    kept = next(seed for seed in range(400) if not deal(BEGINNER, seed)[3:6, 3:6].any())
    game = BaseGame(BEGINNER, kept, dealer=careless)
    assert game.play(Act(3, Verb.OPEN, 4, 4)) is Status.RUNNING


@given(games())
def test_the_same_board_again(game: BaseGame) -> None:
    again = game.again()
    assert again.origin is Origin.AGAIN
    assert again.rules == game.rules
    assert not again.ranked
    assert again.status is Status.READY
    first = game.first_cell()
    if first is None:
        return
    for other in (
        again,
        parse_journal(BaseGame, format_journal(again)),
        BaseGame.from_share(game.share()),
    ):
        assert other.start == first
        assert np.array_equal(other.board.mine_map, game.board.mine_map)
        assert not other.board.opened
        other.play(Act(99, Verb.OPEN, *first))
        assert other.time_ms == 0
        assert np.array_equal(other.board.mine_map, game.board.mine_map)
        assert other.share() == game.share() == again.share()


def test_there_is_nothing_to_share_before_the_first_cell() -> None:
    with pytest.raises(ShareError, match="before the first cell is opened"):
        BaseGame(BEGINNER, 1).share()
    with pytest.raises(ShareError):
        game_on(LAYOUT).share()
    # These mines were given, not dealt: the first cell may break what the rules promise.
    with pytest.raises(ShareError, match="breaks the promise first=zero"):
        played(game_on(LAYOUT), "open 0,1").share()
    shared = BaseGame.from_share(played(game_on(LAYOUT), "open 0,4").share())
    assert shared.share() == shared.again().share()


@given(games(acts=15))
def test_games_travel(game: BaseGame) -> None:
    for other in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert other == game
        assert other.board == game.board
        assert other.board == board_after_events(game.rules, game.events)


def test_a_copy_goes_its_own_way() -> None:
    game = played(game_on(LAYOUT), "open 0,1")
    for other in (copy.deepcopy(game), copy.copy(game)):
        played(other, "flag 0,0")
        assert game.board.flags == 0
        assert game != other
    assert game != "game"


@given(st.sampled_from(["9x9/10 guess-free", "9x9/10"]))
def test_a_dealer_travels_too(text: str) -> None:
    game = pickle.loads(pickle.dumps(BaseGame(Rules.parse(text), 5, dealer=any_deal)))
    game.play(Act(0, Verb.OPEN, 1, 1))
    assert np.array_equal(game.board.mine_map, any_deal(game.rules, 5, (1, 1)))
    kept = parse_journal(BaseGame, format_journal(BaseGame(Rules.parse(text), 5)), dealer=any_deal)
    kept.play(Act(0, Verb.OPEN, 1, 1))
    assert kept.board == game.board


def test_a_wide_board_travels() -> None:
    game = BaseGame(Rules(300, 300, 900), 1)
    game.play(Act(0, Verb.OPEN, 0, 0))
    assert pickle.loads(pickle.dumps(game)).board == game.board
    assert pickle.loads(pickle.dumps(game)) == game


def test_unhashable_and_typed() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(BaseGame(BEGINNER))
    with pytest.raises(ValueError, match="'elsewhere' is not an origin of a game"):
        BaseGame(BEGINNER, origin="elsewhere")
    assert issubclass(ActError, DemineError)
    assert {status for status in Status if status.over} == {Status.WON, Status.LOST}


def test_undoing_again_and_again_costs_no_more_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BaseGame(Rules(4, 3, 2), 5)
    followed: list[Act] = []
    follow = Board.apply_unchecked

    def noted(board: Board, act: Act) -> Change:
        followed.append(act)
        return follow(board, act)

    monkeypatch.setattr(Board, "apply_unchecked", noted)
    for _ in range(50):
        game.play(Act(0, Verb.FLAG, 0, 0))
        game.play(Act(0, Verb.UNDO))
    assert len(followed) == 50
    assert not game.board.flags


def test_rules_may_be_their_text() -> None:
    assert BaseGame("9x9/10", seed=7) == BaseGame(Rules.parse("9x9/10"), seed=7)
    with pytest.raises(RulesError, match="100 mines do not fit"):
        BaseGame("9x9/100")
    with pytest.raises(RulesError, match="None is neither rules nor their text"):
        BaseGame(None)  # type: ignore[arg-type]


@given(games(), st.integers(0, 40))
def test_the_newest_events_are_those_at_the_end_of_all(game: BaseGame, first: int) -> None:
    first = min(first, game.event_count)
    newest, last = list(game.events_from(first)), game.last_event_ms
    events = list(game.events)
    assert newest == events[first:]
    assert game.event_count == len(events)
    assert last == (events[-1].t if events else None)


def test_events_of_a_read_game_go_on_after_its_log() -> None:
    game = parse_journal(BaseGame, format_journal(played(BaseGame("9x9/10", seed=7), "open 4,4")))
    kept = game.event_count
    game.flag(0, 7, t=900)
    assert (game.event_count, game.last_event_ms) == (kept + 1, 900)
    assert list(game.events_from(kept)) == [Act(900, "flag", 0, 7)]
    assert list(game.events_from(1)) == list(game.events)[1:]
