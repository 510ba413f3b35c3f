"""Where everything lives: all processes agree, and little moves when one comes or goes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest

pytest.importorskip("sqlalchemy")
from demine.game import Game
from demine.store.game_rows import new_id
from demine.web.database.games import StoredGame
from demine.web.homes import Elsewhere, Homes, Member
from demine.web.open_games import OpenGames

if TYPE_CHECKING:
    from demine.web.database.database import Database

DAY = date(2026, 11, 27)

SUBJECTS = [f"subject {number}" for number in range(3000)]
MEMBERS = [Member(num, f"http://127.0.0.1:{8000 + num}") for num in (3, 4, 9, 17)]


def seen_by(me: int | None, members: list[Member]) -> Homes:
    homes = Homes()
    homes.set_members(me, members)
    return homes


def home_of(subject: str, members: list[Member]) -> int:
    (found,) = [each.num for each in members if seen_by(each.num, members).is_here(subject)]
    return found


def test_a_process_that_is_alone_is_the_home_of_everything() -> None:
    assert all(Homes().is_here(subject) for subject in SUBJECTS)


def test_every_subject_has_one_home_whatever_the_order_of_the_list() -> None:
    for subject in SUBJECTS[:200]:
        assert home_of(subject, MEMBERS) == home_of(subject, MEMBERS[::-1])


def test_homes_are_spread_evenly() -> None:
    counts = Counter(home_of(subject, MEMBERS) for subject in SUBJECTS)
    # Five standard deviations of a fair draw.
    assert all(abs(count - 750) < 120 for count in counts.values())


def test_only_what_lived_with_a_process_that_goes_moves() -> None:
    before = {subject: home_of(subject, MEMBERS) for subject in SUBJECTS}
    for left in MEMBERS:
        rest = [each for each in MEMBERS if each is not left]
        for subject, home in before.items():
            assert home == left.num or home_of(subject, rest) == home


def test_a_request_is_sent_to_the_home() -> None:
    homes = seen_by(MEMBERS[0].num, MEMBERS)
    subject = next(each for each in SUBJECTS if home_of(each, MEMBERS) == MEMBERS[2].num)
    with pytest.raises(Elsewhere) as raised:
        homes.require(subject)
    assert raised.value.member == MEMBERS[2]
    homes.set_members(None, [])
    with pytest.raises(Elsewhere) as raised:
        homes.require(subject)
    assert raised.value.member is None


def test_new_subjects_live_here() -> None:
    homes = seen_by(MEMBERS[0].num, MEMBERS)
    assert all(homes.is_here(homes.new_subject(new_id)) for _ in range(50))
    # Where nobody takes part any more, an id must still be found.
    assert seen_by(None, []).new_subject(new_id)


def test_it_is_known_since_when_something_lives_here_without_a_break() -> None:
    moments = iter(range(100))
    homes = Homes(lambda: float(next(moments)))
    subject = next(each for each in SUBJECTS if home_of(each, MEMBERS) == MEMBERS[0].num)
    me = MEMBERS[0].num
    assert homes.here_since(subject) == 0
    for members in (MEMBERS, MEMBERS[:2], MEMBERS[1:], MEMBERS, MEMBERS[:3]):
        homes.set_members(me, members)
    # Lost with the third list, which lacks the process; back with the fourth, at 4.
    assert homes.here_since(subject) == 4


def test_it_forgets_old_lists() -> None:
    homes = Homes()
    for members in pairwise(MEMBERS * 500):
        homes.set_members(MEMBERS[0].num, list(members))
    assert len(homes._views) < 1000


def test_the_clock_of_a_ranked_board_goes_on_while_it_moves() -> None:
    """Whoever stays away while their process is killed and another takes over gains no time."""
    clock = [0.0]
    homes = Homes(lambda: clock[0])
    player = next(each for each in SUBJECTS if home_of(each, MEMBERS) == MEMBERS[1].num)
    homes.set_members(MEMBERS[0].num, MEMBERS)
    game = Game("9x9/10", 1)
    game.open(4, 4)
    games = OpenGames(cast("Database", None), lambda: clock[0], lambda: DAY, homes)
    clock[0] = 100.0
    homes.set_members(MEMBERS[0].num, MEMBERS[:1])
    clock[0] = 130.0
    umpire = games._find_umpire("game", StoredGame(1, player, game, 5000, None, {}, DAY))
    assert umpire is not None
    assert umpire.clock_ms == 5000 + 30_000
