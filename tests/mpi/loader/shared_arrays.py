"""tutti.shared on NumPy arrays, run under a launcher: beside mpi4py's own.  Prints "arrays: right"."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
from mpi4py import MPI
from tutti import shared

comm = MPI.COMM_WORLD


def mappings() -> int:
    gc.collect()
    return sum("tutti (deleted)" in line for line in Path("/proc/self/maps").read_text().splitlines())


def same(found, expected, writable: bool) -> None:
    assert found.dtype == expected.dtype and found.shape == expected.shape, (found.dtype, found.shape)
    assert (found == expected).all()
    assert found.flags.writeable == writable
    many = comm.size > 1 and found.size
    words = ("shared", "copy on write") if many else ("private", "none")
    assert shared.kind(found).word in words, shared.kind(found)


def collectives(dtype, writable: bool) -> None:
    mine = (np.arange(3000).reshape(30, 100) + comm.rank).astype(dtype)
    options = {"copy_on_write": writable}
    for root in (0, comm.size - 1):
        found = shared.bcast(comm, mine if comm.rank == root else None, root, **options)
        same(found, comm.bcast(mine, root), writable)
        found = shared.gather(comm, mine, root, **options)
        if comm.rank == root:
            same(found, np.stack(comm.gather(mine, root)), writable)
        else:
            assert found is None and comm.gather(mine, root) is None
    same(shared.allgather(comm, mine, **options), np.stack(comm.allgather(mine)), writable)
    part = mine[: 5 * comm.rank]
    same(shared.allgatherv(comm, part, **options), np.concatenate(comm.allgather(part)), writable)
    rows = (np.arange(comm.size * 40).reshape(comm.size, 40) + comm.rank).astype(dtype)
    same(shared.alltoall(comm, rows, **options), np.stack(comm.alltoall(list(rows))), writable)
    same(shared.allreduce(comm, mine, **options), sum(comm.allgather(mine)).astype(dtype), writable)
    same(shared.allreduce(comm, mine, MPI.MAX, **options), np.max(comm.allgather(mine), axis=0), writable)


def structured() -> None:
    mine = np.zeros(7, dtype=[("place", "f8", 3), ("name", "S5")])
    mine["name"], mine["place"] = b"mesh", comm.rank
    found = shared.bcast(comm, mine[::2] if comm.rank == 0 else None)
    assert (found["name"] == b"mesh").all() and (found["place"] == 0).all() and found.shape == (4,)
    assert shared.bcast(comm, np.empty((0, 3)) if comm.rank == 0 else None).shape == (0, 3)


def lives() -> None:
    before = mappings()
    for _ in range(20):
        table = shared.bcast(comm, np.ones(100_000) if comm.rank == 0 else None)
        tail = table[-5:]
        del table
        assert mappings() == before + (comm.size > 1) and tail.sum() == 5
        del tail
        assert mappings() == before
    with shared.released(shared.allgather(comm, np.ones(5000), copy_on_write=True)) as table:
        comm.Barrier()
        table[:] = comm.rank
        comm.Barrier()
        assert (table == comm.rank).all()
    assert mappings() == before


def refused(error: type, call) -> None:
    try:
        call()
    except error:
        return
    raise AssertionError(f"{call} raised no {error.__name__}")


def errors() -> None:
    refused(MPI.Exception, lambda: shared.bcast(comm, np.ones(3), root=comm.size))
    refused(TypeError, lambda: shared.bcast(comm, np.array([None])))
    refused(TypeError, lambda: shared.bcast(comm, None))
    refused(TypeError, lambda: shared.allreduce(comm, np.zeros(3, [("place", "f8")])))
    refused(ValueError, lambda: shared.alltoall(comm, np.ones(comm.size + 1)))
    refused(ValueError, lambda: shared.free(np.ones(3)))
    if comm.size > 1:
        refused(MPI.Exception, lambda: shared.allgather(comm, np.ones(3 + comm.rank)))


for dtype in ("f8", "i4", "u1", "c16"):
    for writable in (False, True):
        if dtype != "c16":
            collectives(dtype, writable)
structured()
lives()
errors()
comm.Barrier()
if comm.rank == 0:
    print("arrays: right")
