"""The names that a package offers of its modules, each imported when it is first used."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def modules_by_name(names_by_module: Mapping[str, str]) -> dict[str, str]:
    """Return the module of each name; a module's names have spaces between them."""
    return {name: module for module, names in names_by_module.items() for name in names.split()}


def lazy_exports(
    package: str, names_by_module: Mapping[str, str]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that imports names when used.

    `names_by_module` is as for `modules_by_name`. Type checkers do not see this: for them the
    package imports each name as itself.
    """
    own, modules = sys.modules[package], modules_by_name(names_by_module)

    def import_name(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(modules[name]), name)
        setattr(own, name, value)
        return value

    def list_names() -> list[str]:
        return sorted({"__version__"} & vars(own).keys() | modules.keys())

    return sorted(modules), import_name, list_names
