"""Runs the player of recorded games in the terminal from opening to closing."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from demine.scene.preferences import Preferences, StartOptions, language_at_start
from demine.scene.translation import set_language
from demine.terminal.app import AppProxy, prepare_for_textual, run_scene
from demine.terminal.terminal_theme import ASCII, TerminalTheme
from demine.terminal.tty_capabilities import colour_count, has_dark_background, needs_ascii

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.game import Game


def run(
    game: Game,
    name: str,
    settings: Mapping[str, object],
    *,
    paused_at_ms: float | None = None,
    speed: float = 1.0,
) -> int:
    """Play a game back until the player is closed, and return the exit code.

    It starts playing at once, or pauses at a given time. Raises `TerminalError` if there is no
    usable terminal.
    """
    prepare_for_textual()
    from demine.play.lazy_solver import LazySolver
    from demine.play.unsaved_games_at_exit import opened_store
    from demine.reviews.watch_text import set_contradiction_notes
    from demine.scene.playback import Playback
    from demine.statistics.chosen_counters import COUNTERS_SETTING, parse_counters
    from demine.terminal.replay_analysis import (
        BackgroundAnalysis,
        BackgroundCounters,
        BackgroundReview,
        BackgroundRisks,
    )
    from demine.terminal.replay_scene import ReplayScene

    # A second process, because risks would have to wait for the review, which takes long.
    with (
        opened_store() as (store, _troubles),
        closing(LazySolver()) as solver,
        closing(LazySolver()) as other,
    ):
        stored = store.settings.all()
        # Only for this run: lasting choices are made while playing.
        preferences = Preferences.from_settings({**stored, **settings})
        set_language(language_at_start(preferences, StartOptions(settings=settings)))
        plain = stored.get(ASCII)
        theme = TerminalTheme(
            preferences.chosen_theme(dark=has_dark_background(os.environ)),
            colours=colour_count(os.environ),
            ascii_only=plain if isinstance(plain, bool) else needs_ascii(os.environ),
            shows_led_digits=preferences.shows_led_digits,
        )
        set_contradiction_notes(game)
        playback = Playback(game, fade_finished=preferences.fade_finished)
        playback.speed = speed

        app_proxy = AppProxy()
        analysis = BackgroundAnalysis(
            BackgroundReview(game, other.ask, app_proxy.wake),
            BackgroundRisks(game.rules.mines, solver.ask, app_proxy.wake),
            BackgroundCounters(game, parse_counters(stored.get(COUNTERS_SETTING)), app_proxy.wake),
        )
        watch = ReplayScene(playback, name, theme, analysis, palette=preferences.palette)
        if paused_at_ms is None:
            watch.toggle_playing()
        else:
            watch.seek(paused_at_ms)
        return run_scene(watch, app_proxy)
