"""The mark of kernels that are compiled into those that call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

K = TypeVar("K", bound="Callable[..., Any]")


def inlined(kernel: K) -> K:
    """Mark a small kernel of a hot loop, which must neither make nor return an array.

    A call counts references to every array that it passes, which takes longer than a few words of
    work. Such a kernel becomes a part of those that call it, and counts nothing.
    """
    vars(kernel)["inlined"] = True
    return kernel
