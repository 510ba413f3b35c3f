"""Language models play exactly the game, in text, and are told what was wrong."""

from __future__ import annotations

import copy
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

import demine
from demine.envs import EnvSettingError, MinesweeperEnv
from demine.envs.registration import IDS
from demine.envs.text import AnswerError, TextMinesweeperEnv, read_action
from demine.envs.text.answer import MOST_READ
from demine.scene.cell_faces import Face

SMALL = "6x5/6"
TEXT_IDS = [name for name in IDS if name.endswith("Text-v0")]


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def begun(rules: str = SMALL, **settings: Any) -> TextMinesweeperEnv:
    env = TextMinesweeperEnv(rules, **settings)
    env.reset(seed=3)
    return env


def mines(*cells: tuple[int, int]) -> dict[str, Any]:
    """A layout of six mines on the small board, cells counted from 1."""
    mine_map = np.zeros((5, 6), np.bool_)
    for row, col in cells:
        mine_map[row - 1, col - 1] = True
    return {"mine_map": mine_map}


TOP_ROW = mines(*((1, col) for col in range(1, 7)))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("open 3 4", "open 3 4"),
        ("OPEN 3,4.", "open 3 4"),
        ("I might open 1 1, or flag 2 2.\nBut no: **Flag (3, 4)**!", "flag 3 4"),
        ("chord row 3, column 4", "chord 3 4"),
        ("reveal the cell at row 3 and column 4", "open 3 4"),
        (r"\boxed{open 3 4}", "open 3 4"),
        ('{"action": "open", "row": 3, "col": 4}', "open 3 4"),
        ("open_cell(3, 4)", "open 3 4"),
        ("open r3c4", "open 3 4"),
        ("打开第3行第4列", "open 3 4"),
        ("我选择：插旗（3，4）。", "flag 3 4"),
        ("<think>open 1 1</think>open 3 4\nopen", "open 3 4"),
        ("open 10 30", "open 10 30"),
        ("open 3 4 because it is safe", "open 3 4"),
        ("open 3 4. 5 mines are left", "open 3 4"),
        ("打开第3行，列4", "open 3 4"),
    ],
)
def test_the_last_action_of_an_answer_counts(answer: str, action: str) -> None:
    assert str(read_action(answer)) == action


@pytest.mark.parametrize(
    "answer",
    [
        "", "I give up", "open", "open 3", "open 34", "open 3\n4", "open 3 4 5", "open -3 4",
        "open 3 -4", "open 3.5 4", "open 3 4.5", "open ３ ４", "open ३ ४", "reopen 3 4",
        "opened 3 4", "3 4", "open three four", "open 12345678901 3", "\x00\x1b[2J\ud800",
        "打开第4列第3行", "打开 4 列 3 行", "打开列4行3", "open col 4, row 3",
        "open \u0663 4 5", "open 3 \uff14 5", "open 3½ 4", "打开三 4 5", "open \uff0d3 4",
        "open \u20113 4", "open \u22123 4", "open 3 \uff0d4", "open 3 4e5", "open 3 4e-5",
        "open 3 4½", "open 3 4²", "open 3 4 .5", "open 3 4 -5", "open 3 4\u00a05", "open 3 4/5",
        "open 3 4 \uff15", "open 3 0x4", "open 4 column, 3 row",
    ],
)  # fmt: skip
def test_what_is_no_action_is_not_guessed_at(answer: str) -> None:
    with pytest.raises(AnswerError, match="open 3 4"):
        read_action(answer)


