"""Statistics of times and ratios, against known values and by simulation."""

import math
import random

import pytest
from tutti.results import statistics
from tutti.results.statistics import Interval


def test_median_of_odd_and_even_numbers():
    assert statistics.median([3, 1, 2]) == 2
    assert statistics.median([4, 1, 2, 3]) == 2.5
    with pytest.raises(ValueError):
        statistics.median([])


def test_median_interval_takes_order_statistics():
    assert statistics.median_interval(range(1, 101)) == Interval(40, 61)
    assert statistics.median_interval([2, 1, 3]) == Interval(1, 3)


def test_geometric_mean():
    assert statistics.geometric_mean([1, 4]) == pytest.approx(2)
    for values in ([], [1, 0], [1, -1]):
        with pytest.raises(ValueError):
            statistics.geometric_mean(values)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (9, 2.26216), (30, 2.04227)],
)
def test_t_quantile_is_that_of_the_tables(freedom, quantile):
    assert statistics.t_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-4)


def test_interval_over_launches_covers_the_truth_95_times_of_100():
    source = random.Random(1)
    covered, trials = 0, 2000
    for _ in range(trials):
        estimate = statistics.over_launches([2 * math.exp(source.gauss(0, 0.05)) for _ in range(5)])
        covered += estimate.interval.low <= 2 <= estimate.interval.high
    assert 0.935 * trials <= covered <= 0.965 * trials


def test_a_ratio_and_its_inverse_agree():
    ratios = [1.9, 2.0, 2.2]
    one = statistics.over_launches(ratios)
    other = statistics.over_launches([1 / ratio for ratio in ratios])
    assert one.value == pytest.approx(1 / other.value)
    assert one.interval.low == pytest.approx(1 / other.interval.high)


def test_one_launch_says_nothing_about_the_next():
    assert statistics.over_launches([2.0]).interval == Interval(0.0, math.inf)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(1.031, 2, "faster"), (1.02, 2, "same"), (0.9, 1.1, "same"), (0.5, 0.969, "slower"), (0.5, 0.98, "same")],
)
def test_verdict_needs_the_whole_interval(low, high, word):
    assert statistics.verdict(Interval(low, high)) == word
