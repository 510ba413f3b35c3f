"""Games in files: what a file holds tells what it is; a file is written whole or not at all."""

from __future__ import annotations

import os
import re
import stat
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import Act, Touch, Verb
from demine.logic.game import Origin, Status
from demine.logic.layout import format_layout
from demine.logic.rules import EXPERT, First, Rules
from demine.logic.sanitize import escape_control_characters
from demine.replay import (
    ReplayError,
    convert,
    limited_file_io,
    load,
    load_all,
    read,
    read_replay,
    save,
)
from demine.replay.registry import recognised_format
from demine.scene.diagram import format_scene
from demine.scene.sight import sight
from tests import samples
from tests.logic.boards import game_on, games, played
from tests.replay.builders import Meta, every

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
LAYOUT = "4x3/2\n*...\n....\n...*\n"
posix = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")


def sample() -> Game:
    return played(game_on(LAYOUT, seed=3), "flag 0,0; open 0,3; pause; resume")


@given(games(acts=12))
def test_games_are_read_from_what_they_are_written_as(game: Game) -> None:
    assert read(game.journal().encode()) == game


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_golden_journals_load(path: Path, tmp_path: Path) -> None:
    game = load(path)
    assert game.begun
    save(game, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_small_files_take_little_room(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        data = limited_file_io.read_up_to_limit(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert data == b"x" * 1000


@posix
def test_files_that_do_not_tell_how_long_they_are(tmp_path: Path) -> None:
    path, text = tmp_path / "pipe", LAYOUT.encode() * 10_000
    os.mkfifo(path)
    with ThreadPoolExecutor() as pool:
        written = pool.submit(path.write_bytes, text)
        assert limited_file_io.read_up_to_limit(path) == text
        assert written.result() == len(text)


def test_a_saved_game_loads(tmp_path: Path) -> None:
    game = sample()
    save(game, tmp_path / "games 扫雷.jsonl")
    assert load(str(tmp_path / "games 扫雷.jsonl")) == game
    assert [path.name for path in tmp_path.iterdir()] == ["games 扫雷.jsonl"]


@pytest.mark.parametrize("prefix", ["", "\ufeff", "\n\n  ", "\ufeff \r\n"])
@pytest.mark.parametrize("suffix", ["", "\n", "\r\n\r\n", "  \n"])
def test_a_share_code_is_recognised(prefix: str, suffix: str) -> None:
    code = sample().share()
    game = read(f"{prefix}{code}{suffix}".encode())
    assert game == Game.from_share(code)
    assert game.start == (0, 3)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_layout_is_recognised(end: str) -> None:
    game = read(("\ufeff" + LAYOUT.replace("\n", end)).encode())
    assert game.board == played(game_on(LAYOUT.replace("/2", "/2 first=any")), "hint 0,0").board
    assert (game.origin, game.start, game.status) == (Origin.SHARE, None, Status.READY)
    assert game.rules.first is First.ANY
    assert game.play(Act(0, Verb.OPEN, 0, 0)) is Status.LOST
    assert Game.from_share(game.share()).rules == game.rules


def test_a_guess_free_layout_can_be_played() -> None:
    game = read(LAYOUT.replace("4x3/2", "4x3/2 goal=flag guess-free").encode())
    assert str(game.rules) == "4x3/2 first=any goal=flag"


def test_journals_of_other_systems() -> None:
    text = sample().journal()
    assert read(("\ufeff\r\n" + text.replace("\n", "\r\n")).encode()) == sample()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b"\xff\xfe[\x000\x00", "not UTF-8 text: byte 0 is invalid"),
        (b"9x9/10\n\x80", "not UTF-8 text: byte 7 is invalid"),
        (b"\x89PNG\r\n\x1a\n", "it is a picture"),
        (b'["expert", 3]\n', "it is JSON, but not the journal of a game"),
        (b'[\n  {"name": "expert"}\n]', "it is JSON, but not the journal of a game"),
        (b"[1.5, 2]", "it is JSON, but not the journal of a game"),
        (b"[]\n", "it is JSON, but not the journal of a game"),
        (b"\xe9PNG\r\n\x1a\n", "not UTF-8 text: byte 0 is invalid"),
        (b"hello", "not a journal, a share code or a layout"),
        (b"\0" * 50, "not a journal, a share code or a layout"),
        (b'[0,"open",1,2]', "not a journal, a share code or a layout"),
        (b"expert", "the layout has 0 rows, the rules 30x16/99"),
        (b"9x9/99\n", "99 mines do not fit on 9x9"),
        (b"2x2/1\n*.\n.Z", "line 3: 'Z' is neither * nor . nor a digit"),
        (b"{", "line 1: '{' is not a journal header"),
        (b'{"demine":9}', "this is journal version 9"),
        (b"1.3x3.1.so.0-1.gAA.AAAA", "the share code is damaged"),
        (b"2.3x3.1.so.0-1.gAA.AAAA", "'2.3x3.1.so.0-1.gAA.AAAA' is not a share code"),
        (b"8192x8192/5\n*", "the layout has 1 rows"),
    ],
    ids=lambda value: ascii(value[:24]),
)  # fmt: skip
def test_what_is_no_game(data: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(DemineError) as caught:
        read(data)
    assert reason in str(caught.value)
    path = tmp_path / "game"
    path.write_bytes(data)
    with pytest.raises(ReplayError) as named:
        load(path)
    assert str(named.value) == f"{path}: {caught.value}"


def test_a_diagram_is_told_from_a_layout() -> None:
    game = sample()
    with pytest.raises(DemineError, match="a diagram, which shows what a player sees"):
        read(format_scene(game.rules, sight(game)).encode())
    assert read(format_layout(game.rules, game.board.mine_map).encode()).board.laid


@given(
    st.binary(max_size=100) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(DemineError):
        read(data)


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, tmp_path / "a\0b", tmp_path / "none" / "x"):
        with pytest.raises(ReplayError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{escape_control_characters(str(path))}: ")
        assert isinstance(caught.value.__cause__, OSError | ValueError)
    with pytest.raises(ReplayError, match="there is no such file") as caught:
        load(tmp_path / "none")
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_huge_files_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_file_io, "MAX_BYTES", 1000)
    path = tmp_path / "endless"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ReplayError, match="a game has at most 1000 bytes"):
        load(path)


