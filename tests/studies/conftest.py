"""What plays is compiled once, before many processes of tests would each do it."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.studies.compile_before_workers import compile_study_kernels

SECONDS = 400
"""Compiling takes a minute, more on a busy machine, and whichever test comes first waits for it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of this folder the time."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """The player's kernels lie in the cache."""
    compile_study_kernels()
