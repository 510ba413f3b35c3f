"""A small residual network that reads a board of any size and answers a number for each cell.

It is plain JAX: `initial_network` makes the parameters, `cell_values` applies them. Every layer
looks at the eight neighbours of a cell, and every block also at the average over the board, so
nothing in it depends on the height or width of a board. It is made for processors: 32 channels and
batches of a hundred boards are what XLA convolves fastest there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import jax
import jax.numpy as jnp

from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CHANNELS: Final = 32
BLOCKS: Final = 5
PLANES: Final = 13
"""How many planes `input_planes` makes: one for each number, and four more."""
_NUMBERS: Final = Face.EIGHT + 1


class Convolution(NamedTuple):
    """The parameters of one convolution: float32 `(3, 3, inputs, outputs)` and `(outputs,)`."""

    kernel: jax.Array
    bias: jax.Array


class Block(NamedTuple):
    """The parameters of a residual block of two convolutions.

    `pooled`, float32 `(channels, channels)`, leads the average over the board to every cell.
    """

    first: Convolution
    pooled: jax.Array
    second: Convolution


class Network(NamedTuple):
    """The parameters of a network; `head` is float32 `(channels,)`, and `bias` one number."""

    stem: Convolution
    blocks: tuple[Block, ...]
    head: jax.Array
    bias: jax.Array


def initial_network(key: jax.Array, channels: int = CHANNELS, blocks: int = BLOCKS) -> Network:
    """Return random parameters of a network.

    The last convolution of each block and the head begin at zero (H. Zhang et al., "Fixup
    initialization", 2019), so that deep networks learn without normalisation.
    """
    stem, *keys = jax.random.split(key, blocks + 1)
    return Network(
        _convolution(stem, PLANES, channels),
        tuple(_block(each, channels) for each in keys),
        jnp.zeros(channels),
        jnp.zeros(()),
    )


def cell_values(network: Network, faces: ArrayLike, mines: ArrayLike) -> jax.Array:
    """Return a number for each cell, float32 `(boards, height, width)`.

    `faces` is what the players see, integers of `Face` of that shape; `mines` how many each board
    has, one number for all or `(boards,)`.
    """
    values: jax.Array = cell_features(network, faces, mines) @ network.head + network.bias
    return values


def cell_features(network: Network, faces: ArrayLike, mines: ArrayLike) -> jax.Array:
    """Return what the last block says, float32 `(boards, height, width, channels)`.

    `cell_values` is made of it; other heads, such as that of a critic, may be too.
    """
    shown = _convolved(network.stem, input_planes(faces, mines))
    for block in network.blocks:
        shown = shown + _answer(block, shown)
    return jax.nn.relu(shown)


def input_planes(faces: ArrayLike, mines: ArrayLike) -> jax.Array:
    """Return what a network is shown, float32 `(boards, height, width, PLANES)`.

    A plane for each number, one for covered cells (flags are notes, and count as covered), one for
    mines that are shown; one of ones, which ends at the edge of the board; and the share of mines
    among the covered cells.
    """
    seen = jnp.asarray(faces)
    numbers = jax.nn.one_hot(seen, _NUMBERS)
    covered = (seen >= Face.COVERED) & (seen <= Face.QUESTION) | (seen == Face.WRONG)
    met = (seen == Face.MINE) | (seen == Face.BLOWN)
    left = jnp.asarray(mines) - met.sum((1, 2))
    density = left / jnp.maximum(1, covered.sum((1, 2)))
    rest = (
        covered,
        met,
        jnp.ones_like(covered),
        jnp.broadcast_to(density[:, None, None], seen.shape),
    )
    return jnp.concatenate([numbers, jnp.stack(rest, -1).astype(jnp.float32)], -1)


def _block(key: jax.Array, channels: int) -> Block:
    first = _convolution(key, channels, channels)
    zeros = Convolution(jnp.zeros_like(first.kernel), jnp.zeros_like(first.bias))
    return Block(first, jnp.zeros((channels, channels)), zeros)


def _convolution(key: jax.Array, inputs: int, outputs: int) -> Convolution:
    spread = (2 / (9 * inputs)) ** 0.5
    return Convolution(spread * jax.random.normal(key, (3, 3, inputs, outputs)), jnp.zeros(outputs))


def _answer(block: Block, shown: jax.Array) -> jax.Array:
    """Return what a block adds to what it is shown."""
    lit = jax.nn.relu(shown)
    board = lit.mean((1, 2), keepdims=True) @ block.pooled
    return _convolved(block.second, jax.nn.relu(_convolved(block.first, lit) + board))


def _convolved(layer: Convolution, shown: jax.Array) -> jax.Array:
    # Channels last is the order for which XLA has fast convolutions on processors.
    sums = jax.lax.conv_general_dilated(
        shown, layer.kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return sums + layer.bias
