"""Robust statistics of times and of ratios over launches.

A launch is a factor of its own (placement, memory, which cores): the unit of evidence is one median per launch, and
ratios are combined as logarithms, never averaged (Hoefler & Belli, SC 2015; Hunold & Carpen-Amarie, TPDS 2016).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FASTER, SLOWER = 1.03, 0.97  # within these bounds two variants count as the same


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval, from `launches` launches."""

    value: float
    interval: Interval
    launches: int


def median(samples: Sequence[float]) -> float:
    """Raises ValueError without samples."""
    if not samples:
        raise ValueError("the median of nothing")
    ordered = sorted(samples)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def median_interval(samples: Sequence[float], z: float = 1.959964) -> Interval:
    """95 % interval of the median from order statistics: no distribution assumed (Hoefler & Belli, 4.2.2).

    Below six samples it is the whole range, which covers less than 95 %.
    """
    if not samples:
        raise ValueError("the interval of nothing")
    ordered = sorted(samples)
    n = len(ordered)
    low = math.floor((n - z * math.sqrt(n)) / 2)
    high = math.ceil(1 + (n + z * math.sqrt(n)) / 2)
    return Interval(ordered[max(low, 1) - 1], ordered[min(high, n) - 1])


def median_estimate(samples: Sequence[float]) -> Estimate:
    """A value a launch: their median, and its interval.  Raises ValueError without samples."""
    return Estimate(median(samples), median_interval(samples), len(samples))


def geometric_mean(values: Sequence[float]) -> float:
    """Of positive values.  Raises ValueError for none, or for one that is not positive."""
    if not values or min(values) <= 0:
        raise ValueError("a geometric mean needs positive values")
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def t_cdf(t: float, freedom: int) -> float:
    """P(T <= t) of Student's distribution, for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2 == 1
    term = total = cosine if odd else 1.0
    if freedom == 1:
        total = 0.0
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        total += term
    central = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return 0.5 + central / 2


def t_quantile(probability: float, freedom: int) -> float:
    """The t that a share of `probability` lies below; 0.5 < probability < 1.  By bisection of t_cdf."""
    low, high = 0.0, 1.0
    while t_cdf(high, freedom) < probability:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if t_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def over_launches(values: Sequence[float]) -> Estimate:
    """Geometric mean of one positive value per launch, with Student's interval of the logarithms.

    The interval of a single launch is unbounded: one launch says nothing about the next.
    """
    count = len(values)
    mean = math.log(geometric_mean(values))
    if count == 1:
        return Estimate(values[0], Interval(0.0, math.inf), 1)
    variance = math.fsum((math.log(value) - mean) ** 2 for value in values) / (count - 1)
    half = t_quantile(0.975, count - 1) * math.sqrt(variance / count)
    return Estimate(math.exp(mean), Interval(math.exp(mean - half), math.exp(mean + half)), count)


def ratio_of_medians(numerator: Interval, denominator: Interval) -> Interval:
    """Bounds of a ratio of two medians from their intervals: wider than 95 %, and blind to differences of launches."""
    return Interval(numerator.low / denominator.high, numerator.high / denominator.low)


def verdict(interval: Interval) -> str:
    """`faster` or `slower` where the whole interval of native/tutti says so, else `same`."""
    if interval.low > FASTER:
        return "faster"
    return "slower" if interval.high < SLOWER else "same"
