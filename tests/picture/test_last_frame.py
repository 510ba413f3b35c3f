"""Where a window's last picture is kept, and what makes it untrue."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.picture import last_frame


def test_its_place_follows_the_players_folder(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert last_frame.folder() == data_dir / "cache"
    monkeypatch.delenv("DEMINE_DATA_DIR")
    assert last_frame.folder().name == "demine"
    assert last_frame.state()


def test_other_records_are_another_state(data_dir: Path) -> None:
    before = last_frame.state("en", 2)
    assert last_frame.state("zh", 2) != before
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"records")
    assert last_frame.state("en", 2) != before


def test_a_state_is_taken_once(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_text("as it was", encoding="utf-8")
    assert last_frame.taken(path) == "as it was"
    with pytest.raises(OSError, match="state"):
        last_frame.taken(path)
