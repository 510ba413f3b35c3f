"""Everything out, everything in again, and nothing in that does not belong."""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.game import Game
from demine.kernels.kernel_set import KernelSet
from demine.logic import fast_replay
from demine.logic.errors import JournalError
from demine.logic.event import Act, Verb
from demine.logic.game import play_event
from demine.logic.kernels import JOURNAL_KERNELS
from demine.store import Counts, Store, StoreError
from demine.store import json_lines as transfer_module
from demine.store.game_rows import STATES
from tests.store.older import make_older
from tests.store.playing import SMALL, hit, keep_win, opened, random_event


@pytest.fixture
def full() -> Iterator[Store]:
    """A store with a game of every kind."""
    with Store.memory() as store:
        store.settings.update({"theme": "dark", "扫雷": [1, {"a": None}]})
        keep_win(store, 900)
        revived = store.begin(opened())
        hit(revived.game, 40)
        revived.record()
        revived.play(Act(50, Verb.UNDO))
        flagged = store.begin(Game(SMALL))
        flagged.play(Act(7, Verb.FLAG, 1, 1))
        store.begin(opened(origin="seed")).abandon(70)
        lost = store.begin(opened())
        hit(lost.game, 60)
        lost.record()
        yield store


def exported(store: Store) -> str:
    stream = io.StringIO()
    counts = store.export(stream)
    assert counts.unreadable == 0
    return stream.getvalue()


