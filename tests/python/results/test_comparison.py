"""From results to the cells of a table."""

import pytest
from helpers.rows import launches, result
from tutti.bench import table
from tutti.output import Output
from tutti.results import comparison, joint


def test_a_ratio_is_native_over_tutti_and_agrees_with_the_times():
    (cell,) = comparison.cells(launches([2.0, 2.1, 2.2], [1.0, 1.0, 1.1]))
    assert cell.ratio.value == pytest.approx(cell.base_us / cell.contender_us)
    assert cell.ratio.launches == 3
    assert cell.verdict == "faster"


def test_slower_and_same():
    assert comparison.cells(launches([1.0, 1.0, 1.01], [1.2, 1.21, 1.2]))[0].verdict == "slower"
    assert comparison.cells(launches([1.0, 1.0, 1.01], [1.0, 1.02, 1.0]))[0].verdict == "same"


def test_a_single_launch_uses_the_medians_intervals():
    (cell,) = comparison.cells(launches([2.0], [1.0]))
    assert cell.ratio.interval.low == pytest.approx(2 * 0.99 / 1.01)
    assert cell.ratio.interval.high == pytest.approx(2 * 1.01 / 0.99)


def test_a_missing_variant_leaves_the_ratio_out():
    (cell,) = comparison.cells([result("native", 2.0)])
    assert (cell.base_us, cell.contender_us, cell.ratio, cell.verdict) == (2.0, None, None, "")


def test_only_launches_with_both_variants_count():
    results = [*launches([2.0, 2.0], [1.0, 1.0]), result("native", 50.0, launch=3)]
    assert comparison.cells(results)[0].base_us == pytest.approx(2.0)


def test_results_without_repetitions_are_left_out():
    assert comparison.cells([result("native", 0.0) | {"repetitions": 0}]) == []


def test_a_wrong_result_is_no_success():
    results = launches([2.0, 2.0], [1.0, 1.0])
    results[-1]["wrong"] = 3
    assert comparison.cells(results)[0].verdict == "wrong"


def test_the_distance_to_the_bound_is_the_node_engines():
    results = [result("native", 2.0), result("tutti", 3.0, choice="node(single_copy=64K)", bound_us=1.5)]
    (cell,) = comparison.cells(results)
    assert cell.row()["bound_us"] == pytest.approx(1.5)
    assert cell.row()["times_bound"] == pytest.approx(2)
    results[1]["choice"] = "native"
    assert comparison.cells(results)[0].times_bound is None
    assert comparison.cells([result("native", 2.0), result("tutti", 3.0, bound_us=0.0)])[0].bound_us is None


def test_a_null_test_compares_native_with_itself():
    results = [result("native", 1.0), result("again", 1.0)]
    assert comparison.contenders(results) == ("native", "again")
    assert comparison.cells(results)[0].ratio.value == 1


def test_cells_come_in_the_order_of_ranks_collectives_and_sizes():
    results = [
        result("native", 1.0, collective=name, size=size, ranks=ranks)
        for ranks in (8, 2)
        for name in ("scan", "barrier")
        for size in (64, 8)
    ]
    keys = [(c.key.ranks, c.key.collective, c.key.size) for c in comparison.cells(results)]
    assert keys == [(r, n, s) for r in (2, 8) for n in ("barrier", "scan") for s in (8, 64)]


def test_mean_ratios_are_geometric():
    results = [*launches([2.0, 2.0], [1.0, 1.0]), *launches([1.0, 1.0], [2.0, 2.0], size=64)]
    assert comparison.mean_ratios(comparison.cells(results)) == {
        "bcast": pytest.approx(1.0),
        "": pytest.approx(1.0),
    }


def states(cold, warm, **more):
    """Two cells: (native, tutti) of each launch with cold buffers, and with warm ones."""
    return comparison.cells(launches(*cold, **more) + launches(*warm, cache="warm", **more))


TWICE, HALF, EQUAL = ([2.0, 2.0], [1.0, 1.0]), ([1.0, 1.0], [2.0, 2.0]), ([1.0, 1.0], [1.0, 1.0])


def test_states_of_caches_are_cells_of_their_own_side_by_side():
    cold, warm = states(TWICE, HALF)
    assert [cell.key.cache for cell in (cold, warm)] == ["cold", "warm"]
    assert (cold.verdict, warm.verdict) == ("faster", "slower")
    assert [cell.row()["cache"] for cell in (cold, warm)] == ["cold", "warm"]
    (old,) = comparison.cells(launches(*TWICE) + launches(*TWICE, size=8, cache="rotating"))
    assert old.key.cache == "cold"


@pytest.mark.parametrize(
    ("cold", "warm", "verdict"),
    [
        (TWICE, TWICE, "faster"),
        (TWICE, EQUAL, "faster (cold)"),
        (TWICE, HALF, "slower (warm)"),
        (HALF, EQUAL, "slower (cold)"),
        (HALF, HALF, "slower"),
        (EQUAL, EQUAL, "same"),
    ],
)
def test_a_case_is_slower_where_it_is_in_either_state(cold, warm, verdict):
    (case,) = joint.joined(states(cold, warm))
    assert case.verdict == verdict and case.slower == verdict.startswith("slower")
    assert table.summary_of(case.cells) == f"1 {verdict}"


def test_a_wrong_result_in_one_state_is_wrong():
    cells = states(TWICE, TWICE, wrong=1)
    assert joint.joined(cells)[0].verdict == "wrong"
    assert joint.joined([states(TWICE, TWICE)[0], cells[1]])[0].verdict == "wrong (warm)"


def test_the_mean_over_the_states_is_geometric_and_taken_in_each_launch():
    """Here the launches move both states against each other: their mean is sure."""
    (case,) = joint.joined(states(([2.0, 4.0], [1.0, 1.0]), ([4.0, 2.0], [1.0, 1.0])))
    assert case.ratio.value == pytest.approx(8**0.5) and case.ratio.interval.low == pytest.approx(8**0.5)
    assert case.by_state == {"cold": pytest.approx(8**0.5), "warm": pytest.approx(8**0.5)}
    (one,) = joint.joined(states(([2.0], [1.0]), ([8.0], [1.0])))
    assert one.ratio.value == pytest.approx(4) and one.ratio.interval.low < 4 < one.ratio.interval.high
    (alone,) = joint.joined(comparison.cells(launches(*TWICE)))
    assert alone.ratio == alone.cells[0].ratio and alone.verdict == "faster"


def test_the_table_says_in_which_state_a_cell_is_slower_and_has_a_mean_for_each(capsys):
    barrier = comparison.cells(launches(*TWICE, collective="barrier", size=0))
    table.print_table([*barrier, *states(TWICE, HALF)], "An MPI", Output())
    shown = capsys.readouterr().out
    assert "slower (warm)" in shown and "buffers" in shown
    assert "geometric mean of the ratios, cold: 2.00   (barrier 2.00, bcast 2.00)" in shown
    assert "geometric mean of the ratios, warm: 1.00   (barrier 2.00, bcast 0.50)" in shown
    table.print_table(states(TWICE, HALF)[:1], "An MPI", Output())
    plain = capsys.readouterr().out
    assert "buffers" not in plain and "ratios: 2.00" in plain
    table.print_table(states(TWICE, HALF)[1:], "An MPI", Output())
    assert "An MPI, 2 ranks, warm buffers: time" in capsys.readouterr().out
