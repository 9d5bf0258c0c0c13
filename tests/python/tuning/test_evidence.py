"""tutti tune: measurements as they are kept, and the gains that follow from them."""

import json
import math
from dataclasses import replace

import pytest
from helpers.tunings import in_states, sample, several
from tutti.tuning import evidence
from tutti.tuning.evidence import Cell, Store


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


def test_a_gain_is_the_mean_over_the_states_and_each_stands_beside_it():
    gain = evidence.gains(in_states(8, "flat", 2.0, 4.5))[Cell("bcast", 8)]["flat"]
    assert (gain.mean, gain.launches) == (pytest.approx(math.log(3)), 4)
    assert [(state, round(math.exp(each.mean), 3)) for state, each in gain.states] == [("cold", 2.0), ("warm", 4.5)]
    assert gain.spec_us == pytest.approx(100 / 3, rel=0.01)
    alone = evidence.gains(several(8, "flat", 2.0))[Cell("bcast", 8)]["flat"]
    assert alone.states == ()


def test_launches_without_one_of_the_states_do_not_count(tmp_path):
    half = [sample(8, "flat", 9.0, "old"), *in_states(8, "flat", 2.0, 2.0)]
    gain = evidence.gains(half)[Cell("bcast", 8)]["flat"]
    assert (gain.mean, gain.launches) == (pytest.approx(math.log(2)), 4)
    line = json.loads(evidence.as_line(half[0]))
    del line["cache"]  # of an earlier version
    assert evidence.from_line(json.dumps(line)).cache == "cold"
    assert evidence.regret(half, {Cell("bcast", 8): "flat"})[Cell("bcast", 8)].keys() == {"none, cold", "none, warm"}