def test_own_games_are_read_however_long_they_take(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, before = exported(full), facts(full)
    monkeypatch.setattr(fast_replay, "MOST_WORK", 1)
    with pytest.raises(JournalError, match="this takes more work"):
        Game.from_journal(full.load_game(full.games(status="won")[0].id).journal())
    assert facts(full) == before
    assert exported(full).splitlines()[1:] == text.splitlines()[1:]
    with Store.memory() as other:
        assert other.import_(io.StringIO(text)).games == 5
        assert facts(other) == before


def without_date(text: str) -> list[str]:
    head, *lines = text.splitlines()
    assert set(json.loads(head)) == {"demine", "version", "exported_at"}
    return lines


def facts(store: Store) -> list[Any]:
    every = [store.games(status=state) for state in STATES]
    journals = [[store.load_game(row.id) for row in found] for found in every]
    return [every, journals, store.records(), store.settings.all()]


def test_a_round_trip_loses_nothing(full: Store, tmp_path: Path) -> None:
    text = exported(full)
    with Store.open(tmp_path / "demine.db") as other:
        assert other.import_(io.StringIO(text)) == Counts(settings=2, games=5)
        assert facts(other) == facts(full)
        assert without_date(exported(other)) == without_date(text)
        # Once more changes nothing.
        assert other.import_(io.BytesIO(text.encode())) == Counts(settings=2, games=0, known=5)
        assert facts(other) == facts(full)
        assert other.resume() is not None


@settings(max_examples=15)
@given(seeds=st.lists(st.integers(0, 2**31), min_size=1, max_size=4, unique=True))
def test_random_histories_make_the_round_trip(seeds: list[int]) -> None:
    with Store.memory() as store, Store.memory() as other:
        for seed in seeds:
            rng = random.Random(seed)
            live = store.begin(Game(SMALL, seed, origin="fresh"))
            t = 0
            for _ in range(rng.randrange(40)):
                if live.game.status.over:
                    break
                t += rng.randrange(50)
                begun = live.game.begun
                play_event(live.game, random_event(live.game, rng, t))
                t = 0 if live.game.begun and not begun else t
                live.record(t)
        text = exported(store)
        other.import_(io.StringIO(text))
        assert facts(other) == facts(store)
        assert without_date(exported(other)) == without_date(text)


def test_merging_keeps_both_and_the_game_that_is_over_wins(full: Store) -> None:
    running = next(row for row in full.games(status="running") if row.result is None)
    text = exported(full)
    with Store.memory() as other:
        keep_win(other, 300)
        other.settings.update({"theme": "light", "zoom": 3})
        other.import_(io.StringIO(text))
        assert other.settings.get("theme") == "dark"
        assert other.settings.get("zoom") == 3
        assert other.record_of(SMALL).best_ms == 300
        live = other.resume()
        while live is not None and live.id != running.id:
            live = other.resume()
        assert live is not None
        live.play(Act(20, Verb.OPEN, 4, 4))
        live.abandon(5000)
        finished = other.game_row(running.id)
        # The game being played here is not taken from its player ...
        assert full.import_(io.StringIO(exported(other))).games == 1
        assert full.game_row(running.id).status == "running"
        # ... but where nobody holds it, the finished one replaces it.
        with Store.memory() as third:
            third.import_(io.StringIO(text))
            assert third.import_(io.StringIO(exported(other))).games == 2
            assert third.game_row(running.id) == finished


def test_a_damaged_game_makes_the_trip_as_it_is(full: Store) -> None:
    game_id = "00000000-0000-4000-8000-000000000000"
    line = json.dumps(
        {
            "game": game_id, "status": "damaged", "time_ms": 5,
            "began_at": "2026-01-01T00:00:00Z", "seen_at": "2026-01-01T00:00:00+01:00",
            "finished_at": None, "journal": "no header\nno event\n",
        }
    )  # fmt: skip
    head = exported(full).splitlines()[0]
    end = json.dumps({"end": {"settings": 0, "games": 1}})
    full.import_(io.StringIO(f"{head}\n{line}\n{end}\n"))
    row = full.game_row(game_id)
    assert (row.status, row.seen_at) == ("damaged", "2025-12-31T23:00:00.000000Z")
    with Store.memory() as other:
        other.import_(io.StringIO(exported(full)))
        assert without_date(exported(other)) == without_date(exported(full))


def test_another_database_is_imported_by_its_path(full: Store, tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with Store.open(path) as old:
        old.import_(io.StringIO(exported(full)))
        before = path.read_bytes()
        with Store.open(tmp_path / "demine.db") as store:
            # It is open, and its log not empty: both are read, neither changed.
            assert store.import_(path) == Counts(settings=2, games=5)
            assert facts(store) == facts(full)
            assert store.import_(str(tmp_path / "demine.db")) == Counts()
        assert path.read_bytes() == before


def test_what_can_be_read_of_a_damaged_database_is_imported(full: Store, tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    with Store.open(path) as old:
        old.import_(io.StringIO(exported(full)))
        victim = old.games(status="won")[0]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE journals SET pack = x'00' WHERE num = 1")
    connection.commit()
    connection.close()
    with Store.memory() as store:
        counts = store.import_(path)
        assert (counts.games, counts.unreadable) == (4, 1)
        with pytest.raises(StoreError, match=victim.id):
            store.game_row(victim.id)
    stream = io.StringIO()
    with Store.open(path) as old:
        counts = old.export(stream)
    assert (counts.games, counts.unreadable) == (4, 1)
    assert victim.id not in stream.getvalue()


def test_claims_are_checked_against_the_journal(full: Store) -> None:
    text = exported(full)
    forged = text.replace('"status":"lost"', '"status":"won"').replace(
        '"time_ms":60', '"time_ms":1'
    )
    assert forged != text
    with Store.memory() as other:
        other.import_(io.StringIO(forged))
        assert facts(other) == facts(full)


def with_changes(text: str, changes: dict[str, object], *, sealed: bool) -> str:
    """An export whose ended games claim other things, with seals that fit if `sealed`."""
    lines = []
    for line in text.splitlines():
        entry = json.loads(line)
        if "seal" in entry:
            entry |= changes
            if sealed:
                entry["seal"] = transfer_module._entry_checksum(entry)
        lines.append(json.dumps(entry, ensure_ascii=False))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize(
    "claims",
    [
        {"status": "won"}, {"status": "won", "result": "won"}, {"result": "won"}, {"unranked": ""},
        {"time_ms": 1}, {"hits": 9}, {"acts": 1}, {"finished_at": None},
        {"unranked": "luck"}, {"result": "fine"}, {"unranked": []},
        {"hits": 2**70}, {"acts": "3"}, {"rules": "9x9/10"}, {"rules": 5},
        {"day": "2026-02-31", "level": "expert"}, {"day": 5}, {"result": []},
        {"day": "2026-02-03", "level": "expert", "outcome": "won"},
    ],
)  # fmt: skip
def test_what_is_claimed_of_a_game_comes_from_its_journal(
    full: Store, claims: dict[str, object], sealed: bool
) -> None:
    moment = "2026-01-02T00:00:00.000000Z"
    dates: dict[str, object] = {"finished_at": moment, "seen_at": moment}
    text = with_changes(exported(full), dates, sealed=True)
    with Store.memory() as plain, Store.memory() as other:
        plain.import_(io.StringIO(text))
        other.import_(io.StringIO(with_changes(text, claims, sealed=sealed)))
        assert facts(other) == facts(plain)
        assert other.records() == plain.records()


def test_a_forged_journal_wins_no_record(full: Store) -> None:
    """A won game that ends before its last act is one that goes on, whatever its line says."""
    won = next(line for line in exported(full).splitlines() if '"status":"won"' in line)
    journal = json.loads(won)["journal"]
    shortened = journal[: journal.rindex("[")]
    forged = with_changes(exported(full), {"journal": shortened}, sealed=True)
    with Store.memory() as other:
        other.import_(io.StringIO(forged))
        assert not other.games(status="won")
        assert other.record_of(SMALL).wins == 0
        assert other.record_of(SMALL).best_ms is None
    refused = with_changes(
        exported(full), {"journal": f'{journal}[5000,"open",0,0]\n'}, sealed=True
    )
    with Store.memory() as other:
        with pytest.raises(StoreError, match="the game is over"):
            other.import_(io.StringIO(refused))
        assert not other.games()


def test_progress_is_told_of_every_game(full: Store, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = tmp_path / "games.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        count = full.export(stream, lambda *at: told.append(at)).games
    assert told == [(done, count) for done in range(1, count + 1)]
    told.clear()
    with Store.memory() as other:
        other.import_(path, lambda *at: told.append(at))
    read, written = told[:count], told[count:]
    assert [done for done, _ in read] == list(range(1, count + 1))
    # How many there are is estimated from the characters that were read.
    assert read[-1][1] == pytest.approx(count, abs=1)
    assert written[-1] == (count, count)


@pytest.mark.parametrize("large", [True, False])
def test_kernels_are_loaded_for_a_large_export(
    large: bool, full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[object] = []

    def note(kernels: KernelSet) -> None:
        loads.append(kernels)

    monkeypatch.setattr(KernelSet, "load_before_long_work", note)
    path = tmp_path / "games.jsonl"
    path.write_text(exported(full), "utf-8")
    monkeypatch.setattr(transfer_module, "_LARGE", path.stat().st_size - large)
    with Store.memory() as other:
        other.import_(path)
    assert loads == [JOURNAL_KERNELS] * large


def bad_exports() -> dict[str, tuple[str, str]]:
    """Names of bad exports, what to do to a good line of a game, and the error's words."""
    deep = "[" * 100_000
    return {
        "no json": ("{", "not a line of JSON"),
        "empty line": ("", "not a line of JSON"),
        "deep": (deep, "not a line of JSON"),
        "huge number": ('{"setting":"a","value":' + "9" * 5000 + "}", "not a line of JSON"),
        "not finite": ('{"setting":"a","value":NaN}', "cannot be saved"),
        "half a character": ('{"setting":"a","value":"\\ud800"}', "not a line of JSON"),
        "no object": ("[1]", "neither a setting nor a game"),
        "no entry": ('{"a":1}', "neither a setting nor a game"),
        "nameless": ('{"setting":"","value":1}', "1 to 200"),
        "wrong key": ('{"setting":5,"value":1}', "the field setting cannot be '5'"),
    }


@pytest.mark.parametrize("name", bad_exports())
def test_a_bad_line_is_named_and_nothing_is_imported(full: Store, name: str) -> None:
    bad, words = bad_exports()[name]
    lines = exported(full).splitlines()
    lines.insert(3, bad)
    with Store.memory() as other:
        with pytest.raises(StoreError, match=rf"Line 4: .*{words}.*Nothing was imported"):
            other.import_(io.StringIO("\n".join(lines) + "\n"))
        assert other.settings.all() == {}
        assert other.games() == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n", r"review\.png: it is a picture"),
        (b"PK\3\4", "review\\.png: it is an archive: unpack it first"),
        (b"\xff\xfe\xfd\n", "Line 1 is not the start of a demine export"),
    ],
)
def test_what_is_no_export_is_told_for_what_it_is(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "review.png"
    path.write_bytes(data)
    with Store.memory() as store, pytest.raises(StoreError, match=reason):
        store.import_(path)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("game", "../../etc/passwd", "the field game id cannot be"),
        ("game", 5, "the field game cannot be"),
        ("began_at", "yesterday", "the field began_at cannot be"),
        ("began_at", "2026-01-01T00:00:00", "the field began_at cannot be"),
        ("seen_at", "0001-01-01T00:00:00+14:00", "the field seen_at cannot be"),
        ("finished_at", 7, "the field finished_at cannot be"),
        ("time_ms", -1, "the field time_ms cannot be"),
        ("time_ms", True, "the field time_ms cannot be"),
        ("time_ms", 2**60, "the field time_ms cannot be"),
        ("journal", None, "the field journal cannot be"),
        ("journal", "", "not a journal header"),
        ("journal", '{"demine":1,"rules":"99999x99999/1","seed":1}', "too big"),
        ("journal", '{"demine":1,"rules":"9x9/1","seed":1}\n[0,"flag",0,99]', "outside"),
    ],
)
def test_a_bad_field_is_named(full: Store, field: str, value: object, words: str) -> None:
    lines = exported(full).splitlines()
    entry = json.loads(lines[4])
    entry[field] = value
    lines[4] = json.dumps(entry)
    with Store.memory() as other:
        with pytest.raises(StoreError, match=f"Line 5: .*{words}"):
            other.import_(io.StringIO("\n".join(lines)))
        assert other.games() == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not the start of a demine export"),
        ("hello", "not the start of a demine export"),
        ('{"demine":1,"rules":"9x9/10"}', "not the start of a demine export"),
        ('{"demine":"store","version":2}', "version 2"),
        ('{"demine":"store","version":1}\n', "ends early"),
        ('{"demine":"store","version":1}\n{"end":{"settings":1,"games":0}}', "its counts"),
    ],
)
def test_what_is_no_whole_export_is_refused(text: str, words: str) -> None:
    with Store.memory() as store, pytest.raises(StoreError, match=words):
        store.import_(io.StringIO(text))


