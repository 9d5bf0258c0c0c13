"""The table over all arrival patterns at the end of a measurement."""

import json

from helpers.rows import launches
from tutti.bench import late_ranks
from tutti.output import Output
from tutti.results import comparison


def late(arrival, native, tutti, **more):
    rows = launches([1.0], [1.0], arrival=arrival, avoidable_error_us=0.1, **more)
    for row, value in zip(rows, (native, tutti), strict=True):
        row |= {"avoidable_us": value, "mean_wait_us": 1.0 + value}
    return rows


def some():
    rows = [*late("last_late 2x", 99.0, 0.0), *late("random 2x", 11.0, 5.0)]
    return comparison.cells([*rows, *late("last_late 2x", 3.0, 3.0, collective="reduce")])


def test_patterns_of_one_collective_and_size_are_a_row(capsys):
    late_ranks.print_summary(some(), Output())
    lines = capsys.readouterr().out.splitlines()
    assert "over all arrival patterns" in lines[0]
    assert "patterns" in lines[1] and "least removed %" in lines[1] and "buffers" not in lines[1]
    # 110 and 5 over two patterns; of the mean waits 100/1 and 12/6, the geometric mean.
    assert lines[2].split() == ["2", "bcast", "8", "2", "55.0", "2.50", "95.5", "55", "in", "random", "2x", "14.14"]
    assert not any("reduce" in line for line in lines)


def test_states_of_caches_are_apart(capsys):
    table = comparison.cells(
        [*late("last_late 2x", 9.0, 1.0), *late("random 2x", 9.0, 1.0), *late("last_late 2x", 9.0, 1.0, cache="warm"),
         *late("random 2x", 9.0, 1.0, cache="warm")]
    )  # fmt: skip
    late_ranks.print_summary(table, Output())
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()[1:4]] == ["buffers", "cold", "warm"]


def test_json_has_the_figures(capsys):
    late_ranks.print_summary(some(), Output(json=True))
    (row,) = [json.loads(line)["over_patterns"] for line in capsys.readouterr().out.splitlines()]
    assert row["patterns"] == ["last_late 2x", "random 2x"]
    assert (row["native_avoidable_us"], row["tutti_avoidable_us"]) == (55.0, 2.5)
    assert row["least_removed_in"] == "random 2x" and round(row["wait_ratio"], 2) == 14.14


def test_one_pattern_needs_no_summary(capsys):
    late_ranks.print_summary(comparison.cells(late("last_late 2x", 9.0, 1.0)), Output())
    assert capsys.readouterr().out == ""


def test_clocks_that_know_nothing_leave_the_part_out(capsys):
    table = comparison.cells([*late("last_late 2x", 0.05, 0.01), *late("random 2x", 0.05, 0.01)])
    late_ranks.print_summary(table, Output())
    assert capsys.readouterr().out.splitlines()[2].split()[4:10] == ["<", "0.100", "<", "0.100", "-", "-"]
