"""A server that cannot start ends with an error that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from demine.web.errors import DatabaseError, ServerError
from demine.web.server import serve


@pytest.mark.parametrize("contents", [b"no database at all\n" * 100, None])
def test_a_database_that_cannot_be_opened_is_told_of(
    contents: bytes | None, tmp_path: Path
) -> None:
    path, ready = tmp_path / "server.sqlite", list[str]()
    if contents is None:
        path.mkdir()
    else:
        path.write_bytes(contents)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        serve("127.0.0.1", 0, path, ready.append)
    assert ready == []


@pytest.mark.parametrize("host", ["a..b", "a" * 70, "256.0.0.1"])
def test_a_host_that_is_none_is_told_of(host: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=f"nobody can listen at {host}, port 0"):
        serve(host, 0, tmp_path / "server.sqlite", print)
    assert list(tmp_path.iterdir()) == []
