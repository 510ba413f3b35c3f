"""The menu entry: what desktops are told, where it lies, and that its command really plays."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demine
from demine.cli import main as cli
from demine.cli.desktop_entry import (
    ICON_SIZES,
    command_of_this_program,
    desktop_entry_text,
    exec_value,
    mime_types_text,
    xdg_data_home,
)
from demine.picture import icon
from demine.replay.registry import built_in_formats
from demine.scene.translation import set_language
from tests.png_reader import read_png

ROOT = Path(__file__).parents[3]
SHARED = ROOT / "share" / "applications" / "demine.desktop"
TYPES = ROOT / "share" / "mime" / "packages" / "demine.xml"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the user's own applications."""
    folder = tmp_path / "data of mine, 数据"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    return folder


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def keys(text: str, group: str = "Desktop Entry") -> dict[str, str]:
    """The keys of a group of an entry."""
    parser = configparser.RawConfigParser(delimiters="=", interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return dict(parser[group])


def words(line: str) -> list[str]:
    """The words of an `Exec` as a desktop reads it: unescaped, unquoted, field codes filled."""
    text = line.replace("\\\\", "\\")  # the only escape in values of one line
    found, at = [], 0
    while at < len(text):
        word, quoted = "", text[at] == '"'
        at += quoted
        while at < len(text) and text[at] != ('"' if quoted else " "):
            at += quoted and text[at] == "\\"
            word += text[at]
            at += 1
        at += 2 if quoted else 1
        found.append(word.replace("%%", "%"))
    return found


needs_posix_menus = pytest.mark.skipif(
    sys.platform in {"win32", "darwin"}, reason="no such menus here"
)


@needs_posix_menus
def test_the_entry_and_the_icons_come_and_go(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["menu"]) == 0
    path = home / "applications" / "demine.desktop"
    assert str(path) in capsys.readouterr().out
    assert keys(path.read_text("utf-8"))["TryExec"] == sys.executable
    theme = home / "icons" / "hicolor"
    for size in ICON_SIZES:
        drawn = read_png((theme / f"{size}x{size}/apps/demine.png").read_bytes())
        assert (drawn == icon(size)).all()
    assert (theme / "scalable/apps/demine.svg").read_text("utf-8").startswith("<svg")
    assert cli.run(["menu"]) == 0, "it can be done again"
    beside = theme / "16x16/apps/other.png"
    beside.touch()
    assert cli.run(["menu", "--remove"]) == 0
    made_by_desktops = {"applications/mimeinfo.cache", "mime"}
    left = [each.relative_to(home).as_posix() for each in home.rglob("*") if each.is_file()]
    left = [each for each in left if not each.startswith(tuple(made_by_desktops))]
    assert left == [beside.relative_to(home).as_posix()]
    assert not (home / "mime/packages/demine.xml").exists()
    assert cli.run(["menu", "--remove"]) == 1
    assert "is not in your desktop's menu" in capsys.readouterr().out


@needs_posix_menus
def test_its_command_starts_this_program_from_anywhere(home: Path, tmp_path: Path) -> None:
    assert cli.run(["menu"]) == 0
    found = keys((home / "applications" / "demine.desktop").read_text("utf-8"))
    *command, verb, file = words(found["Exec"])
    assert (verb, file) == ("play", "%f")
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, "--version"], cwd=tmp_path, env=plain, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"demine {demine.__version__}\n"


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\t")).filter(bool),
        min_size=1,
    )
)
def test_a_command_survives_being_written(command: list[str]) -> None:
    line = exec_value(command)
    assert "\n" not in line
    assert words(line) == command


def test_no_path_ends_its_line_of_the_entry() -> None:
    evil = "/opt/a\nHidden=true\rTerminal=true\tx\\n"
    plain = desktop_entry_text(["demine"], try_exec="/opt/a").splitlines()
    found = desktop_entry_text([evil], try_exec=evil).splitlines()
    assert len(found) == len(plain)
    assert "TryExec=/opt/a\\nHidden=true\\rTerminal=true\\tx\\\\n" in found


def test_every_language_is_in_the_entry() -> None:
    found = keys(desktop_entry_text(["demine"]))
    assert found["Name"] == "demine"
    assert found["GenericName[zh_CN]"] == "扫雷"
    assert {"Comment[zh_CN]", "Keywords[zh_CN]"} <= set(found)
    assert keys(desktop_entry_text(["demine"]), "Desktop Action new")["Name[zh_CN]"]


