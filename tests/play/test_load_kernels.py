"""All kernels: their sets, found by name, each with its own."""

from __future__ import annotations

import pytest

from demine.kernels import kernel_set
from demine.play import load_kernels


def test_no_two_sets_have_an_entry_of_one_name() -> None:
    names = [name for each in load_kernels.all_kernel_sets() for name in each.entries]
    assert names[:2] == ["solve_boards", "seek_guess_free_layout"]
    assert {"zini_clicks", "read_mouse_events"} < set(names)
    assert len(names) == len(set(names))


def test_without_numba_there_is_nothing_to_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_set, "find_spec", {}.get)
    assert not load_kernels.kernels_are_cached()
    assert not load_kernels.load_common_kernels()
