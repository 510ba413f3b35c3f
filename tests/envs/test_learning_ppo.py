"""The example of masked PPO learns, obeys masks, and goes on exactly where it was broken off."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

import jax
import jax.numpy as jnp
from gymnasium.vector import AutoresetMode

from demine.envs import MinesweeperVectorEnv
from demine.envs.learning import masked_ppo
from demine.envs.learning.evaluation import UNSEEN_SEED, random_cells, win_rate
from demine.envs.learning.masked_ppo import (
    Settings,
    act,
    advantages,
    best_cells,
    greedy,
    initial_training,
    log_policy_and_values,
    main,
    play,
    train,
)
from demine.envs.learning.parameter_file import read_tree
from demine.logic.rules import Rules

SMALL = Settings(
    board="4x4/2", steps=8192, boards=64, length=8, minibatch=64, channels=16, blocks=1
)
RULES = Rules.parse(SMALL.board)


def options(settings: Settings, *more: str) -> list[str]:
    names = "board", "steps", "boards", "length", "minibatch", "channels", "blocks"
    words = [word for name in names for word in (f"--{name}", str(getattr(settings, name)))]
    return [*words, *more]


def leaves(path: Path) -> list[np.ndarray]:
    return jax.tree.leaves(read_tree(path, initial_training(SMALL)))


def test_it_learns_to_win_more_than_random_play() -> None:
    *_, (trained, _) = train(SMALL, initial_training(SMALL))
    learned = win_rate(RULES, greedy(trained.model, RULES), boards=500, seed=UNSEEN_SEED)
    by_chance = win_rate(RULES, random_cells(1), boards=500, seed=UNSEEN_SEED)
    assert learned.interval[0] > 1.3 * by_chance.interval[1]


class BreaksOff(io.StringIO):
    """An output during which Ctrl+C is pressed, at a line of progress."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._left = lines

    def write(self, text: str) -> int:
        if "a second" in text:
            self._left -= 1
            if self._left == 0:
                raise KeyboardInterrupt
        return super().write(text)


def test_training_goes_on_where_ctrl_c_ended_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(SMALL, steps=4 * SMALL.steps_of_update)
    monkeypatch.setattr(masked_ppo, "REPORT_SECONDS", 0.0)
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    assert main(options(few, "--judged", "20", "--save", str(whole))) == 0
    monkeypatch.setattr("sys.stdout", BreaksOff(lines=2))
    assert main(options(few, "--judged", "20", "--save", str(parts))) == 0
    broken_off = leaves(parts)
    assert [int(tree[-1]) for tree in (broken_off, leaves(whole))] == [2, 4]
    monkeypatch.undo()
    assert main(options(few, "--judged", "20", "--save", str(parts))) == 0
    for kept, straight in zip(leaves(parts), leaves(whole), strict=True):
        assert np.array_equal(kept, straight)


def test_a_forbidden_action_is_never_chosen() -> None:
    model = initial_training(SMALL).model
    # It strongly prefers cells, whether they are allowed or not.
    eager = model._replace(actor=model.actor._replace(head=jnp.full(SMALL.channels, 1e4)))
    random = np.random.default_rng(2)
    masks = (random.random((500, 16)) < 0.2).astype(np.int8)
    masks[:, 5] |= ~masks.any(axis=1)
    faces = random.integers(0, 10, (500, 4, 4), np.uint8)
    wanted = best_cells(eager, faces, np.ones_like(masks), 2)
    assert not masks[np.arange(500), wanted].all()
    actions, log_chances, _ = act(eager, jax.random.key(3), faces, masks, 2)
    assert masks[np.arange(500), actions].all()
    chances = np.exp(log_policy_and_values(eager, faces, masks, 2)[0])
    assert (chances[masks == 0] == 0).all()
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert np.exp(log_chances) == pytest.approx(chances[np.arange(500), actions])


def test_every_step_is_a_legal_action_on_the_board_that_was_seen() -> None:
    env = MinesweeperVectorEnv(64, RULES, autoreset_mode=AutoresetMode.SAME_STEP)
    steps, report = play(env, initial_training(SMALL).model, SMALL, 0)
    boards = np.arange(64)
    for faces, masks, actions in zip(steps.faces, steps.masks, steps.actions, strict=True):
        assert masks[boards, actions].all()
        assert np.array_equal(faces.reshape(64, -1) == 9, masks)
    begun = (steps.faces == 9).all(axis=(2, 3)).sum()
    # Each game begins with an untouched board; those that began last need not have ended.
    assert 64 + report.games - (steps.faces[0] == 9).all(axis=(1, 2)).sum() <= begun
    assert begun <= 64 + report.games
    assert 0 < report.won < report.games


def test_advantages_are_those_of_the_definition() -> None:
    """Each is the discounted sum of surprises up to the end of its game."""
    random = np.random.default_rng(4)
    steps, boards, gamma, trace = 7, 5, 0.8, 0.6
    rewards, values = random.normal(size=(steps, boards)), random.normal(size=(steps + 1, boards))
    ended = random.random((steps, boards)) < 0.3
    found = advantages(rewards, values.astype(np.float32), ended, gamma, trace)
    for board in range(boards):
        for step in range(steps):
            total, weight = 0.0, 1.0
            for later in range(step, steps):
                after = 0.0 if ended[later, board] else values[later + 1, board]
                surprise = rewards[later, board] + gamma * after - values[later, board]
                total += weight * surprise
                weight *= gamma * trace
                if ended[later, board]:
                    break
            assert found[step, board] == pytest.approx(total, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(
    "words",
    [
        ["--board", "no board"],
        options(replace(SMALL, board="4x4/2 goal=flag", steps=1), "--judged", "1"),
        options(SMALL, "--reward", "gold"),
        options(SMALL, "--save", "no/such/folder/file.npz"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [["--steps", "0"], ["--gamma", "nan"], ["--boards", "many"]])
def test_numbers_are_checked(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
