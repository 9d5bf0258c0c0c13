"""The emulated cluster's parts that need no root: placements, plans, the filter that tells flows apart."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from cluster import ClusterError, flows
from cluster.placement import place, runs
from cluster.plan import Plan, bits_per_second, buffer_bytes
from cluster.processors import bound, share_of


def test_placements():
    assert place("block", 3) == [0, 1, 2]
    assert place("block", 3, ranks=7) == [0, 0, 0, 1, 1, 2, 2]
    assert place("block", 3, per_node=2) == [0, 0, 1, 1, 2, 2]
    assert place("block", 3, ranks=3, per_node=2) == [0, 0, 1]
    assert place("cyclic", 3, ranks=7) == [0, 1, 2, 0, 1, 2, 0]
    assert place("uneven:2,0,1", 3) == [0, 0, 2]


def test_random_placements_are_a_shuffled_block_and_repeat():
    once = place("random:5", 4, ranks=32)
    assert once == place("random:5", 4, ranks=32) != place("random:6", 4, ranks=32)
    assert sorted(once) == place("block", 4, ranks=32) != once


@pytest.mark.parametrize(
    ("way", "ranks", "per_node"),
    [
        ("spiral", 4, None),
        ("random", 4, None),
        ("random:x", 4, None),
        ("uneven:", None, None),
        ("uneven:0,0", None, None),
        ("uneven:1,-1", None, None),
        ("uneven:1,1,1", None, None),
        ("uneven:2,2", 5, None),
        ("block", 5, 2),
        ("block", 0, None),
    ],
)
def test_impossible_placements(way, ranks, per_node):
    with pytest.raises(ClusterError):
        place(way, 2, ranks, per_node)


def test_runs():
    assert runs([0, 0, 2, 0]) == [(0, 2), (2, 1), (0, 1)]


def test_plans():
    assert bits_per_second("2.5gbit") == 2_500_000_000
    assert buffer_bytes("shallow") < buffer_bytes("deep")
    for wrong in ({"nodes": 0}, {"nodes": 251}, {"rate": "1gb"}, {"rate": "1kbit"}, {"buffers": "7"}):
        with pytest.raises(ClusterError):
            Plan(**wrong)


def carry_out(frame: bytes) -> int:
    """Interprets the filter's classic BPF as the kernel does."""
    a = x = place = 0
    while True:
        code, if_equal, if_not, k = flows.PROGRAM[place]
        place += 1
        if code in (flows.LOAD_HALF, flows.LOAD_BYTE, flows.LOAD_WORD):
            size = {flows.LOAD_BYTE: 1, flows.LOAD_HALF: 2, flows.LOAD_WORD: 4}[code]
            a = int.from_bytes(frame[k : k + size], "big")
        elif code == flows.JUMP_EQUAL:
            place += if_equal if a == k else if_not
        elif code in (flows.RETURN, flows.RETURN_A):
            return k if code == flows.RETURN else a
        elif code == flows.TO_X:
            x = a
        else:
            results = {flows.XOR_X: a ^ x, flows.ADD: a + k, flows.MULTIPLY: a * k, flows.SHIFT_RIGHT: a >> k}
            a = results[code] & 0xFFFFFFFF


def frame(source: int, destination: int, ports: tuple[int, int], ethertype: int = 0x0800, protocol: int = 6) -> bytes:
    ethernet = bytes(12) + struct.pack(">H", ethertype)
    internet = struct.pack(
        ">BBHIBBH4s4s", 0x45, 0, 40, 0, 64, protocol, 0, *(bytes([10, 77, 0, i]) for i in (source, destination))
    )
    return ethernet + internet + struct.pack(">HH", *ports) + bytes(16)


def test_flows_are_told_apart():
    same = {carry_out(frame(1, 2, (40000, 50000)) + bytes([i])) for i in range(5)}
    assert len(same) == 1, "a connection's packets have one class"
    classes = [carry_out(frame(1, to, (40000 + 2 * i, 50000))) for to in (2, 3, 4) for i in range(100)]
    first = (1 << 16) + flows.FIRST
    assert all(first <= one < first + flows.CLASSES for one in classes)
    assert len(set(classes)) >= 240  # by chance alone, 300 balls in 1024 bins fill 260 of them, give or take six


def test_what_is_not_tcp_has_the_filters_own_class():
    assert carry_out(frame(1, 2, (1, 2), ethertype=0x0806)) == flows.FILTERS_OWN
    assert carry_out(frame(1, 2, (1, 2), protocol=17)) == flows.FILTERS_OWN


def test_processors_of_a_nodes_own():
    assert [share_of(node, 2, range(4)) for node in range(2)] == [[0, 1], [2, 3]]
    assert [share_of(node, 3, range(8)) for node in range(3)] == [[0, 1], [2, 3, 4], [5, 6, 7]]
    assert [share_of(node, 4, [2, 5]) for node in range(4)] == [[2], [5], [2], [5]]
    assert bound(["true"], [2, 5]) == ["taskset", "-c", "2,5", "true"]
    assert bound(["true"], []) == ["true"]
    with pytest.raises(ClusterError, match="shared or own"):
        Plan(processors="mine")
