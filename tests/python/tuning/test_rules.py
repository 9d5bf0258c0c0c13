"""tutti tune: from measured cells to rules, from rules to a profile that the library reads and follows."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
from helpers.measurable import an_mpi
from tutti import core, paths
from tutti.bench.run import Bench
from tutti.errors import UserError
from tutti.output import Output
from tutti.results import runs
from tutti.results.comparison import COLLECTIVES, Cell, Key
from tutti.results.statistics import Estimate, Interval
from tutti.tuning import command_line as tune
from tutti.tuning import profile, rules

ABOUT = {"mpi": 'MPI "X"', "date": "2026-01-02", "command": "tutti tune --node"}


def cell(size, ratio, spread=1.01, collective="bcast", ranks=2, wrong=0, state="cold"):
    """native/tutti is `ratio`, and its interval a factor `spread` to either side."""
    estimate = Estimate(ratio, Interval(ratio / spread, ratio * spread), 5)
    key = Key(ranks, "", COLLECTIVES.index(collective), collective, size, state)
    return Cell(key, ratio, 1.0, None, None, estimate, "node", wrong)


def cells(ratios, **more):
    return [cell(size, ratio, **more) for size, ratio in ratios.items()]


def both(cold, warm, **more):
    """Ratios by size with cold buffers, and with warm ones."""
    return [*cells(cold, **more), *cells(warm, state="warm", **more)]


def found(twice, once=()):
    return [(rule.use, rule.ranks, rule.size) for rule in rules.decide(twice, once)]


def test_what_is_won_everywhere_is_one_rule_for_any_size():
    assert found(cells({8: 2, 1024: 1.5, 65536: 1.1})) == [("node", "2:", "")]


def test_node_serves_the_sizes_it_won_and_native_the_rest():
    assert found(cells({8: 2, 1024: 1.5, 65536: 0.8})) == [("node", "2:", "0:1K"), ("native", "2:", "")]
    assert found(cells({8: 0.9, 1024: 1.5, 65536: 1.2})) == [("node", "2:", "1K:"), ("native", "2:", "")]
    lost_inside = cells({8: 2, 64: 0.5, 512: 1.2, 4096: 1.3, 32768: 0.7})
    assert found(lost_inside) == [("node", "2:", "0:8"), ("node", "2:", "512:4K"), ("native", "2:", "")]
    assert found(cells({8: 0.9, 1024: 0.5})) == [("native", "2:", "")]


def test_a_size_in_doubt_goes_with_the_won_ones_around_it():
    won = [cell(8, 2), cell(512, 2)]
    assert found([won[0], cell(64, 1.2, spread=2), won[1]]) == [("node", "2:", "")]
    assert found([*won, cell(4096, 1.2, spread=2)]) == [("node", "2:", "")]
    assert found([*won, cell(4096, 1.2, spread=2), cell(32768, 0.5)])[0] == ("node", "2:", "0:512")
    assert found([won[0], cell(64, 0.99, spread=2), won[1]])[0] == ("node", "2:", "0:8")


def test_where_all_is_in_doubt_the_whole_decides():
    assert found(cells({8: 1.3, 64: 1.2}, spread=3)) == [("node", "2:", "")]
    assert found(cells({8: 1.01, 64: 1.02}, spread=3)) == [("native", "2:", "")]


def test_wrong_results_never_serve():
    assert found([cell(8, 2), cell(64, 5, wrong=1)]) == [("node", "2:", "0:8"), ("native", "2:", "")]


def test_one_copy_serves_from_the_border_where_it_pays_on_the_whole():
    twice = cells({1024: 2, 8192: 1.5, 65536: 0.9, 524288: 0.8})
    once = cells({1024: 0.5, 8192: 1.4, 65536: 1.8, 524288: 2.5})
    assert found(twice, once) == [("node(single_copy=64K)", "2:", "")]
    # A single cell that went well by chance moves no border.
    lucky = cells({1024: 2.1, 8192: 0.9, 65536: 0.5, 524288: 0.5})
    assert found(twice, lucky)[0] == ("node", "2:", "0:8K")


def test_a_range_below_the_border_does_not_name_it():
    twice = cells({1024: 2, 8192: 0.5, 65536: 0.9})
    assert found(twice, cells({65536: 1.8})) == [
        ("node", "2:", "0:1K"),
        ("node(single_copy=64K)", "2:", "64K:"),
        ("native", "2:", ""),
    ]


@pytest.mark.parametrize("collective", rules.UNSIZED)
def test_without_a_size_that_all_ranks_know_one_rule_holds_for_all(collective):
    assert found(cells({8: 2, 64: 1.0}, collective=collective)) == [("node", "2:", "")]
    assert found(cells({8: 2, 64: 0.9}, collective=collective)) == [("native", "2:", "")]


def test_the_unsized_are_those_whose_size_a_profile_may_not_ask_for():
    rule = 'schema = 1\n[[rule]]\ncollective = "{}"\nuse = "node"\nsize = "8:"\n'
    refused = [name for name in COLLECTIVES if core.load().check_profile(rule.format(name))]
    assert sorted(refused) == sorted(rules.UNSIZED)


def test_a_number_of_ranks_stands_for_those_down_to_the_next_and_equal_ones_share_rules():
    two, eight = cells({8: 2, 64: 0.5}), cells({8: 3, 64: 2}, ranks=8)
    many = cells({8: 2, 64: 4}, ranks=32)
    assert found([*two, *eight, *many]) == [("node", "2", "0:8"), ("native", "2", ""), ("node", "3:", "")]
    assert found(eight) == [("node", "2:", "")]
    assert found([*eight, *cells({8: 0.5}, ranks=9)]) == [("node", "2:8", ""), ("native", "9:", "")]


def test_with_cold_and_warm_buffers_the_mean_decides_and_a_size_slower_in_one_is_lost():
    assert found(both({8: 1.5, 64: 0.98}, {8: 1.2, 64: 1.5})) == [("node", "2:", "")]
    assert found(both({8: 1.5, 64: 0.9}, {8: 1.2, 64: 3.0})) == [("node", "2:", "0:8"), ("native", "2:", "")]
    assert found(both({8: 1.5, 64: 3.0}, {8: 1.2, 64: 0.9}))[0] == ("node", "2:", "0:8")
    assert found(both({8: 0.98}, {8: 1.0})) == [("native", "2:", "")]
    doubt = [*both({8: 1.5, 64: 3.0}, {8: 1.2, 64: 1.2}), cell(512, 3.0), cell(512, 0.95, spread=1.1, state="warm")]
    assert found([*doubt, *both({4096: 0.5}, {4096: 0.5})])[0] == ("node", "2:", "0:64")
    unsized = both({8: 2, 64: 2}, {8: 2, 64: 0.9}, collective="gatherv")
    assert found(unsized) == [("native", "2:", "")]


def test_one_copy_does_not_serve_where_it_is_slower_in_one_state():
    twice = both({1024: 1.3, 65536: 1.3}, {1024: 1.2, 65536: 1.05})
    assert found(twice, both({65536: 0.8}, {65536: 3.0})) == [("node", "2:", "")]
    assert found(twice, both({65536: 1.2}, {65536: 3.0})) == [("node(single_copy=64K)", "2:", "")]


def test_a_rule_tells_both_figures_where_they_are_apart():
    text = profile_of(both({8: 2, 1024: 1.5}, {8: 2.5, 1024: 1.4}))
    assert "; cold 1.50 .. 2.00, warm 1.40 .. 2.50) at 2 ranks" in text
    assert (
        "{ ranks = 2, size = 8, ratio = 2.236, low = 2.214, high = 2.258, launches = 5, cold = 2, warm = 2.5 }" in text
    )
    assert core.load().check_profile(text) == []
    assert "cold" not in profile_of(both({8: 2.0}, {8: 2.1})).partition("[rule.measured]")[0]
    assert "cold" not in profile_of(cells({8: 2.0}))


def profile_of(*measured):
    return profile.profile(rules.decide(*measured), ABOUT)


def test_a_profile_is_read_by_the_library_and_says_why():
    twice = [*cells({8: 2, 1024: 1.5, 65536: 0.8}), cell(0, 3, collective="barrier"), cell(8, 0.4, ranks=8)]
    text = profile_of(twice)
    assert core.load().check_profile(text) == []
    assert 'because = "MPI \\"X\\"\'s time over node\'s 1.50 .. 2.00 (' in text
    assert "{ ranks = 2, size = 1024, ratio = 1.5, low = 1.485, high = 1.515, launches = 5 }" in text
    assert "at 2 ranks, 8 .. 1K; 2026-01-02" in text and 'command = "tutti tune --node"' in text


def test_the_reader_takes_unbounded_intervals_and_missing_ratios():
    endless = cell(8, 2)
    endless = Cell(*[*vars(endless).values()][:5], Estimate(2.0, Interval(0, math.inf), 1), "node", 0)
    nothing = Cell(*[*vars(cell(64, 1)).values()][:5], None, "node", 0)
    assert core.load().check_profile(profile_of([endless, nothing])) == []


def test_explain_follows_the_profile(tmp_path, tutti):
    file = tmp_path / "node.toml"
    file.write_text(profile_of(cells({1024: 2, 65536: 0.8}), cells({65536: 1.9})))
    done = tutti("explain", "bcast", "-s", "8,1M", "-n", "2", "--json", TUTTI_PROFILE=str(file))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["choice"] for row in rows] == ["node(single_copy=64K)"] * 2
    assert all(row["reason"].startswith("node.toml line ") and "time over node's" in row["because"] for row in rows)


def test_plans_measure_one_copy_only_where_it_can_serve_and_fit_the_minutes():
    twice, once = tune.plans_for(["barrier", "bcast", "allreduce"], [8, 4096], [2, 8], 5, None)
    assert (twice.spec, once.spec) == ("node", "node(single_copy=1)")
    assert once.cases == ["bcast:4096", "bcast:4096%warm"]
    assert tune.plans_for(["bcast"], [4096], [2], 5, None, ("warm",))[0].cases == ["bcast:4096%warm"]
    assert once.settings == {"TUTTI_BCAST": "node(single_copy=1)"}
    assert len(tune.plans_for(["barrier", "allreduce"], [8, 4096], [2, 8], 5, None)) == 1
    assert tune.plans_for(["barrier", "allreduce"], [8, 4096], [2], 5, None)[1].cases[0] == "allreduce:4096"
    assert len(tune.plans_for(["barrier", "scan"], [8, 4096], [2], 5, None)) == 1
    short = tune.plans_for(["bcast"], [8, 4096], [2], 5, 0.1)
    assert sum(plan.total * plan.seconds for plan in short) < 6
    assert all(plan.budget == pytest.approx(6) for plan in short)


def test_what_tutti_left_to_the_mpi_is_no_measurement_of_node():
    def result(size, variant, choice=""):
        return {
            "launch": 1, "collective": "bcast", "size": size, "ranks": 2, "variant": variant, "repetitions": 9,
            "median_us": 1.0, "choice": choice,
        }  # fmt: skip

    results = [result(size, "native") for size in (8, 64)]
    results += [result(8, "tutti", "node"), result(64, "tutti", "native")]
    bench = SimpleNamespace(plan=tune.plans_for(["bcast"], [8, 64], [2], 1, None)[0], results=results)
    assert [cell.key.size for cell in tune.measured(bench)] == [8]


def test_the_command_says_what_it_needs(tutti, tmp_path):
    done = tutti("tune")
    assert done.returncode == 2 and "-o FILE" in done.stderr
    done = tutti("tune", "-n", "8", "-N", "9", "-o", str(tmp_path / "x.toml"))
    assert done.returncode == 2 and "do not fit" in done.stderr
    done = tutti("tune", "--check", str(tmp_path / "none.toml"))
    assert done.returncode == 2 and "cannot be read" in done.stderr
    done = tutti("tune", "--node", "-o", str(tmp_path / "nowhere" / "x.toml"))
    assert done.returncode == 2 and "there is no folder" in done.stderr


def test_a_measurement_ends_in_a_profile_that_serves(tmp_path):
    try:
        paths.library()
    except UserError as missing:
        pytest.skip(str(missing))
    plans = [
        replace(plan, seconds=0.02)
        for plan in tune.plans_for(["barrier", "bcast", "allreduce"], [8, 4096], [2], launches=2, minutes=None)
    ]
    chosen = an_mpi()
    out = Output(quiet=True)
    benches = [Bench(plan, chosen, out, tmp_path / str(i)) for i, plan in enumerate(plans)]
    file = tmp_path / "node.toml"
    assert tune.tune(benches, file, out) == 0
    settings, warnings = core.read_settings(str(file))
    selector = core.load().Selector(settings, 2)
    assert warnings == [] and selector.warnings == []
    for name in ("barrier", "bcast", "allreduce"):
        assert selector.choose(name, 8).reason.startswith("node.toml line ")
    served = {(r["launch"], r["cache"]): r["choice"] for r in runs.load(tmp_path / "1").results if r["choice"]}
    assert served == {(launch, state): "node(single_copy=1)" for launch in (1, 2) for state in ("cold", "warm")}


def test_for_another_librarys_rules_is_about_all_candidates(tutti, tmp_path):
    run = tutti("tune", "--node", "--for", "openmpi", "-o", tmp_path / "p.toml")
    assert run.returncode == 2 and "--node" in run.stderr and len(run.stderr.splitlines()) == 1
