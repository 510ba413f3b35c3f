"""Replays of real games, where somebody put them beside the repository.

They carry their players' names and are never part of it: tests use them where they are, and pass
without them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "samples"


def there() -> bool:
    """Whether the samples are there."""
    return (FOLDER / "manifest.json").is_file()


needed = pytest.mark.skipif(not there(), reason="no samples beside the repository")
"""Skips a test where there are no samples."""


def names(*patterns: str) -> list[str]:
    """The samples' names that match any pattern, such as `avf/**/*.avf`; none where there are none.

    For `pytest.mark.parametrize`, which then skips the test by itself.
    """
    found = {path for pattern in patterns for path in FOLDER.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(FOLDER).as_posix() for path in found)


def path(name: str) -> Path:
    """Where a sample is; skips the test that asks for one that is not there."""
    file = FOLDER / name
    if not file.is_file():
        pytest.skip(f"{name} is not beside the repository")
    return file


def data(name: str) -> bytes:
    """The bytes of a sample."""
    return path(name).read_bytes()


def manifest() -> dict[str, dict[str, Any]]:
    """What is known of each sample, by name; empty where there are none."""
    if not there():
        return {}
    entries = json.loads(path("manifest.json").read_text("utf-8"))
    return {entry["file"]: entry for entry in entries}


def values(file: str) -> dict[str, dict[str, Any]]:
    """What another program says of each sample: `ms_toollib_1.5.20_stats.json` and others."""
    found: dict[str, dict[str, Any]] = json.loads(path(file).read_text("utf-8")) if there() else {}
    return found
