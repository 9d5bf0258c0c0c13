"""The block that a rank shows, as tutti hang reads it."""

from __future__ import annotations

import mmap
import os

from helpers import hanging as blocks
from tutti.hang import memory


def only(data):
    parsed = memory.parse(data)
    assert parsed is not None
    return parsed


def test_the_layout_is_that_of_the_library():
    assert memory.HEAD.size == 512
    assert memory.NAME.size == 40
    assert memory.COMMUNICATOR.size == 128
    assert memory.RECORD.size == 64
    assert memory.RING.size == 64


def test_what_a_record_says():
    comm = blocks.communicator(99, 4, entered=7, ranges=((0, 4, 1),))
    data = blocks.block([(3, 11, {2: blocks.record(3, sequence=7, count=2, op=5, inside=1)})], [comm], rank=2, size=4)
    parsed = only(data)
    assert (parsed.rank, parsed.size, parsed.host, parsed.job, parsed.program) == (2, 4, "node1", "77", "/opt/app")
    (record,) = parsed.records
    assert (record.name, record.form, record.sequence, record.inside) == ("Allreduce", "blocking", 7, True)
    assert (record.count, record.bytes, record.type, record.op) == (2, 16, "MPI_DOUBLE", "MPI_SUM")
    assert (record.root, record.communicator, record.thread) == (None, 99, 11)
    (known,) = parsed.communicators
    assert (known.identity, known.entered, known.size, known.members) == (99, 7, 4, (0, 1, 2, 3))


def test_forms_of_calls():
    records = {i: blocks.record(i + 1, code=12 + 64 * i) for i in range(3)}
    assert [each.form for each in only(blocks.block([(3, 1, records)])).records] == [
        "blocking",
        "nonblocking",
        "persistent",
    ]


def test_records_come_in_order_even_where_the_ring_has_wrapped():
    records = {(stamp - 1) % 64: blocks.record(stamp, sequence=stamp) for stamp in range(37, 101)}
    parsed = only(blocks.block([(100, 1, records)]))
    assert [each.position for each in parsed.records] == list(range(37, 101))


def test_a_record_that_is_being_written_is_left_out():
    records = {0: blocks.record(1), 1: blocks.record(0), 2: blocks.record(9)}
    assert [each.position for each in only(blocks.block([(3, 1, records)])).records] == [1]


def test_a_record_that_changed_between_two_readings_is_left_out():
    before = blocks.block([(2, 1, {0: blocks.record(1), 1: blocks.record(2)})])
    after = blocks.block([(66, 1, {0: blocks.record(1), 1: blocks.record(66)})])
    assert [each.position for each in only(memory.settled(before, after)).records] == [1]


def test_members_by_ranges():
    comms = [
        blocks.communicator(1, 3, ranges=((1, 3, 2),)),
        blocks.communicator(2, 3, ranges=((5, 2, 1), (0, 1, 1))),
        blocks.communicator(3, 9, flags=1 | memory.UNLISTED),
        blocks.communicator(4, 1, flags=1 | memory.INTER),
        blocks.communicator(5, 1, flags=1 | memory.GUESSED),
    ]
    parsed = only(blocks.block([], comms))
    assert [each.members for each in parsed.communicators] == [(1, 3, 5), (5, 6, 0), None, None, (0,)]
    assert [each.guessed for each in parsed.communicators] == [False, False, False, False, True]


def test_other_versions_and_other_memory_are_no_blocks():
    assert memory.parse(blocks.block(version=2)) is None
    assert memory.parse(blocks.block(magic=b"nonsense")) is None
    assert memory.parse(blocks.block()[:-1]) is None


def test_a_process_shows_it_by_a_descriptor():
    shown = os.memfd_create("tutti-calls")
    try:
        os.write(shown, blocks.block(rank=5, size=6))
        found = memory.read(os.getpid())
        assert found is not None
        assert found.rank == 5
    finally:
        os.close(shown)


def test_what_was_inherited_is_not_the_childs():
    shown = os.memfd_create("tutti-calls")
    try:
        os.write(shown, blocks.block(pid=os.getpid() + 1))
        assert memory.read(os.getpid()) is None
    finally:
        os.close(shown)


def test_a_process_that_closed_the_descriptor_still_shows_its_memory():
    size = (memory.SIZE + mmap.PAGESIZE - 1) // mmap.PAGESIZE * mmap.PAGESIZE
    with mmap.mmap(-1, size) as shared:
        shared[: memory.SIZE] = blocks.block(rank=3)
        found = memory.read(os.getpid())
    assert found is None or found.rank == 3  # None: another mapping of that size comes first
    assert memory.read(os.getpid()) is None
