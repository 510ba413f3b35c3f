"""The scene under Textual's pilot: forms, pages, switches, advice, and what stays true of all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from textual.pilot import Pilot

from demine.logic.daily_board import Daily
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.play.game_session import GameSession
from demine.scene.digit_palettes import PALETTES, palette_announcement
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.preferences import DECLARATIONS, Preferences, StartOptions
from demine.scene.themes import THEMES
from demine.scene.translation import current_language, set_language
from demine.solver.service.server import QUESTIONS
from demine.store import Store
from demine.store.daily import today_utc
from demine.terminal.app import AppProxy
from demine.terminal.scene import Display, Scene
from demine.terminal.text_pages import ABSENT
from demine.terminal.text_width import width
from demine.terminal.textual_app import SceneApp
from tests.languages import TO_CHINESE, TO_ENGLISH

Table = tuple[Pilot[None], GameSession, SceneApp[Scene]]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Switches set the language of the process."""
    yield
    set_language("en")


def ask(name: str, /, *args: object, **kwargs: object) -> Future[object]:
    """Answer at once, as the solver in another process would in a moment."""
    done: Future[object] = Future()
    module, _, function = QUESTIONS[name].partition(":")
    done.set_result(getattr(import_module(module), function)(*args, **kwargs))
    return done


@asynccontextmanager
async def sitting_at(
    store: Store,
    wishes: StartOptions | None = None,
    size: tuple[int, int] = (80, 24),
    colours: int = 256,
) -> AsyncIterator[Table]:
    """A scene at a terminal of some size, with a pilot."""
    wishes = wishes or StartOptions(seed=7)
    preferences = Preferences.from_settings({**store.settings.all(), **wishes.settings})
    session = GameSession.begin(store, wishes, preferences)

    late = AppProxy()
    display = Display(colours=colours, ascii_only=False, dark=True)
    scene = Scene(store, session, preferences, ask, late.wake, late.copy, display)
    game = SceneApp(scene)
    late.app = game
    async with game.run_test(size=size) as pilot:
        yield pilot, session, game


def played(test: Callable[[Store], Awaitable[None]]) -> Mapping[str, object]:
    """Run a test on a store in memory; return the settings that are left."""
    with Store.memory() as store:

        async def run() -> None:
            await test(store)

        asyncio.run(run())
        return store.settings.all()


def seen(game: SceneApp[Any]) -> str:
    """The screen as text; every line is as wide as the terminal."""
    lines = ["".join(text for text, _ in line) for line in game._widget._lines]
    assert {width(line) for line in lines} == {game.size.width}
    assert len(lines) == game.size.height
    return "\n".join(lines)


def test_a_form_scrolls_where_it_has_no_room() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, size=(34, 9)) as (pilot, session, game):
            await pilot.press("4")
            assert "Height" in seen(game)
            assert "Guess-free" not in seen(game)
            assert "v v v" in seen(game)
            await pilot.press("up", "up")
            assert "Guess-free boards  < no >" in seen(game)
            assert "Height" not in seen(game)
            assert "^ ^ ^" in seen(game)
            assert "v v v" not in seen(game)
            # A field that is clicked stays where it is: the mines, the first of the four.
            while "Mines" not in seen(game):
                await pilot.press("up")
            await pilot.press("down")
            await pilot.click(offset=(3, 3))
            await pilot.press("9", "9")
            assert "Mines              [ 99_" in seen(game).splitlines()[3]
            # What is wrong is said, though there are only rows for fields.
            await pilot.press("enter")
            assert "At most 80 mines fit 9 × 9" in seen(game)
            await pilot.press("backspace", "enter")
            assert session.game.rules.mines == 9

    played(test)


def test_a_page_says_where_it_goes_on() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, _, game):
            await pilot.press("f1")
            assert "v v v" in seen(game)
            assert "^ ^ ^" not in seen(game)
            await pilot.press("end")
            assert "v v v" not in seen(game)
            assert "^ ^ ^" in seen(game)
            await pilot.press("escape", "ctrl+h")
            assert "v v v" not in seen(game)
            assert "  Esc closes" in seen(game)

    played(test)


