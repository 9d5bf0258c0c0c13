"""Jobs made by hand for the tests of tutti hang: blocks as src/hang writes them, and ranks of the model."""

from __future__ import annotations

import os

from tutti.hang import memory
from tutti.hang.model import Call, Communicator, Job, Rank

WORLD, A, B = 1, 2, 3  # identities


def record(stamp, *, sequence=1, site=0x1000, count=1, kind=8, op=0, root=-1, place=0, code=12, inside=0):
    return memory.RECORD.pack(stamp, sequence, site, 0, count, kind, op, root, place, code, inside)


def communicator(identity, size, *, entered=0, flags=1, ranges=((0, 1, 1),), origin=b"world"):
    numbers = [number for each in ranges for number in each] + [0] * (15 - 3 * len(ranges))
    return memory.COMMUNICATOR.pack(identity, entered, 0, size, 0, flags, len(ranges), 0, 0, *numbers, origin)


def block(rings=(), communicators=(), *, version=1, pid=None, rank=0, size=2, magic=memory.MAGIC):
    """`rings`: (calls so far, thread, {place: record}) of each."""
    own = os.getpid() if pid is None else pid
    head = memory.HEAD.pack(
        magic, version, memory.SIZE, own, rank, size, 0, 1700000000, 0, b"node1", b"77", b"/opt/app"
    )
    names = [
        memory.NAME.pack(12, memory.CALL, 0, b"Allreduce"),
        memory.NAME.pack(8, memory.TYPE, 8, b"MPI_DOUBLE"),
        memory.NAME.pack(5, memory.OPERATOR, 0, b"MPI_SUM"),
    ]
    data = head + b"".join(names).ljust(memory.NAMES * memory.NAME.size, b"\0")
    data += b"".join(communicators).ljust(memory.COMMUNICATORS * memory.COMMUNICATOR.size, b"\0")
    for calls, thread, records in rings:
        data += memory.RING.pack(calls, thread)
        data += b"".join(records.get(place, bytes(memory.RECORD.size)) for place in range(memory.RECORDS))
    return data.ljust(memory.SIZE, b"\0")


def call(name, number, *, on=WORLD, inside=False, site="a.c:1 main", **more):
    return Call(name, communicator=on, sequence=number, site=site, inside=inside, **more)


def rank(number, *calls, size=3, comms=None, where="collective", **more):
    """A rank whose last number on each communicator is that of its newest call there."""
    known = comms or {WORLD: tuple(range(size))}
    entered = dict.fromkeys(known, 0)
    for each in calls:
        if each.communicator is not None:
            entered[each.communicator] = max(entered.get(each.communicator, 0), each.sequence)
    communicators = {
        identity: Communicator(len(members), entered[identity], "world" if identity == WORLD else "Comm_dup", members)
        for identity, members in known.items()
    }
    return Rank(
        0, number, "node1", 100 + number, "/opt/app", where=where, calls=calls, communicators=communicators, **more
    )


def job(*ranks, size=None):
    return Job(ranks, (size or len(ranks),), 0.3)
