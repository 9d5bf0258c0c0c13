"""Looks at the ranks of a job on this machine: their calls, and where each of them is."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutti.hang import memory, stack
from tutti.hang.finding import Member
from tutti.hang.model import Call, Communicator, Job, Rank
from tutti.hang.objects import Objects
from tutti.record import sites
from tutti.site.processes import look as look_up

PAUSE = 0.25  # seconds between the two looks that tell who moves


@dataclass
class Seen:
    """One process: what it shows, and its addresses still as numbers."""

    member: Member
    objects: Objects
    block: memory.Block | None
    where: stack.Where | None = None
    threads: dict[int, stack.Where] = field(default_factory=dict)  # where there are several; of those in no call
    places: dict[int, sites.Place] = field(default_factory=dict)  # of addresses

    def place(self, address: int) -> sites.Place | None:
        there = self.objects.at(address - 1)
        return (there.path.removesuffix(" (deleted)"), address, there.base, "") if there and there.path else None

    def site(self, record: memory.Record) -> int:
        """The program's address that made the call: what it returns to, or, for a call that came through a library of
        the MPI (Fortran) and is still under way, the program's frame above it."""
        there = self.objects.at(record.site - 1)
        if record.inside and record.frame and there is not None and there.kind != "program":
            frame = stack.walk(self.objects, record.frame)
            return frame.address if frame else record.site
        return record.site


def newest(block: memory.Block | None) -> memory.Record | None:
    """The call that says where the process is: one under way, else the last one of the thread that called most."""
    if block is None or not block.records:
        return None
    inside = [record for record in block.records if record.inside]
    return (inside or sorted(block.records, key=lambda record: record.position))[-1]


def is_stopped(pid: int) -> bool:
    process = look_up(pid)
    return process is not None and process.state in "Tt"


def thread_of(seen: Seen) -> int:
    """The thread that makes the collectives, if it lives; else the first one."""
    last = newest(seen.block)
    if last and last.thread and Path(f"/proc/{seen.member.pid}/task/{last.thread}").exists() and last.thread > 1:
        return last.thread
    return seen.member.pid


def look_at(member: Member, stopped: bool) -> Seen:
    seen = Seen(member, Objects(member.pid), memory.read(member.pid))
    last = newest(seen.block)
    if not stopped and not (last and last.inside):
        seen.where = stack.look(seen.objects, thread_of(seen))
    records = seen.block.records if seen.block else ()
    if not stopped and len(callers := {record.thread for record in records}) > 1:
        for thread in callers - {record.thread for record in records if record.inside}:
            if Path(f"/proc/{member.pid}/task/{thread}").exists():
                seen.threads[thread] = stack.look(seen.objects, thread)
    addresses = [seen.site(record) for record in records]
    addresses += [where.frame.address for where in (seen.where, *seen.threads.values()) if where and where.frame]
    seen.places = {address: place for address in addresses if (place := seen.place(address))}
    return seen


def in_words(where: stack.Where) -> tuple[str, str]:
    """(kind, what it does)."""
    if where.kind == "mpi":
        return "mpi", where.function or where.why
    if where.kind == "asleep":
        return "asleep", where.function or "a sleeping system call"
    if where.kind == "unknown":
        return "unknown", where.why
    return "program", where.function


def why_not(seen: Seen) -> str:
    """Why the calls of a rank are not known."""
    if not seen.objects.mappings:
        return "not readable: another user's process, or ended"
    if not seen.objects.preloaded():
        return "libtutti.so is not preloaded"
    return ""


def made(call: memory.Record, site: str) -> Call:
    return Call(
        call.name,
        call.form,
        call.communicator,
        call.sequence,
        call.count,
        call.bytes,
        call.type,
        call.op,
        call.root,
        site,
        call.inside,
        call.thread,
    )


def described(seen: Seen, earlier: memory.Block | None, names: dict[sites.Place, str], stopped: bool) -> Rank:
    block, member = seen.block, seen.member
    why = why_not(seen) if block is None else ""

    def name(address: int) -> str:
        place = seen.places.get(address)
        return names[place] if place else ""

    def placed(where: stack.Where | None) -> tuple[str, str, str]:
        kind, doing = in_words(where) if where else ("collective", "")
        return kind, doing, name(where.frame.address) if where and where.frame else ""

    kind, doing, site = placed(seen.where)
    if stopped:
        kind, doing = "stopped", ""
    records = sorted(block.records, key=lambda record: (record.thread, record.position)) if block else []
    if block and (last := newest(block)):  # of several threads, the one that tells most comes last
        records.sort(key=lambda record: (record.thread == last.thread, record.position))
    before = sum(record.position for record in earlier.records) if earlier else 0
    now = sum(record.position for record in block.records) if block else 0
    return Rank(
        world=0,
        rank=block.rank if block and block.rank >= 0 else member.rank,
        host=block.host if block else socket.gethostname(),
        pid=member.pid,
        program=block.program if block else os.path.realpath(f"/proc/{member.pid}/exe"),
        shows=not why,
        why=why,
        where=kind,
        doing=doing,
        site=site,
        moved=max(0, now - before),
        calls=tuple(made(record, name(seen.site(record))) for record in records),
        communicators={
            each.identity: Communicator(each.size, each.entered, each.origin, each.members, each.guessed)
            for each in (block.communicators if block else ())
        },
        threads={thread: placed(where) for thread, where in seen.threads.items()},
    )


def absent(world: int, members: list[Member], size: int) -> list[Rank]:
    """Ranks without a process here: gone, where all of the world's were started on this node."""
    here = max((member.here for member in members), default=0)
    there = {member.rank for member in members}
    found = []
    for rank in sorted(set(range(size)) - there):
        gone = here >= size
        why = "its process has ended" if gone else "on another node, or ended"
        found.append(Rank(world, rank, shows=False, why=why, where="gone" if gone else "unseen"))
    return found


def look(members: list[Member], pause: float = PAUSE) -> Job:
    """All ranks are looked at twice, so that who moves is told from who waits."""
    began = time.monotonic()
    earlier = {member.pid: memory.read(member.pid) for member in members}
    time.sleep(pause)
    stopped = {member.pid for member in members if is_stopped(member.pid)}
    seen = [look_at(member, member.pid in stopped) for member in members]
    names = sites.of(place for each in seen for place in each.places.values())
    ranks: list[Rank] = []
    sizes: list[int] = []
    for number, world in enumerate(sorted({member.world for member in members})):
        own = [each for each in seen if each.member.world == world]
        size = max([each.member.size for each in own] + [each.block.size for each in own if each.block])
        size = max([size] + [each.member.rank + 1 for each in own])
        sizes.append(size)
        for each in own:
            rank = described(each, earlier[each.member.pid], names, each.member.pid in stopped)
            ranks.append(replace(rank, world=number))
        ranks += absent(number, [each.member for each in own], size)
    lost = sum(each.block.unrecorded for each in seen if each.block)
    notes = (f"{lost} threads made calls that are not recorded: a process has room for {memory.RINGS}",) if lost else ()
    ranks.sort(key=lambda rank: (rank.world, rank.rank))
    return Job(tuple(ranks), tuple(sizes), time.monotonic() - began, notes)