@posix
def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "game", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    save(sample(), link)
    assert link.is_symlink()
    assert load(path) == sample()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    fresh = tmp_path / "fresh"
    save(sample(), fresh)
    plain = tmp_path / "plain"
    plain.touch()
    assert fresh.stat().st_mode == plain.stat().st_mode


def test_where_nothing_can_be_saved(tmp_path: Path) -> None:
    # Never a real device: where the guard fails, root would replace it.
    (tmp_path / "folder").mkdir()
    paths = [
        tmp_path / "folder",
        tmp_path / "none" / "game",
        tmp_path / "a\0b",
        tmp_path / ("x" * 300),
    ]
    for path in paths:
        with pytest.raises(ReplayError) as caught:
            save(sample(), path)
        assert str(caught.value).startswith(f"{escape_control_characters(str(path))}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@posix
def test_what_is_no_plain_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ReplayError, match="it exists but is not a file"):
        save(sample(), pipe)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_save_leaves_what_was_there(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game"
    save(sample(), path)
    before = path.read_bytes()
    if step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ReplayError, match="the disk is full"):
        save(Game(EXPERT, 1), path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_journal_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, Path.replace

    def noted_sync(number: int) -> None:
        steps.append("fsync folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "fsync file")
        sync(number)

    def noted_rename(self: Path, target: Path) -> Path:
        steps.append("replace")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_rename)
    save(sample(), tmp_path / "game")
    assert steps[:2] == ["fsync file", "replace"]
    assert os.name == "nt" or steps[2:] == ["fsync folder"]


# Files of other programs


def test_replays_load_from_paths_and_bytes(tmp_path: Path) -> None:
    data = Meta(version=4).data()
    path = tmp_path / "a replay without an ending"
    path.write_bytes(data)
    assert load(path) == load(data) == load(str(path))
    assert load(path).facts["player"] == "小雷"
    assert load_all(path) == [load(data)]
    assert read_replay(data).format == "EVF"
    ours = read_replay(sample().journal().encode())
    assert (ours.format, ours.game().board.open_map.tolist()) == (
        "",
        sample().board.open_map.tolist(),
    )


def test_damage_says_which_file_and_where(tmp_path: Path) -> None:
    path = tmp_path / "x.evf"
    path.write_bytes(Meta(version=4).data()[:-1])
    with pytest.raises(ReplayError) as caught:
        load(path)
    offset = path.stat().st_size
    assert (caught.value.format, caught.value.offset) == ("EVF", offset)
    assert str(caught.value) == f"{path}: EVF, byte {offset}: the file ends"
    with pytest.raises(ReplayError, match="it is empty"):
        load(b"")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.evf", "EVF"), ("a.EVF", "EVF"), ("a.evfs", "EVFS"), ("a.jsonl", ""), ("a", "")],
)
def test_the_ending_decides_what_is_written(name: str, kind: str, tmp_path: Path) -> None:
    lost = save(sample(), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    known = recognised_format(data)
    assert (known.name if known else "") == kind
    assert bool(lost) is bool(kind)
    assert load(tmp_path / name).board.open_map.tolist() == sample().board.open_map.tolist()


def test_a_format_by_name(tmp_path: Path) -> None:
    save(sample(), tmp_path / "game.evf", format="journal")
    assert load(tmp_path / "game.evf") == sample()
    save(sample(), tmp_path / "game", format="evf")
    assert recognised_format((tmp_path / "game").read_bytes())


def test_a_format_by_its_extension() -> None:
    assert (
        convert(sample(), ".evf")[0] == convert(sample(), "EVF")[0] == convert(sample(), "evf")[0]
    )


def test_an_unknown_extension_is_no_journal(tmp_path: Path) -> None:
    for name in ("game.xyz", "game.v2"):
        with pytest.raises(ReplayError, match=r"use \.evf, .* or \.jsonl for a journal"):
            save(sample(), tmp_path / name)
    with pytest.raises(ReplayError, match=r"; did you mean \.mvf\?"):
        save(sample(), tmp_path / "game.emf")
    assert not list(tmp_path.iterdir())
    for name in ("game", "game.JSONL", "game.journal"):
        assert save(sample(), tmp_path / name) == ()
        assert load(tmp_path / name) == sample()


@pytest.mark.parametrize("name", ["a.umf", "a.UMF"])
def test_what_can_only_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=r"a\.\w+: UMF files cannot be written: use journal, "):
        save(sample(), tmp_path / name)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ReplayError, match="'gif' is not a format: use journal, evf, "):
        save(sample(), tmp_path / "x", format="gif")


