"""Parts of the classic scene that need no window."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import numpy as np
import pygame
import pytest

from demine.classic.keyboard import Keyboard, key_names
from demine.classic.scene import Speaker
from demine.classic.text import draw_centred_line, draw_page, line_width
from demine.classic.window import Window
from demine.picture.seven_segment import digit_width
from demine.scene.board_geometry import Rect
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.sounds import RATE, Sound, samples
from demine.scene.window_layout import Layout, window_size
from demine.scene.window_page import WindowPage


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
    assert [keyboard.command_of_press(right) for _ in range(3)] == [Command.RIGHT] * 3
    assert [keyboard.command_of_press(restart) for _ in range(3)] == [Command.NEW, None, None]
    keyboard.release(restart)
    assert keyboard.command_of_press(restart) is Command.NEW
    keyboard.reset()
    assert keyboard.command_of_press(restart) is Command.NEW


def test_modifiers_are_those_of_the_last_event() -> None:
    keyboard = Keyboard(KeyMap())
    assert (keyboard.shift, keyboard.ctrl) == (False, False)
    keyboard.command_of_press(press(pygame.K_LSHIFT, pygame.KMOD_LSHIFT, 225))
    assert (keyboard.shift, keyboard.ctrl) == (True, False)
    keyboard.release(press(pygame.K_LSHIFT, 0, 225))
    keyboard.command_of_press(press(pygame.K_RCTRL, pygame.KMOD_RCTRL, 228))
    assert (keyboard.shift, keyboard.ctrl) == (False, True)
    keyboard.reset()
    assert not keyboard.ctrl


# Words


@pytest.mark.parametrize("text", ["/a/" + "very-long-name" * 20, "说" * 200, "word " * 80])
def test_a_long_text_is_wrapped_wherever_it_can_be(text: str) -> None:
    pygame.font.init()
    place = Rect(0, 0, 260, 400)
    lines = WindowPage("", (("!", text),), place, line_width).lines
    assert len(lines) > 3
    assert "".join(part for _, part in lines).replace(" ", "") == text.replace(" ", "")
    assert [key for key, _ in lines] == ["!", *[""] * (len(lines) - 1)]


# Places


@pytest.mark.parametrize("shape", [(9, 9), (16, 30), (1, 40), (40, 1), (1, 1)])
@pytest.mark.parametrize("cell", [16, 24, 44, 100])
def test_a_window_of_its_own_size_shows_the_whole_board(shape: tuple[int, int], cell: int) -> None:
    size = window_size(shape, cell)
    layout = Layout.with_cell_size(size, shape, cell)
    assert layout.counters.height == min(max(cell, 16), 44) * 3 // 2
    assert layout.view.shows_whole_board
    assert layout.face.x > layout.counters.x
    assert layout.line.bottom <= layout.panel.bottom <= layout.view.board_rect.y


@pytest.mark.parametrize("screen", [(800, 600), (1366, 768), (1600, 1200), (3840, 2160)])
@pytest.mark.parametrize("shape", [(9, 9), (16, 30), (500, 500)])
def test_the_first_window_fits_the_screen(shape: tuple[int, int], screen: tuple[int, int]) -> None:
    layout = Layout.for_new_window(shape, 0, screen)
    assert 16 <= layout.view.cell <= 64
    assert shape != (9, 9) or layout.view.cell >= 32
    assert layout.size[0] < screen[0]
    assert layout.size[1] < screen[1]
    if shape != (500, 500):
        assert layout.view.shows_whole_board


def test_the_panel_shrinks_with_a_narrow_window() -> None:
    for width in range(60, 400, 17):
        layout = Layout.with_cell_size((width, 300), (9, 9), 35)
        unit = (2 * layout.counters.height + 2) // 3  # of which one and a half are its height
        units = 9 if layout.face.width else 7
        assert layout.counters.width >= 0
        assert unit in {12, 35} or units * (unit + 1) > width - 50
        assert layout.face.x + layout.face.width <= width


@pytest.mark.parametrize("cell", [4, 12, 26, 44])
def test_the_face_gives_way_before_the_lamps_become_unreadable(cell: int) -> None:
    for width in range(96, 400):
        layout = Layout.with_cell_size((width, 300), (9, 9), cell)
        row, lamps = layout.counters, 3 * digit_width(layout.counters.height)
        assert row.height >= 18
        assert (layout.face.width > 0) == (width >= 120)
        assert row.x + lamps < layout.face.x
        assert layout.face.right < row.right - lamps
        assert layout.is_on_restart_button(width // 2, row.y + 1) == (width >= 120)


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
    speaker = Speaker()
    assert not speaker.is_available()
    for sound in Sound:
        speaker.play(sound)


def test_a_machine_with_a_device_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    speaker = Speaker()
    try:
        assert speaker.is_available()
        for sound in Sound:
            speaker.play(sound)
        assert pygame.mixer.get_busy()
    finally:
        pygame.mixer.quit()


# Lines


def test_a_line_in_parts_loses_whole_ones_before_any_letter() -> None:
    pygame.font.init()
    white = (255, 255, 255)

    def drawn(text: str, width: int) -> bytes:
        glass = pygame.Surface((width, 16))
        draw_centred_line(glass, text, white, Rect(0, 0, width, 16))
        return pygame.image.tobytes(glass, "RGB")

    whole = "Win · New best, 0.400 s faster · 12.345 s · 45 clicks · 3BV 32 · 3BV/s 2.59"
    assert drawn(whole, 210) == drawn("Win · New best, 0.400 s faster · 12.345 s", 210)
    assert drawn(whole, 600) != drawn("Win · New best, 0.400 s faster · 12.345 s", 600)
    assert drawn(whole, 90) == drawn("Win · New best, 0.400 s faster", 90)


def test_the_foot_of_a_page_tells_of_more_below() -> None:
    pygame.font.init()
    place = Rect(0, 0, 400, 200)

    def foot(rows: int) -> bytes:
        surface = pygame.Surface((400, 200))
        page = WindowPage("", (("a", "b"),) * rows, place, line_width)
        draw_page(surface, page, (9, 9, 9), (0, 0, 0))
        return pygame.image.tobytes(surface.subsurface((0, 180, 400, 20)), "RGB")

    fitting = WindowPage("", (), place, line_width).room
    assert foot(1) == foot(fitting) != foot(fitting + 1)


def test_no_mark_begins_a_line() -> None:
    pygame.font.init()
    for wide in range(160, 500, 7):
        rows = (("!", "第一行，第二行。第三行：第 12 列的“1”；安全！" * 3),)
        for _, line in WindowPage("", rows, Rect(0, 0, wide, 400), line_width).lines:
            assert line[:1] not in "，。：；！”", line
            assert line[-1:] != "“"


# Waking up


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Fail where this takes longer; a window that nobody wakes sleeps on."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"nobody woke the window in {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_wake_the_window(window: Window) -> None:
    window.close_on_signals()
    window.show((300, 200))
    while window.wait_for_events(0.2):
        pass  # what the display says of a new window
    threads = [threading.Thread(target=window.wake) for _ in range(4)]
    with alarm(20):
        for thread in threads:
            thread.start()
        while not any(event.type == pygame.USEREVENT for event in window.wait_for_events(600)):
            pass
    for thread in threads:
        thread.join()
    while window.wait_for_events(0.2):
        pass
    assert window.wait_for_events(0) == []  # what woke it is used up
    for _ in range(100_000):  # more than a queue or a pipe holds
        window.wake()
    assert window.wait_for_events(0)
    pygame.display.quit()
    window.wake()  # nobody is woken any more, and nothing breaks


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wake_the_window_and_close_it(window: Window, number: signal.Signals) -> None:
    window.close_on_signals()
    window.show((300, 200))
    while window.wait_for_events(0.2):
        pass
    timer = threading.Timer(0.1, os.kill, (os.getpid(), number))
    with alarm(20):
        timer.start()
        while not any(event.type == pygame.QUIT for event in window.wait_for_events(600)):
            pass
    timer.join()
    assert window.interrupted == (number == signal.SIGINT)
