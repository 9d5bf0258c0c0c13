"""Avoidable waits: what is removed, and what the clocks cannot tell from nothing."""

import pytest
from helpers.rows import launches, result
from tutti.bench.table import microseconds, shown
from tutti.results import comparison
from tutti.results.avoidable import Avoidable, percent, together


def late(native, tutti, error=0.1, arrival="last_late 2x", **more):
    """A launch each."""
    rows = launches([1.0] * len(native), [1.0] * len(tutti), arrival=arrival, **more)
    for row, value in zip(rows, [*native, *tutti], strict=True):
        row |= {"avoidable_us": value, "avoidable_error_us": error, "mean_wait_us": 2.0 + value}
    return rows


def test_what_is_removed_is_of_the_medians_over_launches():
    (cell,) = comparison.cells(late([100.0, 90.0, 500.0], [0.0, 10.0, 5.0]))
    assert (cell.avoidable.base_us, cell.avoidable.contender_us) == (100.0, 5.0)
    assert cell.row()["removed_percent"] == pytest.approx(95)
    assert shown(cell)["removed"] == "95.0" and shown(cell)["native_left"] == microseconds(100.0)


def test_more_than_native_leaves_is_less_than_nothing_removed():
    (cell,) = comparison.cells(late([100.0], [250.0]))
    assert cell.avoidable.removed_text == "-150" and not cell.avoidable.at_least


def test_below_the_clocks_error_it_is_said():
    assert Avoidable(100.0, 0.1, 0.5).texts(microseconds) == ("100", "< 0.500", "> 99.5")
    nothing = Avoidable(0.2, 0.1, 0.5)
    assert nothing.removed is None and nothing.texts(microseconds) == ("< 0.500", "< 0.500", "-")


def test_a_missing_variant_removes_nothing():
    (cell,) = comparison.cells([result("native", 2.0, arrival="bell 2x", avoidable_us=3.0, avoidable_error_us=0.1)])
    assert cell.avoidable.texts(microseconds) == ("3.00", "-", "-") and cell.row()["removed_percent"] is None


def test_ranks_that_come_together_have_none():
    (cell,) = comparison.cells(launches([2.0], [1.0]))
    assert cell.avoidable is None and "removed_percent" not in cell.row()
    assert shown(cell)["removed"] == "-"


def test_patterns_together_are_means_of_those_that_have_both():
    whole = together([Avoidable(100.0, 0.0, 1.0), Avoidable(50.0, 15.0, 3.0), Avoidable(7.0, None, 1.0)])
    assert (whole.base_us, whole.contender_us, whole.error_us) == (75.0, 7.5, 2.0)
    assert whole.removed == pytest.approx(0.9)
    assert together([Avoidable(None, 1.0)]) is None


def test_nearly_all_is_told_to_a_tenth():
    assert [percent(part) for part in (0.996, 0.95, 0.949, 0.0, -2.5)] == ["99.6", "95.0", "95", "0", "-250"]
