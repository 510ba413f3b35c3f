"""Training in the terminal: drills over the game, answered by keys and mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from textual.pilot import Pilot

import demine
from demine.logic.game import Status
from demine.play.drills.todays_session import DrillChoice
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from demine.terminal.app import AppProxy
from demine.terminal.scene import Display, Scene
from demine.terminal.textual_app import SceneApp
from demine.terminal.train_scene import TrainScene
from tests.terminal.test_pilot import ask, seen

SIZE = (80, 24)


def trained(test: Callable[[Pilot[None], SceneApp[Any], Store], Awaitable[None]]) -> None:
    """Run a test over the scene that trains, opened over a game that is played."""

    async def run(store: Store) -> None:
        preferences = Preferences()
        session = GameSession.begin(store, StartOptions(seed=7), preferences)
        late = AppProxy()
        display = Display(colours=256, ascii_only=False, dark=True)
        scene = Scene(
            store, session, preferences, ask, late.wake, late.copy, display, late.show_over
        )
        app = SceneApp(scene)
        late.app = app
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("space", "ctrl+t")
            await test(pilot, app, store)
            assert session.game.status is Status.PAUSED

    with Store.memory() as store:
        asyncio.run(run(store))


async def until(pilot: Pilot[None], fits: Callable[[], bool]) -> None:
    for _ in range(2000):
        if fits():
            return
        await pilot.pause(0.01)
    raise AssertionError("waited in vain")


def training(app: SceneApp[Any]) -> TrainScene:
    scene = app.shown_scene
    assert isinstance(scene, TrainScene)
    return scene


async def asked(pilot: Pilot[None], app: SceneApp[Any]) -> TrainScene:
    scene = training(app)
    await until(pilot, lambda: scene._shown is not None and scene._given is None)
    return scene


def test_a_set_is_answered_by_keys_and_mouse() -> None:
    async def test(pilot: Pilot[None], app: SceneApp[Any], store: Store) -> None:
        for number in range(1, 11):
            scene = await asked(pilot, app)
            question = scene._shown
            assert question is not None
            await pilot.pause()
            assert f"{number} of 10 · " in seen(app)
            assert question.text in seen(app)
            cell = question.solution.cell
            if not question.solution.right:
                await pilot.press("g")
            elif number % 2:
                layout = scene._layout = scene._layout.scrolled_to(cell)
                x = layout.border_x + 1 + (cell[1] - layout.left) * layout.cell.cols
                y = layout.first_row_y + (cell[0] - layout.top) * layout.cell.rows
                await pilot.click(offset=(x, y))
            else:
                scene._cursor = cell
                await pilot.press("space")
            assert scene._given is not None
            assert scene._given.is_right
            assert len(store.drill_reviews()) == number
            assert "Right, in" in seen(app)
            await pilot.press("w")
            assert str(scene._given).replace(" ", "")[-30:] in "".join(seen(app).split())
            await pilot.press("escape", "enter")
        await until(pilot, lambda: "10 of 10 right" in seen(app))
        assert "streak 1" in seen(app)
        await pilot.press("enter")
        await asked(pilot, app)
        await pilot.press("p")
        assert "Progress by pattern" in seen(app)
        await pilot.press("escape", "escape")
        assert isinstance(app.shown_scene, Scene)

    trained(test)


def test_closing_at_any_time_loses_no_answer() -> None:
    async def test(pilot: Pilot[None], app: SceneApp[Any], store: Store) -> None:
        scene = await asked(pilot, app)
        question = scene._shown
        assert question is not None
        await pilot.press("up", "left")
        scene._cursor = question.solution.cell
        await pilot.press("enter" if question.solution.right else "g", "enter", "ctrl+t")
        assert app.shown_scene is app.scene
        assert [review.drill for review in store.drill_reviews()] == [question.drill.key]
        await pilot.press("ctrl+t", "escape")  # while the store is searched
        assert app.shown_scene is app.scene

    trained(test)


def test_a_kind_and_a_pattern_are_chosen() -> None:
    async def test(pilot: Pilot[None], app: SceneApp[Any], store: Store) -> None:
        scene = await asked(pilot, app)
        await pilot.press("f")
        assert "All kinds" in seen(app)
        await pilot.press("right", "down", *["right"] * 11, "enter")
        assert "no drill of the kind safe has the pattern 50-50" in seen(app).lower()
        await pilot.press("left", "enter")
        assert scene._choice == DrillChoice("safe", "cases")
        await pilot.press("escape")
        assert app.shown_scene is not scene

    trained(test)


def test_the_form_can_be_left_where_no_board_is_shown() -> None:
    async def test(pilot: Pilot[None], app: SceneApp[Any], store: Store) -> None:
        scene = await asked(pilot, app)
        await pilot.press("f", *["right"] * 4, "enter")  # games of people alone have these
        assert scene._choice.kind == "won"
        await until(pilot, lambda: "another kind" in seen(app))
        await pilot.press("f")
        assert "All patterns" in seen(app)
        await pilot.press("escape")
        assert "another kind" in seen(app)
        await pilot.press("f", "right", "right", "down", "down", "right", "enter")
        question = (await asked(pilot, app))._shown
        assert question is not None
        assert question.drill == demine.daily_drill(datetime.now(UTC).date())

    trained(test)
