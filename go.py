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
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def speaks_chinese() -> bool:
    """Whether the person at this machine reads Chinese; the game's own order of asking."""
    keys = ("DEMINE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wish = next((os.environ[key] for key in keys if os.environ.get(key)), "")
    if not wish and sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x04)
    return wish.startswith("zh")


def pick(english: str, chinese: str) -> str:
    """The one of two texts that the reader understands and the terminal can show."""
    try:
        chinese.encode(sys.stderr.encoding)
    except UnicodeEncodeError:
        return english
    return chinese if speaks_chinese() else english


def too_old() -> str:
    """What to do about a Python that demine does not run on."""
    here = platform.python_version()
    for name in (f"python3.{minor}" for minor in range(30, 10, -1)):
        # A name on the path may be a shim with nothing behind it.
        if shutil.which(name) and subprocess.call([name, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return pick(
                f"demine needs Python 3.11 or newer; this is {here}. Type {name} for python3.",
                f"demine 需要 Python 3.11 或更新版本，而这是 {here}。请把 python3 换成 {name}。",
            )
    return pick(
        f"demine needs Python 3.11 or newer; this is {here}. Install one from python.org.",
        f"demine 需要 Python 3.11 或更新版本，而这是 {here}。请从 python.org 安装。",
    )


if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(too_old())

import typing  # noqa: E402  (what follows may use today's Python)

if sys.platform != "win32":
    import fcntl


class Scene(typing.NamedTuple):
    """A way to play: an extra of the package, and what the system has to bring to it."""

    module: str
    libraries: str
    """Shared libraries and the Debian packages that hold them, `library:package` (Linux only)."""


# The scenes that `play` installs, best first; `python3 go.py lock` after a change.
SCENES = {
    "desktop": Scene(
        "PySide6.QtWidgets",
        "libGL.so.1:libgl1 libEGL.so.1:libegl1 libxkbcommon.so.0:libxkbcommon0"
        " libdbus-1.so.3:libdbus-1-3 libfontconfig.so.1:libfontconfig1"
        " libglib-2.0.so.0:libglib2.0-0 libxcb-cursor.so.0:libxcb-cursor0"
        " libxkbcommon-x11.so.0:libxkbcommon-x11-0 libxcb-icccm.so.4:libxcb-icccm4"
        " libxcb-image.so.0:libxcb-image0 libxcb-keysyms.so.1:libxcb-keysyms1"
        " libxcb-randr.so.0:libxcb-randr0 libxcb-render-util.so.0:libxcb-render-util0"
        " libxcb-shape.so.0:libxcb-shape0",
    ),
    "classic": Scene(
        "pygame",
        "libX11.so.6:libx11-6 libXext.so.6:libxext6 libXcursor.so.1:libxcursor1"
        " libXi.so.6:libxi6 libXrandr.so.2:libxrandr2",
    ),
}
SETS = {"play": "build", "test": "test"}

VENV = ROOT / ".venv"
MARK = VENV / "made-by-go.py"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
# The Python under this one: .venv must not be made of itself when it is the active environment.
BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))

LARGE = re.compile(r"\s*(?:Downloading|Using cached) (?:\S*/)?(\w+)-([^-\s]+)-\S+ (\(\S+ MB\))")
USAGE = 2
INTERRUPTED = 130
# A file of tests at a time to each processor: what tests of one file share is made once.
PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")
CHECKED = ("src", "tests", "benchmarks", "scripts", "go.py")


class SetupError(Exception):
    """Set-up cannot go on; the text is the sentence for the user."""

    def __init__(self, english: str, chinese: str, more: str = "") -> None:
        super().__init__(pick(english, chinese) + more)


def show(text: str) -> None:
    """Print one line beside the program's own output, which may be read by a pipe."""
    print(text, file=sys.stderr, flush=True)


# -- Is what is there good? ------------------------------------------------------------------


def origin() -> str:
    """What an environment is bound to: it breaks when the Python or the folder changes."""
    return f"{sys.implementation.cache_tag} {platform.machine()} {ROOT}"


