"""Play games of a study by a policy: what one worker does."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.kernels.kernel_set import numba_available
from demine.logic.kernels.deal import WORDS, counts_size
from demine.logic.layout import game_seed, guaranteed_safe_cells
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.kernels_for_simulation import (
    PlayerArrays,
    best_first_cell,
    fits_kernels,
    set_policy,
    usual_first_cell,
)
from demine.solver.player.policy_table import POLICIES, BuiltInPolicy, policy_by_name
from demine.solver.player.resolve_policy import resolve_policy
from demine.studies.kernels import STUDY_KERNELS, simulated_games
from demine.studies.play_beyond_kernels import play_interpreted
from demine.studies.play_custom_policy import play_by_custom_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.policy_types import PolicyLike
    from demine.solver.player.resolve_policy import ResolvedPolicy

GAME_DTYPE: Final = np.dtype(
    [
        ("index", "i8"),
        ("won", "?"),
        ("opened", "i4"),
        ("guesses", "i4"),
        ("survival", "f8"),
        ("bv", "i4"),
        ("moves", "i4"),
        ("ns", "i8"),
    ]
)
"""One game: its index in the study, whether it was won, how many cells were opened, how many clicks
after the first were guesses, the product of their chances to be safe, the 3BV, how many clicks
opened something, and the processor time in nanoseconds."""

_LOW_64_BITS: Final = (1 << 64) - 1
_THREAD: Final = threading.local()


def shared_first_cell(rules: Rules, policies: Sequence[str]) -> tuple[int, int]:
    """Return the one cell, `(row, col)`, with which all these policies begin in a study.

    It is `demine.solver.player.first_cell.usual_first_cell`, or, if one of the policies has the
    `best_start`, the cell that wins most on a small board
    (`demine.solver.player.first_cell.best_first_cell`, which may compile the player).
    """
    built_in = (policy_by_name(policy) for policy in policies if policy in POLICIES)
    plays_out = any(policy.best_start for policy in built_in)
    return best_first_cell(rules) if plays_out else usual_first_cell(rules)


def play_games(
    rules: Rules,
    policy: PolicyLike | ResolvedPolicy,
    seed: int,
    first: int,
    count: int,
    start: tuple[int, int] | None = None,
) -> NDArray[np.void]:
    """Play `count` games of a study from index `first` on; return them as `GAME_DTYPE`, in order.

    Everything but `ns` depends on the rules, the policy, the seed, the index and the start alone.
    `start` is the first cell, `(row, col)`; None is the policy's own. Games of built-in policies
    are played by compiled kernels if Numba is installed, and with the same results, slowly, if not.
    Raises `PolicyError` if a policy of one's own fails, or if there is no such policy.
    """
    player = resolve_policy(policy)
    cell = start or shared_first_cell(rules, (player.name,))
    games = np.zeros(count, GAME_DTYPE)
    games["index"] = np.arange(first, first + count)
    if isinstance(player, CustomPolicy):
        play_by_custom_policy(rules, player, seed, cell, games)
    else:
        _play_by_built_in_policy(rules, player, seed, cell, games)
    return games


def _play_by_built_in_policy(
    rules: Rules, policy: BuiltInPolicy, seed: int, start: tuple[int, int], games: NDArray[np.void]
) -> None:
    """Play the games whose indices are in `games`, and write the rest of their rows."""
    play_one = _game_player(rules, policy, start) if fits_kernels(rules) else None
    for game in games:
        begun = time.thread_time_ns()
        number = game_seed(seed, int(game["index"]))
        if play_one is None or not play_one(number, game):
            play_interpreted(rules, policy.name, number, start, game)
        game["ns"] = time.thread_time_ns() - begun


def _game_player(
    rules: Rules, policy: BuiltInPolicy, start: tuple[int, int]
) -> Callable[[int, np.void], bool]:
    """Return a function that plays a seed's game and writes its row; False if it cannot."""
    kernel, workspace = _play_kernel(), _workspace_of_thread()
    set_policy(workspace, policy)
    cells, wide = rules.cells, rules.width + 2
    free = np.zeros(cells, np.uint8)
    free[guaranteed_safe_cells(rules, start)] = 1
    flat, mines = np.zeros(cells, np.uint8), np.zeros((rules.height + 2) * wide, np.uint8)
    keys, counts = np.zeros(cells, np.uint64), np.zeros(counts_size(cells), np.int64)
    generator, result = np.zeros(WORDS, np.uint64), np.zeros(simulated_games.RESULTS, np.int64)
    place = (start[0] + 1) * wide + start[1] + 1

    def play_one(seed: int, game: np.void) -> bool:
        survival = kernel(
            np.uint64(seed & _LOW_64_BITS), np.uint64(seed >> 64), rules.height, rules.width,
            rules.mines, place, policy.number, free, flat, mines, keys, counts, generator, result,
            workspace.work, workspace.values, workspace.hints,
        )  # fmt: skip
        game["won"] = result[simulated_games.WON]
        game["opened"] = result[simulated_games.OPENED]
        game["guesses"] = result[simulated_games.GUESSES]
        game["survival"] = survival
        game["bv"] = result[simulated_games.THREE_BV]
        game["moves"] = result[simulated_games.MOVES]
        return not result[simulated_games.UNSUPPORTED]

    return play_one


def _workspace_of_thread() -> PlayerArrays:
    workspace = getattr(_THREAD, "workspace", None)
    if workspace is None:
        workspace = _THREAD.workspace = PlayerArrays()
    return workspace


def _play_kernel() -> Callable[..., float]:
    """Return the kernel that plays a game, compiled if possible."""
    if not numba_available():
        return _play_seed_interpreted
    STUDY_KERNELS.load()
    return STUDY_KERNELS.compiled_kernel("survival_of_seed") or _play_seed_interpreted


def _play_seed_interpreted(*arguments: Any) -> float:  # noqa: ANN401 - as the kernel takes them
    with np.errstate(over="ignore"):
        return float(simulated_games.survival_of_seed(*arguments))
