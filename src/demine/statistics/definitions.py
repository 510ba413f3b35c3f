"""The one table of statistics: name, unit, definition, source, and how it is worked out.

`demine.stats`, docs/statistics.md and every column with a statistic's name are made from it. Where
the field has several definitions under one name, each has a name of its own here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import log, sqrt
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from demine.statistics.course import Click
from demine.statistics.moment import Layout, Moment, per

Value: TypeAlias = int | float | None
"""None where a definition has no value: it would divide by zero, say."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic; `about` says whether a layout is enough for it or a game is needed."""

    name: str
    about: Literal["board", "game"]
    unit: str
    """Empty for a count or a plain number."""
    definition: str
    source: str
    board: Callable[[Layout], Value] | None = None
    game: Callable[[Moment], Value] | None = None
    slow: bool = False
    """Whether it is worked out only when asked for by name."""

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers, wherever it has one."""
        return not self.unit and self.name not in _FRACTIONS


_FRACTIONS: Final = frozenset({
    "obv", "max_efficiency", "completion", "ioe", "zne", "hzne", "stnb", "stnb_arbiter", "ios",
    "ios_inverse", "rv",
    *(f"{name}_{rule}" for name in ("corr", "thrp", "znt", "hznt", "cpo", "coo")
      for rule in ("arbiter", "strict")),
})  # fmt: skip
"""The figures without a unit that are no counts."""


_PRO = "minesweepergame.com"
_RAW = "RawVF tools"
_MET = "ms_toollib"
_OPENMS = "openms"
_ARBITER = "Arbiter"
_LLAMA = "LlamaSweeper"
_WOM = "minesweeper.online"


def _board() -> Iterator[Statistic]:
    def row(
        name: str, definition: str, board: Callable[[Layout], Value], source: str = _PRO,
        *, slow: bool = False,
    ) -> Statistic:  # fmt: skip
        return Statistic(name, "board", "", definition, source, board=board, slow=slow)

    yield row("bv", "3BV: openings + numbers that border on none", lambda b: b.bv)
    yield row("openings", "connected zeros, over corners too", lambda b: b.ground.openings)
    yield row(
        "islands",
        "connected safe cells that belong to no opening, neither as zeros nor as its border",
        lambda b: b.ground.islands,
    )
    for number in range(9):
        yield row(
            f"cells{number}",
            f"safe cells that show {number}",
            lambda b, number=number: b.ground.cells_by_number[number],  # type: ignore[misc]
        )
    yield row("numbers", "sum of the numbers of all safe cells", _numbers, _OPENMS)
    yield row("zini", "G-ZiNi: greedy clearing with flags and chords", lambda b: b.zini, _RAW)
    yield row(
        "hzini", "H-ZiNi: all openings are clicked first, only open cells chord",
        lambda b: b.hzini, _RAW,
    )  # fmt: skip
    yield row(
        "rzini", "R-ZiNi: the least of 100 ZiNi that break ties at random",
        lambda b: b.rzini, _MET, slow=True,
    )  # fmt: skip
    yield from _efficient()
    yield row(
        "obv",
        "0.07·cells + 0.43·bv + 2.27·openings on beginner, 0.20, 0.32, 1.38 on intermediate, "
        "0.38, 0.23, 0.99 on expert",
        _obv,
        "minesweeper-docs",
    )


def _efficient() -> Iterator[Statistic]:
    """Yield the figures of efficiency players: they take long, and huge boards have none."""
    rows: tuple[tuple[str, str, Callable[[Layout], Value], str], ...] = (
        ("zini_8way", "8-way ZiNi: the least of eight G-ZiNi, one for each order of looking",
         lambda b: b.zini_8way, _LLAMA),
        ("zini_chain", "100-chain ZiNi: the least of 100 clearings that join chains of chords",
         lambda b: b.zini_chain, _LLAMA),
        ("hzini_wom", "WoM H-ZiNi: H-ZiNi that looks one chord ahead where premiums are equal",
         lambda b: b.hzini_wom, _WOM),
        ("zini_wom",
         ("WoM ZiNi: the same with openings left closed and borders worth one less; hzini_wom "
          "where that is less"),
         lambda b: b.zini_wom, _WOM),
        ("zini_wom_exact",
         "WoM ZiNi improved: the same with borders worth all; hzini_wom where that is less",
         lambda b: b.zini_wom_exact, _LLAMA),
        ("max_efficiency", "bv / the least of zini_8way, zini_chain, zini_wom, zini_wom_exact",
         lambda b: b.max_efficiency, _LLAMA),
    )  # fmt: skip
    for name, definition, least, source in rows:
        yield Statistic(name, "board", "", definition, source, board=least, slow=True)


def _numbers(layout: Layout) -> int:
    return sum(number * count for number, count in enumerate(layout.ground.cells_by_number))


_OBV: Final = {1: (0.07, 0.43, 2.27), 2: (0.20, 0.32, 1.38), 3: (0.38, 0.23, 0.99)}


def _obv(layout: Layout) -> float | None:
    if not layout.level:
        return None
    cells, bv, openings = _OBV[layout.level]
    ground = layout.ground
    return cells * ground.mines.size + bv * layout.bv + openings * ground.openings


def _game() -> Iterator[Statistic]:
    yield from _times()
    yield from _clicks()
    yield from _efficiency()
    yield from _flags()
    yield from _ways()
    yield from _ratings()


def _row(
    name: str, unit: str, definition: str, source: str, game: Callable[[Moment], Value]
) -> Statistic:
    return Statistic(name, "game", unit, definition, source, game=game)


def _times() -> Iterator[Statistic]:
    yield _row(
        "time", "s",
        "from the event that opens the first cell to the one that ends the game, or to the last",
        _PRO, lambda m: m.time,
    )  # fmt: skip
    yield _row("time_legacy", "s", "time + 1, as Winmine counts", _ARBITER, lambda m: m.time + 1)
    yield _row(
        "bv_solved", "",
        "openings whose zeros are all open + open numbers that border on none", _RAW,
        lambda m: m.bv_solved,
    )  # fmt: skip
    yield _row(
        "openings_solved", "", "openings whose zeros are all open", _RAW, lambda m: m.solved[0]
    )
    yield _row("islands_solved", "", "islands that are all open", _RAW, lambda m: m.solved[1])
    yield _row("completion", "", "bv_solved / bv", _OPENMS, lambda m: m.completion)
    yield _row("bv_s", "1/s", "bv_solved / time", _PRO, lambda m: m.bv_s)
    yield _row("etime", "s", "time · bv / bv_solved", _RAW, lambda m: per(m.time, m.completion))


_STRICT_WORDS: Final = (
    "are the first to flag a mine; before the first open each mine counts anew once no flag "
    "stands, and what was counted stays"
)


def _clicks() -> Iterator[Statistic]:
    yield _row(
        "left", "", "left releases that may open a cell, outside the board as well", _MET,
        lambda m: m.left,
    )  # fmt: skip
    yield _row(
        "left_inside", "", "left without the releases outside the board", _RAW,
        lambda m: m.left - m.counts[Click.LEFT_OUTSIDE],
    )  # fmt: skip
    yield _row(
        "right", "",
        "right presses, less those that begin a chord on a cell they could not mark", _PRO,
        lambda m: m.right,
    )  # fmt: skip
    yield _row("double", "", "chords on the board", _PRO, lambda m: m.double)
    yield _row("clicks", "", "left + right + double", _PRO, lambda m: m.all)
    yield _row(
        "left_effective", "", "left clicks that open a cell", _PRO, lambda m: m.left_effective
    )
    yield _row(
        "double_effective", "", "double clicks that open a cell, be it a mine", _PRO,
        lambda m: m.double_effective,
    )  # fmt: skip
    for rule, source, words, right, every in (
        ("arbiter", _ARBITER, "change the board", _changing, _all_changing),
        ("strict", _MET, _STRICT_WORDS, _strict, _all_strict),
    ):
        yield _row(f"right_effective_{rule}", "", f"right clicks that {words}", source, right)
        yield _row(
            f"effective_{rule}", "",
            f"left_effective + right_effective_{rule} + double_effective", source, every,
        )  # fmt: skip
        yield _row(
            f"wasted_{rule}", "", f"clicks - effective_{rule}", source,
            lambda m, every=every: m.all - every(m),  # type: ignore[misc]
        )  # fmt: skip
    yield _row(
        "left_wasted", "", "left - left_effective", _RAW, lambda m: m.left - m.left_effective
    )
    yield _row(
        "double_wasted", "", "double - double_effective", _RAW,
        lambda m: m.double - m.double_effective,
    )  # fmt: skip
    for name, count in (
        ("left", lambda m: m.left), ("right", lambda m: m.right), ("double", lambda m: m.double),
        ("clicks", lambda m: m.all), ("effective_arbiter", _all_changing),
        ("effective_strict", _all_strict),
    ):  # fmt: skip
        yield _row(
            f"{name}_s", "1/s", f"{name} / time", _PRO,
            lambda m, count=count: per(count(m), m.time),  # type: ignore[misc]
        )  # fmt: skip


def _changing(moment: Moment) -> int:
    return moment.right_changing


def _strict(moment: Moment) -> int:
    return moment.right_strict


def _all_changing(moment: Moment) -> int:
    return moment.effective_arbiter


def _all_strict(moment: Moment) -> int:
    return moment.effective_strict


def _efficiency() -> Iterator[Statistic]:
    yield _row("ioe", "", "bv_solved / clicks", _PRO, lambda m: per(m.bv_solved, m.all))
    whole: tuple[tuple[str, str, str, Callable[[Layout], int]], ...] = (
        ("zini", "zne", "znt", lambda b: b.zini),
        ("hzini", "hzne", "hznt", lambda b: b.hzini),
    )
    for zini, by_clicks, _, least in whole:
        yield _row(
            f"{zini}_s", "1/s", f"{zini} · completion / time", _RAW,
            lambda m, least=least: per(m.solved_share(least(m.layout)), m.time),  # type: ignore[misc]
        )  # fmt: skip
        yield _row(
            by_clicks, "", f"{zini} · completion / clicks", _RAW,
            lambda m, least=least: per(m.solved_share(least(m.layout)), m.all),  # type: ignore[misc]
        )  # fmt: skip
    for rule, count in (("arbiter", _all_changing), ("strict", _all_strict)):
        yield _row(
            f"corr_{rule}", "", f"effective_{rule} / clicks", _PRO,
            lambda m, count=count: per(count(m), m.all),  # type: ignore[misc]
        )  # fmt: skip
        yield _row(
            f"thrp_{rule}", "", f"bv_solved / effective_{rule}", _PRO,
            lambda m, count=count: per(m.bv_solved, count(m)),  # type: ignore[misc]
        )  # fmt: skip
        for zini, _, by_effective, least in whole:
            yield _row(
                f"{by_effective}_{rule}", "", f"{zini} · completion / effective_{rule}", _RAW,
                lambda m, count=count, least=least: per(  # type: ignore[misc]
                    m.solved_share(least(m.layout)), count(m)
                ),
            )  # fmt: skip
        yield _row(
            f"cpo_{rule}", "", f"(effective_{rule} - bv) / openings", _OPENMS,
            lambda m, count=count: _cpo(m, count(m), 0),  # type: ignore[misc]
        )  # fmt: skip
        yield _row(
            f"coo_{rule}", "", f"cpo_{rule} + 1", _OPENMS,
            lambda m, count=count: _cpo(m, count(m), 1),  # type: ignore[misc]
        )  # fmt: skip


def _cpo(moment: Moment, effective: int, more: int) -> float | None:
    found = per(effective - moment.layout.bv, moment.layout.ground.openings)
    return None if found is None else found + more


def _flags() -> Iterator[Statistic]:
    yield _row("flags", "", "flags that stand", _MET, lambda m: m.flags)
    yield _row("flags_set", "", "flags that were set", _RAW, lambda m: m.flags_set)
    yield _row(
        "flags_wasted", "", "flags set that no chord used that opened a cell", _RAW,
        lambda m: m.flags_wasted,
    )  # fmt: skip
    yield _row("unflags", "", "flags that were taken off", _RAW, lambda m: m.unflags)
    yield _row(
        "misflags", "", "flags that were set on safe cells", _RAW,
        lambda m: m.on_safe(Click.FLAGGED),
    )  # fmt: skip
    yield _row(
        "misunflags", "", "flags that were taken off safe cells", _RAW,
        lambda m: m.on_safe(Click.UNFLAGGED, Click.DOUBTED),
    )  # fmt: skip
    yield _row(
        "half_clicks", "",
        "1.5-clicks: chords that open a cell and begin with the right press that set a flag, each "
        "press once",
        _MET, lambda m: m.tally(m.account.half_clicks),
    )  # fmt: skip
    yield _row(
        "half_clicks_rawvf", "",
        "1.5-clicks: chords by a left release, effective or not, while the right button is held "
        "that changed a mark when it came down",
        _RAW, lambda m: m.tally(m.account.half_clicks_rawvf),
    )  # fmt: skip


def _ways() -> Iterator[Statistic]:
    yield _row(
        "path", "px",
        "the pointer's way at 16 pixels a cell from the first open on, in straight lines between "
        "the points on the board",
        _MET, lambda m: m.path[0],
    )  # fmt: skip
    yield _row(
        "path_manhattan", "px", "the same with every line along the axes", _RAW,
        lambda m: m.path[1],
    )  # fmt: skip
    yield _row(
        "click_path", "px", "straight lines between the points of the clicks", _OPENMS,
        lambda m: m.way(m.account.click_way),
    )  # fmt: skip
    yield _row(
        "effective_path", "px",
        "straight lines between the centres of the cells of clicks that effective_strict counts",
        _OPENMS, lambda m: m.way(m.account.effective_way),
    )  # fmt: skip
    yield _row("mov", "px/s", "path / time", _OPENMS, lambda m: per(m.path[0], m.time))
    yield _row("iome", "1/px", "bv_solved / path", _OPENMS, lambda m: per(m.bv_solved, m.path[0]))
    yield _row("sao", "px/s²", "mov · effective_strict_s", _OPENMS, _sao)


def _sao(moment: Moment) -> float | None:
    move, clicks = per(moment.path[0], moment.time), per(moment.effective_strict, moment.time)
    return None if move is None or clicks is None else move * clicks


def _ratings() -> Iterator[Statistic]:
    yield _row(
        "rqp", "s²", "(time + 1) / bv_s; the world ranking prints its time, which is time + 1",
        _OPENMS, _rqp,
    )  # fmt: skip
    yield _row(
        "rqp_square", "s²", "time² / bv_solved", _MET, lambda m: per(m.time * m.time, m.bv_solved)
    )
    yield _row("qg", "s^1.7", "time^1.7 / bv_solved", _OPENMS, _qg)
    yield _row(
        "stnb", "",
        "K · bv_solved / time^1.7 · √completion with K = 36, 162, 435 for beginner (8x8/10), "
        "intermediate, expert; 0 on other boards",
        f"{_OPENMS}, since 13 September 2023", lambda m: _stnb(m, _STNB),
    )  # fmt: skip
    yield _row(
        "stnb_arbiter", "", "the same with K = 47.299, 153.73, 435.001",
        f"{_ARBITER} formulas, before 2023", lambda m: _stnb(m, _STNB_OLD),
    )  # fmt: skip
    yield _row("ios", "", "log bv_solved / log time; grows with skill", _OPENMS, _ios)
    yield _row(
        "ios_inverse", "", "log time / log bv_solved; shrinks with skill", _PRO, _ios_inverse
    )
    yield _row(
        "rv", "", "√(B · rqp + 0.25) - 0.5 with B = 30 on intermediate, 100 on expert",
        _OPENMS, _rv,
    )  # fmt: skip
    yield _row(
        "obg", "1/s", "10000 · bv_s / numbers", _OPENMS,
        lambda m: per(None if m.bv_s is None else 10000 * m.bv_s, _numbers(m.layout)),
    )  # fmt: skip


def _rqp(moment: Moment) -> float | None:
    return per(moment.time + 1, moment.bv_s)


def _qg(moment: Moment) -> float | None:
    return per(moment.time**1.7, moment.bv_solved)


_STNB: Final = {1: 36.0, 2: 162.0, 3: 435.0}
_STNB_OLD: Final = {1: 47.299, 2: 153.73, 3: 435.001}


def _stnb(moment: Moment, factors: Mapping[int, float]) -> float | None:
    if not moment.layout.level:
        return 0.0
    share, quick = moment.completion, per(moment.bv_solved, moment.time**1.7)
    if share is None or quick is None:
        return None
    return factors[moment.layout.level] * quick * sqrt(share)


def _ios(moment: Moment) -> float | None:
    if moment.bv_solved < 1 or moment.time <= 0:
        return None
    return per(log(moment.bv_solved), log(moment.time))


def _ios_inverse(moment: Moment) -> float | None:
    if moment.bv_solved < 1 or moment.time <= 0:
        return None
    return per(log(moment.time), log(moment.bv_solved))


_RV: Final = {2: 30.0, 3: 100.0}


def _rv(moment: Moment) -> float | None:
    factor, rqp = _RV.get(moment.layout.level), _rqp(moment)
    return None if factor is None or rqp is None else sqrt(factor * rqp + 0.25) - 0.5


TABLE: Final[Mapping[str, Statistic]] = MappingProxyType(
    {row.name: row for row in (*_board(), *_game())}
)
"""Every statistic by its name, in the order in which they are shown."""
