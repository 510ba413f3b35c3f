"""The command line options of the rules, made from the table `OPTIONS`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.cli.options import Option, Switch
from demine.logic.rules import OPTIONS, Rules
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLI_OPTIONS: Final = tuple(option for option in OPTIONS if option.help)
OPTION_NAMES: Final = tuple(f"--{option.word}" for option in _CLI_OPTIONS)
"""The options as they are written, such as `--first`."""


def rule_options() -> list[Option | Switch]:
    """Return an option for each option of the rules."""
    return [
        Switch(f"--{option.word}", tr(option.help))
        if option.is_switch
        else Option(f"--{option.word}", option.value_texts, tr(option.help))
        for option in _CLI_OPTIONS
    ]


def rules_with_options(text: str, option_values: Mapping[str, object]) -> Rules:
    """Parse rules and apply the options given besides, by their names; raises `RulesError`."""
    words = [text]
    for option in _CLI_OPTIONS:
        value = option_values.get(option.name)
        said = option.is_switch and option.word in text.split()
        if value and not said:
            words.append(option.word if option.is_switch else f"{option.word}={value}")
    return Rules.parse(" ".join(words))
