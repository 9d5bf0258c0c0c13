"""What a rank shows of its calls: the block that src/hang/layout.hpp describes, read from outside."""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC, VERSION = b"tuttical", 1
HEAD = struct.Struct("<8sII iiiI QQ 64s64s256s80x")
NAME = struct.Struct("<QHH28s")
COMMUNICATOR = struct.Struct("<QQQ ii II II 15i 20s")
RECORD = struct.Struct("<QQQQ qQQ i HBB")
RING = struct.Struct("<Qi52x")
NAMES, COMMUNICATORS, RINGS, RECORDS = 96, 128, 8, 64
SIZE = HEAD.size + NAMES * NAME.size + COMMUNICATORS * COMMUNICATOR.size + RINGS * (RING.size + RECORDS * RECORD.size)
REPORTED = 28  # where `reported` lies
CALL, TYPE, OPERATOR = 1, 2, 3  # kinds of names
INTER, GUESSED, UNLISTED = 2, 4, 8  # flags of a communicator
NONBLOCKING, PERSISTENT, CODE = 64, 128, 63  # in a record's code
NAMED = "memfd:tutti-calls"


@dataclass(frozen=True)
class Communicator:
    """`members`: ranks in MPI_COMM_WORLD, in the communicator's order; None where they are not all known."""

    identity: int
    entered: int
    size: int
    rank: int
    origin: str
    members: tuple[int, ...] | None
    guessed: bool


@dataclass(frozen=True)
class Record:
    """One call.  `communicator`: its identity, or None; `count`: -1 where it says nothing."""

    position: int
    sequence: int
    site: int
    frame: int
    name: str
    form: str
    count: int
    bytes: int | None
    type: str
    op: str
    root: int | None
    communicator: int | None
    inside: bool
    thread: int


@dataclass(frozen=True)
class Block:
    pid: int
    rank: int
    size: int
    reported: int
    started: int
    unrecorded: int
    host: str
    job: str
    program: str
    communicators: tuple[Communicator, ...]
    records: tuple[Record, ...]  # of each thread, the oldest first


def text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode(errors="replace")


def communicators(data: bytes, at: int) -> dict[int, Communicator]:
    """By their place in the block."""
    found = {}
    for place in range(COMMUNICATORS):
        fields = COMMUNICATOR.unpack_from(data, at + place * COMMUNICATOR.size)
        identity, entered, _, size, rank, flags, ranges, _, _, *numbers, origin = fields
        if not flags:
            continue
        members: list[int] = []
        for first, count, stride in zip(*[iter(numbers[: 3 * min(ranges, 5)])] * 3, strict=True):
            members += [first + i * stride for i in range(count)]
        listed = not flags & UNLISTED and len(members) == size
        known = tuple(members) if listed and not flags & INTER else None
        found[place] = Communicator(identity, entered, size, rank, text(origin), known, bool(flags & GUESSED))
    return found


class Names:
    """Of codes and handles."""

    def __init__(self, data: bytes, at: int):
        self.known: dict[tuple[int, int], tuple[str, int]] = {}
        for place in range(NAMES):
            value, what, size, name = NAME.unpack_from(data, at + place * NAME.size)
            if what:
                self.known[what, value] = text(name), size

    def of(self, what: int, value: int, otherwise: str) -> str:
        return self.known.get((what, value), (otherwise, 0))[0]

    def size(self, handle: int) -> int | None:
        return self.known[TYPE, handle][1] if (TYPE, handle) in self.known else None


def records(data: bytes, at: int, names: Names, places: dict[int, Communicator]) -> Iterator[Record]:
    for ring in range(RINGS):
        begin = at + ring * (RING.size + RECORDS * RECORD.size)
        calls, thread = RING.unpack_from(data, begin)
        found = [RECORD.unpack_from(data, begin + RING.size + i * RECORD.size) for i in range(RECORDS)]
        for stamp, sequence, site, frame, count, kind, op, root, place, code, inside in sorted(found):
            if stamp == 0 or stamp > calls:
                continue
            form = "nonblocking" if code & NONBLOCKING else "persistent" if code & PERSISTENT else "blocking"
            each = names.size(kind) if kind else (0 if count == 0 else None)
            communicator = places.get(place)
            yield Record(
                position=stamp,
                sequence=sequence,
                site=site,
                frame=frame,
                name=names.of(CALL, code & CODE, f"call {code & CODE}"),
                form=form,
                count=count,
                bytes=count * each if each is not None and count >= 0 else None,
                type=names.of(TYPE, kind, "derived type") if kind else "",
                op=names.of(OPERATOR, op, "user's operator") if op else "",
                root=root if root >= 0 else None,
                communicator=communicator.identity if communicator and sequence else None,
                inside=bool(inside),
                thread=thread,
            )


def parse(data: bytes) -> Block | None:
    """None where it is no block, or another version's."""
    if len(data) < SIZE:
        return None
    magic, version, size, pid, rank, world, reported, started, unrecorded, host, job, program = HEAD.unpack_from(data)
    if magic != MAGIC or version != VERSION or size != SIZE:
        return None
    at = HEAD.size + NAMES * NAME.size
    names, places = Names(data, HEAD.size), communicators(data, at)
    calls = tuple(records(data, at + COMMUNICATORS * COMMUNICATOR.size, names, places))
    return Block(
        pid,
        rank,
        world,
        reported,
        started,
        unrecorded,
        text(host),
        text(job),
        text(program),
        tuple(places.values()),
        calls,
    )


def settled(first: bytes, second: bytes) -> bytes:
    """The second reading, without records that were written meanwhile."""
    data = bytearray(second)
    at = SIZE - RINGS * (RING.size + RECORDS * RECORD.size)
    for _ in range(RINGS):
        for place in range(RECORDS):
            begin = at + RING.size + place * RECORD.size
            if first[begin : begin + 8] != second[begin : begin + 8]:
                data[begin : begin + 8] = bytes(8)
        at += RING.size + RECORDS * RECORD.size
    return bytes(data)


def descriptor(pid: int) -> str | None:
    """The path of the block's descriptor, in /proc."""
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if NAMED in str(link.readlink()):
                    return str(link)
    return None


def mapped(pid: int) -> int | None:
    """The block's address in the process, where its descriptor was closed or there is none."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
            if NAMED in line or "/dev/zero" in line:
                begin, end = (int(word, 16) for word in line.split()[0].split("-"))
                if SIZE <= end - begin < SIZE + 4096:
                    return begin
    return None


def own_number(pid: int) -> int:
    """What the process itself takes for its number: the innermost of its PID namespaces."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            if line.startswith("NSpid:"):
                return int(line.split()[-1])
    return pid


def read(pid: int) -> Block | None:
    """None where the process shows nothing, or not to us.  A child that inherited the block is not its owner."""
    path, address = descriptor(pid), None
    if path is None:
        address = mapped(pid)
        if address is None:
            return None
        path = f"/proc/{pid}/mem"
    try:
        with Path(path).open("rb", buffering=0) as file:
            first, second = (os.pread(file.fileno(), SIZE, address or 0) for _ in range(2))
    except OSError:
        return None
    if min(len(first), len(second)) < SIZE:
        return None
    block = parse(settled(first, second))
    return block if block and block.pid == own_number(pid) else None
