"""Cookies that nobody can forge, names that nobody can misuse."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import HTTPConnection
from starlette.responses import Response

from demine.store.game_rows import new_id
from demine.web import identity

KEY = bytes(range(32))


def test_signed_id_reads_back() -> None:
    player = new_id()
    assert identity.read_signed(identity.signed(player, KEY), KEY) == player
    assert identity.read_signed(identity.signed(player, KEY), identity.new_key()) is None


def test_no_bit_of_a_cookie_can_be_changed() -> None:
    raw = urlsafe_b64decode(identity.signed(new_id(), KEY))
    for at in range(len(raw) * 8):
        forged = bytearray(raw)
        forged[at // 8] ^= 1 << at % 8
        assert identity.read_signed(urlsafe_b64encode(forged).decode(), KEY) is None, at
    for cut in range(len(raw)):
        assert identity.read_signed(urlsafe_b64encode(raw[:cut]).decode(), KEY) is None, cut
    assert identity.read_signed(urlsafe_b64encode(raw + b"\0").decode(), KEY) is None


@given(st.text(max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_no_cookie(text: str) -> None:
    assert identity.read_signed(text, KEY) is None


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("小明", "小明"),
        ("a\u202eb\u2066c\u200fd", "a b c d"),
        ("\x1b[31mred\x07\x00", "[31mred"),
        ("e\u0301", "é"),
        ("x" * 300, "x" * identity.MOST_NAME),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("\ud800", ""),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200b\u00ad\u2060\ufeff\u200d \u3164\u2800", ""),
        ("A\u200bd\u200da\u00ad", "Ada"),
        ("小\u200d\u200d明\u200d", "小明"),
        ("e\u200b\u0301", "é"),
    ],
)
def test_names_are_one_short_line(written: str, kept: str) -> None:
    assert identity.clean_name(written) == kept


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    name = identity.clean_name(text)
    assert identity.clean_name(name) == name
    assert len(name) <= identity.MOST_NAME
    name.encode()


def connection(scheme: str, cookie: str = "") -> HTTPConnection:
    headers = [(b"host", b"localhost"), (b"cookie", cookie.encode())]
    return HTTPConnection(
        {"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": headers,
         "server": ("localhost", 80)}
    )  # fmt: skip


def test_cookie_behind_tls_belongs_to_this_host_alone() -> None:
    response = Response()
    identity.set_cookie(response, connection("https"), new_id(), KEY)
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith("__host-demine=")
    for part in ("httponly", "secure", "path=/", "samesite=lax"):
        assert f"; {part}" in cookie
    assert "domain" not in cookie


def test_cookie_of_the_plain_name_counts_for_nothing_behind_tls() -> None:
    player = new_id()
    value = identity.signed(player, KEY)
    assert identity.player_of(connection("http", f"demine={value}"), KEY) == player
    # A page of a neighbouring host could set that one.
    assert identity.player_of(connection("https", f"demine={value}"), KEY) is None
    assert identity.player_of(connection("https", f"__Host-demine={value}"), KEY) == player


def test_tokens_are_never_the_same() -> None:
    assert len({identity.new_recovery_token() for _ in range(100)}) == 100
