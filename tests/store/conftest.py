"""What several tests of the store begin with."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a new database may be made."""
    return tmp_path / "demine.db"
