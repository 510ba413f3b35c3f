"""Replays of real games, counted: the values of the field's own programs, but for what is listed.

docs/statistics.md says why they differ where they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import floor, isclose
from typing import Any, Final

import pytest

from demine.logic.errors import TextError
from demine.replay.errors import ReplayError
from demine.replay.load_save import convert, read, read_replay
from demine.statistics.compute import Timeline, stats
from demine.statistics.definitions import Statistics
from tests import samples

MS_TOOLLIB: Final = {
    "bbbv": "bv", "op": "openings", "isl": "islands", "zini": "zini", "hzini": "hzini",
    **{f"cell{number}": f"cells{number}" for number in range(9)},
    "rtime": "time", "etime": "etime", "bbbv_s": "bv_s", "bbbv_solved": "bv_solved",
    "stnb": "stnb", "rqp": "rqp_square", "left": "left", "right": "right", "double": "double",
    "cl": "clicks", "lce": "left_effective", "rce": "right_effective_strict",
    "dce": "double_effective", "ce": "effective_strict", "flag": "flags",
    "ce_s": "effective_strict_s", "cl_s": "clicks_s", "path": "path", "ioe": "ioe",
    "corr": "corr_strict", "thrp": "thrp_strict",
}  # fmt: skip
RAWVF: Final = {
    "Time": "time", "3BV": "bv", "Solved3BV": "bv_solved", "3BV/s": "bv_s", "ZiNi": "zini",
    "ZiNi/s": "zini_s", "HZiNi": "hzini", "HZiNi/s": "hzini_s", "Clicks": "clicks",
    "Clicks/s": "clicks_s", "LeftClicks": "left_inside", "RightClicks": "right",
    "DoubleClicks": "double", "WastedClicks": "wasted_arbiter", "WastedLeftClicks": "left_wasted",
    "WastedDoubleClicks": "double_wasted", "1.5Clicks": "half_clicks_rawvf", "IOE": "ioe",
    "Correctness": "corr_arbiter", "Throughput": "thrp_arbiter", "ZNE": "zne",
    "ZNT": "znt_arbiter", "HZNE": "hzne", "HZNT": "hznt_arbiter", "Openings": "openings",
    "Islands": "islands", "Flags": "flags", "WastedFlags": "flags_wasted", "Unflags": "unflags",
    "Misflags": "misflags", "Misunflags": "misunflags",
}  # fmt: skip
BY_CLICKS: Final = {
    "Clicks", "Clicks/s", "WastedClicks", "WastedLeftClicks", "IOE", "Correctness", "ZNE", "HZNE",
}  # fmt: skip
RAWVF_DIFFERS: Final[Mapping[str, set[str]]] = {
    # A left release outside the board.
    "avf/vs/Beg_-_003.avf": BY_CLICKS,
    # The same, and one up to 15 pixels beside the board.
    "rmv/sv_v1_beg_tkolar.rmv": BY_CLICKS | {"LeftClicks"},
}
MS_TOOLLIB_DIFFERS: Final[Mapping[str, set[str]]] = {
    # Won in 0 ms.
    "evf/beginner_personal.evf": {"bbbv_s", "stnb", "ce_s", "cl_s"},
    # Counted from the release, a hundredth after the press with which Clone's clock begins.
    "mvf/exp_38.82_bv122.mvf": {"rtime", "etime", "bbbv_s", "stnb", "rqp", "ce_s", "cl_s"},
}


@cache
def timeline(name: str) -> Timeline:
    """A sample, played once for all tests."""
    return Timeline(read_replay(samples.data(name)).recording)


def readable(file: str) -> list[str]:
    """The replays that a list knows and that can be read."""
    known = samples.manifest()
    names = known if file == "manifest.json" else samples.values(file)
    kinds = (".avf", ".rmv", ".evf", ".mvf")
    return [n for n in names if n.endswith(kinds) and not known[n]["expected"].get("must_fail")]


@pytest.mark.parametrize("name", readable("ms_toollib_1.5.20_stats.json"))
def test_values_of_ms_toollib(name: str) -> None:
    said, ours = samples.values("ms_toollib_1.5.20_stats.json")[name], timeline(name).at()
    differs = {
        theirs for theirs, own in MS_TOOLLIB.items() if not same(said[theirs], ours[own], 1e-12)
    }
    assert differs == MS_TOOLLIB_DIFFERS.get(name, set())


@pytest.mark.parametrize("name", readable("rawvf_rev6_stats.json"))
def test_values_of_the_rawvf_tools(name: str) -> None:
    said, ours = samples.values("rawvf_rev6_stats.json")[name], timeline(name).at()
    differs = {theirs for theirs, own in RAWVF.items() if not printed(said, theirs, ours[own])}
    assert differs == RAWVF_DIFFERS.get(name, set())


def same(said: float | str, own: float | None, share: float) -> bool:
    return own is not None and isclose(float(said), own, rel_tol=share)


def printed(said: Mapping[str, str], name: str, own: float | None) -> bool:
    """Whether a value is what they print of it: three decimals, cut off or rounded."""
    text = said.get(f"RAW_{name}")
    # They print no figure that divides by nothing.
    return text is None or (abs(float(text) - (own or 0)) < 0.00100001 if "." in text
                            else float(text) == own)  # fmt: skip


@pytest.mark.parametrize("name", readable("manifest.json"))
def test_values_of_whoever_gave_the_sample(name: str) -> None:
    expected = samples.manifest()[name]["expected"]
    ours = timeline(name).at()
    for theirs, own in (("bbbv", "bv"), ("bbbv_solved", "bv_solved"), ("time_s", "time"),
                        ("time_s_from_zero", "time"), ("left", "left"), ("right", "right"),
                        ("double", "double")):  # fmt: skip
        value = clone_time(name, expected.get(theirs)) if "time" in theirs else expected.get(theirs)
        assert value in {None, ours[own]}, theirs
    if "time_ms" in expected:
        assert ours.time == expected["time_ms"] / 1000
    if "bbbv_s" in expected:
        # Arbiter writes two decimals and cuts the rest off; others three, and round.
        speed = float(ours["bv_s"] or 0)
        assert expected["bbbv_s"] in {floor(speed * 100) / 100, round(speed, 2), round(speed, 3)}


def clone_time(name: str, said: Any) -> Any:
    """What Clone says where a sample's time was counted from the release, as ms_toollib does."""
    differs = name.endswith(".mvf") and name in MS_TOOLLIB_DIFFERS
    return round(said + 0.01, 2) if differs and said is not None else said


