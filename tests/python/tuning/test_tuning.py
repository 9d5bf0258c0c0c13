"""tutti tune in general: candidates, the model, evidence, decisions, profiles, layouts."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tutti import core
from tutti.errors import UserError
from tutti.site import mpi
from tutti.site.launch import launcher_named
from tutti.site.mpi import Mpi
from tutti.tuning import candidates, checking, deciding, evidence, model, used, writing
from tutti.tuning.command_line import layouts_of
from tutti.tuning.evidence import NATIVE, Cell, Sample, Store
from tutti.tuning.general import Tuning
from tutti.tuning.layout import Layout, Local

FOUR, EIGHT = Layout(16, 4, 4), Layout(8)


def sample(size, spec, gain, launch="a", collective="bcast", layout=FOUR, **more):
    """A launch in which native takes 100 us."""
    return Sample(layout, Cell(collective, size), spec, launch, 100.0, 100.0 / gain, 0.1, **more)


def several(size, spec, gain, spread=0.01, launches=4, **more):
    shifts = [spread * (i - (launches - 1) / 2) for i in range(launches)]
    return [sample(size, spec, gain * math.exp(shift), f"l{i}", **more) for i, shift in enumerate(shifts)]


def specs(samples, collective="bcast"):
    return [chosen.spec for chosen in deciding.row_of(collective, evidence.gains(samples))]


# Candidates.


def test_candidates_are_what_the_library_would_take_at_that_layout():
    found = candidates.candidates("bcast", FOUR, 1 << 20)
    assert {"flat", "node(native)", "node(binomial)", "node(binomial, senders=4)", "groups(4, chain)"} <= set(found)
    assert "node" not in found and len(found) == len(set(found))
    assert all(core.load().parse_spec(spec, "bcast") == spec for spec in found)
    one = candidates.candidates("bcast", Layout(8), 1 << 20)
    assert {"node", "node(single_copy=1)"} <= set(one) and not any("senders" in spec for spec in one)


def test_parameters_follow_the_size_and_the_ranks():
    short = candidates.candidates("bcast", FOUR, 1024)
    assert not any("segment" in spec or "senders" in spec for spec in short)
    assert "pipelined_chain(segment=8K)" in candidates.candidates("bcast", FOUR, 16 << 10)
    assert not any("k=8" in spec for spec in candidates.candidates("allreduce", Layout(4), 8))


def test_the_simpler_of_two_specs_has_fewer_words():
    order = ["native", "node", "node(ring)", "node(ring, senders=4)", "node(pipelined_chain(segment=8K), senders=4)"]
    assert sorted(set(order), key=candidates.complexity) == order


# The model.


def test_the_model_finds_the_machine_behind_the_times():
    known = model.Model(FOUR)
    truth = model.Terms(call=20.0, rounds=30.0, moved=0.01, reduced=0.002)
    names = ["binomial", "flat", "chain", "scatter_ring_allgather"]
    rows = {(spec, size): model.features("bcast", spec, FOUR, size) for spec in names for size in (8, 4096, 1 << 20)}
    known.learn("bcast", {key: sum(a * b for a, b in zip(row, truth, strict=True)) for key, row in rows.items()})
    held_out = ("binary", 1 << 16)
    row = model.features("bcast", *held_out[:1], FOUR, held_out[1])
    predicted = known.predict("bcast", *held_out)
    assert predicted == pytest.approx(sum(a * b for a, b in zip(row, truth, strict=True)), rel=0.05)
    assert known.predict("bcast", "node(binomial)", 8) is None  # nothing of that kind was measured


def test_coefficients_are_never_negative():
    found = model.fit([[1, 1], [1, 2], [1, 3]], [3.0, 2.0, 1.0])
    assert (found >= 0).all()


# Evidence.


def test_samples_are_kept_and_a_line_cut_short_is_left_out(tmp_path):
    store = Store(tmp_path / "runs" / "evidence.jsonl")
    store.add(sample(8, "binomial", 2))
    with store.file.open("a") as out:
        out.write(evidence.as_line(sample(8, "chain", 2))[:40])
    assert Store(store.file).samples == [sample(8, "binomial", 2)]


def test_an_interval_is_honest_from_the_first_launch_on():
    one = evidence.gains([sample(8, "binomial", 1.05)])[Cell("bcast", 8)]["binomial"]
    assert one.low < 0 < one.high
    many = evidence.gains(several(8, "binomial", 1.05, spread=0.001, launches=20))[Cell("bcast", 8)]["binomial"]
    assert many.low > 0
    assert many.estimate.interval.low < 1.05 < many.estimate.interval.high


def test_a_slow_native_call_does_not_make_a_candidate_better():
    """Native's time alone jumps from launch to launch; what all share cancels."""
    jumps = [sample(8, spec, 2.0, f"{spec}{i}") for spec in ("flat", "chain") for i in range(8)]
    jumps = [replace(one, native_us=100.0 * (1 + i % 2)) for i, one in enumerate(jumps)]
    lucky = replace(sample(8, "binomial", 2.0, "z"), native_us=200.0)
    found = evidence.gains([*jumps, lucky])[Cell("bcast", 8)]
    assert found["binomial"].mean == pytest.approx(found["flat"].mean, abs=0.05)
    assert found["flat"].mean == pytest.approx(math.log(math.sqrt(2) * 2), abs=0.05)
    both = [replace(one, native_us=one.native_us * (1 + i % 2), spec_us=one.spec_us * (1 + i % 2))
            for i, one in enumerate(several(8, "flat", 2.0, launches=8))]  # fmt: skip
    assert evidence.gains(both)[Cell("bcast", 8)]["flat"].error < 0.05


