"""Text from outside does nothing to a terminal, whichever verb says it, piped or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
import pytest

from demine.cli.main import command_group
from demine.cli.verbs import help_lines_by_verb
from demine.game import Game
from demine.store import Store
from tests.outside import (
    EVIL,
    NAME,
    OWNED,
    acting,
    at_a_terminal,
    evil_folder,
    evil_game,
    survival_of_play_out,
)
from tests.table import environment

unix = pytest.mark.skipif(os.name == "nt", reason="Windows refuses such names, and has no pty")


@pytest.fixture(autouse=True)
def empty_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some evil values are relative paths, at which a verb makes files."""
    folder = tmp_path / "working"
    folder.mkdir()
    monkeypatch.chdir(folder)


class Case(NamedTuple):
    """One command with evil names and contents; words in capitals stand for files and folders."""

    words: tuple[str, ...]
    stdin: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    """Variables of the environment."""
    told: bool = True
    """Whether the evil text is told, and not merely read."""


FILES: Final[Mapping[str, Callable[[], str]]] = {
    "GAME": lambda: evil_game(mode="weak-guessable").journal(),
    "TEXT": lambda: f"{EVIL}\n{EVIL}\n",
    "POSITION": lambda: f"4x4/3\n####\n#{EVIL}#\n####\n####\n",
    "NO_LAYOUT": lambda: "4x4/3\n#1##\n#1##\n####\n###8\n",
    "RAWVF": lambda: f"Player: {EVIL}\nMode: {EVIL}\nBoard:\n*0\n00\nEvents:\n0.0 {EVIL}\n",
    "EXPORT": lambda: json.dumps({"demine-export": EVIL, "player": EVIL}) + "\n" + EVIL,
}
"""What lies in files of evil names."""
PLACES: Final = ("ABSENT", "FOLDER")
"""A file that is not there, and a folder of evil files."""


def case(*words: str, told: bool = True, stdin: str = "", **changes: str) -> Case:
    return Case(words, stdin, tuple(changes.items()), told)