def test_hostile_answers_take_no_time() -> None:
    """Reading all of these in every way there is would take hours."""
    for part in ("open ", "open 3 ", "open the cell at row ", "{" * 9, "open(", "\u0663", "9"):
        answer = part * (8_000_000 // len(part))
        with pytest.raises(AnswerError):
            read_action(answer)
    assert str(read_action("x" * 3_000_000 + " open 3 4")) == "open 3 4"
    with pytest.raises(AnswerError):
        read_action("open 3 4" + "x" * MOST_READ)


@pytest.mark.parametrize("name", TEXT_IDS)
def test_gymnasium_finds_nothing_to_complain_of(name: str) -> None:
    arguments: dict[str, Any] = {"rules": "12x7/15 first=safe"} if "Custom" in name else {}
    env = gymnasium.make(name, language="zh_CN", **arguments)
    check_env(env.unwrapped, skip_render_check="Beginner" not in name)
    assert env.spec is not None
    assert env.spec.to_json()


def test_boards_are_those_of_the_environment_of_numbers() -> None:
    text, numbers = begun(), MinesweeperEnv(SMALL)
    numbers.reset(seed=3)
    for _ in range(4):
        text.step("open 3 3")
        seen, *_ = numbers.step(2 * 6 + 2)
        assert np.array_equal(text.faces, seen)
        text.reset()
        numbers.reset()


def test_the_board_that_is_written_is_the_one_that_is_seen() -> None:
    env = begun("30x16/99", instructions="")
    text, *_ = env.step("open 8 8")
    rows = re.findall(r"^ ?(\d+) \|(.*)$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 17))
    body = "\n".join(cells for _, cells in rows)
    _, scene = demine.parse_scene(f"30x16/99\n{body}")
    assert np.array_equal(scene, env.faces)
    assert re.search(r"^   \|  1  2 .* 29 30$", text, re.MULTILINE)


def test_a_win_is_by_opening_and_a_loss_shows_the_mines() -> None:
    env = begun()
    env.reset(options=TOP_ROW)
    for col in range(1, 7):
        _, _, over, *_ = env.step(f"flag 1 {col}")
        assert not over
    text, reward, over, truncated, info = env.step("open 5 1")
    assert (reward, over, truncated, info["is_success"]) == (1.0, True, False, True)
    assert "You have won." in text
    with pytest.raises(ResetNeeded):
        env.step("open 1 1")
    env.reset(options=TOP_ROW)
    env.step("open 2 1")
    text, reward, over, _, info = env.step("open 1 1")
    assert (reward, over, info["is_success"]) == (-1.0, True, False)
    assert "open 1 1: a mine. You have lost." in text
    assert "1 | X * * * * *" in text


def test_what_cannot_be_played_is_explained_and_counted() -> None:
    env = begun()
    env.reset(options=TOP_ROW)
    env.step("open 2 1")
    before = env.faces
    for answer, told in (
        ("open 2 1", "open 2 1 cannot be played: row 2, column 1 is open already."),
        ("open 9 1", "open 9 1 cannot be played: row 9, column 1 is outside the 6x5 board."),
        ("open 0 1", "row 0, column 1 is outside"),
        ("chord 2 1", "chord 2 1 cannot be played: the 2 at row 2, column 1 has 0 flags"),
        ("chord 1 1", "chord 1 1 cannot be played"),
        ("no idea", "Your answer was not understood: there is no action in it"),
    ):
        text, reward, over, truncated, _ = env.step(answer)
        assert told in text
        assert (reward, over, truncated) == (0.0, False, False)
        assert np.array_equal(env.faces, before)
    *_, info = env.step("no idea")
    assert info == {"turn": 8, "unreadable": 2, "illegal": 5, "action": None}
    with pytest.raises(EnvSettingError, match="an answer is text"):
        env.step(7)  # type: ignore[arg-type]


def test_a_first_cell_without_a_guess_free_board_is_illegal() -> None:
    env = begun("3x3/3 guess-free first=safe")
    for turn in (1, 2):
        text, reward, over, truncated, info = env.step("open 2 2")
        assert "open 2 2 cannot be played: " in text
        assert (reward, over, truncated) == (0.0, False, False)
        assert info == {"turn": turn, "unreadable": 0, "illegal": turn, "action": "open 2 2"}
    assert (env.faces == Face.COVERED).all()


@pytest.mark.parametrize("answer", ["no idea", "open 9 9"])
@pytest.mark.parametrize(
    ("invalid", "expected"),
    [("ignore", (0.0, False)), ("penalize", (-1.0, False)), ("end", (-1.0, True))],
)
def test_unreadable_and_illegal_answers_meet_the_chosen_rule(
    answer: str, invalid: Any, expected: tuple[float, bool]
) -> None:
    env = begun(invalid=invalid)
    text, reward, over, _, info = env.step(answer)
    assert (reward, over) == expected
    assert info.get("is_success", False) is False
    assert "*" not in text
    assert ("The game ends with it." in text) == over


def test_turns_are_bounded() -> None:
    env = begun(max_turns=3)
    for _ in range(2):
        assert env.step("hm")[2:4] == (False, False)
    text, _, over, truncated, info = env.step("hm")
    assert (over, truncated, info["is_success"]) == (False, True, False)
    assert "That was the last turn." in text
    assert "*" not in text
    with pytest.raises(ResetNeeded):
        env.step("open 1 1")
    assert begun().max_turns == 60
    with pytest.raises(EnvSettingError, match="too few"):
        TextMinesweeperEnv(SMALL, max_turns=0)


def test_a_win_in_the_last_turn_is_a_win() -> None:
    env = begun(max_turns=1)
    env.reset(options=TOP_ROW)
    assert env.step("open 5 1")[2:4] == (True, False)


def test_nothing_shows_where_the_mines_are() -> None:
    """What is told of two boards whose opened cells agree is the same, whatever lies elsewhere."""
    told = []
    for last in ((5, 4), (5, 6)):
        env = begun(actions="all")
        env.reset(options=mines((1, 2), (1, 4), (3, 2), (3, 6), (5, 2), last))
        answers = ("open 1 3", "flag 1 2", "flag 1 4", "open 1 2", "chord 9 9", "?", "chord 1 3")
        told.append([env.step(answer) for answer in answers])
    assert told[0] == told[1]


def test_instructions_begin_an_episode_and_can_be_replaced() -> None:
    env = begun()
    usual = env.reset()[0]
    assert usual.startswith("This is Minesweeper on 5 rows and 6 columns with 6 mines.\n")
    assert len(env.instructions) < 900
    assert "This is Minesweeper" not in env.step("open 1 1")[0]
    env = begun(instructions="Play ☃ well.")
    text, _ = env.reset()
    assert text.startswith("Play ☃ well.\n\n")
    assert text in env.observation_space
    assert begun(instructions="").reset()[0].startswith("  | 1 2 3")


def test_the_instructions_are_those_of_the_rules() -> None:
    usual = begun("6x5/6 lives=3 goal=flag first=any flags=hold", actions="open").reset()[0]
    for sentence in (
        "You win when the flags are exactly on the mines.",
        "You lose by opening the mine number 3.",
        "Even the first cell you open may have a mine in it.",
        "Flags stay when cells around them are opened.",
        "Lives left: 3.",
    ):
        assert sentence in usual
    assert "flag ROW COLUMN" not in usual


def test_opens_alone_have_a_reward_of_risk() -> None:
    env = begun(actions="open", reward="risk")
    env.step("open 1 1")
    text, *_ = env.step("flag 1 1")
    assert "in this game cells are only opened" in text
    with pytest.raises(EnvSettingError):
        TextMinesweeperEnv(SMALL, reward="risk")


def test_lives_are_counted() -> None:
    env = begun("6x5/6 lives=2")
    env.reset(options=TOP_ROW)
    env.step("open 2 1")
    text, _, over, *_ = env.step("open 1 1")
    assert "open 1 1: a mine." in text
    assert "Lives left: 1." in text
    assert not over
    assert "You have lost." in env.step("open 1 2")[0]


def test_the_same_is_said_in_chinese() -> None:
    env = begun(language="zh_CN")
    texts = [env.reset(options=TOP_ROW)[0]]
    texts += [env.step(answer)[0] for answer in ("open 9 9", "?", "flag 1 1", "打开 5 1")]
    assert "这是扫雷" in texts[0]
    for text in texts:
        assert text in env.observation_space
        words = set(re.findall(r"[A-Za-z]{2,}", text)) - {"open", "flag", "chord"}
        assert not words, text
    with pytest.raises(demine.LanguageError):
        TextMinesweeperEnv(language="xx")


def test_an_episode_can_be_copied_and_reviewed() -> None:
    env = begun()
    env.reset(options=TOP_ROW)
    env.step("open 2 1")
    other = copy.deepcopy(env)
    assert other.step("open 1 1") == env.step("open 1 1")
    verdicts = [act.verdict.value for act in demine.review(env.game).acts]
    assert verdicts == ["first", "certain-mine"] or len(verdicts) == 2


def test_many_boards_are_played_by_gymnasium() -> None:
    envs = gymnasium.make_vec("demine/BeginnerText-v0", num_envs=2)
    assert isinstance(envs, SyncVectorEnv)
    envs.reset(seed=7)
    _, _, _, _, infos = envs.step(["open 5 5", "nothing"])
    assert infos["unreadable"].tolist() == [0, 1]


def test_a_random_game_in_text_is_the_game_of_the_rules() -> None:
    """Whatever is answered, the board is what the rules make of the legal actions."""
    random = np.random.default_rng(4)
    env = begun("8x6/9 lives=3", max_turns=10_000)
    counts = []
    for _ in range(60):
        env.reset()
        over, info = False, {"turn": 0, "unreadable": 0, "illegal": 0}
        while not over:
            verb = random.choice(["open", "flag", "chord", "eat"], p=[0.5, 0.3, 0.15, 0.05])
            row, col = random.integers(0, [8, 10])
            *_, over, _, info = env.step(f"{verb} {row} {col}")
        assert np.array_equal(demine.sight(env.game), env.faces)
        assert len(env.game.events) == 1 + info["turn"] - info["unreadable"] - info["illegal"]
        counts.append(info["turn"])
    assert sum(counts) > 600
