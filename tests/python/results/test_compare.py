"""Which cells of two runs differ beyond noise."""

import itertools
import json
import math

import click.testing
import numpy as np
import pytest
from scipy import stats
from tutti.results import compare, rank_test, runs
from tutti.results.compare import Rule


def row(variant, launch, median, size=8, **more):
    return {"launch": launch, "collective": "bcast", "size": size, "ranks": 2, "variant": variant, "repetitions": 9,
            "median_us": median, "cell": 0, "batch": 1, **more}  # fmt: skip


def saved(folder, **variants):
    """variants: name=[a median a launch]."""
    with runs.RunWriter(folder, {}) as writer:
        for name, values in variants.items():
            for launch, value in enumerate(values, 1):
                writer.add(row(name, launch, value))
    return str(folder)


def invoke(*words):
    return click.testing.CliRunner().invoke(compare.command, [*words], standalone_mode=False)


BEFORE = [1.00, 1.01, 0.99, 1.02, 0.98]
SLOWER = [1.10, 1.11, 1.09, 1.12, 1.08]


@pytest.mark.parametrize(("a", "b"), [(5, 5), (4, 7), (3, 2), (8, 8)])
def test_intervals_leave_out_as_many_pairs_as_the_test_allows(a, b):
    """Against all arrangements, counted one by one (or, of many, by scipy)."""
    for level in (0.01, 0.05, 0.3):
        k = rank_test.outermost(a, b, level)
        if a + b <= 11:
            us = [sum(1 for y in set(range(a + b)) - set(x) for z in x if z > y)
                  for x in itertools.combinations(range(a + b), a)]  # fmt: skip
            below = [2 * sum(u <= j for u in us) / len(us) for j in range(a * b)]
        else:
            below = [stats.mannwhitneyu(*pair(a, b, j), method="exact").pvalue for j in range(a * b // 2)]
        assert k == min(sum(share <= level for share in below), (a * b - 1) // 2)


def pair(a, b, u):
    """Samples of a and b without ties whose statistic is u: each of the first is above so many of the second."""
    above = [min(b, max(0, u - b * i)) for i in range(a)]
    return [count - 0.5 + 0.01 * i for i, count in enumerate(reversed(above))], list(range(b))


def test_the_effect_is_the_shift_and_its_interval_holds_it():
    random = np.random.default_rng(1)
    held = 0
    for _ in range(200):
        a, b = random.lognormal(0, 0.05, 6), 1.2 * random.lognormal(0, 0.05, 6)
        effect, low, high = rank_test.shift(a, b, 0.05)
        assert low <= effect <= high
        held += low <= 1.2 <= high
    assert held >= 180  # 95 % of 200, less four standard deviations
    assert rank_test.shift([1, 1], [2, 2], 0.05) == pytest.approx((2, 2, 2))


def test_without_a_change_p_is_below_the_level_no_more_often_than_that():
    random = np.random.default_rng(2)
    cells = [compare.change(None, "tutti", *random.lognormal(0, 0.02, (2, 5)), Rule(0.05, 0)) for _ in range(400)]
    changed = sum(each.verdict != "same" for each in cells)
    assert changed <= 20 + 4 * math.sqrt(400 * 0.05 * 0.95)


def test_a_slower_run_gives_status_1_and_a_faster_one_0(tmp_path):
    a, b = saved(tmp_path / "a", tutti=BEFORE), saved(tmp_path / "b", tutti=SLOWER)
    worse, better, same = invoke(a, b), invoke(b, a), invoke(a, a)
    assert (worse.return_value, better.return_value, same.return_value) == (1, 0, 0)
    assert "1 slower" in worse.output and "1.10" in worse.output
    assert "1 faster" in better.output and "0 slower" in same.output


def test_what_is_smaller_than_the_least_effect_does_not_count(tmp_path):
    a, b = saved(tmp_path / "a", tutti=BEFORE), saved(tmp_path / "b", tutti=SLOWER)
    assert invoke(a, b, "--least", "15").return_value == 0
    (line,) = invoke(a, b, "--json").output.splitlines()
    found = json.loads(line)
    assert found["effect"] == pytest.approx(1.1, abs=0.005) and found["larger"] == 1
    assert found["p"] == pytest.approx(2 / 252)
    assert found["effect_low"] < found["effect"] < found["effect_high"] and found["verdict"] == "slower"


def test_too_few_launches_are_an_error_that_says_how_many_it_takes(tmp_path):
    a, b = saved(tmp_path / "a", tutti=BEFORE[:3]), saved(tmp_path / "b", tutti=SLOWER[:3])
    refused = invoke(a, b).exception
    assert "--launches 5" in refused.format_message() and refused.exit_code == 2
    assert invoke(a, b, "--level", "0.1").return_value == 1


def test_runs_without_a_common_cell_are_an_error(tmp_path):
    a, b = saved(tmp_path / "a", tutti=BEFORE), saved(tmp_path / "b", native=BEFORE)
    assert "no cell" in invoke(a, b).exception.format_message()
    assert "no cell of other" in invoke(a, a, "--variant", "other").exception.format_message()
    assert invoke(a, str(tmp_path / "none")).exception.exit_code == 2


def test_relative_times_leave_a_change_of_the_machine_out(tmp_path):
    a = saved(tmp_path / "a", native=[2 * x for x in BEFORE], tutti=BEFORE)
    b = saved(tmp_path / "b", native=[3 * x for x in BEFORE], tutti=[1.5 * x for x in BEFORE])
    assert invoke(a, b).return_value == 1
    assert invoke(a, b, "--relative").return_value == 0


def test_states_of_caches_are_cells_of_their_own(tmp_path):
    """An earlier version's run has cold cells alone."""
    old = saved(tmp_path / "old", tutti=BEFORE)
    with runs.RunWriter(tmp_path / "new", {}) as writer:
        for launch, (cold, warm) in enumerate(zip(BEFORE, SLOWER, strict=True), 1):
            writer.add(row("tutti", launch, cold, cache="cold"), row("tutti", launch, warm, cache="warm"))
    new = str(tmp_path / "new")
    assert invoke(old, new).return_value == 0 and "1 cells: 0 slower, 1 same" in invoke(old, new).output
    assert "1 cells of" in invoke(new, old).stderr
    both = invoke(new, new, "--all").output
    assert "buffers" in both and "2 cells" in both
    assert {json.loads(line)["cache"] for line in invoke(new, new, "--json").output.splitlines()} == {"cold", "warm"}


def test_a_wrong_result_is_worse_than_any_time_and_missing_cells_are_told(tmp_path):
    a = saved(tmp_path / "a", native=BEFORE, tutti=BEFORE)
    with runs.RunWriter(tmp_path / "b", {}) as writer:
        for launch, value in enumerate(BEFORE, 1):
            writer.add(row("tutti", launch, value / 2, wrong=launch == 3))
    found = invoke(a, str(tmp_path / "b"))
    assert found.return_value == 1 and "1 wrong" in found.output
    assert "1 cells of" in found.stderr