def test_wrong_results_and_patterns_of_arrival():
    bad = [*several(8, "binomial", 9), sample(8, "binomial", 9, "z", wrong=1)]
    assert evidence.gains(bad) == {}
    mixed = [sample(8, "chain", 4), sample(8, "chain", 1, arrival="last_late:1x")]
    assert evidence.gains(mixed)[Cell("bcast", 8)]["chain"].mean == pytest.approx(math.log(2))
    lost = evidence.regret([*mixed, sample(8, "flat", 5)], {Cell("bcast", 8): "chain"})[Cell("bcast", 8)]
    assert lost == {"none": pytest.approx(1.25), "last_late:1x": pytest.approx(1)}


# Decisions.


def test_native_keeps_what_nothing_is_shown_to_win():
    assert specs(several(8, "binomial", 1.02)) == ["native"]
    assert specs(several(8, "binomial", 1.3, spread=0.5)) == ["native"]
    assert specs(several(8, "binomial", 1.3)) == ["binomial"]


def test_within_noise_the_neighbour_and_the_simpler_spec_win():
    tried = [*several(8, "flat", 2), *several(64, "flat", 1.99), *several(64, "node(flat)", 2.0)]
    assert specs(tried) == ["flat", "flat"]
    assert specs([*several(8, "node(ring, senders=4)", 2.0), *several(8, "flat", 1.99)]) == ["flat"]
    assert specs([*several(8, "flat", 2), *several(64, "flat", 1.5), *several(64, "chain", 2)]) == ["flat", "chain"]


def test_a_size_in_doubt_goes_with_won_ones_on_both_sides():
    won = [*several(8, "flat", 2), *several(512, "flat", 2)]
    assert specs([*won, *several(64, "flat", 1.1, spread=0.5)]) == ["flat"] * 3
    assert specs([*won, *several(64, "flat", 0.98, spread=0.5)]) == ["flat", "native", "flat"]
    assert specs([*won, *several(4096, "flat", 1.1, spread=0.5)]) == ["flat", "flat", "native"]


def test_a_changeover_lies_where_both_take_the_same_time():
    tried = [
        *several(1024, "flat", 2.0), *several(1024, "chain", 1.0),
        *several(16384, "flat", 1.0), *several(16384, "chain", 2.0),
    ]  # fmt: skip
    known = evidence.gains(tried)
    (change,) = deciding.changeovers(known, deciding.row_of("bcast", known))
    assert (change.before, change.after) == ("flat", "chain")
    assert change.size == pytest.approx(4096, rel=0.01)
    assert 1024 <= change.low < 4096 < change.high <= 16384
    first, second = deciding.rules(known, deciding.row_of("bcast", known))
    assert first.size.startswith("0:40") and second.size.endswith(":")
    assert int(second.size.rstrip(":")) == int(first.size.partition(":")[2]) + 1


def test_borders_keep_to_their_sizes():
    """A line that crosses at or beyond a size leaves both rules something."""
    tried = [
        *several(8, "flat", 2.0), *several(16, "chain", 2.0), *several(24, "flat", 2.0), *several(24, "chain", 1.9999),
    ]  # fmt: skip
    known = evidence.gains(tried)
    found = deciding.rules(known, deciding.row_of("bcast", known))
    assert core.load().check_profile(writing.profile([(FOUR, found, [])], ABOUT)) == []


