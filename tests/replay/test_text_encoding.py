"""Texts whose encoding nobody wrote down, and texts that have to be one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.replay.formats import evf, mvf, rmv
from demine.replay.model import Replay
from demine.replay.text_encoding import (
    as_single_line,
    decode_guessing,
    player_name_bytes,
    text_losses,
)
from tests.replay.others import Clone, Vienna, beginner
from tests.statistics.hands import hand

CHINESE = ["王", "小雷", "喆", "张喆", "ling喆", "刘玥", "玥", "朱镕基", "歐陽", "䶮", "王·李"]
"""Among them characters that GB2312 has not, some of whose second bytes are plain letters."""
WESTERN = ["Jürgen Müller", "José", "é", "Müßig", "Åsa", "Françoise Häußler", "Œuvré", "ÅÄÖ"]


@pytest.mark.parametrize("name", CHINESE)
@pytest.mark.parametrize("utf8", [True, False])
def test_chinese_names(name: str, utf8: bool) -> None:
    assert decode_guessing(name.encode("gb18030"), try_utf8_first=utf8) == (name, False)


@pytest.mark.parametrize("name", WESTERN)
def test_western_names(name: str) -> None:
    assert decode_guessing(name.encode("cp1252")) == (name, False)
    assert decode_guessing(name.encode("utf-8")) == (name, True)


@given(st.binary(max_size=40), st.booleans())
def test_any_bytes_are_some_text(data: bytes, utf8: bool) -> None:
    text, certain = decode_guessing(data, try_utf8_first=utf8)
    assert not certain or text.encode() == data


@given(st.text(max_size=40))
def test_utf8_proves_itself(text: str) -> None:
    assert decode_guessing(text.encode("utf-8", "replace"))[1]


@pytest.mark.parametrize("name", CHINESE)
@pytest.mark.parametrize("properties", [bytes(4), bytes(5), bytes((0, 0, 0, 0, 2))])
def test_rmv_files_without_their_flag_are_chinese_where_that_fits(
    name: str, properties: bytes
) -> None:
    data = name.encode("gb18030")
    made = Vienna(version=1, people=[data, data], properties=properties).data()
    facts = rmv.read(made).facts
    assert (facts["player"], facts["nick"], facts["player_bytes"]) == (name, name, data.hex())


def test_rmv_files_without_their_flag_are_no_utf8() -> None:
    # D2 BB is a letter of Cyrillic in UTF-8.
    made = Vienna(version=1, people=["一".encode("gbk")], properties=bytes(4)).data()
    assert rmv.read(made).facts["player"] == "一"
    with_flag = Vienna(version=1, people=["һ".encode()]).data()
    assert rmv.read(with_flag).facts["player"] == "һ"
    western = Vienna(version=1, people=["Jürgen".encode("cp1252")], properties=bytes(4)).data()
    assert rmv.read(western).facts["player"] == "Jürgen"


@pytest.mark.parametrize("year", [5, 7])
def test_spaces_of_names_in_files_of_clone(year: int) -> None:
    assert mvf.read(Clone(year=year, player=b" Ada  ").data()).facts["player"] == " Ada  "


def test_the_oldest_files_fill_names_with_spaces() -> None:
    data = Clone(year=0, board=beginner(), player=b"Ada ").data()
    assert mvf.read(data).facts["player"] == "Ada"


def test_names_are_written_as_they_were() -> None:
    raw = "小雷".encode("gbk")
    facts = {"player": "小雷", "player_bytes": raw.hex()}
    assert player_name_bytes(facts) == raw
    assert player_name_bytes(facts | {"player": "Ada"}) == b"Ada"
    assert player_name_bytes(facts | {"player_bytes": "no hex"}) == "小雷".encode()
    assert player_name_bytes({}) == b""


@pytest.mark.parametrize("said", ["a\nb", "a\rb", "a\r\nb", "a\x0bb", "a\x85b", "a\u2028b"])
def test_no_line_is_broken(said: str) -> None:
    assert as_single_line(said) == "a b"
    assert [str(loss) for loss in text_losses({"x": said}, {"x": as_single_line(said)})] == [
        "the exact wording of x"
    ]


def test_evf_tells_what_it_cuts() -> None:
    for name, whole in (("Ada ", True), ("A\0da", False), ("x" * 17_000, False)):
        replay = Replay("", "", hand("3x1/1\n*..\n", "lc 0,2; lr 0,2"), {"player": name})
        told = [str(loss) for loss in evf.losses(replay)]
        assert ("the exact wording of player" not in told) is whole
        assert (evf.read(evf.write(replay)).facts["player"] == name) is whole
