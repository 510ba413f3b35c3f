"""What tells a policy of one's own from others: a name, and the version of its code."""

from __future__ import annotations

import functools
import inspect
import sys
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAME_LENGTH: Final = 120
_VERSION_LENGTH: Final = 80
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))


def policy_name(given: object) -> str:
    """Return the name of a policy: `module:qualname`.

    Of an object that writes its own `repr`, as dataclasses do, that takes the place of the class's
    name; a `functools.partial` is its function and arguments.
    """
    name = f"{_module_name(given)}:{_qualified_name(given)}"
    return " ".join(name.split())[:_NAME_LENGTH]


def policy_version(given: object) -> str | None:
    """Return the version of a policy: its attribute `version`, else a digest of its source.

    The source is that of the function or class and of all functions, classes and plain constants
    of the same module that it uses, directly or through them. What other modules, files or the
    object itself hold is not in it. None if the source cannot be read.
    """
    stated = getattr(given, "version", None)
    if stated is not None:
        return str(stated)[:_VERSION_LENGTH]
    parts = _source_parts(given)
    if parts is None:
        return None
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def home_module(given: object) -> str:
    """Return the name of the module in which a policy, or the class of an object, is defined."""
    return str(getattr(_definition(given), "__module__", None) or "__main__")


def is_local(given: object) -> bool:
    """Return whether a policy is a lambda or defined in a function, so that no import finds it."""
    return "<" in str(getattr(_definition(given), "__qualname__", ""))


def _definition(given: object) -> Any:  # noqa: ANN401 - a function or a class
    """Return the function or class that a policy is made of."""
    if isinstance(given, functools.partial):
        return _definition(given.func)
    if isinstance(given, MethodType):
        return _definition(given.__self__)
    if isinstance(given, type) or hasattr(given, "__qualname__"):
        return given
    return type(given)


def _module_name(given: object) -> str:
    name = home_module(given)
    if name not in {"__main__", "__mp_main__"}:
        return name
    # The name under which other programs would import it.
    main: Any = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    file = getattr(main, "__file__", None)
    return str(spec.name) if spec is not None else Path(file).stem if file else "__main__"


def _qualified_name(given: object) -> str:
    if isinstance(given, functools.partial):
        arguments = [repr(each) for each in given.args]
        arguments += [f"{name}={value!r}" for name, value in given.keywords.items()]
        return f"{_qualified_name(given.func)}({', '.join(arguments)})"
    if isinstance(given, MethodType):
        return f"{_qualified_name(given.__self__)}.{given.__name__}"
    if isinstance(given, type) or hasattr(given, "__qualname__"):
        return str(given.__qualname__)
    written = repr(given)
    return type(given).__qualname__ if " at 0x" in written else written


def _source_parts(given: object) -> list[str] | None:
    """Return the source of everything that a policy uses of its module, in a fixed order."""
    first = _definition(given)
    parts: dict[str, str] = {}
    waiting = [first]
    if isinstance(given, MethodType):
        waiting.append(given.__func__)
    while waiting:
        each = waiting.pop()
        key = f"{each.__module__}:{each.__qualname__}"
        if key in parts:
            continue
        try:
            parts[key] = inspect.getsource(each)
        except (OSError, TypeError):
            return None
        module = sys.modules.get(each.__module__)
        for name, value in _values_used(each, module):
            if _is_plain(value):
                parts[f"{name} ="] = repr(value)
            elif _is_defined_in(value, module):
                waiting.append(value)
    return [f"{source}" for _, source in sorted(parts.items())]


def _values_used(each: Any, module: ModuleType | None) -> Iterator[tuple[str, object]]:  # noqa: ANN401
    """Yield the names and values of the module, or of a closure, that a definition uses."""
    known = vars(module) if module is not None else {}
    for function in _functions_of(each):
        for name in _names_in(function.__code__):
            if name in known:
                yield name, known[name]
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            try:
                yield name, cell.cell_contents
            except ValueError:  # an empty cell
                continue
    if isinstance(each, type):
        for base in each.__mro__[1:]:
            yield base.__qualname__, base


def _functions_of(each: Any) -> Iterator[FunctionType]:  # noqa: ANN401
    values: Iterable[object] = vars(each).values() if isinstance(each, type) else (each,)
    for value in values:
        raw = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        function = inspect.unwrap(raw) if callable(raw) else None
        if isinstance(function, FunctionType):
            yield function


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN)


def _is_defined_in(value: object, module: ModuleType | None) -> bool:
    return (
        module is not None
        and callable(value)
        and hasattr(value, "__qualname__")
        and getattr(value, "__module__", None) == module.__name__
    )
