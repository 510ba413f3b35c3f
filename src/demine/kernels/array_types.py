"""Types of the arrays that kernels work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IntArray: TypeAlias = "NDArray[np.int64]"
FloatArray: TypeAlias = "NDArray[np.float64]"
ByteArray: TypeAlias = "NDArray[np.uint8]"
BoolArray: TypeAlias = "NDArray[np.bool_]"
