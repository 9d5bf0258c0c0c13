"""Retransmission time-outs among samples."""

import numpy as np
import pytest
from tutti.results import timeouts


def with_clusters(usual=1500.0, late=((1, 7), (3, 2)), count=1000):
    dice = np.random.default_rng(1)
    times = usual * dice.lognormal(0, 0.2, count)
    place = 0
    for waits, number in late:
        times[place : place + number] += waits * timeouts.RTO_US * dice.uniform(0.97, 1.05, number)
        place += number
    return dice.permutation(times)


def test_clusters_are_counted_and_left_out():
    times = with_clusters()
    found = timeouts.outliers(times)
    assert (found.samples, found.timed_out) == (1000, 9)
    assert found.clusters == ((200, 7), (600, 2))
    assert found.share == pytest.approx(0.009)
    assert found.usual_us == pytest.approx(1500, rel=0.05)
    assert found.mean_us == pytest.approx(times.mean())
    assert found.mean_without_us < 1700 < found.mean_us


def test_the_usual_time_stands_even_where_most_time_out():
    found = timeouts.outliers(with_clusters(late=((1, 600),)))
    assert found.timed_out == 600
    assert found.usual_us == pytest.approx(1500, rel=0.05)


def test_samples_that_are_long_by_nature_are_no_outliers():
    dice = np.random.default_rng(1)
    assert timeouts.outliers(3e6 * dice.lognormal(0, 0.01, 200)).timed_out == 0
    assert timeouts.outliers([100.0, 120.0, 50_000.0, 150_000.0]).timed_out == 0
    assert timeouts.outliers([]) is None


def result(variant, launch, **more):
    return {"launch": launch, "ranks": 4, "collective": "gather", "size": 65536, "variant": variant, **more}


def test_rows_have_the_kernels_counters_once_for_each_launch():
    counters = {"tcp_timeouts": 5, "tcp_retransmissions": 40}
    results = [result(variant, launch, **counters) for launch in (1, 2) for variant in ("tutti", "native")]
    times = {(launch, 4, 65536, "gather", "native", "", "cold"): with_clusters(late=((1, 4),)) for launch in (1, 2)}
    times |= {(launch, 4, 65536, "gather", "tutti", "", "cold"): with_clusters(late=()) for launch in (1, 2)}
    tutti, native = sorted(timeouts.rows(times, results), key=lambda row: row["timed_out"])
    assert (native["samples"], native["timed_out"], native["clusters"]) == (2000, 8, {"+200 ms": 8})
    assert (native["kernel_timeouts"], native["kernel_retransmissions"]) == (10, 80)
    assert (tutti["timed_out"], tutti["kernel_timeouts"]) == (0, 10)


def test_without_time_outs_there_is_nothing_to_say():
    quiet = [result("native", 1, tcp_timeouts=0, tcp_retransmissions=3, min=100, max=900)]
    times = {(1, 4, 65536, "gather", "native", "", "cold"): with_clusters(late=())}
    assert not timeouts.suspected(quiet)
    assert timeouts.rows(times, quiet) == []
    assert timeouts.suspected([result("native", 1, min=100, max=200_300)])
