"""The speaker of the classic window; silent where there is no sound device."""

from __future__ import annotations

from functools import cache

import pygame

from demine.scene.sounds import RATE, Sound, samples


class Speaker:
    """Plays sounds; opens the sound device at the first one."""

    def __init__(self) -> None:
        self._failed = False

    def works(self) -> bool:
        """Open the sound device, unless it is open; return whether there is one."""
        if not self._failed and not pygame.mixer.get_init():
            try:
                pygame.mixer.init(RATE, -16, 1, 512)
            except (pygame.error, NotImplementedError):
                self._failed = True
        return not self._failed

    def play(self, sound: Sound) -> None:
        """Start a sound without waiting for its end."""
        if self.works():
            _wave(sound).play()


@cache
def _wave(sound: Sound) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(buffer=samples(sound).tobytes())
