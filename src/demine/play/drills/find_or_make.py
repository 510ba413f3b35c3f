"""`demine.drills`: the drills of games, or of boards that are made for them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError, NotAGame, quoted
from demine.logic.game import BaseGame, random_seed
from demine.logic.rules import Rules
from demine.play.drills.drill import DrillKind
from demine.play.drills.find import find_drills
from demine.play.drills.made_games import drills_of_made_game
from demine.play.drills.patterns import DrillPattern, all_patterns
from demine.store.drills import DrillKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from demine.game import Game
    from demine.play.drills.drill import Drill


MADE: Final = 10
"""How many drills are made where the caller does not say it."""
MOST: Final = 1_000_000
"""How many drills are returned at most if the caller says how many."""
MOST_BOARDS: Final = 1000
"""How many boards are made at most: a pattern may be found on none."""


class DrillError(DemineError, ValueError):
    """A kind or a pattern of drills that there is not, a senseless count, or an unfit drill.

    >>> import demine
    >>> try:
    ...     found = demine.drills("9x9/10", kind="chess")
    ... except demine.DrillError as error:
    ...     print(str(error)[:33])
    there is no 'chess': choose safe,
    """


def drills(
    source: Game | Iterable[Game] | Rules | str,
    *,
    kind: DrillKind | str | None = None,
    pattern: str | None = None,
    count: int | None = None,
    seed: int | None = None,
) -> tuple[Drill, ...]:
    """Return drills: positions of games in which there is something to learn.

    Of a game, or of several, they are its mistakes, its forced guesses, and the proofs that took
    long, in order. With rules, or their text, boards are made and played instead, the first with
    `seed`, random by default, until `count` drills are found, 10 by default, or 1000 boards are
    made. `kind` and `pattern`, such as `1-2-1` or `1-2-1/edge`, leave only drills of these.

    Raises `DrillError` for a kind or a pattern that there is not and a senseless count,
    `RulesError` for a text that is no rules, and `NotAGame` for what holds no games.

    >>> import demine
    >>> [drill.pattern.code for drill in demine.drills("16x16/40", seed=1, kind="safe", count=2)]
    ['1-2', '1-1']
    """
    is_wanted = drill_filter(kind, pattern)
    if count is not None and not 0 <= count <= MOST:
        raise DrillError("a count is from 0 to {most}, not {count}", most=MOST, count=count)
    if isinstance(source, Rules | str):
        first = random_seed() if seed is None else seed
        found = made_drills(Rules.of(source), first, kind, pattern)
        return tuple(islice(found, MADE if count is None else count))
    games = [source] if isinstance(source, BaseGame) else source
    return tuple(islice(filter(is_wanted, _found(games)), count))


def drill_filter(
    kind: DrillKind | str | None, pattern: str | None
) -> Callable[[Drill | DrillKey], bool]:
    """Return a function that tells which drills are of a kind and a pattern, None for any.

    A pattern without a place is found in all places. Raises `DrillError`, also for a kind and a
    pattern that exclude each other: a proof where there is none.
    """
    kinds = _checked(kind, tuple(DrillKind))
    patterns = _checked(pattern, tuple(each.code for each in all_patterns()))
    if kinds and patterns and not go_together(DrillKind(kinds), DrillPattern.parse(patterns)):
        raise DrillError(
            "no drill of the kind {kind} has the pattern {pattern}", kind=kinds, pattern=patterns
        )

    def is_wanted(drill: Drill | DrillKey) -> bool:
        key = drill if isinstance(drill, DrillKey) else drill.key
        name, _, _ = key.pattern.partition("/")
        return kinds in (None, key.kind) and patterns in (None, key.pattern, name)

    return is_wanted


def go_together(kind: DrillKind, pattern: DrillPattern) -> bool:
    """Return whether a drill of a kind may have a pattern: a proof, or a guess."""
    return kind.is_proven is not pattern.is_guess


def _checked(text: str | None, choices: Sequence[str]) -> str | None:
    if text is not None and text not in choices:
        names = ", ".join(choices)
        error = DrillError("there is no {text}: choose {names}", text=quoted(text), names=names)
        raise error.with_suggestion(text, choices)
    return text


def made_drills(
    rules: Rules,
    seed: int,
    kind: DrillKind | str | None,
    pattern: str | None,
    on_board: Callable[[], object] = lambda: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[Drill]:
    """Return an iterator over the drills of made games from a seed on that are wanted.

    `on_board` is called after each board; it ends when `should_stop()` returns True. Raises
    `DrillError` as `drill_filter` does.
    """
    is_wanted = drill_filter(kind, pattern)
    if kind == DrillKind.WON:  # only people leave a game that can be won
        return iter(())
    return filter(is_wanted, _made(rules, seed, on_board, should_stop))


def _made(
    rules: Rules, seed: int, on_board: Callable[[], object], should_stop: Callable[[], bool]
) -> Iterator[Drill]:
    for number in range(seed, seed + MOST_BOARDS):
        if should_stop():
            return
        yield from drills_of_made_game(rules, number)
        on_board()


def _found(games: Iterable[Game]) -> Iterator[Drill]:
    for game in games:
        if not isinstance(game, BaseGame):
            raise NotAGame.of(game)
        yield from find_drills(game)
