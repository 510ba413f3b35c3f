"""The forms and tables of the page as plain JSON: settings, setup, help and share codes.

They are made from the declarations that every scene uses, in the language that is spoken
(`demine.scene.translation.speaking`), so the browser knows neither a rule nor a preference.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from demine.logic.errors import DemineError
from demine.logic.rules import OPTIONS, First, Rules
from demine.play.board_choice import BoardChoice
from demine.scene.board_title import NAMED_BOARDS, board_size_title, board_title
from demine.scene.cell_highlights import cell_looks
from demine.scene.diagram import parse_scene
from demine.scene.help_page import key_rows
from demine.scene.how_to_play import FINGERS, LESSONS, MOUSE
from demine.scene.key_bindings import SECTIONS, Command, commands_of_section, key_label
from demine.scene.preferences import (
    DECLARATIONS,
    Preferences,
    SettingsGroup,
    SettingsPage,
    choices_of,
)
from demine.scene.translation import explain, tr, translated_without_access_key
from demine.web.api.door import JSON_TYPE, Door, Nothing, Visit
from demine.web.players import preferences_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from demine.scene.how_to_play import LessonBoard
    from demine.scene.preferences import PreferenceDeclaration

ABSENT_COMMANDS: Final = frozenset(
    {
        Command.RESULT,
        Command.SOUND,
        Command.QUIT,
    }
)
"""The commands that the page does not have."""
ABSENT_PREFERENCES: Final = frozenset({"counters", "sound"})
"""Preferences for what the page does not have."""
_OFFERED: Final = tuple(option for option in OPTIONS if option.label)
_MOST_DIGITS: Final = 9


def settings_form(preferences: Preferences) -> list[dict[str, Any]]:
    """Return the pages of the settings: title, groups, and the fields of each with their values."""
    pages = []
    for page in SettingsPage:
        declared = [group for group in SettingsGroup if group.page is page]
        groups = [
            {"title": tr(group.title), "fields": fields}
            for group in declared
            if (fields := _fields_of(group, preferences))
        ]
        # "Sound and language" where there is no sound.
        is_all_of_page = len(groups) == len(declared)
        title = translated_without_access_key(page.value) if is_all_of_page else groups[0]["title"]
        pages.append({"title": title, "groups": groups})
    return pages


def _fields_of(group: SettingsGroup, preferences: Preferences) -> list[dict[str, Any]]:
    return [
        _preference_field(name, declaration, getattr(preferences, name))
        for name, declaration in DECLARATIONS.items()
        if declaration.group is group and name not in ABSENT_PREFERENCES
    ]


def _preference_field(
    name: str, declaration: PreferenceDeclaration, value: object
) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": name,
        "label": translated_without_access_key(declaration.label),
        "note": tr(declaration.note) if declaration.note else "",
        "value": value,
    }
    if declaration.choices:
        choices = choices_of(name).items()
        field["choices"] = [[each, translated_without_access_key(said)] for each, said in choices]
    elif declaration.limits:
        field["limits"], field["step"] = list(declaration.limits), declaration.step
        field["unit"] = tr(declaration.unit).strip()
    return field


def setup_form(preferences: Preferences) -> dict[str, Any]:
    """Return the boards with a name, the player's own, and the options of the rules."""
    named = [
        (f"{tr(name)} · {board_size_title(rules)}", preferences.with_level_options(rules))
        for name, rules in NAMED_BOARDS.items()
    ]
    own = [(board_title(text), Rules.parse(text)) for text in preferences.presets]
    return {
        "chosen": _rules_fields(Rules.parse(preferences.rules)),
        "boards": [{"title": title, **_rules_fields(rules)} for title, rules in (*named, *own)],
        "options": [
            {
                "name": option.name,
                "label": tr(option.label),
                "choices": None
                if option.is_switch
                else [[value, tr(words)] for value, words in option.choice_labels.items()],
            }
            for option in _OFFERED
        ],
    }


def _rules_fields(rules: Rules) -> dict[str, Any]:
    options = {
        option.name: value if option.is_switch else str(value)
        for option, value in ((option, getattr(rules, option.name)) for option in OPTIONS)
    }
    return {
        "rules": str(rules),
        "width": rules.width,
        "height": rules.height,
        "mines": rules.mines,
        "options": options,
    }


def check_setup(fields: Mapping[str, Any], before: Rules) -> dict[str, Any]:
    """Return the rules that the fields of Setup say, or what does not fit and what would.

    `fields` are width, height, mines and options as a browser sends them; raises RulesError for an
    option that there is not.
    """
    numbers = {name: _number(fields.get(name)) for name in ("width", "height", "mines")}
    given = fields.get("options")
    known = {option.name: option for option in _OFFERED}
    options = {
        name: known[name].parse_value(value)
        for name, value in (given.items() if isinstance(given, dict) else ())
        if name in known
    }
    at_once = options.get("first") is First.ANY
    if at_once:
        options["guess_free"] = False
    choice = BoardChoice(before, **numbers, options=options)
    misfit, nearest = choice.misfit, choice.nearest
    return {
        "misfit": None if misfit is None else {"field": misfit.field, "text": misfit.text},
        "title": board_title(nearest),
        "density": f"{100 * nearest.mines / nearest.cells:.1f}%",
        "note": tr("Guess-free boards need a safe first click") if at_once else "",
        **_rules_fields(nearest),
    }


