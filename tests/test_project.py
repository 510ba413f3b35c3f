"""The repository keeps its own promises: floors, locks, nothing of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import demine

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "demine"
MODULES = sorted(SOURCE.rglob("*.py"))
LOCKS = {"play": ("desktop", "classic"), "test": ("desktop", "classic")}

FLOORS = (
    {"lazy_exports"},
    {"kernels"},
    {"logic"},
    {"scene"},
    {"solver", "statistics", "picture"},
    {"boards", "game"},
    {"replay", "store"},
    {"reviews"},
    {"play"},
    {"desktop", "classic", "terminal", "web", "envs", "studies", "notebook", "books"},
    {"warm_kernels"},
    {"cli"},
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
# What the quiet floors may take from outside the standard library.
OUTSIDE = {"logic": {"numpy"}, "scene": {"numpy"}, "statistics": {"numpy"}, "replay": {"numpy"}}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    """The dotted name of a module of the package."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


def package_of(path: Path) -> str:
    """The floor's package that a module belongs to, or the module that is a floor by itself.

    Empty for the front door.
    """
    first = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "" if first.startswith("__") else first


def imports_of(node: ast.AST) -> set[str]:
    """The dotted names that an import statement reaches, as precise as the tree tells."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        full = {f"{node.module}.{alias.name}" for alias in node.names}
        return {name if name in NAMES else node.module for name in full}
    return set()


def all_imports(path: Path) -> set[str]:
    """Every import of a file, in functions and for the type checker too."""
    tree = ast.parse(path.read_bytes())
    return set().union(*(imports_of(node) for node in ast.walk(tree)))


def early_imports(path: Path) -> set[str]:
    """The imports that run when the module is loaded."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(path.read_bytes()).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting.extend(node.orelse)
            continue
        found |= imports_of(node)
        waiting.extend(ast.iter_child_nodes(node))
    return found


def committed() -> list[Path]:
    """The files of the repository; skips where this is no work tree of git's."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def ids(path: Path) -> str:
    """A path as a test's name."""
    return path.relative_to(ROOT).as_posix()


def test_every_package_has_a_floor() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages >= {"logic", "scene"}
    assert packages <= set(FLOOR)


@pytest.mark.parametrize("path", [path for path in MODULES if package_of(path)], ids=ids)
def test_imports_go_down(path: Path) -> None:
    here = package_of(path)
    for target in all_imports(path):
        parts = target.split(".")
        if parts[0] == "demine" and len(parts) > 1 and parts[1] != here:
            assert FLOOR[parts[1]] < FLOOR[here], f"{here} imports {target}"


@pytest.mark.parametrize("path", [p for p in MODULES if package_of(p) in OUTSIDE], ids=ids)
def test_quiet_floors_take_nothing_from_outside_but_numpy(path: Path) -> None:
    roots = {name.partition(".")[0] for name in all_imports(path)}
    assert roots - set(sys.stdlib_module_names) - {"demine"} <= OUTSIDE[package_of(path)]


def test_the_solver_cannot_cheat() -> None:
    truth = {
        "demine",
        "demine.logic",
        "demine.logic.board_state",
        "demine.logic.game",
        "demine.game",
    }
    for path in MODULES:
        if package_of(path) == "solver":
            assert not all_imports(path) & truth, ids(path)


def test_solver_kernels_have_one_door() -> None:
    """Other rooms name sets of kernels; what simulates games imports `player.simulation`."""
    names = [
        "kernels_for_simulation", "policy_table", "policy_types", "policy_error", "custom_policy",
        "resolve_policy",
    ]  # fmt: skip
    door = {f"demine.solver.player.{name}" for name in names}
    for path in (path for path in MODULES if package_of(path) != "solver"):
        found = {name for name in all_imports(path) if name.startswith("demine.solver.")}
        assert not {name for name in found if ".kernels." in name}, path
        if package_of(path) == "studies":
            assert {name for name in found if ".player." in name} <= door, path


