"""What a player has chosen for good, as a file may have kept it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from demine.logic.rules import BEGINNER, First, Goal, Rules
from demine.scene import preferences
from demine.scene.digit_palettes import STRONG
from demine.scene.key_bindings import Command
from demine.scene.preferences import (
    DECLARATIONS,
    PreferenceDeclaration,
    Preferences,
    SettingsGroup,
    SettingsPage,
    StartOptions,
    choices_of,
    next_level,
)
from demine.scene.themes import THEMES, theme

CHOSEN = Preferences(
    rules="30x16/99 first=any",
    theme="contrast",
    palette="clear",
    digits="plain",
    language="zh_CN",
    cell=40,
    questions=True,
    left_chord=True,
    keys="vi",
    sound=True,
    keymap="flag: x",
    first="any",
    goal="flag",
    tap="flag",
    hold_ms=450,
    motion=False,
    minimap=False,
    presets=("20x20/80", "9x9/35"),
)


def test_preferences_survive_a_file() -> None:
    assert Preferences.from_settings(json.loads(json.dumps(CHOSEN.as_settings()))) == CHOSEN
    assert Preferences.from_settings({}) == Preferences()


def another(name: str, declaration: PreferenceDeclaration) -> object:
    """Return a value of a preference that is not its default."""
    default = getattr(Preferences(), name)
    if declaration.choices:
        return next(value for value in choices_of(name) if value != default)
    if declaration.limits:
        return next(value for value in declaration.limits if value != default)
    return not default if isinstance(default, bool) else getattr(CHOSEN, name)


@pytest.mark.parametrize(("name", "declaration"), DECLARATIONS.items())
def test_every_preference_is_read_back(name: str, declaration: PreferenceDeclaration) -> None:
    value = another(name, declaration)
    assert value != getattr(Preferences(), name)
    assert declaration.is_valid(getattr(Preferences(), name))
    kept = json.loads(json.dumps({name: value}))
    assert getattr(Preferences.from_settings(kept), name) == value
    assert Preferences.from_settings(kept).as_settings()[name] == value


@pytest.mark.parametrize(("name", "declaration"), DECLARATIONS.items())
def test_every_row_of_the_settings_can_be_made(
    name: str, declaration: PreferenceDeclaration
) -> None:
    if declaration.group is None:
        assert not declaration.label + declaration.short + declaration.note
    else:
        assert declaration.label
        kinds = (
            declaration.choices,
            declaration.limits,
            type(getattr(Preferences(), name)) is bool,
        )
        assert len(list(filter(None, kinds))) == 1, "a choice, a number or a switch"


def test_every_group_of_the_settings_holds_something_and_every_page_a_group() -> None:
    used = {declaration.group for declaration in DECLARATIONS.values()}
    assert used - {None} == set(SettingsGroup)
    assert {group.page for group in SettingsGroup} == set(SettingsPage)


def test_the_terminal_has_short_names_for_what_it_shows() -> None:
    shown = {name: each for name, each in DECLARATIONS.items() if each.in_terminal}
    assert {"theme", "keys", "questions", "guess_free"} <= set(shown)
    for name, each in shown.items():
        assert each.short, name
        assert each.group, name
        assert each.choices or type(getattr(Preferences(), name)) is bool, name


def test_a_preference_that_declares_nothing_is_refused_at_import() -> None:
    source = Path(preferences.__file__).read_text("utf-8")
    plain = source.replace(
        "    start_tip: bool = switch_preference(default=True)", "    start_tip: bool = True"
    )
    assert plain != source
    module = ModuleType("demine.scene.forgetful")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)
        with pytest.raises(KeyError, match="declaration"):
            exec(compile(plain, "forgetful.py", "exec"), vars(module))


@pytest.mark.parametrize("name", sorted(CHOSEN.as_settings()))
@pytest.mark.parametrize("value", [None, 3.5, [], {}, "nonsense", [1], -1, ["9x9/10"] * 21])
def test_what_is_senseless_takes_its_default(name: str, value: object) -> None:
    read = Preferences.from_settings({name: value})
    default = getattr(Preferences(), name)
    assert getattr(read, name) == (() if (name, value) == ("presets", []) else default)


def test_a_look_may_follow_the_system() -> None:
    assert Preferences().chosen_theme() is THEMES["light"]
    assert Preferences().chosen_theme(dark=True) is THEMES["dark"]
    assert Preferences(theme="classic").chosen_theme(dark=True) is THEMES["classic"]
    assert theme("system", dark=True) is THEMES["dark"]


def test_a_palette_suits_the_look() -> None:
    assert Preferences(theme="dark", palette="strong").chosen_theme().digits == STRONG.on_dark


def test_own_keys_stand_over_the_set() -> None:
    keys = CHOSEN.key_map()
    assert keys.lookup("x") is Command.FLAG
    assert keys.lookup("h") is Command.LEFT
    assert keys.lookup("f") is None


def test_levels_are_played_as_chosen() -> None:
    assert Preferences().with_level_options(BEGINNER) == BEGINNER
    level = CHOSEN.with_level_options(BEGINNER)
    assert (level.first, level.goal, level.shape) == (First.ANY, Goal.FLAG, (9, 9))


def test_what_a_start_leaves_behind() -> None:
    """Rules that were named are those played last; a board of others leaves them alone."""
    asked = {"theme": "dark"}
    assert StartOptions(settings=asked).settings_to_save == asked
    assert StartOptions(rules=Rules.parse("7x6/5"), settings=asked).settings_to_save == {
        "theme": "dark",
        "rules": "7x6/5",
    }
    assert StartOptions(share_code="1.x").settings_to_save == {}


@pytest.mark.parametrize(
    ("size", "next_one"),
    [
        ("beginner", Command.INTERMEDIATE),
        ("expert goal=flag", Command.BEGINNER),
        ("7x7/7", Command.BEGINNER),
    ],
)
def test_the_next_level_follows_the_size(size: str, next_one: Command) -> None:
    assert next_level(Rules.parse(size)) is next_one
