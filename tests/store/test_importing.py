"""Games of other programs' files, taken in once however often they come."""

from __future__ import annotations

from dataclasses import replace

from demine.game import Game
from demine.logic.event import Touch
from demine.statistics.game_from_recording import game_from_recording
from demine.store import Store
from demine.store.importing import GameToImport
from tests.statistics.hands import hand

ENDED = "2026-11-21T12:00:00+00:00"
WON = hand("3x1/1\n*..", "mv 0,1; lc 0,2; lr 0,2", cell=24)


def test_a_game_keeps_the_pixels_of_its_field() -> None:
    game = game_from_recording(Game, WON)
    with Store.memory() as store:
        assert store.importer().import_batch([GameToImport(game, ENDED)]) == ["new"]
        (row,) = store.games()
        kept = store.load_game(row.id)
        assert kept == game
        assert kept.cell_px == 24
        assert store.importer().import_batch(
            [GameToImport(Game.from_journal(game.journal()), ENDED)]
        ) == ["known"]


def test_a_game_that_was_taken_in_at_16_pixels_a_cell_is_known() -> None:
    small = replace(WON, cell=16, x=WON.x * 16 // 24, y=WON.y * 16 // 24)
    with Store.memory() as store:
        assert store.importer().import_batch(
            [GameToImport(game_from_recording(Game, small), ENDED)]
        ) == ["new"]
        assert store.importer().import_batch(
            [GameToImport(game_from_recording(Game, WON), ENDED)]
        ) == ["known"]
        (row,) = store.games()
        touches = [each for each in store.load_game(row.id).events if isinstance(each, Touch)]
        assert [(each.x, each.y) for each in touches][1:] == [(40, 8), (40, 8)]