def test_an_export_may_end_at_no_place_but_its_end(full: Store) -> None:
    lines = exported(full).splitlines(keepends=True)
    for count in range(len(lines)):
        with Store.memory() as other:
            with pytest.raises(StoreError):
                other.import_(io.StringIO("".join(lines[:count])))
            assert other.games() == ()


def test_lines_have_a_limit(full: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer_module, "MAX_LINE", 100)
    with Store.memory() as other, pytest.raises(StoreError, match="longer than 100 characters"):
        other.import_(io.StringIO(exported(full)))


def test_other_alphabets_and_line_ends_are_read(full: Store, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + exported(full).replace("\n", "\r\n").encode())
    with Store.memory() as other:
        other.import_(path)
        assert facts(other) == facts(full)
    path.write_bytes(exported(full).encode("utf-16"))
    with Store.memory() as other, pytest.raises(StoreError):
        other.import_(path)


def test_missing_files_and_other_databases_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    with Store.memory() as store:
        with pytest.raises(StoreError, match="another program"):
            store.import_(path)
        with pytest.raises(StoreError, match="nothing: there is no such file or folder"):
            store.import_(tmp_path / "nothing")
        with pytest.raises(StoreError, match="it is a folder"):
            store.import_(tmp_path)
        shutil.copyfile(path, tmp_path / "cut.db")
        with (tmp_path / "cut.db").open("r+b") as stream:
            stream.truncate(50)
        with pytest.raises(StoreError, match=r"cut\.db: database disk image is malformed"):
            store.import_(tmp_path / "cut.db")


def test_a_row_of_a_format_without_checksums_says_nothing_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store.open(path) as store:
        keep_win(store, 900)
    make_older(path, 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET time_ms = 1, result = NULL, hits = 7")
    with Store.memory() as store:
        store.import_(path)
        (row,) = store.games()
        assert (row.time_ms, row.result, row.hits) == (900, "won", 0)