def test_setup_begins_another_board() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            await pilot.press("4")
            assert "Setup" in seen(game)
            assert "1 to 1000 " in seen(game)
            await pilot.press("3", "0", "down", "1", "6", "down", "9", "9")
            assert "Expert" in seen(game)
            assert "20.6% of the cells" in seen(game)
            await pilot.press("enter")
            assert session.game.rules == EXPERT
            assert "Mines  99" in seen(game)
            await pilot.press("4", "down", "down", "9", "9", "9", "enter")
            assert "mines fit 30 × 16" in seen(game)
            assert session.game.rules == EXPERT
            await pilot.press("backspace", "escape")
            assert "Mines  99" in seen(game)
            # Boards that need no guess, and then again others, once each.
            await pilot.press("4", "up", "up", "up", "right", "enter")
            assert session.game.rules == replace(EXPERT, guess_free=True)
            await pilot.press("1")
            assert session.game.rules == replace(BEGINNER, guess_free=True)
            await pilot.press("g")
            assert session.game.rules == BEGINNER
            await pilot.press("3")
            # By the mouse: the first field is the board, a click on it chooses the next one.
            await pilot.press("4", "up")
            await pilot.click(offset=(35, 3))
            await pilot.press("enter")
            assert session.game.rules == Rules.parse("8x8/10")

    assert played(test)["rules"] == "8x8/10"


def test_records_list_best_times_and_games() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, StartOptions(rules=Rules(9, 9, 10), new=True)) as table:
            pilot, session, game = table
            await pilot.press("ctrl+h")
            assert "No ranked games yet." in seen(game)
            await pilot.press("escape")
            session.play(Verb.OPEN, 4, 4)
            for row, col in zip(*(~session.game.board.mine_map).nonzero(), strict=True):
                session.play(Verb.OPEN, int(row), int(col))
            assert session.game.status is Status.WON
            for key in ("ctrl+h", "backspace"):  # what many terminals send for it
                await pilot.press(key)
                text = seen(game)
                assert "Beginner" in text
                assert "100.0%" in text
                assert "The last game" in text
                await pilot.press(key)
                assert "Best" not in seen(game)
            await pilot.press("tab")  # the same as Ctrl+I
            assert re.search(r"^ *3BV +\d+ *$", seen(game), re.MULTILINE)
            await pilot.press("f2", "ctrl+i")
            assert "Statistics are shown when the game is over" in seen(game)

    played(test)


def test_help_scrolls_and_speaks_both_languages() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, _, game):
            await pilot.press("f1")
            top = seen(game)
            assert "F2  Ctrl+N" in top
            await pilot.press("pagedown")
            assert seen(game) != top
            await pilot.press("end")
            assert "Paste" in seen(game)
            await pilot.press("home")
            assert seen(game) == top
            await pilot.press(*TO_CHINESE)
            assert current_language() == "zh_CN"
            assert "按键" in seen(game)
            await pilot.resize_terminal(30, 10)
            assert "按键" in seen(game)
            await pilot.press("?")
            assert "按键" not in seen(game)

    assert played(test)["language"] == "zh_CN"


def test_a_page_stays_open_in_another_language_or_look() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, _, game):
            for key, title in (
                ("d", "每日棋盘"),
                ("ctrl+h", "成绩"),
                ("4", "自定义"),
                ("f1", "按键"),
            ):
                await pilot.press(key, *TO_CHINESE)
                assert title in "".join(seen(game).splitlines()[1:4])
                await pilot.press(*TO_ENGLISH, "escape")
            await pilot.press("d", "t", "T")
            assert "Daily boards" in seen(game)
            await pilot.press("d")
            assert "Daily boards" not in seen(game)

    played(test)


