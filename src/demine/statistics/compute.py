"""`demine.stats`: the statistics of a layout, a game or a recording, at its end or any moment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Self

from demine.logic.errors import LayoutError
from demine.logic.game import Game
from demine.statistics.cumulative_counts import CumulativeCounts
from demine.statistics.definitions import TABLE, Value
from demine.statistics.figures import LayoutFigures, MomentFigures
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.recording_from_game import recording_from_game
from demine.statistics.recording_type import Recording

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from demine.statistics.played_recording import PlayedRecording


class Statistics(Mapping[str, Value]):
    """Statistics by name, as items and as attributes; each is computed when it is asked for.

    The value is None where a definition has none, such as a speed in no time. Statistics that take
    long (`rzini`, `zini_chain`) are available by name but not listed. The text has a line
    `name: value` for each, which `Statistics.parse` reads back.
    """

    def __init__(
        self, layout: LayoutFigures | None = None, moment: MomentFigures | None = None
    ) -> None:
        self._layout = layout
        self._moment = moment
        self._values: dict[str, Value] = {}
        self._names = tuple(
            name
            for name, row in TABLE.items()
            if layout is not None and (moment is not None or row.about == "board") and not row.slow
        )

    def __getitem__(self, name: str) -> Value:
        if name not in self._values:
            self._values[name] = self._compute(name)
        return self._values[name]

    def _compute(self, name: str) -> Value:
        row = TABLE[name]
        if row.board is not None and self._layout is not None:
            return row.board(self._layout)
        if row.game is not None and self._moment is not None:
            return row.game(self._moment)
        raise KeyError(name)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no statistic {name!r} here") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names})

    def __str__(self) -> str:
        return "\n".join(f"{name}: {json.dumps(value)}" for name, value in self.items())

    def __repr__(self) -> str:
        return f"Statistics.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks."""
        rows = ((name, "–" if value is None else f"{value:.7g}") for name, value in self.items())
        cells = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
        return f"<table>{cells}</table>"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the statistics in a text that `str` made; raises `LayoutError` for others."""
        made = cls()
        for line in text.splitlines():
            name, colon, value = line.partition(": ")
            if not colon or name not in TABLE or name in made._values:
                raise LayoutError("{text} is not a statistic", text=repr(line)[:80])
            made._values[name] = _parse_value(value)
        made._names = tuple(made._values)
        return made


def _parse_value(text: str) -> Value:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise LayoutError("{text} is not a number", text=repr(text)[:80])


def stats(subject: Game | Recording | ArrayLike, at: int | None = None) -> Statistics:
    """Return the statistics of a game, a recording, or a layout, bool `(height, width)`.

    `at` is a moment, in milliseconds after the first cell opened; None is the end. A layout has no
    moments, and only the statistics about boards. docs/statistics.md defines every name. Raises
    `LayoutError` for what is not a mine map and for a game whose mines are not laid.
    """
    if isinstance(subject, Game):
        subject = recording_from_game(subject)
    if isinstance(subject, Recording):
        return Timeline(subject).at(at)
    return Statistics(LayoutFigures(LayoutRegions.of(subject)))


class Timeline:
    """A played recording whose statistics at any moment are looked up quickly."""

    def __init__(self, subject: Game | Recording, played: PlayedRecording | None = None) -> None:
        """`played` is what `play_recording` returned for a recording, if that is known."""
        recording = recording_from_game(subject) if isinstance(subject, Game) else subject
        self.cumulative = CumulativeCounts(recording, played)
        self._layout = LayoutFigures(self.cumulative.regions)

    @property
    def end_ms(self) -> int:
        """The end of the game, in milliseconds after the first opened cell."""
        return self.cumulative.played.time_ms

    def at(self, ms: int | None = None) -> Statistics:
        """Return the statistics at a moment, in milliseconds after the first opened cell."""
        return Statistics(self._layout, MomentFigures(self.cumulative, self._layout, ms))
