"""The desktop's speaker: another program plays the sounds, and nobody waits for it."""

from __future__ import annotations

import sys
import wave
from pathlib import Path

import pytest

from demine.desktop.system_sound_player import Speaker
from demine.scene.sounds import RATE, Sound, samples
from tests.hand import wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows plays by itself")


def player(folder: Path, name: str) -> Path:
    """A program that plays nothing but notes which file it was given."""
    heard = folder / "heard"
    program = folder / name
    program.write_text(f'#!/bin/sh\nfor last; do :; done\ncp "$last" "{heard}.new"\n'
                       f'mv "{heard}.new" "{heard}"\n')  # fmt: skip
    program.chmod(0o755)
    return heard


def test_a_sound_is_handed_to_the_systems_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = player(tmp_path, "aplay")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("demine.desktop.system_sound_player._PLAYERS", (("aplay", "-q"),))
    speaker = Speaker()
    assert speaker.is_available()
    speaker.play(Sound.WON)
    wait_for(heard.exists, "the sound to be played")
    with wave.open(str(heard), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        assert file.readframes(file.getnframes()) == samples(Sound.WON).astype("<i2").tobytes()


def test_without_a_player_there_is_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    speaker = Speaker()
    assert not speaker.is_available()
    speaker.play(Sound.LOST)
