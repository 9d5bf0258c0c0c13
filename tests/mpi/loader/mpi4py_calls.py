"""Collectives from Python; prints how many of them tutti has seen on rank 0 (-1 without tutti)."""

import ctypes

import numpy
from mpi4py import MPI


class Counters(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("calls", "eligible", "node", "flat")]


def counted() -> int:
    process = ctypes.CDLL(None)
    counters = Counters()
    if not hasattr(process, "tutti_get_counters"):
        return -1
    assert process.tutti_get_counters(b"", ctypes.byref(counters)) == 0
    return counters.calls


def main() -> None:
    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size
    for i in range(6):
        total = numpy.empty(5, dtype="i")
        world.Allreduce(numpy.full(5, rank + i, dtype="i"), total)
        assert (total == size * (size - 1) // 2 + size * i).all()
        assert world.bcast({"round": i} if rank == 0 else None) == {"round": i}
        gathered = numpy.empty(size, dtype="i")
        world.Allgatherv(numpy.array([rank], dtype="i"), [gathered, [1] * size])
        assert list(gathered) == list(range(size))
    if rank == 0:
        print("mpi4py: right, counted", "some" if counted() >= 18 else counted())


main()
