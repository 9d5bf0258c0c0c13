"""What tables over emulated nodes are made of, without a cluster: bounds, choices, rules, launches that are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from cluster_bench import CANDIDATES, Launches, Wire, best, cells, rules
from tutti import core


def line(spec, times, native=100.0, collective="bcast", wrong=0):
    """A launch in which that spec takes so many microseconds, by size."""
    results = []
    for size, us in times.items():
        common = {"collective": collective, "size": size, "ranks": 16, "repetitions": 30}
        results.append(common | {"variant": "native", "median_us": native, "choice": "", "wrong": 0})
        results.append(common | {"variant": "tutti", "median_us": us, "choice": spec, "wrong": wrong})
    return {"key": spec, "results": results}


def by_spec(**launches):
    return {spec: {cell.key.size: cell for cell in cells([of])} for spec, of in launches.items()}


def test_the_wire_takes_what_must_leave_or_enter_a_node():
    wire = Wire(nodes=4, per_node=4, rate=1e9)
    one = wire.seconds("bcast", 1 << 20)
    assert one == pytest.approx((1 << 20) * 8 * 1538 / 1448 / 1e9)
    assert wire.seconds("allreduce", 1 << 20) == pytest.approx(1.5 * one)
    assert wire.seconds("allgather", 1 << 20) == pytest.approx(12 * one)
    assert wire.seconds("alltoall", 1 << 20) == pytest.approx(48 * one)
    assert wire.seconds("barrier", 0) == 0


def test_the_fastest_serves_and_native_where_none_gains():
    tried = by_spec(a=line("a", {8: 50, 64: 90, 512: 120}), b=line("b", {8: 80, 64: 60, 512: 110}))
    chosen = best(tried, [8, 64, 512])
    assert [chosen[size].spec for size in (8, 64, 512)] == ["a", "b", "native"]
    assert chosen[8].gain == pytest.approx(2)


def test_a_neighbour_within_noise_keeps_its_place():
    tried = by_spec(a=line("a", {8: 50, 64: 51}), b=line("b", {8: 80, 64: 50}))
    assert [one.spec for one in best(tried, [8, 64]).values()] == ["a", "a"]


def test_a_wrong_result_is_never_chosen():
    tried = by_spec(a=line("a", {8: 10}, wrong=3))
    assert best(tried, [8])[8].spec == "native"


def test_what_was_not_measured_is_left_to_the_library():
    assert best({}, [8])[8].spec == "native"


def test_rules_meet_half_way_and_parse():
    tried = by_spec(a=line("node(flat)", {1024: 50, 4096: 100}), b=line("node(binomial)", {1024: 90, 4096: 40}))
    renamed = {"node(flat)": tried["a"], "node(binomial)": tried["b"]}
    parts = rules("bcast", best(renamed, [1024, 4096]), 'nodes = "4"\nppn = "4"\n')
    assert len(parts) == 2
    assert 'use = "node(flat)"' in parts[0] and 'size = "0:2048"' in parts[0]
    assert 'use = "node(binomial)"' in parts[1] and 'size = "2049:"' in parts[1]
    assert "1K x 2.00" in parts[0]


def test_launches_are_kept_and_found_again(tmp_path):
    file = tmp_path / "tables" / "launches.jsonl"
    Launches(file).add({"key": "one", "results": []})
    assert Launches(file).known == {"one": {"key": "one", "results": []}}


@pytest.mark.parametrize("collective", CANDIDATES)
def test_candidates_are_specs(collective):
    for spec in CANDIDATES[collective]:
        named = spec.replace("{ppn}", "4")
        assert core.load().parse_spec(named, collective)
