"""The report's axes: their marks, and what stands beside them."""

import pytest
from tutti.report.figures.axes import linear_ticks, share_text, thinned, ticks, time_text
from tutti.report.figures.curves import spread_apart


def test_axes_have_few_round_marks():
    assert ticks(0.3, 30) == pytest.approx([0.5, 1, 2, 5, 10, 20])
    assert ticks(0.09, 20000) == pytest.approx([0.1, 1, 10, 100, 1000, 10000])
    assert len(ticks(1e-3, 1e9)) <= 7
    assert ticks(1.01, 1.04) == pytest.approx([1.01, 1.02, 1.03, 1.04])
    assert linear_ticks(0, 7) == pytest.approx([0, 2, 4, 6])
    assert thinned(list(range(10)), 7) == [0, 2, 4, 6, 8]


def test_names_that_would_overlap_move_apart():
    assert spread_apart([10, 50], 13, 0, 100) == [10, 50]
    assert spread_apart([50, 51, 52], 13, 0, 100) == pytest.approx([38, 51, 64])
    assert spread_apart([95, 99], 13, 0, 100) == pytest.approx([87, 100])


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0831, "0.0831 µs"), (0.2, "0.200 µs"), (93, "93.0 µs"), (999.9, "1.00 ms"), (18e3, "18.0 ms"), (2e6, "2.00 s")],
)
def test_times_have_three_figures_and_a_unit(value, text):
    assert time_text(value) == text


def test_shares_are_per_cent():
    assert [share_text(part) for part in (0, 0.00012, 0.042, 0.5, 1)] == ["0 %", "0.012 %", "4.2 %", "50 %", "100 %"]
