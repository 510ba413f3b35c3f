"""Semirings of the dynamic programme: exact integers, scaled floats, and sets of counts.

Each ring also multiplies whole polynomials (`convolve`) and carries weights backwards through one
(`carry_weights_back`: `out[j] = sum of weights[j + i] * polynomial[i]`), which is how components
meet.
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
"""From this many terms on, one product of long integers is faster than many of short ones."""
DECIMAL_BITS: Final = 1 << 21
"""From this many bits on, `decimal` multiplies faster than `int`, conversions included."""
MIN_SUM_SCALE: Final = -300
"""A sum below its scale by this power of two may have lost terms to underflow."""
POWERS_PER_BLOCK: Final = 512
"""How many powers of a number in [0.5, 1) stay far from underflow."""
MIN_CARRIED_SCALE: Final = -30
"""The power of two by which weights may shrink at each product, of which at most 17 follow each
other: what underflowed is then below 2 ** -512, and stays far below `MIN_SUM_SCALE`."""


class Underflow(Exception):
    """Floats cannot hold this position: its answer is for exact integers."""


class IntegerPolynomials:
    """Polynomials with integer coefficients, each polynomial one integer of `width`-bit fields.

    The rest of the board enters only where masses are weighed, so the fields stay small.
    """

    one = 1

    def __init__(self, width: int) -> None:
        # Whole bytes, so that fields are cut out as slices.
        self._bytes = (width + 7) // 8
        self._width = 8 * self._bytes

    def add(self, left: int, right: int) -> int:
        """Either."""
        return left + right

    def extend(self, value: int, ways: int, mines: int) -> int:
        """Both."""
        return value * ways << self._width * mines

    extend_backwards = extend

    def multiply_ends(self, value: int, rest: int) -> int:
        """The polynomial of all layouts that both allow."""
        return value * rest

    def sum_masses(self, masses: Sequence[int]) -> int:
        """The sum."""
        return sum(masses)

    def coefficients(self, value: int) -> list[int]:
        """The coefficients, the lowest power first."""
        size = self._bytes
        count = -(-value.bit_length() // self._width)
        data = value.to_bytes(count * size, "little")
        return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]

    @staticmethod
    def convolve(left: Sequence[int], right: Sequence[int]) -> list[int]:
        """Multiply two polynomials: as two integers whose fields are wide enough."""
        width = max(left).bit_length() + max(right).bit_length()
        width += min(len(left), len(right)).bit_length()
        if width * (len(left) + len(right)) > DECIMAL_BITS:
            return _decimal_product(left, right, width)
        ring = IntegerPolynomials(width)
        product = ring.coefficients(ring.pack(left) * ring.pack(right))
        return product + [0] * (len(left) + len(right) - 1 - len(product))

    def pack(self, coefficients: Sequence[int]) -> int:
        """The integer whose fields are these coefficients."""
        size = self._bytes
        return int.from_bytes(b"".join(c.to_bytes(size, "little") for c in coefficients), "little")

    @staticmethod
    def carry_weights_back(weights: Sequence[int], polynomial: Sequence[int]) -> list[int]:
        """Carry weights backwards through a polynomial."""
        size = len(polynomial)
        if size > LONG_POLYNOMIAL and any(weights):
            # What a product has in its middle, once one of the two is turned round.
            return IntegerPolynomials.convolve(weights, polynomial[::-1])[size - 1 : len(weights)]
        return [
            sum(map(mul, polynomial, weights[at : at + size]))
            for at in range(len(weights) - size + 1)
        ]


def _decimal_product(left: Sequence[int], right: Sequence[int], width: int) -> list[int]:
    """Multiply two polynomials whose product has coefficients of at most so many bits.

    `decimal` multiplies long numbers by number-theoretic transforms, `int` by Karatsuba.
    """
    # It takes some milliseconds to load, and hardly any board needs it.
    from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

    digits = width * 30103 // 100_000 + 2
    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)

    def whole(coefficients: Sequence[int]) -> Decimal:
        return Decimal("".join(f"{Decimal(one)!s:0>{digits}}" for one in reversed(coefficients)))

    size = len(left) + len(right) - 1
    text = f"{exact.multiply(whole(left), whole(right))!s:0>{size * digits}}"
    # By way of `Decimal`: no limit on the digits of a text applies, and none is needed here.
    fields = (text[at : at + digits] for at in range(0, size * digits, digits))
    return [int(Decimal(field)) for field in fields][::-1]


class PossibleCounts:
    """Sets of counts of mines, as the bits of integers: which layouts exist, not how many."""

    one = 1

    def add(self, left: int, right: int) -> int:
        """Either."""
        return left | right

    def extend(self, value: int, ways: int, mines: int) -> int:  # noqa: ARG002
        """Both."""
        return value << mines

    def extend_backwards(self, value: int, ways: int, mines: int) -> int:  # noqa: ARG002
        """Both, from the end."""
        return value >> mines

    def multiply_ends(self, value: int, rest: int) -> bool:
        """Whether there is a count that both allow."""
        return bool(value & rest)

    def sum_masses(self, masses: Sequence[bool]) -> bool:
        """Whether there is any."""
        return any(masses)

    @staticmethod
    def convolve(left: int, right: int) -> int:
        """All sums of a count of one and a count of the other."""
        few, many = sorted((left, right), key=int.bit_count)
        total = 0
        for at in bit_positions(few):
            total |= many << at
        return total

    @staticmethod
    def carry_weights_back(weights: int, polynomial: int) -> int:
        """All counts from which one of the polynomial's leads to one of the weights'."""
        total = 0
        for at in bit_positions(polynomial):
            total |= weights >> at
        return total


def bit_positions(value: int) -> list[int]:
    """The places of an integer's bits."""
    return [at for at, bit in enumerate(reversed(bin(value))) if bit == "1"]


