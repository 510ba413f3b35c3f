"""Watching in a terminal: time and acts, jumps, risks, counters, mouse, looks and languages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from demine.cli.main import run
from demine.game import Game
from demine.logic.game import Status
from demine.replay.load_save import load
from demine.scene.digit_palettes import PALETTES, palette_announcement
from demine.scene.playback import SPEEDS, Playback
from demine.scene.themes import THEMES, with_palette
from demine.scene.translation import set_language
from demine.statistics.chosen_counters import parse_counters
from demine.terminal.app import AppProxy
from demine.terminal.playback_footer import bar_time_ms_at
from demine.terminal.replay_analysis import (
    BackgroundAnalysis,
    BackgroundCounters,
    BackgroundReview,
    BackgroundRisks,
)
from demine.terminal.replay_scene import KEYS, ReplayScene
from demine.terminal.terminal_theme import TerminalTheme
from demine.terminal.text_width import width
from demine.terminal.textual_app import SceneApp as Glass
from tests.languages import TO_CHINESE
from tests.terminal.test_pilot import ask

GOLDEN = Path(__file__).parents[1] / "golden"
EXPERT = GOLDEN / "expert-won.jsonl"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    set_language("en")


def ask_with_progress(name: str, /, *args: object, progress: Callable[..., object]) -> Any:
    """Judge at once, having said how far it is."""
    progress(1, 2)
    return ask(name, *args)


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def watching(
    game: Game, size: tuple[int, int] = (80, 24), *, colours: int = 256, ascii_only: bool = False
) -> Any:
    """A pilot, the watch, its clock and the glass."""
    clock = Clock()
    terminal_theme = TerminalTheme(THEMES["dark"], colours=colours, ascii_only=ascii_only)

    late = AppProxy()
    analysis = BackgroundAnalysis(
        BackgroundReview(game, ask_with_progress, late.wake),
        BackgroundRisks(game.rules.mines, ask, late.wake),
        BackgroundCounters(game, parse_counters(None), late.wake),
    )
    glass = Glass(ReplayScene(Playback(game), "a game.jsonl", terminal_theme, analysis, clock))
    late.app = glass
    async with glass.run_test(size=size) as pilot:
        yield pilot, glass.scene, clock, glass


def watched(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def seen(glass: Glass[Any]) -> str:
    lines = ["".join(text for text, _ in line) for line in glass._widget._lines]
    assert {width(line) for line in lines} == {glass.size.width}
    assert len(lines) == glass.size.height
    return "\n".join(lines)


def expert() -> Game:
    return Game.from_journal(EXPERT.read_text("utf-8"))


def test_it_plays_as_time_passes_and_stops_at_the_end() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, clock, _glass):
            assert not watch.playing
            await pilot.press("space")
            assert watch.playing
            clock.now += 3
            watch.tick()
            assert watch.playback.ms == pytest.approx(watch.playback.start + 3000)
            await pilot.press("up", "up", "up")
            assert watch.playback.speed == 4.0
            before = watch.playback.ms
            clock.now += 1
            watch.tick()
            assert watch.playback.ms == pytest.approx(before + 4000)
            clock.now += 1000
            watch.tick()
            assert not watch.playing
            assert watch.playback.ended
            assert watch.playback.snapshot().status is Status.WON
            await pilot.press("space")  # begins anew
            assert watch.playing
            assert watch.playback.ms == watch.playback.start
            assert watch.seconds_until_redraw() < 0.1

    watched(test)


def test_speeds_stop_at_their_ends() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            await pilot.press(*["]"] * 12)
            assert watch.playback.speed == max(SPEEDS) == 16
            assert "16x" in seen(glass)
            await pilot.press(*["["] * 12)
            assert watch.playback.speed == min(SPEEDS) == 0.1
            assert "0.1x" in seen(glass)

    watched(test)


def test_acts_and_seconds_and_ends() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            first = watch.playback.acts_done
            await pilot.press("right", "right")
            assert watch.playback.acts_done == first + 2
            assert f"{first + 2} of 256: " in seen(glass)
            await pilot.press("left")
            assert watch.playback.acts_done == first + 1
            await pilot.press("end")
            assert watch.playback.ended
            assert "Mines   0" in seen(glass)
            await pilot.press("shift+left")
            assert watch.playback.ms == watch.playback.end - 1000
            await pilot.press(",", ".")
            assert watch.playback.ms == watch.playback.end - 1000
            await pilot.press("home")
            assert watch.playback.ms == watch.playback.start

    watched(test)


def test_jumps_lead_before_guesses_and_mistakes_and_say_why() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            await pilot.press("g")
            first = watch.playback.place
            kind = watch._review.judged[first].verdict.value
            assert kind in ("forced", "avoidable", "blunder", "certain mine")
            assert "guess" in seen(glass) or "risk" in seen(glass)
            await pilot.press("g")
            assert watch.playback.place > first
            await pilot.press("f1")
            assert "risk" in seen(glass)
            await pilot.press("escape", "m")
            assert watch._jumped_to >= 0
            await pilot.press("end", "m")
            assert "No more mistakes." in seen(glass)
            assert watch._jumped_to == -1

    watched(test)


def test_looks_and_palettes_follow_each_other() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            for palette in (*PALETTES, "", next(iter(PALETTES))):
                await pilot.press("T")
                assert palette_announcement(palette) in seen(glass)
                worn = watch.frame_state().theme.theme
                assert worn == (with_palette(worn, palette) if palette else THEMES["dark"])
            for name in ("contrast", "meadow", "classic"):
                await pilot.press("t")
                worn = watch.frame_state().theme.theme
                assert worn == with_palette(THEMES[name], palette)

    watched(test)


def test_risks_are_shown_for_the_moment() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, _glass):
            await pilot.press("right", "right", "right", "o")
            await pilot.pause()
            overlay = watch.frame_state().overlay
            assert (overlay.risk <= 100).any()
            await pilot.press("o")
            assert not (watch.frame_state().overlay.risk <= 100).any()

    watched(test)


def test_counters_stand_below_and_go() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            for _ in range(200):
                if watch._counters.counter_texts(None):
                    break
                await asyncio.sleep(0.02)
            await pilot.press("end")
            assert "3BV/s" in seen(glass)
            await pilot.press("c")
            assert "3BV/s" not in seen(glass)
            assert "a game.jsonl · " in seen(glass)

    watched(test)


def test_the_mouse_plays_and_seeks() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, _glass):
            await pilot.click(offset=(40, 10))
            assert watch.playing
            await pilot.click(offset=(40, 10))
            assert not watch.playing
            row = watch._layout.note_y
            beyond = (79, row)
            assert bar_time_ms_at(watch._layout, watch._theme, watch.playback, beyond) is None
            await pilot.click(offset=(78, row))
            assert watch.playback.ms == watch.playback.end
            watch.wheel(-2)
            assert watch.playback.ms == watch.playback.end - 2000
            watch.wheel(-1, sideways=True)
            assert watch.playback.ms == watch.playback.end - 12_000
            await pilot.click(offset=(6, 0))
            assert watch.playing

    watched(test)


def test_every_key_does_something_and_pages_close() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, watch, _, glass):
            await pilot.press("f1")
            page = seen(glass)
            assert "Faster: up to 16 times" in page
            await pilot.press("f1")
            assert "Faster" not in seen(glass)
            for deed in KEYS:
                if deed != "close":
                    watch.run_action(deed)
            assert not watch.closed
            watch._modal.close()
            await pilot.press("q")
            assert watch.closed

    watched(test)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 6), (120, 40), (8, 3), (1, 1)])
@pytest.mark.parametrize("colours", [0, 1 << 24])
def test_any_size_and_look(size: tuple[int, int], colours: int) -> None:
    async def test() -> None:
        async with watching(expert(), size, colours=colours, ascii_only=not colours) as scene:
            pilot, _watch, _, glass = scene
            await pilot.press("right", "right", "right", "p", "p", "o", "g")
            text = seen(glass)
            if not colours:
                assert text.isascii()
            await pilot.resize_terminal(60, 20)
            await pilot.pause()
            seen(glass)

    watched(test)


def test_the_way_of_the_pointer_is_dotted() -> None:
    async def test() -> None:
        game = load(GOLDEN / "beginner-lost-by-a-chord.jsonl")
        async with watching(game) as (pilot, watch, _, glass):
            await pilot.press("p", "end")
            state = watch.frame_state()
            assert watch.path == "whole"
            rows, cols = game.rules.shape
            assert all(0 <= row < rows and 0 <= col < cols for row, col in state.path_cells)
            touched = watch.playback.has_touches
            assert bool(state.path_cells) == touched
            assert ("·" in seen(glass).split("▄", 1)[1].rsplit("▀", 1)[0]) == bool(
                state.path_cells - {state.cursor}
            )

    watched(test)


def test_it_speaks_chinese() -> None:
    async def test() -> None:
        async with watching(expert()) as (pilot, _watch, _, glass):
            await pilot.press(*TO_CHINESE, "right")
            assert "帮助" in seen(glass)

    watched(test)


def test_without_a_terminal_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", str(EXPERT), "--scene", "terminal"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("demine watch: there is no terminal to play in: ")
    assert said.count("\n") == 1
    assert run(["watch", "--scene", "terminal"]) == 2
    assert capsys.readouterr().err == "demine watch: no game given: demine watch FILE\n"
