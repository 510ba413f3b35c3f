"""Sittings of Metasweeper: games in a row, each as its own file would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.replay import ReplayError, convert, load, load_all, model, save
from demine.replay.formats import evf, evfs
from demine.replay.model import Replay
from tests import samples
from tests.replay.builders import Arbiter, Meta, corridors, sitting

GAMES = [Meta(version=version).data() for version in (3, 4, 0)]


def test_every_game_is_read() -> None:
    data = sitting(GAMES)
    assert evfs.recognises(data)
    assert not evf.recognises(GAMES[0][:3])
    found = evfs.read_all(data)
    assert [replay.version for replay in found] == ["3", "4", "0"]
    assert [evf.write(replay) for replay in found] == GAMES
    assert found[1].original_parts["name"] == b"game-1"
    assert evfs.write_all(found) == data
    games = load_all(data)
    assert len(games) == 3
    assert list(games) == [replay.game() for replay in found]
    assert games[-1] is games[2]
    assert list(games[1:]) == [games[1], games[2]]
    with pytest.raises(IndexError):
        games[3]


def test_a_game_alone_is_no_sitting() -> None:
    for version in range(5):
        data = Meta(version=version).data()
        assert not evfs.recognises(data)
        assert load_all(data) == [load(data)]
    assert evfs.read(sitting(GAMES[:1])).version == "3"
    assert load(sitting(GAMES[:1])) == load(GAMES[0])


def test_a_game_of_a_sitting_is_played_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(model, "MOST_WORK", 2000)
    path = tmp_path / "sitting.evfs"
    long = convert(Replay("", "", corridors()), "evf")[0]
    path.write_bytes(sitting([GAMES[0], long, GAMES[2]]))
    games = load_all(path)
    assert len(games) == 3
    with pytest.raises(ReplayError, match=r"sitting\.evfs: EVF: this takes more work") as caught:
        games[1]
    assert caught.value.offset == 0
    assert games[2].begun
    assert len(load_all(path, trusted=True)[1].events) > 0


def test_several_games_are_not_one() -> None:
    with pytest.raises(ReplayError, match="it holds 3 games: load_all reads them all"):
        load(sitting(GAMES))


def test_a_new_sitting_has_no_checks(tmp_path: Path) -> None:
    path = tmp_path / "games.evfs"
    lost = save(load(Arbiter().data()), path)
    assert [str(loss) for loss in lost] == [
        "these facts: checksum, program, skin",
        "claims that its clicks contradict: claimed_ms 2500 -> 2240, claimed_bv 9 -> 7",
        "that the time zone of its date is unknown",
    ]
    data = path.read_bytes()
    assert data[:3] == b"\0\0\0"
    replay = evfs.read(data)
    assert replay.facts["official"] is False
    assert "checksum" not in replay.facts
    mixed = [replay, *evfs.read_all(sitting(GAMES))]
    again = evfs.read_all(evfs.write_all(mixed))
    assert [one.facts["player"] for one in again] == ["Ada", "小雷", "小雷", "小雷"]
    assert [one.original_parts["check"] for one in again] == [b""] * 4
    with pytest.raises(ReplayError, match="at least one game"):
        evfs.write_all([])


_WHOLE = sitting(GAMES)
_SECOND = _WHOLE.index(b"game-2")


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "the file ends"),
        (b"\1\0\0", 0, "version 1 is not known"),
        (b"\0\0\0", 3, "a text does not end"),
        (b"\0\0\0x\0\0\0\0\x09\4", 10, "the file ends"),
        (_WHOLE[:-1], len(_WHOLE) - 1, "the file ends"),
        (_WHOLE[: _SECOND + 3], _SECOND, "a text does not end"),
        (_WHOLE[: _SECOND + 11] + b"\7" + _WHOLE[_SECOND + 12 :], _SECOND + 11, "version 7 is not"),
    ],
    ids=range(7),
)
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        evfs.read_all(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("EVFS", offset)


@pytest.mark.parametrize("name", samples.names("**/*.evfs"))
def test_samples(name: str) -> None:
    data = samples.data(name)
    found = evfs.read_all(data)
    assert len(found) == 3
    assert evfs.write_all(found) == data
    for replay in found:
        assert replay.course.time_ms == replay.facts["claimed_ms"]
        assert replay.course.won is replay.facts["claimed_won"]


def test_more_games_than_a_sitting_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evfs, "_MOST", 3)
    game = Meta().data()
    assert len(evfs.read_all(sitting([game] * 3))) == 3
    with pytest.raises(ReplayError, match="a sitting has at most 3 games"):
        evfs.read_all(sitting([game] * 4))
    with pytest.raises(ReplayError, match="a sitting has at most 3 games"):
        evfs.write_all((*evfs.read_all(sitting([game] * 3)), evf.read(game)))
