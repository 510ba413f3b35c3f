"""A server that is told to stop answers what is under way, says so, and ends well."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from demine.web.database.place import DatabasePlace
from tests.web.browser.served_site import READY_SECONDS, ServedSite
from tests.web.test_durability import Player, journal_lines

PLAYERS = 4


def play_until_told(player: Player, heard: list[dict[str, Any]], begun: threading.Event) -> None:
    """Send acts without waiting for answers, and note all that is said until the end."""
    with player.connect() as socket:
        heard.append(json.loads(socket.recv(timeout=60)))
        try:
            while True:
                for _ in range(8):
                    player.sent += 1
                    verb, cell = ("open", [8, 15]) if player.sent == 1 else ("flag", player._cell())
                    act = {"seq": player.sent, "verb": verb, "cell": cell}
                    socket.send(json.dumps(act))
                heard.extend(json.loads(socket.recv(timeout=60)) for _ in range(8))
                begun.set()
        except ConnectionClosed:
            while True:
                try:
                    heard.append(json.loads(socket.recv(timeout=60)))
                except ConnectionClosed:
                    return


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_answers_what_is_under_way(
    tmp_path: Path, place: DatabasePlace, asked: int
) -> None:
    site = ServedSite(tmp_path, database=str(place))
    assert site.process is not None
    players = [Player(site, seed) for seed in range(PLAYERS)]
    heard: list[list[dict[str, Any]]] = [[] for _ in players]
    begun = [threading.Event() for _ in players]
    for player in players:
        player.make_game()
    threads = [
        threading.Thread(target=play_until_told, args=each)
        for each in zip(players, heard, begun, strict=True)
    ]
    for thread in threads:
        thread.start()
    for each in begun:
        assert each.wait(60)
    site.process.send_signal(asked)
    for thread in threads:
        thread.join()
    assert site.process.wait(READY_SECONDS) == 0
    assert "Traceback" not in (site.folder / "server.log").read_text(encoding="utf-8")
    for player, said in zip(players, heard, strict=True):
        assert said[-1] == {"bye": "restart", "message": ""}
        answers = said[1:-1]
        assert [each["ack"] for each in answers] == list(range(1, len(answers) + 1))
        # What was played was answered: nothing is on the disk that nobody heard of.
        assert len(journal_lines(player)) - 1 == answers[-1]["seq"]