def test_no_import_cycles() -> None:
    graph = {name_of(path): early_imports(path) & NAMES for path in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def swallows_everything(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches any error at all and does not hand it on."""
    broad = {"Exception", "BaseException"}
    caught = {n.id for n in ast.walk(handler.type or handler) if isinstance(n, ast.Name)}
    last = handler.body[-1]
    hands_on = isinstance(last, ast.Raise) and last.exc is None
    return (handler.type is None or bool(caught & broad)) and not hands_on


HANDED_ON = {
    SOURCE / name
    for name in (
        "kernels/background.py",
        "replay/registry.py",
        "solver/engine/server.py",
        "solver/player/custom_policy.py",
        "solver/player/policy_error.py",
        "solver/player/resolve_policy.py",
        "solver/service/server.py",
        "solver/service/solver_process.py",
        "studies/process_pool.py",
        "web/app.py",
        "web/backfill.py",
        "web/cluster/membership.py",
        "web/database/group_commit.py",
    )
}
"""Where an error goes on to whoever asked: in another process, by a future, or as a typed error;
and to the log, where nobody asked."""


def test_only_the_command_line_catches_everything() -> None:
    for path in set(MODULES) - {SOURCE / "cli" / "main.py"} - HANDED_ON:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ExceptHandler):
                assert not swallows_everything(node), f"{ids(path)}:{node.lineno}"


@pytest.mark.parametrize(
    ("caught", "body", "swallowed"),
    [
        ("except Exception:", "pass", True),
        ("except (KeyError, BaseException):", "x = 1", True),
        ("except:", "pass", True),
        ("except BaseException:", "raise", False),
        ("except OSError:", "pass", False),
    ],
)
def test_what_swallowing_everything_means(caught: str, body: str, swallowed: bool) -> None:
    attempt = ast.parse(f"try:\n  f()\n{caught}\n  {body}").body[0]
    assert isinstance(attempt, ast.Try)
    assert swallows_everything(attempt.handlers[0]) is swallowed


def test_no_file_names_a_machine_or_a_registry() -> None:
    machine = re.compile(r"(?<![\w.$}*~-])/(home|Users|root|work)/\w")
    # Written so that this line is not one of them.
    registry = re.compile(r"py[p]i\.|python[h]osted|https?://\S*/simpl[e]|npmj[s]\.")
    for path in committed():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            where = f"{ids(path)}:{number}: {line.strip()[:80]}"
            assert not machine.search(line), where
            assert not registry.search(line), where


def test_every_system_can_check_the_files_out() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in committed()]
    assert [ascii(name) for name in names if not re.fullmatch(r"[\w./+-]+", name, re.ASCII)] == []


def locked(name: str) -> dict[str, list[str]]:
    """The versions a lock file names, by package; several where systems differ."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE):
        found.setdefault(canonicalize_name(package), []).append(version)
    return found


def asked(name: str) -> list[Requirement]:
    """What pyproject.toml asks of a lock file's set, before anything is resolved."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    lines = list(project["dependencies"])
    for extra in LOCKS[name]:
        lines += project["optional-dependencies"][extra]
    lines += groups["build"] + (groups["test"] if name == "test" else [])
    return [Requirement(line) for line in lines if isinstance(line, str)]


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_what_the_project_asks(name: str) -> None:
    versions = locked(name)
    for wish in asked(name):
        kept = versions[canonicalize_name(wish.name)]
        assert all(wish.specifier.contains(Version(version)) for version in kept), wish


def test_the_test_lock_plays_the_same_game() -> None:
    play, tested = locked("play"), locked("test")
    assert play.items() <= tested.items()


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) >= len(locked(name)) > 0
    assert all("--hash=sha256:" in entry for entry in entries)


def test_version_is_the_changelogs_first() -> None:
    released = re.findall(
        r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert demine.__version__ == released[0]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """What lies in the source archive and in the wheel, as paths."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"]
    subprocess.run([*command, "-d", str(folder)], cwd=ROOT, capture_output=True, check=True)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    with tarfile.open(source) as tar, zipfile.ZipFile(wheel) as packed:
        inside = {name.partition("/")[2] for name in tar.getnames()}
        return inside, set(packed.namelist())


def test_the_source_archive_is_the_whole_repository(archives: tuple[set[str], set[str]]) -> None:
    assert {ids(path) for path in committed()} - archives[0] == set()


def test_the_wheel_is_the_game_and_nothing_else(archives: tuple[set[str], set[str]]) -> None:
    wheel = archives[1]
    assert all(name.startswith((f"demine-{demine.__version__}.", "demine/")) for name in wheel)
    assert {ids(path).removeprefix("src/") for path in MODULES} <= wheel
    beside = {name for name in wheel if name.startswith("demine/") and not name.endswith(".py")}
    assert beside >= {
        "demine/py.typed",
        "demine/locale/zh_CN/LC_MESSAGES/demine.mo",
        "demine/picture/icon.svg",
        "demine/picture/fonts/NotoSansSC-demine.otf",
        "demine/picture/fonts/OFL.txt",
    }
    assert not [name for name in beside if name.endswith((".po", ".pot", ".pyc"))]
