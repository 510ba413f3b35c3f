"""Settings: what goes in comes out, and nothing else does harm."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.store import Store, StoreError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5).filter(str.isascii), inner),
    max_leaves=8,
)  # fmt: skip


@given(key=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200), value=JSON)
def test_a_setting_comes_back_as_it_was(key: str, value: object) -> None:
    with Store.memory() as store:
        store.settings.set(key, value)
        assert store.settings.get(key) == value
        assert store.settings.all() == {key: value}
        store.settings.delete(key)
        assert store.settings.get(key, "default") == "default"


def test_the_callers_check_decides_about_the_default() -> None:
    with Store.memory() as store:
        store.settings.set("zoom", 900)
        assert store.settings.get("zoom", 2, lambda zoom: zoom in (1, 2, 3)) == 2
        store.settings.set("zoom", 3)
        assert store.settings.get("zoom", 2, lambda zoom: zoom in (1, 2, 3)) == 3


@pytest.mark.parametrize(
    ("key", "value"),
    [("", 1), ("k" * 201, 1), ("k", float("nan")), ("k", {1, 2}), ("k", "\ud800"), ("\ud800", 1)],
)
def test_what_json_cannot_say_is_refused(key: str, value: object) -> None:
    with Store.memory() as store:
        with pytest.raises(StoreError, match="cannot be saved"):
            store.settings.update({"good": 1, key: value})
        assert store.settings.all() == {}


def test_two_windows_see_each_others_settings_and_unknown_ones_survive(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as one, Store.open(path) as two:
        one.settings.set("from the future", [1])
        two.settings.set("theme", "dark")
        one.settings.set("theme", "light")
        assert two.settings.all() == {"from the future": [1], "theme": "light"}


def test_a_value_that_is_no_json_any_more_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        store.settings.update({"theme": "dark", "zoom": 2})
        connection = sqlite3.connect(path)
        connection.execute("UPDATE settings SET value = '{' WHERE key = 'theme'")
        connection.commit()
        connection.close()
        assert store.settings.get("theme", "classic") == "classic"
        assert store.settings.all() == {"zoom": 2}
