"""Models are scored by what they play: programs, endpoints and baselines alike."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import demine
from demine.envs.text import TextMinesweeperEnv
from demine.envs.text.score.__main__ import command
from demine.envs.text.score.game_score import play_game
from demine.envs.text.score.models import ChatModel, CommandModel, ModelError, NoAnswer, Turn
from demine.envs.text.score.result import Score, ScoreError, load_score
from demine.scene.cell_faces import Face
from demine.solver.player.policy_error import PolicyError
from tests.envs import text_programs

RULES = "6x5/6"
ROOT = Path(__file__).resolve().parents[2]
MODEL = (ROOT / "docs" / "examples" / "clients" / "text_model.py").read_text("utf-8")


def score(*words: str) -> int:
    """The exit code of the program, run in this process."""
    return int(command().main(list(words), standalone_mode=False) or 0)


def program(path: Path, text: str = MODEL) -> str:
    """The command of a model."""
    path.write_text(text, encoding="utf-8")
    return f"{sys.executable} {path}"


def turn(text: str = "text") -> Turn:
    return Turn(0, 1, text, np.full((5, 6), Face.COVERED, np.uint8), demine.Rules.parse(RULES))


def test_a_baseline_is_scored_and_its_games_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--baseline", "random", "--board", RULES, "--games", "6", "--output", str(tmp_path))
    assert score(*words) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"random on {RULES}, 6 of 6 games\nWon: ")
    found = load_score(tmp_path / "score.json")
    assert [game.seed for game in found.games] == list(range(6))
    for number, game in enumerate(found.games):
        played = demine.load(tmp_path / f"game-{number:04}.jsonl")
        acts = [act for act in demine.review(played).acts if act.chance is not None]
        assert game.won == (played.status is demine.Status.WON)
        assert game.openings == len(acts)
        assert game.risk == pytest.approx(sum(act.chance or 0.0 for act in acts))
        verdicts = [act.verdict.value for act in acts]
        for name, verdict in (("avoidable", "avoidable"), ("certain_mines", "certain-mine")):
            assert getattr(game, name) == verdicts.count(verdict)
        said = (tmp_path / f"game-{number:04}.txt").read_text("utf-8")
        assert said.startswith("This is Minesweeper on 5 rows")
        assert said.count("\n> ") == game.turns
    assert score(*words) == 0
    assert capsys.readouterr().out == told
    assert score(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["summary"]["games"] == 6
    with pytest.raises(ScoreError, match="another model"):
        score(*words, "--seed", "9")


def test_boards_can_be_played_again_by_another_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ("--baseline", "random", "--board", RULES, "--games", "3", "--seed", "40")
    assert score(*first, "--output", str(tmp_path)) == 0
    again = ("--baseline", "fast", "--boards", str(tmp_path / "score.json"), "--json")
    capsys.readouterr()
    assert score(*again) == 0
    found = Score.from_json(capsys.readouterr().out)
    assert found.settings.rules == RULES
    assert found.settings.seeds == (40, 41, 42)
    summary = found.summary()
    assert (summary["avoidable"], summary["blunders"], summary["certain_mines"]) == (0, 0, 0)
    assert summary["mean_risk"] == pytest.approx(summary["mean_least_risk"])


class Reckless:
    """Opens the cell that is most likely a mine, after some nonsense."""

    name = "reckless"

    def check_rules(self, rules: demine.Rules) -> None:
        pass

    def answer(self, turn: Turn) -> str:
        if turn.turn == 1:
            return "open 1 1"
        if turn.turn == 2:
            return "Hm."
        if turn.turn == 3:
            return "open 99 99"
        if turn.turn == 4:
            raise NoAnswer("too late")
        chance = np.nan_to_num(demine.mine_probability(turn.faces, turn.rules.mines), nan=-1.0)
        row, col = divmod(int(chance.argmax()), turn.rules.width)
        return f"open {row + 1} {col + 1}"

    def close(self) -> None:
        pass


def test_every_kind_of_failure_is_counted() -> None:
    env = TextMinesweeperEnv("9x9/10")
    found, said = play_game(env, Reckless(), 0, 5, lambda _turn: None)
    assert (found.won, found.unreadable, found.illegal, found.silent) == (False, 2, 1, 1)
    assert found.certain_mines + found.avoidable + found.blunders == 1
    assert found.risk > found.least_risk
    assert "> Hm.\n\nYour answer was not understood" in said


def test_first_cells_without_a_guess_free_board_are_illegal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--baseline", "random", "--board", "3x3/3 guess-free first=safe", "--games", "30")
    assert score(*words, "--json") == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["games"] == 30
    assert summary["illegal"] > 0


def test_a_policy_that_cannot_win_is_refused_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ("--baseline", "fast", "--board", "5x5/3 goal=flag", "--output", str(folder))
    with pytest.raises(PolicyError, match="goal=flag"):
        score(*words)
    assert not folder.exists()


def test_whatever_fails_the_score_so_far_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game-0001.txt").mkdir()
    words = ("--baseline", "random", "--board", RULES, "--games", "3", "--output", str(tmp_path))
    assert score(*words) == 1
    captured = capsys.readouterr()
    assert "game-0001.txt: " in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert f"random on {RULES}, 2 of 3 games" in captured.out


def test_a_program_plays_by_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--model", program(tmp_path / "model.py"), "--board", RULES, "--games", "2", "--json")
    assert score(*words) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["games"], summary["unreadable"], summary["illegal"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import time; time.sleep(600)", "3 times: the model gave no answer"),
        ("import sys; sys.exit('no weights')", "no weights"),
        ("while True: print('x' * 9999, end='')", "3 times: the model gave no answer"),
    ],
    ids=["silent", "ended", "endless"],
)
def test_a_program_that_cannot_play_is_one_sentence(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = program(tmp_path / "model.py", text)
    assert score("--model", model, "--board", RULES, "--timeout", "0.4") == 1
    captured = capsys.readouterr()
    assert told in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert f"on {RULES}, 0 of 100 games" in captured.out


def test_answers_of_a_program_are_plain_or_json(tmp_path: Path) -> None:
    text = "for line in open(0): print({answer!r}, flush=True)"
    for answer, wanted in (("open 3 4", "open 3 4"), ('"a\\nb"', "a\nb"), ("[" * 9000, "[" * 9000)):
        model = CommandModel(program(tmp_path / "model.py", text.format(answer=answer)), 60)
        assert model.answer(turn()) == wanted
        model.close()


def test_ctrl_c_gives_the_score_so_far_and_the_same_command_goes_on(tmp_path: Path) -> None:
    waits = tmp_path / "waits"
    waits.touch()
    text = MODEL.replace(
        "    print(",
        f"    while asked['game'] == 2 and os.path.exists({str(waits)!r}): time.sleep(0.05)\n"
        "    print(",
    ).replace("import json\n", "import json\nimport os\nimport time\n")
    folder = tmp_path / "games"
    words = [
        "--model", program(tmp_path / "model.py", text), "--board", RULES, "--games", "4",
        "--output", str(folder),
    ]  # fmt: skip
    process = subprocess.Popen(
        text_programs.command("score", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=text_programs.environment(),
    )
    wait_until(lambda: (folder / "game-0001.txt").exists() and done_games(folder) == 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "2 of 4 games" in out
    first = load_score(folder / "score.json").games
    waits.unlink()
    assert score(*words) == 0
    found = load_score(folder / "score.json").games
    assert found[:2] == first
    assert len(found) == 4


def done_games(folder: Path) -> int:
    path = folder / "score.json"
    return len(load_score(path).games) if path.exists() else 0


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


class Endpoint(ThreadingHTTPServer):
    """A small endpoint of chat completions, whose answers are planned."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.planned: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []
        self.released = threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        status, headers, answer = (
            self.server.planned.pop(0) if self.server.planned else (200, {}, said("open 3 3"))
        )
        if answer == b"wait":
            self.server.released.wait(60)
            return
        self.send_response(status)
        for name, value in {"Content-Length": str(len(answer)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)
        if "Content-Length" in headers:  # more than there is
            self.server.released.wait(60)

    def log_message(self, *_: object) -> None:
        pass


def said(content: str | None) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()


def test_a_chat_endpoint_plays(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    endpoint.planned = [(503, {"Retry-After": "0"}, b"busy"), (429, {"Retry-After": "0"}, b"")]
    words = (
        "--model", "tiny", "--url", endpoint.url, "--key-variable", "SOME_KEY", "--temperature",
        "0.5", "--board", RULES, "--games", "1", "--max-turns", "3", "--json",
    )  # fmt: skip
    assert score(*words) == 0
    captured = capsys.readouterr()
    summary = json.loads(captured.out)["summary"]
    assert summary["turns"] == 1 + summary["illegal"]
    assert "secret" not in captured.out + captured.err
    path, key, body = endpoint.asked[-1]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret")
    assert (body["model"], body["temperature"]) == ("tiny", 0.5)
    assert body["messages"][0]["content"].startswith("This is Minesweeper on 5 rows")
    assert len(endpoint.asked) == 2 + summary["turns"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((401, {}, b'{"error": "no such key"}'), "the endpoint answers 401: .*no such key"),
        ((302, {"Location": "http://127.0.0.1:9/"}, b""), "the endpoint answers 302"),
        ((200, {}, b"<html>"), "has no choices"),
        ((200, {}, b"[" * 100_000), "has no choices"),
        ((200, {}, b'{"choices": []}'), "has no choices"),
        ((200, {}, b'{"choices": {"0": 1}}'), "has no choices"),
    ],
)
def test_what_is_wrong_with_an_endpoint_is_said(
    answer: tuple[int, dict[str, str], bytes], told: str, endpoint: Endpoint
) -> None:
    endpoint.planned = [answer]
    with pytest.raises(ModelError, match=told):
        ChatModel(endpoint.url, "tiny", 60, key="secret").answer(turn())
    assert len(endpoint.asked) == 1


def test_an_endpoint_may_answer_nothing_or_too_late(endpoint: Endpoint) -> None:
    endpoint.planned = [(200, {}, said(None)), (200, {}, b"wait")]
    model = ChatModel(endpoint.url + "/chat/completions", "tiny", 60)
    assert model.answer(turn()) == ""
    assert endpoint.asked[0][1] is None
    with pytest.raises(NoAnswer):
        ChatModel(endpoint.url, "tiny", 0.2).answer(turn())
    with pytest.raises(ModelError, match="no address"):
        ChatModel("file:///etc/passwd", "tiny", 60)


def test_a_refusal_whose_explanation_never_arrives_is_one_like_any_other(
    endpoint: Endpoint,
) -> None:
    stalls = {"Content-Length": "200", "Retry-After": "0"}
    endpoint.planned = [(503, stalls, b""), (429, stalls, b"part"), (401, stalls, b"part")]
    with pytest.raises(ModelError, match="the endpoint answers 401"):
        ChatModel(endpoint.url, "tiny", 0.5).answer(turn())
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    "words", [(), ("--model", "x", "--baseline", "fast"), ("--url", "http://localhost:1/v1")]
)
def test_it_says_what_it_needs(words: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError, match="--baseline"):
        score(*words)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[" * 100_000, '{"settings": {"seeds": [1]}, "games": []}'],
)
def test_a_file_that_is_no_score_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "score.json").write_text(text)
    with pytest.raises(ScoreError, match="not the file of a score"):
        score("--baseline", "fast", "--output", str(tmp_path))


def test_a_score_reads_back_what_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--baseline", "random", "--board", "4x4/3", "--games", "3", "--json") == 0
    text = capsys.readouterr().out
    assert Score.from_json(text).to_json() == text
    for before, after in (
        ('"won": false', '"won": 0'),
        ('"turns"', '"turn"'),
        ('"seed": 1', '"seed": 2'),
    ):
        with pytest.raises(ScoreError):
            Score.from_json(text.replace(before, after))
