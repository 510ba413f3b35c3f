"""Co-op games on a real server: acts in one order, each with its player."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.applications import Starlette
from websockets.sync.client import ClientConnection

from demine.game import Game
from demine.logic.event import Act, Lay
from demine.logic.layout import pack_mine_map
from demine.statistics.player_shares import player_shares
from demine.web import app
from demine.web.coop import table
from demine.web.database.place import DatabasePlace
from tests.web.browser.served_site import ServedSite
from tests.web.doors_app import serve
from tests.web.races.race_site import Racer
from tests.web.stored_rows import journal, rows

RULES = "9x9/10"


class CoopPlayer(Racer):
    """A player of a co-op game: one browser with a cookie."""

    seq = 0

    def make_coop(self, rules: str = RULES) -> str:
        answer = self.ask("POST", "/api/coop", rules=rules)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["game"])

    def join(self, game: str) -> dict[str, Any]:
        answer = self.ask("POST", f"/api/coop/{game}/join")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play(self, game: str) -> dict[str, Any]:
        hello = super().play(game)
        self.seq = hello["seq"]
        return hello

    def hear(self, socket: ClientConnection) -> dict[str, Any]:
        message = super().hear(socket)
        self.seq = message.get("seq", self.seq)
        return message

    def until_heard(self, kind: str) -> dict[str, Any]:
        """The next message of a kind, by the name of one of its entries."""
        assert self.playing is not None
        while kind not in (message := self.hear(self.playing)):
            pass
        return message

    def say(self, **message: object) -> None:
        assert self.playing is not None
        self.playing.send(json.dumps(message))

    def act_after(self, seen: int, verb: str, *cell: int) -> dict[str, Any]:
        """Play an act as somebody does who has seen so many events."""
        self.number += 1
        self.say(seq=self.number, verb=verb, seen=seen, **({"cell": cell} if cell else {}))
        while (answer := self.until_heard("seq")).get("ack") != self.number:
            pass
        return answer


@pytest.fixture
def application(place: DatabasePlace) -> Starlette:
    return app.make_app(place)


@pytest.fixture
def site(application: Starlette, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(app, "_SWEEP_S", 0.1)
    with serve(application) as address:
        yield address


@pytest.fixture
def players(site: str) -> Iterator[list[CoopPlayer]]:
    with ExitStack() as stack:
        yield [stack.enter_context(CoopPlayer(site)) for _ in range(8)]


def begin(players: list[CoopPlayer], rules: str = RULES) -> str:
    """Have players sit down at one board."""
    game = players[0].make_coop(rules)
    for player in players[1:]:
        player.join(game)
    for seat, player in enumerate(players, 1):
        assert player.play(game)["seat"] == seat
    return game


def mines_of(place: DatabasePlace, game: str) -> NDArray[np.bool_]:
    return next(each for each in journal(place, game).events if isinstance(each, Lay)).mine_map


def safe_cells(place: DatabasePlace, game: str) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(~mines_of(place, game))]


def test_eight_players_clear_one_board_at_once_and_the_journal_says_who_did_what(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    game = begin(players)
    seen = players[0].act("open", 4, 4)["seq"]
    mines = mines_of(place, game)
    cells = safe_cells(place, game)
    for player, (row, col) in zip(players, np.argwhere(mines), strict=False):
        player.act("flag", int(row), int(col))

    def play(at: int) -> str:
        # Every cell is opened by two of them: one acts, the other is told nothing bad.
        player, status = players[at], "running"
        for row, col in cells[at // 2 :: 4][:: -1 if at % 2 else 1]:
            answer = player.act_after(seen - 1, "open", row, col)
            assert "refused" not in answer
            status = answer["status"]
        return status

    with ThreadPoolExecutor(len(players)) as threads:
        statuses = list(threads.map(play, range(8)))
    assert "won" in statuses
    folded = journal(place, game)
    assert folded.status.value == "won"
    assert folded.unranked == "together"
    acts = [each for each in folded.events if isinstance(each, Act)]
    assert {act.player for act in acts} == {str(seat) for seat in range(1, 9)}
    assert len({(act.row, act.col) for act in acts}) == len(acts)
    shares = player_shares(folded)
    assert sum(share.opened for share in shares) == int((~mines).sum())
    (row,) = rows(place, "SELECT bv, result FROM games WHERE id=?", game)
    assert row[1] is None
    assert sum(share.three_bv for share in shares) == row[0]


def test_everybody_hears_who_did_what_and_who_hit_the_mine(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    first, second = players[:2]
    game = begin([first, second])
    second.http.put("/api/me", json={"name": "Ann"})
    first.act("open", 4, 4)
    heard = second.until_heard("seq")
    assert (heard["by"], heard["verb"]) == (1, "open")
    mines = mines_of(place, game)
    row, col = map(int, np.argwhere(mines)[0])
    second.act("flag", row, col)
    heard = first.until_heard("by")
    assert heard["by"] == 2
    assert heard["cells"] == [[row, col, 10]]
    owners = first.play(game)["owners"]
    assert owners[row][col] == "2"
    assert owners[4][4] == "1"
    assert first.act("undo")["owners"][row][col] == "0"
    assert "Ann" in [each["name"] for each in first.play(game)["players"]]
    assert second.act("open", row, col)["status"] == "lost"
    while "message" not in (heard := first.until_heard("seq")):
        pass
    assert heard["message"]["kind"] == "lost"
    assert heard["message"]["headline"].startswith("Ann hit a mine")
    assert first.play(game)["owners"][row][col] == "2"


def test_a_flag_of_two_stays_and_an_undo_takes_back_what_was_seen(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    first, second = players[:2]
    game = begin([first, second])
    first.act("open", 4, 4)
    second.until_heard("seq")
    row, col = map(int, np.argwhere(mines_of(place, game))[0])
    seen = first.seq
    first.act_after(seen, "flag", row, col)
    late = second.act_after(seen, "flag", row, col)
    assert "refused" not in late
    assert journal(place, game).board.flag_map[row, col]
    assert "refused" not in second.act_after(seen, "undo")
    assert journal(place, game).board.flag_map[row, col]
    assert "refused" not in second.act_after(seen, "open", row, col)
    assert not journal(place, game).status.over
    # Whoever has seen the flag can take it away.
    second.act_after(second.seq, "flag", row, col)
    assert not journal(place, game).board.flag_map[row, col]


def test_pointers_and_signals_are_told_and_kept_nowhere(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    first, second = players[:2]
    game = begin([first, second])
    first.say(pointer=[17, 33])
    assert second.until_heard("pointers")["pointers"] == [[1, 17, 33]]
    first.say(pointer=[9 * 16, 0])  # beyond the board
    first.say(signal=[9, 0])
    first.say(signal=[3, 4])
    assert second.until_heard("signal")["signal"] == [1, 3, 4]
    assert first.until_heard("signal")["signal"] == [1, 3, 4]
    first.say(pointer=None)
    assert second.until_heard("pointers")["pointers"] == [[1, -1, -1]]
    assert not rows(place, "SELECT 1 FROM events")
    assert journal(place, game).event_count == 0


def test_a_hostile_partner_cannot_flood_the_others(
    players: list[CoopPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "TELL_S", 60.0)
    first, second = players[:2]
    begin([first, second])
    heard_before = len(second.heard)
    for at in range(1500):
        first.say(pointer=[at % 144, 0])
        if at % 30 == 0:
            first.say(signal=[0, 0])
    first.act("flag", 0, 0)
    second.until_heard("seq")
    told = [json.loads(text) for text in second.heard[heard_before:]]
    assert sum("pointers" in each for each in told) == 0
    assert 1 <= sum("signal" in each for each in told) <= 12


def test_nobody_acts_for_somebody_else(players: list[CoopPlayer], place: DatabasePlace) -> None:
    first, second, stranger = players[:3]
    game = begin([first, second])
    stranger.http.put("/api/me", json={})
    socket = stranger.socket(f"/ws/games/{game}")
    assert stranger.last_word(socket)["bye"] == "not_found"
    for path in ("", "/position"):
        method = "POST" if path else "GET"
        assert stranger.ask(method, f"/api/games/{game}{path}").status_code == 404
    assert stranger.ask("POST", "/api/games", again=game).status_code == 404
    assert stranger.ask("POST", f"/api/coop/{game}/again").json()["error"]["what"] == "coop"
    for said in ('{"seq":1,"verb":"open","cell":[0,0],"player":"1"}', '{"seat":1}', "[]"):
        other_tab = second.socket(f"/ws/games/{game}?client=b")
        second.hear(other_tab)
        other_tab.send(said)
        assert second.last_word(other_tab)["bye"] == "malformed", said
    # The name of somebody else's client gives no power over its numbers.
    first.act("flag", 0, 0)
    second.playing = second.socket(f"/ws/games/{game}?client=1.a")
    assert second.last_word(second.playing)["bye"] == "bad_request"
    second.play(game)
    second.act("flag", 0, 1)
    assert first.act("flag", 0, 2)["ack"] == 2
    assert [act.player for act in journal(place, game).events if isinstance(act, Act)] == [
        "1", "2", "1",
    ]  # fmt: skip
    assert first.act("resign")["refused"]["what"] == "act"
    first.act("open", 4, 4)
    assert first.ask("POST", "/api/games", again=game).status_code == 409


def test_the_ninth_player_finds_no_seat_and_two_tabs_are_one_player(
    players: list[CoopPlayer], site: str
) -> None:
    game = begin(players)
    with CoopPlayer(site) as ninth:
        refused = ninth.ask("POST", f"/api/coop/{game}/join").json()["error"]
        assert refused["what"] == "coop"
    first, second = players[:2]
    other_tab = second.socket(f"/ws/games/{game}?client=b")
    second.hear(other_tab)
    second.playing.close()  # type: ignore[union-attr]
    first.act("flag", 0, 0)
    while second.hear(other_tab).get("by") != 1:
        pass
    other_tab.close()
    while all(each["here"] for each in first.until_heard("players")["players"]):
        pass
    assert second.join(game)["seat"] == 2


def test_no_mine_is_in_any_byte_before_the_end(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    game = begin(players[:3])
    first, second, third = players[:3]
    first.act("open", 4, 4)
    for cell in safe_cells(place, game)[:-1]:
        second.act_after(second.seq, "open", *cell)
    for path in ("watch", "journal", "statistics", "review"):
        assert first.ask("GET", f"/api/games/{game}/{path}").status_code == 409, path
    assert first.ask("GET", f"/api/games/{game}").json()["share"] is None
    first.ask("GET", "/api/me/export")
    second.ask("GET", f"/api/coop/{game}")
    third.play(game)
    packed = pack_mine_map(mines_of(place, game))
    for player in players[:3]:
        for text in player.heard:
            assert packed not in text
            assert '"seed"' not in text
            if "\n" in text:  # an export, which has no game that is under way
                assert '"journal"' not in text
                continue
            said = json.loads(text)
            said = said.get("hello", said)
            assert not set("cde") & set("".join(said.get("faces") or ()))
            assert all(face < 12 for *_, face in said.get("cells") or ())


def test_a_game_of_several_is_in_the_history_of_all_and_in_nobodys_records(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    first, second = players[:2]
    game = begin([first, second])
    second.http.put("/api/me", json={"name": "小雷"})
    first.act("open", 4, 4)
    for cell in safe_cells(place, game):
        second.act_after(second.seq, "open", *cell)
    for player in (first, second):
        history = player.ask("GET", "/api/history").json()
        assert [row["id"] for row in history["rows"]] == [game]
        assert player.ask("GET", "/api/records").json()["rows"] == []
        assert player.ask("GET", "/api/setup").json()["game"] is None
        exported = player.ask("GET", "/api/me/export").text
        journal = next(
            json.loads(line)["journal"] for line in exported.splitlines() if '"journal"' in line
        )
        named = Game.from_journal(journal)
        assert {act.player for act in named.events if isinstance(act, Act)} == {"P1", "小雷"}
    # Who made it may go: the others keep it, and the name is nowhere any more.
    assert first.ask("DELETE", "/api/me").status_code == 200
    assert [row["id"] for row in second.ask("GET", "/api/history").json()["rows"]] == [game]
    assert second.ask("GET", f"/api/games/{game}/watch").status_code == 200


def test_the_next_game_has_the_same_seats_and_is_made_once(players: list[CoopPlayer]) -> None:
    first, second, third = players[:3]
    game = begin([first, second, third])
    made = third.ask("POST", f"/api/coop/{game}/again").json()
    assert made["seat"] == 3
    assert first.until_heard("next")["next"] == made["game"]
    assert second.ask("POST", f"/api/coop/{game}/again").json()["game"] == made["game"]
    assert players[4].join(made["game"])["seat"] == 4
    assert second.join(made["game"])["seat"] == 2
    assert first.join(made["game"])["seat"] == 1


def test_help_pause_and_undo_are_everybodys(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    first, second = players[:2]
    game = begin([first, second])
    first.act("open", 4, 4)
    second.number += 1
    second.say(seq=second.number, ask="hint")
    assert second.until_heard("help")["marks"]
    second.act("pause")
    heard = next(
        each for each in iter(lambda: first.until_heard("seq"), None) if each["status"] == "paused"
    )
    assert (heard["by"], heard["verb"]) == (2, "pause")
    first.act("resume")
    first.act("undo")
    verbs = [(act.verb.value, act.player) for act in journal(place, game).events
             if isinstance(act, Act)]  # fmt: skip
    assert verbs == [
        ("open", "1"), ("hint", "2"), ("pause", "2"), ("resume", "1"), ("undo", "1"),
    ]  # fmt: skip


def test_a_killed_server_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    site = ServedSite(tmp_path)
    try:
        with CoopPlayer(site.address) as first, CoopPlayer(site.address) as second:
            game = begin([first, second])
            first.act("open", 4, 4)
            row, col = map(int, np.argwhere(mines_of(tmp_path / "server.sqlite", game))[0])
            second.act("flag", row, col)
            seen = first.until_heard("by")
            site.kill()
            site.start()
            hello = first.play(game)
            assert hello["seat"] == 1
            assert hello["seq"] == seen["seq"]
            assert hello["owners"][row][col] == "2"
            assert hello["owners"][4][4] == "1"
            assert second.play(game)["seat"] == 2
            # An act of before, sent again, does not turn back what it did not see.
            assert "refused" not in first.act_after(1, "flag", row, col)
            assert journal(tmp_path / "server.sqlite", game).board.flag_map[row, col]
            second.act_after(second.seq, "flag", row, col)
            assert not journal(tmp_path / "server.sqlite", game).board.flag_map[row, col]
    finally:
        site.stop()


def test_a_deleted_game_gives_no_seat_in_the_next_one_of_its_row(
    players: list[CoopPlayer], place: DatabasePlace
) -> None:
    maker, victim, stranger = players[:3]
    game = maker.make_coop()
    assert maker.http.delete("/api/me").status_code == 200
    own = victim.ask("POST", "/api/games", rules="9x9/10").json()["id"]
    assert stranger.ask("POST", f"/api/coop/{game}/join").status_code == 404
    assert rows(place, "SELECT * FROM partners") == []
    assert victim.play(own)["status"] == "ready"
    assert stranger.ask("GET", f"/api/coop/{own}").status_code == 404


def test_the_next_game_is_made_again_if_its_maker_was_deleted(players: list[CoopPlayer]) -> None:
    first, second = players[:2]
    game = first.make_coop()
    second.join(game)
    gone = first.ask("POST", f"/api/coop/{game}/again").json()["game"]
    assert first.http.delete("/api/me").status_code == 200
    told = second.ask("POST", f"/api/coop/{game}/again").json()
    assert told["game"] != gone
    assert [each["seat"] for each in told["players"]] == [told["seat"]]
