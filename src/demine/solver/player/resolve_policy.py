"""Find the policy that is meant: one of demine's by its name, or one of one's own."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from demine.logic.errors import quoted
from demine.solver.player.custom_policy import CustomPolicy, exception_text, supports_batches
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_table import POLICIES, BuiltInPolicy, policy_by_name
from demine.solver.player.policy_version import policy_name

if TYPE_CHECKING:
    from demine.solver.player.policy_types import PolicyLike

ResolvedPolicy: TypeAlias = BuiltInPolicy | CustomPolicy
_SHOWN: Final = 80


def resolve_policy(policy: PolicyLike | ResolvedPolicy) -> ResolvedPolicy:
    """Return the policy that is meant: an entry of `POLICY_TABLE`, or one of one's own.

    Raises `PolicyError` if there is none of that name, or it is neither callable nor has a method
    `choose_batch`.
    """
    if isinstance(policy, BuiltInPolicy | CustomPolicy):
        return policy
    name = policy if isinstance(policy, str) else None
    if name in POLICIES:
        return policy_by_name(name)
    if name is not None and ":" not in name:
        raise unknown_policy(name)
    given = policy if name is None else import_policy(name)
    if not (_can_be_called(given) or supports_batches(given)):
        raise PolicyError(
            "{policy} cannot be asked: a policy is a function policy(scene, rules), or has a "
            "method choose_batch(scenes, rules)",
            policy=name or (policy_name(given) if isinstance(given, type) else quoted(given)),
        )
    return CustomPolicy(given, name)


def _can_be_called(given: object) -> bool:
    """Return whether a policy, or the objects of a class of them, can be called."""
    if isinstance(given, type):
        return any("__call__" in vars(each) for each in given.__mro__)
    return callable(given)


def unknown_policy(name: str) -> PolicyError:
    """Return the error for a name that no policy has, with the name most like it."""
    return PolicyError(
        "there is no policy {policy}: use {choices}, or module:name for one of your own",
        policy=quoted(name),
        choices=", ".join(POLICIES),
    ).with_suggestion(name, POLICIES)


def import_policy(text: str) -> object:
    """Return what `module:name` names; both may have dots, as in `package.module:Class.method`.

    Raises `PolicyError` that says which part is missing, and the name most like it. What importing
    the module raises is its cause.
    """
    module, _, attribute = text.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), *attribute.split(".")]):
        raise PolicyError("{policy} is not written as module:name", policy=repr(text)[:_SHOWN])
    found = _import_module(text, module)
    path = module
    for name in attribute.split("."):
        if not hasattr(found, name):
            public = [each for each, _ in inspect.getmembers(found, callable) if each[0] != "_"]
            raise PolicyError(
                "{policy}: {owner} has no {name}",
                policy=text[:_SHOWN],
                owner=path[:_SHOWN],
                name=name[:_SHOWN],
            ).with_suggestion(name, public)
        found, path = getattr(found, name), f"{path}.{name}"
    return found


def _import_module(text: str, name: str) -> Any:  # noqa: ANN401 - it may have any names
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
        if missing and f"{name}.".startswith(f"{missing}."):
            raise _missing_module(text, missing) from error
        raise PolicyError(
            "{policy}: importing the module {module} fails: {reason}",
            policy=text[:_SHOWN],
            module=name[:_SHOWN],
            reason=exception_text(error),
        ) from error


def _missing_module(text: str, missing: str) -> PolicyError:
    package, _, last = missing.rpartition(".")
    path = getattr(importlib.import_module(package), "__path__", ()) if package else None
    names = [module.name for module in pkgutil.iter_modules(path)]
    if not package:
        # Of all that is installed most are strangers, and some are a little like any word.
        names = [name for name in names if name[:1] == last[:1]]
    return PolicyError(
        "{policy}: there is no module {module}, neither in the current folder nor installed",
        policy=text[:_SHOWN],
        module=missing[:_SHOWN],
    ).with_suggestion(
        last,
        names,
        inside=f"{package}." if package else "",
    )
