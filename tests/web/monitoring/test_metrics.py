"""Programs that watch over a server learn whether it is well, and what it does."""

from __future__ import annotations

import json
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("prometheus_client")
from prometheus_client.parser import text_string_to_metric_families

from tests.web.browser.served_site import READY_SECONDS, ServedSite
from tests.web.test_durability import Player

ACTS = 5


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedSite]:
    site = ServedSite(tmp_path)
    yield site
    site.stop()


def answer_to(site: ServedSite, path: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(site.address + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=READY_SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def figures(site: ServedSite) -> dict[tuple[str, ...], float]:
    """All values, by their names and the values of their labels."""
    _, text = answer_to(site, "/metrics")
    samples = [each for family in text_string_to_metric_families(text) for each in family.samples]
    return {(each.name, *each.labels.values()): each.value for each in samples}


def test_acts_and_requests_are_counted(site: ServedSite) -> None:
    player = Player(site, 1)
    player.make_game()
    with player.connect() as socket:
        socket.recv(timeout=60)
        for number in range(1, ACTS + 1):
            verb, cell = ("open", [8, 15]) if number == 1 else ("flag", [0, number])
            socket.send(json.dumps({"seq": number, "verb": verb, "cell": cell}))
            assert json.loads(socket.recv(timeout=60))["ack"] == number
        found = figures(site)
    assert found["demine_act_seconds_count",] == ACTS
    assert 0 < found["demine_act_seconds_sum",] < ACTS * 60
    assert found["demine_responses_total", "POST", "/api/games", "201"] == 1
    assert found["demine_open_games",] == 1
    # That of the game, and that which asks.
    assert found["demine_connections",] == 2
    assert 0 < found["demine_commits_total",] <= found["demine_changes_total",]
    assert found["process_resident_memory_bytes",] > 1 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has loaded")
def test_the_event_loop_is_that_of_uvloop(site: ServedSite) -> None:
    pytest.importorskip("uvloop")
    assert site.process is not None
    loaded = Path(f"/proc/{site.process.pid}/maps").read_text(encoding="utf-8")
    assert "/uvloop/loop." in loaded


def test_the_delay_of_the_event_loop_is_measured(site: ServedSite) -> None:
    until = time.monotonic() + READY_SECONDS
    while not figures(site)["demine_event_loop_delay_seconds_count",]:
        assert time.monotonic() < until


def test_paths_of_players_are_in_no_figure(site: ServedSite) -> None:
    player = Player(site, 1)
    player.make_game()
    answer_to(site, f"/api/games/{player.game}", Cookie=player.cookie)
    answer_to(site, "/of/somebody/in/particular")
    _, text = answer_to(site, "/metrics")
    assert player.game not in text
    assert "particular" not in text
    assert figures(site)["demine_responses_total", "GET", "elsewhere", "404"] == 1


def test_figures_are_not_for_everybody(site: ServedSite) -> None:
    # A proxy on this computer says for whom it asks.
    by_proxy = {"X-Forwarded-For": "8.8.8.8"}
    assert answer_to(site, "/metrics", **by_proxy)[0] == 404
    assert answer_to(site, "/healthz", **by_proxy) == (200, "ok\n")
    assert answer_to(site, "/metrics", **{"X-Forwarded-For": "10.1.2.3"})[0] == 200


def test_a_server_whose_database_is_held_is_not_ready(site: ServedSite) -> None:
    assert answer_to(site, "/readyz") == (200, "ready\n")
    file = site.folder / "server.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as held:
        held.execute("BEGIN IMMEDIATE")
        until = time.monotonic() + READY_SECONDS
        while (found := answer_to(site, "/readyz"))[0] == 200:
            assert time.monotonic() < until
        assert found == (503, "the database has not answered for 2 s\n")
        assert answer_to(site, "/healthz")[0] == 200
        held.execute("ROLLBACK")
    until = time.monotonic() + READY_SECONDS
    while answer_to(site, "/readyz")[0] != 200:
        assert time.monotonic() < until
