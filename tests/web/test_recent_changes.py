"""What connections hear that come back: all cells that changed, or that it is unknown."""

from __future__ import annotations

from random import Random

from demine.web.recent_changes import RecentChanges


def test_all_cells_since_an_event_are_remembered() -> None:
    recent = RecentChanges(5)
    recent.add(6, [3])
    recent.add(8, [9, 3, 1])
    recent.add(9, [])
    assert recent.since(5) == [1, 3, 9]
    assert recent.since(6) == [1, 3, 9]
    assert recent.since(8) == []
    assert recent.since(9) == []


def test_what_was_not_remembered_or_never_was_is_unknown() -> None:
    recent = RecentChanges(5)
    recent.add(6, [3])
    assert recent.since(4) is None
    assert recent.since(7) is None
    recent.add(7, None)
    assert recent.since(6) is None
    assert recent.since(7) == []
    recent.add(8, [2])
    assert recent.since(7) == [2]


def test_nothing_of_a_long_game_is_missing() -> None:
    random, recent, changed = Random(3), RecentChanges(0), list[list[int]]()
    for seq in range(1, 300):
        changed.append([random.randrange(480) for _ in range(random.randrange(4))])
        recent.add(seq, changed[-1])
        for since in range(seq + 1):
            found = recent.since(since)
            wanted = sorted({cell for cells in changed[since:] for cell in cells})
            assert found == (wanted if since >= seq - 64 else None)