def test_one_rule_for_all_sizes_must_lose_at_none():
    wins = [*several(8, "linear", 2, collective="gatherv"), *several(64, "linear", 1.5, collective="gatherv")]
    row = deciding.row_of("gatherv", evidence.gains(wins))
    assert [(rule.spec, rule.size) for rule in deciding.rules(evidence.gains(wins), row)] == [("linear", "")]
    loses = [*wins[:4], *several(64, "linear", 0.5, collective="gatherv")]
    row = deciding.row_of("gatherv", evidence.gains(loses))
    assert deciding.rules(evidence.gains(loses), row)[0].spec == NATIVE


# Cold and warm buffers.


def in_states(size, spec, cold, warm, **more):
    return [*several(size, spec, cold, **more), *several(size, spec, warm, cache="warm", **more)]


def test_a_gain_is_the_mean_over_the_states_and_each_stands_beside_it():
    gain = evidence.gains(in_states(8, "flat", 2.0, 4.5))[Cell("bcast", 8)]["flat"]
    assert (gain.mean, gain.launches) == (pytest.approx(math.log(3)), 4)
    assert [(state, round(math.exp(each.mean), 3)) for state, each in gain.states] == [("cold", 2.0), ("warm", 4.5)]
    assert gain.spec_us == pytest.approx(100 / 3, rel=0.01)
    alone = evidence.gains(several(8, "flat", 2.0))[Cell("bcast", 8)]["flat"]
    assert alone.states == ()


def test_the_best_mean_serves_but_not_what_is_slower_than_native_in_one_state():
    assert specs([*in_states(8, "flat", 1.2, 1.2), *in_states(8, "chain", 1.1, 2.0)]) == ["chain"]
    assert specs([*in_states(8, "flat", 1.2, 1.2), *in_states(8, "chain", 0.8, 3.0)]) == ["flat"]
    assert specs(in_states(8, "chain", 3.0, 0.8)) == ["native"]
    doubtful = in_states(8, "chain", 3.0, 0.95, spread=0.2)
    assert specs(doubtful) == ["native"]  # it may be slower with warm buffers, and is measured until that is known
    (gain,) = evidence.gains(doubtful)[Cell("bcast", 8)].values()
    assert not gain.slower_in and gain.behind_in == "warm" and deciding.open_question(gain)
    gatherv = in_states(8, "linear", 3.0, 0.8, collective="gatherv")
    known = evidence.gains(gatherv)
    assert deciding.rules(known, deciding.row_of("gatherv", known))[0].spec == NATIVE


def test_launches_without_one_of_the_states_do_not_count(tmp_path):
    half = [sample(8, "flat", 9.0, "old"), *in_states(8, "flat", 2.0, 2.0)]
    gain = evidence.gains(half)[Cell("bcast", 8)]["flat"]
    assert (gain.mean, gain.launches) == (pytest.approx(math.log(2)), 4)
    line = json.loads(evidence.as_line(half[0]))
    del line["cache"]  # of an earlier version
    assert evidence.from_line(json.dumps(line)).cache == "cold"
    assert evidence.regret(half, {Cell("bcast", 8): "flat"})[Cell("bcast", 8)].keys() == {"none, cold", "none, warm"}


def test_a_rule_says_both_figures_where_they_are_apart_and_is_checked_in_both(tmp_path):
    contents = text_of(in_states(8, "flat", 1.2, 2.0))
    assert "1.55 times native's speed" in contents and "; cold 1.20, warm 2.00" in contents
    slower = text_of(in_states(8, "flat", 0.8, 3.0))
    assert 'use = "native"' in slower and "(nearest flat, 1.55 of its speed; cold 0.80, warm 3.00)" in slower
    assert 'caches = ["cold", "warm"]' in contents and "cold = 1.2, warm = 2.0, " in contents
    assert core.load().check_profile(contents) == []
    assert "cold" not in text_of(in_states(8, "flat", 2.0, 2.1)).partition("[rule.measured]")[0]
    file = tmp_path / "p.toml"
    file.write_text(contents)
    (old,) = checking.measured_rules(file)
    assert old.states == ["cold", "warm"]
    now = evidence.gains(in_states(8, "flat", 0.8, 2.0))[old.cell]
    assert checking.verdict(old, now) == "native is faster now (cold)"
    file.write_text(text_of(TRIED))
    assert checking.measured_rules(file)[0].states == ["cold"]


# Writing and checking.