CASES: Final[Mapping[str, Sequence[Case]]] = {
    "play": [
        case("play", EVIL),
        case("play", "1." + EVIL),
        case("play", "--seed", EVIL),
        case("play", "--" + EVIL),
        case("play", "--scene", "desktop", DISPLAY=EVIL),
        case("play", "--scene", "classic", DISPLAY=EVIL, told=False),
        case("play", "--scene", "desktop", QT_QPA_PLATFORM=EVIL),
        case("play", "--scene", "classic", SDL_VIDEODRIVER=EVIL),
        case("play", "--scene", "desktop", DISPLAY=":59999", DEMINE_DATA_DIR=EVIL, told=False),
    ],
    "admin": [
        case("admin", EVIL),
        case("admin", "ban", EVIL, told=False),
        case("admin", "players", "--database", "ABSENT"),
        case("admin", "players", "--database", "TEXT"),
        case("admin", "restore", "TEXT"),
    ],
    "book": [
        case("book", EVIL, "-o", "OUT/x"),
        case("book", "4x4/3", "-o", "ABSENT/FOLDER"),
        case("book", "4x4/3", "-o", "FOLDER"),
    ],
    "make": [case("make", EVIL), case("make", "9x9/10", "-o", "ABSENT/FOLDER")],
    "hint": [case("hint", "POSITION"), case("hint", "TEXT"), case("hint", stdin=EVIL, told=False)],
    "solve": [
        case("solve", "POSITION"),
        case("solve", "NO_LAYOUT", told=False),
        case("solve", "--json", "ABSENT"),
    ],
    "analyse": [case("analyse", "POSITION"), case("analyse", "FOLDER")],
    "review": [
        case("review", "GAME", "--color", "always", told=False),
        case("review", "GAME", "--json", told=False),
        case("review", "RAWVF"),
        case("review", "GAME", "-o", "ABSENT/x.png"),
    ],
    "stats": [
        case("stats", "GAME", "TEXT", "--columns", "player,mode,comment"),
        case("stats", "FOLDER", "--columns", "player,started", "--json"),
        case("stats", "FOLDER", "--columns", "player,started", "--csv"),
        case("stats", "FOLDER", "-j", "2"),
        case("stats", "GAME", "--columns", EVIL),
    ],
    "watch": [
        case("watch", "ABSENT", "--png", "x.png"),
        case("watch", "TEXT", "--png", "x.png"),
        case("watch", "GAME", "--png", "ABSENT/x.png"),
        case("watch", "GAME", "--scene", "desktop", DISPLAY=EVIL),
    ],
    "train": [
        case("train", "--kind", EVIL),
        case("train", "--pattern", EVIL),
        case("train", "--from", "TEXT"),
        case("train", "--from", "ABSENT"),
        case("train", "--level", "beginner", "--count", "1", stdin=EVIL, told=False),
        case("train", "--progress", DEMINE_DATA_DIR="TEXT/below"),
    ],
    "daily": [
        case("daily", "--date", EVIL),
        case("daily", EVIL),
        case("daily", DEMINE_DATA_DIR="TEXT/below"),
    ],
    "records": [
        case("records", DEMINE_DATA_DIR="TEXT/below"),
        case("records", DEMINE_DATA_DIR="DAMAGED"),
        case("records", "--import", "EXPORT", told=False),
        case("records", "--import", "ABSENT"),
        case("records", "--import-folder", "FOLDER"),
        case("records", "--export", "ABSENT/x"),
        case("records", "--export", "-", told=False),
        case("records", "--export-folder", "TEXT"),
        case("records", EVIL),
    ],
    "convert": [
        case("convert", "GAME", "OUT/x.rawvf"),
        case("convert", "GAME", "OUT/x.rawvf", "--json"),
        case("convert", "TEXT", "OUT/x.rmv"),
        case("convert", "TEXT", "OUT/x.rmv", "--json"),
        case("convert", "FOLDER", "OUT/", "--to", "evf"),
        case("convert", "GAME", "OUT/x." + EVIL),
        case("convert", "GAME", "--strict", "OUT/x.evf"),
    ],
    "engine": [
        case("engine", "--policy", EVIL),
        case("engine", stdin=f"{EVIL}\nnewgame {EVIL}\nsetoption name {EVIL} value {EVIL}\n"),
    ],
    "match": [
        case("match", EVIL, "safest"),
        case("match", "safest", f"./{EVIL} x"),
        case("match", "safest", "logic", "--rules", EVIL),
        case("match", "safest", f"{EVIL}:x"),
    ],
    "dataset": [
        case("dataset", EVIL, "-o", "OUT/x"),
        case("dataset", "4x4/3", "-o", "TEXT/below"),
        case("dataset", "4x4/3", "-o", "OUT/x", "--policy", EVIL),
        case("dataset", "4x4/3", "-o", "OUT/x", "--scheduler", EVIL),
        case("dataset", "4x4/3", "-o", "FOLDER"),
    ],
    "study": [
        case("study", EVIL),
        case("study", "9x9/10", "--plot", "OUT/x." + EVIL),
        case("study", "9x9/10", "-o", "ABSENT/x.parquet"),
        case("study", "9x9/10", "--scheduler", EVIL),
        case("study", "9x9/10", "--policy", EVIL),
        case("study", "9x9/10", "--policy", "a:" + EVIL),
    ],
    "serve": [
        case("serve", "--host", EVIL),
        case("serve", "--port", "0", "--database", "TEXT"),
        case("serve", "--port", "0", "--database", "FOLDER"),
        case("serve", "--port", "0", "--database", "TEXT/below"),
    ],
    "warm": [case("warm", XDG_CACHE_HOME="TEXT"), case("warm", "--json", XDG_CACHE_HOME="TEXT")],
    "completion": [
        case("completion", EVIL),
        case("completion", "bash", "--install", HOME="OUT", XDG_DATA_HOME="TEXT"),
        case("completion", "zsh", "--uninstall", ZDOTDIR="TEXT", told=False),
    ],
    "menu": [
        case("menu", XDG_DATA_HOME="OUT"),
        case("menu", "--remove", XDG_DATA_HOME="OUT", told=False),
        case("menu", XDG_DATA_HOME="TEXT", told=False),
    ],
}
"""What each verb is tried with; a verb that has none is told of by a test."""


def test_every_verb_is_tried() -> None:
    assert set(CASES) == set(help_lines_by_verb())


EACH: Final = [
    pytest.param(each, id=f"{verb}-{number}")
    for verb, cases in CASES.items()
    for number, each in enumerate(cases)
]


SOME: Final = [
    pytest.param(each, id=f"{verb}-{number}")
    for verb, cases in CASES.items()
    for number, each in enumerate(cases[:2])
]
"""For terminals: that a stream is one makes the difference, and not what is said."""


