"""The page of the protocol: its client plays on a real server, and it names all that is sent."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from demine.play import race
from demine.play.position_editor import MOST_CELLS
from demine.scene.cell_faces import Face
from demine.web import connections, latency, limits, long_work, solver_queue
from demine.web.api import analysis, races
from demine.web.api.coop import CoopOnWire
from demine.web.api.export_import import MOST_BYTES
from demine.web.api.games import MAX_CELLS, NewGame
from demine.web.api.overlays import NewOverlay
from demine.web.coop import table_news
from demine.web.races import registry
from demine.web.races.race_message import RaceOnWire, SeatOnWire
from demine.web.websocket import protocol
from demine.web.websocket.game_connection import MOST_WAITING, MOST_WAITING_CHARS
from demine.web.websocket.overlay_connection import GameOnOverlay
from tests.docs.pages import DOCS
from tests.table import environment
from tests.web.browser.served_site import ServedSite

PAGE = DOCS / "protocol.md"
CLIENT = DOCS / "examples" / "clients" / "web_client.py"
ANALYSIS_CLIENT = CLIENT.with_name("analysis_client.py")
RACE_CLIENT = CLIENT.with_name("race_client.py")
COMMAND = "python web_client.py http://127.0.0.1:8080 beginner"
"""How the page runs its client."""
SENT = (
    protocol.Hello, protocol.Answer, protocol.Help, protocol.FromClient, NewGame,
    analysis.PositionToAnalyse, analysis.AnalysedPosition, analysis.ShownAnalysis,
    RaceOnWire, SeatOnWire, GameOnOverlay, NewOverlay,
    CoopOnWire, table_news.PlayerOnWire, table_news.Players, table_news.Pointers,
    table_news.Signal, table_news.Next,
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    found = ServedSite(tmp_path_factory.mktemp("site"))
    yield found
    found.stop()


@pytest.mark.parametrize("rules", ["beginner", "9x9/10 guess-free", "30x16/99 lives=3"])
def test_its_client_plays_a_game(site: ServedSite, rules: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['numba'] = None", "utf-8")
    done = subprocess.run(
        [sys.executable, str(CLIENT), site.address, rules],
        env=environment(PYTHONPATH=str(tmp_path), DEMINE_DATA_DIR=str(tmp_path)),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"(won|lost) after \d+ acts and \d+ ms\n", done.stdout)
    assert done.stdout.startswith("won") or "guess-free" not in rules


@pytest.mark.parametrize(
    ("diagram", "said"),
    [
        ("3x2/2\n1 2 1\n# # #", ["1 layout fits", "Row 2, column 2 is safe. "]),
        ("2x1/1\n3 #", ["the 3 at row 1, column 1 cannot be satisfied"]),
        ("zzz", ["row 1, column 1: 'z' is not a face"]),
    ],
)
def test_its_analysis_client_says_what_the_solver_knows(
    site: ServedSite, diagram: str, said: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, str(ANALYSIS_CLIENT), site.address],
        input=diagram,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    text = (done.stdout + done.stderr).lower()
    assert all(each.lower() in text for each in said), text
    assert "examples/clients/analysis_client.py" in PAGE.read_text("utf-8")


def test_its_racing_client_has_two_players_race_to_the_end(site: ServedSite) -> None:
    done = subprocess.run(
        [sys.executable, str(RACE_CLIENT), site.address, "9x9/10"],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    places = re.findall(r"^([12])\. seat ([01]): \d+ ms$", done.stdout, re.MULTILINE)
    assert [place for place, _ in places] in (["1", "2"], ["1", "1"])
    assert sorted(seat for _, seat in places) == ["0", "1"]
    assert "examples/clients/race_client.py" in PAGE.read_text("utf-8")


def test_its_client_stands_on_the_page_and_is_short() -> None:
    assert "```{literalinclude} examples/clients/web_client.py" in PAGE.read_text("utf-8")
    text = CLIENT.read_text("utf-8")
    assert len(text.splitlines()) <= 70
    assert not re.search(r"(from|import) demine\.", text)


def test_it_names_every_entry_and_number() -> None:
    text = PAGE.read_text("utf-8")
    for struct in SENT:
        for name in struct.__struct_fields__:
            assert re.search(rf'[`"{{]{name}\b', text), (struct, name)
    assert f"more than {latency.MOST_MS} ms" in text
    faces = re.findall(r"^\| `([9a-f])` \|", text, re.MULTILINE)
    assert faces == ["9", "a", "b", "c", "d", "e"]
    assert len(Face) == int(faces[-1], 16) + 1


def at_a_rate(rate: limits.Rate) -> str:
    return f"{rate.burst} at once, {rate.per_minute} a minute"


LIMITS = {
    "a message": f"{protocol.MAX_MESSAGE} bytes, text, one JSON object without unknown entries",
    "messages of one player": at_a_rate(limits.MESSAGE_RATE),
    "cells that one player shows to others": at_a_rate(limits.SIGNAL_RATE)
    + "; more are shown to nobody",
    "questions of one player": at_a_rate(limits.HELP_RATE),
    "guess-free boards searched for one player": at_a_rate(limits.DEAL_RATE),
    "questions that wait for the solver": f"{limits.QUESTIONS_OF_PLAYER} of one player, "
    f"{limits.QUESTIONS_OF_ADDRESS} of one address, {solver_queue.MOST_WAITING} of all",
    "the solver's time": f"{limits.SOLVER_RATE.burst} s at once and "
    f"{limits.SOLVER_RATE.per_minute} s a minute for one player, "
    f"{limits.SOLVER_ADDRESS_RATE.burst} s and {limits.SOLVER_ADDRESS_RATE.per_minute} s for one "
    f"address; {solver_queue.MOST_SECONDS:.0f} s for one answer",
    "requests about recordings": f"{long_work.MOST_OF_PLAYER} of one player and "
    f"{long_work.MOST_OF_ADDRESS} of one address wait; they are answered one after the other",
    "a board": f"{MAX_CELLS:,} cells".replace(",", " "),
    "a position to analyse": f"{MOST_CELLS:,} cells, ".replace(",", " ", 1)
    + f"{analysis.MOST_BYTES >> 10} kB",
    "connections to games and races": f"{limits.SOCKETS_OF_PLAYER} of one player, "
    f"{limits.SOCKETS_OF_ADDRESS} of one address; the next one hears `too_many`",
    "overlays of one player": f"{limits.OVERLAYS_OF_PLAYER} connections",
    "a race": f"{race.MOST_SEATS} players, {limits.WATCHERS_OF_RACE} connections, "
    f"{races.MOST_CELLS} cells",
    "races under way": f"{registry.MOST_RACES_OF_PLAYER} of one player, "
    f"{registry.MOST_RACES} of a server",
    "all connections of one address": f"{connections.CONNECTIONS_OF_ADDRESS}; "
    "the next one is answered with status 429",
    "all connections of a server": f"{connections.MOST_CONNECTIONS:,}".replace(",", " ")
    + f", or as many as files may be open less {connections.OTHER_FILES}",
    "a request": f"{connections.REQUEST_SECONDS:.0f} s to arrive, from its first byte or the "
    f"opening of the connection; a body that is asked for {limits.BODY_SECONDS:.0f} s",
    "an idle connection": f"closed after {connections.KEEP_ALIVE_SECONDS} s over HTTP; a WebSocket "
    f"is pinged every {connections.PING_SECONDS:.0f} s, and closed if no pong comes within "
    f"{connections.PING_SECONDS:.0f} s",
    "a client that does not read": "the connection is reset, without a word, when "
    f"{MOST_WAITING} messages or {MOST_WAITING_CHARS >> 20} MB wait for it",
    "a client that reads slowly": "the connection is reset if it reads less than "
    f"{connections.READ_BYTES >> 10} kB in {connections.READ_SECONDS:.0f} s while more waits",
}


def test_its_limits_are_those_of_the_server() -> None:
    table = PAGE.read_text("utf-8").partition("\n## Limits\n")[2]
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)
    assert dict(rows) == LIMITS


def test_the_page_for_sites_has_the_same_numbers() -> None:
    text = (DOCS / "play" / "browser.md").read_text("utf-8")
    seconds, most = f"{connections.REQUEST_SECONDS:.0f}", connections.CONNECTIONS_OF_ADDRESS
    assert f"does not arrive within {seconds} s" in text
    assert f"more than {most} connections of one\n  address" in text
    chinese = (DOCS / "zh" / "play" / "browser.md").read_text("utf-8")
    assert f"{seconds} 秒内没有发完的请求" in chinese
    assert f"超过 {most} 个的连接" in chinese
    assert f"client_header_timeout {seconds}s;" in text
    assert f"limit_conn addresses {most};" in text
    assert f"send_timeout {connections.READ_SECONDS:.0f}s;" in text
    assert f"client_max_body_size {MOST_BYTES >> 20}m;" in text
