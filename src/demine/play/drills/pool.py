"""The drills that a player may be asked: of the games in the store, of files, and of made games."""

from __future__ import annotations

import time
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.play.drills.drill import Drill, DrillKind
from demine.play.drills.find import find_drills, id_of_game
from demine.play.drills.find_or_make import made_drills
from demine.play.drills.made_games import first_seed_of_day, is_made, made_drill
from demine.play.drills.schedule import SET_SIZE, subject_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from demine.game import Game
    from demine.logic.rules import Rules
    from demine.store.drills import DrillKey
    from demine.store.store import Store

_AT_ONCE: Final = 16
"""How many games are asked for at once while the store is searched."""


class DrillPool:
    """Drills by their keys; the game of one is loaded when it is asked for.

    The keys are those in the store and what the methods add, all in `keys`, the newest last. Of the
    store's, those are left out whose games it does not have: drills of files that were answered
    once, and of games that an import left behind.
    """

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._games: dict[str, Game] = {}
        self._drills: dict[DrillKey, Drill] = {}
        self.keys: list[DrillKey] = [] if store is None else _drills_to_ask(store)

    def search_store(self, seconds: float, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Search games of the store that were never searched, the newest first; return how many.

        It ends after `seconds`, or when `should_stop()` returns True; the next search goes on.
        Raises `StoreError`.
        """
        if self._store is None:
            return 0
        until, done = time.monotonic() + seconds, 0
        while waiting := self._store.games_without_drills(_AT_ONCE):
            for game_id in waiting:
                if time.monotonic() >= until or should_stop():
                    return done
                found = self._drills_of_stored_game(self._store, game_id)
                self._store.add_drills(game_id, [drill.key for drill in found])
                self.add(found)
                done += 1
        return done

    @staticmethod
    def _drills_of_stored_game(store: Store, game_id: str) -> Sequence[Drill]:
        try:
            return find_drills(store.load_game(game_id), game_id)
        except DemineError:  # its journal is damaged
            return ()

    def search_games(self, games: Iterable[Game]) -> None:
        """Add the drills of games, such as those of files."""
        for game in games:
            self.add(find_drills(game, id_of_game(game)))

    def fill_up(
        self,
        rules: Rules,
        day: date,
        count: int = SET_SIZE,
        *,
        kind: str | None = None,
        pattern: str | None = None,
        known: AbstractSet[tuple[str, int]] = frozenset(),
        on_board: Callable[[], object] = lambda: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Add drills of made boards where a set from the pool would have fewer than `count`.

        They are the same all day, without those about what is `known` (`asked_about_on`).
        `on_board` is called after each board; no further one is made when `should_stop()` returns
        True. Raises `DrillError` for a kind or a pattern that there is not, and for two that
        exclude each other.
        """
        lacking = count - len(set(map(subject_of, self.keys)) - known)
        first = first_seed_of_day(day)
        made = made_drills(rules, first, kind, pattern, on_board, should_stop)
        unknown = (drill for drill in made if subject_of(drill.key) not in known)
        by_game = groupby(unknown, key=lambda drill: drill.game_id)
        for _, found in islice(by_game, max(0, lacking)):
            self.add(found)

    def add(self, found: Iterable[Drill]) -> None:
        """Add drills, also of games that are nowhere stored."""
        known = set(self.keys)
        for drill in found:
            self._drills[drill.key] = drill
            if drill.key not in known:
                self.keys.append(drill.key)

    def keep(self, is_wanted: Callable[[DrillKey], bool]) -> None:
        """Leave out the drills that are not wanted, as by kind or pattern."""
        self.keys = [key for key in self.keys if is_wanted(key)]

    def drill(self, key: DrillKey) -> Drill:
        """Return a drill; raises a `DemineError` or `ValueError` if its game is gone."""
        if key in self._drills:
            return self._drills[key]
        if is_made(key.game):
            return Drill.of(key, made_drill(key.game, key.act, DrillKind(key.kind)).game)
        if self._store is None:
            raise ValueError(key.game)
        if key.game not in self._games:
            self._games[key.game] = self._store.load_game(key.game)
        return Drill.of(key, self._games[key.game])


def _drills_to_ask(store: Store) -> list[DrillKey]:
    kept = store.games_with_drills()
    return [key for key in store.drills() if is_made(key.game) or key.game in kept]
