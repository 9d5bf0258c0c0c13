"""tutti tune: what a launch carries, within the time there is."""

from collections import Counter

import pytest
from tutti.tuning.budget import LONGEST, SHORTEST, Budget
from tutti.tuning.evidence import Cell, Sample, Store
from tutti.tuning.layout import Layout

SHORT, LONG = [Cell("bcast", size) for size in (8, 64, 1024)], Cell("alltoall", 1 << 18)


def budget(tmp_path, seconds=240.0, times=None, patterns=1):
    store = Store(tmp_path / "evidence.jsonl")
    for cell, taken in (times or {}).items():
        store.add(Sample(Layout(8), cell, "native", "a", 1.0, 1.0, taken))
    return Budget(store, Layout(8), seconds, patterns, 4)


def test_calls_are_timed_shorter_where_there_are_many_cells_for_the_time(tmp_path):
    assert budget(tmp_path).case == LONGEST
    assert budget(tmp_path, seconds=10).case == SHORTEST
    assert SHORTEST < budget(tmp_path, seconds=60).case < LONGEST
    assert budget(tmp_path, seconds=60, patterns=3).case == SHORTEST


def test_a_size_that_would_take_too_long_is_dropped_and_told(tmp_path):
    one = budget(tmp_path, times={LONG: 100.0})
    assert list(one.fitting(dict.fromkeys([*SHORT, LONG], "flat"), Counter())) == SHORT
    assert list(one.dropped) == [LONG] and "100 s" in one.dropped[LONG]


def test_a_size_of_which_nothing_is_known_costs_what_its_neighbour_did(tmp_path):
    one = budget(tmp_path, times={LONG: 6.0})
    assert one.cost(Cell("alltoall", 1 << 19)) == pytest.approx(12.0, rel=0.01)
    assert one.cost(Cell("alltoall", 1 << 17)) == pytest.approx(3.0, rel=0.01)
    assert one.cost(Cell("alltoall", 8)) < 0.5 and one.cost(SHORT[0]) < 0.5


def test_long_cells_are_in_fewer_launches_unless_they_are_the_last(tmp_path):
    one = budget(tmp_path, times=dict.fromkeys(SHORT, 0.25) | {LONG: 2.0})
    parts = Counter()
    for _ in range(12):
        launch = one.fitting(dict.fromkeys([*SHORT, LONG], "flat"), Counter())
        one.launched(launch)
        parts.update(launch.keys())
    assert [parts[cell] for cell in SHORT] == [12, 12, 12] and parts[LONG] == 6
    assert list(one.fitting({LONG: "flat"}, Counter())) == [LONG]
