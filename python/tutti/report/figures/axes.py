"""Axes: from values to places, round marks, and how times and ratios are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def time_text(microseconds: float, figures: str = "#.3g") -> str:
    """Three figures with the unit that fits: 0.520 µs, 12.3 µs, 18.2 ms."""
    unit, name = next(((u, n) for u, n in ((1e6, "s"), (1e3, "ms")) if microseconds >= 0.9995 * u), (1, "µs"))
    return f"{format(microseconds / unit, figures).rstrip('.')} {name}"


def ratio_text(ratio: float) -> str:
    """Above 100 in whole numbers: 0.98×, 2.41×, 13.2×, 3500×; what no measurement can tell apart is cut off."""
    if ratio > 9999:
        return "> 9999×"
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.1f}×" if ratio < 100 else f"{ratio:.0f}×"


def share_text(share: float) -> str:
    """A share as per cent: 0 %, 0.012 %, 4.2 %, 100 %."""
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"


@dataclass(frozen=True)
class Scale:
    """An axis from values low..high to places start..end: logarithmic, or not."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = True

    def __call__(self, value: float) -> float:
        """Values beyond the ends come to lie on them."""
        if self.high <= self.low:
            return (self.start + self.end) / 2
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        return (ticks if self.logarithmic else linear_ticks)(self.low, self.high, most)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values from low to high, at most about `most`: decades, or where these are few also values between."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    values: list[float] = []
    for marks in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
        values = [mark * 10.0**decade for decade in range(first, last + 1) for mark in marks]
        values = [value for value in values if low <= value * 1.0001 and value <= high * 1.0001]
        if len(values) >= 3:
            return values[:: max(1, math.ceil(len(values) / most))]
    return linear_ticks(low, high, most)


def linear_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values from low to high, evenly apart."""
    if high <= low:
        return [low]
    rough = (high - low) / max(1, most - 1)
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(mark * decade for mark in (1, 2, 5, 10) if mark * decade >= rough * 0.999)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def thinned(values: Sequence, most: int) -> list:
    """At most `most` of the values, evenly chosen, the first one always."""
    return list(values)[:: max(1, math.ceil(len(values) / most))]
