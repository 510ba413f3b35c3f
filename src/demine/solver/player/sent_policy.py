"""A policy of one's own as bytes, for worker processes and other machines."""

from __future__ import annotations

import pickle
from typing import NamedTuple

from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_identity import home_module, is_local


class SentPolicy(NamedTuple):
    """A pickled policy; `by_value` if its code is inside, so that the worker need not import it."""

    data: bytes
    by_value: bool


def pack_policy(given: object, name: str) -> SentPolicy:
    """Return a policy as bytes; raises `PolicyError` if it cannot be sent.

    What a worker can import is sent by its name. Functions and classes of the main program or
    notebook, lambdas and functions made by others are sent with their code if `cloudpickle` is
    installed, which comes with Dask.
    """
    if home_module(given) == "__main__" or is_local(given):
        data = _pickled_with_code(given, name)
        if data is not None:
            return SentPolicy(data, by_value=True)
    try:
        return SentPolicy(pickle.dumps(given), by_value=False)
    except Exception as error:
        raise _not_sendable(name, error) from error


def unpack_policy(sent: SentPolicy, name: str) -> object:
    """Return the policy of `pack_policy` in a worker; raises `PolicyError` if that fails."""
    try:
        return pickle.loads(sent.data)  # noqa: S301 - from the process that plays the study
    except Exception as error:
        raise PolicyError(
            "a worker cannot load {policy}: {reason}; its module has to be where workers can "
            "import it",
            policy=name,
            reason=_reason(error),
        ) from error


def _pickled_with_code(given: object, name: str) -> bytes | None:
    """Return a policy pickled with its code; None without `cloudpickle`."""
    try:
        import cloudpickle
    except ImportError:
        return None
    try:
        data: bytes = cloudpickle.dumps(given)
    except Exception as error:
        raise _not_sendable(name, error) from error
    return data


def _not_sendable(name: str, error: Exception) -> PolicyError:
    return PolicyError(
        "{policy} cannot be sent to other processes ({reason}): define it at the top level of a "
        "module, give a class that each worker makes for itself, or play without workers",
        policy=name,
        reason=_reason(error),
    )


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
