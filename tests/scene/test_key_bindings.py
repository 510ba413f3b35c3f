"""The names of keys, what they mean, and how a player changes that."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.scene import key_bindings
from demine.scene.key_bindings import (
    DEFAULT_KEYS,
    DESCRIPTIONS,
    VI_KEYS,
    Command,
    KeyConflictError,
    KeyMap,
    KeyNameError,
    key_label,
    normalise_key,
)

NAMES = st.sampled_from(["f2", "enter", "space", "a", "z", "9", "+", "-", "?", "é", "up"])
MODIFIERS = st.lists(st.sampled_from(["ctrl", "alt", "shift", "meta"]), unique=True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ctrl+Z", "ctrl+z"),
        (" Shift + Control + z ", "ctrl+shift+z"),
        ("F", "f"),
        ("+", "+"),
        ("Ctrl++", "ctrl++"),
        ("ctrl + +", "ctrl++"),
        ("ctrl+plus", "ctrl++"),
        ("shift+?", "?"),
        ("shift+f2", "shift+f2"),
        ("Return", "enter"),
        ("Esc", "escape"),
        ("cmd+q", "meta+q"),
        ("-", "-"),
        ("é", "é"),
    ],
)
def test_normalise(text: str, name: str) -> None:
    assert normalise_key(text) == name


@pytest.mark.parametrize(
    "text",
    ["", " ", "ctrl", "ctrl+", "ctrl+shift", "hyper+z", "f25", "f0", "zz", "+z", "a+b", "\t"],
)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(KeyNameError) as caught:
        normalise_key(text)
    assert repr(text) in str(caught.value)


@given(MODIFIERS, NAMES)
def test_normalising_twice_changes_nothing(modifiers: list[str], key: str) -> None:
    name = normalise_key("+".join([*modifiers, key]))
    assert normalise_key(name) == name
    assert normalise_key(name.upper()) == name


def test_labels() -> None:
    assert key_label("ctrl+z") == "Ctrl+Z"
    assert key_label("ctrl++") == "Ctrl++"
    assert key_label("shift+f2") == "Shift+F2"
    assert key_label("space", tr=str.upper) == "SPACE"
    assert key_label("ctrl+left") == "Ctrl+←"


def test_every_command_has_a_key_and_a_description() -> None:
    assert list(DESCRIPTIONS) == list(DEFAULT_KEYS) == list(Command)
    assert all(DEFAULT_KEYS.values())
    assert len(set(DESCRIPTIONS.values())) == len(Command)
    for keys in (*DEFAULT_KEYS.values(), *VI_KEYS.values()):
        assert all(normalise_key(key) == key for key in keys)
        assert all(key_label(key) for key in keys)


@pytest.mark.parametrize("forgotten", ['mark("Flag at the pointer"), ("w",)', ', ("w",)'])
def test_a_command_that_forgets_its_words_or_keys_is_refused_at_import(forgotten: str) -> None:
    source = Path(key_bindings.__file__).read_text("utf-8")
    assert source.count(forgotten) == 1
    with pytest.raises(TypeError, match="'hover-flag' has no description or no keys"):
        exec(source.replace(forgotten, ""), {"__name__": "forgetful"})
    assert Command("flag") is Command.FLAG


def test_the_keys_people_know() -> None:
    keys = KeyMap()
    known = {
        "f2": Command.NEW, "1": Command.BEGINNER, "2": Command.INTERMEDIATE, "3": Command.EXPERT,
        "space": Command.ACT, "enter": Command.ACT, "f": Command.FLAG, "c": Command.CHORD,
        "ctrl+z": Command.UNDO, "p": Command.PAUSE, "f11": Command.FULLSCREEN, "t": Command.THEME,
        "f1": Command.HELP, "+": Command.ZOOM_IN, "-": Command.ZOOM_OUT, "0": Command.ZOOM_RESET,
        "e": Command.HOVER_ACT, "w": Command.HOVER_FLAG, "escape": Command.CANCEL,
        "h": Command.HINT, "shift+h": Command.CHANCES, "g": Command.GUESS_FREE,
    }  # fmt: skip
    assert {key: keys.lookup(key) for key in known} == known
    assert keys.lookup("j") is None
    assert keys.lookup("shift+f") is None


def test_vi_keys_come_beside_the_others() -> None:
    keys = KeyMap().with_keys_added(VI_KEYS)
    assert keys.lookup("h") is Command.LEFT
    assert keys.lookup("left") is Command.LEFT
    assert keys.lookup("f4") is Command.HINT  # which has lost its letter
    assert keys.lookup("shift+j") is Command.JUMP_DOWN


def test_rebinding_takes_a_key_from_what_had_it() -> None:
    keys = KeyMap.parse("# mine\n\nchord: F Ctrl+X\n")
    assert keys.lookup("f") is Command.CHORD
    assert keys.keys(Command.CHORD) == ("f", "ctrl+x")
    assert keys.keys(Command.FLAG) == ()
    assert keys.lookup("c") is None
    assert keys.lookup("space") is Command.ACT


def test_a_command_may_lose_its_keys() -> None:
    assert KeyMap.parse("undo:").keys(Command.UNDO) == ()


def test_one_key_for_two_commands_is_refused() -> None:
    with pytest.raises(KeyConflictError) as caught:
        KeyMap.parse("flag: x\nchord: X")
    assert str(caught.value) == "the key x cannot mean both flag and chord"
    with pytest.raises(KeyConflictError):
        KeyMap({Command.UP: ("k",), Command.DOWN: ("k",)})


@pytest.mark.parametrize("line", ["fly: x", "flag", "flag = x", "flag: hyper+x"])
def test_a_line_that_binds_nothing(line: str) -> None:
    with pytest.raises(KeyNameError):
        KeyMap.parse(line)


@given(st.dictionaries(st.sampled_from(Command), st.lists(NAMES, max_size=2), max_size=3))
def test_the_text_parses_back(changes: dict[Command, list[str]]) -> None:
    claimed = [key for keys in changes.values() for key in set(keys)]
    if len(claimed) != len(set(claimed)):
        with pytest.raises(KeyConflictError):
            KeyMap().rebound(changes)
        return
    keys = KeyMap().rebound(changes)
    again = KeyMap.parse(str(keys))
    assert again == keys
    assert hash(again) == hash(keys)
    assert all(keys.lookup(key) is command for command, own in keys.items() for key in own)


def test_repr_rebuilds() -> None:
    keys = KeyMap.parse("flag: x")
    assert eval(repr(keys)) == keys
    assert keys != KeyMap()
    assert keys != "flag: x"
