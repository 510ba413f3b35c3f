"""Set demine up in .venv beside this file, then play it or test it. Standard library only.

    python3 go.py play [ARGS]     play; ARGS go to `demine play`
    python3 go.py test [ARGS]     every check and every test; ARGS go to pytest
    python3 go.py demine [ARGS]   any other verb, as in `go.py demine records`
    python3 go.py lock [ARGS]     write requirements/*.lock anew; ARGS go to `uv pip compile`

On Windows type `py` for `python3`.
"""

# An old Python must get as far as saying that it is old: Python 3.6 has to parse this whole file
# (so no `from __future__ import annotations`) and to run it down to the check.
import contextlib
import ctypes
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def localized(english: str, chinese: str) -> str:
    """The one of two texts that the reader understands and the terminal can show."""
    keys = ("DEMINE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wish = next((os.environ[key] for key in keys if os.environ.get(key)), "")
    if not wish and sys.platform == "win32":
        is_chinese = ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x04
    else:
        is_chinese = wish.startswith("zh")
    try:
        chinese.encode(sys.stderr.encoding)
    except UnicodeEncodeError:
        return english
    return chinese if is_chinese else english


def python_too_old_sentence() -> str:
    """What to do about a Python that demine does not run on."""
    for name in (f"python3.{minor}" for minor in range(30, 10, -1)):
        # A name on the path may be a shim with nothing behind it.
        if shutil.which(name) and subprocess.call([name, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            cure = localized(f"Type {name} for python3.", f"请把 python3 换成 {name}。")
            break
    else:
        cure = localized("Install one from python.org.", "请从 python.org 安装。")
    here = platform.python_version()
    english = f"demine needs Python 3.11 or newer; this is {here}. {cure}"
    return localized(english, f"demine 需要 Python 3.11 或更新版本，而这是 {here}。{cure}")


if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(python_too_old_sentence())

# What follows may use today's Python. Under PYTHONSAFEPATH this folder is not searched.
sys.path.insert(0, str(ROOT))
from scripts import checks, system_packages  # noqa: E402
from scripts.quiet_command import clean_environment, last_lines, print_line, run_quietly  # noqa: E402

SETS = ("play", "test")  # each holds the ones before it
VENV = ROOT / ".venv"
SETUP_MARK = VENV / "made-by-go.py"  # empty until a set-up has come to its end, then its `stamp`
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
# The Python under this one: .venv must not be made of itself when it is the active environment.
BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))
USAGE, INTERRUPTED = 2, 130


class SetupError(Exception):
    """Set-up cannot go on; the text is the sentence for the user."""


def say(english: str, chinese: str) -> None:
    """Print the one of two texts that the reader understands."""
    print_line(localized(english, chinese))


def finished_setup() -> str:
    """The `stamp` of the last set-up that came to its end, or nothing."""
    return SETUP_MARK.read_text(encoding="utf-8", errors="replace") if SETUP_MARK.is_file() else ""


def setup_stamp(name: str) -> str:
    """What a finished set-up leaves: line 1 what .venv is bound to, line 2 a hash of its wishes."""
    wishes = hashlib.sha256()
    for path in (ROOT / "requirements" / f"{name}.lock", ROOT / "pyproject.toml"):
        wishes.update(path.read_bytes())
    bound_to = f"{sys.implementation.cache_tag} {platform.machine()} {ROOT}"
    return f"{bound_to}\n{name} {wishes.hexdigest()}\n"


def is_installed(name: str) -> bool:
    """Whether everything of a set is installed and current, perhaps by one that holds it."""
    return PYTHON.exists() and finished_setup() in map(setup_stamp, SETS[SETS.index(name) :])


def is_venv_usable() -> bool:
    """Whether .venv was finished once, for this Python, in this folder: it can be added to."""
    return PYTHON.exists() and finished_setup().split("\n")[0] == setup_stamp("play").split("\n")[0]


def remove_broken_venv() -> None:
    """Remove a .venv that is broken or half made, but never one that somebody else made."""
    if os.path.lexists(VENV):
        if not SETUP_MARK.exists():
            english = f"{VENV} was not made by go.py; move it away first."
            raise SetupError(localized(english, f"{VENV} 不是由 go.py 建立的；请先把它移走。"))
        shutil.rmtree(VENV)


def make_venv() -> None:
    """Make an empty environment with pip in it."""
    VENV.mkdir()
    SETUP_MARK.touch()
    code, output = run_quietly(BASE_PYTHON, "-m", "venv", str(VENV))
    if code != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        if "ensurepip" in output or "No module named venv" in output:
            raise SetupError(localized(*system_packages.venv_missing_sentences()))
        failed = localized("Python could not make .venv:", "Python 无法建立 .venv：")
        raise SetupError(failed + last_lines(output))


def pip_install(*arguments: str) -> None:
    """Install by uv where it is there and can, else by the environment's pip; or SetupError."""
    uv = shutil.which("uv")
    if uv and run_quietly(uv, "pip", "install", "--python", str(PYTHON), *arguments)[0] == 0:
        return
    options = ("--disable-pip-version-check", "--no-input", "install", "--no-user", "--no-compile")
    code, output = run_quietly(str(PYTHON), "-m", "pip", *options, *arguments)
    if code == 0:
        return
    said = localized(
        "pip could not install what demine needs. It says:",
        "pip 无法安装 demine 所需的软件包。它说：",
    )
    if "Retrying (Retry(" in output or "Connection" in output:
        said = localized(
            "The package index cannot be reached; is the network there? pip says:",
            "无法连接软件包索引；网络是否可用？pip 说：",
        )
    raise SetupError(said + last_lines(output))


def install_set(name: str) -> None:
    """Bring the set's locked packages and demine itself into .venv."""
    pip_install("--require-hashes", "-r", str(ROOT / "requirements" / f"{name}.lock"))
    # The build back end is one of the locked packages, so nothing unlocked is fetched to build.
    pip_install("--no-deps", "--no-build-isolation", "-e", str(ROOT))


def print_window_obstacles() -> None:
    """Tell which windows cannot open yet, and what would help."""
    for sentence in system_packages.window_obstacles(PYTHON):
        say(*sentence)


def set_up(name: str) -> bool:
    """Make sure that a set is installed, or raise SetupError; whether that was news."""
    if is_installed(name):
        return False
    english = "Setting demine up in .venv (once; play: about half a minute, test: one or two) ..."
    say(english, "正在 .venv 中安装 demine（仅此一次；play 约半分钟，test 一两分钟）……")
    with Path(__file__).open("rb") as own:
        # A second set-up waits, then finds the work done. Without locks (Windows, some network
        # file systems) two at once are the user's care.
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(own, fcntl.LOCK_EX)
        if is_installed(name):
            return True
        if not is_venv_usable():
            remove_broken_venv()
            make_venv()
        # An interrupted set-up is known by its empty mark, and made anew.
        SETUP_MARK.write_text("")
        install_set(name)
        SETUP_MARK.write_text(setup_stamp(name), encoding="utf-8")
    return True


def run_demine(*arguments: str) -> int:
    """Become `demine ARGUMENTS`: its terminal, its signals, its exit code."""
    is_new = set_up("play")
    # The game itself takes a missing library for a display that does not answer.
    if is_new or (arguments[:1] == ("play",) and system_packages.no_window_can_open()):
        print_window_obstacles()
    command = [str(PYTHON), "-m", "demine", *arguments]
    # A .pth file cannot hold every path (on Windows before Python 3.13); the variable can.
    env = {**clean_environment(), "PYTHONPATH": str(ROOT / "src")}
    if os.name != "nt":
        os.execve(PYTHON, command, env)
    # The program answers Ctrl-C; this process only waits for it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command, env=env)


def run_tests(*arguments: str) -> int:
    """Run every check and every test; the exit code of the first that fails."""
    if set_up("test"):
        print_window_obstacles()
    code, tool = checks.run_checks(BIN, *arguments, root=ROOT)
    if code != 0:
        say(f"{tool} failed (exit code {code}).", f"{tool} 未通过（退出码 {code}）。")
    return code


def main(arguments: list[str]) -> int:
    """Do what the command line says; the exit code."""
    verb, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if verb in {"-h", "--help", "help"}:
        print(__doc__, end="")
        return 0
    if verb in {"demine", "run"}:
        return run_demine(*(rest[1:] if rest[:1] == ["--"] else rest))
    if verb == "play":
        return run_demine("play", *rest)
    if verb == "test":
        return run_tests(*rest)
    if verb == "lock":
        return subprocess.call([sys.executable, str(ROOT / "scripts" / "lock.py"), *rest])
    if verb:
        say(f"go.py: there is no verb {verb!r}\n", f"go.py：没有 {verb!r} 这个命令\n")
    print(__doc__, end="", file=sys.stderr)
    return USAGE


def run() -> int:
    """`main`, with a sentence in place of a traceback for what a user can mend."""
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\nInterrupted.", "\n已中断。")
        return INTERRUPTED
    except SetupError as error:
        print_line(str(error))
    except OSError as error:
        say(f"Set-up failed: {error}", f"安装失败：{error}")
    return 1


if __name__ == "__main__":
    sys.exit(run())
