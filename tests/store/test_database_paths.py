"""A folder for the player's data that cannot be: below the home of somebody who is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.cli.main import run
from demine.play.first_frame import PictureFile, SavedPicture, cache_folder, untouched_board
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store, StoreError, data_dir
from demine.store.quick_look import saved_language

NOBODY = "~nobody-of-that-name/x"
SENTENCE = f"DEMINE_DATA_DIR is '{NOBODY}': there is no such home folder."


@pytest.fixture(autouse=True)
def nobodys_home(data_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    del data_dir  # this one comes after it
    monkeypatch.setenv("DEMINE_DATA_DIR", NOBODY)
    monkeypatch.chdir(tmp_path)


def test_the_library_says_so() -> None:
    for ask in (data_dir, Store.open):
        with pytest.raises(StoreError) as caught:
            ask()
        assert str(caught.value) == SENTENCE


@pytest.mark.parametrize(
    "words",
    [
        ["records"],
        ["records", "--export", "-"],
        ["daily"],
        ["study", "4x4/3", "--games", "2", "--seed", "1", "--workers", "1"],
    ],
)
def test_verbs_say_so_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"demine {words[0]}: {SENTENCE}\n")


def test_scenes_play_on_in_memory_and_tell(tmp_path: Path) -> None:
    assert (saved_language(), untouched_board(StartOptions())) == ("", None)
    with opened_store() as (store, troubles):
        assert [str(trouble) for trouble in troubles] == [SENTENCE]
        session = GameSession.begin(store, StartOptions(seed=7), Preferences())
        assert store.path is None
        session.close()
    assert not list(tmp_path.glob("~*"))


def test_pictures_of_windows_go_where_caches_go(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    PictureFile("window").save(SavedPicture(b"a picture"))
    assert PictureFile("window").take_if_valid() is None
    assert not list(tmp_path.glob("~*"))
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path))
    assert cache_folder() == tmp_path / "cache"


def test_a_home_that_is_there_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("DEMINE_DATA_DIR", "~/games")
    assert data_dir() == tmp_path / "games"
