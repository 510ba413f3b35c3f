"""Marks of kernels that are compiled otherwise than the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

K = TypeVar("K", bound="Callable[..., Any]")


def inlined(kernel: K) -> K:
    """Mark a small kernel of a hot loop, which must neither make nor return an array.

    A call takes longer than a few words of work. Such a kernel becomes a part of those that call
    it.
    """
    vars(kernel)["inlined"] = True
    return kernel


def makes_arrays(kernel: K) -> K:
    """Mark a kernel that is called by other kernels only, and makes arrays of its own.

    It counts the references to arrays, as entries do. All others leave that to whoever calls them,
    because counting takes longer than a few words of work.
    """
    vars(kernel)["makes_arrays"] = True
    return kernel
