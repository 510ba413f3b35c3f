"""Every statistic in the player's words: what it is called, and what it is."""

from __future__ import annotations

from typing import Final

from demine.scene.translation import mark, tr
from demine.statistics.definitions import TABLE

_SAID: Final = {
    "bv": (mark("3BV"), mark("The fewest left clicks that open the board without flags.")),
    "openings": (mark("Openings"), mark("Areas of connected empty cells.")),
    "islands": (mark("Islands"), mark("Groups of connected numbers away from every opening.")),
    "numbers": (mark("Sum of numbers"), mark("The numbers of all safe cells added up.")),
    "zini": ("ZiNi", mark("Few clicks for the board with flags and chords, found greedily.")),
    "hzini": ("H-ZiNi", mark("As ZiNi, with all openings opened first.")),
    "rzini": ("R-ZiNi", mark("The least of 100 ZiNi that break ties at random.")),
    "zini_8way": (
        mark("8-way ZiNi"), mark("The lowest of eight ZiNi counts, one for each scanning order.")),
    "zini_chain": (
        mark("100-chain ZiNi"),
        mark("The fewest clicks in 100 clearings that join chords into chains.")),
    "hzini_wom": (
        "WoM H-ZiNi", mark("Like H-ZiNi, but looks one chord ahead, as minesweeper.online does.")),
    "zini_wom": (
        "WoM ZiNi", mark("Like ZiNi, but looks one chord ahead, as minesweeper.online does.")),
    "zini_wom_exact": (
        mark("WoM ZiNi improved"), mark("WoM ZiNi that counts every opening a number touches.")),
    "max_efficiency": (
        mark("Maximum efficiency"), mark("3BV for each click of the shortest way that is known.")),
    "obv": (mark("OBV"), mark("Difficulty from cells, 3BV and openings; only for the levels.")),
    "time": (mark("Time"), mark("From the first opened cell to the end.")),
    "time_legacy": (mark("Time as Winmine counts"), mark("The time and one second more.")),
    "bv_solved": (mark("3BV done"), mark("The part of the 3BV that was opened.")),
    "openings_solved": (mark("Openings done"), mark("Openings that are all open.")),
    "islands_solved": (mark("Islands done"), mark("Islands that are all open.")),
    "completion": (mark("Done"), mark("3BV done, of the whole 3BV.")),
    "bv_s": (mark("3BV/s"), mark("3BV done in a second.")),
    "etime": (mark("Estimated time"), mark("The time the whole board would take at this speed.")),
    "left": (mark("Left clicks"), mark("Left releases, outside the board as well.")),
    "left_inside": (mark("Left clicks inside"), mark("Left clicks on the board.")),
    "right": (mark("Right clicks"), mark("Right presses that do not begin a chord.")),
    "double": (mark("Double clicks"), mark("Chords on the board.")),
    "clicks": (mark("Clicks"), mark("Left, right and double clicks together.")),
    "left_effective": (mark("Effective left clicks"), mark("Left clicks that open a cell.")),
    "double_effective": (mark("Effective double clicks"), mark("Chords that open a cell.")),
    "right_effective_arbiter": (
        mark("Effective right clicks (Arbiter)"), mark("Right clicks that change the board.")),
    "effective_arbiter": (
        mark("Effective clicks (Arbiter)"), mark("Clicks that change the board.")),
    "wasted_arbiter": (
        mark("Wasted clicks (Arbiter)"), mark("Clicks that do not change the board.")),
    "right_effective_strict": (
        mark("Effective right clicks (strict)"),
        mark("Right clicks that are the first to flag a mine.")),
    "effective_strict": (
        mark("Effective clicks (strict)"),
        mark("Clicks that open cells or are the first to flag a mine.")),
    "wasted_strict": (mark("Wasted clicks (strict)"), mark("All other clicks.")),
    "left_wasted": (mark("Wasted left clicks"), mark("Left clicks that open nothing.")),
    "double_wasted": (mark("Wasted double clicks"), mark("Chords that open nothing.")),
    "left_s": (mark("Left clicks/s"), mark("Left clicks in a second.")),
    "right_s": (mark("Right clicks/s"), mark("Right clicks in a second.")),
    "double_s": (mark("Double clicks/s"), mark("Double clicks in a second.")),
    "clicks_s": (mark("Clicks/s"), mark("Clicks in a second.")),
    "effective_arbiter_s": (
        mark("Effective clicks/s (Arbiter)"), mark("Effective clicks (Arbiter) in a second.")),
    "effective_strict_s": (
        mark("Effective clicks/s (strict)"), mark("Effective clicks (strict) in a second.")),
    "ioe": ("IOE", mark("Index of efficiency: 3BV done for each click.")),
    "zini_s": ("ZiNi/s", mark("ZiNi done in a second.")),
    "zne": ("ZNE", mark("ZiNi done for each click.")),
    "hzini_s": ("H-ZiNi/s", mark("H-ZiNi done in a second.")),
    "hzne": ("HZNE", mark("H-ZiNi done for each click.")),
    "corr_arbiter": ("Corr (Arbiter)", mark("Effective clicks (Arbiter), of all clicks.")),
    "corr_strict": ("Corr", mark("Effective clicks (strict), of all clicks.")),
    "thrp_arbiter": ("ThrP (Arbiter)", mark("3BV done for each effective click (Arbiter).")),
    "thrp_strict": ("ThrP", mark("Throughput: 3BV done for each effective click (strict).")),
    "znt_arbiter": ("ZNT (Arbiter)", mark("ZiNi done for each effective click (Arbiter).")),
    "znt_strict": ("ZNT", mark("ZiNi done for each effective click (strict).")),
    "hznt_arbiter": ("HZNT (Arbiter)", mark("H-ZiNi done for each effective click (Arbiter).")),
    "hznt_strict": ("HZNT", mark("H-ZiNi done for each effective click (strict).")),
    "cpo_arbiter": (
        "CPO (Arbiter)", mark("Effective clicks (Arbiter) beyond the 3BV for each opening.")),
    "cpo_strict": ("CPO", mark("Effective clicks (strict) beyond the 3BV for each opening.")),
    "coo_arbiter": ("COO (Arbiter)", mark("CPO (Arbiter) and one more.")),
    "coo_strict": ("COO", mark("CPO and one more.")),
    "flags": (mark("Flags"), mark("Flags that stand.")),
    "flags_set": (mark("Flags set"), mark("Flags that were set.")),
    "flags_wasted": (mark("Wasted flags"), mark("Flags set that no chord used.")),
    "unflags": (mark("Flags taken off"), mark("Flags that were taken off.")),
    "misflags": (mark("Wrong flags"), mark("Flags that were set on safe cells.")),
    "misunflags": (mark("Wrong flags taken off"), mark("Flags taken off safe cells.")),
    "half_clicks": (
        mark("1.5-clicks"), mark("Chords that begin with the right press that set a flag.")),
    "half_clicks_rawvf": (
        mark("1.5-clicks (RawVF)"), mark("Chords while the right button that marked is held.")),
    "path": (mark("Path"), mark("The pointer's way, at 16 pixels a cell.")),
    "path_manhattan": (mark("Path along the axes"), mark("The same, across and down only.")),
    "click_path": (mark("Path between clicks"), mark("Straight lines from click to click.")),
    "effective_path": (
        mark("Path between effective clicks"),
        mark("Straight lines between the cells of effective clicks.")),
    "mov": (mark("Pointer speed"), mark("The path in a second.")),
    "iome": ("IOME", mark("3BV done for each pixel of the path.")),
    "sao": ("SAO", mark("Pointer speed times effective clicks in a second.")),
    "rqp": ("RQP", mark("Time and one second, by 3BV/s; less is better.")),
    "rqp_square": (mark("RQP (square)"), mark("The square of the time, by 3BV done.")),
    "qg": ("QG", mark("Time to the power of 1.7, by 3BV done; less is better.")),
    "stnb": ("STNB", mark("3BV done by time to the power of 1.7, made comparable.")),
    "stnb_arbiter": ("STNB (Arbiter)", mark("The same with the constants before 2023.")),
    "ios": ("IOS", mark("Index of speed: logarithm of 3BV done by that of the time.")),
    "ios_inverse": (mark("IOS inverse"), mark("Logarithm of the time by that of 3BV done.")),
    "rv": ("RV", mark("A rating made from RQP; only for intermediate and expert.")),
    "obg": ("OBG", mark("3BV/s by the sum of numbers, times 10000.")),
}  # fmt: skip


def called(name: str) -> str:
    """Return what a statistic is called, in the language set."""
    if name.startswith("cells"):
        return tr("Cells that show {number}", number=name.removeprefix("cells"))
    return tr(_SAID[name][0]) if name in _SAID else name


def explained(name: str) -> str:
    """Return what a statistic is, in the language set, with its name in formulas."""
    if name.startswith("cells"):
        said = tr("Safe cells with so many mines near.")
    else:
        said = tr(_SAID[name][1]) if name in _SAID else TABLE[name].definition
    return f"{said} ({name})"
