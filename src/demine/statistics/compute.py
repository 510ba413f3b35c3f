"""`demine.stats`: the statistics of a layout, a game or a recording, at its end or any moment."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from demine.logic.errors import NotAGame
from demine.logic.game import BaseGame
from demine.statistics.cumulative_counts import CumulativeCounts
from demine.statistics.definitions import Statistics
from demine.statistics.end_figures import end_figures
from demine.statistics.figures import LayoutFigures, MomentFigures
from demine.statistics.game_from_recording import source_recording
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.recording_from_game import recording_from_game
from demine.statistics.recording_type import Recording

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from demine.statistics.played_recording import PlayedRecording


def stats(subject: BaseGame | Recording | ArrayLike, at: int | None = None) -> Statistics:
    """Return the statistics of a game, a recording, or a layout, bool `(height, width)`.

    `at` is a moment, in milliseconds after the first cell opened; None is the end. A layout has no
    moments, and only the statistics about boards. docs/statistics.md defines every name. Raises
    `LayoutError` for what is not a mine map and for a game whose mines are not laid, `NotAGame` for
    a path: `load` reads the game in a file.

    >>> import demine
    >>> demine.stats(demine.make("9x9/10", seed=7)).bv
    21
    """
    if isinstance(subject, str | PathLike):
        raise NotAGame.of(subject)
    if isinstance(subject, BaseGame | Recording):
        return Timeline(subject).at(at)
    return Statistics(LayoutFigures(LayoutRegions.of(subject)))


class Timeline:
    """A played recording whose statistics at any moment are looked up quickly."""

    def __init__(
        self, subject: BaseGame | Recording, played: PlayedRecording | None = None
    ) -> None:
        """`played` is what `play_recording` returned for a recording, if that is known."""
        if isinstance(subject, BaseGame):
            played = source_recording(subject)
            subject = recording_from_game(subject) if played is None else played.recording
        self.cumulative = CumulativeCounts(subject, played)
        self._layout = LayoutFigures(self.cumulative.regions)

    @property
    def end_ms(self) -> int:
        """The end of the game, in milliseconds after the first opened cell."""
        return self.cumulative.played.time_ms

    def at(self, ms: int | None = None) -> Statistics:
        """Return the statistics at a moment, in milliseconds after the first opened cell."""
        if ms is None:
            return Statistics(self._layout, end_figures(self.cumulative, self._layout))
        return Statistics(self._layout, MomentFigures(self.cumulative, self._layout, ms))
