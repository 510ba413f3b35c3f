"""The commands of the replay player, for keys, buttons and menus of every scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.scene.playback import Playback


class PlaybackControls(Protocol):
    """What a replay player must offer."""

    @property
    def playback(self) -> Playback:
        """The position in the game."""

    def toggle_playing(self) -> None:
        """Play or pause; at the end, start again."""

    def seek(self, ms: float) -> None:
        """Go to a time in milliseconds, without pausing."""

    def step(self, acts: int) -> None:
        """Go forward by `acts`, or backward if negative, and pause."""

    def change_speed(self, steps: int) -> None:
        """Go up or down by a number of speeds."""

    def jump_to_next(self, kind: str) -> None:
        """Go to just before the next `guess` or `mistake`."""


def commands_by_name(player: PlaybackControls) -> dict[str, Callable[[], object]]:
    """Return the commands of a player by the names that keys, buttons and menus use."""
    playback = player.playback
    return {
        "play": player.toggle_playing,
        "start": lambda: player.seek(playback.start),
        "end": lambda: player.seek(playback.end),
        "back": lambda: player.step(-1),
        "forth": lambda: player.step(1),
        "second-back": lambda: player.seek(playback.ms - 1000),
        "second-forth": lambda: player.seek(playback.ms + 1000),
        "slower": lambda: player.change_speed(-1),
        "faster": lambda: player.change_speed(1),
        "guess": lambda: player.jump_to_next("guess"),
        "mistake": lambda: player.jump_to_next("mistake"),
    }
