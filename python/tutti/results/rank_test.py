"""Wilcoxon's rank sum test of two samples, exact, and how large the difference is: Hodges and Lehmann's estimate of the
ratio, with the interval that belongs to the same test (Hollander, Wolfe & Chicken, Nonparametric Statistical Methods,
chapter 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def least_p(a: int, b: int) -> float:
    """What the test can say at best of a and b launches: that all of one are above all of the other, two-sided."""
    return 2 / math.comb(a + b, a)


def rank_sum(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """(p, share of pairs in which b is larger), exact where there are no ties."""
    from scipy import stats

    found = stats.mannwhitneyu(b, a, alternative="two-sided", method="auto")
    return float(found.pvalue), float(found.statistic) / (len(a) * len(b))


def shift(a: Sequence[float], b: Sequence[float], level: float) -> tuple[float, float, float]:
    """b over a: (estimate, low, high), the median of all pairs' ratios and its exact interval of 1 - level.

    Where so few launches cannot give that interval it is the whole range of the ratios.
    """
    ratios = sorted(math.log(y / x) for x in a for y in b)
    count = len(ratios)
    middle = (ratios[(count - 1) // 2] + ratios[count // 2]) / 2
    outside = outermost(len(a), len(b), level)
    return tuple(math.exp(value) for value in (middle, ratios[outside], ratios[count - 1 - outside]))


def outermost(a: int, b: int, level: float) -> int:
    """How many of the a x b ordered pairs lie outside the interval on each side: the largest k with
    2 P(U <= k - 1) <= level under no difference, by counting arrangements (Mann & Whitney's recursion)."""
    counts = [[1]] * (b + 1)  # arrangements of i of one and j of the other, by U
    for i in range(1, a + 1):
        row = [[1]]
        for j in range(1, b + 1):
            size = i * j + 1
            # The largest is of the first kind, and above all j of the other, or of the second.
            row.append([_at(counts[j], u - j) + _at(row[j - 1], u) for u in range(size)])
        counts = row
    total, below, k = math.comb(a + b, a), 0, 0
    for arrangements in counts[b]:
        below += arrangements
        if 2 * below > level * total:
            break
        k += 1
    return min(k, (a * b - 1) // 2)


def _at(values: Sequence[int], index: int) -> int:
    return values[index] if 0 <= index < len(values) else 0
