"""Reviews: held to all layouts tried out, and to games whose story is known."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import demine
from demine.game import Game
from demine.logic.board_state import Board, board_after_events
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Origin, Status
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Goal, Rules
from demine.reviews import review as reviewing
from demine.reviews.review import ReviewError, guess_count_and_chance, review
from demine.reviews.review_result import (
    JUDGED,
    JudgedAct,
    Review,
    Verdict,
    format_time_to_thousandths,
)
from demine.scene.sight import sight_while_running
from demine.scene.translation import set_language
from tests import samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SMALL = Rules(4, 4, 4, first=First.ANY)


def played(layout: str, *acts: tuple[object, ...], **rules: object) -> Game:
    """A game on a layout; acts are (verb, row, col), one a second, or (verb,)."""
    made, mine_map = parse_layout(layout)
    game = Game(
        Rules(made.width, made.height, made.mines, first=First.ANY, **rules),  # type: ignore[arg-type]
        0,
        origin=Origin.SHARE,
    )
    game.lay(Lay(0, mine_map))
    for at, (verb, *cell) in enumerate(acts):
        game.play(Act(1000 * at, verb, *cell))  # type: ignore[arg-type]
    return game


def wandering(seed: int) -> Game:
    """A small game played without looking, undo and all."""
    rng = random.Random(seed)
    game = Game(SMALL, seed)
    t = 0
    for _ in range(rng.randrange(4, 30)):
        t += rng.randrange(5)
        verb = rng.choice([Verb.OPEN, Verb.OPEN, Verb.FLAG, Verb.CHORD, Verb.UNDO, Verb.QUESTION])
        cell = (-1, -1) if verb is Verb.UNDO else (rng.randrange(4), rng.randrange(4))
        act = Act(t, verb, *cell)
        if game.can(act):
            begins = not game.begun
            game.play(act)
            t = 0 if begins and game.begun else t
    return game


def every_layout(board: Board) -> NDArray[np.bool_]:
    """All layouts that fit what is open."""
    covered = np.argwhere(~board.open_map)
    found = []
    for chosen in combinations(range(len(covered)), board.rules.mines):
        mines = np.zeros(board.rules.shape, np.bool_)
        mines[tuple(covered[list(chosen)].T)] = True
        other = Board(board.rules)
        other.apply_unless_refused(Lay(0, mines))
        if (other.hint_map[board.open_map] == board.hint_map[board.open_map]).all():
            found.append(mines)
    return np.array(found)


def before(game: Game) -> Iterator[tuple[Board, Act]]:
    """Every act but pauses, and a board as it was before it."""
    for place, event in enumerate(game.events):
        if isinstance(event, Act) and event.verb not in (Verb.PAUSE, Verb.RESUME):
            yield board_after_events(game.rules, [*_lays(game), *game.events[:place]]), event


def _lays(game: Game) -> list[Lay]:
    return [event for event in game.events if isinstance(event, Lay)]


@pytest.mark.parametrize("seed", range(16))
def test_chances_are_those_of_all_layouts_tried_out(seed: int) -> None:
    game = wandering(seed)
    if not game.begun:
        with pytest.raises(ReviewError):
            review(game)
        return
    found = review(game)
    pairs = list(zip(found.acts, before(game), strict=True))
    for act, (board, event) in pairs:
        assert (act.t, act.verb, act.row, act.col) == (event.t, event.verb, event.row, event.col)
        if act.chance is None:
            continue
        layouts = every_layout(board)
        cells = act.cells or ((act.row, act.col),)
        lost = np.mean([any(mines[cell] for cell in cells) for mines in layouts])
        assert act.chance == pytest.approx(lost, abs=1e-12)
        risks = layouts.mean(0)[~board.open_map]
        assert act.lowest == pytest.approx(risks.min(), abs=1e-12)
        _check_verdict(act, board)
    judged = [act for act, (board, event) in pairs if event.verb in (Verb.OPEN, Verb.CHORD)]
    assert sum(act.verdict is Verdict.FIRST for act in judged) >= 1
    assert all(act.verdict in JUDGED for act in judged if act.verdict is not Verdict.FIRST)


def _check_verdict(act: JudgedAct, board: Board) -> None:
    assert act.chance is not None
    assert act.lowest is not None
    if act.verb is Verb.FLAG:
        wrong = not board.mine_map[act.row, act.col]
        assert (act.verdict in (Verdict.FLAG_WRONG, Verdict.FLAG_DISPROVEN)) == wrong
        proven = act.verdict in (Verdict.FLAG_PROVEN, Verdict.FLAG_DISPROVEN)
        assert proven == (act.chance in {0.0, 1.0})
        return
    assert (act.verdict is Verdict.PROVEN) == (act.chance == 0.0)
    assert (act.verdict is Verdict.CERTAIN_MINE) == (act.chance == 1.0)
    if 0.0 < act.chance < 1.0:
        assert (act.verdict is Verdict.AVOIDABLE) == (act.lowest == 0.0)
    if act.verdict is Verdict.AVOIDABLE:
        assert act.best is not None
        assert act.best.risk == 0.0
        assert act.reason is not None
        assert act.reason.cell == (act.best.row, act.best.col)
        assert not board.mine_map[act.reason.cell]


@pytest.mark.parametrize("seed", range(16))
def test_time_and_luck_add_up(seed: int) -> None:
    game = wandering(seed)
    if not game.begun:
        return
    found = review(game, why=False)
    assert sum(spent.time_ms for spent in found.spent) == found.time_ms == game.time_ms
    standing = [act for act in found.acts if act.verdict in JUDGED and not act.undone]
    chances = [act.chance for act in standing if act.chance is not None]
    assert found.luck.acts == len(standing)
    assert found.luck.chance == pytest.approx(math.prod(1 - chance for chance in chances))
    assert found.luck.expected == pytest.approx(sum(chances))
    assert found.luck.chance_best >= found.luck.chance - 1e-12
    assert math.isinf(found.luck.pluck) == (game.board.lost and found.luck.blew)


def test_a_forced_guess() -> None:
    found = review(played("2x2/1\n*.\n..", ("open", 1, 1), ("open", 0, 1)))
    guess = found.acts[1]
    assert guess.verdict is Verdict.FORCED
    assert guess.chance == pytest.approx(1 / 3)
    assert guess.best is None
    assert found.luck.chance == pytest.approx(2 / 3) == found.luck.chance_best
    assert found.luck.pluck == pytest.approx(-math.log10(2 / 3))
    assert found.guesses == (guess,)
    assert not found.mistakes


def test_a_certain_mine_loses_and_tells_why() -> None:
    found = review(played("5x1/1\n..*..", ("open", 0, 0), ("open", 0, 2)))
    last = found.acts[-1]
    assert last.verdict is Verdict.CERTAIN_MINE
    assert last.blew == ((0, 2),)
    assert last.reason is not None
    assert not last.reason.safe
    assert found.luck.chance == 0
    assert math.isinf(found.luck.pluck)
    assert found.luck.chance_best == 1
    assert found.missed_win is not None
    assert (found.missed_win.since_ms, found.missed_win.left) == (0, 2)
    assert found.missed_win.all_certain


def test_a_win_that_needed_a_guess_is_not_missed() -> None:
    assert review(played("2x2/1\n*.\n..", ("open", 1, 1), ("open", 0, 0))).missed_win is None


@pytest.mark.parametrize("seed", range(16))
def test_the_moment_from_which_no_guess_was_needed(seed: int) -> None:
    """The halving is held to going through all moments one by one, with all layouts tried out."""
    rng = random.Random(seed)
    game = Game(SMALL, seed)
    while not game.status.over:
        act = Act(len(game.events) * 10, Verb.OPEN, rng.randrange(4), rng.randrange(4))
        if game.can(act):
            game.play(act)
    found = review(game, why=False)
    since = [act.t for act in found.acts[:-1] if act.opened and _needs_no_guess(game, act.number)]
    if game.status is Status.WON or not since:
        assert found.missed_win is None
    else:
        assert found.missed_win is not None
        assert found.missed_win.since_ms == since[0]
        assert found.missed_win.left == SMALL.safe_cells - game.board.opened


def _needs_no_guess(game: Game, count: int) -> bool:
    board = board_after_events(
        game.rules, [*_lays(game), *[e for e in game.events if isinstance(e, Act)][:count]]
    )
    while not board.won:
        layouts = every_layout(board)
        safe = ~layouts.any(0) & ~board.open_map
        if not safe.any():
            return False
        for row, col in np.argwhere(safe).tolist():
            board.apply_unless_refused(Act(0, Verb.OPEN, row, col))
    return True


def test_a_game_given_up_can_be_a_missed_win() -> None:
    found = review(played("5x1/1\n..*..", ("open", 0, 0), ("resign",)))
    assert found.missed_win is not None
    assert found.acts[-1].verdict is Verdict.OTHER
    assert {spent.sort: spent.time_ms for spent in found.spent} == {"first": 0, "other": 1000}


def test_a_won_game_missed_nothing() -> None:
    found = review(
        played("5x1/1\n..*..", ("open", 0, 0), ("open", 0, 3), ("open", 0, 4)), why=False
    )
    assert found.status is Status.WON
    assert found.missed_win is None
    assert found.luck.pluck == 0


def test_flags() -> None:
    game = played(
        "5x1/1\n..*..",
        ("flag", 0, 4), ("open", 0, 0), ("flag", 0, 2), ("flag", 0, 3), ("flag", 0, 3),
    )  # fmt: skip
    verdicts = [act.verdict for act in review(game).acts]
    assert verdicts == [
        Verdict.FLAG_WRONG, Verdict.FIRST, Verdict.FLAG_PROVEN, Verdict.FLAG_DISPROVEN,
        Verdict.NOTE,
    ]  # fmt: skip
    assert [act.number for act in review(game).wrong_flags] == [1, 4]


def test_a_guessed_flag() -> None:
    found = review(played("2x2/1\n*.\n..", ("open", 1, 1), ("flag", 0, 0)))
    assert found.acts[1].verdict is Verdict.FLAG_GUESSED
    assert found.acts[1].chance == pytest.approx(1 / 3)


def test_what_was_taken_back_is_judged_and_left_out_of_luck() -> None:
    game = played("2x2/1\n*.\n..", ("open", 1, 1), ("open", 0, 0), ("undo",), ("open", 0, 1))
    found = review(game)
    assert [act.undone for act in found.acts] == [False, True, False, False]
    assert found.acts[1].blew == ((0, 0),)
    assert found.luck.acts == 1
    assert not math.isinf(found.luck.pluck)
    assert "Taken back" in str(found)


def test_guesses_are_counted_apart_from_certain_mines() -> None:
    undone = played("2x2/1\n*.\n..", ("open", 1, 1), ("open", 0, 0), ("undo",), ("open", 0, 1))
    assert guess_count_and_chance(undone.rules, undone.events) == pytest.approx((1, 2 / 3))
    certain = played("7x1/3\n*..*.*.", ("open", 0, 1), ("open", 0, 2), ("open", 0, 3))
    assert review(certain).acts[-1].verdict is Verdict.CERTAIN_MINE
    assert guess_count_and_chance(certain.rules, certain.events) == pytest.approx((1, 1 / 2))


@pytest.mark.parametrize("seed", range(16))
def test_guesses_of_a_game_agree_with_its_review(seed: int) -> None:
    game = wandering(seed)
    if not game.begun:
        return
    found = guess_count_and_chance(game.rules, game.events)
    risks = [act.chance for act in review(game, why=False).guesses if not act.undone]
    guesses = [risk for risk in risks if risk is not None and risk < 1]
    chance = math.prod(1 - risk for risk in guesses)
    assert found == pytest.approx((len(guesses), chance))


def test_help_is_told_and_pauses_take_no_time() -> None:
    game = played("5x1/1\n..*..", ("open", 0, 0), ("hint", 0, 3))
    game.play(Act(1500, Verb.PAUSE))
    game.play(Act(1500, Verb.RESUME))
    game.play(Act(2500, Verb.OPEN, 0, 3))
    found = review(game)
    assert [act.verdict for act in found.acts] == [Verdict.FIRST, Verdict.HELP, Verdict.PROVEN]
    assert [act.think_ms for act in found.acts] == [0, 1000, 1500]
    assert [act.number for act in found.pauses] == [3, 2]
    assert found.pauses[0].reason is not None


def test_a_chord_is_judged_by_all_its_cells_together() -> None:
    layout = "3x3/2\n**.\n...\n..."
    game = played(layout, ("open", 1, 1), ("flag", 0, 0), ("flag", 1, 0), ("chord", 1, 1))
    chord = review(game).acts[-1]
    board = next(board for board, act in before(game) if act.verb is Verb.CHORD)
    lost = np.mean([any(mines[cell] for cell in chord.cells) for mines in every_layout(board)])
    assert len(chord.cells) == 6
    assert chord.chance == pytest.approx(lost)
    assert chord.blew == ((0, 1),)


def test_the_rule_of_flags_changes_nothing_about_reviews() -> None:
    game = played("5x1/1\n..*..", ("open", 0, 0), ("flag", 0, 2), goal=Goal.FLAG)
    found = review(game)
    assert found.status is Status.WON
    assert found.acts[1].verdict is Verdict.FLAG_PROVEN


def test_a_review_that_has_no_time_left_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game("9x9/10", seed=7)
    game.open(4, 4)
    while game.status is Status.RUNNING:
        game.open(*np.argwhere(~game.board.mine_map & ~game.board.open_map)[0].tolist())
    now = [0.0]
    monkeypatch.setattr(reviewing, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(reviewing, "_BREATH", 2)

    def progress(done: int, of: int) -> None:
        now[0] = 9.0 if done >= 4 else 1.0

    whole = review(game)
    found = review(game, progress=progress, seconds=9)
    assert whole.judged_until is None
    assert found.judged_until is not None
    assert 1 < found.judged_until < len(whole.acts) - 1
    judged = slice(found.judged_until)
    assert [act.verdict for act in found.acts[judged]] == [a.verdict for a in whole.acts[judged]]
    assert {act.verdict for act in found.acts[found.judged_until :]} == {Verdict.UNJUDGED}
    assert f"only the first {found.judged_until} of {len(whole.acts)} moves" in str(found)
    assert found.missed_win is None


def test_parts_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game for game in map(wandering, range(12)) if game.begun]
    whole = [review(game).to_dict() for game in games]
    monkeypatch.setattr(reviewing, "_PART", 1)
    monkeypatch.setattr(reviewing, "_BREATH", 2)
    assert [review(game).to_dict() for game in games] == whole


def test_a_position_beyond_the_solver_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    from demine.solver.errors import TooComplex

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise TooComplex("too complex")

    game = played("2x2/1\n*.\n..", ("open", 1, 1), ("flag", 0, 0), ("open", 0, 1))
    monkeypatch.setattr(reviewing, "mine_probability", refuse)
    monkeypatch.setattr(reviewing, "mine_probability_batch", refuse)
    found = review(game)
    assert [act.verdict for act in found.acts[1:]] == [Verdict.UNJUDGED] * 2
    assert found.luck.acts == 0
    assert "no move could be judged" in str(found)


def test_progress_ends_at_the_end() -> None:
    told: list[tuple[int, int]] = []
    game = next(game for game in map(wandering, range(9)) if game.begun)
    review(game, progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (len(game.events),) * 2
    assert told == sorted(told)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(ReviewError, match="nothing was opened"):
        review(Game(SMALL))
    large = Game(Rules(300, 300, 1, first=First.ANY), 1)
    large.play(Act(0, Verb.OPEN, 0, 0))
    with pytest.raises(ReviewError, match="at most 65536 cells, not 90000"):
        review(large)


def test_json_holds_all_of_it() -> None:
    found = review(played("5x1/1\n..*..", ("open", 0, 0), ("open", 0, 2)))
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["rules"] == str(found.rules)
    assert told["luck"]["pluck"] is None
    assert told["missed_win"] == {"since_ms": 0, "left": 2, "all_certain": True}
    assert [act["verdict"] for act in told["acts"]] == ["first", "certain-mine"]
    assert told["acts"][1]["reason"]["because"] == [[0, 1]]
    assert sum(told["counts"].values()) == len(told["acts"])
    assert told["pauses"] == [2]


def test_the_summary_in_both_languages() -> None:
    found = review(played("5x1/1\n..*..", ("open", 0, 0), ("open", 0, 2)))
    lines = str(found).splitlines()
    assert lines[0] == "5 × 1, 1 mine, first click may be a mine: lost after 1.000 s"
    assert lines[1] == "Opening moves: certain mine 1"
    assert lines[3] == (
        "Missed win: No guess was needed after 0.000 s. All 2 remaining safe cells were certain."
    )
    try:
        set_language("zh_CN")
        assert any("一" <= letter <= "鿿" for letter in str(found))
    finally:
        set_language("en")


def test_clocks() -> None:
    assert format_time_to_thousandths(0) == "0.000 s"
    assert format_time_to_thousandths(59_999) == "59.999 s"
    assert format_time_to_thousandths(61_001) == "1:01.001"
    assert format_time_to_thousandths(-250) == "-0.250 s"


def test_it_is_a_public_name() -> None:
    assert demine.review is review
    assert isinstance(demine.review(played("5x1/1\n..*..", ("open", 0, 0))), Review)


def test_scenes_are_what_a_player_saw() -> None:
    from demine.reviews.positions import acts_in_positions

    for seed in range(6):
        one = wandering(seed)
        for moment, (board, _) in zip(acts_in_positions(one), before(one), strict=True):
            if moment.scene is not None:
                np.testing.assert_array_equal(moment.scene < 9, sight_while_running(board) < 9)


@pytest.mark.parametrize(
    ("name", "pluck"),
    [
        ("avf/exp_35.09_bv132.avf", 0.07989),
        ("rmv/sv_v1_beg_tkolar.rmv", 0.06826),
        ("rmv/sv_v2_beg_24px.rmv", 0.4771),
        ("avf/flop_arbiter_beg.avf", 0.1007),
        ("avf/flop_Cus_20x20_20mines.avf", 0.0),
    ],
)
def test_luck_is_what_the_field_calls_pluck(name: str, pluck: float) -> None:
    """The figures are those of ms_toollib 1.5.20."""
    found = review(demine.load(samples.path(name)), why=False)
    assert found.luck.pluck == pytest.approx(pluck, rel=5e-4)
