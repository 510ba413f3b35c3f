"""Parts of the classic scene that need no window."""

from __future__ import annotations

import select
import threading
from dataclasses import replace

import numpy as np
import pygame
import pytest

from demine.classic.keyboard import Keyboard, key_names
from demine.classic.shot import Page, visible
from demine.classic.signals import heard
from demine.classic.sound import Speaker
from demine.classic.stage import Stage, first_size, fitting_cell, window_size
from demine.classic.words import Words, block_height, lines_on_page, note_height, page_lines
from demine.scene.board_geometry import Rect, View
from demine.scene.cell_style import Look, looks
from demine.scene.face import Face
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.overlay import Mark, Overlay
from demine.scene.sounds import RATE, Sound, samples


def press(key: int, modifiers: int = 0, scancode: int = 200) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=modifiers, scancode=scancode)


# Keys


@pytest.mark.parametrize(
    ("key", "modifiers", "scancode", "names"),
    [
        (pygame.K_f, 0, 9, ("f",)),
        (pygame.K_f, pygame.KMOD_LSHIFT, 9, ("shift+f",)),
        (pygame.K_z, pygame.KMOD_RCTRL, 29, ("ctrl+z",)),
        (pygame.K_F2, pygame.KMOD_SHIFT, 59, ("shift+f2",)),
        (pygame.K_SLASH, pygame.KMOD_SHIFT, 56, ("?",)),
        (pygame.K_EQUALS, pygame.KMOD_SHIFT, 46, ("=",)),
        (pygame.K_PLUS, 0, 48, ("+",)),
        (pygame.K_KP1, pygame.KMOD_NUM, 89, ("1",)),
        (pygame.K_KP1, 0, 89, ("end",)),
        (pygame.K_KP8, 0, 96, ("up",)),
        (pygame.K_KP5, 0, 93, ()),
        (pygame.K_KP_PLUS, 0, 87, ("+",)),
        (pygame.K_LSHIFT, pygame.KMOD_LSHIFT, 225, ()),
        (pygame.K_SPACE, 0, 44, ("space",)),
        # Beyond the Latin letters a key is also known by its place.
        (0x0444, 0, 4, ("ф", "a")),
        (0x00E9, 0, 31, ("é", "2")),
        (0x0430, pygame.KMOD_CTRL, 9, ("ctrl+а", "ctrl+f")),
        # A Latin letter is what it says, wherever it stands.
        (pygame.K_a, 0, 20, ("a",)),
    ],
)
def test_keys_by_name(key: int, modifiers: int, scancode: int, names: tuple[str, ...]) -> None:
    assert key_names(press(key, modifiers, scancode)) == names


def test_a_held_key_repeats_moves_only() -> None:
    keyboard = Keyboard(KeyMap())
    right, restart = press(pygame.K_RIGHT, 0, 79), press(pygame.K_F2, 0, 59)
    assert [keyboard.press(right) for _ in range(3)] == [Command.RIGHT] * 3
    assert [keyboard.press(restart) for _ in range(3)] == [Command.NEW, None, None]
    keyboard.release(restart)
    assert keyboard.press(restart) is Command.NEW
    keyboard.forget()
    assert keyboard.press(restart) is Command.NEW


def test_modifiers_are_those_of_the_last_event() -> None:
    keyboard = Keyboard(KeyMap())
    assert (keyboard.shift, keyboard.ctrl) == (False, False)
    keyboard.press(press(pygame.K_LSHIFT, pygame.KMOD_LSHIFT, 225))
    assert (keyboard.shift, keyboard.ctrl) == (True, False)
    keyboard.release(press(pygame.K_LSHIFT, 0, 225))
    keyboard.press(press(pygame.K_RCTRL, pygame.KMOD_RCTRL, 228))
    assert (keyboard.shift, keyboard.ctrl) == (False, True)
    keyboard.forget()
    assert not keyboard.ctrl


# Words


@pytest.mark.parametrize("text", ["/a/" + "very-long-name" * 20, "说" * 200, "word " * 80])
def test_a_long_text_is_wrapped_wherever_it_can_be(text: str) -> None:
    pygame.font.init()
    place = Rect(0, 0, 260, 400)
    lines = page_lines(Page("", (("!", text),)), place)
    assert len(lines) > 3
    assert "".join(part for _, part in lines).replace(" ", "") == text.replace(" ", "")
    assert [key for key, _ in lines] == ["!", *[""] * (len(lines) - 1)]


