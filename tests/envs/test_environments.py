"""The environments keep to Gymnasium's conventions, and to the game."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import registry
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import demine
from demine.envs import ActionResult, EnvSettingError, MinesweeperEnv, MinesweeperVectorEnv
from demine.envs.registration import IDS
from demine.envs.wrappers import action_mask_in_observation, mine_probabilities, one_hot_planes
from demine.scene.cell_faces import Face

STEPS = 100_000
"""How many steps of the environments are compared for each way to begin anew."""
BOARDS = 16
CUSTOM: dict[str, Any] = {"rules": "8x5/8 lives=2", "actions": "all", "reward": "progress"}
WIDE = "70x4/40 flags=hold lives=2"
GUESS_FREE = "9x5/7 guess-free"


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def rules_for(name: str) -> dict[str, Any]:
    return {} if IDS[name][0] else {"rules": "12x7/15 first=safe"}


def first_env(**settings: Any) -> MinesweeperEnv:
    env = MinesweeperEnv("6x5/6", **settings)
    env.reset(seed=3)
    return env


def legal(mask: NDArray[np.int8], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, rules_for(name)) for name in IDS),
        *(("demine/Custom-v0", {"rules": text, "actions": "all"}) for text in (WIDE, GUESS_FREE)),
    ],
)
def test_gymnasium_finds_nothing_to_complain_of(name: str, settings: dict[str, Any]) -> None:
    env = gymnasium.make(name, **settings)
    check_env(env.unwrapped)  # warnings are errors here
    assert env.spec is not None
    assert env.spec.to_json()


def test_ids_are_found_by_the_name_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in IDS:
        monkeypatch.delitem(registry, name)
    demine.envs.registration.register_ids()
    env = gymnasium.make("demine.envs:demine/Intermediate-v0")
    assert env.observation_space.shape == (16, 16)


def test_an_episode_is_a_game_that_can_be_reviewed(tmp_path: Path) -> None:
    env = first_env()
    random = np.random.default_rng(5)
    over, seen, info = (
        False,
        env.reset(seed=9)[0],
        {"action_mask": env.action_masks().astype(np.int8)},
    )
    while not over:
        seen, _, over, truncated, info = env.step(legal(info["action_mask"], random))
        assert not truncated
    assert not info["action_mask"].any()
    assert np.array_equal(demine.sight(env.game), seen)
    assert info["is_success"] == (env.game.status is demine.Status.WON)
    demine.save(env.game, tmp_path / "episode.jsonl")
    assert len(demine.review(demine.load(tmp_path / "episode.jsonl")).acts) > 0


def test_a_seed_is_a_row_of_boards() -> None:
    boards = []
    for _ in range(2):
        env = first_env()
        env.reset(seed=11)
        for _ in range(3):
            env.step(14)
            boards.append(env.game.board.mine_map.tobytes())
            env.reset()
    assert boards[:3] == boards[3:]
    assert len(set(boards)) == 3


def test_the_first_cell_is_what_the_rules_promise() -> None:
    env = MinesweeperEnv("9x9/10")
    env.reset(seed=1)
    for _ in range(50):
        seen, *_ = env.step(40)
        assert seen[4, 4] == Face.ZERO
        env.reset()


def test_a_layout_can_be_given() -> None:
    env = first_env()
    mine_map = np.zeros((5, 6), np.bool_)
    mine_map[0] = True
    env.reset(options={"mine_map": mine_map})
    _, reward, over, _, info = env.step(24)
    assert (reward, over, info["is_success"]) == (1.0, True, True)
    with pytest.raises(demine.LayoutError):
        env.reset(options={"mine_map": ~mine_map})
    with pytest.raises(EnvSettingError, match="'mines' is not an option"):
        env.reset(options={"mines": mine_map})


def test_nothing_shows_where_the_mines_are() -> None:
    """What is seen of two boards whose opened cells agree is the same, whatever lies elsewhere."""
    maps = [np.zeros((5, 6), np.bool_) for _ in range(2)]
    for mines, cells in zip(maps, ((1, 3, 25, 27, 13, 17), (1, 3, 25, 29, 13, 17)), strict=True):
        mines.flat[list(cells)] = True
    answers = []
    for mines in maps:
        env = first_env(actions="all")
        env.reset(options={"mine_map": mines})
        answers.append([env.step(action) for action in (2, 0, 31, 33, 62, 1000 % 90)])
    for one, other in zip(*answers, strict=True):
        assert one[4].keys() == other[4].keys() == {"action_mask"}
        assert np.array_equal(one[0], other[0])
        assert np.array_equal(one[4]["action_mask"], other[4]["action_mask"])
        assert one[1:4] == other[1:4]
        assert not np.isin(one[0], (Face.MINE, Face.BLOWN)).any()


@pytest.mark.parametrize(
    ("invalid", "expected"),
    [("ignore", (0.0, False)), ("penalize", (-1.0, False)), ("end", (-1.0, True))],
)
def test_what_the_rules_refuse(invalid: Any, expected: tuple[float, bool]) -> None:
    env = first_env(invalid=invalid)
    env.step(14)
    seen, reward, over, _, info = env.step(14)
    assert (reward, over) == expected
    assert info.get("is_success", False) is False
    assert not np.isin(seen, (Face.MINE, Face.BLOWN)).any()
    if over:
        with pytest.raises(ResetNeeded):
            env.step(0)


def test_progress_adds_up_to_one() -> None:
    env = first_env(reward="progress")
    while True:
        total, over = 0.0, False
        env.reset()
        while not over:
            _, reward, over, *_ = env.step(demine_move(env))
            total += reward
        if env.game.status is demine.Status.WON:
            assert total == pytest.approx(1.0)
            return


def demine_move(env: MinesweeperEnv) -> int:
    move = demine.best_move(env.game)
    return move.row * env.rules.width + move.col


def test_risk_is_the_exact_one() -> None:
    env = MinesweeperEnv("6x5/8 first=any", reward="risk")
    random = np.random.default_rng(2)
    guesses = 0
    for _ in range(20):
        _, info = env.reset()
        over, game = False, demine.Game(env.rules, 0)
        while not over:
            risks = demine.mine_probability(game)
            action = legal(info["action_mask"], random)
            _, reward, over, _, info = env.step(action)
            assert reward == pytest.approx(-risks.flat[action])
            guesses += reward < 0
            game = env.game
    assert guesses > 20


def test_a_reward_of_ones_own() -> None:
    results: list[ActionResult] = []

    def reward(result: ActionResult) -> NDArray[np.float64]:
        results.append(result)
        return result.opened.astype(np.float64) / 2

    env = first_env(reward=reward)
    seen, earned, *_ = env.step(14)
    assert earned == 0.5 * (seen <= Face.EIGHT).sum()
    assert (results[0].seen == Face.COVERED).all()


def test_a_layout_keeps_no_promise_of_the_first_cell() -> None:
    """So the risk of the first cell is that of the counts, whether it is a mine or not."""
    mine_map = np.zeros((5, 6), np.bool_)
    mine_map[0] = True
    for cell in (0, 14):
        env = first_env(reward="risk")
        assert env.step(cell)[1] == 0
        env.reset(options={"mine_map": mine_map})
        assert env.step(cell)[1] == pytest.approx(-6 / 30)


@pytest.mark.parametrize("rules", ["6x5/6", WIDE, GUESS_FREE])
def test_an_action_counts_though_its_reward_fails(rules: str) -> None:
    def fail(result: ActionResult) -> NDArray[np.float64]:
        raise LookupError(result.actions)

    env = MinesweeperEnv(rules, reward=fail)
    env.reset(seed=1)
    with pytest.raises(LookupError):
        env.step(14)
    assert env.game.begun
    assert np.array_equal(env.action_masks(), demine.sight(env.game).ravel() == Face.COVERED)
    lost = int(env.game.board.mine_map.argmax())
    with pytest.raises(LookupError):
        env.step(lost)
    if env.rules.lives == 1:
        with pytest.raises(ResetNeeded):
            env.step(0)


def test_an_action_that_has_no_board_is_not_played() -> None:
    env = MinesweeperEnv("3x3/3 guess-free first=safe", actions="all")
    env.reset(seed=0)
    env.step(9 + 4)
    env.step(9 + 4)
    with pytest.raises(demine.NoGuessFreeBoard):
        env.step(4)
    assert len(env.game.events) == 2
    env.step(9)


@pytest.mark.parametrize("answer", [0.5, np.zeros(3), "much", ["a", "b"]])
def test_a_reward_of_another_shape_is_told(answer: Any) -> None:
    many = MinesweeperVectorEnv(2, "6x5/6", reward=lambda _: answer)
    many.reset(seed=1)
    with pytest.raises(EnvSettingError, match="a number for each of 2 boards, not"):
        many.step([14, 14])


@pytest.mark.parametrize("action", [14.9, np.float64(14.0), np.nan, "14", None, 1 << 70])
def test_actions_are_integers(action: Any) -> None:
    env, many = first_env(), MinesweeperVectorEnv(2, "6x5/6")
    many.reset(seed=1)
    with pytest.raises(EnvSettingError, match="actions are integers"):
        env.step(action)
    with pytest.raises(EnvSettingError, match="actions are integers"):
        many.step([action, action])
    assert (env.action_masks() == 1).all()
    assert (many.action_masks() == 1).all()
    assert env.step(np.int32(14))[4].keys() == {"action_mask"}
    many.step(np.full(2, 14, np.uint16))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rules": "300x300/900 guess-free"}, "a guess-free board has 65536 cells at most"),
        ({"reward": "fame"}, "'fame' is not a reward: use win_loss, progress, risk"),
        ({"reward": "risk", "actions": "all"}, "use actions='open'"),
        ({"actions": "some"}, "'some' is not valid for actions: use open, all"),
        ({"invalid": "explode"}, "'explode' is not valid for invalid"),
        ({"render_mode": "smell"}, "'smell' is not a render mode"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(demine.DemineError, match=sentence):
        MinesweeperEnv(**settings)
    with pytest.raises(demine.DemineError, match=sentence):
        MinesweeperVectorEnv(2, **settings)


def test_renders() -> None:
    env = first_env(render_mode="ansi")
    env.step(14)
    assert env.render() == demine.format_scene("6x5/6", demine.sight(env.game))
    picture = first_env(render_mode="rgb_array").render()
    assert picture.shape == (5 * 24, 6 * 24, 3)
    window = first_env(render_mode="human")
    window.step(14)
    assert window.render() is None
    window.close()
    window.close()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_by_itself(copied: Any) -> None:
    pairs: tuple[tuple[Any, Any], ...] = (
        (first_env(), 14), (MinesweeperVectorEnv(3, "6x5/6"), np.full(3, 14)),
        *((first_env(render_mode=mode), 14) for mode in MinesweeperEnv.metadata["render_modes"]),
    )  # fmt: skip
    for env, action in pairs:
        env.reset(seed=7)
        other = copied(env)
        seen, *_, info = other.step(action)
        assert not (env.action_masks() == 0).any()
        assert_same((seen, info), env.step(action)[::4])
        assert (other.action_masks() == env.action_masks()).all()
        assert (seen <= Face.EIGHT).any()


def test_a_refused_reset_changes_nothing() -> None:
    env = first_env()
    env.step(14)
    before = env.game
    with pytest.raises(EnvSettingError):
        env.reset(options={"x": 1})
    assert env.game == before
    env.reset()
    env.step(14)
    again = first_env()
    again.reset()
    again.step(14)
    assert np.array_equal(env.game.board.mine_map, again.game.board.mine_map)


def test_a_generator_of_ones_own_draws_the_seed() -> None:
    boards = []
    for _ in range(2):
        env = MinesweeperEnv("6x5/6")
        env.np_random = np.random.default_rng(8)
        env.reset()
        env.step(14)
        boards.append(env.game.board.mine_map.tobytes())
    assert boards[0] == boards[1]


# Random actions


@pytest.mark.parametrize(
    ("rules", "played", "most"),
    [
        ("5x4/4", [5, 19 + 20], 60),
        ("20x20/6 goal=flag", [210], 20),  # so few that they are counted
        ("8x8/10", [0], 64),
    ],
)
def test_a_sampled_action_is_any_legal_one_with_the_same_chance(
    rules: str, played: list[int], most: int
) -> None:
    env = MinesweeperEnv(rules, actions="all" if most == 60 else "open")
    env.reset(seed=8)
    for action in played:
        env.step(action)
    legal_ones = np.flatnonzero(env.action_masks())
    assert 1 < legal_ones.size < most
    drawn = [env.sample_action() for _ in range(200 * legal_ones.size)]
    counts = np.bincount(drawn, minlength=env.action_masks().size)
    assert counts.sum() == counts[legal_ones].sum()
    degrees = legal_ones.size - 1
    chi_squared = ((counts[legal_ones] - 200) ** 2 / 200).sum()
    assert abs(chi_squared - degrees) < 5 * (2 * degrees) ** 0.5


def test_zero_is_sampled_where_nothing_is_legal() -> None:
    env = MinesweeperVectorEnv(50, "5x4/4", invalid="end")
    env.reset(seed=1)
    env.step(np.where(np.arange(50) % 2, 7, -1))
    actions, can_act = env.sample_actions(), env.action_masks().any(axis=1)
    assert 0 < can_act.sum() < 50
    assert not actions[~can_act].any()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_seed_decides_sampled_actions(mode: AutoresetMode) -> None:
    played = [sampled(mode, boards=12), sampled(mode, boards=12), sampled(mode, boards=4)]
    assert np.array_equal(played[0], played[1])
    assert np.array_equal(played[0][:, :4], played[2])
    assert len({each.tobytes() for each in played[0].T}) == 12


def sampled(mode: AutoresetMode, boards: int) -> NDArray[np.int64]:
    """The actions of some steps of many boards: `(steps, boards)`."""
    env = MinesweeperVectorEnv(boards, "9x9/10", autoreset_mode=mode)
    with pytest.raises(ResetNeeded):
        env.sample_actions()
    env.reset(seed=9)
    actions = []
    for _ in range(30):
        actions.append(env.sample_actions())
        _, _, ended, *_ = env.step(actions[-1])
        if mode is AutoresetMode.DISABLED and ended.any():
            env.reset(options={"reset_mask": ended})
    return np.array(actions)


def test_a_board_of_many_draws_what_a_single_one_draws() -> None:
    many = MinesweeperVectorEnv(3, "9x9/10")
    single = MinesweeperEnv("9x9/10")
    with pytest.raises(ResetNeeded):
        single.sample_action()
    many.reset(seed=7)
    single.reset(seed=9)
    for _ in range(2):
        actions = many.sample_actions()
        assert single.sample_action() == actions[2]
        many.step(actions)
        single.step(actions[2])


# Many boards


def both(
    mode: AutoresetMode, **settings: Any
) -> tuple[gymnasium.vector.VectorEnv[Any, Any, Any], Any]:
    """The native vector environment, and Gymnasium's own of as many single ones."""
    name = "demine/Custom-v0"
    native = gymnasium.make_vec(name, num_envs=BOARDS, autoreset_mode=mode, **settings)
    assert isinstance(native, MinesweeperVectorEnv)

    def single() -> gymnasium.Env[Any, Any]:
        return gymnasium.make(name, disable_env_checker=True, **settings)

    return native, SyncVectorEnv([single] * BOARDS, autoreset_mode=mode)


