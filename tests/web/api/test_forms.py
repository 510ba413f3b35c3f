"""What the dialogs of the page are made from: the same declarations as everywhere."""

from __future__ import annotations

import json

import pytest

from demine.logic.errors import RulesError
from demine.logic.rules import EXPERT, Rules
from demine.scene.key_bindings import Command
from demine.scene.preferences import DECLARATIONS, Preferences
from demine.scene.translation import speaking
from demine.web.api import forms


def test_settings_show_every_preference_that_the_page_has() -> None:
    pages = forms.settings_form(Preferences(hold_ms=450))
    fields = {
        field["name"]: field
        for page in pages
        for group in page["groups"]
        for field in group["fields"]
    }
    declared = {name for name, each in DECLARATIONS.items() if each.group is not None}
    assert fields.keys() == declared - forms.ABSENT_PREFERENCES
    assert json.loads(json.dumps(fields["hold_ms"])) == {
        "name": "hold_ms", "label": "Long press", "note": "", "value": 450,
        "limits": [100, 1000], "step": 50, "unit": "ms",
    }  # fmt: skip
    assert ["dark", "Dark"] in fields["theme"]["choices"]


def test_forms_speak_the_language_of_their_reader() -> None:
    with speaking("zh"):
        assert forms.settings_form(Preferences())[0]["title"] == "对局"
        assert forms.setup_form(Preferences())["boards"][2]["title"].startswith("高级 · 30 × 16")
    assert forms.settings_form(Preferences())[0]["title"] == "Game"


def test_setup_offers_named_boards_with_the_preferred_options_and_the_own_ones() -> None:
    form = forms.setup_form(Preferences(guess_free=True, presets=("7x7/9",), rules=str(EXPERT)))
    assert form["chosen"]["rules"] == "30x16/99"
    assert form["boards"][0]["rules"] == "9x9/10 guess-free"
    assert form["boards"][-1]["title"] == "7 × 7, 9 mines"


@pytest.mark.parametrize(
    ("width", "height", "mines", "misfit", "rules"),
    [
        ("30", "16", "99", None, "30x16/99"),
        (5, 5, 30, "mines", "5x5/24 first=safe"),
        ("", "16", "9", "width", "1x16/9 first=safe"),
        ("1001", "9", "9", "width", "1000x9/9"),
        ("-3", "9", "0", "width", "1x9/0"),
        ("１２", "9", "9", "width", "1x9/8"),
        (None, [], {}, "width", "1x1/0"),
    ],
)
def test_setup_says_what_does_not_fit(
    width: object, height: object, mines: object, misfit: str | None, rules: str
) -> None:
    fields = {"width": width, "height": height, "mines": mines, "options": {"first": "zero"}}
    found = forms.check_setup(fields, Rules.parse("9x9/10"))
    assert (found["misfit"] or {}).get("field") == misfit
    assert Rules.parse(found["rules"]).shape == Rules.parse(rules).shape


def test_setup_refuses_options_that_there_are_not() -> None:
    fields = {"width": 9, "height": 9, "mines": 9, "options": {"first": "never", "cheat": True}}
    with pytest.raises(RulesError, match="never"):
        forms.check_setup(fields, EXPERT)


def test_a_first_click_that_may_be_a_mine_allows_guesses() -> None:
    options = {"first": "any", "guess_free": True}
    fields = {"width": 9, "height": 9, "mines": 9, "options": options}
    found = forms.check_setup(fields, EXPERT)
    assert found["misfit"] is None
    assert not found["options"]["guess_free"]
    assert found["note"]


def test_a_share_code_is_named_or_refused_in_words() -> None:
    import demine

    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    assert forms.check_share_code(f" {game.share()} ") == {"title": "Beginner", "trouble": ""}
    assert "not a share code" in forms.check_share_code("<script>")["trouble"]


def test_help_names_the_keys_of_the_player_and_no_command_that_is_absent() -> None:
    page = forms.help_page(Preferences(keymap="flag: x"), {Command.QUIT})
    rows = [row for table in page["tables"] for row in table["rows"]]
    assert ("X", "Place or remove a flag") in rows
    assert not any(what == "Quit" for _, what in rows)
    board = page["lessons"][1]["boards"][0]
    assert len(board["faces"]) == 6
    assert board["ring"] == (3, 2)
    commands = [row["command"] for row in forms.key_table(Preferences(), {Command.QUIT})]
    assert commands == [each.value for each in Command if each is not Command.QUIT]


def test_help_for_fingers_speaks_of_no_mouse_and_no_key() -> None:
    page = forms.help_page(Preferences(), set(), fingers=True, keys=False)
    assert [table["title"] for table in page["tables"]] == ["Fingers"]
    assert page["tables"][0]["rows"][:2] == [
        ("A tap", "Open the cell"), ("A long press", "Place or remove a flag"),
    ]  # fmt: skip
    said = " ".join(text for lesson in page["lessons"] for text in lesson["paragraphs"])
    assert not {"Left", "Shift", "keyboard", "middle"} & set(said.replace(":", " ").split())
    assert "Tap it then" in said
    swapped = forms.help_page(Preferences(tap="flag"), set(), fingers=True)
    assert swapped["tables"][0]["rows"][0] == ("A tap", "Place or remove a flag")
    assert len(swapped["tables"]) > 2
