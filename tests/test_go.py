"""go.py for real: on a copy of the repository's skeleton, with packages that need no network."""

from __future__ import annotations

import ast
import io
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import go
from scripts import checks, system_packages

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="shell scripts stand for other programs here"
)

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "a path with spaces, 扫雷"

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""

# A build back end of one page, so that pip has something to install without the network.
BACKEND = """
import zipfile
from pathlib import Path

INFO = "demine-0.dist-info"


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "demine-0-py3-none-any.whl"
    files = {
        "demine.pth": str(Path(__file__).parent / "src"),
        "pygame.py": "",
        f"{INFO}/METADATA": "Metadata-Version: 2.1\\nName: demine\\nVersion: 0\\n",
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        f"{INFO}/RECORD": "",
    }
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
"""

# The game's part: it tells what it was given, and ends as it is told to.
GAME = """
import os, sys
print([os.getcwd(), *sys.argv[1:]])
sys.exit(7 if "seven" in sys.argv else 0)
"""


def make_copy(folder: Path) -> Path:
    """A repository that go.py can set up offline."""
    (folder / "requirements").mkdir(parents=True)
    (folder / "src" / "demine").mkdir(parents=True)
    shutil.copy(ROOT / "go.py", folder)
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    shutil.copy(ROOT / "requirements" / "window-libraries.txt", folder / "requirements")
    for name in go.SETS:
        (folder / "requirements" / f"{name}.lock").write_text("# nothing\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    (folder / "src" / "demine" / "__init__.py").touch()
    (folder / "src" / "demine" / "__main__.py").write_text(GAME, encoding="utf-8")
    return folder


def call(
    folder: Path, *arguments: str, cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a copy's go.py as a newcomer does."""
    return subprocess.run(
        [sys.executable, str(folder / "go.py"), *arguments],
        cwd=cwd or folder,
        env={**os.environ, "DEMINE_LANG": "en", "PIP_NO_INDEX": "1", "UV_NO_INDEX": "1", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )


@pytest.fixture(autouse=True)
def ctrl_c_as_before() -> Iterator[None]:
    """Where it waits for a program, `go` ignores Ctrl-C, and so would every program after that."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_LANG", "en")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that has been set up once, from a folder that is not its own."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    folder = make_copy(tmp_path_factory.mktemp("go") / FOLDER)
    done = call(folder, "play", "expert", cwd=elsewhere)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str([str(elsewhere), "play", "expert"])]
    assert "Setting demine up" in done.stderr
    return folder


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """go.py, imported, at work on an empty folder."""
    folder = make_copy(tmp_path / FOLDER)
    monkeypatch.setattr(go, "ROOT", folder)
    monkeypatch.setattr(go, "VENV", folder / ".venv")
    monkeypatch.setattr(go, "SETUP_MARK", folder / ".venv" / go.SETUP_MARK.name)
    monkeypatch.setattr(go, "BIN", folder / ".venv" / "bin")
    monkeypatch.setattr(go, "PYTHON", folder / ".venv" / "bin" / "python")
    return folder


def finish(name: str) -> None:
    """What a set-up that came to its end leaves, without its packages."""
    go.BIN.mkdir(parents=True, exist_ok=True)
    go.PYTHON.touch()
    go.SETUP_MARK.write_text(go.setup_stamp(name), encoding="utf-8")


def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Have the system say what it is."""
    (tmp_path / "os-release").write_text(text, encoding="utf-8")
    monkeypatch.setattr(system_packages, "OS_RELEASE", tmp_path / "os-release")


def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *rows: str) -> None:
    """Have the windows need these libraries."""
    (tmp_path / "libraries.txt").write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.setattr(system_packages, "LIBRARY_LIST", tmp_path / "libraries.txt")


def program(path: Path, *lines: str) -> str:
    """A shell script that stands for another program."""
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


# -- A real set-up ---------------------------------------------------------------------------


def test_a_second_start_sets_nothing_up(copy: Path) -> None:
    done = call(copy, "demine", "records", "--json")
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str([str(copy), "records", "--json"])]


def test_run_passes_everything_after_two_dashes(copy: Path) -> None:
    assert call(copy, "run", "--", "play", "--help").stdout.endswith("'play', '--help']\n")


def test_the_programs_exit_code_is_ours(copy: Path) -> None:
    assert call(copy, "play", "seven").returncode == 7


def test_stray_variables_do_not_reach_the_game(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "demine").mkdir()
    (tmp_path / "demine" / "__main__.py").write_text("raise SystemExit(9)", encoding="utf-8")
    assert call(copy, "play", PYTHONPATH=str(tmp_path)).returncode == 0


def test_a_change_is_installed_and_a_broken_environment_is_made_anew(copy: Path) -> None:
    lock = copy / "requirements" / "play.lock"
    lock.write_text("# still nothing\n", encoding="utf-8")
    keep = copy / ".venv" / "keep"
    keep.touch()
    done = call(copy, "play")
    assert "Setting demine up" in done.stderr
    assert keep.exists()
    (copy / ".venv" / "bin" / "python").unlink()
    done = call(copy, "play", DEMINE_LANG="zh_CN")
    assert "安装 demine" in done.stderr
    assert done.returncode == 0
    assert not keep.exists()


def test_pip_without_an_index_ends_in_a_sentence_and_no_stamp(copy: Path) -> None:
    lock = copy / "requirements" / "play.lock"
    before = lock.read_text(encoding="utf-8")
    lock.write_text(f"no-such-package==1 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    done = call(copy, "play")
    lock.write_text(before, encoding="utf-8")
    assert done.returncode == 1
    assert "pip could not install what demine needs" in done.stderr
    assert "no-such-package==1" in done.stderr
    assert "Traceback" not in done.stderr
    assert (copy / ".venv" / go.SETUP_MARK.name).read_text(encoding="utf-8") == ""


# -- Stamps ----------------------------------------------------------------------------------


def test_a_finished_set_up_is_ready(bare: Path) -> None:
    assert bare == go.ROOT
    assert not go.is_installed("play")
    finish("play")
    assert go.is_installed("play")
    assert not go.is_installed("test")


def test_the_test_set_holds_the_play_set(bare: Path) -> None:
    assert bare == go.ROOT
    finish("test")
    assert go.is_installed("play")


@pytest.mark.parametrize("changed", ["pyproject.toml", "requirements/play.lock"])
def test_a_changed_wish_is_not_ready_but_sound(bare: Path, changed: str) -> None:
    finish("play")
    with (bare / changed).open("a", encoding="utf-8") as file:
        file.write("# more\n")
    assert not go.is_installed("play")
    assert go.is_venv_usable()


def test_another_python_or_another_folder_is_not_sound(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish("play")
    (bare / ".venv").rename(bare.parent / "kept")
    moved = bare.rename(bare.parent / "moved")
    (bare.parent / "kept").rename(moved / ".venv")
    monkeypatch.setattr(go, "ROOT", moved)
    monkeypatch.setattr(go, "VENV", moved / ".venv")
    monkeypatch.setattr(go, "SETUP_MARK", moved / ".venv" / go.SETUP_MARK.name)
    monkeypatch.setattr(go, "PYTHON", moved / ".venv" / "bin" / "python")
    assert go.PYTHON.exists()
    assert not go.is_installed("play")
    assert not go.is_venv_usable()


def test_a_lost_interpreter_is_not_sound(bare: Path) -> None:
    finish("play")
    go.PYTHON.unlink()
    go.PYTHON.symlink_to(bare / "no-longer-there")
    assert not go.is_installed("play")
    assert not go.is_venv_usable()


def test_an_interrupted_set_up_leaves_no_stamp(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish("play")
    (bare / "pyproject.toml").write_text("# other\n", encoding="utf-8")

    def interrupt(name: str) -> None:
        raise KeyboardInterrupt(name)

    monkeypatch.setattr(go, "install_set", interrupt)
    with pytest.raises(KeyboardInterrupt):
        go.set_up("play")
    assert not go.is_venv_usable()


def test_somebody_elses_environment_is_not_removed(bare: Path) -> None:
    (bare / ".venv" / "bin").mkdir(parents=True)
    with pytest.raises(go.SetupError, match=r"\.venv was not made by go\.py"):
        go.remove_broken_venv()
    assert (bare / ".venv" / "bin").exists()


# -- What the system lacks -------------------------------------------------------------------


def test_a_python_without_ensurepip(
    bare: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (bare / ".venv").mkdir()
    go.SETUP_MARK.touch()
    says = (
        "The virtual environment was not created successfully because ensurepip is not available."
    )
    monkeypatch.setattr(go, "BASE_PYTHON", program(tmp_path / "python", f"echo '{says}'", "exit 1"))
    release(tmp_path, monkeypatch, "ID=debian")
    with pytest.raises(go.SetupError, match=r"apt install python3[.\d]*-venv") as caught:
        go.set_up("play")
    assert "\n" not in str(caught.value)
    assert not (bare / ".venv").exists()


def test_a_system_without_apt_gets_words_it_understands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path, monkeypatch, "ID=fedora")
    for sentence in system_packages.venv_missing_sentences():
        assert "apt" not in sentence
        assert "ensurepip" in sentence


def test_debians_second_python_has_a_package_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path, monkeypatch, "ID=ubuntu\nID_LIKE=debian")
    monkeypatch.setattr(os.path, "realpath", lambda _: "/usr/bin/python3.2")
    assert f"python3.{sys.version_info.minor}-venv" in str(system_packages.venv_missing_sentences())
    monkeypatch.setattr(os.path, "realpath", lambda _: f"/usr/bin/python3.{sys.version_info.minor}")
    assert "python3-venv" in str(system_packages.venv_missing_sentences())


def test_a_venv_that_fails_otherwise_ends_in_its_own_words(
    bare: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert bare == go.ROOT
    monkeypatch.setattr(
        go, "BASE_PYTHON", program(tmp_path / "python", "echo no room left", "exit 1")
    )
    with pytest.raises(go.SetupError, match=r"could not make \.venv:\n  no room left"):
        go.set_up("play")


def test_no_network_is_named(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go.BIN.mkdir(parents=True)
    program(
        go.PYTHON, "echo 'WARNING: Retrying (Retry(total=4...'", "echo ERROR: nothing", "exit 1"
    )
    assert bare == go.ROOT
    with pytest.raises(go.SetupError, match=r"is the network there\?(?s:.*)ERROR: nothing"):
        go.pip_install("anything")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looked for on Linux only")
def test_a_missing_window_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries(tmp_path, monkeypatch, "classic libc.so.6 libc6", "classic libnone.so.0 libnone0")
    assert system_packages.missing_libraries("classic") == {"libnone.so.0": "libnone0"}
    said, _ = system_packages.window_obstacle("classic", Path(sys.executable)) or ("", "")
    assert said.startswith("libnone.so.0 missing")
    assert "apt install libnone0" in said


def test_every_window_has_libraries_of_debians() -> None:
    text = (ROOT / "requirements" / "window-libraries.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    assert {scene for scene, _, _ in rows} == set(system_packages.WINDOW_MODULES)
    assert all(".so." in library for _, library, _ in rows)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looked for on Linux only")
@pytest.mark.parametrize(
    ("row", "said"), [("classic libnone.so.0 libnone0", True), ("classic libc.so.6 libc6", False)]
)
def test_a_missing_window_library_is_named_at_every_start(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    row: str,
    said: bool,
) -> None:
    monkeypatch.setattr(go, "set_up", lambda _: False)
    monkeypatch.setattr(os, "execve", lambda *_: None)
    monkeypatch.setattr(subprocess, "call", lambda _command, **_: 0)
    libraries(tmp_path, monkeypatch, "desktop libnone.so.0 libnone0", row)
    go.run_demine("play", "expert")
    assert ("libnone.so.0 missing" in capsys.readouterr().err) is said


def test_packages_are_installed_by_whoever_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert system_packages.apt_command("one", "two") == "apt install one two"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/sudo")
    assert system_packages.apt_command("one", "two") == "sudo apt install one two"
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert system_packages.apt_command("one") == "su -c 'apt install one'"


def test_chinese_is_not_said_where_it_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    for encoding, said in [("utf-8", "雷"), ("gb18030", "雷"), ("ascii", "mine")]:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding))
        assert go.localized("mine", "雷") == said


def test_a_module_that_does_not_load_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries(tmp_path, monkeypatch)
    python = Path(program(tmp_path / "python", "echo ImportError: boom", "exit 1"))
    said, _ = system_packages.window_obstacle("classic", python) or ("", "")
    assert said == "pygame:\n  ImportError: boom"


def test_one_window_is_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reasons = {"big": "no libGL", "small": ""}

    def obstacle(scene: str, _python: Path) -> tuple[str, str] | None:
        return (reasons[scene], "") if reasons[scene] else None

    monkeypatch.setattr(system_packages, "WINDOW_MODULES", {name: name for name in reasons})
    monkeypatch.setattr(system_packages, "window_obstacle", obstacle)
    go.print_window_obstacles()
    assert capsys.readouterr().err == "The big window cannot open yet, another will: no libGL\n"
    reasons["small"] = "no libX11"
    go.print_window_obstacles()
    assert capsys.readouterr().err == "No window can open yet: no libX11\n"
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    go.print_window_obstacles()
    assert capsys.readouterr().err == "No window can open yet, the game opens here: no libX11\n"
    reasons.update(big="", small="")
    go.print_window_obstacles()
    assert capsys.readouterr().err == ""


def test_an_old_python_can_parse_the_script() -> None:
    source = (ROOT / "go.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert "from __future__ import annotations\n" not in source


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "needs Python 3.11 or newer; this is"), ("zh_CN", "需要 Python 3.11")],
)
def test_an_old_python_is_told_so(language: str, said: str) -> None:
    pretend = textwrap.dedent("""
        import runpy, sys
        sys.version_info = (3, 6, 15, "final", 0)
        runpy.run_path("go.py", run_name="__main__")
    """)
    done = subprocess.run(
        [sys.executable, "-c", pretend],
        cwd=ROOT,
        env={**os.environ, "DEMINE_LANG": language, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


# -- The verbs -------------------------------------------------------------------------------


def test_help_and_an_unknown_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert go.main(["--help"]) == 0
    assert "go.py play" in capsys.readouterr().out
    assert go.main(["pley"]) == go.USAGE
    assert "no verb 'pley'" in capsys.readouterr().err
    assert go.main([]) == go.USAGE


def test_the_first_check_that_fails_ends_the_test_verb(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    finish("test")
    shutil.rmtree(bare / "scripts")
    program(go.BIN / "ruff", 'echo "ruff $*"')
    program(go.BIN / "mypy", 'echo "mypy $*"', "exit 3")
    assert go.main(["test", "-k", "x"]) == 3
    printed = capfd.readouterr()
    assert printed.out.splitlines() == [
        "ruff check src go.py",
        "ruff format --check src go.py",
        "mypy src go.py",
    ]
    assert "mypy failed (exit code 3)." in printed.err
    program(go.BIN / "mypy")
    program(go.BIN / "lint-imports")
    program(
        go.BIN / "pytest",
        'echo "${PYTHONDONTWRITEBYTECODE-kept} in $PYTHONPYCACHEPREFIX"; echo "pytest $*"; pwd',
    )
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.chdir(bare.parent)
    assert go.main(["test", "-k", "x"]) == 0
    command = " ".join(["pytest", *checks.PYTEST_PARALLEL_OPTIONS, "-k", "x"])
    kept = f"kept in {go.BIN.parent / 'bytecode'}"
    assert capfd.readouterr().out.splitlines()[-3:] == [kept, command, str(bare)]


def test_locking_needs_uv(copy: Path, tmp_path: Path) -> None:
    done = call(copy, "lock", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "uv writes lock files" in done.stderr


def test_uv_installs_where_it_is_there_and_pip_where_it_fails(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bare == go.ROOT
    go.BIN.mkdir(parents=True)
    (tmp_path / "path").mkdir()
    log = tmp_path / "log"
    monkeypatch.setenv("PATH", str(tmp_path / "path"), prepend=os.pathsep)
    program(go.PYTHON, f"echo pip >> '{log}'")
    program(tmp_path / "path" / "uv", f"echo uv $1 $2 >> '{log}'")
    go.pip_install("anything")
    assert log.read_text(encoding="utf-8") == "uv pip install\n"
    program(tmp_path / "path" / "uv", "exit 2")
    go.pip_install("anything")
    assert log.read_text(encoding="utf-8") == "uv pip install\npip\n"