def _number(value: object) -> int:
    """Return a number that was typed; 0 for what is none, as in an empty field."""
    text = str(value).strip() if isinstance(value, str | int) else ""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else 0


def check_share_code(text: str) -> dict[str, Any]:
    """Return the title of the board of a share code, or in `trouble` why it is none."""
    from demine.game import Game

    try:
        rules = Game.from_share(text.strip()).rules
    except DemineError as error:
        return {"title": "", "trouble": explain(error)}
    return {"title": board_title(rules), "trouble": ""}


def help_page(
    preferences: Preferences,
    absent: Collection[Command],
    *,
    fingers: bool = False,
    keys: bool = True,
) -> dict[str, Any]:
    """Return how to play, with boards as rows of faces, and the tables of fingers, mouse and keys.

    `absent` are the commands that the page does not have; `fingers` and `keys` say whether the
    player uses these.
    """
    tables = [(tr("Fingers"), _finger_rows(preferences))] if fingers else []
    if keys:
        tables.append((tr("Mouse and touch"), [(tr(hand), tr(what)) for hand, what in MOUSE]))
        bindings = preferences.key_map()
        for first, title in SECTIONS.items():
            commands = [each for each in commands_of_section(first) if each not in absent]
            tables.append((tr(title), key_rows(bindings, commands)))
    return {
        "lessons": [
            {
                "name": lesson.name,
                "heading": tr(lesson.heading),
                "paragraphs": list(map(tr, lesson.paragraphs_for(fingers=fingers))),
                "boards": list(map(_lesson_board, lesson.boards)),
            }
            for lesson in LESSONS
        ],
        "tables": [{"title": title, "rows": rows} for title, rows in tables],
    }


def _finger_rows(preferences: Preferences) -> list[tuple[str, str]]:
    hands, meanings = zip(*FINGERS, strict=True)
    if preferences.tap == "flag":
        meanings = (meanings[1], meanings[0], *meanings[2:])
    return [(tr(hand), tr(what)) for hand, what in zip(hands, meanings, strict=True)]


def _lesson_board(board: LessonBoard) -> dict[str, Any]:
    _, faces = parse_scene(board.diagram)
    return {
        "caption": tr(board.caption),
        "faces": faces.tolist(),
        "looks": cell_looks(faces).tolist(),
        "ring": board.ring,
        "safe": board.safe,
    }


def key_table(preferences: Preferences, absent: Collection[Command]) -> list[dict[str, Any]]:
    """Return every command of the page with its name and its keys, for the settings."""
    keys = preferences.key_map()
    return [
        {
            "command": command.value,
            "label": tr(command.description),
            "keys": [[key, key_label(key)] for key in keys.keys(command)],
        }
        for command in Command
        if command not in absent
    ]


# The requests


class SetupFields(Struct):
    """What the fields of Setup say; whatever was typed."""

    width: Any = None
    height: Any = None
    mines: Any = None
    options: dict[str, Any] = {}


class HelpFor(Struct):
    """How the player plays."""

    fingers: bool = False
    keys: bool = True


class ShareCode(Struct):
    """A share code that somebody typed."""

    code: Annotated[str, Meta(max_length=1 << 15)]


async def _settings(visit: Visit[Nothing]) -> dict[str, Any]:
    chosen = preferences_of(visit.known_player)
    keys = key_table(chosen, ABSENT_COMMANDS)
    return {"pages": settings_form(chosen), "keys": keys}


async def _help(visit: Visit[HelpFor]) -> dict[str, Any]:
    asked = visit.asked
    chosen = preferences_of(visit.known_player)
    return help_page(chosen, ABSENT_COMMANDS, fingers=asked.fingers, keys=asked.keys)


async def _setup(visit: Visit[Nothing]) -> dict[str, Any]:
    return setup_form(preferences_of(visit.known_player))


async def _check_setup(visit: Visit[SetupFields]) -> dict[str, Any]:
    before = Rules.parse(preferences_of(visit.known_player).rules)
    return check_setup(msgspec.structs.asdict(visit.asked), before)


async def _check_share(visit: Visit[ShareCode]) -> dict[str, Any]:
    return await asyncio.to_thread(check_share_code, visit.asked.code)


DOORS: Final = (
    Door(method="GET", path="/api/forms/settings", summary="The settings as a form",
         handler=_settings, asks=Nothing, answers=JSON_TYPE),
    Door(method="GET", path="/api/forms/help", summary="How to play, and the keys",
         handler=_help, asks=HelpFor, answers=JSON_TYPE),
    Door(method="GET", path="/api/forms/setup", summary="Boards and rules as a form",
         handler=_setup, asks=Nothing, answers=JSON_TYPE),
    Door(method="POST", path="/api/forms/setup/check", summary="What does not fit",
         handler=_check_setup, asks=SetupFields, answers=JSON_TYPE),
    Door(method="POST", path="/api/forms/share/check", summary="The board of a share code",
         handler=_check_share, asks=ShareCode, answers=JSON_TYPE),
)  # fmt: skip
