"""Clients hear that the database failed, the log hears how."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from demine.web.app import make_app
from tests.web.doors_app import browser, serve

SAID = "the server cannot use its database now: try again later"


@pytest.mark.parametrize(
    ("method", "target"), [("GET", "/api/me"), ("PUT", "/api/me"), ("POST", "/api/games")]
)
def test_nothing_of_a_statement_reaches_a_client(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, method: str, target: str
) -> None:
    path = tmp_path / "server.sqlite"
    with serve(make_app(path)) as address, browser(address) as client:
        player = client.put("/api/me", json={"name": "Ada"}).json()["id"]
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("ALTER TABLE games RENAME TO gone")
        answer = client.request(method, target, json=None if method == "GET" else {})
    assert answer.status_code == 503
    assert answer.json() == {"error": {"what": "database", "message": SAID}}
    errors = [each for each in caplog.records if each.levelname == "ERROR"]
    (logged,) = [each.message for each in errors if each.name == "demine.web"]
    assert "no such table: games" in logged
    assert player in logged
