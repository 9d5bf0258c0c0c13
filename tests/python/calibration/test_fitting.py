"""From times to parameters: known machines are found again."""

from __future__ import annotations

import random

import pytest
from tutti.calibration import fitting, writing
from tutti.calibration.fitting import Launch
from tutti.calibration.measuring import SIZES
from tutti.results.statistics import Estimate, Interval
from tutti.simulation import machine

JUMP = 16384


def message(size: int) -> float:
    """1 us and 2 GB/s, from 16 KiB on 6 us and 10 GB/s."""
    return 1e-6 + size / 2e9 if size < JUMP else 6e-6 + size / 10e9


def launch(noise: float, seed: int) -> Launch:
    drawn = random.Random(seed)
    return Launch({size: message(size) * (1 + drawn.uniform(-noise, noise)) for size in SIZES}, 0.3e-6)


def test_pieces_are_found_with_their_borders():
    first, second = fitting.pieces_of({size: message(size) for size in SIZES})
    assert (first.start, second.start) == (0, JUMP)
    assert first.latency == pytest.approx(1e-6, rel=1e-3)
    assert 1 / first.per_byte == pytest.approx(2e9, rel=1e-3)
    assert second.latency == pytest.approx(6e-6, rel=1e-3)
    assert 1 / second.per_byte == pytest.approx(10e9, rel=1e-3)


def test_one_protocol_is_one_piece_in_spite_of_noise():
    drawn = random.Random(1)
    times = {size: (1e-6 + size / 5e9) * (1 + drawn.uniform(-0.02, 0.02)) for size in SIZES}
    (piece,) = fitting.pieces_of(times)
    assert piece.latency == pytest.approx(1e-6, rel=0.03)
    assert 1 / piece.per_byte == pytest.approx(5e9, rel=0.05)
    assert fitting.rendezvous_of([piece]) is None


def test_a_link_is_found_with_intervals_that_hold_it():
    found = fitting.link_of([launch(0.03, seed) for seed in range(5)])
    assert found.overhead.value == pytest.approx(0.3e-6)
    assert found.latency.interval.low <= found.latency.value <= found.latency.interval.high
    assert found.latency.value == pytest.approx(1e-6 + SIZES[0] / 2e9 - 0.6e-6, rel=0.1)
    assert 1 / found.per_byte.value == pytest.approx(10e9, rel=0.1)
    assert found.rendezvous == JUMP


def test_overheads_leave_room_for_the_wire():
    found = fitting.link_of([Launch({8: 1e-6, 16: 1e-6, 32: 1e-6}, 5e-6)])
    assert found.latency.value > 0
    assert 2 * found.overhead.value + found.latency.value == pytest.approx(1e-6)
    with pytest.raises(ValueError, match="2 sizes were measured, and 3 are needed"):
        fitting.link_of([Launch({8: 1e-6, 16: 1e-6}, 1e-6)])


def test_what_is_written_is_read_again(tmp_path):
    link = fitting.link_of([launch(0.03, seed) for seed in range(3)])
    rate = Estimate(0.1e-9, Interval(0.09e-9, 0.12e-9), 3)
    of = writing.Calibrated('my "site"', "measured", 4, 8, 2, {"within": link, "between": link}, rate, rate)
    file = tmp_path / "site.toml"
    file.write_text(writing.text_of(of))
    found = machine.load(str(file))
    assert (found["name"], found["nodes"], found["per_node"], found["cards"]) == ('my "site"', 4, 8, 2)
    assert found["between"]["latency"] == pytest.approx(link.latency.value, rel=1e-3)
    assert found["within"]["per_byte"] == pytest.approx(link.per_byte.value, rel=1e-3)
    assert found["between"]["rendezvous"] == JUMP
    low, high = found["interval"]["between.latency"]
    assert low == pytest.approx(link.latency.interval.low, rel=1e-3)
    assert high == pytest.approx(link.latency.interval.high, rel=1e-3)
    assert found["interval"]["reduce_per_byte"] == pytest.approx([0.09e-9, 0.12e-9], rel=1e-3)
    assert [piece["from"] for piece in found["pieces"]["between"]] == [0, JUMP]