# Places


@pytest.mark.parametrize("shape", [(9, 9), (16, 30), (1, 40), (40, 1), (1, 1)])
@pytest.mark.parametrize("cell", [16, 24, 44, 100])
def test_a_window_of_its_own_size_shows_the_whole_board(shape: tuple[int, int], cell: int) -> None:
    size = window_size(shape, cell)
    stage = Stage.of(size, cell)
    assert stage.unit == min(max(cell, 16), 44)
    view = View.at(shape, stage.viewport, cell)
    assert view.whole
    assert stage.face.x > stage.lamps.x
    assert stage.line.bottom <= stage.panel.bottom <= view.board_rect.y


@pytest.mark.parametrize("screen", [(800, 600), (1366, 768), (1600, 1200), (3840, 2160)])
@pytest.mark.parametrize("shape", [(9, 9), (16, 30), (500, 500)])
def test_the_first_window_fits_the_screen(shape: tuple[int, int], screen: tuple[int, int]) -> None:
    cell = fitting_cell(shape, screen)
    assert 16 <= cell <= 64
    size = first_size(shape, cell, screen)
    assert size[0] < screen[0]
    assert size[1] < screen[1]
    if shape != (500, 500):
        assert View.at(shape, Stage.of(size, cell).viewport, cell).whole


def test_the_panel_shrinks_with_a_narrow_window() -> None:
    for width in range(60, 400, 17):
        stage = Stage.of((width, 300), 35)
        assert stage.lamps.width >= 0
        assert stage.unit == 35 or 9 * (stage.unit + 1) > width - 50
        assert stage.face.x + stage.face.width <= width


def test_visible_looks_are_those_of_the_whole_board() -> None:
    rng = np.random.default_rng(3)
    faces = rng.choice([Face.ONE, Face.TWO, Face.COVERED, Face.FLAG], (40, 50)).astype(np.uint8)
    pressed = [(12, 14), (39, 49)]
    whole = looks(faces, pressed)
    advice = Overlay.empty((40, 50)).marked(Mark.SAFE, pressed)
    for dx, dy in ((0, 0), (-95, -133), (-400, -200), (-9999, -9999), (9999, 9999)):
        view = View.at((40, 50), Rect(0, 0, 200, 170), 10).panned(dx, dy)
        rows, cols = view.visible()
        part = slice(rows.start, rows.stop), slice(cols.start, cols.stop)
        seen, dress, part_of_advice = visible(faces, view, pressed, advice)
        np.testing.assert_array_equal(seen, faces[part])
        assert part_of_advice == advice.part(rows.start, cols.start, rows.stop, cols.stop)
        np.testing.assert_array_equal(dress, whole[part])
    assert (whole == Look.CROWDED).any()


# Sounds


@pytest.mark.parametrize("sound", list(Sound))
def test_sounds_are_short_and_never_clip(sound: Sound) -> None:
    wave = samples(sound)
    assert wave.dtype == np.int16
    assert 0.03 < wave.size / RATE < 1.2
    peak = int(np.abs(wave.astype(np.int32)).max())
    assert 4000 < peak < 16_000
    assert abs(int(wave[0])) < 200, "it begins with a click"
    assert abs(int(wave[-1])) < 400, "it ends with a click"
    np.testing.assert_array_equal(wave, samples(sound))


def test_a_machine_without_a_device_stays_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    pygame.mixer.quit()
    speaker = Speaker(on=True)
    assert not speaker.works()
    for sound in Sound:
        speaker.play(sound)


def test_a_machine_with_a_device_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    speaker = Speaker(on=True)
    try:
        assert speaker.works()
        for sound in Sound:
            speaker.play(sound)
        assert pygame.mixer.get_busy()
    finally:
        pygame.mixer.quit()


# Lines


