"""Trees of arrays, such as the parameters of a network, in files of NumPy's format `.npz`."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final, TypeVar

import jax
import numpy as np

from demine.logic.errors import DemineError, quoted
from demine.scene.atomic_file import atomic_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Tree = TypeVar("Tree")
MOST_BYTES: Final = 1 << 30
"""What a file may hold in all; no network of this package comes near it."""
_DAMAGE: Final = (
    ValueError, KeyError, EOFError, MemoryError, NotImplementedError, OverflowError, RuntimeError,
    SyntaxError, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class ParameterFileError(DemineError, ValueError):
    """A file holds no parameters, damaged ones, or those of something else."""


def write_tree(path: Path, tree: Any) -> None:  # noqa: ANN401 - any tree that JAX knows
    """Write the arrays of a tree to a file, under the names of their places in it.

    The file is replaced when all of the new one is on the disk. Raises `OSError`.
    """
    arrays = {name: np.asarray(leaf) for name, leaf in _named(tree).items()}
    with atomic_file(path) as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_tree(path: Path, template: Tree) -> Tree:
    """Return a tree like `template` with the arrays of a file, which may hold more than these.

    Raises `ParameterFileError` if the file is damaged or its arrays have other shapes or types, and
    `OSError` if it cannot be read.
    """
    with path.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                _check_size(archive, path)
                leaves = [
                    _checked(_array(archive, name), leaf, name)
                    for name, leaf in _named(template).items()
                ]
        except _DAMAGE as error:
            if isinstance(error, ParameterFileError):
                raise
            raise _unreadable(path, error) from None
    read: Tree = jax.tree.unflatten(jax.tree.structure(template), leaves)
    return read


def _named(tree: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the leaves of a tree by the names of their places, such as `blocks/0/pooled`."""
    places, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {jax.tree_util.keystr(path, simple=True, separator="/"): leaf for path, leaf in places}


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with archive.open(f"{name}.npy") as entry:
        # NumPy asks for the bytes of the array; at their end comes the checksum of the archive.
        array: NDArray[Any] = np.lib.format.read_array(entry, allow_pickle=False)
        entry.read()
        return array


def _checked(array: NDArray[Any], leaf: Any, name: str) -> NDArray[Any]:  # noqa: ANN401
    wanted = np.asarray(leaf)
    if (array.shape, array.dtype) != (wanted.shape, wanted.dtype):
        raise ValueError(f"{name} is {array.dtype} {array.shape}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} has numbers that are not finite")
    return array


def _check_size(archive: zipfile.ZipFile, path: Path) -> None:
    if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise _unreadable(path, "it is too large")


def _unreadable(path: Path, why: object) -> ParameterFileError:
    return ParameterFileError(
        "{path} does not hold these parameters: {why}", path=str(path), why=quoted(str(why))
    )
