"""tutti tune: what is thought of candidates that were not measured."""

import math

import pytest
from tutti.tuning import exploring
from tutti.tuning.evidence import Cell, Gain
from tutti.tuning.layout import Layout
from tutti.tuning.model import Model, features
from tutti.tuning.surrogate import Surrogate, improvement

TWO = Layout(8, 4, 2)


def learnt(gains: dict[tuple[str, int], float], collective="allgather", native=1000.0) -> Surrogate:
    """From (spec, size) and the logarithm of the gain."""
    known: dict[Cell, dict[str, Gain]] = {}
    for (spec, size), gain in gains.items():
        known.setdefault(Cell(collective, size), {})[spec] = Gain(gain, 0.02, 3, native, native / math.exp(gain))
    one = Surrogate(Model(TWO))
    one.model.learn(collective, {(spec, size): native / math.exp(gain) for (spec, size), gain in gains.items()})
    one.learn(collective, known)
    return one


def test_what_was_measured_is_known_and_what_is_akin_is_known_better_than_the_rest():
    one = learnt({("ring", 1 << 15): 0.3, ("bruck", 1 << 15): -0.4, ("ring", 8): -0.5})
    judged = one.judge(Cell("allgather", 1 << 15), ["ring", "node(ring)", "node(sparbit)"])
    assert judged["ring"] == (pytest.approx(0.3, abs=0.02), pytest.approx(0.02, abs=0.01))
    assert judged["ring"][1] < judged["node(ring)"][1] < judged["node(sparbit)"][1]


def test_a_neighbouring_size_counts_and_a_far_one_counts_less():
    one = learnt({("ring", 1 << 15): 0.3, ("bruck", 1 << 15): 0.3})
    near, far = (one.judge(Cell("allgather", size), ["ring"])["ring"][1] for size in (1 << 14, 8))
    assert near < far


def test_nothing_is_said_of_a_collective_of_which_nothing_is_known():
    assert learnt({("ring", 8): 0.1}).judge(Cell("bcast", 8), ["flat"]) == {}


def test_what_leaves_a_node_is_counted_by_node():
    size = 1 << 15
    ring, by_two, hierarchy = (features("allgather", spec, TWO, size) for spec in ("ring", "k_ring(k=2)", "node(ring)"))
    assert (ring.link, by_two.link, hierarchy.link) == (7 * size, 6 * size, 6 * size)
    assert (ring.hops, ring.crossings, hierarchy.crossings) == (7, 4, 3)


def test_improvement_is_what_is_above_the_best_by_how_likely_it_is():
    assert improvement(0.5, 0.0, 0.2) == pytest.approx(0.3) and improvement(0.1, 0.0, 0.2) == 0.0
    assert improvement(0.2, 0.1, 0.2) == pytest.approx(0.1 / math.sqrt(2 * math.pi))
    assert improvement(0.2, 0.2, 0.2) > improvement(0.2, 0.1, 0.2) > improvement(0.1, 0.1, 0.2)


def test_a_first_look_goes_to_what_may_be_better_and_to_nothing_that_is_not():
    cell = Cell("allgather", 1 << 15)
    every = ["ring", "k_ring(k=2)", "bruck", "node(bruck)"]
    gains = {"ring": 0.3, "direct": -0.1, "bruck": -0.9, "sparbit": -0.5, "node(ring)": 0.2}
    one = exploring.Exploring(learnt({(spec, cell.size): gain for spec, gain in gains.items()}), TWO)
    measured = {spec: Gain(gain, 0.02, 3, 1.0, 1.0) for spec, gain in gains.items()}
    assert one.new(cell, every, measured)[0] == "k_ring(k=2)"
    assert one.new(cell, ["bruck", "k_bruck(k=2)"], measured) == []
    one.widen({cell: measured})  # once there is nothing better to do
    assert one.new(cell, ["bruck", "k_bruck(k=2)"], measured) == ["k_bruck(k=2)"]