def assert_same(one: Any, other: Any) -> None:
    """Values of any depth are equal, with the same types."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key, value in one.items():
            assert_same(value, other[key])
    elif isinstance(one, tuple) or (isinstance(one, np.ndarray) and one.dtype == object):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_same(*pair)
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert np.array_equal(one, other)
    else:
        assert one == other


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"rules": "9x9/10"}, STEPS // 3),
        ({**CUSTOM, "invalid": "end"}, STEPS // 3),
        ({"rules": "7x4/4", "invalid": "penalize"}, STEPS // 3),
        ({**CUSTOM, "rules": WIDE}, STEPS // 50),
        ({**CUSTOM, "rules": GUESS_FREE}, STEPS // 20),
    ],
)
def test_many_boards_are_as_many_single_ones(
    mode: AutoresetMode, settings: dict[str, Any], steps: int
) -> None:
    native, single = both(mode, **settings)
    random = np.random.default_rng(1)
    assert native.metadata["autoreset_mode"] is mode
    answer = native.reset(seed=5)
    assert_same(answer, single.reset(seed=5))
    mask = answer[1]["action_mask"]
    for _ in range(-(-steps // BOARDS)):
        actions = np.array(
            [
                legal(each, random)
                if each.any() and random.random() < 0.95
                else random.integers(each.size)
                for each in mask
            ]
        )
        step = native.step(actions)
        assert_same(step, single.step(actions))
        mask = step[4]["action_mask"]
        ended = step[2]
        if mode is AutoresetMode.DISABLED and ended.any():
            answer = native.reset(options={"reset_mask": ended})
            assert_same(answer, single.reset(options={"reset_mask": ended}))
            mask[ended] = answer[1]["action_mask"][ended]


def test_without_copies_two_buffers_take_turns() -> None:
    env = MinesweeperVectorEnv(4, "9x9/10", copy=False)
    first, _ = env.reset(seed=1)
    second, *_ = env.step(np.full(4, 40))
    assert first is not second
    assert (first == Face.COVERED).all()
    assert (second[:, 4, 4] == Face.ZERO).all()
    third, *_ = env.step(np.zeros(4, np.int64))
    assert third is first


def test_mistakes_of_a_caller_are_told() -> None:
    env = MinesweeperVectorEnv(3, "9x9/10", autoreset_mode="Disabled", invalid="end")
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(3, np.int64))
    env.reset(seed=[4, 5, 6])
    with pytest.raises(EnvSettingError, match="there are 3 boards, but the actions have the shape"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(EnvSettingError, match="3 boards, but 2 seeds"):
        env.reset(seed=[1, 2])
    with pytest.raises(EnvSettingError, match="reset_mask is a bool array"):
        env.reset(options={"reset_mask": np.zeros(3, np.bool_)})
    env.step(np.full(3, -1))
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(EnvSettingError, match="too few"):
        MinesweeperVectorEnv(0)


def test_boards_that_are_reset_later_have_seeds_too() -> None:
    env = MinesweeperVectorEnv(4, "9x9/10", autoreset_mode="Disabled")
    env.reset(seed=7, options={"reset_mask": np.array([True, False, False, False])})
    with pytest.raises(ResetNeeded):
        env.step(np.full(4, 40))
    env.reset(options={"reset_mask": np.array([False, True, True, True])})
    seen, *_ = env.step(np.full(4, 40))
    assert len({each.tobytes() for each in seen}) == 4


@pytest.mark.parametrize("mode", AutoresetMode)
def test_what_is_returned_is_nobody_elses(mode: AutoresetMode) -> None:
    env = MinesweeperVectorEnv(3, "6x5/6", autoreset_mode=mode, invalid="end")
    _, infos = env.reset(seed=1)
    infos["_action_mask"][:] = False
    env.reset(seed=1)
    _, _, ended, _, infos = env.step(np.array([14, -1, -1]))
    ended[:] = True
    name = "_final_obs" if mode is AutoresetMode.SAME_STEP else "_is_success"
    assert infos[name].tolist() == [False, True, True]
    assert (env.action_masks()[0] == 0).any()


def test_seeds_of_a_list_are_those_of_single_boards() -> None:
    many = MinesweeperVectorEnv(3, "9x9/10", render_mode="ansi")
    many.reset(seed=[4, 8, 4])
    many.step(np.full(3, 40))
    texts = many.render()
    assert texts is not None
    assert texts[0] == texts[2] != texts[1]
    env = MinesweeperEnv("9x9/10", render_mode="ansi")
    env.reset(seed=8)
    env.step(40)
    assert env.render() == texts[1]


# Other observations


def test_planes_are_the_faces() -> None:
    env = one_hot_planes(MinesweeperEnv("6x5/6"))
    planes, _ = env.reset(seed=3)
    planes, *_ = env.step(14)
    seen = demine.sight(env.unwrapped.game)  # type: ignore[union-attr]
    assert planes in env.observation_space
    assert np.array_equal(planes.argmax(axis=0), seen)
    assert (planes.sum(axis=0) == 1).all()


def test_probabilities_are_the_exact_ones() -> None:
    env = mine_probabilities(MinesweeperEnv("6x5/6"))
    shown, info = env.reset(seed=3)
    random, over, compared = np.random.default_rng(1), False, 0
    while not over or compared < 20:
        if over:
            shown, info = env.reset()
        shown, _, over, _, info = env.step(legal_or_first(info["action_mask"], random))
        assert shown in env.observation_space
        game = env.unwrapped.game  # type: ignore[union-attr]
        if not over:
            expected = np.nan_to_num(demine.mine_probability(game)).astype(np.float32)
            assert np.array_equal(shown["mine_probability"], expected)
            compared += 1
        elif game.status is demine.Status.LOST:
            assert np.array_equal(shown["mine_probability"] == 1, game.board.mine_map)


def legal_or_first(mask: NDArray[np.int8], random: np.random.Generator) -> int:
    return legal(mask, random) if mask.any() else 0


def probabilities_after(rules: str, mines: list[int], actions: list[int]) -> list[int]:
    """What stands beside a 3x3 board after some actions, rounded down to whole percent."""
    env = mine_probabilities(MinesweeperEnv(rules, actions="all"))
    mine_map = np.zeros((3, 3), np.bool_)
    mine_map.flat[mines] = True
    env.reset(seed=1)
    env.reset(options={"mine_map": mine_map})
    answers = [env.step(action) for action in actions]
    return [int(100 * each) for each in answers[-1][0]["mine_probability"].flat]


def test_mines_that_were_opened_are_certain() -> None:
    assert probabilities_after("3x3/1 first=any", [0], [0]) == [100, *8 * [0]]
    assert probabilities_after("3x3/2 first=any", [0, 8], [0]) == [100, *7 * [0], 100]
    flagged = probabilities_after("3x3/2 first=any", [0, 8], [9 + 8, 0])
    assert flagged == [100, *7 * [0], 100]
    alive = probabilities_after("3x3/2 first=any lives=2", [0, 8], [0])
    assert alive == [100, *8 * [12]]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    "wrapper", [one_hot_planes, mine_probabilities, action_mask_in_observation]
)
def test_wrapped_boards_are_as_many_wrapped_single_ones(wrapper: Any, mode: AutoresetMode) -> None:
    rules = "6x5/6 first=any lives=2"
    many = wrapper(MinesweeperVectorEnv(5, rules, autoreset_mode=mode))
    single = SyncVectorEnv([lambda: wrapper(MinesweeperEnv(rules))] * 5, autoreset_mode=mode)
    assert many.observation_space == single.observation_space
    assert many.single_observation_space == single.single_observation_space
    random = np.random.default_rng(4)
    answer = many.reset(seed=2)
    assert_same(answer, single.reset(seed=2))
    mask, games = answer[1]["action_mask"], 0
    for _ in range(40):
        actions = np.array([legal_or_first(each, random) for each in mask])
        answer = many.step(actions)
        assert_same(answer, single.step(actions))
        assert answer[0] in many.observation_space
        ended, mask = answer[2], answer[4]["action_mask"]
        games += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            answer = many.reset(options={"reset_mask": ended})
            assert_same(answer, single.reset(options={"reset_mask": ended}))
            mask[ended] = answer[1]["action_mask"][ended]
    assert games > 5


def test_a_wrapped_environment_can_be_copied() -> None:
    for made in (MinesweeperEnv("6x5/6"), MinesweeperVectorEnv(2, "6x5/6")):
        env = mine_probabilities(made)
        assert_same(pickle.loads(pickle.dumps(env)).reset(seed=3), env.reset(seed=3))
