"""The command line: help that reads well, one line for every mistake, and never a traceback."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click
import pytest

import demine
from demine.cli import main as cli
from demine.cli.options import LaterImport
from demine.cli.scene_selection import SCENES
from demine.cli.verbs import help_lines_by_verb, play, verb_names
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER
from demine.scene.preferences import StartOptions
from demine.scene.translation import set_language
from demine.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def run(*args: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, where no display is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes}
    return subprocess.run(
        [sys.executable, "-m", "demine", *args],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


# Help


def test_help_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Usage: demine [OPTIONS] VERB [ARGS]...")
    for verb, about in help_lines_by_verb().items():
        assert re.search(rf"^  {verb} +{re.escape(about.split(':')[0])}", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 96


def test_help_in_chinese() -> None:
    done = run("--help", DEMINE_LANG="zh_CN")
    assert done.returncode == 0
    assert "扫雷" in done.stdout
    assert "Usage" not in done.stdout
    assert "Show this message" not in done.stdout


@pytest.mark.parametrize("verb", help_lines_by_verb())
def test_every_verb_says_what_it_does(verb: str) -> None:
    """The help reads it from the text of the module, which must be what the module says."""
    module = import_module(f"demine.cli.verbs.{verb}")
    assert help_lines_by_verb()[verb] == module.ABOUT, 'ABOUT = mark("...") on a line of its own'
    assert callable(module.command)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("verb", list(help_lines_by_verb()))
def test_every_verb_and_option_is_documented(
    verb: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_language(language)
    command = cli.command_group().get_command(None, verb)  # type: ignore[arg-type]
    assert command is not None
    assert command.help
    for parameter in command.params:
        assert parameter.param_type_name == "argument" or getattr(parameter, "help", None)
    assert cli.run([verb, "--help", "--lang", language]) == 0
    text = capsys.readouterr().out
    for parameter in command.params:
        for name in parameter.opts:
            assert name in text or parameter.param_type_name == "argument"


@pytest.mark.parametrize("verb", [[], *([verb] for verb in help_lines_by_verb())])
def test_the_language_may_be_said_before_any_verb(
    verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for said in (["--lang", "zh_CN"], ["--lang=zh_CN"]):
        assert cli.run([*said, *verb, "--help"]) == 0
        text = capsys.readouterr().out
        assert text.startswith(" ".join(["用法： demine", *verb, "[选项]"]))
        assert "[OPTIONS]" not in text


def test_every_verb_speaks_the_language_chosen_in_the_game(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless another is asked for now; records that cannot be read ask for none."""
    with Store(data_dir / "demine.db") as store:
        store.settings.set("language", "zh_CN")

    def begins(*args: str) -> str:
        assert cli.run([*args, "--help"]) == 0
        return capsys.readouterr().out.partition("demine")[0].strip()

    before = sorted(path.name for path in data_dir.iterdir())
    assert begins() == begins("records") == begins("play") == "用法："
    # A window's last picture would no longer hold if anything had changed there.
    assert sorted(path.name for path in data_dir.iterdir()) == before
    with Store(data_dir / "demine.db") as store:
        store.settings.set("language", "en")
        assert begins() == "Usage:"  # as it stands in the log
        store.settings.set("language", "zh_CN")
    assert begins("--lang", "en") == begins("records", "--lang", "en") == "Usage:"
    with monkeypatch.context() as patch:
        patch.setenv("DEMINE_LANG", "en")
        assert begins() == "Usage:"
    (data_dir / "demine.db").write_bytes(b"no database" * 100)
    assert begins() == "Usage:"


