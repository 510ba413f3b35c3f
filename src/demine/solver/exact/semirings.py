"""The semirings of the dynamic programme: exact integers, scaled floats, and sets of counts.

`demine.solver.exact.dynamic_program.Semiring` says what their methods do. To combine components
each also multiplies whole polynomials (`convolve`) and applies the transpose of that to weights
(`carry_weights_back`: `out[j] = sum of weights[j + i] * polynomial[i]`).
"""

from __future__ import annotations

from math import comb, frexp, ldexp
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

LONG_POLYNOMIAL: Final = 48
"""From this many terms on one product of long integers is faster than many of short ones."""
DECIMAL_BITS: Final = 1 << 21
"""From this many bits on `decimal` multiplies faster than `int`, conversions included."""
MIN_SUM_SCALE: Final = -300
"""A sum smaller than its scale by this power of two may have lost terms to underflow."""
POWERS_PER_BLOCK: Final = 512
"""So many powers of a number in [0.5, 1) stay far from underflow."""
MIN_CARRIED_SCALE: Final = -30
"""The power of two by which weights may shrink at each product. At most 17 products follow each
other, so what underflowed is below 2 ** -512, and stays far below `MIN_SUM_SCALE`."""


class Underflow(Exception):
    """Floats would lose digits of this position, so exact integers have to be used."""


class IntegerPolynomials:
    """Polynomials with integer coefficients, each one packed into an integer of `width`-bit fields.

    Values from the end are polynomials as well, and the weights of the rest of the board are
    applied to masses only, so the fields stay small.
    """

    one = 1

    def __init__(self, width: int) -> None:
        # Rounded up to whole bytes, so that fields are slices of bytes.
        self._bytes = (width + 7) // 8
        self._width = 8 * self._bytes

    def add(self, left: int, right: int) -> int:
        """Return the sum of two polynomials."""
        return left + right

    def extend(self, value: int, ways: int, mines: int) -> int:
        """Return `value * ways * x**mines`."""
        return value * ways << self._width * mines

    extend_backwards = extend

    def multiply_ends(self, value: int, rest: int) -> int:
        """Return the product: the polynomial of all layouts that go through a state."""
        return value * rest

    def sum_masses(self, masses: Sequence[int]) -> int:
        """Return the sum of polynomials."""
        return sum(masses)

    def coefficients(self, value: int) -> list[int]:
        """Return the coefficients of a packed polynomial, the lowest power first."""
        size = self._bytes
        count = -(-value.bit_length() // self._width)
        data = value.to_bytes(count * size, "little")
        return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]

    @staticmethod
    def convolve(left: Sequence[int], right: Sequence[int]) -> list[int]:
        """Multiply two polynomials, packed into integers whose fields are wide enough."""
        width = max(left).bit_length() + max(right).bit_length()
        width += min(len(left), len(right)).bit_length()
        if width * (len(left) + len(right)) > DECIMAL_BITS:
            return _decimal_product(left, right, width)
        ring = IntegerPolynomials(width)
        product = ring.coefficients(ring.pack(left) * ring.pack(right))
        return product + [0] * (len(left) + len(right) - 1 - len(product))

    def pack(self, coefficients: Sequence[int]) -> int:
        """Pack coefficients, the lowest power first, into the fields of an integer."""
        size = self._bytes
        return int.from_bytes(b"".join(c.to_bytes(size, "little") for c in coefficients), "little")

    @staticmethod
    def carry_weights_back(weights: Sequence[int], polynomial: Sequence[int]) -> list[int]:
        """Return `out[j] = sum of weights[j + i] * polynomial[i]`."""
        size = len(polynomial)
        if size > LONG_POLYNOMIAL and any(weights):
            # These are the middle coefficients of the product with the reversed polynomial.
            return IntegerPolynomials.convolve(weights, polynomial[::-1])[size - 1 : len(weights)]
        return [
            sum(map(mul, polynomial, weights[at : at + size]))
            for at in range(len(weights) - size + 1)
        ]


def _decimal_product(left: Sequence[int], right: Sequence[int], width: int) -> list[int]:
    """Multiply two polynomials; `width` bits are enough for each coefficient of the product.

    `decimal` multiplies long numbers by number-theoretic transforms, `int` by Karatsuba.
    """
    # It takes some milliseconds to import, and hardly any board needs it.
    from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

    digits = width * 30103 // 100_000 + 2
    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)

    def whole(coefficients: Sequence[int]) -> Decimal:
        return Decimal("".join(f"{Decimal(one)!s:0>{digits}}" for one in reversed(coefficients)))

    size = len(left) + len(right) - 1
    text = f"{exact.multiply(whole(left), whole(right))!s:0>{size * digits}}"
    # Converted by `Decimal`, because `int` limits how many digits a text may have.
    fields = (text[at : at + digits] for at in range(0, size * digits, digits))
    return [int(Decimal(field)) for field in fields][::-1]


