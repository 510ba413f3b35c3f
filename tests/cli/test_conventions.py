"""What holds for every verb, whatever it does: docs/cli.md has the table."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import click
import pytest

from demine.cli.main import command_group, run
from demine.cli.options import Option, Switch
from demine.cli.param_types import FileName, completions_of
from demine.cli.text_table import text_width
from demine.cli.verbs import help_lines_by_verb, verb_names
from demine.scene.translation import set_language
from tests.server_database import make_server_database
from tests.table import environment

MOST_IN_A_SECTION: Final = 8
"""How many options somebody takes in at once."""
VERBS: Final = list(help_lines_by_verb())
GOLDEN: Final = Path(__file__).parents[1] / "golden"
GAME: Final = str(GOLDEN / "beginner-lost-by-a-chord.jsonl")
BOARD: Final = "3x2/1\n1 1 F\n? # 1\n"
MORE: Final = {"convert": ["out.rmv"]}
"""What a verb needs besides a file to read."""
JSON: Final = {
    "train": ["--progress"],
    "make": ["4x4/3", "--seed", "1"],
    "hint": ["board.txt"],
    "solve": ["board.txt"],
    "analyse": ["board.txt", "--playouts", "4"],
    "review": [GAME],
    "stats": [GAME],
    "daily": [],
    "records": [],
    "convert": [GAME, "out.jsonl"],
    "study": ["4x4/3", "--games", "2", "--workers", "1", "--seed", "1"],
    "dataset": ["4x4/3", "--positions", "2", "--format", "npz", "--seed", "1", "-o", "folder"],
    "warm": [],
    "match": ["logic", "safest", "--games", "2", "--seed", "1"],
    "admin": ["players", "--database", "server.sqlite"],
}
"""What each verb with `--json` is given; warm, which compiles for a minute, is tested elsewhere."""
LISTS_OF_CELLS: Final = ("safe", "mines")
"""JSON keys that are lists of cells, or null, wherever they stand; except the mines of a plan."""


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the verbs run."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "damaged.evf").write_bytes(b"\x03\0\0")
    return tmp_path


def command_of(verb: str) -> click.Command:
    """The command of a verb."""
    group = command_group()
    found = group.get_command(click.Context(group), verb)
    assert found is not None
    return found


def reads_files(verb: str) -> bool:
    """Whether the first argument of a verb may be a file."""
    arguments = [each for each in command_of(verb).params if isinstance(each, click.Argument)]
    return bool(arguments) and completions_of(arguments[0].type).endings is not None


@pytest.mark.parametrize("verb", [verb for verb in VERBS if reads_files(verb)])
@pytest.mark.parametrize("name", ["gone.avf", "damaged.evf"])
def test_a_file_that_cannot_be_read(
    verb: str, name: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert run(["--lang", "en", verb, name, *MORE.get(verb, [])]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    if name == "gone.avf":
        assert err == f"demine {verb}: gone.avf: there is no such file or folder\n"
    else:
        assert err.startswith(f"demine {verb}: damaged.evf: ")
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("verb", VERBS)
def test_an_option_that_is_mistyped(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = [name for each in command_of(verb).params for name in each.opts if name[:2] == "--"]
    for name in names:
        assert run(["--lang", "en", verb, f"{name}q"]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"demine {verb}: No such option '{name}q'. ")
        assert repr(name) in err.partition("id you mean")[2]


@pytest.mark.parametrize("verb", VERBS)
def test_options_are_named_in_words_and_stand_under_headings(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option that Click would name by its kind, `INTEGER RANGE`, is declared in another way."""
    options = [each for each in command_of(verb).params if isinstance(each, click.Option)]
    assert all(isinstance(each, Option | Switch) for each in options)
    words = {each.metavar or "" for each in options}
    assert not {word for word in words if re.search(r"INTEGER|FLOAT|TEXT|PATH|UUID", word)}
    assert run(["--lang", "en", verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert "<=" not in text
    assert ">=" not in text
    assert max(map(len, sections_of(text).values())) <= MOST_IN_A_SECTION
    assert run(["--lang", "zh_CN", verb, "--help"]) == 0
    chinese = sections_of(capsys.readouterr().out)
    assert len(chinese) == len(sections_of(text))
    assert not {word for word in chinese if word.isascii()}


def sections_of(page: str) -> dict[str, list[str]]:
    """The options on a page of help by their headings, one line of each."""
    found = re.findall(r"^(\S.*)[:：]\n((?:  .*\n?)+)", page, re.MULTILINE)
    return {
        heading: re.findall(r"^  (-\S.*)", rows, re.MULTILINE)
        for heading, rows in found
        if rows.startswith("  -")
    }


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_fits_80_columns(
    verb: str,
    language: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--lang", language, *([verb] if verb else []), "--help"]) == 0
    text = capsys.readouterr().out
    assert max(map(text_width, text.splitlines())) <= 80


@pytest.mark.parametrize("verb", VERBS)
def test_the_examples_of_the_help_are_commands(verb: str) -> None:
    for line in getattr(import_module(f"demine.cli.verbs.{verb}"), "EXAMPLES", ()):
        words = shlex.split(line.partition(" > ")[0].partition(" < ")[0])
        assert words[0] == "demine"
        said = words[2:] if words[1] in verb_names() else words[1:]
        assert words[1] == verb or verb == "play"
        command_of(verb).make_context(verb, said)


def test_every_verb_with_json_is_tried() -> None:
    with_json = {
        verb for verb in VERBS if any("--json" in each.opts for each in command_of(verb).params)
    }
    assert with_json <= JSON.keys()


@pytest.mark.parametrize("verb", [verb for verb in JSON if verb in VERBS and verb != "warm"])
def test_json_is_one_line(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    if verb in ("analyse", "study", "match", "dataset"):
        pytest.importorskip("numba")
    if verb == "admin":
        make_server_database(Path("server.sqlite"))
    assert run(["--lang", "en", verb, *JSON[verb], "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    if "rating" not in found:
        for key in LISTS_OF_CELLS:
            assert found.get(key) is None or all(len(cell) == 2 for cell in found[key])


@pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")
@pytest.mark.parametrize("verb", ["stats --list-columns", "make 9x9/10 -n 2000 --seed 1"])
def test_a_reader_that_leaves_early_is_no_mistake(verb: str) -> None:
    line = f"'{sys.executable}' -m demine {verb} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_names_of_files_are_of_one_type() -> None:
    """So that none of them may be empty, and a shell completes each."""
    for verb in VERBS:
        for parameter in command_of(verb).params:
            if parameter.metavar and "FILE" in parameter.metavar.split("|"):
                assert isinstance(parameter.type, FileName), (verb, parameter.name)


def test_an_empty_home_is_no_root_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python would write the start-up files of shells to `/`."""
    monkeypatch.setenv("HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(["--lang", "en", "menu", "--print"]) == 0
    assert Path.home() != Path("/")
    capsys.readouterr()


@pytest.mark.skipif(sys.platform != "linux", reason="the menu is that of freedesktop.org")
def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert run(["--lang", "en", "menu"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"demine menu: {tmp_path / 'file'}")
    assert err.endswith(": part of its path is not a folder\n")


@pytest.mark.parametrize("argument", ["[FILE[@MOMENT]]", "FILE"])
def test_errors_name_arguments_without_the_brackets_of_the_help(
    argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    verb = "hint" if argument.startswith("[") else "review"
    assert run(["--lang", "en", verb, ""]) == 2
    name = argument.removeprefix("[").removesuffix("]") if verb == "hint" else argument
    assert f"Invalid value for '{name}': the name is empty" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("line", ["review GAME --all", "daily"])
def test_what_is_too_wide_stands_on_its_side(
    columns: int, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(["--lang", "en", *line.replace("GAME", GAME).split()]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(text_width, lines)) <= columns
