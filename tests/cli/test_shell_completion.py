"""Completion in real shells: what Tab makes of a line, and that it never starts the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest

from demine.cli.completion_files import completion_files
from demine.cli.main import command_group, run
from demine.cli.param_types import completions_of
from demine.cli.shell_completion import SCRIPTS, completed_verbs
from demine.cli.verbs import help_lines_by_verb, verb_names
from demine.scene.translation import set_language

if sys.platform != "win32":
    from tests.cli.shell_driver import ShellAtKeyboard

LINES: Final = {
    "demine sta": "demine stats",
    "demine help anal": "demine help analyse",
    "demine inter": "demine intermediate",
    "demine --lang zh": "demine --lang zh_CN",
    "demine --guess": "demine --guess-free",
    "demine expert --goal fl": "demine expert --goal flag",
    "demine play --theme mea": "demine play --theme meadow",
    "demine --theme=mea": "demine --theme=meadow",
    "demine stats --columns bv,openi": "demine stats --columns bv,openings",
    "demine stats --sort islan": "demine stats --sort islands",
    "demine convert a.avf b --to journ": "demine convert a.avf b --to journal",
    "demine study expert --compare fast saf": "demine study expert --compare fast safest",
    "demine watch ga": "demine watch game.avf",
    "demine stats ~/ga": "demine stats ~/game.avf",
    "demine records --export-folder fol": "demine records --export-folder folder",
    "demine completion fi": "demine completion fish",
}
"""What is typed before Tab is pressed, and the line that it makes."""
BEFORE: Final = b"# What was there before\nalias ll='ls -l'\n"


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, of an awkward name, of somebody who has games."""
    made = tmp_path / "home of o'neil"
    (made / "folder").mkdir(parents=True)
    for name in ("game.avf", "game.odt"):
        (made / name).touch()
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made))
    monkeypatch.setenv("USERPROFILE", str(made))
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("shell", SCRIPTS)
def test_tab_completes_in_a_real_shell(shell: str, home: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert run(["completion", shell, "--install"]) == 0
    with ShellAtKeyboard(shell, home) as keyboard:
        for typed, line in LINES.items():
            done = keyboard.completed(typed)
            assert done.rpartition(" .")[0].rstrip(" /") == line, typed
        # Nothing but what fits is offered, and no key press starts the program.
        assert "qqqq" in keyboard.completed("demine qqqq")
    assert not (home / "started").exists()


@pytest.mark.parametrize("shell", SCRIPTS)
def test_it_comes_goes_and_stays_as_it_was(
    shell: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    files = completion_files(shell, os.environ)
    assert home in files.script.parents
    if files.start_up is not None:
        files.start_up.write_bytes(BEFORE)
    assert run(["completion", "--uninstall"]) == 1
    assert "is not installed" in capsys.readouterr().out
    assert run(["completion", "--install"]) == 0
    said = capsys.readouterr().out
    assert f"Written: {files.script}\n" in said
    written = files.script.read_bytes(), files.start_up and files.start_up.read_bytes()
    assert run(["completion", "--install"]) == 0
    assert "is installed and up to date" in capsys.readouterr().out
    assert (files.script.read_bytes(), files.start_up and files.start_up.read_bytes()) == written
    files.script.write_text("of an older version")
    assert run(["completion", "--install"]) == 0
    assert files.script.read_bytes() == written[0]
    if files.start_up is not None:
        assert f"Written: {files.start_up}\n" in said
        assert files.start_up.read_bytes().startswith(BEFORE)
        assert str(files.script.parent.name).encode() in files.start_up.read_bytes()
    assert run(["completion", "--uninstall"]) == 0
    assert not files.script.exists()
    if files.start_up is not None:
        assert files.start_up.read_bytes() == BEFORE


def test_every_script_has_every_word_of_every_verb() -> None:
    group = command_group()
    verbs = completed_verbs(group, help_lines_by_verb())
    assert {verb.name for verb in verbs} == {"", *verb_names()}
    scripts = [make(verbs) for make in SCRIPTS.values()]
    context = click.Context(group)
    for verb in verb_names():
        command = group.get_command(context, verb)
        assert command is not None
        for parameter in command.params:
            words = list(completions_of(parameter.type).words)
            if isinstance(parameter, click.Option):
                words += [*parameter.opts, *parameter.secondary_opts]
            for script in scripts:
                for word in words:
                    assert word.lstrip("-") in script, (verb, word)


def test_a_shell_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert run(["--lang", "en", "completion"]) == 2
    said = "demine completion: name the shell: demine completion bash|zsh|fish\n"
    assert capsys.readouterr().err == said
    assert run(["completion", "bash", "--install", "--uninstall"]) == 2


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_also_got_as_from_other_programs_made_with_click(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demine"],
        env={**os.environ, "_DEMINE_COMPLETE": f"{shell}_source", "DEMINE_LANG": "en"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == SCRIPTS[shell](completed_verbs(command_group(), help_lines_by_verb()))
