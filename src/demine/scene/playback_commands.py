"""What a watcher of a game asks for with keys, buttons and menus, the same in every player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.scene.playback import Playback


class PlaybackControls(Protocol):
    """A player of recorded games that can be told where to go."""

    @property
    def playback(self) -> Playback:
        """The game, and where in it the watcher is."""

    def toggle_playing(self) -> None:
        """Play or pause; at the end, begin anew."""

    def seek(self, ms: float) -> None:
        """Go to a time; a game that is played goes on from there."""

    def step(self, acts: int) -> None:
        """Go by acts, and stand there."""

    def change_speed(self, steps: int) -> None:
        """Play at the next speed, or at one before."""

    def jump_to_next(self, kind: str) -> None:
        """Go to just before the next `guess` or `mistake`."""


def commands_by_name(player: PlaybackControls) -> dict[str, Callable[[], object]]:
    """Return what a player does by the names that keys, buttons and menus ask for it."""
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
