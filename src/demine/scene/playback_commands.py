"""What a watcher of a game asks for with keys, buttons and menus, the same in every player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.scene.playback import Playback


class Steered(Protocol):
    """A player of recorded games that can be told where to go."""

    @property
    def playback(self) -> Playback:
        """The game, and where in it the watcher is."""

    def toggle(self) -> None:
        """Play or pause; at the end, begin anew."""

    def seek(self, ms: float) -> None:
        """Go to a time; a game that is played goes on from there."""

    def step(self, acts: int) -> None:
        """Go by acts, and stand there."""

    def hasten(self, steps: int) -> None:
        """Play at the next speed, or at one before."""

    def jump(self, kind: str) -> None:
        """Go to just before the next `guess` or `mistake`."""


def steering(player: Steered) -> dict[str, Callable[[], object]]:
    """Return what a player does by the names that keys, buttons and menus ask for it."""
    playback = player.playback
    return {
        "play": player.toggle,
        "start": lambda: player.seek(playback.start),
        "end": lambda: player.seek(playback.end),
        "back": lambda: player.step(-1),
        "forth": lambda: player.step(1),
        "second-back": lambda: player.seek(playback.ms - 1000),
        "second-forth": lambda: player.seek(playback.ms + 1000),
        "slower": lambda: player.hasten(-1),
        "faster": lambda: player.hasten(1),
        "guess": lambda: player.jump("guess"),
        "mistake": lambda: player.jump("mistake"),
    }