class PossibleCounts:
    """Sets of counts of mines, as integers: bit `n` says whether `n` mines are possible."""

    one = 1

    def add(self, left: int, right: int) -> int:
        """Return the union of two sets."""
        return left | right

    def extend(self, value: int, ways: int, mines: int) -> int:  # noqa: ARG002
        """Return the set with each count raised by `mines`."""
        return value << mines

    def extend_backwards(self, value: int, ways: int, mines: int) -> int:  # noqa: ARG002
        """Return the set with each count lowered by `mines`; negative ones are dropped."""
        return value >> mines

    def multiply_ends(self, value: int, rest: int) -> bool:
        """Return whether the two sets have a count in common."""
        return bool(value & rest)

    def sum_masses(self, masses: Sequence[bool]) -> bool:
        """Return whether any of them is True."""
        return any(masses)

    @staticmethod
    def convolve(left: int, right: int) -> int:
        """Return all sums of a count of one set and a count of the other."""
        few, many = sorted((left, right), key=int.bit_count)
        total = 0
        for at in bit_positions(few):
            total |= many << at
        return total

    @staticmethod
    def carry_weights_back(weights: int, polynomial: int) -> int:
        """Return all counts that together with a count of `polynomial` make one of `weights`."""
        total = 0
        for at in bit_positions(polynomial):
            total |= weights >> at
        return total


def bit_positions(value: int) -> list[int]:
    """Return the positions of the set bits of an integer, the lowest first."""
    return [at for at, bit in enumerate(reversed(bin(value))) if bit == "1"]


class ScaledPolynomial(NamedTuple):
    """`2 ** scale` times a polynomial whose greatest coefficient is in [0.5, 1).

    `terms[i]` is the coefficient of the power `low + i`.
    """

    low: int
    scale: int
    terms: Floats


class ScaledNumber(NamedTuple):
    """`value * 2 ** scale`; no term of the sum had a larger scale."""

    value: float
    scale: int


def normalised(low: int, scale: int, terms: Floats) -> ScaledPolynomial:
    """Return the same polynomial with its greatest coefficient in [0.5, 1)."""
    shift = frexp(float(terms.max()))[1]
    return ScaledPolynomial(low, scale + shift, np.ldexp(terms, -shift))


class FloatPolynomials:
    """Polynomials in float64; all sums are of positive terms, so no digits are cancelled.

    Each value has its own power of two as a scale. Each mine has the weight `2 ** tilt`, about the
    odds of a mine, so that the coefficients that matter are of similar size; a power of two needs
    no rounding. `checked_mass` notices if terms may have been lost to underflow.
    """

    one = ScaledPolynomial(0, 1, np.array([0.5]))

    def __init__(self, tilt: int) -> None:
        self.tilt = tilt

    def add(self, left: ScaledPolynomial, right: ScaledPolynomial) -> ScaledPolynomial:
        """Return the sum of two polynomials."""
        low = min(left.low, right.low)
        high = max(left.low + left.terms.size, right.low + right.terms.size)
        scale = max(left.scale, right.scale)
        terms = np.zeros(high - low)
        for part in (left, right):
            at = part.low - low
            terms[at : at + part.terms.size] += np.ldexp(part.terms, part.scale - scale)
        return normalised(low, scale, terms)

    def extend(self, value: ScaledPolynomial, ways: int, mines: int) -> ScaledPolynomial:
        """Return `value * ways * x**mines`, with the weight of the mines."""
        return self._extended(value, ways, mines, mines)

    def extend_backwards(self, value: ScaledPolynomial, ways: int, mines: int) -> ScaledPolynomial:
        """Return `value * ways / x**mines`, with the weight of the mines."""
        return self._extended(value, ways, mines, -mines)

    def _extended(
        self, value: ScaledPolynomial, ways: int, mines: int, step: int
    ) -> ScaledPolynomial:
        low, scale = value.low + step, value.scale + self.tilt * mines
        return (
            ScaledPolynomial(low, scale, value.terms)
            if ways == 1
            else normalised(low, scale, value.terms * ways)
        )

    def multiply_ends(self, value: ScaledPolynomial, rest: ScaledPolynomial) -> ScaledNumber:
        """Return the sum of products over all counts of mines."""
        low = max(value.low, rest.low)
        high = min(value.low + value.terms.size, rest.low + rest.terms.size)
        scale = value.scale + rest.scale
        if low >= high:
            return ScaledNumber(0.0, scale)
        first = value.terms[low - value.low : high - value.low]
        return ScaledNumber(float(first @ rest.terms[low - rest.low : high - rest.low]), scale)

    def sum_masses(self, masses: Sequence[ScaledNumber]) -> ScaledNumber:
        """Return the sum of numbers."""
        scale = max((mass.scale for mass in masses), default=0)
        return ScaledNumber(sum(ldexp(mass.value, mass.scale - scale) for mass in masses), scale)

    @staticmethod
    def checked_mass(mass: ScaledNumber) -> ScaledNumber:
        """Return the mass unchanged; raises `Underflow` if it may have lost terms.

        Above `2 ** MIN_SUM_SCALE` of its scale, lost terms are below its last digit.
        """
        if mass.value < ldexp(1.0, MIN_SUM_SCALE):
            raise Underflow
        return mass

    @staticmethod
    def convolve(left: Floats, right: Floats) -> Floats:
        """Return a power of two times the product of two polynomials."""
        return normalised(0, 0, np.convolve(left, right)).terms

    @staticmethod
    def carry_weights_back(weights: Floats, polynomial: Floats) -> Floats:
        """Return a power of two times `out[j] = sum of weights[j + i] * polynomial[i]`."""
        carried = np.correlate(weights, polynomial, "valid")
        if carried.max() < ldexp(1.0, MIN_CARRIED_SCALE):
            raise Underflow
        return normalised(0, 0, carried).terms


