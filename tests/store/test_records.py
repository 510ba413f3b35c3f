"""Records against plain arithmetic over random histories."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.game import Game
from demine.logic.daily_board import DailyError
from demine.logic.errors import RulesError
from demine.logic.event import Act, Verb
from demine.logic.game import Origin
from demine.logic.rules import BEGINNER, Rules
from demine.store import Store, StoreError
from demine.store.history import HistoryFilter
from demine.store.records import compute_record
from tests.store.playing import SMALL, hit, keep_win, opened, safe_cells, win

FLAGGING = Rules(6, 5, 4, goal="flag")
ENDS = (
    "win",
    "loss",
    "resign",
    "loss, undo, win",
    "flag, undo, win",
    "flag, undo, loss, undo, win",
    "hint, win",
    "hint, loss",
)


@dataclass(frozen=True)
class Played:
    """A game as a person would note it."""

    rules: Rules
    origin: str
    end: str
    time_ms: int

    @property
    def counts(self) -> str:
        """What it counts as: `won`, `lost`, `resigned`, or nothing."""
        if self.origin != "fresh":
            return ""
        return {
            "win": "won",
            "loss": "lost",
            "resign": "resigned",
            "loss, undo, win": "lost",
            "flag, undo, win": "won",
            "flag, undo, loss, undo, win": "lost",
        }.get(self.end, "")


PLAYED = st.builds(
    Played,
    st.sampled_from([SMALL, BEGINNER]),
    st.sampled_from(["fresh", "fresh", "fresh", *Origin]),
    st.sampled_from(["win", "win", *ENDS]),
    st.integers(1, 10_000),
)


def play(store: Store, played: Played) -> None:
    live = store.begin(opened(played.rules, origin=played.origin))
    game, t = live.game, played.time_ms
    if "hint" in played.end:
        live.play(Act(0, Verb.HINT, *safe_cells(game)[0]))
    if "flag, undo" in played.end:
        live.play(Act(0, Verb.FLAG, *safe_cells(game)[0]))
        live.play(Act(0, Verb.UNDO))
    if "loss" in played.end:
        hit(game, t)
        live.record()
    if "loss, undo" in played.end:
        live.play(Act(t, Verb.UNDO))
    if played.end == "resign":
        live.abandon(t)
    elif played.end.endswith("win"):
        win(game, t)
        live.record()
    assert game.status.over
    assert live.ending is not None


@settings(max_examples=30)
@given(history=st.lists(PLAYED, max_size=25))
def test_records_are_what_a_person_would_add_up(history: list[Played]) -> None:
    with Store.memory() as store:
        for played in history:
            play(store, played)
        for rules in (SMALL, BEGINNER):
            mine = [played for played in history if played.rules == rules]
            counted = [played for played in mine if played.counts]
            wins = [played.time_ms for played in counted if played.counts == "won"]
            letters = "".join("w" if played.counts == "won" else " " for played in counted)
            record = store.record_of(rules)
            assert record.games == len(counted)
            assert record.wins == len(wins)
            assert record.win_rate == (len(wins) / len(counted) if counted else None)
            assert record.best_ms == (min(wins) if wins else None)
            assert record.streak == len(letters) - len(letters.rstrip("w"))
            assert record.best_streak == max(map(len, letters.split(" ")))
            ten = fmean(wins[-10:]) if len(wins) >= 10 else None
            assert record.average_10 == (pytest.approx(ten) if ten is not None else None)
            assert len(store.games(rules, limit=-1)) == len(mine)
            fastest = store.games(rules, "won", ranked=True, order="fastest", limit=1)
            assert [row.time_ms for row in fastest] == sorted(wins)[:1]
        assert {record.rules for record in store.records()} == {
            str(played.rules) for played in history if played.counts
        }


@given(
    results=st.lists(
        st.tuples(st.sampled_from(["won", "lost", "resigned"]), st.integers(0, 99)), max_size=250
    )
)
def test_averages_need_as_many_wins_as_they_name(results: list[tuple[str, int]]) -> None:
    games = [(str(n), result, t, f"{n:04}") for n, (result, t) in enumerate(results)]
    record = compute_record("6x5/4", games)
    wins = [t for result, t in results if result == "won"]
    for count, average in ((10, record.average_10), (100, record.average_100)):
        assert (average is None) == (len(wins) < count)
        if average is not None:
            assert average == pytest.approx(fmean(wins[-count:]))
    # Of equal times the first one holds the record.
    if wins:
        first = next(n for n, found in enumerate(results) if found == ("won", min(wins)))
        assert (record.best_id, record.best_at) == (str(first), f"{first:04}")


def test_rules_with_another_goal_have_their_own_records() -> None:
    with Store.memory() as store:
        keep_win(store, 100)
        live = store.begin(opened(FLAGGING))
        for row, col in zip(*live.game.board.mine_map.nonzero(), strict=True):
            live.play(Act(50, Verb.FLAG, int(row), int(col)))
        assert live.ending is not None
        assert store.record_of(SMALL).best_ms == 100
        assert store.record_of("6x5/4 goal=flag").best_ms == 50
        assert store.record_of(BEGINNER).games == 0


def test_playing_a_board_again_is_practice() -> None:
    with Store.memory() as store:
        first = keep_win(store, 500)
        live = store.begin(first.game.again())
        start = live.game.start
        assert start is not None
        live.play(Act(0, Verb.OPEN, *start))
        win(live.game, 10)
        live.record()
        assert live.ending is not None
        assert live.ending.record is None
        assert live.ending.row.unranked == "again"
        assert store.record_of(SMALL).best_ms == 500


def test_history_comes_in_pages_and_orders() -> None:
    with Store.memory() as store:
        for time_ms in (300, 100, 200):
            keep_win(store, time_ms)
        lost = store.begin(opened(BEGINNER))
        hit(lost.game, 50)
        lost.record()
        assert [row.time_ms for row in store.games()] == [50, 200, 100, 300]
        assert [row.time_ms for row in store.games(order="oldest")] == [300, 100, 200, 50]
        assert [row.time_ms for row in store.games(order="slowest", limit=2)] == [300, 200]
        assert [row.time_ms for row in store.games(limit=2, offset=1)] == [200, 100]
        assert [row.time_ms for row in store.games(status="lost")] == [50]
        assert [row.time_ms for row in store.games("beginner")] == [50]
        assert [row.time_ms for row in store.games(BEGINNER)] == [50]
        assert store.games(ranked=False) == ()
        assert isinstance(store.load_game(lost.id), Game)


@pytest.mark.parametrize("spelt", ["beginner", "9X9/10", " 9x9/10 ", "9x9/10 lives=1", BEGINNER])
def test_rules_are_the_same_however_they_are_spelt(spelt: str | Rules) -> None:
    with Store.memory() as store:
        live = store.begin(opened(BEGINNER))
        win(live.game, 70)
        live.record()
        assert store.record_of(spelt).wins == 1
        assert [row.id for row in store.games(spelt)] == [live.id]
        assert len(store.counted_games(spelt)) == len(store.counted_wins(spelt)) == 1
        assert store.new_record(spelt, 80) is None
        assert len(store.history(HistoryFilter(rules=str(spelt)))) == 1


def test_what_nobody_can_ask_for_is_refused() -> None:
    with Store.memory() as store:
        for rules in ("bgeinner", 5):
            for asked in (store.record_of, store.games, store.counted_games, store.counted_wins):
                with pytest.raises(RulesError):
                    asked(rules)  # type: ignore[arg-type]
        with pytest.raises(RulesError, match="did you mean beginner"):
            store.history(HistoryFilter(rules="bgeinner"))
        with pytest.raises(StoreError, match=r"'wno' is not valid for status.* mean won\?"):
            store.games(status="wno")  # type: ignore[arg-type]
        with pytest.raises(StoreError, match="'lsot' is not valid for status"):
            store.history(HistoryFilter(status="lsot"))  # type: ignore[arg-type]
        with pytest.raises(StoreError, match="'old' is not valid for order: use newest, oldest"):
            store.games(order="old")  # type: ignore[arg-type]
        with pytest.raises(StoreError, match=r"'ednded' is not valid for column.* mean ended"):
            store.history(column="ednded")  # type: ignore[arg-type]
        with pytest.raises(DailyError, match="did you mean expert"):
            store.daily_attempts("exprt")
