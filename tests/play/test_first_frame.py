"""What the first frame of a start shows, known before the game is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from demine.logic.event import Verb
from demine.logic.rules import BEGINNER, EXPERT, First, Rules
from demine.play.first_frame import (
    PictureFile,
    SavedPicture,
    UntouchedBoard,
    cache_folder,
    first_frame_candidates,
    untouched_board,
)
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, StartOptions

NEW = StartOptions(new=True)


def sit(path: Path, wishes: StartOptions, *acts: tuple[Verb, int, int]) -> Rules:
    """Sit down with wishes, do something, and leave; return the rules then played."""
    with opened_store(str(path)) as (store, _):
        preferences = Preferences.from_settings({**store.settings.all(), **wishes.settings})
        session = GameSession.begin(store, wishes, preferences)
        for verb, row, col in acts:
            assert session.play(verb, row, col)
        return session.game.rules


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the records lie."""
    return tmp_path / "demine.db"


def rules_of(wishes: StartOptions, path: Path) -> Rules | None:
    """The rules of the untouched board that is about to be played."""
    found = untouched_board(wishes, path)
    return None if found is None else found.rules


@pytest.mark.parametrize(
    "wishes",
    [
        StartOptions(),
        NEW,
        StartOptions(rules=EXPERT, seed=7),
        StartOptions(settings={"rules": "16x16/40"}),
    ],
)
def test_it_sees_what_the_session_begins(path: Path, wishes: StartOptions) -> None:
    seen = rules_of(wishes, path)
    assert not path.exists()
    assert seen == sit(path, wishes)


def test_a_board_that_was_only_looked_at_is_untouched_board(path: Path) -> None:
    sit(path, StartOptions(rules=BEGINNER))
    assert rules_of(StartOptions(), path) == BEGINNER


@pytest.mark.parametrize("verb", [Verb.OPEN, Verb.FLAG])
def test_an_unfinished_game_is_not_untouched_board(path: Path, verb: Verb) -> None:
    sit(path, StartOptions(seed=7), (verb, 4, 4))
    assert rules_of(StartOptions(), path) is None
    assert rules_of(StartOptions(rules=BEGINNER), path) is None
    assert rules_of(NEW, path) == BEGINNER


def test_another_board_than_a_new_one_wants_a_closer_look(path: Path) -> None:
    sit(path, StartOptions(rules=EXPERT))
    assert rules_of(StartOptions(), path) is None


def test_a_chosen_seed_wants_a_closer_look_when_it_goes_on(path: Path) -> None:
    sit(path, StartOptions(seed=7))
    assert rules_of(StartOptions(), path) is None


def test_a_shared_board_wants_a_closer_look(path: Path) -> None:
    assert rules_of(StartOptions(share_code="1.abc"), path) is None


def test_rules_with_a_promise_nobody_keeps_want_a_closer_look(path: Path) -> None:
    assert rules_of(StartOptions(rules=Rules(9, 9, 10, First.ZERO, guess_free=True)), path) is None


def test_it_sees_the_settings_with_the_wishes_over_them(path: Path) -> None:
    with opened_store(str(path)) as (store, _):
        store.settings.update({"theme": "dark", "cell": 30})
    found = untouched_board(StartOptions(new=True, settings={"theme": "light"}), path)
    assert found is not None
    assert found.settings == {"theme": "light", "cell": 30}


@pytest.mark.parametrize("content", [b"", b"nonsense", b"SQLite format 3\0" + bytes(4096)])
def test_what_is_no_database_wants_a_closer_look(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert untouched_board(NEW, path) is None
    assert path.read_bytes() == content


def test_it_loads_no_arrays() -> None:
    program = "import sys, demine.play.first_frame; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_folder_that_is_none_promises_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert untouched_board(NEW, tmp_path / "file" / "demine.db") is None
    assert untouched_board(NEW, tmp_path / "none" / "such" / "demine.db") is not None


# The kept picture

PICTURE = SavedPicture(b"a picture", b"a place")


def test_its_place_follows_the_players_folder(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache_folder() == data_dir / "cache"
    monkeypatch.delenv("DEMINE_DATA_DIR")
    assert cache_folder().name == "demine"


@pytest.mark.parametrize("picture", [PICTURE, SavedPicture(b"a picture of no place")])
def test_a_picture_is_taken_once(picture: SavedPicture) -> None:
    file = PictureFile("some")
    assert file.take_if_valid() is None
    file.save(picture)
    assert file.take_if_valid() == picture
    assert file.take_if_valid() is None


def test_other_records_or_conditions_make_it_invalid(data_dir: Path) -> None:
    PictureFile("some", "font", 2).save(PICTURE)
    assert PictureFile("some", "font", 3).take_if_valid() is None
    for name in ("demine.db", "demine.db-wal"):
        PictureFile("some").save(PICTURE)
        (data_dir / name).write_bytes(b"records")
        assert PictureFile("some").take_if_valid() is None


def test_another_language_makes_it_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    PictureFile("some").save(PICTURE)
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert PictureFile("some").take_if_valid() is None


def test_scenes_keep_their_own_pictures() -> None:
    PictureFile("some").save(PICTURE)
    assert PictureFile("other").take_if_valid() is None
    assert PictureFile("some").take_if_valid() == PICTURE


def test_a_picture_that_is_not_taken_is_outdated(data_dir: Path) -> None:
    PictureFile("some").save(PICTURE)
    assert [type(each) for each in first_frame_candidates(PictureFile("some"), NEW)] == [
        UntouchedBoard
    ]
    assert not (data_dir / "cache" / "some.txt").exists()
    PictureFile("some").save(PICTURE)
    found = list(first_frame_candidates(PictureFile("some"), StartOptions()))
    assert [type(each) for each in found] == [SavedPicture, UntouchedBoard]
