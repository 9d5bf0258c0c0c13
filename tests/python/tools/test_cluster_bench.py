"""What tables over emulated nodes are made of, without a cluster: bounds, launches that are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from cluster_bench import Launches, Wire


def test_the_wire_takes_what_must_leave_or_enter_a_node():
    wire = Wire(nodes=4, per_node=4, rate=1e9)
    one = wire.seconds("bcast", 1 << 20)
    assert one == pytest.approx((1 << 20) * 8 * 1538 / 1448 / 1e9)
    assert wire.seconds("allreduce", 1 << 20) == pytest.approx(1.5 * one)
    assert wire.seconds("allgather", 1 << 20) == pytest.approx(12 * one)
    assert wire.seconds("alltoall", 1 << 20) == pytest.approx(48 * one)
    assert wire.seconds("barrier", 0) == 0


def test_launches_are_kept_and_found_again(tmp_path):
    file = tmp_path / "tables" / "launches.jsonl"
    Launches(file).add({"key": "one", "results": []})
    assert Launches(file).known == {"one": {"key": "one", "results": []}}
