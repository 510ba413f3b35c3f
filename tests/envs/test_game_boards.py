"""Boards that no kernel deals or plays: wide ones, and those that need no guess."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import demine
from demine.envs import EnvSettingError, MinesweeperEnv, MinesweeperVectorEnv
from demine.envs.board_batch import BitBoards, RewardWeights
from demine.envs.game_boards import GameBoards
from demine.logic.rules import First, Flags, Goal, Rules, most_mines
from demine.scene.cell_faces import Face

BOARDS = 6


def random_rules(random: Random, width: int, height: int) -> Rules:
    first = random.choice([each for each in First if most_mines(width, height, each) >= 1])
    mines = min(most_mines(width, height, first), 1 + width * height // random.choice((2, 5, 9)))
    lives, flags = random.choice((1, 3)), random.choice(list(Flags))
    return Rules(width, height, mines, first, random.choice(list(Goal)), flags=flags, lives=lives)


def legal(masks: NDArray[np.int8], random: Random) -> NDArray[np.int64]:
    """For each board mostly a legal action, sometimes any."""
    chosen = []
    for mask in masks:
        some = mask.nonzero()[0].tolist()
        is_legal = some and random.random() < 0.95
        chosen.append(random.choice(some) if is_legal else random.randrange(-1, mask.size + 1))
    return np.array(chosen, np.int64)


@pytest.mark.parametrize("part", range(4))
def test_games_play_as_the_kernels_do(part: int) -> None:
    """The same mines and the same actions show, count and reward the same on both."""
    random = Random(part)
    for _ in range(12):
        rules = random_rules(random, random.randint(1, 14), random.randint(1, 9))
        verbs, weights = random.choice((1, 3)), RewardWeights(1, -1, 0.1, -0.5)
        made = (
            kind(rules, BOARDS, verbs, weights, invalid_ends=part % 2 == 0)
            for kind in (BitBoards, GameBoards)
        )
        bits, games = made
        every, views = np.ones(BOARDS, np.bool_), (bits.new_shown(), games.new_shown())
        for boards, shown in zip((bits, games), views, strict=True):
            boards.seed(slice(None), np.uint64(part))
            boards.reset(every)
            boards.show(every, shown)
        for _ in range(60):
            actions = legal(views[1].masks, random)
            bits.play(actions, views[0], resets=True)
            for board in np.flatnonzero(bits.are_laid & ~games.are_laid).tolist():
                mine_map = bits.mine_map(board)
                assert mine_map is not None
                games.lay(board, mine_map)
            games.play(actions, views[1], resets=True)
            assert np.array_equal(views[0].faces, views[1].faces)
            assert np.array_equal(views[0].masks, views[1].masks)
            for name in (
                "faces", "status", "indices", "opened", "outcomes", "rewards", "ended",
            ):  # fmt: skip
                assert np.array_equal(getattr(bits, name), getattr(games, name)), (rules, name)


def test_a_wide_board_is_the_game_of_its_seed_and_index() -> None:
    env = MinesweeperEnv("90x5/60", actions="all")
    env.reset(seed=4)
    for index in range(3):
        seed = int(env._boards.seeds[0]) << 64 | index
        game = demine.Game(env.rules, seed)
        seen, *_ = env.step(205)
        game.open(2, 25)
        assert np.array_equal(seen, demine.sight(game))
        env.reset()


@pytest.mark.parametrize("text", ["9x9/12 guess-free", "70x3/20 guess-free", "80x4/40"])
def test_the_board_of_a_seed_does_not_depend_on_its_neighbours(text: str) -> None:
    many = MinesweeperVectorEnv(5, text)
    cells = np.array([0, 13, 13, 20, 26])
    many.reset(seed=11)
    together, *_ = many.step(cells)
    single, seen = MinesweeperEnv(text), together[0]
    for board, cell in enumerate(cells.tolist()):
        single.reset(seed=11 + board)
        seen, *_ = single.step(cell)
        assert np.array_equal(seen, together[board])
    single.reset()
    again, *_ = single.step(26)
    assert not np.array_equal(seen, again)  # the next board of its row


@pytest.mark.parametrize(
    "text", ["9x9/14 guess-free", "8x8/10 first=safe guess-free", "66x3/24 guess-free"]
)
def test_episodes_that_need_no_guess(text: str) -> None:
    env, random = MinesweeperEnv(text, actions="all"), Random(text)
    env.reset(seed=1)
    for _ in range(8):
        flag, cell = random.sample(range(env.rules.cells), 2)
        env.step(env.rules.cells + flag)  # a flag before the first cell is opened
        env.step(cell)
        mine_map = env.game.board.mine_map
        assert env.game.board.flag_map.flat[flag] or not mine_map.flat[flag]
        demine.rate(mine_map, divmod(cell, env.rules.width))  # raises for one that needs a guess
        env.reset()


def test_flags_before_the_first_cell_count_for_the_goal() -> None:
    env = MinesweeperEnv("4x4/2 goal=flag guess-free", actions="all")
    for _ in range(2):
        env.reset(seed=2)
        env.step(0)
        mines = np.flatnonzero(env.game.board.mine_map)
        env.reset(seed=2)
        for mine in mines.tolist():
            env.step(16 + mine)
        _, reward, over, _, info = env.step(0)
        assert (reward, over, info["is_success"]) == (1.0, True, True)


def test_a_board_that_needs_a_guess_anyway_is_refused_and_nothing_is_played() -> None:
    env = MinesweeperVectorEnv(2, "3x2/2 first=safe guess-free")
    before, _ = env.reset(seed=1)
    for actions in ([5, 1], [1, 5]):
        with pytest.raises(demine.NoGuessFreeBoard, match="no board of 3x2/2 is guess-free"):
            env.step(np.array(actions))
    after, *_ = env.step(np.array([-1, -1]))
    assert np.array_equal(before, after)
    assert (after == Face.COVERED).all()
    env.step(np.array([5, 2]))


@pytest.mark.parametrize(
    ("count", "rules"),
    [(10**9, "1x1/0"), (10**6, "expert"), (200, "1000x1000/9"), (10**30, "9x9/10")],
)
def test_more_boards_than_memory_holds_are_refused(count: int, rules: str) -> None:
    with pytest.raises(EnvSettingError, match=r"do not fit into memory: \d+ at most"):
        MinesweeperVectorEnv(count, rules, actions="all")


def test_wide_boards_sample_legal_actions() -> None:
    env = MinesweeperVectorEnv(3, "70x3/30", actions="all")
    env.reset(seed=4)
    drawn = []
    for _ in range(30):
        masks, actions = env.action_masks(), env.sample_actions()
        assert all(
            mask[action] or not mask.any()
            for mask, action in zip(masks, actions.tolist(), strict=True)
        )
        drawn.append(actions)
        env.step(actions)
    assert len({each.tobytes() for each in drawn}) > 20
    env.reset(seed=4)
    assert np.array_equal(env.sample_actions(), drawn[0])
