"""The table of all statistics: names, texts, definitions and how each is computed.

A statistic is declared once, as an attribute of `Statistics`; its type is that of what computes it.
`demine.stats`, docs/statistics.md, the counters and every column with a statistic's name are made
from it. Where other programs define one name differently, each definition has its own name here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log, sqrt
from types import MappingProxyType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Never,
    NoReturn,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from demine.logic.errors import LayoutError, mark
from demine.logic.json_text import JsonTwin
from demine.statistics.figures import LayoutFigures, MomentFigures, product, quotient
from demine.statistics.played_recording import Click
from demine.statistics.zini_variants import MOST_CELLS

Value: TypeAlias = int | float | None
"""None where a definition has no value, for example because it would divide by zero."""

V_co = TypeVar("V_co", bound=Value, covariant=True)
"""The type of one statistic's values."""

_Others: TypeAlias = Mapping[str, Any]
"""Other statistics of the same moment, by name."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Statistic(Generic[V_co]):
    """One statistic, computed from a layout, a moment of a game, or other statistics of a game.

    It is declared as an attribute of `Statistics`, takes its name from there, and is read there.
    """

    name: str = field(init=False, default="")
    """Its name in programs, files and formulas: that of the attribute."""
    title_message: str
    """Its name on screens; a message id if it is translated."""
    explanation_message: str
    """A sentence for players that explains it; a message id."""
    definition: str
    """The exact definition, in terms of the names of other statistics."""
    source: str
    board: Callable[[LayoutFigures], V_co] | None = None
    game: Callable[[MomentFigures], V_co] | None = None
    others: Callable[[_Others], V_co] | None = None
    """Takes the statistics of the same moment, by name."""
    unit: str = ""
    """Empty for a count or a plain number."""
    none_if: str = ""
    """When there is no value; empty if there always is one."""
    whole: bool = False
    """Whether all its values are whole numbers."""
    slow: bool = False
    """Whether it is computed only when asked for by name."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """The values of the placeholders in the messages."""

    def __post_init__(self) -> None:
        texts = (self.title_message, self.explanation_message, self.definition, self.source)
        rules = (self.board, self.game, self.others)
        if not all(texts) or rules.count(None) != len(rules) - 1:
            raise ValueError(f"something of the statistic {self.title_message!r} is missing")

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)
        unit = f", in {self.unit}" if self.unit else ""
        none = f" None if {self.none_if}." if self.none_if else ""
        # What `help` shows of an attribute.
        explanation = self.explanation_message.format(**self.parameters)
        object.__setattr__(self, "__doc__", f"{explanation}\n\n{self.definition}{unit}.{none}")

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: Statistics, owner: type) -> V_co: ...
    def __get__(self, of: Statistics | None, owner: type) -> Self | V_co:
        if of is None:
            return self
        try:
            return cast("V_co", of[self.name])
        except KeyError:
            raise AttributeError(f"there is no statistic {self.name!r} here") from None

    def __set__(self, of: Statistics, value: Never) -> NoReturn:
        raise AttributeError(f"the statistic {self.name!r} is computed: it cannot be set")

    @property
    def about(self) -> Literal["board", "game"]:
        """Whether it is computed from a layout alone or from a game."""
        return "game" if self.board is None else "board"

    def compute(self, known: _KnownStatistics) -> V_co:
        """Return its value; raises KeyError without the figures it is computed from."""
        moment, layout = known.moment, known.layout
        if moment is not None:
            if self.others is not None:
                return self.others(known)
            if self.game is not None:
                return self.game(moment)
        if self.board is not None and layout is not None:
            return self.board(layout)
        raise KeyError(self.name)

    def title(self) -> str:
        """Return its name on screens, in the current language."""
        from demine.scene.translation import tr

        return tr(self.title_message, **self.parameters)

    def explanation(self) -> str:
        """Return its explanation in the current language, followed by its name in formulas."""
        from demine.scene.translation import tr

        return f"{tr(self.explanation_message, **self.parameters)} ({self.name})"


class _KnownStatistics(dict[str, Value]):
    """The statistics known so far, by name; those that are not are computed on access."""

    __slots__ = ("layout", "moment")

    def __init__(
        self, layout: LayoutFigures | None = None, moment: MomentFigures | None = None
    ) -> None:
        super().__init__()
        self.layout = layout
        self.moment = moment

    def __missing__(self, name: str) -> Value:
        value = self[name] = TABLE[name].compute(self)
        return value


_PRO = "minesweepergame.com"
_RAW = "RawVF tools"
_MET = "ms_toollib"
_OPENMS = "openms"
_ARBITER = "Arbiter"
_LLAMA = "LlamaSweeper"
_WOM = "minesweeper.online"

_TOO_LARGE = f"the board has more than {MOST_CELLS} cells"


def _board_count(
    title: str, explanation: str, definition: str, source: str,
    value: Callable[[LayoutFigures], V_co], *, slow: bool = False, none_if: str = "",
) -> Statistic[V_co]:  # fmt: skip
    """Return a statistic of whole numbers about a layout."""
    return Statistic(
        title_message=title, explanation_message=explanation, definition=definition,
        source=source, board=value, whole=True, slow=slow, none_if=none_if,
    )  # fmt: skip


def _count(
    title: str, explanation: str, definition: str, source: str,
    value: Callable[[MomentFigures], int],
) -> Statistic[int]:  # fmt: skip
    """Return a statistic of whole numbers about a game."""
    return Statistic(
        title_message=title, explanation_message=explanation, definition=definition,
        source=source, game=value, whole=True,
    )  # fmt: skip


def _sum(
    title: str, explanation: str, definition: str, source: str, value: Callable[[_Others], int]
) -> Statistic[int]:
    """Return a statistic of whole numbers about a game, made from others."""
    return Statistic(
        title_message=title, explanation_message=explanation, definition=definition,
        source=source, others=value, whole=True,
    )  # fmt: skip


def _figure(
    unit: str, title: str, explanation: str, definition: str, source: str,
    value: Callable[[MomentFigures], V_co], *, none_if: str = "",
) -> Statistic[V_co]:  # fmt: skip
    """Return a statistic about a game that is not a count."""
    return Statistic(
        title_message=title, explanation_message=explanation, definition=definition,
        source=source, game=value, unit=unit, none_if=none_if,
    )  # fmt: skip


def _derived(
    unit: str, title: str, explanation: str, definition: str, source: str,
    value: Callable[[_Others], V_co], *, none_if: str = "",
) -> Statistic[V_co]:  # fmt: skip
    """Return a statistic about a game that is no count, made from others."""
    return Statistic(
        title_message=title, explanation_message=explanation, definition=definition,
        source=source, others=value, unit=unit, none_if=none_if,
    )  # fmt: skip


def _quotient(
    unit: str, title: str, explanation: str, above: str, below: str, source: str
) -> Statistic[float | None]:  # fmt: skip
    """Return the statistic `above / below`, both names of statistics that have values."""
    return _derived(
        unit, title, explanation, f"{above} / {below}", source,
        lambda its: quotient(its[above], its[below]), none_if=f"{below} is 0",
    )  # fmt: skip


def _part_done(
    unit: str, title: str, explanation: str, whole: str, below: str
) -> Statistic[float | None]:  # fmt: skip
    """Return the statistic `whole · completion / below`; `whole` is about the layout."""
    return _derived(
        unit, title, explanation, f"{whole} · completion / {below}", _RAW,
        lambda its: quotient(product(its[whole], its["completion"]), its[below]),
        none_if=f"bv or {below} is 0",
    )  # fmt: skip


def _cells_of_number(number: int) -> Statistic[int]:
    return Statistic(
        title_message=mark("Cells that show {number}"),
        explanation_message=mark("Safe cells with this many mines around them."),
        definition=f"safe cells that show {number}", source=_PRO, whole=True,
        board=lambda b: b.regions.cells_by_number[number], parameters={"number": number},
    )  # fmt: skip


_OBV: Final = {1: (0.07, 0.43, 2.27), 2: (0.20, 0.32, 1.38), 3: (0.38, 0.23, 0.99)}


def _obv(layout: LayoutFigures) -> float | None:
    if not layout.level:
        return None
    cells, bv, openings = _OBV[layout.level]
    regions = layout.regions
    return cells * regions.mines.size + bv * layout.bv + openings * regions.openings


def _cpo(its: _Others, effective: int) -> float | None:
    return quotient(effective - its["bv"], its["openings"])


def _plus_one(value: float | None) -> float | None:
    return None if value is None else value + 1


def _stnb(moment: MomentFigures, factors: tuple[float, float, float]) -> float | None:
    if not moment.layout.level:
        return 0.0
    share, speed = moment.completion_share, quotient(moment.bv_solved, moment.time_s**1.7)
    if share is None or speed is None:
        return None
    return factors[moment.layout.level - 1] * speed * sqrt(share)


def _log(value: float) -> float | None:
    return log(value) if value > 0 else None


def _rv(moment: MomentFigures) -> float | None:
    factor = {2: 30.0, 3: 100.0}.get(moment.layout.level)
    rqp = quotient(moment.time_s + 1, quotient(moment.bv_solved, moment.time_s))
    return None if factor is None or rqp is None else sqrt(factor * rqp + 0.25) - 0.5


class Statistics(JsonTwin, Mapping[str, Value]):
    """Statistics by name, as items and as attributes; each is computed when it is asked for.

    The value is None where a definition has none, such as a speed in no time. Statistics that take
    long (`rzini`, `zini_chain`) are available by name but not listed. The text has a line
    `name: value` for each, which `Statistics.parse` reads back.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> its = demine.stats(game)
    >>> its.bv, its["openings"], its.ioe
    (21, 3, 1.0)
    >>> demine.Statistics.from_json(its.to_json()) == its
    True
    """

    # fmt: off
    # Layouts

    bv: Statistic[int] = _board_count(
        mark("3BV"), mark("Fewest left clicks that open the board without flags."),
        "3BV: openings + numbers that border on none", _PRO, lambda b: b.bv,
    )
    openings: Statistic[int] = _board_count(
        mark("Openings"), mark("Areas of connected empty cells."),
        "connected zeros, over corners too", _PRO, lambda b: b.regions.openings,
    )
    islands: Statistic[int] = _board_count(
        mark("Islands"),
        mark("Groups of connected numbers away from every opening."),
        "connected safe cells that belong to no opening, neither as zeros nor as its border",
        _PRO, lambda b: b.regions.islands,
    )
    cells0: Statistic[int] = _cells_of_number(0)
    cells1: Statistic[int] = _cells_of_number(1)
    cells2: Statistic[int] = _cells_of_number(2)
    cells3: Statistic[int] = _cells_of_number(3)
    cells4: Statistic[int] = _cells_of_number(4)
    cells5: Statistic[int] = _cells_of_number(5)
    cells6: Statistic[int] = _cells_of_number(6)
    cells7: Statistic[int] = _cells_of_number(7)
    cells8: Statistic[int] = _cells_of_number(8)
    numbers: Statistic[int] = _board_count(
        mark("Sum of numbers"), mark("The numbers of all safe cells added up."),
        "sum of the numbers of all safe cells", _OPENMS, lambda b: b.sum_of_numbers,
    )
    zini: Statistic[int] = _board_count(
        "ZiNi", mark("A low number of clicks with flags and chords, found greedily."),
        "G-ZiNi: greedy clearing with flags and chords", _RAW, lambda b: b.zini,
    )
    hzini: Statistic[int] = _board_count(
        "H-ZiNi", mark("Like ZiNi, but with all openings opened first."),
        "H-ZiNi: all openings are clicked first, only open cells chord", _RAW,
        lambda b: b.hzini,
    )
    rzini: Statistic[int] = _board_count(
        "R-ZiNi", mark("The lowest of 100 ZiNi counts that break ties at random."),
        "R-ZiNi: the least of 100 ZiNi that break ties at random", _MET, lambda b: b.rzini,
        slow=True,
    )

    # Layouts, for players of efficiency: they take long

    zini_8way: Statistic[int | None] = _board_count(
        mark("8-way ZiNi"),
        mark("The lowest of eight ZiNi counts, one for each scanning order."),
        "8-way ZiNi: the least of eight G-ZiNi, one for each order of looking", _LLAMA,
        lambda b: b.zini_8way, slow=True, none_if=_TOO_LARGE,
    )
    zini_chain: Statistic[int | None] = _board_count(
        mark("100-chain ZiNi"),
        mark("The fewest clicks in 100 clearings that join chords into chains."),
        "100-chain ZiNi: the least of 100 clearings that join chains of chords", _LLAMA,
        lambda b: b.zini_chain, slow=True, none_if=_TOO_LARGE,
    )
    hzini_wom: Statistic[int | None] = _board_count(
        "WoM H-ZiNi",
        mark("Like H-ZiNi, but looks one chord ahead, as minesweeper.online does."),
        "WoM H-ZiNi: H-ZiNi that looks one chord ahead where premiums are equal", _WOM,
        lambda b: b.hzini_wom, slow=True, none_if=_TOO_LARGE,
    )
    zini_wom: Statistic[int | None] = _board_count(
        "WoM ZiNi",
        mark("Like ZiNi, but looks one chord ahead, as minesweeper.online does."),
        "WoM ZiNi: the same with openings left closed and borders worth one less; hzini_wom "
        "where that is less",
        _WOM, lambda b: b.zini_wom, slow=True, none_if=_TOO_LARGE,
    )
    zini_wom_exact: Statistic[int | None] = _board_count(
        mark("WoM ZiNi improved"),
        mark("WoM ZiNi that counts every opening a number touches."),
        "WoM ZiNi improved: the same with borders worth all; hzini_wom where that is less",
        _LLAMA, lambda b: b.zini_wom_exact, slow=True, none_if=_TOO_LARGE,
    )
    max_efficiency: Statistic[float | None] = Statistic(
        title_message=mark("Maximum efficiency"),
        explanation_message=mark("3BV per click of the shortest known solution."),
        definition="bv / the least of zini_8way, zini_chain, zini_wom, zini_wom_exact",
        source=_LLAMA, board=lambda b: b.max_efficiency, slow=True, none_if=_TOO_LARGE,
    )
    obv: Statistic[float | None] = Statistic(
        title_message=mark("OBV"),
        explanation_message=mark(
            "Difficulty from cells, 3BV and openings; only for the levels."
        ),
        definition="0.07·cells + 0.43·bv + 2.27·openings on beginner, 0.20, 0.32, 1.38 on "
        "intermediate, 0.38, 0.23, 0.99 on expert",
        source="minesweeper-docs", board=_obv, none_if="the board is none of the levels",
    )

    # Times

    time: Statistic[float] = _figure(
        "s", mark("Time"), mark("From the first opened cell to the end."),
        "from the event that opens the first cell to the one that ends the game, or to the "
        "last",
        _PRO, lambda m: m.time_s,
    )
    time_legacy: Statistic[float] = _derived(
        "s", mark("Time as in Winmine"),
        mark("The time plus one second."), "time + 1, as Winmine counts", _ARBITER,
        lambda its: its["time"] + 1,
    )
    bv_solved: Statistic[int] = _count(
        mark("3BV done"), mark("The part of the 3BV that is open."),
        "openings whose zeros are all open + open numbers that border on none", _RAW,
        lambda m: m.bv_solved,
    )
    openings_solved: Statistic[int] = _count(
        mark("Openings done"), mark("Openings that are fully open."),
        "openings whose zeros are all open", _RAW, lambda m: m.solved.openings,
    )
    islands_solved: Statistic[int] = _count(
        mark("Islands done"), mark("Islands that are fully open."),
        "islands that are all open", _RAW, lambda m: m.solved.islands,
    )
    completion: Statistic[float | None] = _quotient(
        "", mark("Done"), mark("3BV done as a share of the whole 3BV."),
        "bv_solved", "bv", _OPENMS,
    )
    bv_s: Statistic[float | None] = _quotient(
        "1/s", mark("3BV/s"), mark("3BV done per second."), "bv_solved", "time", _PRO
    )
    etime: Statistic[float | None] = _derived(
        "s", mark("Estimated time"),
        mark("The time the whole board would take at this speed."),
        "time · bv / bv_solved", _RAW, lambda its: quotient(its["time"], its["completion"]),
        none_if="bv_solved is 0",
    )

    # Clicks

    left: Statistic[int] = _count(
        mark("Left clicks"), mark("Left releases, including those outside the board."),
        "left releases that may open a cell, outside the board as well", _MET,
        lambda m: m.left_clicks,
    )
    left_inside: Statistic[int] = _count(
        mark("Left clicks inside"), mark("Left clicks on the board."),
        "left without the releases outside the board", _RAW,
        lambda m: m.left_clicks - m.counts[Click.LEFT_OUTSIDE],
    )
    right: Statistic[int] = _count(
        mark("Right clicks"), mark("Right presses that do not start a chord."),
        "right presses, less those that begin a chord on a cell they could not mark", _PRO,
        lambda m: m.right_clicks,
    )
    double: Statistic[int] = _count(
        mark("Double clicks"), mark("Chords on the board."),
        "chords on the board", _PRO, lambda m: m.double_clicks,
    )
    clicks: Statistic[int] = _sum(
        mark("Clicks"), mark("Left, right and double clicks together."),
        "left + right + double", _PRO, lambda its: its["left"] + its["right"] + its["double"],
    )
    left_effective: Statistic[int] = _count(
        mark("Effective left clicks"), mark("Left clicks that open a cell."),
        "left clicks that open a cell", _PRO, lambda m: m.effective_left_clicks,
    )
    double_effective: Statistic[int] = _count(
        mark("Effective double clicks"), mark("Chords that open a cell."),
        "double clicks that open a cell, be it a mine", _PRO,
        lambda m: m.effective_double_clicks,
    )
    right_effective_arbiter: Statistic[int] = _count(
        mark("Effective right clicks (Arbiter)"),
        mark("Right clicks that change the board."),
        "right clicks that change the board", _ARBITER, lambda m: m.changing_right_clicks,
    )
    effective_arbiter: Statistic[int] = _sum(
        mark("Effective clicks (Arbiter)"),
        mark("Clicks that change the board."),
        "left_effective + right_effective_arbiter + double_effective", _ARBITER,
        lambda its: its["left_effective"] + its["right_effective_arbiter"]
        + its["double_effective"],
    )
    wasted_arbiter: Statistic[int] = _sum(
        mark("Wasted clicks (Arbiter)"),
        mark("Clicks that do not change the board."), "clicks - effective_arbiter", _ARBITER,
        lambda its: its["clicks"] - its["effective_arbiter"],
    )
    right_effective_strict: Statistic[int] = _count(
        mark("Effective right clicks (strict)"),
        mark("Right clicks that are the first to flag a mine."),
        "right clicks that are the first to flag a mine; before the first open each mine "
        "counts anew once no flag stands, and what was counted stays",
        _MET, lambda m: m.first_flags_on_mines,
    )
    effective_strict: Statistic[int] = _sum(
        mark("Effective clicks (strict)"),
        mark("Clicks that open cells or are the first to flag a mine."),
        "left_effective + right_effective_strict + double_effective", _MET,
        lambda its: its["left_effective"] + its["right_effective_strict"]
        + its["double_effective"],
    )
    wasted_strict: Statistic[int] = _sum(
        mark("Wasted clicks (strict)"), mark("All other clicks."),
        "clicks - effective_strict", _MET, lambda its: its["clicks"] - its["effective_strict"],
    )
    left_wasted: Statistic[int] = _sum(
        mark("Wasted left clicks"), mark("Left clicks that open nothing."),
        "left - left_effective", _RAW, lambda its: its["left"] - its["left_effective"],
    )
    double_wasted: Statistic[int] = _sum(
        mark("Wasted double clicks"), mark("Chords that open nothing."),
        "double - double_effective", _RAW,
        lambda its: its["double"] - its["double_effective"],
    )
    left_s: Statistic[float | None] = _quotient(
        "1/s", mark("Left clicks/s"), mark("Left clicks per second."),
        "left", "time", _PRO,
    )
    right_s: Statistic[float | None] = _quotient(
        "1/s", mark("Right clicks/s"), mark("Right clicks per second."),
        "right", "time", _PRO,
    )
    double_s: Statistic[float | None] = _quotient(
        "1/s", mark("Double clicks/s"), mark("Double clicks per second."),
        "double", "time", _PRO,
    )
    clicks_s: Statistic[float | None] = _quotient(
        "1/s", mark("Clicks/s"), mark("Clicks per second."),
        "clicks", "time", _PRO,
    )
    effective_arbiter_s: Statistic[float | None] = _quotient(
        "1/s", mark("Effective clicks/s (Arbiter)"),
        mark("Effective clicks (Arbiter) per second."), "effective_arbiter", "time", _PRO,
    )
    effective_strict_s: Statistic[float | None] = _quotient(
        "1/s", mark("Effective clicks/s (strict)"),
        mark("Effective clicks (strict) per second."), "effective_strict", "time", _PRO,
    )

    # Efficiency

    ioe: Statistic[float | None] = _quotient(
        "", "IOE", mark("Index of efficiency: 3BV done per click."),
        "bv_solved", "clicks", _PRO,
    )
    zini_s: Statistic[float | None] = _part_done(
        "1/s", "ZiNi/s", mark("ZiNi done per second."), "zini", "time",
    )
    zne: Statistic[float | None] = _part_done(
        "", "ZNE", mark("ZiNi done per click."), "zini", "clicks",
    )
    hzini_s: Statistic[float | None] = _part_done(
        "1/s", "H-ZiNi/s", mark("H-ZiNi done per second."), "hzini", "time",
    )
    hzne: Statistic[float | None] = _part_done(
        "", "HZNE", mark("H-ZiNi done per click."), "hzini", "clicks",
    )
    corr_arbiter: Statistic[float | None] = _quotient(
        "", "Corr (Arbiter)",
        mark("Effective clicks (Arbiter) as a share of all clicks."),
        "effective_arbiter", "clicks", _PRO,
    )
    thrp_arbiter: Statistic[float | None] = _quotient(
        "", "ThrP (Arbiter)",
        mark("3BV done per effective click (Arbiter)."),
        "bv_solved", "effective_arbiter", _PRO,
    )
    znt_arbiter: Statistic[float | None] = _part_done(
        "", "ZNT (Arbiter)",
        mark("ZiNi done per effective click (Arbiter)."), "zini", "effective_arbiter",
    )
    hznt_arbiter: Statistic[float | None] = _part_done(
        "", "HZNT (Arbiter)",
        mark("H-ZiNi done per effective click (Arbiter)."), "hzini", "effective_arbiter",
    )
    cpo_arbiter: Statistic[float | None] = _derived(
        "", "CPO (Arbiter)",
        mark("Effective clicks (Arbiter) beyond the 3BV, per opening."),
        "(effective_arbiter - bv) / openings", _OPENMS,
        lambda its: _cpo(its, its["effective_arbiter"]),
        none_if="openings is 0",
    )
    coo_arbiter: Statistic[float | None] = _derived(
        "", "COO (Arbiter)", mark("CPO (Arbiter) plus one."),
        "cpo_arbiter + 1", _OPENMS, lambda its: _plus_one(its["cpo_arbiter"]),
        none_if="openings is 0",
    )
    corr_strict: Statistic[float | None] = _quotient(
        "", "Corr", mark("Effective clicks (strict) as a share of all clicks."),
        "effective_strict", "clicks", _PRO,
    )
    thrp_strict: Statistic[float | None] = _quotient(
        "", "ThrP",
        mark("Throughput: 3BV done per effective click (strict)."),
        "bv_solved", "effective_strict", _PRO,
    )
    znt_strict: Statistic[float | None] = _part_done(
        "", "ZNT", mark("ZiNi done per effective click (strict)."),
        "zini", "effective_strict",
    )
    hznt_strict: Statistic[float | None] = _part_done(
        "", "HZNT", mark("H-ZiNi done per effective click (strict)."),
        "hzini", "effective_strict",
    )
    cpo_strict: Statistic[float | None] = _derived(
        "", "CPO",
        mark("Effective clicks (strict) beyond the 3BV, per opening."),
        "(effective_strict - bv) / openings", _OPENMS,
        lambda its: _cpo(its, its["effective_strict"]),
        none_if="openings is 0",
    )
    coo_strict: Statistic[float | None] = _derived(
        "", "COO", mark("CPO plus one."),
        "cpo_strict + 1", _OPENMS, lambda its: _plus_one(its["cpo_strict"]),
        none_if="openings is 0",
    )

    # Flags

    flags: Statistic[int] = _count(
        mark("Flags"), mark("Flags on the board."), "flags that stand", _MET,
        lambda m: m.standing_flags,
    )
    flags_set: Statistic[int] = _count(
        mark("Flags set"), mark("All flags set."), "flags that were set",
        _RAW, lambda m: m.flags_set,
    )
    flags_wasted: Statistic[int] = _count(
        mark("Wasted flags"), mark("Flags set that no chord used."),
        "flags set that no chord used that opened a cell", _RAW, lambda m: m.flags_wasted,
    )
    unflags: Statistic[int] = _count(
        mark("Flags removed"), mark("All flags removed."),
        "flags that were taken off", _RAW, lambda m: m.flags_removed,
    )
    misflags: Statistic[int] = _count(
        mark("Wrong flags"), mark("Flags that were set on safe cells."),
        "flags that were set on safe cells", _RAW,
        lambda m: m.flags_set_on_safe_cells,
    )
    misunflags: Statistic[int] = _count(
        mark("Wrong flags removed"), mark("Flags removed from safe cells."),
        "flags that were taken off safe cells", _RAW,
        lambda m: m.flags_removed_from_safe_cells,
    )
    half_clicks: Statistic[int] = _count(
        mark("1.5-clicks"),
        mark("Chords that start with the right press that set a flag."),
        "1.5-clicks: chords that open a cell and begin with the right press that set a flag, "
        "each press once",
        _MET, lambda m: m.half_clicks,
    )
    half_clicks_rawvf: Statistic[int] = _count(
        mark("1.5-clicks (RawVF)"),
        mark("Chords while the right button that marked is held."),
        "1.5-clicks: chords by a left release, effective or not, while the right button is "
        "held that changed a mark when it came down",
        _RAW, lambda m: m.half_clicks_rawvf,
    )

    # Paths

    path: Statistic[float] = _figure(
        "px", mark("Path"),
        mark("How far the pointer travelled, at 16 pixels per cell."),
        "the pointer's way at 16 pixels a cell from the first open on, in straight lines "
        "between the points on the board",
        _MET, lambda m: m.straight_path_px,
    )
    path_manhattan: Statistic[float] = _figure(
        "px", mark("Horizontal and vertical path"),
        mark("The same, counted along rows and columns."),
        "the same with every line along the axes", _RAW, lambda m: m.path_along_axes_px,
    )
    click_path: Statistic[float] = _figure(
        "px", mark("Path between clicks"),
        mark("Straight lines from click to click."),
        "straight lines between the points of the clicks", _OPENMS,
        lambda m: m.click_path_px,
    )
    effective_path: Statistic[float] = _figure(
        "px", mark("Path between effective clicks"),
        mark("Straight lines between the cells of effective clicks."),
        "straight lines between the centres of the cells of clicks that effective_strict "
        "counts",
        _OPENMS, lambda m: m.effective_path_px,
    )
    mov: Statistic[float | None] = _quotient(
        "px/s", mark("Pointer speed"), mark("The path per second."),
        "path", "time", _OPENMS,
    )
    iome: Statistic[float | None] = _quotient(
        "1/px", "IOME", mark("3BV done per pixel of the path."),
        "bv_solved", "path", _OPENMS,
    )
    sao: Statistic[float | None] = _derived(
        "px/s²", "SAO", mark("Pointer speed times effective clicks per second."),
        "mov · effective_strict_s", _OPENMS,
        lambda its: product(its["mov"], its["effective_strict_s"]),
        none_if="time is 0",
    )

    # Ratings

    rqp: Statistic[float | None] = _derived(
        "s²", "RQP", mark("Time plus one second, divided by 3BV/s; lower is better."),
        "(time + 1) / bv_s; the world ranking prints its time, which is time + 1",
        _OPENMS, lambda its: quotient(its["time"] + 1, its["bv_s"]),
        none_if="time or bv_solved is 0",
    )
    rqp_square: Statistic[float | None] = _derived(
        "s²", mark("RQP (square)"),
        mark("The square of the time, divided by 3BV done."),
        "time² / bv_solved", _MET,
        lambda its: quotient(its["time"] * its["time"], its["bv_solved"]),
        none_if="bv_solved is 0",
    )
    qg: Statistic[float | None] = _derived(
        "s^1.7", "QG",
        mark("Time to the power of 1.7, divided by 3BV done; lower is better."),
        "time^1.7 / bv_solved", _OPENMS, lambda its: quotient(its["time"] ** 1.7, its["bv_solved"]),
        none_if="bv_solved is 0",
    )
    stnb: Statistic[float | None] = _figure(
        "", "STNB", mark("3BV done divided by time to the power of 1.7, rescaled."),
        "K · bv_solved / time^1.7 · √completion with K = 36, 162, 435 for beginner (8x8/10), "
        "intermediate, expert; 0 on other boards",
        f"{_OPENMS}, since 13 September 2023", lambda m: _stnb(m, (36.0, 162.0, 435.0)),
        none_if="time is 0",
    )
    stnb_arbiter: Statistic[float | None] = _figure(
        "", "STNB (Arbiter)",
        mark("The same with the constants used before 2023."),
        "the same with K = 47.299, 153.73, 435.001", f"{_ARBITER} formulas, before 2023",
        lambda m: _stnb(m, (47.299, 153.73, 435.001)),
        none_if="time is 0",
    )
    ios: Statistic[float | None] = _derived(
        "", "IOS",
        mark("Index of speed: logarithm of 3BV done divided by that of the time."),
        "log bv_solved / log time; grows with skill", _OPENMS,
        lambda its: quotient(_log(its["bv_solved"]), _log(its["time"])),
        none_if="time or bv_solved is 0, or time is 1",
    )
    ios_inverse: Statistic[float | None] = _derived(
        "", mark("IOS inverse"),
        mark("Logarithm of the time divided by that of 3BV done."),
        "log time / log bv_solved; shrinks with skill", _PRO,
        lambda its: quotient(_log(its["time"]), _log(its["bv_solved"])),
        none_if="time is 0, or bv_solved is 0 or 1",
    )
    rv: Statistic[float | None] = _figure(
        "", "RV", mark("A rating made from RQP; only for intermediate and expert."),
        "√(B · rqp + 0.25) - 0.5 with B = 30 on intermediate, 100 on expert", _OPENMS, _rv,
        none_if="the board is neither intermediate nor expert, or time or bv_solved is 0",
    )
    obg: Statistic[float | None] = _derived(
        "1/s", "OBG", mark("3BV/s divided by the sum of numbers, times 10000."),
        "10000 · bv_s / numbers", _OPENMS,
        lambda its: quotient(product(10000, its["bv_s"]), its["numbers"]),
        none_if="time or numbers is 0",
    )
    # fmt: on

    def __init__(
        self, layout: LayoutFigures | None = None, moment: MomentFigures | None = None
    ) -> None:
        self._values = _KnownStatistics(layout, moment)
        names = _LISTED_OF_LAYOUTS if moment is None else _LISTED
        self._names: tuple[str, ...] = () if layout is None else names

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

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
        values: dict[str, object] = {}
        for line in text.splitlines():
            name, colon, value = line.partition(": ")
            if not colon or name in values:
                raise _no_statistic(line)
            values[name] = _parse_json(value)
        return cls.from_dict(values)

    def to_dict(self) -> dict[str, Value]:
        """Return the statistics that are listed, by name."""
        return dict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        """Return the statistics that `to_dict` told; raises `LayoutError` for anything else."""
        made = cls()
        for name, value in values.items():
            if name not in TABLE:
                raise _no_statistic(name)
            made._values[name] = _checked_value(value)
        made._names = tuple(made._values)
        return made


def _no_statistic(text: str) -> LayoutError:
    unknown = LayoutError("{text} is not a statistic", text=repr(text)[:80])
    return unknown.with_suggestion(text, TABLE)


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _checked_value(value: object) -> Value:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise LayoutError("{text} is not a number", text=repr(value)[:80])


TABLE: Final[Mapping[str, Statistic[Value]]] = MappingProxyType(
    {name: each for name, each in vars(Statistics).items() if isinstance(each, Statistic)}
)
"""Every statistic by its name, in the order of files and tables."""

_LISTED: Final = tuple(name for name, row in TABLE.items() if not row.slow)
_LISTED_OF_LAYOUTS: Final = tuple(name for name in _LISTED if TABLE[name].about == "board")
_LOOKED_FOR: Final = ("time", "bv", "bv_s", "ioe", "clicks", "clicks_s")

OF_ONE_GAME: Final = (
    *_LOOKED_FOR,
    *(name for name in _LISTED if name not in _LOOKED_FOR),
)
"""The names of the quick statistics as a player reads them: what most look for comes first."""