def test_settings_are_kept() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, _, game):
            await pilot.press("o", "right")
            fields = [name for name, each in DECLARATIONS.items() if each.in_terminal]
            for name in fields:
                await pilot.press("down", *(["right"] if name in ("questions", "keys") else []))
            await pilot.press("enter")
            assert seen(game).isascii()
            await pilot.press("l")  # one of h j k l
            assert "[" in seen(game)

    kept = played(test)
    assert {name: kept[name] for name in ("ascii", "keys", "questions")} == {
        "ascii": True,
        "keys": "vi",
        "questions": True,
    }


def test_looks_and_palettes_follow_each_other() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, colours=1 << 24) as (pilot, session, game):
            await pilot.press("up", "space")
            assert session.game.begun
            for palette in (*PALETTES, ""):
                await pilot.press("T")
                assert palette_announcement(palette) in seen(game)
                digits = PALETTES[palette].on_dark if palette else THEMES["dark"].digits
                inks = {
                    style.fg for line in game._widget._lines for text, style in line if " 1" in text
                }
                assert digits[0] in inks
            await pilot.press("T", "t")
            assert THEMES["contrast"].title in seen(game)

    kept = played(test)
    assert (kept["theme"], kept["palette"]) == ("contrast", next(iter(PALETTES)))


def test_advice_and_proof_of_a_guess_free_board() -> None:
    async def test(store: Store) -> None:
        rules = Rules(9, 9, 10, guess_free=True)
        async with sitting_at(store, StartOptions(rules=rules, new=True)) as (pilot, session, game):
            await pilot.press("h")
            assert "Start anywhere: the first cell is safe" in seen(game)
            await pilot.press("up", "space")
            await pilot.pause()
            assert session.game.begun
            assert "Beginner, guess-free · hardest: " in seen(game)
            await pilot.press("ctrl+p")
            assert "Press again to confirm" in seen(game)
            await pilot.press("ctrl+p")
            await pilot.pause()
            assert "Step 1 of " in seen(game)
            assert "Space Next" in seen(game)
            while "Step " in seen(game):
                await pilot.press("space")
            assert session.game.status is Status.WON
            assert "Proven: this board needs no guess" in seen(game)

    played(test)


def test_share_codes_go_out_and_come_in() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            await pilot.press("ctrl+c")
            assert "Ctrl+Q quits" in seen(game)
            session.play(Verb.OPEN, 4, 4)
            await pilot.press("ctrl+c")
            code = session.game.share()
            assert code in seen(game)
            assert game.clipboard == code
            await pilot.press("f2")
            game.scene.paste(f" {code}\n")
            game.update_screen()
            assert "shared board" in seen(game)
            assert "><" in seen(game)
            game.scene.paste("1.nothing")
            game.scene.paste("hello")
            game.update_screen()
            assert "That isn't a share code" in seen(game)
            assert session.game.start == (4, 4)

    played(test)


def test_pause_hides_the_board() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, colours=0) as (pilot, session, game):
            session.play(Verb.OPEN, 4, 4)
            await pilot.press("escape", "p")
            assert seen(game).count("▪") > 60  # all but those under the sign
            assert "Paused · Click or press P to resume" in seen(game)
            await pilot.click(offset=(40, 6))
            assert session.game.status is Status.RUNNING
            await pilot.press("u")
            assert "practice: undone" in seen(game)

    played(test)


def test_a_pause_is_told_once() -> None:
    async def test(store: Store) -> None:
        for size in ((80, 24), (100, 32)):  # below a narrow board, and on a wide one
            async with sitting_at(store, StartOptions(rules=BEGINNER, new=True), size) as table:
                pilot, session, game = table
                session.play(Verb.OPEN, 4, 4)
                await pilot.press("p")
                assert seen(game).count("Click or press P to resume") == 1

    played(test)


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (7, 5), (20, 8), (300, 90)])
def test_any_size_is_filled_exactly(size: tuple[int, int]) -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, StartOptions(rules=EXPERT, new=True), size) as (
            pilot,
            _,
            game,
        ):
            for key in ("up", "end", "4", "escape", "f1", "end", "escape", "ctrl+h", "escape"):
                await pilot.press(key)
                assert seen(game)

    played(test)