def prepared(each: Case, home: Path) -> tuple[list[str], dict[str, str]]:
    """The arguments and the environment of a case, with all its files made."""
    folder = evil_folder(home)
    for name, made in FILES.items():
        file = folder / "files" / (NAME + name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(made(), "utf-8")
    journals = folder / "journals"
    journals.mkdir(exist_ok=True)
    for name in ("GAME", "TEXT", "RAWVF"):
        (journals / f"{NAME}{name}.jsonl").write_text(FILES[name](), "utf-8")
    (folder / "out").mkdir(exist_ok=True)
    damaged = folder / "damaged"
    damaged.mkdir(exist_ok=True)
    (damaged / "demine.db").write_bytes(b"SQLite format 3\0" + b"owned" * 1000)
    places = {
        **{name: str(folder / "files" / (NAME + name)) for name in FILES},
        "ABSENT": str(folder / f"absent{NAME}"),
        "FOLDER": str(journals),
        "OUT": str(folder / "out"),
        "DAMAGED": str(damaged),
    }

    def placed(word: str) -> str:
        first, slash, rest = word.partition("/")
        return places[first] + slash + rest if first in places else word

    changes = {name: placed(value) for name, value in each.changes}
    if "XDG_CACHE_HOME" in changes:
        changes["NUMBA_CACHE_DIR"] = changes["XDG_CACHE_HOME"]
    return [placed(word) for word in each.words], environment(**changes)


@unix
@pytest.mark.parametrize("each", EACH)
def test_nothing_acts_in_what_is_piped(each: Case, tmp_path: Path) -> None:
    words, wanted = prepared(each, tmp_path)
    # The colours that were asked for are the program's own.
    found = piped(words, wanted, each.stdin)
    assert OWNED in found or not each.told
    assert acting(at_a_terminal(found) if "--color" in words else found) == []


@unix
@pytest.mark.parametrize("each", SOME)
def test_nothing_acts_at_a_terminal(each: Case, tmp_path: Path) -> None:
    words, wanted = prepared(each, tmp_path)
    found = at_a_terminal(shown(words, wanted, each.stdin))
    assert OWNED in found or not each.told
    assert acting(found) == []


def piped(words: Sequence[str], wanted: Mapping[str, str], stdin: str = "") -> str:
    """All that a command says into pipes."""
    ended = subprocess.run(
        [sys.executable, "-m", "demine", *words],
        env=wanted,
        input=stdin.encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=120,
        check=False,
    )
    return (ended.stdout + ended.stderr).decode("utf-8", "surrogateescape")


def shown(words: Sequence[str], wanted: Mapping[str, str], stdin: str = "") -> str:
    """All that a command says at a terminal; what it reads comes from a pipe."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "demine", *words],
        env={**wanted, "TERM": "xterm-256color"},
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        assert running.stdin is not None
        running.stdin.write(stdin.encode("utf-8", "surrogateescape"))
        running.stdin.close()
        said = b""
        try:
            while part := os.read(ours, 1 << 16):
                said += part
        except OSError:
            pass  # how Linux says that the other end is closed
        running.wait(60)
    os.close(ours)
    return said.decode("utf-8", "surrogateescape")


# Arguments


@unix
@pytest.mark.parametrize("verb", help_lines_by_verb())
def test_no_argument_of_a_verb_acts(verb: str, tmp_path: Path) -> None:
    """Every option and every argument once, with an evil value; one process says them all."""
    commands = [[verb, *words] for words in evil_arguments(verb)]
    script = (
        "import json, sys; from demine.scene import sanitized_console\n"
        "sanitized_console.sanitize_output()\n"
        "from demine.cli.main import run\n"
        "for words in json.load(sys.stdin): print(words[1][:20], run(words), flush=True)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(DISPLAY=EVIL),
        cwd=tmp_path,
        input=json.dumps(commands).encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    said = (ended.stdout + ended.stderr).decode("utf-8", "surrogateescape")
    assert said.count(OWNED) >= len(commands)
    assert acting(said) == []


def evil_arguments(verb: str) -> list[list[str]]:
    """Each parameter of a verb by itself, saying something evil."""
    group = command_group()
    with click.Context(group) as ctx:
        command = group.get_command(ctx, verb)
    assert command is not None
    found = [[f"--{EVIL}"], [EVIL, EVIL, EVIL]]
    # Without a host that nobody has, a server would go on serving.
    needed = {
        "make": ["4x4/3"],
        "book": ["4x4/3", "-n", "1", "--rating", "satisfied"],
        "study": ["4x4/3"],
        "dataset": ["4x4/3", "--positions", "2"],
        "serve": ["--host", EVIL],
    }.get(verb, [])
    options = [each for each in command.params if isinstance(each, click.Option)]
    return found + [
        [*needed, each.opts[0], *[EVIL] * each.nargs] for each in options if not each.is_flag
    ]


@unix
def test_no_word_before_the_verb_acts(tmp_path: Path) -> None:
    for words in (["--lang", EVIL, "records"], [EVIL], [f"-{EVIL}", "records"], [f"{EVIL}/"]):
        found = piped(words, environment(DEMINE_LANG=EVIL, LANGUAGE=EVIL, LC_ALL=EVIL))
        assert OWNED in found
        assert acting(found) == []


# The last resort, and what is no sentence


@unix
def test_warnings_and_failures_of_python_itself_are_inert() -> None:
    script = (
        "import sys, threading, warnings; import demine.__main__ as main\n"
        "def fail(args): warnings.warn(sys.argv[1], stacklevel=1); boom()\n"
        "def boom(): raise ValueError(sys.argv[1])\n"
        "import demine.cli.main; demine.cli.main.run = fail\n"
        "class Late:\n"
        "    def __del__(self): boom()\n"
        "sys.argv[1:] = [sys.argv[1]]\n"
        "try: main.main()\n"
        "finally:\n"
        "    thread = threading.Thread(target=boom); thread.start(); thread.join(); Late()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, EVIL], env=environment(), capture_output=True, check=False
    )
    said = ended.stderr.decode("utf-8", "surrogateescape")
    assert said.count("ValueError") >= 3
    assert said.count(OWNED) >= 4
    assert acting(said) == []


@unix
@pytest.mark.parametrize("charset", ["ascii", "latin-1", "gb18030", "utf-8"])
def test_no_encoding_goes_round_it(charset: str) -> None:
    words = ["records", EVIL]
    ended = subprocess.run(
        [sys.executable, "-m", "demine", *words],
        env=environment(PYTHONIOENCODING=charset),
        capture_output=True,
        check=False,
    )
    said = ended.stderr.decode("utf-8" if charset == "ascii" else charset)
    assert (OWNED in said, acting(said)) == (True, [])


@unix
def test_json_says_the_same_as_before(tmp_path: Path) -> None:
    """Escapes are only another spelling; Chinese stays as it is."""
    words, wanted = prepared(case("stats", "GAME", "--columns", "player", "--json"), tmp_path)
    said = piped(words, wanted)
    assert json.loads(said)["player"] == evil_game().facts["player"]
    assert "坏" in said


@unix
@pytest.mark.parametrize("form", ["journal", "rawvf", "board"])
def test_a_format_is_exact_in_a_pipe_and_inert_at_a_terminal(form: str, tmp_path: Path) -> None:
    words, wanted = prepared(case("convert", "GAME", "-", "--to", form), tmp_path)
    ended = subprocess.run(
        [sys.executable, "-m", "demine", *words], env=wanted, capture_output=True, check=True
    )
    file = tmp_path / "file"
    words[2] = str(file)
    piped(words, wanted)
    assert ended.stdout == file.read_bytes()
    assert acting(ended.stdout.decode())
    words[2] = "-"
    found = at_a_terminal(shown(words, wanted))
    assert (OWNED in found, acting(found)) == (True, [])


@unix
def test_an_export_is_exact_in_a_pipe_and_inert_at_a_terminal(tmp_path: Path) -> None:
    wanted = environment()
    with Store.open() as store:
        survival_of_play_out(store.begin(Game("4x4/3", 7, facts={"player": EVIL})).game)
    words = ["records", "--export", "-"]
    exact = piped(words, wanted)
    assert acting(exact)
    found = at_a_terminal(shown(words, wanted))
    assert (OWNED in found, acting(found)) == (True, [])


@unix
def test_a_fact_is_one_line_of_csv(tmp_path: Path) -> None:
    words, wanted = prepared(case("stats", "GAME", "--columns", "player", "--csv"), tmp_path)
    assert len(piped(words, wanted).splitlines()) == 2