@pytest.mark.parametrize(
    "args",
    [
        ["--lang", "zh_CN", "play"],
        ["--lang=zh_CN", "play"],
        ["--lang", "zh_CN"],
        ["--lang", "zh_CN", "--new"],
        ["--lang", "zh_CN", "beginner"],
        ["--lang", "en", "play", "--lang", "zh_CN"],
    ],
    ids=" ".join,
)
def test_the_language_said_before_the_game_is_the_games(
    args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wished: list[StartOptions] = []
    monkeypatch.setattr(play, "open_scene", lambda _scene, wishes: wished.append(wishes))
    assert cli.run(args) == 0
    assert wished[0].settings == {"language": "zh_CN"}


@pytest.mark.parametrize(
    ("args", "rules"),
    [
        (["--guess-free"], "9x9/10 guess-free"),
        (["expert", "--guess-free"], "30x16/99 guess-free"),
        (["9x9/10 guess-free", "--guess-free"], "9x9/10 guess-free"),
        (["expert guess-free", "--first", "safe"], "30x16/99 first=safe guess-free"),
    ],
)
def test_guess_free_boards_are_asked_for(
    args: list[str], rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished: list[StartOptions] = []
    monkeypatch.setattr(play, "open_scene", lambda _scene, wishes: wished.append(wishes))
    assert cli.run(["play", *args]) == 0
    assert str(wished[0].rules) == rules


@pytest.mark.parametrize("option", ["--new", "--seed", "--json", "--seed=5"])
@pytest.mark.parametrize("verb", help_lines_by_verb())
def test_an_option_before_its_verb_is_told_where_it_belongs(
    option: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["--lang", "en", option, *(["5"] if option == "--seed" else []), verb]) == 2
    name = option.removesuffix("=5")
    said = capsys.readouterr().err
    assert said == f"demine: {name} goes after the verb: demine {verb} {name} ...\n"


def test_a_complaint_begins_with_the_verb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none"
    assert cli.run(["--lang", "en", "records", "--import", str(missing)]) == 2
    said = "there is no such file or folder"
    assert capsys.readouterr().err == f"demine records: {missing}: {said}\n"


def test_the_verbs_of_the_table_are_those_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for verb in help_lines_by_verb():
        assert f"demine {verb}" in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"demine {demine.__version__}\n"


def test_help_imports_no_heavy_library() -> None:
    code = (
        "import sys; from demine.cli.main import run; run(['--help']);"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'pygame', 'sqlite3')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0


LOADED = {
    "desktop": "demine.desktop.window.run_session",
    "classic": "demine.classic.scene",
    "terminal": "demine.terminal.scene",
}
"""A module of each scene that is imported while it is being loaded."""


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["serve", "--port", "0"], "demine.web.server"),
        *((["--scene", scene], LOADED[scene]) for scene in SCENES),
        *((["--scene", scene, "--no-sound"], LOADED[scene]) for scene in SCENES),
    ],
)
def test_garbage_is_collected_once_a_scene_or_the_server_is_loaded(
    words: list[str], module: str, tmp_path: Path
) -> None:
    watched = f"""
import gc, os, sys, threading, time
from demine.__main__ import main

def watch():
    for wanted in (False, True):
        while gc.isenabled() is not wanted:
            time.sleep(0.001)
    os._exit(40 + (gc.get_freeze_count() > 0 and "{module}" in sys.modules))

sys.argv = {["demine", *words]}
threading.Thread(target=watch, daemon=True).start()
main()
"""
    unseen = {
        "QT_QPA_PLATFORM": "offscreen",
        "SDL_VIDEODRIVER": "dummy",
        "DEMINE_DATA_DIR": str(tmp_path),
        "TERM": "xterm",
        "PYTHONPATH": str(ROOT / "src"),
    }
    terminal, ours = os.openpty()
    done = subprocess.run(
        [sys.executable, "-c", watched],
        env={**os.environ, **unseen},
        stdin=ours,
        stdout=ours,
        stderr=ours,
        timeout=60,
        check=False,
    )
    os.close(terminal)
    os.close(ours)
    assert done.returncode == 41


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Python's garbage collector is off, as while a program is being loaded."""
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.parametrize("verb", sorted(verb_names()))
@pytest.mark.usefixtures("collector_off")
def test_a_loaded_verb_has_its_garbage_collected(verb: str) -> None:
    command = cli.command_group().get_command(click.Context(click.Command("demine")), verb)
    assert command is not None
    module = sys.modules[f"demine.cli.verbs.{verb}"]
    loads_more = isinstance(command.callback, LaterImport)
    assert gc.isenabled() != (loads_more or hasattr(module, "COLLECTS_WHEN_LOADED"))


@pytest.mark.usefixtures("collector_off")
def test_work_that_is_imported_later_has_its_garbage_collected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = ModuleType("work")
    work.run_hint = lambda: 40 + gc.isenabled()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "demine.cli.actions.hint", work)
    assert LaterImport("hint")() == 41


# Mistakes

MISTAKES = [
    ["bogus"],
    ["--bogus"],
    ["play", "--bogus"],
    ["play", "xx"],
    ["play", ""],
    ["play", "''"],
    ["play", "9x9/999"],
    ["play", "0x0/0"],
    ["play", "-1x9/3"],
    ["play", "9x9/10 first=never"],
    ["play", "9x9/10 goal="],
    ["play", "9x9/10 first=any first=any"],
    ["play", "999999999x999999999/5"],
    ["play", "9" * 100_000],
    ["play", "9x9/10 " * 5000],
    ["play", "x" * 100_000 + "/1"],
    ["play", "１x1/0"],
    ["play", "expert guess-free first=any"],
    ["play", "expert", "--guess-free", "--first", "any"],
    ["play", "1.x", "--guess-free"],
    ["play", "a", "b"],
    ["play", "1."],
    ["play", "1.AAAA.BBBB"],
    ["play", "1." + "A" * 100_000],
    ["play", "1.x", "--goal", "flag"],
    ["play", "--seed", "-1"],
    ["play", "--seed", "x"],
    ["play", "--seed", "9" * 60],
    ["play", "--seed", "9" * 5000],
    ["play", "--seed"],
    ["play", "--first", "zzz"],
    ["play", "--goal", "zzz"],
    ["play", "--theme", "zzz"],
    ["play", "--keys", "zzz"],
    ["play", "--scene", "zzz"],
    ["play", "--cell", "1"],
    ["play", "--cell", "999"],
    ["play", "--lang", "xx"],
    ["play", "--lang", ""],
    ["--lang", "xx", "records"],
    ["--lang"],
    ["records", "--lang", "xx"],
    ["play", "\udcff"],
    ["play", "a\nb"],
    ["play", "\x1b[31m"],
    ["9x9/"],
    ["records", "zz"],
    ["records", "--last", "-1"],
    ["records", "--last", "x"],
    ["records", "--import", "/no/such/file"],
    ["records", "--import", "/"],
    ["records", "--import", os.devnull],
    ["records", "--export", "/no/such/folder/file"],
    ["records", "--export", "/"],
    ["records", "--import", "a", "--export", "b"],
    ["records", "a", "b"],
]


