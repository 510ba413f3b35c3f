"""Import a policy of one's own by `module:name`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from demine.solver.player.policy_error import PolicyError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN: Final = 80


def import_policy(text: str) -> object:
    """Return what `module:name` names; both may have dots, as in `package.module:Class.method`.

    Raises `PolicyError` that says which part is missing, and the name most like it. What importing
    the module raises is its cause.
    """
    module_name, _, attribute = text.partition(":")
    if not all(part.isidentifier() for part in [*module_name.split("."), *attribute.split(".")]):
        raise PolicyError("{policy} is not written as module:name", policy=repr(text)[:_SHOWN])
    found: Any = _import_module(text, module_name)
    path = module_name
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:
            raise _missing_attribute(text, path, name, found) from error
        path = f"{path}.{name}"
    return found


def _import_module(text: str, name: str) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name != missing and not name.startswith(f"{missing}."):
            raise _failed_import(text, name, error) from error
        raise _missing_module(text, missing) from error
    except (Exception, SystemExit) as error:
        raise _failed_import(text, name, error) from error


def _failed_import(text: str, module: str, error: BaseException) -> PolicyError:
    return PolicyError(
        "{policy}: importing the module {module} fails: {reason}",
        policy=text[:_SHOWN],
        module=module[:_SHOWN],
        reason=" ".join(f"{type(error).__name__}: {error}".split())[:200],
    )


def _missing_module(text: str, missing: str) -> PolicyError:
    package, _, last = missing.rpartition(".")
    near = nearest_name(last, _module_names_in(package))
    params = {"policy": text[:_SHOWN], "module": missing[:_SHOWN]}
    if near is None:
        return PolicyError(
            "{policy}: there is no module {module}, neither in the current folder nor installed",
            **params,
        )
    near = f"{package}.{near}" if package else near
    return PolicyError(
        "{policy}: there is no module {module}; did you mean {near}?", **params, near=near
    )


def _module_names_in(package: str) -> list[str]:
    """Return the names of the modules in a package, or with "" of those that can be imported."""
    path = None
    if package:
        path = getattr(importlib.import_module(package), "__path__", ())
    return [module.name for module in pkgutil.iter_modules(path)]


def _missing_attribute(text: str, owner: str, name: str, found: object) -> PolicyError:
    public = [each for each, value in inspect.getmembers(found, callable) if each[0] != "_"]
    near = nearest_name(name, public)
    params = {"policy": text[:_SHOWN], "owner": owner[:_SHOWN], "name": name[:_SHOWN]}
    if near is None:
        return PolicyError("{policy}: {owner} has no {name}", **params)
    return PolicyError("{policy}: {owner} has no {name}; did you mean {near}?", **params, near=near)


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the name that is most like a mistyped one, or None."""
    # What is too long to be typed by mistake is not compared, which would take long.
    return next(iter(get_close_matches(name, known, 1)), None) if len(name) <= _SHOWN else None