def test_strict_refuses_what_would_get_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.evf"
    with pytest.raises(ReplayError) as caught:
        save(sample(), path, strict=True)
    said = str(caught.value)
    assert said.startswith(f"{path}: it cannot hold when the game was paused; what was done by")
    assert not path.exists()
    save(sample(), tmp_path / "game.jsonl", strict=True)


def test_a_replay_is_written_as_it_was(tmp_path: Path) -> None:
    data = Meta(version=2).data()
    assert save(read_replay(data), tmp_path / "a.evf", strict=True) == ()
    assert (tmp_path / "a.evf").read_bytes() == data
    assert convert(read_replay(data), "journal")[0].decode() == load(data).journal()


@pytest.mark.parametrize("name", sorted(every()))
def test_what_is_recognised_is_read_by_its_own_format(name: str) -> None:
    known = recognised_format(every()[name])
    assert known is not None
    assert known.name.lower() == re.sub(r"\d.*", "", name)


@pytest.mark.parametrize("name", samples.names("**/*.avf", "**/*.evf", "**/*.evfs"))
def test_samples_are_recognised(name: str) -> None:
    known = recognised_format(samples.data(name))
    assert known is not None
    assert known.name.lower() == name.rpartition(".")[2]


HELD = {"rawvf": 9_999_999, "rmv": 32_767}
"""How far away a pointer may be; the others hold none that is outside the board."""
FAR = (30_000, 32_767, 32_768, 9_999_999, 10_000_000, 2**31 - 200, 2**31 - 1, 2**31, 2**40, 2**53)


@pytest.mark.parametrize("writer", ["rawvf", "rmv", "evf", "evfs"])
@pytest.mark.parametrize("far", [*FAR, *(-each for each in FAR)])
def test_a_point_far_away_is_refused_or_can_be_read_back(writer: str, far: int) -> None:
    game = Game(Rules.parse("9x9/10"), 7)
    game.touch(Touch(0, "left", "press", 8, 8))
    game.touch(Touch(6, "left", "release", 8, 8))
    game.play(Act(6, Verb.OPEN, 0, 0))
    game.touch(Touch(9, "", "move", 5, far))
    if abs(far) > HELD.get(writer, abs(far)):
        with pytest.raises(ReplayError, match=r"(holds no|cannot hold a) pointer so far"):
            convert(game, writer)
        return
    data, lost = convert(game, writer)
    (again,) = load_all(data)
    last = again.events[-1]
    assert isinstance(last, Touch)
    assert (last.x, last.y) == (5, far) or "outside the board" in str(lost)


def test_a_time_that_rawvf_could_not_be_read_back_with_is_refused() -> None:
    game = Game(Rules.parse("9x9/10"), 7)
    game.play(Act(0, Verb.OPEN, 0, 0))
    game.touch(Touch(9_999_999_999, "", "move", 5, 5))
    assert load_all(convert(game, "rawvf")[0])[0].events[-1].t == 9_999_999_999
    game.touch(Touch(10_000_000_000, "", "move", 5, 5))
    with pytest.raises(ReplayError, match="a RawVF file cannot hold so long a time"):
        convert(game, "rawvf")
