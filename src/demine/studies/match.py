"""Play a match: two players on the same boards, engines among them."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.rules import Rules
from demine.solver.engine.client import Engine
from demine.solver.engine.engine_process import command_text
from demine.solver.engine.protocol import DEFAULT_TIMEOUT
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_table import POLICIES
from demine.solver.player.resolve_policy import resolve_policy
from demine.studies.chunk import Failures, chunk_of_games
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.errors import StudyError
from demine.studies.match_result import MatchEndedEarly, MatchResult, engine_error_of
from demine.studies.plan import StudyPlan
from demine.studies.play_games import GAME_DTYPE, play_games
from demine.studies.resumable_study import local_workers, run_study

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from demine.solver.player.policy_types import PolicyLike
    from demine.solver.player.resolve_policy import ResolvedPolicy
    from demine.studies.chunk import Chunk

_MODULE_AND_NAME: Final = re.compile(r"[\w.]+:[\w.]+")


def match(  # noqa: PLR0913 - passed by name, and most seldom
    a: PolicyLike | Engine,
    b: PolicyLike | Engine,
    *,
    rules: Rules | str = "expert",
    games: int = 1000,
    seed: int = 0,
    start: tuple[int, int] | None = None,
    movetime: int | None = None,
    playouts: int | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    strict: bool = False,
    workers: int = 1,
    ledger: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> MatchResult:
    """Have two players play the same boards and return which wins more.

    Each is a policy by its name, `"module:name"`, a policy of your own, a `demine.Engine`, or the
    command of an engine, such as `"perl engine.pl"`. Boards, and the first cell that both begin
    with, are those of `demine.study`: `start`, or the one that is usual.

    `movetime`, in milliseconds, and `playouts` are told to engines with every position; policies do
    not know them. An engine has `timeout` seconds more for an answer. A player that fails loses
    that game, which is counted apart; with `strict` the match ends.

    With `workers` above 1 the games are played in as many processes. The file `ledger` records
    which are done, `resume` goes on with it. `progress` is called with the number of boards played
    and of all boards, `stop` ends the match by returning True.

    Raises `EngineError` for an engine that cannot be started, `PolicyError` for a policy that does
    not exist, `MatchEndedEarly`, with the `result` so far, and what `StudyPlan` raises.

    >>> import demine
    >>> result = demine.match("safest", "logic", rules="8x8/12", games=40, seed=7)
    >>> result.stronger.player, result.difference.only_b
    ('safest', 0)
    """
    players = [as_player(each, movetime, playouts, timeout) for each in (a, b)]
    plan = match_plan(Rules.of(rules), players, seed, games, start)
    engines = engines_among(players)
    check_engines(engines, plan.rules)
    compile_study_kernels(plan)
    with contextlib.ExitStack() as stack:
        players_here = stack.enter_context(local_workers(workers))
        for engine in engines:
            stack.callback(engine.close)
        result = run_study(
            plan,
            players_here.executor,
            workers=players_here.chunks,
            ledger=None if ledger is None else Path(ledger),
            resume=resume,
            play=partial(play_match_chunk, strict=strict),
            ended=MatchEndedEarly.from_error,
            on_progress=None if progress is None else lambda done: progress(done, plan.games),
            should_stop=stop,
        )
    return MatchResult(plan, result.counts)


def as_player(
    player: PolicyLike | Engine,
    movetime: int | None = None,
    playouts: int | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> PolicyLike | Engine:
    """Return a player with an engine in the place of the command of one.

    A text that is neither the name of a policy nor `module:name` is such a command; a single word
    only if there is such a program.
    """
    if not isinstance(player, str) or player in POLICIES or _MODULE_AND_NAME.fullmatch(player):
        return player
    if player.isidentifier() and shutil.which(player) is None:
        return player
    return Engine(player, movetime=movetime, playouts=playouts, timeout=timeout)


def engines_among(players: Iterable[PolicyLike | Engine]) -> list[Engine]:
    """Return those players that are engines."""
    return [each for each in players if isinstance(each, Engine)]


def match_plan(
    rules: Rules,
    players: Iterable[PolicyLike | Engine],
    seed: int,
    games: int,
    start: tuple[int, int] | None = None,
) -> StudyPlan:
    """Return the plan of a match, that of a study of both players on the same boards."""
    policies = [
        CustomPolicy(each, command_text(each.command))
        if isinstance(each, Engine)
        else resolve_policy(each)
        for each in players
    ]
    custom = tuple(each for each in policies if isinstance(each, CustomPolicy))
    names = tuple(each.name for each in policies)
    if len(set(names)) == 1:
        raise StudyError("a match takes two different players, not {player} twice", player=names[0])
    return StudyPlan(rules, names, seed, games, start, custom)


def check_engines(engines: Iterable[Engine], rules: Rules) -> None:
    """Start each engine once, so that one that cannot play at all is an error at once.

    What an engine compiles at its first start is then there for all workers.
    """
    for each in engines:
        with each as engine:
            engine.new_game(rules)


def play_match_chunk(
    plan: StudyPlan, first: int, count: int, with_rows: bool, *, strict: bool = False
) -> Chunk:
    """Play `count` games of a match from index `first` on, a failure being a game lost.

    With `strict` it is raised.
    """
    begun = time.monotonic()
    rows: list[NDArray[np.void]] = []
    failures: list[Failures] = []
    for policy in plan.policies:
        found: list[Failures] = []
        rows.append(_play_games(plan, plan.player(policy), first, count, None if strict else found))
        failures.append(reduce(Failures.plus, found, Failures()))
    return chunk_of_games(rows, begun, with_rows=with_rows, failures=failures)


def _play_games(
    plan: StudyPlan,
    player: ResolvedPolicy,
    first: int,
    count: int,
    failures: list[Failures] | None,
) -> NDArray[np.void]:
    """Play games; what fails alone is a lost game, and added to `failures`, or raised if None."""
    alone = isinstance(player, CustomPolicy) and not player.in_batches
    if count == 1 or not alone:
        try:
            return play_games(plan.rules, player, plan.seed, first, count, plan.start)
        except PolicyError as error:
            if failures is None:
                raise
            if count == 1:
                failures.append(Failures.of(engine_error_of(error), first))
                return _lost_game(first)
    # Of games that are played at once, nobody knows which one failed.
    size = 1 if alone else count - count // 2
    parts = [(at, min(size, first + count - at)) for at in range(first, first + count, size)]
    return np.concatenate([_play_games(plan, player, *part, failures) for part in parts])


def _lost_game(index: int) -> NDArray[np.void]:
    game = np.zeros(1, GAME_DTYPE)
    game["index"], game["survival"] = index, 1.0
    return game
