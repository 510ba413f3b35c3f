"""Qt's bindings, imported with code kept from an earlier start."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path

import pytest

from demine.desktop.qt_bytecode_cache import CodeCache
from tests.table import ROOT

NAME = "shibokensupport/somewhere.py"
SOURCE = b"answer = 6 * 7"


@pytest.fixture(autouse=True)
def _keeps_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def start(folder: Path, after: str = "") -> str:
    """Import Qt in a new process that keeps its bytecode in a folder; return what it prints."""
    program = f"""
import builtins
compiled, plain = [], builtins.compile
def watch(source, filename, *more, **options):
    compiled.append(str(filename))
    return plain(source, filename, *more, **options)
builtins.compile = watch
from demine.desktop import qt_bytecode_cache
qt_bytecode_cache.import_qt_bindings()
builtins.compile = plain
import PySide6.QtCore
print(sum(name.startswith("shibokensupport") for name in compiled))
{after}
"""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONPYCACHEPREFIX": str(folder),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    assert int(start(tmp_path)) > 5
    assert int(start(tmp_path)) == 0


def test_what_waits_is_there_when_it_is_asked_for(tmp_path: Path) -> None:
    ask = """
from PySide6.support.signature.lib import pyi_generator
print("Formatter" in vars(pyi_generator), pyi_generator.Formatter.__name__)
try:
    PySide6.QtCore.QObject().killTimer([])
except TypeError as error:
    print("Supported signatures" in str(error))
"""
    for _ in range(2):
        assert start(tmp_path, ask).splitlines()[1:] == ["False Formatter", "True"]


def test_imports_after_it_are_those_of_python(tmp_path: Path) -> None:
    ask = """
import colorsys, linecache
print(builtins.__import__.__name__, [name for name in linecache.cache if "colorsys" in name])
"""
    assert start(tmp_path, ask).splitlines()[1:] == ["__import__ []"]


def refuse(*_: object) -> None:
    """Compile nothing."""
    raise AssertionError("compiled")


def test_code_is_kept_for_its_text_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CodeCache(tmp_path / "kept")
    first.compile(SOURCE, NAME, "exec")
    first.save()
    monkeypatch.setattr(builtins, "compile", refuse)
    second, found = CodeCache(tmp_path / "kept"), dict[str, object]()
    exec(second.compile(SOURCE, NAME, "exec"), found)
    assert found["answer"] == 42
    with pytest.raises(AssertionError, match="compiled"):
        second.compile(b"answer = 43", NAME, "exec")


def test_python_that_keeps_no_bytecode_keeps_none_of_this(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = CodeCache(tmp_path / "kept")
    kept.compile(SOURCE, NAME, "exec")
    kept.save()
    assert not (tmp_path / "kept").exists()


def test_code_of_an_older_library_goes(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    for source in (b"old = 1", b"new = 2"):
        kept = CodeCache(path)
        kept.compile(source, NAME, "exec")
        kept.save()
    assert b"new" in path.read_bytes()
    assert b"old" not in path.read_bytes()


def test_other_files_are_compiled_as_always(tmp_path: Path) -> None:
    kept = CodeCache(tmp_path / "kept")
    assert kept.compile("6 * 7", "<mine>", "eval").co_filename == "<mine>"
    kept.save()
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"magic", b"magic\xff", b"magici\1\0\0\0"])
def test_what_somebody_else_wrote_is_not_used(tmp_path: Path, content: bytes) -> None:
    from importlib.util import MAGIC_NUMBER

    path = tmp_path / "kept"
    path.write_bytes(content.replace(b"magic", MAGIC_NUMBER))
    found: dict[str, object] = {}
    exec(CodeCache(path).compile(SOURCE, NAME, "exec"), found)
    assert found["answer"] == 42


def test_a_folder_nobody_can_write_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    kept = CodeCache(tmp_path / "file" / "kept")
    kept.compile(SOURCE, NAME, "exec")
    kept.save()
