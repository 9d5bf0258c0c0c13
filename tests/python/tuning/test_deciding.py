"""tutti tune: from gains to one spec a size, changeovers and rules."""

from types import SimpleNamespace

import pytest
from helpers.tunings import ABOUT, FOUR, in_states, several, specs
from tutti import core
from tutti.tuning import deciding, evidence, writing
from tutti.tuning.evidence import NATIVE, Cell, Store
from tutti.tuning.general import Tuning


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


def test_measurements_of_what_may_not_be_chosen_decide_nothing(tmp_path):
    """A folder of measurements that a tuning without --for left."""
    store = Store(tmp_path / "evidence.jsonl")
    for sample in (*several(8, "node(native)", 3.0), *several(8, "binomial", 2.0)):
        store.add(sample)
    tuning = SimpleNamespace(store=store, able=lambda collective, spec, layout: not spec.startswith("node"))
    [(_, rules, _)] = Tuning.decided(tuning)
    assert [rule.spec for rule in rules] == ["binomial"]