class ScaledPolynomial(NamedTuple):
    """`2 ** scale` times a polynomial whose greatest coefficient is in [0.5, 1).

    `terms[i]` belongs to the power `low + i`.
    """

    low: int
    scale: int
    terms: Floats


class ScaledNumber(NamedTuple):
    """`value * 2 ** scale`; no term that was summed had a scale above `scale`."""

    value: float
    scale: int


def normalised(low: int, scale: int, terms: Floats) -> ScaledPolynomial:
    """Bring the greatest coefficient into [0.5, 1)."""
    shift = frexp(float(terms.max()))[1]
    return ScaledPolynomial(low, scale + shift, np.ldexp(terms, -shift))


class FloatPolynomials:
    """Polynomials in float64. Every sum is of positive terms, so no digit is ever cancelled.

    Each value has a power of two of its own, and each mine is weighed `2 ** tilt`, about the odds
    of a mine, so that the coefficients that matter are near each other. `tilt` being a power of
    two, this costs no rounding. What could underflow all the same is noticed: see
    `without_underflow`.
    """

    one = ScaledPolynomial(0, 1, np.array([0.5]))

    def __init__(self, tilt: int) -> None:
        self.tilt = tilt

    def add(self, left: ScaledPolynomial, right: ScaledPolynomial) -> ScaledPolynomial:
        """Either."""
        low = min(left.low, right.low)
        high = max(left.low + left.terms.size, right.low + right.terms.size)
        scale = max(left.scale, right.scale)
        terms = np.zeros(high - low)
        for part in (left, right):
            at = part.low - low
            terms[at : at + part.terms.size] += np.ldexp(part.terms, part.scale - scale)
        return normalised(low, scale, terms)

    def extend(self, value: ScaledPolynomial, ways: int, mines: int) -> ScaledPolynomial:
        """Both."""
        return self._extended(value, ways, mines, mines)

    def extend_backwards(self, value: ScaledPolynomial, ways: int, mines: int) -> ScaledPolynomial:
        """Both, from the end."""
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
        """The sum over all counts of mines."""
        low = max(value.low, rest.low)
        high = min(value.low + value.terms.size, rest.low + rest.terms.size)
        scale = value.scale + rest.scale
        if low >= high:
            return ScaledNumber(0.0, scale)
        first = value.terms[low - value.low : high - value.low]
        return ScaledNumber(float(first @ rest.terms[low - rest.low : high - rest.low]), scale)

    def sum_masses(self, masses: Sequence[ScaledNumber]) -> ScaledNumber:
        """The sum."""
        scale = max((mass.scale for mass in masses), default=0)
        return ScaledNumber(sum(ldexp(mass.value, mass.scale - scale) for mass in masses), scale)

    @staticmethod
    def without_underflow(mass: ScaledNumber) -> ScaledNumber:
        """Return the mass; raises `Underflow` if it is so small that terms may be lost.

        What float64 dropped is below the last digit of a sum above `2 ** LOST` of its scale.
        """
        if mass.value < ldexp(1.0, MIN_SUM_SCALE):
            raise Underflow
        return mass

    @staticmethod
    def convolve(left: Floats, right: Floats) -> Floats:
        """Multiply two polynomials, up to a power of two."""
        return normalised(0, 0, np.convolve(left, right)).terms

    @staticmethod
    def carry_weights_back(weights: Floats, polynomial: Floats) -> Floats:
        """Carry weights backwards through a polynomial, up to a power of two."""
        carried = np.correlate(weights, polynomial, "valid")
        if carried.max() < ldexp(1.0, MIN_CARRIED_SCALE):
            raise Underflow
        return normalised(0, 0, carried).terms