def stamp_path(name: str) -> Path:
    """Where a finished set-up of a set leaves its stamp."""
    return VENV / f"demine-{name}.stamp"


def lock_path(name: str) -> Path:
    """The hashed requirements of a set."""
    return ROOT / "requirements" / f"{name}.lock"


def stamp(name: str) -> str:
    """The text of a set's stamp: line 1 the origin, line 2 a hash of all that was asked for."""
    asked = hashlib.sha256(name.encode())
    for path in (lock_path(name), ROOT / "pyproject.toml"):
        asked.update(path.read_bytes())
    return f"{origin()}\n{asked.hexdigest()}\n"


def read(path: Path) -> str:
    """A file's text, or nothing when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def ready(name: str) -> bool:
    """Whether everything of a set is installed and current, perhaps by one that holds it."""
    holders = list(SETS)[list(SETS).index(name) :]
    return PYTHON.exists() and any(read(stamp_path(each)) == stamp(each) for each in holders)


def sound() -> bool:
    """Whether .venv was finished once, for this Python, in this folder: it can be added to."""
    firsts = (read(stamp_path(name)).partition("\n")[0] for name in SETS)
    return PYTHON.exists() and origin() in firsts


# -- Making it -------------------------------------------------------------------------------


def child_env() -> dict[str, str]:
    """The environment without the variables that would send an installation elsewhere."""
    stray = {"PYTHONHOME", "PYTHONPATH", "PIP_PREFIX", "PIP_ROOT", "PIP_TARGET", "PIP_USER"}
    return {key: value for key, value in os.environ.items() if key not in stray}


def quietly(*command: str) -> tuple[int, str]:
    """Run a command; its exit code and all that it printed. What pip fetches is told at once."""
    pipe, merged, closed = subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL
    said = ""
    with subprocess.Popen(
        command, cwd=ROOT, env=child_env(), stdin=closed, stdout=pipe, stderr=merged
    ) as child:
        for line in child.stdout or ():
            text = line.decode("utf-8", "replace")
            said += text
            for fetched in LARGE.finditer(text):
                show(f"  {' '.join(fetched.groups())} ...")
    return child.returncode, said


def last_words(output: str) -> str:
    """The end of a tool's message, indented."""
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "Retrying (Retry(" not in line] or lines
    return "".join(f"\n  {line[:300]}" for line in telling[-4:])


def clear() -> None:
    """Remove a .venv that is broken or half made, but never one that somebody else made."""
    if not os.path.lexists(VENV):
        return
    if not MARK.exists():
        raise SetupError(
            f"{VENV} was not made by go.py; move it away first.",
            f"{VENV} 不是由 go.py 建立的；请先把它移走。",
        )
    shutil.rmtree(VENV)


def make_venv() -> None:
    """Make an empty environment with pip in it."""
    VENV.mkdir()
    MARK.touch()
    code, output = quietly(BASE_PYTHON, "-m", "venv", str(VENV))
    if code == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if "ensurepip" in output or "No module named venv" in output:
        raise no_venv()
    raise SetupError("Python could not make .venv:", "Python 无法建立 .venv：", last_words(output))


def no_venv() -> SetupError:
    """Which package to install where the system's Python comes without venv or ensurepip."""
    release = read(Path("/etc/os-release"))
    if "debian" not in release and "ubuntu" not in release:
        return SetupError(
            "This Python lacks venv or ensurepip; install your system's package for them "
            "(its name is often python3-venv, python3-virtualenv or python3-pip), then try again.",
            "此 Python 缺少 venv 或 ensurepip；请安装系统中包含它们的软件包"
            "（常见名称：python3-venv、python3-virtualenv 或 python3-pip），然后重试。",
        )
    own = f"python3.{sys.version_info.minor}"
    default = os.path.realpath("/usr/bin/python3").endswith(own)
    command = apt("python3-venv" if default else f"{own}-venv")
    return SetupError(
        f"This Python cannot make environments yet. Type: {command} -- then try again.",
        f"此 Python 还不能建立环境。请输入：{command}，然后重试。",
    )


