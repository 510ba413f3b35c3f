"""Plays sounds with the system's own player of sound files.

Qt Multimedia would add a hundred megabytes for six short sounds. Windows plays files by itself;
macOS and Linux have a small program for it. Without one, there is no sound.
"""

from __future__ import annotations

import shutil
import sys
from functools import cached_property
from pathlib import Path
from typing import Final

from PySide6.QtCore import QProcess, QTemporaryDir

from demine.scene.sounds import Sound, wav_bytes

_PLAYERS: Final = (("pw-play",), ("paplay",), ("afplay",), ("aplay", "-q"))


class Speaker:
    """Plays sounds without waiting for them."""

    def __init__(self) -> None:
        self._folder: QTemporaryDir | None = None

    @cached_property
    def _player(self) -> tuple[str, ...]:
        found = (words for words in _PLAYERS if shutil.which(words[0]))
        return next(found, ())

    def is_available(self) -> bool:
        """Return whether this machine can play sounds."""
        return sys.platform == "win32" or bool(self._player)

    def play(self, sound: Sound) -> None:
        """Start playing a sound; do nothing if this machine cannot."""
        if sys.platform == "win32":
            import winsound

            winsound.PlaySound(str(self._file(sound)), winsound.SND_FILENAME | winsound.SND_ASYNC)
        elif self._player:
            program, *words = self._player
            process = QProcess()
            process.setProgram(program)
            process.setArguments([*words, str(self._file(sound))])
            process.setStandardOutputFile(QProcess.nullDevice())
            process.setStandardErrorFile(QProcess.nullDevice())
            process.startDetached()

    def _file(self, sound: Sound) -> Path:
        if self._folder is None:
            self._folder = QTemporaryDir()
        path = Path(self._folder.filePath(f"{sound}.wav"))
        if not path.exists():
            path.write_bytes(wav_bytes(sound))
        return path
