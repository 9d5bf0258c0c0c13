"""The first call in which ranks differ or do not arrive."""

from __future__ import annotations

import pytest
from helpers.hanging import WORLD, A, B, call, job, rank
from tutti.hang import analysis
from tutti.hang.model import Rank


def first(*ranks, size=None):
    return analysis.of_job(job(*ranks, size=size))[0]


def waits(number, call_number=5, name="Barrier", **more):
    return rank(number, call(name, call_number, inside=True), **more)


def test_who_has_not_come_is_missing():
    found = first(waits(0), rank(1, call("Allreduce", 4), where="program"), waits(2))
    assert (found.kind, found.sequence, found.arrived, found.missing) == ("missing", 5, (0, 2), (1,))
    assert found.call.function == "MPI_Barrier"


def test_a_rank_that_has_left_the_call_has_come():
    found = first(waits(0, name="Reduce"), rank(1, call("Reduce", 5), where="program"), rank(2, where="asleep"))
    assert (found.arrived, found.missing) == ((0, 1), (2,))


def test_a_rank_that_never_called_is_missing():
    assert first(waits(0), rank(1, comms={A: (1,)}), waits(2)).missing == (1,)


def test_a_rank_outside_of_the_communicator_is_not():
    pair = {WORLD: (0, 1, 2), A: (0, 2)}
    found = first(
        rank(0, call("Bcast", 1, on=A, inside=True), comms=pair),
        rank(1, where="asleep"),
        rank(2, comms=pair, where="mpi"),
    )
    assert (found.kind, found.missing) == ("missing", (2,))


def test_other_collectives_differ():
    found = first(waits(0), waits(1, name="Allreduce"), waits(2))
    assert (found.kind, found.differs, found.sequence) == ("differ", "collective", 5)
    assert [ranks for _, ranks in found.groups] == [(0, 2), (1,)]


def test_nonblocking_and_blocking_calls_do_not_match():
    found = first(waits(0), rank(1, call("Barrier", 5, form="nonblocking"), where="mpi"), waits(2))
    assert found.differs == "collective"


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [
        ({"root": 0}, {"root": 1}, "root"),
        ({"root": 0, "bytes": 8}, {"root": 0, "bytes": 16}, "bytes"),
        ({"root": 0, "bytes": 8}, {"root": 0, "bytes": None}, ""),
        ({"root": None}, {"root": 0}, ""),
    ],
)
def test_arguments_differ(ours, theirs, what):
    found = first(waits(0, name="Bcast"), rank(1, call("Bcast", 4, **ours)), rank(2, call("Bcast", 4, **theirs)))
    assert found.differs == what
    assert (found.sequence == 4) == bool(what)


def test_bytes_may_differ_where_each_rank_has_its_own():
    found = first(waits(0), rank(1, call("Gatherv", 4, bytes=8)), rank(2, call("Gatherv", 4, bytes=16)))
    assert found.kind == "missing"


def test_operators_differ():
    found = first(waits(0), rank(1, call("Scan", 4, op="MPI_MAX")), rank(2, call("Scan", 4, op="MPI_SUM")))
    assert (found.differs, found.sequence) == ("operator", 4)


def test_the_first_difference_counts_and_not_the_last():
    calls = call("Bcast", 3, root=0), call("Barrier", 4), call("Barrier", 5, inside=True)
    others = call("Bcast", 3, root=1), call("Allreduce", 4), call("Barrier", 5, inside=True)
    found = first(rank(0, *calls), rank(1, *others), rank(2, *calls))
    assert (found.sequence, found.differs) == (3, "root")


def test_two_communicators_in_another_order_are_crossed():
    both = {A: (0, 1), B: (0, 1)}
    found = analysis.of_job(
        job(
            rank(0, call("Barrier", 1, on=A, inside=True), comms=both),
            rank(1, call("Barrier", 1, on=B, inside=True), comms=both),
        )
    )
    assert [(each.kind, each.communicator, each.missing) for each in found] == [
        ("crossed", A, (1,)),
        ("crossed", B, (0,)),
    ]


def test_who_waits_for_somebody_missing_elsewhere_is_not_the_cause():
    pair = {WORLD: (0, 1, 2), A: (1, 2)}
    found = analysis.of_job(
        job(
            waits(0, 2),
            rank(1, call("Barrier", 1, on=A, inside=True), comms=pair),
            rank(2, comms=pair, where="program"),
        )
    )
    assert [(each.kind, each.communicator, each.missing) for each in found] == [
        ("missing", A, (2,)),
        ("missing", WORLD, (1, 2)),
    ]


def test_a_started_call_counts_where_a_rank_waits_for_its_request():
    started = rank(0, call("Allreduce", 5, form="nonblocking"), where="mpi", doing="MPI_Wait")
    found = first(
        started, rank(1, call("Barrier", 4), where="program"), rank(2, call("Allreduce", 5, form="nonblocking"))
    )
    assert (found.kind, found.call.function, found.missing) == ("missing", "MPI_Iallreduce", (1,))


def test_a_started_call_that_all_have_come_to_holds_up_nobody():
    ranks = [rank(i, call("Allreduce", 5, form="nonblocking"), where="mpi", doing="MPI_Wait") for i in range(3)]
    assert analysis.of_job(job(*ranks)) == []


def test_all_have_come():
    assert first(waits(0), waits(1), waits(2)).kind == "complete"


def test_who_is_gone_is_missing_and_who_is_unseen_is_not_known():
    gone = Rank(0, 1, shows=False, where="gone")
    unseen = Rank(0, 2, shows=False, where="unseen")
    found = first(waits(0), gone, unseen)
    assert (found.kind, found.missing, found.unknown) == ("missing", (1,), (2,))
    assert first(waits(0, size=2), unseen, size=2).kind == "unknown"


def test_who_is_not_preloaded_is_missing_where_it_is_outside_of_mpi():
    found = first(waits(0), Rank(0, 1, shows=False, where="program"), Rank(0, 2, shows=False, where="mpi"))
    assert (found.missing, found.unknown) == ((1,), (2,))


def test_who_moves_does_not_wait():
    assert analysis.of_job(job(waits(0, moved=3), waits(1, moved=3), waits(2, moved=2))) == []


def test_finalize():
    ends = [rank(i, call("Finalize", 0, on=None, inside=True)) for i in (0, 2)]
    found = first(ends[0], rank(1, where="asleep"), ends[1])
    assert (found.kind, found.missing) == ("finalize", (1,))


def test_who_waits_in_a_collective_for_one_in_finalize_comes_first():
    found = first(waits(0), rank(1, call("Finalize", 0, on=None, inside=True)), waits(2))
    assert (found.kind, found.missing) == ("missing", (1,))


def test_nobody_waits():
    assert analysis.of_job(job(*[rank(i, call("Barrier", 4), where="mpi", doing="MPI_Recv") for i in range(3)])) == []
