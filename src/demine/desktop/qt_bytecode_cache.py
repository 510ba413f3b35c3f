"""Imports Qt's Python bindings without compiling their Python files at every start.

These files are in an archive inside a library, so Python caches no bytecode of them, and compiling
them takes as long as loading all the rest of Qt. Their bytecode is cached beside that of this
module, by a hash of their source, and `compile` is replaced while they are imported. The file that
generates stubs for editors is compiled only when it is used.

The bindings also replace `__import__`, so that a module can write `from __feature__ import ...`.
Nothing here does, and theirs reads the source of every module that is imported afterwards: Python's
own is put back.
"""

from __future__ import annotations

import builtins
import marshal
import os
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

_SUPPORT: Final = ("signature_bootstrap.py", "shibokensupport/")
_STUBS: Final = "shibokensupport/signature/lib/pyi_generator.py"
_LATER: Final = """
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    del globals()["__getattr__"]
    exec(compile({source!r}, {filename!r}, "exec"), globals())
    return globals()[name]
"""


def import_qt_bindings() -> None:
    """Import `shiboken6` with cached bytecode; raises `ImportError` if it does not load."""
    if "shiboken6" in sys.modules:
        return
    kept = CodeCache(Path(cache_from_source(__file__)).with_suffix(".qt"))
    plain_compile, plain_import = builtins.compile, builtins.__import__
    builtins.compile = kept.compile  # type: ignore[assignment]
    try:
        import shiboken6  # noqa: F401
    finally:
        builtins.compile, builtins.__import__ = plain_compile, plain_import
    kept.save()


class CodeCache:
    """The bytecode of the bindings' own files, cached in a file by the hash of their source."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._compile: Callable[..., CodeType] = builtins.compile
        self._found = self._read()
        self._used: dict[bytes, CodeType] = {}

    def _read(self) -> dict[bytes, CodeType]:
        with suppress(OSError, ValueError, EOFError, TypeError):
            content = self._path.read_bytes()
            if content.startswith(MAGIC_NUMBER):
                # As trusted as the bytecode files beside it.
                return dict(marshal.loads(content[len(MAGIC_NUMBER) :]))  # noqa: S302
        return {}

    def compile(
        self, source: str | bytes, filename: str, mode: str, *rest: object, **more: object
    ) -> CodeType:
        """Do what `compile` does, with cached code for the bindings' own files."""
        if rest or more or not str(filename).startswith(_SUPPORT):
            return self._compile(source, filename, mode, *rest, **more)
        text = source if isinstance(source, bytes) else str(source).encode()
        key = source_hash(text)
        if key in self._found:
            self._used[key] = self._found[key]
            return self._used[key]
        if filename == _STUBS:
            source = _LATER.format(source=text, filename=filename)
        self._used[key] = self._compile(source, filename, mode)
        return self._used[key]

    def save(self) -> None:
        """Write the used code to the file, if any is new and Python may write bytecode."""
        if self._used.keys() <= self._found.keys() or sys.dont_write_bytecode:
            return
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            draft.write_bytes(MAGIC_NUMBER + marshal.dumps(self._used))
            draft.replace(self._path)
