"""tutti tune: the profile as it is written, read again, explained and checked."""

import json

from helpers.tunings import FOUR, TRIED, in_states, several, text_of
from tutti import core
from tutti.tuning import checking, evidence
from tutti.tuning.evidence import Cell


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
