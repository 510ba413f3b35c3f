"""Where a window's last picture is kept, and what makes it untrue."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.picture import kept


def test_its_place_follows_the_players_folder(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept.folder() == data_dir / "cache"
    monkeypatch.delenv("DEMINE_DATA_DIR")
    assert kept.folder().name == "demine"
    assert kept.state()


def test_other_records_are_another_state(data_dir: Path) -> None:
    before = kept.state("en", 2)
    assert kept.state("zh", 2) != before
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"records")
    assert kept.state("en", 2) != before


def test_a_state_is_taken_once(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_text("as it was", encoding="utf-8")
    assert kept.taken(path) == "as it was"
    with pytest.raises(OSError, match="state"):
        kept.taken(path)
