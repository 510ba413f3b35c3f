"""The speaker of the classic window; silence where there is no device."""

from __future__ import annotations

import pygame

from demine.scene.sounds import RATE, Sound, samples


class Speaker:
    """Plays sounds when switched on; the device is opened by the first of them."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._failed = False
        self._sounds: dict[Sound, pygame.mixer.Sound] = {}

    def works(self) -> bool:
        """Return whether this machine can make sounds."""
        try:
            if not pygame.mixer.get_init():
                pygame.mixer.init(RATE, -16, 1, 512)
        except (pygame.error, NotImplementedError):
            self._failed = True
        return not self._failed

    def play(self, sound: Sound) -> None:
        """Play a sound if switched on; a machine without a device stays silent."""
        if not self.on or self._failed or not self.works():
            return
        try:
            self._made(sound).play()
        except pygame.error:
            self._failed = True

    def _made(self, sound: Sound) -> pygame.mixer.Sound:
        if sound not in self._sounds:
            self._sounds[sound] = pygame.mixer.Sound(buffer=samples(sound).tobytes())
        return self._sounds[sound]
