"""A server looks for garbage rarely, and finds it then."""

from __future__ import annotations

import gc
import weakref

import pytest

from demine.web import garbage
from demine.web.garbage import collect_if_many, collecting_rarely


class Knot:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.own = self


def test_python_collects_nothing_by_itself_while_a_server_runs() -> None:
    before = gc.isenabled(), gc.get_freeze_count()
    with collecting_rarely():
        knot = weakref.ref(Knot())
        many = [[each] for each in range(100_000)]
        assert knot() is not None
        assert gc.get_freeze_count() > 10_000  # what was loaded is not looked through
    assert (gc.isenabled(), gc.get_freeze_count()) == before
    assert len(many) == 100_000


def test_garbage_is_collected_once_there_are_many_new_objects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "MANY_OBJECTS", 5_000)
    with collecting_rarely():
        gc.collect()
        knot = weakref.ref(Knot())
        assert not collect_if_many(0)
        assert knot() is not None
        many = [[each] for each in range(6_000)]
        assert not collect_if_many(10)  # they may belong to the games
        assert knot() is not None
        assert collect_if_many(0)
        assert knot() is None
        assert not collect_if_many(0)
    assert len(many) == 6_000
