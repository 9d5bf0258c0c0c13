"""Waits for late ranks that a call's meaning does not ask for."""

import numpy as np
import pytest
from tutti.record.early import avoidable, awaited, ready

BEGIN = np.array([[1.0, 3.0, 2.0, 4.0]])


@pytest.mark.parametrize(
    ("collective", "root", "expected"),
    [
        ("reduce", 1, [1, 4, 2, 4]),
        ("gatherv", 1, [1, 4, 2, 4]),
        ("bcast", 1, [3, 3, 3, 4]),
        ("scatter", 1, [3, 3, 3, 4]),
        ("scan", -1, [1, 3, 3, 4]),
        ("allreduce", -1, [4, 4, 4, 4]),
        ("barrier", -1, [4, 4, 4, 4]),
        ("reduce", -1, [4, 4, 4, 4]),  # whose root is not known
    ],
)
def test_ranks_have_what_they_need_as_the_contract_says(collective, root, expected):
    assert ready(BEGIN, collective, root, 8).tolist() == [expected]


def test_calls_of_no_bytes_need_nobody_but_a_barrier_does():
    assert awaited("allgather", -1, 3, 0) == ["nobody"] * 3
    assert awaited("barrier", -1, 3, 0) == ["all"] * 3


def test_calls_of_several_communicators_and_kinds_are_told_apart():
    # A reduce of two ranks, whose rank 1 waits in vain; a barrier of three; a reduce whose rank 1 leaves early.
    instance, place = np.array([7, 7, 2, 2, 2, 9, 9]), np.array([1, 0, 2, 0, 1, 0, 1])
    begin = np.array([0.0, 4.0, 0.0, 1.0, 5.0, 3.0, 0.0])
    end = np.array([5.0, 5.0, 6.0, 6.0, 6.0, 4.0, 1.0])
    kinds = np.empty((7, 3), dtype=object)
    kinds[:2] = kinds[5:] = ("reduce", 0, 8)
    kinds[2:5] = ("barrier", -1, 0)
    assert avoidable(begin, end, instance, place, kinds).tolist() == [4, 0, 0, 0, 0, 0, 1]
