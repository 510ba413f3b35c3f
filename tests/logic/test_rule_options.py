"""Every option of the rules, value by value, through all that is made from its entry."""

from __future__ import annotations

from string import Formatter

import click
import numpy as np
import pytest

from demine.cli.rule_options import rule_options, rules_with_options
from demine.logic.errors import RulesError
from demine.logic.game import BaseGame
from demine.logic.journal import header_line, parse_journal
from demine.logic.rules import OPTIONS, Option, Rules, option_by_name
from demine.logic.share_code import decode, encode
from demine.scene.preferences import Preferences
from demine.terminal.setup_forms import setup_form
from tests.logic.rule_choices import EVERY, PLAIN


@EVERY
def test_texts_journals_and_codes_keep_it(option: Option, rules: Rules) -> None:
    value = getattr(rules, option.name)
    assert Rules.parse(str(rules)) == rules
    assert hash(rules) == hash(Rules.parse(str(rules)))
    assert (str(rules) == str(PLAIN)) == (value == PLAIN.default_of(option))
    assert parse_journal(BaseGame, header_line(BaseGame(rules, 0))).rules == rules
    mine_map = np.zeros(rules.shape, np.bool_)
    mine_map[3, 3:] = True
    read, _, _ = decode(encode(rules, mine_map, (0, 0)))
    assert read == rules


@EVERY
def test_the_command_line_says_it(option: Option, rules: Rules) -> None:
    if not option.help:
        pytest.skip("the command line has no option for it")
    value = getattr(rules, option.name)
    words = ([f"--{option.word}"] if value else []) if option.is_switch else [
        f"--{option.word}", str(value)
    ]  # fmt: skip
    given = click.Command("play", params=[*rule_options()]).make_context("play", words).params
    assert rules_with_options(str(PLAIN), given) == rules


@EVERY
def test_the_terminal_form_keeps_it(option: Option, rules: Rules) -> None:
    kept: list[Rules] = []
    form = setup_form(rules, Preferences(), kept.append)
    assert form.try_accept()
    assert kept == [rules]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_entry_is_whole(option: Option) -> None:
    assert option_by_name(option.name) is option
    assert option.default is None or option.default in [each.value for each in option.choices]
    letters = [choice.share for choice in option.choices]
    assert len(set(letters)) == len(letters), "a share code could not tell two choices apart"
    assert bool(option.label) == bool(option.key_label)
    for choice in option.choices:
        assert choice.told or choice.value == option.default, "a title could not say it"
        fields = {field for _, field, _, _ in Formatter().parse(choice.told) if field}
        assert fields <= {"n"}
    if option.label and not option.is_switch:
        assert all(choice.words for choice in option.choices)
    with pytest.raises(RulesError, match=r"is not valid for"):
        option.parse_value("nothing of the kind")


def test_letters_of_share_codes_are_read_one_way() -> None:
    for number, option in enumerate(OPTIONS):
        mine = {choice.share for choice in option.choices if choice.share}
        others = {each.share for later in OPTIONS[number + 1 :] for each in later.choices}
        assert not mine & others
