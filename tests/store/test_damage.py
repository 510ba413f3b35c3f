"""Databases cut, overwritten and flipped: no crash, no lost file, and the player is told."""

from __future__ import annotations

import io
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.game import Game
from demine.store import NoticeKind, Store, StoreError, StoreNotice
from demine.store.database_paths import database_files
from tests.store.playing import SMALL, keep_win, opened

WINS = 30


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed database with games, settings, and one game unfinished."""
    path = tmp_path_factory.mktemp("sound") / "demine.db"
    with Store.open(path) as store:
        store.settings.update({"theme": "dark", "zoom": 2})
        for time_ms in range(1000, 1000 + WINS):
            keep_win(store, time_ms)
        store.begin(opened())
    return path


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "demine.db"
    shutil.copyfile(sound, path)
    yield path
    for kept in tmp_path.glob("demine.damaged-*"):
        assert kept.stat().st_size > 0


def look_at_all(store: Store) -> None:
    for row in store.games(limit=-1):
        # One journal may be damaged alone, and a row be lost with a page found damaged meanwhile.
        with suppress(StoreError):
            assert store.load_game(row.id).status.over


def use(path: Path) -> tuple[StoreNotice, ...]:
    """Do everything with a store that it can do; return what it told."""
    with Store.open(path) as store:
        live = store.begin(Game(SMALL))
        look_at_all(store)
        resumed = store.resume()
        if resumed is not None:
            assert resumed.abandon(5) is not None
        store.records()
        store.settings.all()
        store.export(io.StringIO())
        keep_win(store, 77)
        live.abandon()
        notices = store.take_notices()
    with Store.open(path) as store:
        assert store.take_notices() == ()
        best = store.record_of(SMALL).best_ms
        assert best is not None
        assert best <= 77
    return notices


def test_sound_database_tells_nothing(copy: Path) -> None:
    assert use(copy) == ()


@pytest.mark.parametrize("share", [0.001, 0.02, 0.2, 0.4, 0.6, 0.8, 0.99, 0.99999])
def test_a_cut_database_is_kept_and_told_of(copy: Path, share: float) -> None:
    content = copy.read_bytes()
    cut = content[: int(len(content) * share)]
    copy.write_bytes(cut)
    notices = use(copy)
    if cut:
        (notice,) = notices
        assert notice.kind is NoticeKind.DAMAGED
        assert notice.set_aside_path is not None
        assert notice.set_aside_path.read_bytes() == cut


def test_pages_of_zeroes_cost_only_what_was_on_them(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    last = len(content) - 4096
    content[last:] = bytes(4096)
    copy.write_bytes(content)
    with Store.open(copy) as store:
        (notice,) = store.take_notices()
        assert notice.set_aside_path is not None
        assert notice.set_aside_path.read_bytes() == content
        assert len(store.games(limit=-1)) > WINS // 2
        assert store.settings.get("theme") == "dark"
        assert store.record_of(SMALL).best_ms == 1000


def test_each_page_in_turn_may_be_noise(sound: Path, tmp_path: Path) -> None:
    content = sound.read_bytes()
    rng = random.Random(5)
    for number, start in enumerate(range(0, len(content), 4096)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "demine.db"
        path.write_bytes(content[:start] + rng.randbytes(4096) + content[start + 4096 :])
        notices = use(path)
        assert len(notices) == len({notice.set_aside_path for notice in notices})
        assert [n for n in notices if n.set_aside_path], f"noise in page {number} went unnoticed"


@settings(max_examples=60)
@given(
    flips=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)), min_size=1, max_size=8
    )
)
def test_flipped_bytes_never_crash(sound: Path, flips: list[tuple[float, int]]) -> None:
    content = bytearray(sound.read_bytes())
    for share, mask in flips:
        content[int(share * len(content))] ^= mask
    with TemporaryDirectory() as folder:
        path = Path(folder) / "demine.db"
        path.write_bytes(content)
        use(path)


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_litter_beside_the_database_does_no_harm(copy: Path, suffix: str) -> None:
    copy.with_name(copy.name + suffix).write_bytes(random.Random(3).randbytes(30_000))
    with Store.open(copy) as store:
        assert len(store.games(limit=-1)) == WINS
        assert store.resume() is not None


def test_a_folder_in_place_of_the_log_is_an_error(copy: Path) -> None:
    before = copy.read_bytes()
    copy.with_name("demine.db-wal").mkdir()
    with pytest.raises(StoreError, match="cannot be saved"):
        Store.open(copy)
    assert copy.read_bytes() == before


def test_a_large_damaged_database_is_noticed_when_it_is_read(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.store.open_database.FULLY_CHECKED_BYTES", 0)
    content = bytearray(copy.read_bytes())
    assert b"CREATE " not in content[-8192:]
    # Noise in the last pages: packed journals, read only when somebody looks at a game.
    content[-8192:] = random.Random(1).randbytes(8192)
    copy.write_bytes(content)
    with Store.open(copy) as store:
        live = store.begin(opened())
        look_at_all(store)
        live.tick(4321)
        notices = store.take_notices()
        assert [notice.kind for notice in notices] in ([], [NoticeKind.DAMAGED])
        assert store.load_game(live.id) == live.game
        assert store.game_row(live.id).time_ms == 4321
    assert all(member.name != "demine.db-wal" for member in database_files(copy) if member.exists())
