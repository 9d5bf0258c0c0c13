"""What the report says."""

from __future__ import annotations

import json

import pytest
from helpers.hanging import WORLD, A, B, call, job, rank
from tutti.hang import model, page


def waiting(number, **more):
    return rank(number, call("Allreduce", 5, inside=True, bytes=8, op="MPI_SUM", site="s.c:40 step"), **more)


def report():
    lost = rank(1, call("Barrier", 4, site="s.c:31 start"), where="mpi", doing="MPI_Recv", site="h.c:12 swap")
    return job(waiting(0), lost, waiting(2))


def test_a_report_names_ranks_call_and_lines():
    lines = page.text(report()).splitlines()
    assert lines[0] == "tutti hang: 3 ranks of app on node1, looked at for 0.3 s"
    assert "MPI_Allreduce (8 bytes, MPI_SUM), call 5 of MPI_COMM_WORLD: rank 1 has not come" in lines
    assert "  ranks 0,2: came at s.c:40 step" in lines
    missing = "    1  in MPI_Recv at h.c:12 swap; last called MPI_Barrier, call 4 of MPI_COMM_WORLD at s.c:31 start"
    assert missing in lines


def test_a_report_from_inside_says_how_long_there_was_no_progress():
    assert page.text(report(), 60).startswith("tutti hang: no progress for 60 s: 3 ranks of app on node1")


@pytest.mark.parametrize(
    ("where", "doing", "words"),
    [
        ("stopped", "", "stopped (by a signal or a debugger)"),
        ("asleep", "sleep", "asleep in sleep at x.c:1 f"),
        ("program", "", "computing at x.c:1 f"),
        ("program", "read", "in read at x.c:1 f"),
        ("mpi", "inside libmpi.so.12", "inside libmpi.so.12 at x.c:1 f"),
        ("unknown", "ptrace: Operation not permitted", "it cannot be told where (ptrace: Operation not permitted)"),
    ],
)
def test_what_a_missing_rank_does(where, doing, words):
    text = page.text(job(waiting(0), rank(1, where=where, doing=doing, site="x.c:1 f"), waiting(2)))
    assert f"    1  {words}; it has made no collective call" in text.splitlines()


def test_ranks_that_cannot_be_seen_say_why():
    gone = model.Rank(0, 1, shows=False, where="gone", why="its process has ended")
    far = model.Rank(0, 2, shows=False, where="unseen", why="on another node, or ended")
    bare = model.Rank(0, 3, shows=False, where="program", why="libtutti.so is not preloaded", site="x.c:1 f")
    text = page.text(job(waiting(0, size=4), gone, far, bare))
    assert "1  gone: its process has ended" in text
    assert "2  not seen: on another node, or ended" in text
    assert "3  computing at x.c:1 f; libtutti.so is not preloaded" in text


def test_communicators_that_look_alike_get_letters():
    both = {A: (0, 1), B: (0, 1)}
    text = page.text(
        job(
            rank(0, call("Barrier", 1, on=A, inside=True), comms=both),
            rank(1, call("Barrier", 1, on=B, inside=True), comms=both),
        )
    )
    assert "call 1 of the communicator A of ranks 0-1 (MPI_Comm_dup): rank 1 waits in another call" in text
    assert "call 1 of the communicator B of ranks 0-1 (MPI_Comm_dup): rank 0 waits in another call" in text


def test_a_thousand_ranks_fit_on_a_page():
    size = 1000
    some = [waiting(i, size=size) for i in range(500)]
    others = [rank(i, where="program", site=f"x.c:{i} f", size=size) for i in range(500, size)]
    lines = page.text(job(*some, *others)).splitlines()
    assert len(lines) < 60
    assert any("more ranks: --json has all" in line for line in lines)


def test_nobody_waits():
    text = page.text(job(*[rank(i, where="mpi", doing="MPI_Recv", site="h.c:3 f") for i in range(3)]))
    assert "no rank waits in a collective call" in text
    assert "    0-2  in MPI_Recv at h.c:3 f; it has made no collective call" in text.splitlines()


@pytest.mark.parametrize(("ranks", "text"), [([3], "3"), ([0, 1, 2, 5], "0-2,5"), ([4, 2, 3], "2-4"), ([], "")])
def test_ranges(ranks, text):
    assert page.ranges(ranks) == text


def test_what_is_saved_comes_back():
    saved = json.dumps(model.to_json(report()))
    assert model.of_json(json.loads(saved)) == report()


def test_two_nodes_make_one_job():
    near, far = waiting(0, size=2), rank(1, size=2, where="program")
    unseen = [model.Rank(0, i, shows=False, where="unseen") for i in (0, 1)]
    merged = model.merged([job(near, unseen[1]), job(unseen[0], far)])
    assert [each.where for each in merged.ranks] == ["collective", "program"]
    assert merged.ranks[1].communicators[WORLD].size == 2