def test_the_face_and_the_buttons_are_clicked() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            first = session.game
            face = 40, game.scene._layout.header_y
            await pilot.mouse_down(offset=face)
            assert ":-|" in seen(game)
            await pilot.mouse_up(offset=face)
            assert session.game is not first
            tools = seen(game).splitlines()[0]
            await pilot.click(offset=(tools.index("Help"), 0))
            assert "Keys" in seen(game)
            await pilot.click(offset=(tools.index("Records"), 0))
            assert "No ranked games yet." in seen(game)
            await pilot.click(offset=(tools.index("Quit"), 0))
            assert game.scene.closed

    played(test)


def test_tools_that_can_do_nothing_are_dim() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):

            def dim() -> list[str]:
                theme, tools = game.scene._theme, game.scene.lines()[0]
                return [text.split()[0] for text, style in tools if style == theme.dim_button]

            assert dim() == ["Undo", "Pause"]
            undo = seen(game).splitlines()[0].index("Undo")
            session.play(Verb.OPEN, 4, 4)
            assert dim() == []
            pause = seen(game).splitlines()[0].index("Pause")
            await pilot.click(offset=(pause, 0))
            assert session.game.status is Status.PAUSED
            assert "Resume" in seen(game)
            await pilot.click(offset=(pause, 0))
            await pilot.click(offset=(undo, 0))
            assert not session.game.board.open_map.any()
            assert "practice: undone" in seen(game)

    played(test)


@pytest.mark.parametrize("width_", [20, 40, 60, 80, 120])
def test_tools_keep_their_keys_and_then_themselves_as_long_as_they_fit(width_: int) -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, size=(width_, 24)) as (_, _session, game):
            tools = seen(game).splitlines()[0]
            assert ("Quit Ctrl+Q" in tools) == (width_ >= 120)
            assert ("New F2" in tools) == (width_ >= 80)
            assert ("Records" in tools) == (width_ >= 60)
            assert "New" in tools
            assert "Help" in tools

    played(test)


def test_levels_are_chosen_from_a_menu() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            level = seen(game).splitlines()[0].index("Level")
            await pilot.click(offset=(level, 0))
            lines = seen(game).splitlines()
            for name in ("Beginner", "Intermediate", "Expert", "Daily boards", "Custom"):
                assert any(name in line for line in lines)
            row = next(y for y, line in enumerate(lines) if "Expert" in line)
            await pilot.click(offset=(40, row))
            assert session.game.rules == EXPERT
            assert "Mines  99" in seen(game)
            # The keyboard's way round; the level that is played is selected at first.
            await pilot.click(offset=(level, 0))
            await pilot.press("up", "enter")
            assert session.game.rules == INTERMEDIATE
            await pilot.click(offset=(level, 0))
            await pilot.press("1")
            assert session.game.rules == BEGINNER
            await pilot.click(offset=(level, 0))
            await pilot.press("up", "enter")
            assert "Arrows choose and change" in seen(game)
            await pilot.press("escape")
            await pilot.click(offset=(level, 0))
            await pilot.press("escape")
            assert "Mines  10" in seen(game)

    played(test)


