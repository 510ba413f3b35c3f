"""Import a policy of one's own by `module:name`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any, Final

from demine.solver.player.policy_error import PolicyError

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
    return PolicyError(
        "{policy}: there is no module {module}, neither in the current folder nor installed",
        policy=text[:_SHOWN],
        module=missing[:_SHOWN],
    ).suggesting(last, _module_names_in(package), inside=f"{package}." if package else "")


def _module_names_in(package: str) -> list[str]:
    """Return the names of the modules in a package, or with "" of those that can be imported."""
    path = None
    if package:
        path = getattr(importlib.import_module(package), "__path__", ())
    return [module.name for module in pkgutil.iter_modules(path)]


def _missing_attribute(text: str, owner: str, name: str, found: object) -> PolicyError:
    public = [each for each, value in inspect.getmembers(found, callable) if each[0] != "_"]
    params = {"policy": text[:_SHOWN], "owner": owner[:_SHOWN], "name": name[:_SHOWN]}
    return PolicyError("{policy}: {owner} has no {name}", **params).suggesting(name, public)