def test_the_shared_entry_is_current(regenerate: bool) -> None:
    if regenerate:
        SHARED.write_text(desktop_entry_text(["demine"]), encoding="utf-8", newline="\n")
    assert SHARED.read_text("utf-8") == desktop_entry_text(["demine"])


def test_the_shared_types_of_files_are_current(regenerate: bool) -> None:
    if regenerate:
        TYPES.parent.mkdir(parents=True, exist_ok=True)
        TYPES.write_text(mime_types_text(), encoding="utf-8", newline="\n")
    assert TYPES.read_text("utf-8") == mime_types_text()


def test_every_format_has_a_type_that_the_entry_names() -> None:
    root = ET.fromstring(mime_types_text())
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    patterns = {each.get("pattern") for each in root.findall("m:mime-type/m:glob", space)}
    assert patterns == {f"*{end}" for known in built_in_formats() for end in known.extensions}
    types = [str(each.get("type")) for each in root.findall("m:mime-type", space)]
    assert keys(desktop_entry_text(["demine"]))["MimeType"] == "".join(f"{t};" for t in types)
    comments = root.findall("m:mime-type/m:comment", space)
    assert len(comments) == 2 * len(types)


@needs_posix_menus
def test_a_desktop_knows_the_files(home: Path) -> None:
    asker = shutil.which("gio")
    if asker is None or shutil.which("update-mime-database") is None:
        pytest.skip("no gio (on Debian: apt install libglib2.0-bin shared-mime-info)")
    assert cli.run(["menu"]) == 0
    journal = ROOT / "tests/golden/beginner-lost-by-a-chord.jsonl"
    done = subprocess.run(
        [asker, "info", "-a", "standard::content-type", str(journal)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "application/x-demine-journal" in done.stdout


@pytest.mark.parametrize("command", [["demine"], ['/a b/$x`"\\%/python', "-m", "demine"]])
def test_the_freedesktop_validator_finds_nothing(command: list[str], tmp_path: Path) -> None:
    validator = shutil.which("desktop-file-validate")
    if validator is None:
        pytest.skip("no desktop-file-validate (on Debian: apt install desktop-file-utils)")
    path = tmp_path / "demine.desktop"
    path.write_text(desktop_entry_text(command, try_exec=command[0]), encoding="utf-8")
    done = subprocess.run([validator, str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_docks_find_the_windows_by_the_entrys_name() -> None:
    """Both windows carry its name as their class: SDL's by a variable, Qt's by its application."""
    found = keys(desktop_entry_text(["demine"]))
    code = (
        "import os, demine.classic; print(os.environ['SDL_VIDEO_X11_WMCLASS'],"
        " os.environ['SDL_VIDEO_WAYLAND_WMCLASS']);"
        "from demine.desktop.app import application; app = application();"
        "print(app.desktopFileName(), app.applicationName())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == {found["StartupWMClass"]} == {found["Icon"]}


def test_where_a_user_keeps_applications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert xdg_data_home({"XDG_DATA_HOME": str(tmp_path)}) == tmp_path
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert (
        xdg_data_home({})
        == xdg_data_home({"XDG_DATA_HOME": "relative"})
        == tmp_path / ".local/share"
    )


def test_an_installed_program_needs_no_variable() -> None:
    assert command_of_this_program({})[0] == sys.executable
    assert command_of_this_program({"PYTHONPATH": "/elsewhere"})[0] == sys.executable
    assert command_of_this_program({"PYTHONPATH": str(ROOT / "src")})[0] == "env"


def test_a_bundle_starts_itself(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An AppImage is the file, not what is unpacked of it, which is removed one day."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/cache/demine")
    monkeypatch.delenv("APPIMAGE", raising=False)
    assert command_of_this_program({}) == ["/cache/demine"]
    monkeypatch.setenv("APPIMAGE", "/games/my demine.AppImage")
    assert cli.run(["menu", "--print"]) == 0
    entry = keys(capsys.readouterr().out)
    assert entry["Exec"] == '"/games/my demine.AppImage" play %f'
    assert entry["TryExec"] == "/games/my demine.AppImage"


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_are_told_in_one_sentence(
    platform: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert cli.run(["menu"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not home.exists()


def test_a_folder_that_cannot_be_written_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text("a file in the way", encoding="utf-8")
    assert cli.run(["menu"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("demine menu: ")
    assert said.count("\n") == 1


def test_print_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["menu", "--print"]) == 0
    assert keys(capsys.readouterr().out)["Type"] == "Application"
    assert not home.exists()
