"""tutti tune: candidates, and the model of what they cost."""

import pytest
from helpers.tunings import FOUR
from tutti import core
from tutti.tuning import candidates, model
from tutti.tuning.layout import Layout


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