def test_the_first_key_opens_the_cell_under_the_cursor() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            for key, rules in (("1", BEGINNER), ("3", EXPERT)):
                await pilot.press(key, "space")
                assert session.game.begun
                assert session.game.rules == rules
                assert session.game.board.open_map[rules.height // 2, rules.width // 2]
            await pilot.press("2")
            at = game.scene._layout
            await pilot.click(offset=(at.border_x + 1, at.first_row_y))
            assert session.game.board.open_map[0, 0]
            assert game.scene.controller.cursor is None  # a hand on the mouse needs none

    played(test)


def test_words_come_and_go_below_a_board_that_stays() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store, size=(100, 32)) as (pilot, session, game):

            def board() -> list[int]:
                return [y for y, line in enumerate(seen(game).splitlines()) if "█" in line]

            stood = board()
            for told in ("Space opens, F flags", "right click flags", "F1 shows the keys"):
                assert told in seen(game)
            await pilot.press("space", "h")
            assert "is safe" in seen(game)
            assert board() == stood
            mine = next(zip(*session.game.board.mine_map.nonzero(), strict=True))
            session.play(Verb.OPEN, int(mine[0]), int(mine[1]))
            game.scene.controller._refresh()
            game.update_screen()
            lines = seen(game).splitlines()
            assert board() == stood
            assert "You hit a mine after" in lines[stood[-1] + 2]
            assert any("F2 New game · Shift+F2 Same board · Ctrl+C Share" in line for line in lines)
            top = game.scene.lines()[stood[0] - 1]
            assert any(style == game.scene._theme.lost for _, style in top)

    played(test)


def test_every_command_does_something_or_is_elsewhere() -> None:
    async def test(store: Store) -> None:
        async with sitting_at(store) as (_, session, game):
            session.play(Verb.OPEN, 4, 4)
            for command, names in KeyMap().items():
                if command is Command.QUIT or not names:
                    continue
                before = session.game.events
                game.scene.key((names[0],))
                game.update_screen()
                if command in ABSENT:
                    assert session.game.events == before
                assert seen(game)
                game.scene.key(("escape",))
            assert set(ABSENT) < set(Command)

    played(test)


def test_daily_boards_have_a_page_and_a_line_to_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    day = today_utc()
    for where in ("store.daily", "play.game_session", "play.controller", "terminal.text_pages"):
        monkeypatch.setattr(f"demine.{where}.today_utc", lambda: day)

    async def test(store: Store) -> None:
        async with sitting_at(store) as (pilot, session, game):
            copied: list[str] = []
            monkeypatch.setattr(game.scene, "_copy", copied.append)
            await pilot.press("d")
            assert "Daily boards" in seen(game)
            assert "Beginner" in seen(game)
            await pilot.press("2")
            assert session.daily == Daily(day, "intermediate")
            assert f"Daily board {day.isoformat()}, Intermediate" in seen(game)
            assert "><" in seen(game)
            await pilot.press("D")
            assert copied == []
            await pilot.press("space")  # the cursor stands where the board begins
            assert session.game.begun
            for row, col in zip(*(~session.game.board.mine_map).nonzero(), strict=True):
                session.play(Verb.OPEN, int(row), int(col))
            game.scene.controller._refresh()
            game.update_screen()
            assert "streak 1" in seen(game)
            assert "  streak 1  ------+" in seen(game)
            await pilot.press("D")
            assert copied == [session.daily_result_line()]
            await pilot.press("f2")
            assert "Daily board" not in seen(game)
            await pilot.press("d")
            assert "won" in seen(game)

    played(test)


@pytest.mark.parametrize(
    ("settings", "lamps"),
    [
        ({"theme": "classic"}, True),
        ({"theme": "dark"}, False),
        ({"theme": "dark", "digits": "led"}, True),
        ({"theme": "classic", "digits": "plain"}, False),
    ],
)
def test_only_lamps_have_leading_zeros(settings: dict[str, str], lamps: bool) -> None:
    async def test(store: Store) -> None:
        wishes = StartOptions(seed=7, settings=settings)
        async with sitting_at(store, wishes) as (pilot, _, game):
            assert ("010" in seen(game), "000" in seen(game)) == (lamps, lamps)
            await pilot.press("f", *["right", "f"] * 4)
            assert ("005" in seen(game)) == lamps
            await pilot.press("up", *["left", "f"] * 4, "up", *["right", "f"] * 2)
            assert ("-01" if lamps else " −1 ") in seen(game)

    played(test)
