"""Arithmetic for people who make music boxes.

Lengths are millimetres, pitches are hertz, times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import pi, sqrt

SPEED_OF_SOUND_IN_STEEL = 5_050.0
"""Metres per second along a thin steel bar: the root of stiffness over density."""

_FIRST_MODE = 0.1615
"""A clamped bar of even thickness sounds at this number x speed x thickness / length squared."""


@dataclass(frozen=True)
class Tooth:
    """One steel tooth of a comb, clamped at its root and free at its tip."""

    length: float
    thickness: float

    def pitch(self) -> float:
        """Return the frequency of the tooth, before lead is added or steel is filed away.

        >>> round(Tooth(length=20.0, thickness=0.5).pitch())
        1019
        """
        return _FIRST_MODE * SPEED_OF_SOUND_IN_STEEL * self.thickness / self.length**2 * 1000


@dataclass(frozen=True)
class Pin:
    """One pin of the cylinder: which tooth it plucks, and when in the turn."""

    tooth: int
    time: float


def tooth_length(pitch: float, thickness: float) -> float:
    """Return how long a tooth must be to sound at `pitch`.

    >>> round(tooth_length(440.0, thickness=0.5), 1)
    30.4
    """
    return sqrt(_FIRST_MODE * SPEED_OF_SOUND_IN_STEEL * thickness * 1000 / pitch)


def pin_spacing(diameter: float, turn: float) -> float:
    """Return how far the surface of the cylinder travels in one second.

    >>> round(pin_spacing(diameter=13.0, turn=15.0), 2)
    2.72
    """
    return pi * diameter / turn


def too_close(pins: list[Pin], rest: float = 0.25) -> list[tuple[Pin, Pin]]:
    """Return the pairs of pins that pluck one tooth again before it has come to rest.

    >>> too_close([Pin(3, 0.0), Pin(3, 0.2), Pin(4, 0.3)])
    [(Pin(tooth=3, time=0.0), Pin(tooth=3, time=0.2))]
    """
    ordered = sorted(pins, key=lambda pin: (pin.tooth, pin.time))
    return [
        (first, second)
        for first, second in pairwise(ordered)
        if first.tooth == second.tooth and second.time - first.time < rest
    ]