def sea_weights(cells: int, mines_left: int, size: int) -> list[int]:
    """Return in how many ways the sea holds the rest if the frontier has 0 to `size - 1` mines."""
    weights = []
    ways = -1
    for used in range(size):
        rest = mines_left - used
        if not 0 <= rest <= cells:
            weights.append(0)
            continue
        # Each binomial follows from the one before, exactly, which is faster than `comb`.
        ways = comb(cells, rest) if ways < 0 else ways * (rest + 1) // (cells - rest)
        weights.append(ways)
    return weights


def sea_weights_as_floats(weights: Sequence[int], tilt: int, mine_weight: float) -> Floats:
    """Return a power of two times `weights[n] / (2 ** tilt * mine_weight) ** n`.

    This cancels the weight that each mine of the frontier was given.
    """
    lengths = [max(weight.bit_length() - 64, 0) for weight in weights]
    parts = [frexp(weight >> length) for weight, length in zip(weights, lengths, strict=True)]
    fractions = np.array([fraction for fraction, _ in parts])
    scales = np.array([scale for _, scale in parts]) + np.array(lengths)
    powers, more = _powers_with_scales(mine_weight, len(weights))
    return _with_common_scale(fractions / powers, scales - more - tilt * np.arange(len(weights)))


def weighed_by_mines(terms: Floats, mine_weight: float) -> Floats:
    """Return a power of two times `terms[n] * mine_weight ** n`."""
    powers, scales = _powers_with_scales(mine_weight, terms.size)
    return _with_common_scale(terms * powers, scales)


def _powers_with_scales(base: float, size: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return the powers 0 to `size - 1` of a number as fractions and exponents of two.

    They are made block by block, so that rounding errors do not add up from each power to the next.
    """
    fraction, exponent = frexp(base)
    inner, scales = np.frexp(fraction ** np.arange(POWERS_PER_BLOCK))
    fractions = np.empty((-(-size // POWERS_PER_BLOCK), POWERS_PER_BLOCK))
    exponents = np.empty(fractions.shape, np.int64)
    step, step_scale = frexp(float(inner[-1]) * fraction)
    at, at_scale = 1.0, 0
    for block in range(fractions.shape[0]):
        fractions[block] = inner * at
        exponents[block] = scales + at_scale
        at, shift = frexp(at * step)
        at_scale += shift + step_scale + int(scales[-1])
    powers = np.arange(size)
    return fractions.reshape(-1)[:size], exponents.reshape(-1)[:size] + exponent * powers


def _with_common_scale(fractions: Floats, scales: NDArray[np.int64]) -> Floats:
    """Return a power of two times `fractions * 2 ** scales`, chosen so that the greatest fits."""
    fractions, more = np.frexp(fractions)
    scales = scales + more
    # Far smaller numbers become 0; their exponents must not exceed the range of `ldexp`.
    below = np.maximum(scales - scales[fractions > 0].max(), -2000)
    numbers: Floats = np.ldexp(fractions, np.minimum(below, 0).astype(np.int32))
    return numbers
