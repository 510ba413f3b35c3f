"""Drafts: their order, and the counts that break."""

from __future__ import annotations

import numpy as np

from demine.scene.cell_faces import Face
from demine.scene.draft import Draft

COVERED = int(Face.COVERED)
ROW = np.array([[1, COVERED, COVERED, 2, COVERED]], np.uint8)


def test_assumptions_keep_their_order_and_go_one_by_one() -> None:
    draft = Draft().toggled((0, 1), is_mine=True).toggled((0, 4), is_mine=False)
    assert [each.cell for each in draft.assumptions] == [(0, 1), (0, 4)]
    other = draft.toggled((0, 1), is_mine=False)
    assert other.cells(mines=False) == ((0, 4), (0, 1)), "one that changes is the last one"
    assert other.without_last().cells(mines=False) == ((0, 4),)
    assert draft.toggled((0, 4), is_mine=False).assumptions == draft.assumptions[:1]
    assert Draft().without_last() == Draft()


def test_a_number_breaks_by_too_many_mines_and_by_too_little_room() -> None:
    one = Draft().toggled((0, 1), is_mine=False)
    assert one.broken_counts(ROW, 3).numbers == ((0, 0),)
    two = Draft().toggled((0, 2), is_mine=False)
    assert two.broken_counts(ROW, 3).numbers == ((0, 3),) or two.broken_counts(ROW, 3).mine_count
    assert not Draft().broken_counts(ROW, 3)
    many = Draft().toggled((0, 1), is_mine=True).toggled((0, 2), is_mine=True)
    assert many.broken_counts(ROW, 1).mine_count


def test_flags_are_assumed_too_unless_the_draft_says_otherwise() -> None:
    flagged = ROW.copy()
    flagged[0, 1] = Face.FLAG
    assert Draft().with_flags(flagged).cells(mines=True) == ((0, 1),)
    safe = Draft().toggled((0, 1), is_mine=False)
    assert safe.with_flags(flagged) == safe
    assert safe.broken_counts(flagged, 3).numbers == ((0, 0),)


def test_cells_opened_since_leave_the_draft() -> None:
    draft = Draft().toggled((0, 1), is_mine=True).toggled((0, 2), is_mine=False)
    opened = ROW.copy()
    opened[0, 2] = 1
    assert draft.still_covered(opened).cells(mines=False) == ()
