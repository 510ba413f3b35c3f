"""How colours are told apart: CIEDE2000 and colour-vision deficiency after Machado et al. 2009.

Kept beside the tests: the game itself needs neither, they only judge its palettes.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

RGB = tuple[int, int, int]
Lab = tuple[float, float, float]
Matrix = tuple[tuple[float, float, float], ...]

# Severity 1.0 matrices of Machado, Oliveira and Fernandes (2009), for linear RGB.
DEFICIENCIES: dict[str, Matrix] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: RGB) -> tuple[float, float, float]:
    """sRGB bytes as linear light, 0..1."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    )
    return red, green, blue


def seen(colour: RGB, deficiency: str) -> tuple[float, float, float]:
    """The colour in linear light as somebody with the deficiency sees it."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light, strict=True))))
        for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


def lab(light: tuple[float, float, float]) -> Lab:
    """Linear sRGB to CIELAB under D65."""
    red, green, blue = light
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def ciede2000(one: Lab, two: Lab) -> float:
    """The CIEDE2000 difference, after Sharma, Wu and Dalal (2005)."""
    mean_c = (hypot(one[1], one[2]) + hypot(two[1], two[2])) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25.0**7)))
    a1, a2 = one[1] * stretch, two[1] * stretch
    c1, c2 = hypot(a1, one[2]), hypot(a2, two[2])
    h1, h2 = degrees(atan2(one[2], a1)) % 360, degrees(atan2(two[2], a2)) % 360
    turn = h2 - h1
    if c1 * c2 == 0:
        turn = 0.0
    elif abs(turn) > 180:
        turn -= 360 if turn > 0 else -360
    hue = h1 + h2
    if c1 * c2 != 0:
        hue = hue / 2 if abs(h1 - h2) <= 180 else (hue + 360 if hue < 360 else hue - 360) / 2
    light, chroma = (one[0] + two[0]) / 2, (c1 + c2) / 2
    tone = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    weight_l = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    weight_c, weight_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * tone
    swing = 30 * exp(-(((hue - 275) / 25) ** 2))
    twist = -sin(radians(2 * swing)) * 2 * sqrt(chroma**7 / (chroma**7 + 25.0**7))
    dl = (two[0] - one[0]) / weight_l
    dc = (c2 - c1) / weight_c
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / weight_h
    return sqrt(dl * dl + dc * dc + dh * dh + twist * dc * dh)


def nearest(colours: Iterable[RGB], deficiency: str) -> float:
    """The smallest CIEDE2000 difference between any two of the colours."""
    labs = [lab(seen(colour, deficiency)) for colour in colours]
    return min(ciede2000(one, two) for one, two in combinations(labs, 2))
