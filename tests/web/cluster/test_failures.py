"""Processes and connections end while people play: nothing is lost, and nothing is played twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from demine.logic.event import Act, Lay
from tests.web.browser.served_site import ServedSite
from tests.web.cluster import hanging_worker
from tests.web.cluster.cluster_site import (
    PASSES_NOTHING,
    Cluster,
    Traveller,
    cut_connections,
    said,
)
from tests.web.postgres_server import PostgresServer

PLAYERS = 6
SECONDS = 60.0
ROWS, COLS = 16, 30


class Persistent:
    """Plays act after act, each once, and connects wherever somebody answers when cut off."""

    def __init__(self, addresses: Sequence[str], number: int) -> None:
        self._addresses = list(addresses)
        self._at = number
        self.answered = 0
        self.refused_connections = 0
        self.failure: BaseException | None = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        body = {"rules": f"{COLS}x{ROWS}/99", "seed": number}
        answer = httpx.post(f"{self._address}/api/games", json=body, timeout=SECONDS)
        assert answer.status_code == 201, answer.text
        self.game = str(answer.json()["id"])
        self._cookie = answer.headers["set-cookie"].partition(";")[0]

    @property
    def _address(self) -> str:
        return self._addresses[self._at % len(self._addresses)]

    @staticmethod
    def cell(number: int) -> tuple[int, int]:
        """The cell of an act: each is flagged in turn, and all of them again."""
        return divmod((number - 1) % (ROWS * COLS), COLS)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()
        if self.failure is not None:
            raise self.failure

    def wait_for(self, more: int) -> None:
        """Wait until so many more acts are answered."""
        target, until = self.answered + more, time.monotonic() + SECONDS
        while self.answered < target:
            assert time.monotonic() < until, "nothing is answered any more"
            assert self.failure is None, self.failure
            time.sleep(0.01)

    def _run(self) -> None:
        try:
            while not self._is_over.is_set():
                self._play_until_cut_off()
        except BaseException as error:  # noqa: BLE001 - told by `stop`
            self.failure = error

    def _play_until_cut_off(self) -> None:
        try:
            with self._connected() as socket:
                first = said(socket.recv(timeout=SECONDS))
                if "hello" not in first:
                    time.sleep(0.1)
                    return
                played = first["hello"]["next_seq"] - 1
                # The act that was not answered may have been played.
                assert played in {self.answered, self.answered + 1}
                self.answered = played
                while not self._is_over.is_set():
                    self._play_one(socket)
        except ConnectionRefusedError:
            self.refused_connections += 1
            self._at += 1
            time.sleep(0.05)
        except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
            self._at += 1
            time.sleep(0.05)

    def _play_one(self, socket: ClientConnection) -> None:
        number = self.answered + 1
        act = {"seq": number, "verb": "flag", "cell": self.cell(number)}
        socket.send(str(act).replace("'", '"').replace("(", "[").replace(")", "]"))
        while said(socket.recv(timeout=SECONDS)).get("ack") != number:
            pass
        self.answered = number

    def _connected(self) -> ClientConnection:
        return connect(
            f"{self._address.replace('http', 'ws', 1)}/ws/games/{self.game}?client=p",
            additional_headers={"Cookie": self._cookie}, compression=None, open_timeout=SECONDS,
        )  # fmt: skip


def check(cluster: Cluster, player: Persistent) -> None:
    """What the database has is what was played: every act once, in order."""
    acts = [each for each in cluster.game(player.game).events if isinstance(each, Act)]
    assert len(acts) in {player.answered, player.answered + 1}
    expected = [Persistent.cell(number) for number in range(1, len(acts) + 1)]
    assert [(each.row, each.col) for each in acts] == expected


@pytest.fixture
def cluster(postgres: PostgresServer, tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path, postgres.new_database(), 2)
    made.add(PASSES_NOTHING)
    yield made
    made.stop()


@pytest.fixture
def players(cluster: Cluster) -> list[Persistent]:
    addresses = [site.address for site in cluster.sites.values()]
    made = [Persistent(addresses, number) for number in range(PLAYERS)]
    for player in made:
        player.start()
    return made


def test_games_go_on_when_processes_and_connections_end(
    cluster: Cluster, players: list[Persistent]
) -> None:
    all_play(players)
    first, second, _ = cluster.sites.items()
    first[1].kill()
    all_play(players)
    with cut_connections(cluster.database, "demine%") as cut:
        assert cut() >= 4
        all_play(players)
    with cut_connections(cluster.database, "demine member") as cut:
        assert cut() == 2
        all_play(players)
    second[1].stop()
    all_play(players)
    cluster.add()
    all_play(players)
    for player in players:
        player.stop()
        check(cluster, player)


def all_play(players: list[Persistent], acts: int = 20) -> None:
    for player in players:
        player.wait_for(acts)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux passes connections")
def test_a_passed_connection_outlives_the_process_it_came_to(cluster: Cluster) -> None:
    (_, passing), (home, _), _ = cluster.sites.items()
    with Traveller(passing.address) as player:
        game = player.make_game()
        while cluster.home(player.id) != home:
            player.http.cookies.clear()
            game = player.make_game()
        player.play(game)
        player.act("flag", 0, 0)
        passing.kill()
        for col in range(1, 5):
            assert player.act("flag", 0, col)["seq"] == col + 1
        assert cluster.game(game).board.flags == 5


def test_a_race_goes_on_when_its_process_is_killed(cluster: Cluster) -> None:
    sites = list(cluster.sites.values())
    with ExitStack() as stack:
        first, second = (stack.enter_context(Traveller(each.address)) for each in sites[:2])
        race = first.make(rules="9x9/10", mine_costs="race")
        first.look()
        first.wish("ready")
        second.come_and_be_ready(race)
        states = [each.until_phase("running") for each in (first, second)]
        home = cluster.home(race)
        cluster.sites.pop(home).kill()
        (rest, *_) = cluster.sites.values()
        for racer, state in zip((first, second), states, strict=True):
            racer.go_to(rest)
            until_served(racer.look_on)
            until_served(racer.play, state["game"])
            game = cluster.game(state["game"])
            racer.win(next(each for each in game.events if isinstance(each, Lay)).mine_map)
        over = first.until_phase("over")
        assert [each["status"] for each in over["seats"]] == ["finished", "finished"]


def until_served(ask: Callable[..., object], *words: str) -> None:
    """Ask until somebody has taken over what lived in the process that was killed."""
    until = time.monotonic() + SECONDS
    while True:
        try:
            ask(*words)
        except (ConnectionClosed, InvalidHandshake, KeyError):
            assert time.monotonic() < until
            time.sleep(0.1)
        else:
            return


def test_processes_are_replaced_without_a_lost_act(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    database = postgres.new_database()
    site = ServedSite(tmp_path, database=database, options=("--processes", "2"))
    try:
        assert site.process is not None
        players = [Persistent([site.address], number) for number in range(PLAYERS)]
        for player in players:
            player.start()
        all_play(players)
        before = children(site.process.pid)
        os.kill(site.process.pid, signal.SIGHUP)
        until = time.monotonic() + SECONDS
        while before & children(site.process.pid):
            assert time.monotonic() < until, "the processes are not replaced"
            all_play(players, 1)
        all_play(players)
        # One that dies by itself is started again.
        (dead, *_) = children(site.process.pid)
        os.kill(dead, signal.SIGKILL)
        while len(children(site.process.pid) - {dead}) < len(before):
            assert time.monotonic() < until + SECONDS
            all_play(players, 1)
        for player in players:
            player.stop()
        assert [player.refused_connections for player in players] == [0] * PLAYERS
        cluster = Cluster(tmp_path / "unused", database, 0)
        for player in players:
            check(cluster, player)
        cluster.stop()
    finally:
        site.stop()
    assert site.process.returncode == 0
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert "Traceback" not in log, log


def children(pid: int) -> set[int]:
    """The processes that were started by one, and serve."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if int(stat[1]) == pid and b"spawn_main" in command and stat[0] != "Z":
                found.add(int(folder.name))
    return found


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="need a database of PostgreSQL"):
        ServedSite(tmp_path, options=("--processes", "2"))


def test_a_process_that_hangs_is_killed_and_started_again(tmp_path: Path) -> None:
    def started() -> list[int]:
        found = sorted(tmp_path.glob("started *"), key=lambda each: each.stat().st_mtime_ns)
        return [int(each.name.split()[1]) for each in found]

    command = [sys.executable, "-m", "tests.web.cluster.hanging_worker", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as group:
        until = time.monotonic() + SECONDS
        while len(started()) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        first, second = started()
        assert not is_running(first)
        time.sleep(3 * hanging_worker.SILENT_S)  # the second one says that it lives
        assert started() == [first, second]
        assert is_running(second)
        group.terminate()
        _, errors = group.communicate(timeout=SECONDS)
    assert "hangs" in errors


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
