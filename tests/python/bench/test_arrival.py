"""Arrival patterns: what is asked for, and that ranks come as late as they are told to."""

import numpy as np
import pytest
from helpers.measurable import an_mpi
from tutti.bench import command_line as bench
from tutti.bench.arrival import arrivals, with_arrivals
from tutti.bench.plan import Plan
from tutti.errors import UserError
from tutti.output import Output
from tutti.results import comparison, runs, samples


def test_patterns_and_skews_are_combined(tmp_path):
    assert arrivals("none", "1x") == [""]
    assert arrivals("none,last_late, bell", "1x,100us") == [
        "", "last_late:1x", "last_late:100us", "bell:1x", "bell:100us",
    ]  # fmt: skip
    recording = tmp_path / "recorded.txt"
    recording.write_text("0 0.001\n")
    assert arrivals(f"replay:{recording}", "1x") == [f"replay:{recording}"]
    assert with_arrivals(["barrier", "bcast:8"], ["", "bell:1x"]) == [
        "barrier", "barrier@bell:1x", "bcast:8", "bcast:8@bell:1x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("patterns", "skews", "why"),
    [
        ("last_lat", "1x", "did you mean last_late"),
        ("sideways", "1x", "there are none, ascending"),
        ("bell", "two", "'two' is not a skew"),
        ("bell", "-1x", "'-1x' is not a skew"),
        ("replay:/nowhere", "1x", "no recording"),
    ],
)
def test_what_cannot_be_is_said(patterns, skews, why):
    with pytest.raises(UserError, match=why):
        arrivals(patterns, skews)


def measured(folder, patterns, ranks, collectives=("allreduce",)):
    plan = Plan(list(collectives), [8], [ranks], launches=1, seconds=0.1, null=True, arrivals=patterns)
    done = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), folder))
    assert done.failures == []
    if any(row["repetitions"] <= 2 * row["late"] for row in done.results):
        pytest.skip("this machine is too busy for ranks to come when they ought to")
    return done


def beginnings(folder, done, rank, **where):
    """Microseconds by repetition, of those in which no rank was more than 100 us late."""
    columns = samples.read(folder, done.results, variant="native", **where)
    late = set(columns["repetition"][columns["late_us"] > 100].tolist())
    mine = zip(columns["repetition"].tolist(), columns["begin_us"], columns["rank"].tolist(), strict=True)
    return {repetition: begin for repetition, begin, who in mine if who == rank and repetition not in late}


def apart(folder, done, first, second, **where):
    """By how much one rank came after another, by repetition."""
    one, other = (beginnings(folder, done, rank, **where) for rank in (first, second))
    return {repetition: other[repetition] - begin for repetition, begin in one.items()}


def test_ranks_come_as_late_as_the_pattern_says(tmp_path, capsys):
    done = measured(tmp_path / "run", ["", "last_late:3ms", "first_late:3ms"], ranks=2)
    by_arrival = {row.get("arrival", ""): row for row in done.results if row["variant"] == "native"}
    assert by_arrival.keys() == {"", "last_late 3ms", "first_late 3ms"}
    for row in (by_arrival["last_late 3ms"], by_arrival["first_late 3ms"]):
        assert row["skew_us"] == 3000 and row["apart_us"] == pytest.approx(3000, rel=0.1)
        assert row["total_us"] >= row["apart_us"]
        # An allreduce lets nobody go before the last has come: one of two waits for 3 ms, and more on a busy machine.
        assert row["mean_wait_us"] > 0.95 * 1500
    late = apart(tmp_path / "run", done, 0, 1, arrival="last_late 3ms")
    assert np.median(list(late.values())) == pytest.approx(3000, rel=0.1)
    shown = capsys.readouterr().out
    assert "2 ranks, last_late 3ms: time from the last arrival to the last exit" in shown and "imbalance" in shown
    assert {cell.key.arrival for cell in comparison.cells(runs.load(tmp_path / "run").results)} == set(by_arrival)