def sea_weights(cells: int, mines_left: int, size: int) -> list[int]:
    """In how many ways the sea takes what the frontier leaves, for 0 to `size - 1` mines there."""
    weights = []
    ways = -1
    for used in range(size):
        rest = mines_left - used
        if not 0 <= rest <= cells:
            weights.append(0)
            continue
        # From one count to the next exactly, instead of each from the beginning.
        ways = comb(cells, rest) if ways < 0 else ways * (rest + 1) // (cells - rest)
        weights.append(ways)
    return weights


def sea_weights_as_floats(weights: Sequence[int], tilt: int, mine_weight: float) -> Floats:
    """The same as floats, up to a power of two, with the frontier's mines weighed back.

    A mine of the frontier that was weighed `2 ** tilt * lean` is weighed one over that here.
    """
    lengths = [max(weight.bit_length() - 64, 0) for weight in weights]
    parts = [frexp(weight >> length) for weight, length in zip(weights, lengths, strict=True)]
    fractions = np.array([fraction for fraction, _ in parts])
    scales = np.array([scale for _, scale in parts]) + np.array(lengths)
    leaning, more = _powers_with_scales(mine_weight, len(weights))
    return _with_common_scale(fractions / leaning, scales - more - tilt * np.arange(len(weights)))


def weighed_by_mines(terms: Floats, mine_weight: float) -> Floats:
    """Multiply coefficient `n` by `mine_weight ** n`, up to a power of two of the whole."""
    leaning, scales = _powers_with_scales(mine_weight, terms.size)
    return _with_common_scale(terms * leaning, scales)


def _powers_with_scales(base: float, size: int) -> tuple[Floats, NDArray[np.int64]]:
    """The powers 0, 1, ... of a number as fractions and powers of two, each right to some digits.

    By blocks, since each single multiplication would add an error to all powers after it.
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
    """Numbers with a power of two of their own as plain floats, up to one power of two."""
    fractions, more = np.frexp(fractions)
    scales = scales + more
    # What lies far below the greatest is nothing, and must not reach the limits of an exponent.
    below = np.maximum(scales - scales[fractions > 0].max(), -2000)
    numbers: Floats = np.ldexp(fractions, np.minimum(below, 0).astype(np.int32))
    return numbers
