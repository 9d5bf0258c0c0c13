"""From where to where a repetition's time runs: as a result says it, or as it followed from how ranks began."""

import pytest
from tutti.bench import table
from tutti.output import Output
from tutti.results import comparison, timed


@pytest.mark.parametrize(
    ("row", "sync", "what"),
    [
        ({"collective": "reduce", "timed": timed.TOGETHER}, "flags", timed.TOGETHER),
        ({"collective": "reduce"}, "flags", timed.SLOWEST),
        ({"collective": "allreduce(double,max)"}, "flags", timed.TOGETHER),
        ({"collective": "reduce"}, "round", timed.TOGETHER),
        ({"collective": "allreduce"}, "messages", timed.SLOWEST),
        ({"collective": "bcast", "arrival": "last_late 2x"}, "round", timed.AFTER_LAST),
    ],
)
def test_of(row, sync, what):
    assert timed.of(row, sync) == what


def test_the_printed_table_is_split_where_the_definition_changes(capsys):
    results = [
        {"launch": 1, "ranks": 8, "collective": name, "size": 8, "variant": variant, "timed": how, "repetitions": 50,
         "median_us": 2.0, "ci_low": 1.9, "ci_high": 2.1}
        for name, how in (("bcast", timed.SLOWEST), ("allreduce", timed.TOGETHER))
        for variant in ("native", "tutti")
    ]  # fmt: skip
    table.print_table(comparison.cells(results), "An MPI", Output())
    shown = capsys.readouterr().out
    assert "An MPI, 8 ranks: time of the slowest rank alone" in shown
    assert "An MPI, 8 ranks: time from the first rank's beginning to the last one's end" in shown


def test_an_interval_that_says_nothing_is_called_unknown():
    assert table.bounds({"ratio_low": 0.0, "ratio_high": 20000.0}) == "unknown"
    assert table.bounds({"ratio_low": 0.5, "ratio_high": 2.0}) == "0.50 .. 2.00"