def test_what_of_a_wait_was_avoidable(tmp_path, monkeypatch):
    # The first variant's ranks stay longer by half of their time, for nothing: 1.5 ms for the rank that waits for 3.
    monkeypatch.setenv("TUTTI_BENCH_SLOWER", "allreduce:0.5")
    done = measured(tmp_path / "run", ["last_late:3ms", "random:3ms"], ranks=2)
    rows = {row["variant"]: row for row in done.results if row["arrival"] == "last_late 3ms"}
    assert rows["again"]["avoidable_us"] > 1400
    assert rows["native"]["avoidable_us"] < 0.2 * rows["again"]["avoidable_us"]
    assert 0 < rows["native"]["avoidable_error_us"] < 5 and list(rows["native"]["own_copy_us"]) == ["8"]
    stay = rows["again"]["stay"]
    assert stay["ranks"] == [0, 1] and stay["arrival_us"][0] == 0
    assert stay["last_arrival_us"] == stay["arrival_us"][1] == pytest.approx(3000, rel=0.1)
    left = sum(max(0, out - could) for out, could in zip(stay["exit_us"], stay["earliest_us"], strict=True))
    assert left == pytest.approx(rows["again"]["avoidable_us"], rel=0.2)
    of_rank = samples.read(tmp_path / "run", done.results, variant="again", arrival="last_late 3ms", rank=0)
    (drawn,) = np.flatnonzero(of_rank["repetition"] == stay["repetition"])
    took = of_rank["end_us"][drawn] - of_rank["begin_us"][drawn]
    assert took == pytest.approx(stay["exit_us"][0] - stay["arrival_us"][0], abs=0.1)


def test_what_sharing_cpus_forces_is_allowed_for(tmp_path):
    done = measured(tmp_path / "run", ["first_late:3ms"], ranks=4, collectives=("reduce", "pingpong"))
    for row in done.results:
        assert ("avoidable_us" in row) == (row["collective"] == "reduce")
        crowded = any(launch["ranks"] > launch["cpus"] for launch in done.environment["launches"])
        assert ("own_switch_us" in row) == (crowded and row["collective"] == "reduce")


def test_a_recording_is_replayed_line_by_line(tmp_path):
    recording = tmp_path / "recorded.txt"
    recording.write_text("# two repetitions of two ranks\n0 0.002\n0.004 0\n")
    done = measured(tmp_path / "run", arrivals(f"replay:{recording}", "1x"), ranks=2)
    late = apart(tmp_path / "run", done, 0, 1)
    assert np.median([late[repetition] for repetition in late if repetition % 2 == 0]) == pytest.approx(2000, rel=0.1)
    assert np.median([late[repetition] for repetition in late if repetition % 2 == 1]) == pytest.approx(-4000, rel=0.1)


@pytest.mark.parametrize(
    ("pattern", "why"), [("one_node_late:1ms", "needs ranks on two nodes"), ("replay:{}", "recorded.txt:2: expected 2")]
)
def test_a_pattern_that_cannot_be_ends_the_run_with_a_sentence(tmp_path, pattern, why):
    (tmp_path / "recorded.txt").write_text("0 0\n0 0 0\n")
    plan = Plan(["barrier"], [], [2], launches=1, seconds=0.05, null=True,
                arrivals=[pattern.format(tmp_path / "recorded.txt")])  # fmt: skip
    with pytest.raises(UserError, match=why):
        bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))


def test_pretended_nodes_have_a_last_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TUTTI_PRETEND_NODES", "block:2")
    done = measured(tmp_path / "run", ["one_node_late:2ms"], ranks=4)
    for rank, delay in ((1, 0), (2, 2000), (3, 2000)):
        late = apart(tmp_path / "run", done, 0, rank)
        assert np.median(list(late.values())) == pytest.approx(delay, abs=400)