@samples.needed
def test_values_at_a_moment() -> None:
    def at(name: str, ms: int) -> tuple[Statistics, Mapping[str, Any]]:
        return timeline(name).at(ms), samples.manifest()[name]["expected"]

    # Said by a version of ms_toollib whose factor of STNB was Arbiter's.
    ours, said = at("rmv/exp_98.763_bv134.rmv", 40_000)
    assert same(said["stnb_at_40s"], ours["stnb_arbiter"], 1e-12)
    assert same(said["path_at_40s"], ours["path"], 1e-12)
    ours, said = at("mvf/exp_38.82_bv122.mvf", 12_000)
    assert same(said["stnb_at_12s"], ours["stnb_arbiter"], 1e-12)
    ours, said = at("evf/v3_beg_3.796_bv3.evf", 1)
    assert same(said["stnb_at_1ms"], ours["stnb"], 1e-12)


@pytest.mark.parametrize("name", samples.names("**/*.avf", "**/*.rmv", "**/*.evf", "**/*.mvf"))
def test_moments_lead_up_to_the_end(name: str) -> None:
    try:
        played = timeline(name)
    except ReplayError:
        assert samples.manifest()[name]["expected"]["must_fail"]
        return
    end = dict(played.at())
    assert dict(played.at(played.end_ms)) == end
    counts = ("bv_solved", "clicks", "path", "openings_solved", "islands_solved", "flags_set")
    before = dict.fromkeys(counts, 0.0)
    for part in range(11):
        now = played.at(played.end_ms * part // 10)
        assert all(before[count] <= float(now[count] or 0) for count in counts)
        before = {count: float(now[count] or 0) for count in counts}


@pytest.mark.parametrize(
    "name", samples.names("**/*.avf", "**/*.rmv", "**/*.evf", "**/*.mvf", "**/*.rawvf")
)
def test_a_file_its_game_and_its_journal_have_the_same_figures(name: str) -> None:
    data = samples.data(name)
    try:
        figures = dict(Timeline(read_replay(data).recording).at())
    except (ReplayError, TextError):
        assert samples.manifest()[name]["expected"]["must_fail"]
        return
    game = read(data)
    journal, lost = convert(read_replay(data), "journal")
    assert not lost
    assert dict(stats(game)) == figures
    assert read(journal) == game
    assert dict(stats(read(journal))) == figures


@samples.needed
def test_half_clicks_of_buttons_without_names() -> None:
    """As in the file that the same game is as RawVF, whose buttons have names."""
    figures = timeline("evf/expert_personal.evf").at()
    named, _ = convert(read_replay(samples.data("evf/expert_personal.evf")), "rawvf")
    other = Timeline(read_replay(named).recording).at()
    assert figures.half_clicks_rawvf == other.half_clicks_rawvf == 11
    assert figures.half_clicks == other.half_clicks == 14