def test_a_line_in_parts_loses_whole_ones_before_any_letter() -> None:
    pygame.font.init()
    words, white = Words(), (255, 255, 255)

    def drawn(text: str, width: int) -> bytes:
        glass = pygame.Surface((width, 16))
        words.centred(glass, text, white, Rect(0, 0, width, 16))
        return pygame.image.tobytes(glass, "RGB")

    whole = "Win · a record by 0.400 s! · 12.345 s · 45 clicks · 3BV 32 · 3BV/s 2.59"
    assert drawn(whole, 210) == drawn("Win · a record by 0.400 s! · 12.345 s", 210)
    assert drawn(whole, 600) != drawn("Win · a record by 0.400 s! · 12.345 s", 600)
    assert drawn(whole, 90) == drawn("Win · a record by 0.400 s!", 90)


# Words below the board


@pytest.mark.parametrize(
    "text", ["Row 2, column 7 is safe; " * 9 + "so.", "第 2 行第 7 列安全，" * 20, "a" * 400]
)
@pytest.mark.parametrize("cell", [16, 24, 35])
def test_words_below_the_board_are_shown_whole(text: str, cell: int) -> None:
    pygame.font.init()
    bare = Stage.of(window_size((9, 9), cell), cell)
    high = note_height(text, bare)
    grown = replace(bare, height=bare.height + high, note_height=high)
    assert grown.viewport == bare.viewport  # the board keeps its place
    assert grown.note.bottom == grown.height
    place, size = grown.note_text, grown.note_size
    assert block_height(text, size, place.width) <= place.height
    glass, cut = pygame.Surface((500, 1000)), pygame.Surface((500, 1000))
    Words().block(glass, text, (255, 255, 255), place, size)
    Words().block(cut, text[:-1], (255, 255, 255), place, size)
    assert pygame.image.tobytes(glass, "RGB") != pygame.image.tobytes(cut, "RGB")


def test_words_without_enough_room_shrink_and_end_with_the_tail() -> None:
    pygame.font.init()
    place, text = Rect(0, 0, 200, 60), "word " * 100

    def drawn(text: str, tail: str) -> bytes:
        glass = pygame.Surface((200, 300))
        Words().block(glass, text, (255, 255, 255), place, 16, tail)
        pixels = pygame.surfarray.array3d(glass)
        assert not pixels[:, place.bottom + 4 :].any()
        return pixels.tobytes()

    assert drawn(text, "…") == drawn(text * 2, "…")
    assert drawn(text, "…") != drawn(text, "… (F1)")
    assert drawn("", "…") == drawn("", "… (F1)")


def test_parts_of_a_result_stay_whole() -> None:
    pygame.font.init()
    parts = "demine 2026-11-22 beginner", "won 2.4 s", "3BV/s 5.79", "streak 1", "------+"
    for wide in range(260, 700, 9):
        lines = page_lines(Page("", (("", "  ".join(parts)),)), Rect(0, 0, wide, 400))
        assert [part for _, line in lines for part in line.split("  ")] == list(parts)


def test_the_foot_of_a_page_tells_of_more_below() -> None:
    pygame.font.init()
    place = Rect(0, 0, 400, 200)

    def foot(rows: int) -> bytes:
        surface = pygame.Surface((400, 200))
        Words().page(surface, Page("", (("a", "b"),) * rows), (9, 9, 9), (0, 0, 0), place)
        return pygame.image.tobytes(surface.subsurface((0, 180, 400, 20)), "RGB")

    fitting = lines_on_page(place)
    assert foot(1) == foot(fitting) != foot(fitting + 1)


def test_no_mark_begins_a_line() -> None:
    pygame.font.init()
    for wide in range(160, 500, 7):
        page = Page("", (("!", "第一行，第二行。第三行：第 12 列的“1”；安全！" * 3),))
        for _, line in page_lines(page, Rect(0, 0, wide, 400)):
            assert line[:1] not in "，。：；！”", line
            assert line[-1:] != "“"


# Waking up


def test_other_threads_wake_whoever_waits() -> None:
    with heard() as signals:
        assert signals.source is not None
        assert select.select([signals.source], [], [], 0)[0] == []
        threads = [threading.Thread(target=signals.stir) for _ in range(4)]
        for thread in threads:
            thread.start()
        assert select.select([signals.source], [], [], 10)[0] == [signals.source]
        for thread in threads:
            thread.join()
        signals.drain()
        assert select.select([signals.source], [], [], 0)[0] == []
        for _ in range(100_000):  # more than a pipe holds
            signals.stir()
    signals.stir()  # the pipe is closed: nobody is woken, nothing breaks