def short(args: list[str]) -> str:
    """A name for a test."""
    return " ".join(args)[:30].encode("ascii", "replace").decode()


@pytest.mark.parametrize(
    ("args", "english", "chinese"),
    [
        (["make", "beginner", "-n", "x"], "'x' is not a whole number", "'x' 不是整数"),
        (["study", "x", "--games", "1.5e0"], "'1.5e0' is not a whole number", "'1.5e0' 不是整数"),
        (["study", "x", "--games", "x"], "'x' is not a whole number", "'x' 不是整数"),
        (["watch", "--speed", "nan"], "'nan' is not a number", "'nan' 不是数字"),
        (["watch", "--at", "x"], "'x' is not a number", "'x' 不是数字"),
        (["watch", "--cell", "3"], "3 is out of range: from 4 to 128", "3 超出范围（4 到 128）"),
        (
            ["analyse", "--seconds", "0"],
            "0 is out of range: more than 0, at most 86,400",
            "0 超出范围（大于 0，最大 86,400）",
        ),
        (["make", "beginner", "-n", "0"], "0 is out of range: at least 1", "0 超出范围（至少 1）"),
    ],
)
def test_a_wrong_number_is_refused_in_words(
    args: list[str], english: str, chinese: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, sentence in (("en", english), ("zh_CN", chinese)):
        assert cli.run(["--lang", language, *args]) == 2
        assert capsys.readouterr().err.endswith(sentence + "\n")


@pytest.mark.parametrize(
    "line",
    [
        "convert # a.rmv", "convert a.avf #", "hint #", "make beginner -o #", "records --import #",
        "records --export #", "records --import-folder #", "records --export-folder #", "review #",
        "review a.avf -o #", "solve #", "stats #", "stats a.avf --parquet #", "study beginner -o #",
        "study beginner --plot #", "dataset beginner -o #", "watch #", "watch a.avf --png #",
        "watch a.avf --gif #",
    ],
)  # fmt: skip
def test_an_empty_name_is_no_folder(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run([word.replace("#", "") for word in line.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.endswith(": the name is empty\n")) == ("", True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("args", MISTAKES, ids=short)
def test_a_mistake_is_answered_in_one_line(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("demine")
    assert 15 < len(err) < 400
    assert "Traceback" not in err
    assert all(letter.isprintable() for letter in err.rstrip("\n"))


@pytest.mark.parametrize("args", [["bogus"], ["play", "xx"], ["play", "--seed", "x"]])
def test_mistakes_are_answered_in_chinese(args: list[str]) -> None:
    done = run(*args, DEMINE_LANG="zh_CN")
    assert done.returncode == 2
    assert re.search("[一-鿿]", done.stderr)
    assert not re.search(r"\b(is|not|such|neither|valid)\b", done.stderr)


@pytest.mark.parametrize(
    ("args", "verb"),
    [
        ([], "play"),
        (["--seed", "3"], "play"),
        (["expert"], "play"),
        (["8x8/9", "--goal", "flag"], "play"),
        (["1.abc"], "play"),
        (["records"], "records"),
        (["--help"], "--help"),
    ],
)
def test_what_is_played_needs_no_verb(args: list[str], verb: str) -> None:
    assert cli._with_default_verb(args)[0] == verb


def test_no_display_is_answered_in_one_line() -> None:
    game = Game(BEGINNER, 3)
    game.play(Act(0, Verb.OPEN, 4, 4))
    for args in (["play"], ["expert"], [game.share()], ["play", "--seed", "7", "beginner"]):
        done = run(*args, "--scene", "classic")
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(r"demine play: cannot open a window: .+\n", done.stderr)


def test_a_terminal_without_chinese_gets_question_marks() -> None:
    done = run("--help", DEMINE_LANG="zh_CN", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    assert "?" in done.stdout
    assert done.stderr == ""


def test_a_reader_that_leaves_early_is_no_mistake() -> None:
    command = f"'{sys.executable}' -m demine --help | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr


def test_control_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("demine.store.Store.open", interrupted)
    assert cli.run(["records"]) == 130
