"""Daily boards in the store: which attempt counts, streaks, the line for others, old files."""

from __future__ import annotations

import io
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.daily_board import Daily, DailyError
from demine.logic.event import Verb
from demine.logic.game import Origin, Status
from demine.logic.rules import BEGINNER, CLASSIC_BEGINNER
from demine.play.clock import Clock
from demine.play.daily_game import latest_daily_result_line
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import set_language
from demine.store import Store, schema
from demine.store import daily as dailies
from demine.store.daily import (
    DailyAttempt,
    NoDailyResult,
    standing_at_each_level,
    standing_at_level,
    symbols_of_last_days,
)
from demine.store.utc_text import utc_text

DAY = date(2026, 11, 21)
BOARD = Daily(DAY, "beginner")
_ONE = timedelta(days=1)


class Calendar:
    """A day and a time that pass when told to, for everything that asks what day it is."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.seconds = 0.0
        for where in (
            "demine.store.daily.today_utc",
            "demine.play.daily_game.today_utc",
            "demine.play.game_session.today_utc",
        ):
            patch.setattr(where, self._day)
        for where in ("demine.store.running_game.utc_now_text", "demine.store.store.utc_now_text"):
            patch.setattr(where, self._moment)

    def _day(self) -> date:
        return self.now.date()

    def _moment(self) -> str:
        self.now += timedelta(milliseconds=1)
        return utc_text(self.now)

    def go_to(self, day: date, hour: int = 12, minute: int = 0) -> None:
        """Let it be another moment."""
        self.now = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    return Calendar(monkeypatch)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine" / "demine.db"


def sit(store: Store, calendar: Calendar, daily: Daily | None = None) -> GameSession:
    return GameSession.begin(store, StartOptions(daily=daily), Preferences(), Clock(calendar))


def begin(session: GameSession) -> None:
    assert session.game.start is not None
    assert session.play(Verb.OPEN, *session.game.start)


def cells(game: Game, *, mines: bool) -> list[tuple[int, int]]:
    found = game.board.mine_map if mines else ~(game.board.mine_map | game.board.open_map)
    return [(int(row), int(col)) for row, col in np.argwhere(found)]


def win(session: GameSession, calendar: Calendar, seconds: float = 8.0) -> None:
    if not session.game.begun:
        begin(session)
    if session.game.status is Status.PAUSED:
        assert session.try_resume()
    calendar.seconds += seconds
    while not session.game.status.over:
        assert session.play(Verb.OPEN, *cells(session.game, mines=False)[0])
    assert session.game.status is Status.WON


def lose(session: GameSession) -> None:
    if not session.game.begun:
        begin(session)
    session.play(Verb.OPEN, *cells(session.game, mines=True)[0])
    assert session.game.status is Status.LOST


def stand(store: Store, day: date = DAY) -> dailies.DailyStanding:
    return standing_at_level(store.daily_attempts(), "beginner", day)


def test_the_first_attempt_counts_and_later_ones_are_practice(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        assert session.game_title() == "Daily board 2026-11-21, Beginner"
        assert store.daily_attempts() == ()  # nothing was begun yet
        lose(session)
        assert session.switch_to_daily(BOARD)
        assert session.game_title().endswith("practice: played before")
        win(session, calendar)
        assert session.result_text().startswith("practice: played before")
        first, second = store.daily_attempts()
        assert (first.outcome, first.counts) == ("lost", True)
        assert (second.outcome, second.counts) == ("won", False)
        assert (stand(store).played, stand(store).won, stand(store).streak) == (1, 0, 0)


def test_a_daily_game_enters_no_best_times(calendar: Calendar) -> None:
    with Store.memory() as store:
        win(sit(store, calendar, BOARD), calendar)
        assert store.records() == ()
        (row,) = store.games()
        assert (row.unranked, row.result, row.day, row.level, row.outcome) == (
            "daily", None, "2026-11-21", "beginner", "won",
        )  # fmt: skip


def test_a_streak_grows_day_by_day_and_ends_with_a_day_missed(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar)
        for day in (DAY, DAY + _ONE, DAY + 3 * _ONE, DAY + 4 * _ONE):
            calendar.go_to(day)
            session.switch_to_daily(Daily(day, "beginner"))
            win(session, calendar, 5.0)
        assert "streak 2" in session.result_text()
        played = store.daily_attempts()
        assert [standing_at_level(played, "beginner", DAY + n * _ONE).streak for n in range(7)] == [
            1, 2, 2, 1, 2, 2, 0,
        ]  # fmt: skip
        now = standing_at_level(played, "beginner", DAY + 6 * _ONE)
        assert (now.played, now.won, now.best_streak, now.best_ms) == (4, 4, 2, 5000)


def test_each_level_has_its_own(calendar: Calendar) -> None:
    with Store.memory() as store:
        win(sit(store, calendar, BOARD), calendar)
        found = {
            each.level: each.streak for each in standing_at_each_level(store.daily_attempts(), DAY)
        }
        assert found == {"beginner": 1, "intermediate": 0, "expert": 0}


def test_a_board_begun_keeps_its_date(calendar: Calendar) -> None:
    with Store.memory() as store:
        calendar.go_to(DAY, 23, 59)
        session = sit(store, calendar, BOARD)
        begin(session)
        calendar.go_to(DAY + _ONE, 0, 5)
        win(session, calendar)
        (attempt,) = store.daily_attempts()
        assert (attempt.daily, attempt.counts) == (BOARD, True)
        assert stand(store, DAY + _ONE).streak == 1


def test_a_board_that_was_only_looked_at_goes_with_its_day(calendar: Calendar) -> None:
    with Store.memory() as store:
        calendar.go_to(DAY, 23, 59)
        session = sit(store, calendar, BOARD)
        calendar.go_to(DAY + _ONE, 0, 5)
        begin(session)
        assert session.game_title().endswith("practice: another day's board")
        win(session, calendar)
        (attempt,) = store.daily_attempts()
        assert not attempt.counts
        assert stand(store, DAY + _ONE).played == 0


def test_an_unopened_board_of_yesterday_is_not_taken_up(calendar: Calendar, path: Path) -> None:
    with Store.open(path) as store:
        sit(store, calendar, BOARD).close()
    with Store.open(path) as store:
        assert sit(store, calendar).daily == BOARD
    calendar.go_to(DAY + _ONE)
    with Store.open(path) as store:
        assert sit(store, calendar).daily is None
        assert store.games(status="running", limit=-1)[0].day is None


def test_old_boards_are_practice_and_those_to_come_are_not_given(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, Daily(DAY - _ONE, "beginner"))
        assert session.game_title().endswith("practice: another day's board")
        win(session, calendar)
        assert stand(store).played == 0
        with pytest.raises(DailyError, match="2026-11-22 appears at 0:00 UTC"):
            session.switch_to_daily(Daily(DAY + _ONE, "beginner"))
        assert session.game.status is Status.WON


def test_help_is_neither_won_nor_lost_and_a_loss_stays(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        begin(session)
        session.play(Verb.HINT, *cells(session.game, mines=False)[0])
        assert session.game_title().endswith("practice: helped")
        win(session, calendar)
        other = Daily(DAY, "intermediate")
        session.switch_to_daily(other)
        lose(session)
        session.try_undo()
        win(session, calendar)
        assert [each.outcome for each in store.daily_attempts()] == ["helped", "lost"]


def test_asking_again_goes_on_and_playing_elsewhere_gives_up(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        begin(session)
        game = session.game
        assert not session.switch_to_daily(BOARD)
        assert session.game is game
        session.begin_new_game(BEGINNER)
        assert [each.outcome for each in store.daily_attempts()] == [None]
        session.play(Verb.OPEN, 0, 0)
        assert [each.outcome for each in store.daily_attempts()] == ["resigned"]


def test_a_daily_board_that_was_left_comes_back_by_its_name(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        begin(session)  # the only attempt: one click is enough to be brought back
        game, title = session.game, session.game_title()
        session.begin_new_game(BEGINNER)
        assert session.switch_to_daily(BOARD)
        assert session.game is game
        assert session.game_title() == title
        win(session, calendar)
        (attempt,) = store.daily_attempts()
        assert (attempt.outcome, attempt.counts) == ("won", True)
        assert "streak 1" in session.result_text()


def test_a_daily_board_that_was_only_looked_at_again_waits_on(
    calendar: Calendar, path: Path
) -> None:
    with Store.open(path) as store:
        session = sit(store, calendar, BOARD)
        begin(session)
        opened = session.game.board.opened
    with Store.open(path) as store:
        session = GameSession.begin(
            store, StartOptions(rules=BEGINNER, new=True), Preferences(), Clock(calendar)
        )
        session.play(Verb.OPEN, 4, 4)
        session.play(Verb.FLAG, *cells(session.game, mines=True)[0])
        game = session.game
        assert session.switch_to_daily(BOARD)
        assert session.game.board.opened == opened
        assert session.bring_back_left_game()
        assert session.game is game
        assert [each.outcome for each in store.daily_attempts()] == [None]
        assert session.switch_to_daily(BOARD)
        assert session.game.board.opened == opened
        win(session, calendar)
        assert [each.outcome for each in store.daily_attempts()] == ["won"]
        assert [row.status for row in store.games()] == ["won", "resigned"]


def test_a_daily_board_waits_for_nobody(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        session.lay_in_background = lambda *_: pytest.fail("asked elsewhere")
        assert session.is_unbegun_daily_game
        begin(session)
        assert session.game.begun
        assert not session.is_unbegun_daily_game


def test_new_after_a_daily_board_is_what_was_played_before(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        assert session.default_next_rules(Preferences(rules="8x8/10")) == CLASSIC_BEGINNER
        begin(session)
        session.restart_same_board()
        assert session.daily is None


def test_it_is_resumed_by_its_name_and_by_being_the_last(calendar: Calendar, path: Path) -> None:
    with Store.open(path) as store:
        session = sit(store, calendar, BOARD)
        begin(session)
        opened = session.game.board.opened
        session.close()
    with Store.open(path) as store:
        session = GameSession.begin(
            store, StartOptions(rules=BOARD.rules), Preferences(), Clock(calendar)
        )
        assert session.daily is None  # rules ask for an ordinary game
        other = sit(store, calendar, BOARD)
        assert (other.daily, other.game.board.opened) == (BOARD, opened)
        win(other, calendar)
        (attempt,) = store.daily_attempts()
        assert attempt.counts


def test_the_line_for_others(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar)
        with pytest.raises(NoDailyResult, match="no daily result"):
            session.daily_result_line()
        session.switch_to_daily(BOARD)
        begin(session)
        with pytest.raises(NoDailyResult, match="not over yet"):
            session.daily_result_line()
        win(session, calendar, 8.25)
        line = session.daily_result_line()
        assert line.startswith("demine 2026-11-21 beginner  won 8.2 s  3BV/s ")
        assert line.endswith("  streak 1  ➖➖➖➖➖➖✅")
        assert latest_daily_result_line(store, "beginner", DAY) == line
        assert "\n" not in line
        set_language("zh_CN")
        try:
            assert session.daily_result_line().startswith("demine 2026-11-21 ")
            assert session.daily_result_line() != line
        finally:
            set_language("en")
        session.switch_to_daily(BOARD)
        lose(session)
        assert session.daily_result_line().endswith("practice")
        assert latest_daily_result_line(store) == line


def test_a_lost_line_says_how_far_it_went(calendar: Calendar) -> None:
    with Store.memory() as store:
        session = sit(store, calendar, BOARD)
        lose(session)
        opened = 100 * session.game.board.opened // BOARD.rules.safe_cells
        assert f"  lost 0.0 s  {opened}% open  streak 0  " in session.daily_result_line()


def attempt(day: date, outcome: str | None) -> DailyAttempt:
    return DailyAttempt(
        Daily(day, "beginner"), str(day), outcome, 1000, f"{day}T12:00", counts=True
    )


def test_a_day_under_way_ends_no_streak_yet() -> None:
    won = [attempt(DAY - n * _ONE, "won") for n in (2, 3)]
    yesterday = attempt(DAY - _ONE, None)
    assert standing_at_level([*won, yesterday], "beginner", DAY).streak == 2
    assert standing_at_level([*won, yesterday, attempt(DAY, None)], "beginner", DAY).streak == 2
    assert standing_at_level([*won, yesterday], "beginner", DAY + _ONE).streak == 0
    assert standing_at_level([*won, attempt(DAY - _ONE, "lost")], "beginner", DAY).streak == 0
    assert symbols_of_last_days(standing_at_level(won, "beginner", DAY), DAY) == "➖➖➖✅✅➖➖"


def exported(store: Store) -> str:
    stream = io.StringIO()
    store.export(stream)
    return stream.getvalue()


def played(store: Store, calendar: Calendar) -> tuple[DailyAttempt, ...]:
    """Play a loss, a practice after it, and leave a board of another level unfinished."""
    session = sit(store, calendar, BOARD)
    lose(session)
    calendar.go_to(DAY, 13)
    session.switch_to_daily(BOARD)
    win(session, calendar)
    session.switch_to_daily(Daily(DAY, "intermediate"))
    begin(session)
    session.close()
    return store.daily_attempts()


def test_an_export_carries_them(calendar: Calendar, path: Path) -> None:
    with Store.open(path) as store, Store.memory() as other, Store.memory() as third:
        before = played(store, calendar)
        assert len(before) == 3
        calendar.go_to(DAY + 9 * _ONE)
        other.import_(io.StringIO(exported(store)))
        assert other.daily_attempts() == before
        third.import_(path)
        assert third.daily_attempts() == before


def test_somebody_elses_game_is_no_attempt_of_the_player(calendar: Calendar) -> None:
    from demine.store.importing import GameToImport

    with Store.memory() as store, Store.memory() as other:
        before = played(store, calendar)
        game = store.load_game(before[0].game_id)
        other.importer().import_batch([GameToImport(game, "2026-11-21T12:00:00+00:00")])
        assert other.daily_attempts() == ()
        assert len(other.games()) == 1


def test_a_file_of_the_second_format_is_brought_up(path: Path, calendar: Calendar) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    for step in schema.MIGRATIONS[:2]:
        for sql in step:
            connection.execute(sql)
    connection.execute(
        "INSERT INTO games (id, rules, header, status, unranked, result, time_ms, hits, acts,"
        " began_at, seen_at, finished_at) VALUES ('12345678-1234-4234-8234-123456789012',"
        " '9x9/10', '{\"demine\":1,\"rules\":\"9x9/10\",\"seed\":1}', 'won', '', 'won', 4321, 0, 9,"
        " '2026-11-20T10:00:00.000000+00:00', '2026-11-20T10:00:09.000000+00:00',"
        " '2026-11-20T10:00:09.000000+00:00')"
    )
    connection.execute("INSERT INTO figures (num, edition, bv) VALUES (1, 1, 12)")
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with Store.open(path) as store:
        assert store.take_notices() == ()
        assert store.record_of("9x9/10").best_ms == 4321
        assert store.games()[0].bv == 12
        assert store.daily_attempts() == ()
        win(sit(store, calendar, BOARD), calendar)
        assert stand(store).streak == 1
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    connection.close()


def test_damage_keeps_them(calendar: Calendar, path: Path) -> None:
    with Store.open(path) as store:
        before = played(store, calendar)
    connection = sqlite3.connect(path)
    connection.execute("DROP INDEX games_counted")
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert store.take_notices()
        assert store.daily_attempts() == before


def test_a_board_played_before_it_was_given_does_not_count(
    calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.play.game_session.today_utc", lambda: DAY + _ONE)
    with Store.memory() as store:
        win(sit(store, calendar, Daily(DAY + _ONE, "beginner")), calendar)
        assert not store.daily_attempts()[0].counts
        assert store.load_game(store.games()[0].id).origin is Origin.SEED
