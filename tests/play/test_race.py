"""A race is the fold of its events: it begins, goes on and ends by its rules, whatever happens."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.play import race as rules
from demine.play.race import (
    COUNTDOWN_MS,
    LOBBY_MS,
    MINE_COST_MS,
    MOST_BREAKS,
    MOST_LOBBY_EVENTS,
    MOST_SEATS,
    RACE_MS,
    RETURN_MS,
    Phase,
    Race,
    RaceError,
    RaceEvent,
    RaceVerb,
    SeatStatus,
)

STEPS = st.lists(
    st.tuples(
        st.sampled_from([*RaceVerb, None]),  # None: what is due happens
        st.integers(0, MOST_SEATS),
        st.sampled_from([0, 1, 300, COUNTDOWN_MS, RETURN_MS]),
        st.integers(0, 9),
    ),
    max_size=60,
)


def played(steps: Iterable[tuple[RaceVerb | None, int, int, int]]) -> list[RaceEvent]:
    """The events of a race that may happen; the others are refused and leave no trace."""
    race, events = Race(), []
    for verb, seat, later, mines in steps:
        if verb is None:
            event = race.due()
            if event is None:
                break
        else:
            result = (1000 * seat, mines) if verb in {"finish", "fail"} else ()
            numbers = () if verb in {"start", "end"} else (seat, *result)
            event = RaceEvent(race.t + later, verb, *numbers)
        try:
            race = race.after(event)
        except RaceError:
            assert verb is not None, "what is due was refused"
        else:
            events.append(event)
    return events


def of(*verbs: tuple[object, ...]) -> Race:
    return Race.fold(RaceEvent(t, RaceVerb(verb), *numbers) for t, verb, *numbers in verbs)  # type: ignore[arg-type]


def running(seats: int = 2) -> Race:
    """A race that began at 5000."""
    come = [(0, verb, seat) for verb in ("join", "back", "ready") for seat in range(seats)]
    return of(*come, (COUNTDOWN_MS, "start"))


def go_on(race: Race, *verbs: tuple[object, ...]) -> Race:
    for t, verb, *numbers in verbs:
        race = race.after(RaceEvent(t, RaceVerb(verb), *numbers))  # type: ignore[arg-type]
    return race


@given(STEPS)
def test_a_race_is_the_fold_of_its_texts(
    steps: list[tuple[RaceVerb | None, int, int, int]],
) -> None:
    events = played(steps)
    texts = [str(event) for event in events]
    assert [RaceEvent.parse(text) for text in texts] == events
    assert Race.fold(map(RaceEvent.parse, texts)) == Race.fold(events)


@given(STEPS)
def test_every_race_keeps_its_rules_at_every_moment(
    steps: list[tuple[RaceVerb | None, int, int, int]],
) -> None:
    events = played(steps)
    race = Race()
    for event in events:
        before, race = race, race.after(event)
        numbers = [seat.number for seat in race.seats]
        assert numbers == sorted(set(numbers))
        assert len(numbers) <= MOST_SEATS
        if event.verb is RaceVerb.START:
            assert len(race.seats) >= 2
            assert all(seat.status is SeatStatus.READY for seat in before.seats)
            assert all(seat.away_since is None for seat in before.seats)
            assert event.t - before.since >= COUNTDOWN_MS
        if not before.is_open:
            assert numbers == [seat.number for seat in before.seats]
        racing = [seat for seat in race.seats if seat.status is SeatStatus.RACING]
        assert bool(racing) == (race.phase is Phase.RUNNING)
        done = [place for place, _ in race.places if place is not None]
        assert done == sorted(done)
        assert done[:1] in ([], [1])


@given(STEPS)
def test_every_race_comes_to_its_end_by_itself(
    steps: list[tuple[RaceVerb | None, int, int, int]],
) -> None:
    race = Race.fold(played(steps))
    bound = race.t + LOBBY_MS + COUNTDOWN_MS + RACE_MS
    for _ in range(2 * MOST_SEATS + 3):
        event = race.due()
        if event is None:
            break
        race = race.after(event)
    assert race.phase is Phase.OVER
    assert race.t <= bound


def test_the_countdown_waits_for_everybody_and_stops_when_somebody_goes() -> None:
    race = of((0, "join", 0), (0, "back", 0), (0, "ready", 0), (5, "join", 1), (6, "ready", 1))
    assert race.phase is Phase.LOBBY  # seat 1 has no connection yet
    race = go_on(race, (7, "back", 1))
    assert (race.phase, race.since) == (Phase.COUNTDOWN, 7)
    with pytest.raises(RaceError, match="countdown is not over"):
        go_on(race, (COUNTDOWN_MS, "start"))
    for change in ((9, "wait", 0), (9, "away", 1), (9, "join", 2), (9, "leave", 1)):
        assert go_on(race, change).phase is Phase.LOBBY, change
    begun = go_on(race, (7 + COUNTDOWN_MS, "start"))
    assert (begun.phase, begun.started_at) == (Phase.RUNNING, 7 + COUNTDOWN_MS)


def test_nobody_joins_or_is_ready_once_the_race_runs_or_plays_before() -> None:
    with pytest.raises(RaceError, match="has begun"):
        go_on(running(), (9000, "join", 2))
    with pytest.raises(RaceError, match="is racing, not waiting"):
        go_on(running(), (9000, "ready", 1))
    with pytest.raises(RaceError, match="is ready, not racing"):
        of((0, "join", 0), (0, "ready", 0), (1, "finish", 0, 10, 0))


def test_who_is_away_has_two_minutes_to_come_back() -> None:
    race = go_on(running(), (6000, "away", 1))
    assert race.due() == RaceEvent(6000 + RETURN_MS, RaceVerb.LEAVE, 1)
    back = go_on(race, (6000 + RETURN_MS - 1, "back", 1))
    assert back.due() == RaceEvent(COUNTDOWN_MS + RACE_MS, RaceVerb.END)
    left = go_on(race, (6000 + RETURN_MS, "leave", 1))
    seat = left.seat(1)
    assert seat is not None
    assert (seat.status, left.phase) == (SeatStatus.LEFT, Phase.RUNNING)


def test_who_finishes_while_away_has_finished() -> None:
    race = go_on(running(), (6000, "away", 1), (6001, "finish", 1, 900, 0), (6002, "fail", 0, 1, 1))
    assert race.phase is Phase.OVER
    assert race.due() is None
    assert [(place, seat.number) for place, seat in race.places] == [(1, 1), (None, 0)]


def test_mines_are_added_to_the_time_and_equal_times_share_a_place() -> None:
    race = go_on(
        running(4),
        (20_000, "finish", 0, 14_000, 1),
        (20_001, "finish", 1, 14_001, 0),
        (25_000, "finish", 2, 14_000 + MINE_COST_MS, 0),
        (26_000, "leave", 3),
    )
    assert [(place, seat.number) for place, seat in race.places] == [
        (1, 1), (2, 0), (2, 2), (None, 3)
    ]  # fmt: skip


def test_who_loses_touch_all_the_time_has_left() -> None:
    race = running()
    for n in range(MOST_BREAKS):
        race = go_on(race, (6000 + n, "away", 0), (6000 + n, "back", 0))
    last = 6000 + MOST_BREAKS
    race = go_on(race, (last, "away", 0))
    assert race.due() == RaceEvent(last, RaceVerb.LEAVE, 0)


def test_of_who_no_longer_plays_no_coming_and_going_is_noted() -> None:
    race = go_on(running(), (6000, "away", 1), (6000, "finish", 1, 900, 0))
    for verb in ("away", "back"):
        with pytest.raises(RaceError, match="nothing changes for seat 1"):
            go_on(race, (6001, verb, 1))


def test_a_lobby_of_coming_and_going_ends() -> None:
    race = of((0, "join", 0), (0, "back", 0))
    while race.event_count < MOST_LOBBY_EVENTS:
        race = go_on(race, (1, "ready", 0), (1, "wait", 0))
    due = race.due()
    assert due == RaceEvent(1, RaceVerb.END)
    assert race.after(due).phase is Phase.OVER


def test_all_seats_can_be_taken_and_a_left_one_is_taken_again() -> None:
    race = of(*((0, "join", seat) for seat in range(MOST_SEATS)))
    with pytest.raises(RaceError, match="full: 8 players"):
        _ = race.free_seat
    assert go_on(race, (0, "leave", 3)).free_seat == 3


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "[0]", '[0,"fly",1]', '[0,"join"]', '[0,"join","1"]', '[0,"join",1,2]',
     '[true,"join",1]', '[0.5,"join",1]', '[-2,"join",1]', '[0,"start",1]', '[0, "join", 1]',
     '{"t":0}', "[" * 100_000, f'[{2**54},"join",1]', '[0,["join"],1]', '[0,"finish",1]'],
)  # fmt: skip
def test_texts_that_are_no_events_are_refused(text: str) -> None:
    with pytest.raises(RaceError, match="is not an event of a race"):
        RaceEvent.parse(text)


def test_time_does_not_run_back_and_an_end_is_an_end() -> None:
    with pytest.raises(RaceError, match="run back"):
        of((5, "join", 0), (4, "join", 1))
    with pytest.raises(RaceError, match="this race is over"):
        of((5, "end"), (5, "join", 0))


def test_the_countdown_is_shorter_than_an_absence_may_be() -> None:
    """Or who is away would still be counted on at the start."""
    assert rules.COUNTDOWN_MS < rules.RETURN_MS
