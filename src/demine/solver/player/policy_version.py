"""What tells a policy of one's own from others: a name, and the version of its code."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME_LENGTH: Final = 120
_VERSION_LENGTH: Final = 80
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))


def policy_name(policy: object) -> str:
    """Return the name of a policy: `module:qualname`.

    Of an object that writes its own `repr`, as dataclasses do, that takes the place of the class's
    name; a `functools.partial` is its function and arguments.
    """
    return " ".join(f"{_module_name(policy)}:{_qualified_name(policy)}".split())[:_NAME_LENGTH]


def policy_version(policy: object) -> str | None:
    """Return the version of a policy: its attribute `version`, else a digest of its source.

    The source is that of the function or class and of all functions, classes and plain constants
    of the same module that it uses, directly or through them. What other modules, files or the
    object itself hold is not in it. None if the source cannot be read.
    """
    stated = getattr(policy, "version", None)
    if stated is not None:
        return str(stated)[:_VERSION_LENGTH]
    try:
        source = "\0".join(_source_parts(policy))
    except (OSError, TypeError):
        return None
    from hashlib import sha256  # loads OpenSSL

    return sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_importable(policy: object) -> bool:
    """Return whether other processes can import a policy, or the class of an object, by its name.

    They cannot if it is a lambda, defined in a function, or of the main program or notebook.
    """
    made_of = _definition(policy)
    return _module(made_of) != "__main__" and "<" not in getattr(made_of, "__qualname__", "")


def _definition(given: object) -> Any:  # noqa: ANN401 - a function or a class
    """Return the function or class that a policy is made of."""
    if isinstance(given, functools.partial):
        return _definition(given.func)
    if isinstance(given, MethodType):
        return _definition(given.__self__)
    return given if isinstance(given, type) or hasattr(given, "__qualname__") else type(given)


def _module(definition: object) -> str:
    return str(getattr(definition, "__module__", None) or "__main__")


def _module_name(given: object) -> str:
    name = _module(_definition(given))
    if name not in {"__main__", "__mp_main__"}:
        return name
    # The name under which other programs would import it.
    main: Any = sys.modules.get("__main__")
    spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    return str(spec.name) if spec is not None else Path(file).stem if file else "__main__"


def _qualified_name(given: object) -> str:
    if isinstance(given, functools.partial):
        arguments = [repr(each) for each in given.args]
        arguments += [f"{name}={value!r}" for name, value in given.keywords.items()]
        return f"{_qualified_name(given.func)}({', '.join(arguments)})"
    if isinstance(given, MethodType):
        return f"{_qualified_name(given.__self__)}.{given.__name__}"
    made_of = _definition(given)
    own_repr = made_of is not given and " at 0x" not in repr(given)
    return repr(given) if own_repr else str(made_of.__qualname__)


def _source_parts(given: object) -> list[str]:
    """Return the source of everything that a policy uses of its module, in a fixed order.

    Raises OSError or TypeError if that cannot be read.
    """
    parts: dict[str, str] = {}
    waiting = [_definition(given), *([given.__func__] if isinstance(given, MethodType) else ())]
    while waiting:
        each = waiting.pop()
        module = _module(each)
        key = f"{module}:{each.__qualname__}"
        if key in parts:
            continue
        parts[key] = inspect.getsource(each)
        for name, value in _values_used(each):
            if _is_plain(value):
                parts[f"{name} ="] = repr(value)
            elif callable(value) and hasattr(value, "__qualname__") and _module(value) == module:
                waiting.append(value)
    return [source for _, source in sorted(parts.items())]


def _values_used(each: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401
    """Yield the names and values of the module, or of a closure, that a definition uses."""
    module = sys.modules.get(_module(each))
    known = {} if module is None else vars(module)
    for function in _functions_of(each):
        code = function.__code__
        yield from ((name, known[name]) for name in _names_in(code) if name in known)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # an empty cell
                yield name, cell.cell_contents
    if isinstance(each, type):
        yield from ((base.__qualname__, base) for base in each.__mro__[1:])


def _functions_of(each: Any) -> Iterator[FunctionType]:  # noqa: ANN401
    for value in vars(each).values() if isinstance(each, type) else (each,):
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
