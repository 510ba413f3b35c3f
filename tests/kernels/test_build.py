"""Compiling takes no memory from the system and gives it back at each call."""

from __future__ import annotations

import sys

import pytest

from demine.kernels.build import in_one_chunk

CALLS = 1000
DEPTHS = 200


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython has such frames")
def test_calls_at_any_depth_share_one_chunk_of_frames() -> None:
    resource = pytest.importorskip("resource")

    def leaf() -> None:
        pass

    def descend(depth: int) -> None:
        if depth:
            descend(depth - 1)
            return
        for _ in range(CALLS):
            leaf()

    def faults() -> int:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)

    worst = 0

    def at_each_depth() -> None:
        nonlocal worst
        for depth in range(DEPTHS):
            before = faults()
            descend(depth)
            worst = max(worst, faults() - before)

    in_one_chunk(at_each_depth)
    # A chunk of its own for each call would be a page, or more, for each.
    assert worst < CALLS / 2
