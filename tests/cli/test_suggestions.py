"""What was probably meant, after a verb, an option or a value that is not known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from demine.cli.column_list import all_columns
from demine.cli.file_statistics import checked_columns
from demine.cli.main import command_group, run
from demine.cli.suggestions import Choice
from demine.cli.text_table import text_width
from demine.cli.verbs import verb_names
from demine.logic.nearest_word import nearest_word
from demine.scene.translation import set_language


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("plya", "demine: there is no verb 'plya': `demine --help` lists them; did you mean play?"),
        (
            "STATS",
            "demine: there is no verb 'STATS': `demine --help` lists them; did you mean stats?",
        ),
        (
            "beginer",
            "'beginer': `demine --help` lists them; did you mean beginner?",
        ),
        (
            "version",
            "'version': `demine --help` lists them; did you mean --version?",
        ),
        ("qqqq", "demine: there is no verb 'qqqq': `demine --help` lists them"),
        ("play --theme drak", "'meadow'; did you mean dark?"),
        ("convert a b --to jurnal", "'board'; did you mean journal?"),
        ("play --themee 3", "demine play: No such option '--themee'. Did you mean '--theme'?"),
        ("daily begginer", "did you mean beginner?"),
        ("play --daily expret", "choose beginner, intermediate, expert; did you mean expert?"),
        ("make expret", "; did you mean expert?"),
        ("make 9x9/10,guess-fre", "; did you mean guess-free?"),
        (
            "make 9x9/10,first=zreo",
            "'zreo' is not valid for first: use safe, zero, any; did you mean zero?",
        ),
        (
            "daily --lang eng_",
            "'--lang': there is no translation into 'eng_', only en, zh_CN; did you mean en?",
        ),
        (
            "stats x --columns bvv",
            "there is no column 'bvv': `demine stats --list-columns` lists them; did you mean bv?",
        ),
    ],
)
def test_what_was_probably_meant_is_said(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--lang", "en", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(said + "\n")


def test_a_missing_file_is_no_verb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even one of a name that is almost a verb's; and a verb is no file, though there is one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert run(["--lang", "en", "plya.avf"]) == 2
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "plya").write_text("no game")
    assert run(["--lang", "en", "plya"]) == 2
    assert "there is no verb" not in capsys.readouterr().err


def test_every_choice_makes_suggestions() -> None:
    """Of every verb: one made with Click's own class would make none."""
    group = command_group()
    context = click.Context(group)
    for verb in verb_names():
        command = group.get_command(context, verb)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter.type, click.Choice):
                assert isinstance(parameter.type, Choice), (verb, parameter.name)


def test_a_very_long_word_is_not_compared() -> None:
    assert nearest_word("play" * 100_000, verb_names()) is None
    assert nearest_word("PLAY", verb_names()) == "play"


@pytest.mark.parametrize("args", [["help", "stats"], ["--lang", "en", "help", "stats"]])
def test_help_is_asked_for_by_a_word_too(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 0
    assert "demine stats" in capsys.readouterr().out.splitlines()[0]
    assert run(["--lang", "en", "help"]) == 0
    assert "VERB" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_column_is_listed_with_its_meaning(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--lang", language, "stats", "--list-columns"]) == 0
    text = capsys.readouterr().out
    assert max(map(text_width, text.splitlines())) <= 96
    assert run(["--lang", language, "stats", "--list-columns", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["name"] for each in found] == [each.name for each in all_columns()]
    assert checked_columns([each["name"] for each in found])
    for each in found:
        assert f"\n{each['name']}" in text
        assert each["meaning"]
    units = {each["name"]: each["unit"] for each in found}
    assert (units["time"], units["path"], units["claimed_ms"], units["bv"]) == ("s", "px", "ms", "")


@pytest.mark.parametrize("asked", ["bash_complete", "zsh_complete", "fish_complete"])
def test_a_shell_that_completes_as_click_does_starts_no_game(asked: str) -> None:
    """Its words come in variables: without arguments the command would play."""
    done = subprocess.run(
        [sys.executable, "-m", "demine"],
        env={**os.environ, "_DEMINE_COMPLETE": asked, "COMP_WORDS": "demine ", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")
