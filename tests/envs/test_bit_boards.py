"""The boards of environments are those of `demine.logic`: the same acts show the same."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.envs.board_batch import BitBoards, RewardWeights
from demine.envs.kernels import ENV_KERNELS, LOST, PLAYED, READY, REFUSED, RUNNING, WON, bit_boards
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.layout import keeps_first_click_promise
from demine.logic.rules import First, Flags, Goal, Rules, most_mines
from demine.scene.sight import sight

ACTS = 1_000_000
"""How many acts are compared in all."""
PARTS = 8
BOARDS = 40
VERBS = (Verb.OPEN, Verb.FLAG, Verb.CHORD)
STATUS = {Status.READY: READY, Status.RUNNING: RUNNING, Status.WON: WON, Status.LOST: LOST}


def random_rules(random: Random) -> Rules:
    """Rules of any kind, most of them small."""
    width = random.randint(45, 62) if random.random() < 0.1 else random.randint(1, 16)
    height = random.randint(30, 70) if random.random() < 0.05 else random.randint(1, 12)
    first = random.choice([each for each in First if most_mines(width, height, each) >= 0])
    most = most_mines(width, height, first)
    mines = min(most, int(width * height * random.choice((0.0, 0.05, 0.12, 0.2, 0.5, 1.0))))
    goal = random.choice((Goal.OPEN, Goal.OPEN, Goal.FLAG)) if mines else Goal.OPEN
    lives = random.choice((1, 1, 2, 4))
    return Rules(width, height, mines, first, goal, flags=random.choice(list(Flags)), lives=lives)


def chosen(masks: NDArray[np.int8], random: Random) -> NDArray[np.int64]:
    """For each board mostly a legal action, sometimes any."""
    actions = np.empty(len(masks), np.int64)
    for board, mask in enumerate(masks):
        legal = mask.nonzero()[0].tolist()
        any_one = random.random() < 0.05 or not legal
        actions[board] = random.randrange(mask.size) if any_one else random.choice(legal)
    return actions


@pytest.mark.parametrize("part", range(PARTS))
def test_every_act_does_what_the_rules_say(part: int) -> None:
    random = Random(part)
    compared = 0
    while compared < ACTS / PARTS:
        rules, verbs = random_rules(random), random.choice((1, 3))
        steps = 400 if rules.cells < 400 else 40
        compare(rules, verbs, steps, random)
        compared += steps * BOARDS


def compare(rules: Rules, verbs: int, steps: int, random: Random) -> None:
    """Play the same acts on boards of both kinds, and compare all that they show."""
    boards = BitBoards(rules, BOARDS, verbs)
    boards.seeds[:] = np.array([random.getrandbits(64) for _ in range(BOARDS)], np.uint64)
    boards.indices[:] = -1
    every, shown = np.ones(BOARDS, np.bool_), boards.new_shown()
    boards.reset(every)
    boards.show(every, shown)
    games = [BaseGame(rules, 0) for _ in range(BOARDS)]
    for _ in range(steps):
        actions = chosen(shown.masks, random)
        masks = shown.masks.copy()
        boards.play(actions, shown, resets=False)
        assert np.array_equal(shown.faces, boards.faces)
        for board, action in enumerate(actions.tolist()):
            follow(games[board], boards, board, action, masks[board, action])
        over = np.array([game.status.over for game in games])
        assert not shown.masks[over].any()
        boards.reset(over)
        boards.show(over, shown)
        for board in np.flatnonzero(over).tolist():
            games[board] = BaseGame(rules, 0)


def follow(game: BaseGame, boards: BitBoards, board: int, action: int, is_legal: int) -> None:
    verb, cell = divmod(action, game.rules.cells)
    act = Act(0, VERBS[verb], *divmod(cell, game.rules.width))
    before = game.board.opened
    mine_map = None if game.board.laid else boards.mine_map(board)
    if mine_map is not None:
        assert keeps_first_click_promise(game.rules, mine_map, (act.row, act.col))
        game.lay(Lay(0, mine_map))
    if is_legal:
        game.play(act)  # which raises what is refused
    else:
        assert not game.can(act)
    assert boards.outcomes[board] == (PLAYED if is_legal else REFUSED)
    assert np.array_equal(boards.faces[board], sight(game)), (game.rules, act)
    assert boards.status[board] == STATUS[game.status]
    assert boards.ended[board] == game.status.over
    assert boards.opened[board] == game.board.opened - before


@pytest.mark.parametrize(
    "text", ["5x4/4", "9x9/10", "7x6/30 first=safe", "6x5/6 flags=hold lives=2"]
)
def test_interpreted_kernels_play_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, random = Rules.parse(text), Random(text)
    compiled = seeded(rules, 3)
    monkeypatch.setattr(type(ENV_KERNELS), "load", lambda *_, **__: False)
    plain = seeded(rules, 3)
    assert plain._play is not compiled._play
    views = compiled.new_shown(), plain.new_shown()
    for boards, view in zip((compiled, plain), views, strict=True):
        boards.show(np.ones(3, np.bool_), view)
    for _ in range(60):
        actions = chosen(views[0].masks, random)
        for boards, view in zip((compiled, plain), views, strict=True):
            boards.play(actions, view, resets=True)
        assert np.array_equal(views[0].faces, views[1].faces)
        assert np.array_equal(views[0].masks, views[1].masks)
        assert np.array_equal(compiled.sample(), plain.sample())
        for name in ("faces", "status", "opened", "outcomes", "rewards", "ended"):
            assert np.array_equal(getattr(compiled, name), getattr(plain, name)), name


def seeded(rules: Rules, boards: int) -> BitBoards:
    made = BitBoards(rules, boards, 3, RewardWeights(1, -1, 0.1, -0.5))
    made.seeds[:] = np.arange(boards)
    made.indices[:] = -1
    made.reset(np.ones(boards, np.bool_))
    return made


def first_layouts(rules: Rules, seeds: NDArray[np.uint64], cell: int) -> NDArray[np.bool_]:
    """The mines of the first board of each seed, opened at a cell."""
    boards = BitBoards(rules, seeds.size, 1)
    boards.seeds[:] = seeds
    boards.indices[:] = -1
    boards.reset(np.ones(seeds.size, np.bool_))
    boards.play(np.full(seeds.size, cell), boards.new_shown(), resets=False)
    found = [boards.mine_map(board) for board in range(seeds.size)]
    return np.array([each for each in found if each is not None])


def test_the_board_of_a_seed_does_not_depend_on_its_neighbours() -> None:
    rules, seeds = Rules.parse("16x16/40"), np.arange(50, dtype=np.uint64)
    together = first_layouts(rules, seeds, 20)
    alone = [first_layouts(rules, seeds[each : each + 1], 20)[0] for each in range(50)]
    assert np.array_equal(together, np.array(alone))
    assert len({each.tobytes() for each in together}) == 50


@pytest.mark.parametrize(
    "text",
    [
        "8x8/10 first=any",
        "8x8/20 first=safe",
        "8x8/14",
        "6x6/30 first=safe",
        # With words drawn first, for mines and for safe cells.
        "20x16/60",
        "24x10/60 first=safe",
        "20x16/250",
        "24x10/200 first=any",
    ],
)
def test_every_allowed_layout_is_equally_likely(text: str) -> None:
    rules = Rules.parse(text)
    cell = rules.width + 1
    boards = 40_000
    maps = first_layouts(rules, np.arange(boards, dtype=np.uint64) * np.uint64(977), cell)
    counts = maps.reshape(boards, -1).sum(axis=0)
    allowed = counts > 0
    kept = {First.ANY: 0, First.SAFE: 1, First.ZERO: 9}[rules.first]
    assert allowed.sum() == rules.cells - kept
    expected = boards * rules.mines / allowed.sum()
    # Mines of one board keep each other away, so the spread is that of draws without putting back.
    spread = expected * (1 - rules.mines / allowed.sum()) * allowed.sum() / (allowed.sum() - 1)
    chi_squared = ((counts[allowed] - expected) ** 2).sum() / spread
    degrees = allowed.sum() - 1
    assert abs(chi_squared - degrees) < 5 * (2 * degrees) ** 0.5
    # Pairs too: how often two neighbours, far from the first cell, both have a mine.
    pairs = (maps[:, 5, :-1] & maps[:, 5, 1:])[:, 3:].mean()
    cells = int(allowed.sum())
    chance = rules.mines * (rules.mines - 1) / (cells * (cells - 1))
    assert pairs == pytest.approx(chance, abs=5 * (chance / boards) ** 0.5)


def test_the_kernels_call_nothing_outside_their_module() -> None:
    assert {"play_boards", "reset_boards"} <= ENV_KERNELS.kernel_names()
    assert all(hasattr(bit_boards, name) for name in ENV_KERNELS.kernel_names())
