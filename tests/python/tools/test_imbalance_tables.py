"""tools/imbalance_tables.py: from results to what of the avoidable wait is removed."""

import pytest
from helpers.rows import launches
from tutti.results import comparison


@pytest.fixture(scope="module")
def imbalance_tables(load_tool):
    return load_tool("imbalance_tables")


def cells(*cases):
    """(collective, arrival, native's and tutti's avoidable wait), a launch each."""
    rows = []
    for collective, arrival, native, tutti in cases:
        pair = launches([1.0], [1.0], collective=collective, arrival=arrival, avoidable_error_us=0.1)
        for row, value in zip(pair, (native, tutti), strict=True):
            row |= {"avoidable_us": value, "mean_wait_us": 1.0 + value}
        rows += pair
    return comparison.cells(rows)


SOME = (
    ("reduce", "first_late 2x", 50.0, 0.0), ("reduce", "random 2x", 50.0, 10.0), ("reduce", "random 1ms", 900.0, 9.0),
    ("barrier", "random 2x", 0.05, 0.01),
)  # fmt: skip


def test_patterns_of_a_skew_stand_together_and_what_is_too_little_is_bold(imbalance_tables):
    table = imbalance_tables.grid(cells(*SOME), "skew", imbalance_tables.own)
    assert table.splitlines() == [
        "| | 2x | 1ms | all |",
        "|---|---|---|---|",
        "| barrier 8 | - (< 0.100) |  | - (< 0.100) |",
        "| reduce 8 | **90 (5.00)** | 99.0 (9.00) | 98.1 (6.33) |",
    ]


def test_skews_rise_from_multiples_to_seconds(imbalance_tables):
    skews = ["10ms", "10x", "1ms", "2x", "0.5x", "500us", "1s"]
    assert sorted(skews, key=imbalance_tables.order) == ["0.5x", "2x", "10x", "500us", "1ms", "10ms", "1s"]
    assert sorted(["random", "first_late"], key=imbalance_tables.order) == ["random", "first_late"]
    assert imbalance_tables.order("/a/replayed/file") > imbalance_tables.order("1s")


def test_skews_of_a_pattern_too(imbalance_tables):
    table = imbalance_tables.grid(cells(*SOME), "pattern", imbalance_tables.own)
    assert "| reduce 8 | 98.0 (9.50) | > 99.8 (< 0.100) | 98.1 (6.33) |" in table


def test_the_best_native_of_all_mpis_is_the_bar(imbalance_tables, capsys):
    good, poor = cells(("reduce", "random 1ms", 100.0, 10.0)), cells(("reduce", "random 1ms", 1000.0, 10.0))
    imbalance_tables.show({"A": good, "B": poor}, 2, "skew")
    shown = capsys.readouterr().out
    best = shown[shown.index("### B, 2 ranks: removed, against the best native") :]
    assert "| reduce 8 | 99.0 (10.0) | 99.0 (10.0) |" in shown and "| reduce 8 | **90 (10.0)** |" in best
    assert "Of 1 cells with an avoidable wait, at least 95 % is removed in 0; of all together 90 %." in best


def test_times_in_the_call_are_means_over_patterns(imbalance_tables):
    table = imbalance_tables.grid(cells(*SOME), "skew", imbalance_tables.gain)
    assert table.splitlines()[-1] == "| reduce 8 | 15.38 | 90.10 | 27.72 |"


def test_nothing_to_remove_is_said(imbalance_tables):
    only = cells(("barrier", "random 2x", 0.05, 0.01))
    assert imbalance_tables.summary(only, lambda cell: cell.avoidable.base_us).startswith("Nothing")


def test_a_short_form_is_shorter(imbalance_tables):
    usual, quick = imbalance_tables.options_of([]), imbalance_tables.options_of(["--quick", "--skews", "1ms"])
    assert usual.skews == "0.5x,2x,10x,1ms,10ms" and usual.launches == 3
    assert quick.skews == "1ms" and quick.sizes == "8,128K" and quick.launches == 1