ABOUT = {"date": "2026-01-02", "command": "tutti tune", "environment": {"id": "abc", "cpu": "X", "mpi": "Y 1"}}


def text_of(samples, layout=FOUR):
    known = evidence.gains(samples)
    row = deciding.row_of("bcast", known)
    return writing.profile([(layout, deciding.rules(known, row), deciding.changeovers(known, row))], ABOUT)


TRIED = [
    *several(1024, "flat", 2.0), *several(1024, "chain", 1.5), *several(16384, "flat", 1.5),
    *several(16384, "chain", 2.0),
]  # fmt: skip


def test_a_profile_is_read_by_the_library_and_carries_its_evidence(tmp_path):
    contents = text_of(TRIED)
    assert core.load().check_profile(contents) == []
    assert 'nodes = "4"\nranks = "16"\nppn = "4"' in contents
    assert "# 16 ranks on 4 nodes of 4: bcast changes from flat to chain at" in contents
    file = tmp_path / "p.toml"
    file.write_text(contents)
    old = checking.measured_rules(file)
    assert [(one.layout, one.cell, one.rivals) for one in old] == [
        (FOUR, Cell("bcast", 1024), ["flat", "chain"]),
        (FOUR, Cell("bcast", 16384), ["chain", "flat"]),
    ]
    assert checking.verdict(old[0], evidence.gains(TRIED)[old[0].cell]) == "holds"
    turned = evidence.gains([*several(1024, "flat", 1.0), *several(1024, "chain", 2.0)])[old[0].cell]
    assert checking.verdict(old[0], turned) == "chain is faster now"
    slow = evidence.gains(several(1024, "flat", 0.5))[old[0].cell]
    assert checking.verdict(old[0], slow) == "native is faster now"


def test_explain_shows_rule_measurement_and_runner_up(tmp_path, tutti):
    file = tmp_path / "p.toml"
    file.write_text(text_of(TRIED))
    done = tutti("explain", "bcast", "-s", "1K", "-n", "16", "-N", "4", "--json", TUTTI_PROFILE=str(file))
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert row["choice"] == "flat" and row["reason"].startswith("p.toml line ")
    assert row["measured"]["native_us"] == 100 and row["measured"]["runner_up"] == "chain"
    assert "2.00 times native's speed" in row["because"] and "next chain" in row["because"]


def test_what_changed_around_a_profile_is_named():
    assert checking.differences({"cpu": "A", "mpi": "M"}, {"cpu": "B", "mpi": "M", "id": "1"}) == [
        "cpu was 'A' and is 'B'"
    ]


def test_measurements_of_what_may_not_be_chosen_decide_nothing(tmp_path):
    """A folder of measurements that a tuning without --for left."""
    store = Store(tmp_path / "evidence.jsonl")
    for sample in (*several(8, "node(native)", 3.0), *several(8, "binomial", 2.0)):
        store.add(sample)
    tuning = SimpleNamespace(store=store, able=lambda collective, spec, layout: not spec.startswith("node"))
    [(_, rules, _)] = Tuning.decided(tuning)
    assert [rule.spec for rule in rules] == ["binomial"]


# Starting.


def test_a_command_of_the_users_own_is_filled_in():
    chosen = Mpi("mpich", "5.0.2", mpi.Path("/x/bin/mpiexec"), "named")
    local = Local(chosen, "run -N {nodes} --ppn {ppn} {env:-x} --")
    assert local.command(FOUR, ["app"], {"A": "1", "B": "2"}) == [
        "run", "-N", "4", "--ppn", "4", "-x", "A=1", "-x", "B=2", "--", "app",
    ]  # fmt: skip
    with pytest.raises(UserError, match=r"\{env:-x\}"):
        launcher_named("run {ranks}")


def test_layouts_are_ranks_on_nodes():
    assert layouts_of([2, 8], None, None) == [Layout(2), Layout(8)]
    assert layouts_of(None, 4, 4) == [FOUR]
    assert layouts_of([16], None, 4) == [FOUR]
    with pytest.raises(UserError, match="do not fit"):
        layouts_of([17], 4, 4)


def test_an_application_is_tuned_for_what_costs_it_most():
    many = [used.Used(Cell("bcast", size), 8, 10, seconds) for size, seconds in ((8, 5.0), (64, 3.0), (512, 0.001))]
    other = used.Used(Cell("allreduce", 8), 4, 10, 9.0)
    assert used.worth_tuning([*many, other], 8) == [Cell("bcast", 8), Cell("bcast", 64)]
    assert used.worth_tuning([other], 8) == []