def apt(*packages: str) -> str:
    """The command line that installs Debian packages, for the user of this machine."""
    command = f"apt install {' '.join(packages)}"
    if os.geteuid() == 0:
        return command
    # Debian has no sudo where root was given a password.
    return f"sudo {command}" if shutil.which("sudo") else f"su -c '{command}'"


def pip(*arguments: str) -> None:
    """Run the environment's pip (each module compiles at its first use); raise SetupError."""
    code, output = quietly(
        *(str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input"),
        *("install", "--no-user", "--no-compile", *arguments),
    )
    if code == 0:
        return
    english = "pip could not install what demine needs. It says:"
    chinese = "pip 无法安装 demine 所需的软件包。它说："
    if "Retrying (Retry(" in output or "Connection" in output:
        english = "The package index cannot be reached; is the network there? pip says:"
        chinese = "无法连接软件包索引；网络是否可用？pip 说："
    raise SetupError(english, chinese, last_words(output))


def install(name: str) -> None:
    """Bring the set's locked packages and demine itself into .venv."""
    pip("--require-hashes", "-r", str(lock_path(name)))
    # The build back end is one of the locked packages, so nothing unlocked is fetched to build.
    pip("--no-deps", "--no-build-isolation", "-e", str(ROOT))


def lost_libraries(scene: Scene) -> dict[str, str]:
    """The window libraries this system lacks for a scene, with their Debian packages."""
    if not sys.platform.startswith("linux"):
        return {}
    lost = {}
    for library, package in (pair.split(":") for pair in scene.libraries.split()):
        try:
            ctypes.CDLL(library)
        except OSError:
            lost[library] = package
    return lost


def obstacle(scene: Scene) -> str:
    """Why a scene cannot open its window on this system, or nothing."""
    lost = lost_libraries(scene)
    if lost:
        cure, names = apt(*lost.values()), ", ".join(lost)
        return pick(f"{names} missing (on Debian: {cure}).", f"缺少 {names}（Debian：{cure}）。")
    code, output = quietly(str(PYTHON), "-c", f"import {scene.module}")
    return "" if code == 0 else f"{scene.module}:{last_words(output)}"


def say_obstacles() -> None:
    """Tell which windows cannot open yet, and what would help."""
    found = {name: obstacle(scene) for name, scene in SCENES.items()}
    lost = {name: reason for name, reason in found.items() if reason}
    if len(lost) == len(SCENES):
        reason = list(lost.values())[-1]  # the last scene asks for the least
        more = pick(", the game opens here", "，就在这里玩") if sys.stdin.isatty() else ""
        show(pick(f"No window can open yet{more}: {reason}", f"暂时无法打开窗口{more}：{reason}"))
        lost = {}
    for name, reason in lost.items():
        english = f"The {name} window cannot open yet, another will: {reason}"
        show(pick(english, f"暂时无法打开 {name} 窗口，将打开另一种：{reason}"))


@contextlib.contextmanager
def alone() -> typing.Iterator[None]:
    """Let one set-up run at a time; a second one waits, then finds the work done."""
    if sys.platform == "win32":
        yield
        return
    with Path(__file__).open("rb") as own:
        # Some network file systems have no locks: two set-ups at once are then the user's care.
        with contextlib.suppress(OSError):
            fcntl.flock(own, fcntl.LOCK_EX)
        yield


def set_up(name: str) -> bool:
    """Make sure that a set is installed, or raise SetupError; whether that was news."""
    if ready(name):
        return False
    english = "Setting demine up in .venv (once; play: about half a minute, test: one or two) ..."
    show(pick(english, "正在 .venv 中安装 demine（仅此一次；play 约半分钟，test 一两分钟）……"))
    with alone():
        if ready(name):
            return True
        if not sound():
            clear()
            make_venv()
        # Without a stamp an interrupted set-up is known for what it is, and made anew.
        for other in SETS:
            stamp_path(other).unlink(missing_ok=True)
        install(name)
        half = stamp_path(name).with_suffix(".new")
        half.write_text(stamp(name), encoding="utf-8")
        half.replace(stamp_path(name))
    return True


# -- The verbs -------------------------------------------------------------------------------


def demine(*arguments: str) -> typing.NoReturn:
    """Become `demine ARGUMENTS`: its terminal, its signals, its exit code."""
    is_new = set_up("play")
    # The game itself takes a missing library for a display that does not answer.
    if is_new or (arguments[:1] == ("play",) and all(map(lost_libraries, SCENES.values()))):
        say_obstacles()
    command = [str(PYTHON), "-m", "demine", *arguments]
    # A .pth file cannot hold every path (on Windows before Python 3.13); the variable can.
    env = {**child_env(), "PYTHONPATH": str(ROOT / "src")}
    if os.name != "nt":
        os.execve(PYTHON, command, env)
    # The program answers Ctrl-C; this process only waits for it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(command, env=env))


def steps(*arguments: str) -> list[tuple[str, ...]]:
    """The checks, cheapest first; the tests come last, and so does pytest's summary."""
    checked = [name for name in CHECKED if (ROOT / name).exists()]
    return [
        ("ruff", "check", *checked),
        ("ruff", "format", "--check", *checked),
        ("mypy", *checked),
        ("lint-imports", "--no-logo"),
        ("pytest", *PARALLEL, *arguments),
    ]


def test(*arguments: str) -> int:
    """Run every check and every test; the exit code of the first that fails."""
    if set_up("test"):
        say_obstacles()
    env = {**child_env(), "PYTHONPATH": str(ROOT / "src")}
    for tool, *rest in steps(*arguments):
        show("\n$ " + " ".join([tool, *rest]))
        code = subprocess.call([str(BIN / tool), *rest], cwd=ROOT, env=env)
        if code != 0:
            show(pick(f"{tool} failed (exit code {code}).", f"{tool} 未通过（退出码 {code}）。"))
            return code
    return 0


def lock(*arguments: str) -> int:
    """Write the lock files with uv: hashed, for every system, without addresses."""
    uv = shutil.which("uv")
    if uv is None:
        raise SetupError("uv writes lock files; install it.", "锁文件由 uv 写成；请安装 uv。")
    # Settings of this machine (its own wheels, its own index) must not reach the lock.
    env = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    common = ["--universal", "--python-version", "3.11", "--generate-hashes", "--quiet"]
    common += ["--no-header", "--no-annotate", "--no-config"]
    extras = [word for extra in (*SCENES, "terminal") for word in ("--extra", extra)]
    bounds: list[str] = []
    for name, group in SETS.items():
        command = [uv, "pip", "compile", "pyproject.toml", *common, *extras, "--group", group]
        out = f"requirements/{name}.lock"
        code = subprocess.call([*command, *bounds, "-o", out, *arguments], cwd=ROOT, env=env)
        if code != 0:
            return code
        bounds += ["--constraint", out]
    return 0


def main(arguments: list[str]) -> int:
    """Do what the command line says; the exit code."""
    verb, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if verb in {"-h", "--help", "help"}:
        print(__doc__, end="")
        return 0
    if verb in {"demine", "run"}:
        demine(*(rest[1:] if rest[:1] == ["--"] else rest))
    if verb == "play":
        demine("play", *rest)
    if verb in {"test", "lock"}:
        return (test if verb == "test" else lock)(*rest)
    if verb:
        show(pick(f"go.py: there is no verb {verb!r}\n", f"go.py：没有 {verb!r} 这个命令\n"))
    print(__doc__, end="", file=sys.stderr)
    return USAGE


def run() -> int:
    """`main`, with a sentence in place of a traceback for what a user can mend."""
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        show(pick("\nInterrupted.", "\n已中断。"))
        return INTERRUPTED
    except SetupError as error:
        show(str(error))
    except OSError as error:
        show(pick(f"Set-up failed: {error}", f"安装失败：{error}"))
    return 1


if __name__ == "__main__":
    sys.exit(run())
