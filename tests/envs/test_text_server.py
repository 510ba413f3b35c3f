"""The server of the text environment keeps to OpenEnv's protocol, and bears hostile clients."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from demine.envs.text import TextMinesweeperEnv
from demine.envs.text.server.errors import NoSuchEpisode, ServerFull
from demine.envs.text.server.messages import MOST_BYTES
from demine.envs.text.server.sessions import Sessions
from tests.envs.text_programs import run, running_server

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "docs" / "examples" / "clients" / "text_client.py"
RULES = "6x5/6"
EPISODES = 4
ANSWERS = ("open 3 3", "open 1 1", "flag 5 6", "none", "open 9 9", "open 5 1")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server("--board", RULES, "--episodes", str(EPISODES)) as (address, _):
        yield address


@pytest.fixture
def client(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=60) as client:
        yield client
        for number in range(EPISODES):
            finish(client, f"episode {number}")


def finish(client: httpx.Client, episode: str) -> None:
    """Play an episode until it is over, so that another one may take its place."""
    for row in range(1, 6):
        for col in range(1, 7):
            body = {"action": {"message": f"open {row} {col}"}, "episode_id": episode}
            if client.post("/step", json=body).status_code != 200:
                return


def reset(client: httpx.Client, episode: str = "episode 0", seed: int | None = 7) -> dict[str, Any]:
    answer = client.post("/reset", json={"seed": seed, "episode_id": episode})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def step(client: httpx.Client, message: str, episode: str = "episode 0") -> httpx.Response:
    return client.post("/step", json={"action": {"message": message}, "episode_id": episode})


def expected(seed: int) -> list[tuple[str, float | None, bool]]:
    """What the environment answers itself."""
    env = TextMinesweeperEnv(RULES)
    answers: list[tuple[str, float | None, bool]] = [(env.reset(seed=seed)[0], None, False)]
    for answer in ANSWERS:
        if answers[-1][2]:
            break
        text, reward, over, truncated, _ = env.step(answer)
        answers.append((text, reward, over or truncated))
    return answers


def told(answer: dict[str, Any]) -> tuple[str, float | None, bool]:
    return answer["observation"]["text"], answer["reward"], answer["done"]


def test_a_game_over_http_is_that_of_the_environment(client: httpx.Client) -> None:
    first, *others = expected(11)
    assert told(reset(client, seed=11)) == first
    for answer, wanted in zip(ANSWERS, others, strict=False):
        answered = step(client, answer)
        assert answered.status_code == 200
        assert told(answered.json()) == wanted
        assert answered.json()["episode_id"] == "episode 0"
    state = client.get("/state", params={"episode_id": "episode 0"}).json()
    assert state["step_count"] == len(others)
    assert (state["episode_id"], state["rules"], state["max_turns"]) == ("episode 0", RULES, 60)
    assert (state["illegal"], state["unreadable"]) == (1, 1) or state["done"]


def test_an_episode_gets_an_id_and_goes_on_with_the_next_board(client: httpx.Client) -> None:
    answer = client.post("/reset", content=b"").json()
    episode = answer["episode_id"]
    assert len(episode) == 32
    assert step(client, "open 3 3", episode).json()["done"] in {True, False}
    again = client.post("/reset", json={"episode_id": episode}).json()
    assert again["observation"]["text"].startswith("This is Minesweeper")
    finish(client, episode)


def test_a_game_that_is_over_takes_no_answer(client: httpx.Client) -> None:
    reset(client)
    finish(client, "episode 0")
    refused = step(client, "open 1 1")
    assert (refused.status_code, refused.json()["code"]) == (409, "EXECUTION_ERROR")
    reset(client)
    assert step(client, "open 1 1").status_code == 200


def test_health_metadata_and_schemas(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "healthy"}
    assert client.get("/metadata").json()["name"] == "demine"
    assert client.get("/schema").json().keys() == {"action", "observation", "state"}


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/reset", b"{", 400, "INVALID_JSON"),
        ("/reset", b"\xff\xfe", 400, "INVALID_JSON"),
        ("/reset", b"[" * 200_000, 400, "INVALID_JSON"),
        ("/reset", b'{"seed": ' + b"9" * 5000 + b"}", 400, "INVALID_JSON"),
        ("/reset", b"[]", 422, "VALIDATION_ERROR"),
        ("/reset", b"null", 422, "VALIDATION_ERROR"),
        ("/reset", b'{"seed": -1}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"seed": true}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"seed": 1.5}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"seed": 99999999999999999999}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"sede": 1}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"episode_id": 1}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"episode_id": ""}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"episode_id": "\\ud800"}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"\\ud800": 1}', 422, "VALIDATION_ERROR"),
        ("/reset", b'{"episode_id": "' + b"x" * 256 + b'"}', 422, "VALIDATION_ERROR"),
        ("/reset", b" " * (MOST_BYTES + 1), 413, "VALIDATION_ERROR"),
        ("/step", b"{}", 422, "VALIDATION_ERROR"),
        ("/step", b'{"action": "open 1 1"}', 422, "VALIDATION_ERROR"),
        ("/step", b'{"action": {"message": 1}}', 422, "VALIDATION_ERROR"),
        ("/step", b'{"action": {"message": "open 1 1"}}', 422, "VALIDATION_ERROR"),
        (
            "/step", b'{"action": {"message": "open 1 1"}, "episode_id": "no"}',
            404, "SESSION_ERROR",
        ),
        ("/nothing", b"{}", 404, "UNKNOWN_TYPE"),
        ("/health", b"{}", 405, "UNKNOWN_TYPE"),
    ],
)  # fmt: skip
def test_bad_requests_get_typed_errors(
    client: httpx.Client, path: str, body: bytes, status: int, code: str
) -> None:
    refused = client.post(path, content=body)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert 0 < len(refused.json()["message"]) < 300
    assert client.get("/health").status_code == 200


def test_states_of_unknown_episodes_are_refused(client: httpx.Client) -> None:
    assert client.get("/state").status_code == 422
    assert client.get("/state", params={"episode_id": "no"}).status_code == 404


def test_a_hostile_answer_is_an_answer_like_any_other(client: httpx.Client) -> None:
    reset(client)
    for answer in (
        "\x00\x1b[2J",
        "\ud800",
        "open ３ ４",
        "(" * 500_000,
        "x" * 900_000 + "open 9 9",
    ):
        body = json.dumps({"action": {"message": answer}, "episode_id": "episode 0"})
        answered = client.post("/step", content=body)
        assert answered.status_code == 200
        assert len(answered.text) < 2000


def test_a_full_server_refuses_new_episodes_until_one_is_over(client: httpx.Client) -> None:
    for number in range(EPISODES):
        reset(client, f"episode {number}")
    refused = client.post("/reset", json={"episode_id": "one more"})
    assert (refused.status_code, refused.json()["code"]) == (503, "CAPACITY_REACHED")
    with connect(websocket_address(client)) as line:
        assert json.loads(line.recv())["data"]["code"] == "CAPACITY_REACHED"
        with pytest.raises(ConnectionClosed):
            line.recv()
    finish(client, "episode 2")
    reset(client, "one more")
    assert step(client, "open 1 1", "episode 2").status_code == 404
    finish(client, "one more")


def test_episodes_left_alone_make_room() -> None:
    now = [0.0]
    sessions = Sessions(lambda: TextMinesweeperEnv("2x2/1"), 2, 10.0, clock=lambda: now[0])
    first, second = sessions.open(), sessions.open("second")
    for session in (first, second):
        session.reset(1)
    now[0] = 8.0
    assert sessions.find(first.key) is first
    with pytest.raises(ServerFull):
        sessions.open()
    now[0] = 11.0
    sessions.open("third").reset(1)
    assert len(sessions) == 2
    with pytest.raises(NoSuchEpisode):
        sessions.find("second")
    sessions.close(first)
    sessions.close(first)
    assert len(sessions) == 1


def test_the_game_that_has_been_over_for_longest_makes_room_first() -> None:
    sessions = Sessions(lambda: TextMinesweeperEnv("2x2/1"), 2, 10.0, clock=lambda: 0.0)
    for name in ("first", "second"):
        sessions.open(name)
    sessions.find("first")
    sessions.open("third")
    assert sessions.find("first").is_over
    with pytest.raises(NoSuchEpisode):
        sessions.find("second")


def test_a_thousand_episodes_fit_into_memory() -> None:
    """A space of texts with all Chinese characters would take megabytes for each."""
    sessions = Sessions(lambda: TextMinesweeperEnv(RULES, language="zh_CN"), 100, 10.0)
    sessions.open().reset(1)
    tracemalloc.start()
    for _ in range(50):
        sessions.open().reset(1)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 50 * 100_000


def websocket_address(client: httpx.Client) -> str:
    return str(client.base_url).replace("http", "ws", 1).rstrip("/") + "/ws"


def ask(line: ClientConnection, kind: str, data: Any = None) -> tuple[str, dict[str, Any]]:
    line.send(json.dumps({"type": kind} if data is None else {"type": kind, "data": data}))
    answer = json.loads(line.recv())
    return answer["type"], answer["data"]


def test_the_websocket_speaks_as_openenv_does(client: httpx.Client) -> None:
    first, *others = expected(11)
    with connect(websocket_address(client)) as line:
        kind, data = ask(line, "reset", {"seed": 11, "episode_id": "mine"})
        assert (kind, told(data)) == ("observation", first)
        for answer, wanted in zip(ANSWERS, others, strict=False):
            kind, data = ask(line, "step", {"message": answer})
            assert (kind, told(data)) == ("observation", wanted)
        kind, data = ask(line, "state")
        assert (kind, data["episode_id"], data["step_count"]) == ("state", "mine", len(others))
        assert client.get("/state", params={"episode_id": "mine"}).status_code == 404
        line.send(json.dumps({"type": "close"}))
        with pytest.raises(ConnectionClosed):
            line.recv()


def test_bad_messages_get_typed_errors_and_the_game_goes_on(client: httpx.Client) -> None:
    with connect(websocket_address(client)) as line:
        ask(line, "reset", {"seed": 11})
        for sent, code in (
            ("{", "INVALID_JSON"),
            ("[" * 100_000, "INVALID_JSON"),
            (b"\xff", "INVALID_JSON"),
            ("[]", "VALIDATION_ERROR"),
            ("{}", "UNKNOWN_TYPE"),
            ('{"type": "dance"}', "UNKNOWN_TYPE"),
            ('{"type": ["step"]}', "UNKNOWN_TYPE"),
            ('{"type": "step"}', "VALIDATION_ERROR"),
            ('{"type": "step", "data": {"text": "open 1 1"}}', "VALIDATION_ERROR"),
            ('{"type": "reset", "data": {"seed": "7"}}', "VALIDATION_ERROR"),
            (r'{"type": "reset", "data": {"episode_id": "\ud800"}}', "VALIDATION_ERROR"),
            (r'{"type": "\ud800"}', "UNKNOWN_TYPE"),
        ):
            line.send(sent)
            answer = json.loads(line.recv())
            assert (answer["type"], answer["data"]["code"]) == ("error", code)
        assert ask(line, "step", {"message": "open 3 3"})[0] == "observation"
    with connect(websocket_address(client)) as line:
        line.send("x" * (MOST_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            line.recv()
    assert client.get("/health").status_code == 200


def test_a_first_cell_without_a_guess_free_board_costs_a_turn_and_no_more() -> None:
    with (
        running_server("--board", "3x3/3 guess-free first=safe") as (address, _),
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        reset(client)
        answer = step(client, "open 2 2")
        assert (answer.status_code, answer.json()["metadata"]["illegal"]) == (200, 1)
        with connect(websocket_address(client)) as line:
            ask(line, "reset", {})
            for turn in (1, 2):
                kind, data = ask(line, "step", {"message": "open 2 2"})
                assert (kind, data["metadata"]["turn"]) == ("observation", turn)
                assert "open 2 2 cannot be played" in data["observation"]["text"]


def test_clients_at_the_same_time_do_not_disturb_each_other(client: httpx.Client) -> None:
    def play(number: int) -> bool:
        with connect(websocket_address(client)) as line:
            for seed in range(number, number + 5):
                first, *others = expected(seed)
                assert told(ask(line, "reset", {"seed": seed})[1]) == first
                for answer, wanted in zip(ANSWERS, others, strict=False):
                    assert told(ask(line, "step", {"message": answer})[1]) == wanted
        return True

    with ThreadPoolExecutor(EPISODES) as threads:
        assert all(threads.map(play, range(EPISODES)))


IMPATIENT = """
from demine.envs.text.server import __main__, connections
connections.MESSAGE_SECONDS = 2.0
__main__.run(__main__.command)
"""


def test_connections_without_a_request_are_ended_and_others_are_served() -> None:
    words = ("--board", "2x2/1", "--episodes", "1")
    with (
        running_server(*words, program=("-c", IMPATIENT)) as (address, _),
        ExitStack() as opened,
    ):
        port = httpx.URL(address).port

        def line() -> socket.socket:
            return opened.enter_context(socket.create_connection(("127.0.0.1", port), 60))

        def client() -> HTTPConnection:
            return opened.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=60)))

        thinking, late = client(), client()
        thinking.request("GET", "/health")
        assert json.load(thinking.getresponse()) == {"status": "healthy"}
        silent = [line() for _ in range(110)]
        late.request("GET", "/health")
        refused = late.getresponse()
        assert (refused.status, json.load(refused)["code"]) == (503, "CAPACITY_REACHED")
        assert {line.recv(1000) for line in silent} == {b""}
        slow = line()
        slow.sendall(b"GET /health HTTP/1.1\r\nhost: a\r\n")
        assert slow.recv(1000) == b""
        thinking.request("GET", "/health")
        assert json.load(thinking.getresponse()) == {"status": "healthy"}


def test_the_client_of_the_page_plays_a_game(server: str) -> None:
    done = subprocess.run(
        [sys.executable, str(CLIENT), server], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"(I try open .* -> open .*\n)+reward (1|-1)\.0\n", done.stdout)


def test_it_ends_cleanly_when_told_to_and_its_clients_hear_of_it() -> None:
    with running_server("--board", RULES, "--language", "zh_CN", "--max-turns", "1") as started:
        address, process = started
        with connect(address.replace("http", "ws") + "/ws") as line:
            assert "扫雷" in ask(line, "reset", {})[1]["observation"]["text"]
            assert ask(line, "step", {"message": "?"})[1]["metadata"]["truncated"] is True
            process.send_signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed):
                line.recv()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_what_cannot_be_served_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("server", "--board", "4x4/3", "--port", port)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"nobody can listen at 127.0.0.1, port {port}" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    done = run("server", "--board", "9x9/99", DEMINE_LANG="zh_CN")
    assert done.returncode == 2
    assert "雷" in done.stderr
    assert "Traceback" not in done.stderr
