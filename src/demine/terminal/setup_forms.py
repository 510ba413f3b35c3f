"""The two forms: Setup, which chooses a board, and Settings, which chooses preferences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from demine.logic.rules import OPTIONS, First, Option, Rules, most_mines
from demine.play.board_choice import BoardChoice
from demine.scene.board_title import NAMED_BOARDS, board_title
from demine.scene.preferences import DECLARATIONS, MOST_SIDE, choices_of
from demine.scene.translation import tr, translated_without_access_key
from demine.terminal.forms import ChoiceField, Field, Form, NumberField
from demine.terminal.terminal_theme import ASCII

if TYPE_CHECKING:
    from demine.scene.preferences import Preferences


def setup_form(rules: Rules, preferences: Preferences, begin: Callable[[Rules], object]) -> Form:
    """Return the form that chooses a board; `begin` is called with the chosen rules."""

    def accept(values: Mapping[str, object]) -> str:
        choice = _board_choice(values, rules)
        if choice.misfit is not None:
            return choice.misfit.text
        begin(choice.nearest)
        return ""

    def follow(form: Form, name: str) -> None:
        _match_board_and_numbers(form, name)
        misfit = _board_choice(form.values(), rules).misfit
        form.trouble = "" if misfit is None else misfit.text

    width = NumberField("width", tr("Width"), str(rules.width))
    height = NumberField("height", tr("Height"), str(rules.height))
    mines = NumberField("mines", tr("Mines"), str(rules.mines))
    options = [_option_field(option, rules) for option in OPTIONS if option.label]
    first = next(field for field in options if field.name == "first")
    # A longer board that is already being played may be kept.
    most_wide, most_high = max(MOST_SIDE, rules.width), max(MOST_SIDE, rules.height)
    width.limit = lambda: tr("1 to {most}", most=most_wide)
    height.limit = lambda: tr("1 to {most}", most=most_high)
    mines.limit = lambda: _mines_limit(width.value, height.value, mines.value, first.value)
    board = ChoiceField("board", tr("Board"), _board_choices(preferences))
    fields: list[Field] = [board, width, height, mines, *options]
    form = Form(tr("Setup"), fields, accept, follow)
    _match_board_and_numbers(form, "width")
    form.at = 1
    return form


def _mines_limit(width: int, height: int, mines: int, first: object) -> str:
    if not width or not height:
        return ""
    most = max(0, most_mines(width, height, cast("First", first)))
    percent = 100 * mines / (width * height)
    return tr("0 to {most}; {percent}% of the cells", most=most, percent=f"{percent:.1f}")


def _board_choices(preferences: Preferences) -> list[tuple[object, str]]:
    """Return the boards to choose from: named ones, the player's own, and `Custom`, None."""
    named: dict[object, str] = {
        (rules.width, rules.height, rules.mines): tr(name) for name, rules in NAMED_BOARDS.items()
    }
    for text in preferences.presets:
        rules = Rules.parse(text)
        named.setdefault((rules.width, rules.height, rules.mines), board_title(rules))
    return [*named.items(), (None, tr("Custom"))]


def _match_board_and_numbers(form: Form, name: str) -> None:
    """Set the numbers of a chosen board, or choose the board of changed numbers."""
    board, numbers = form["board"], [form[name] for name in ("width", "height", "mines")]
    if name == "board" and board.value is not None:
        for field, value in zip(numbers, cast("tuple[int, ...]", board.value), strict=True):
            cast("NumberField", field).text = str(value)
    elif name in ("width", "height", "mines"):
        known = cast("ChoiceField", board)
        known.choose(None)
        known.choose(tuple(field.value for field in numbers))


def _option_field(option: Option, rules: Rules) -> ChoiceField:
    value = getattr(rules, option.name)
    if option.is_switch:
        return _yes_no_field(option.name, tr(option.label), on=value)
    words: list[tuple[object, str]] = [(each.value, tr(each.words)) for each in option.choices]
    field = ChoiceField(option.name, tr(option.label), words)
    field.choose(value)
    return field


def _board_choice(values: Mapping[str, object], before: Rules) -> BoardChoice:
    """Return what a form's values choose; other options stay as `before`."""
    width, height, mines = (cast("int", values[name]) for name in ("width", "height", "mines"))
    options = {option.name: values[option.name] for option in OPTIONS if option.name in values}
    return BoardChoice(before, width, height, mines, options)


def settings_form(
    preferences: Preferences, ascii_only: bool, save: Callable[[Mapping[str, object]], object]
) -> Form:
    """Return the form of preferences; `save` is called with the values of its fields."""

    def accept(values: Mapping[str, object]) -> str:
        save(values)
        return ""

    signs = ChoiceField(ASCII, tr("Signs"), [(False, "⚑ ✱ ┌"), (True, "F * +")])
    signs.choose(ascii_only)
    chosen = [
        _preference_field(name, getattr(preferences, name))
        for name, declaration in DECLARATIONS.items()
        if declaration.in_terminal
    ]
    return Form(tr("Settings"), [signs, *chosen], accept)


def _preference_field(name: str, value: object) -> ChoiceField:
    label = translated_without_access_key(DECLARATIONS[name].short)
    choices = choices_of(name)
    if not choices:
        return _yes_no_field(name, label, on=bool(value))
    field = ChoiceField(name, label, [(value, tr(text)) for value, text in choices.items()])
    field.choose(value)
    return field


def _yes_no_field(name: str, label: str, *, on: bool) -> ChoiceField:
    return ChoiceField(name, label, [(False, tr("no")), (True, tr("yes"))], int(on))
