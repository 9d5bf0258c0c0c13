"""Where a thread is: in a system call, in MPI, in the program; and the line of the program that brought it there.

The stack is scanned for addresses that a call returns to, not unwound: nothing of the process needs frame pointers or
unwinding tables, and it is stopped for a moment only where it runs (ptrace), since a running thread's place is told by
nobody.  A scan may take an old address for a live one; so an address of the program counts only if its call leads out
of the object that it lies in.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import struct
from dataclasses import dataclass
from pathlib import Path

from tutti.hang.objects import Mapping, Objects

DEEP = 1 << 17  # bytes of stack that are looked at
SEIZE, INTERRUPT, REGISTERS, DETACH = 0x4206, 0x4207, 12, 17  # of ptrace(2)
RIP, RSP = 16, 19  # words of x86-64's user_regs_struct
WALL = 0x40000000
SLEEPS = {35: "nanosleep", 230: "clock_nanosleep", 34: "pause", 130: "rt_sigsuspend", 128: "rt_sigtimedwait"}


@dataclass(frozen=True)
class Frame:
    """A call in the program: what it returns to, the object of that, and the function called ('' if not known)."""

    address: int
    object: Mapping
    callee: str


@dataclass(frozen=True)
class Where:
    """kind: mpi (in a function of MPI), asleep, program, unknown (`why` says so)."""

    kind: str
    function: str = ""
    frame: Frame | None = None
    system_call: int | None = None
    why: str = ""


def in_system_call(pid: int, thread: int) -> tuple[int, int, int] | str:
    """(number, stack pointer, instruction pointer); 'running', or why it is not known."""
    try:
        words = Path(f"/proc/{pid}/task/{thread}/syscall").read_text().split()
    except OSError as error:
        return error.strerror or "not readable"
    if len(words) < 3:
        return "running"
    return int(words[0]), int(words[-2], 16), int(words[-1], 16)


def interrupted(thread: int) -> tuple[int, int] | str:
    """(stack pointer, instruction pointer) of a thread that is stopped for a moment; why they cannot be had."""
    if platform.machine() != "x86_64":
        return "no registers are read on this processor"
    library = ctypes.CDLL(None, use_errno=True)
    trace = library.ptrace
    trace.argtypes, trace.restype = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_long
    if trace(SEIZE, thread, None, None) != 0:
        return f"ptrace: {os.strerror(ctypes.get_errno())}"
    try:
        if trace(INTERRUPT, thread, None, None) != 0:
            return f"ptrace: {os.strerror(ctypes.get_errno())}"
        _, status = os.waitpid(thread, WALL)
        registers = (ctypes.c_ulonglong * 27)()
        if not os.WIFSTOPPED(status) or trace(REGISTERS, thread, None, ctypes.addressof(registers)) != 0:
            return "it ended"
        number = os.WSTOPSIG(status)
        passed = number if status >> 16 == 0 and number != signal.SIGTRAP else 0  # a signal of its own goes on to it
        where = registers[RSP], registers[RIP]
        trace(DETACH, thread, None, passed or None)
        return where
    except OSError as error:
        return error.strerror or "it ended"


def walk(objects: Objects, pointer: int) -> Frame | None:
    """The innermost call of the program above that stack pointer which leads out of its object."""
    there = objects.at(pointer)
    if there is None:
        return None
    stack = objects.memory(pointer & ~7, min(DEEP, there.end - (pointer & ~7)))
    for (word,) in struct.iter_unpack("<Q", stack[: len(stack) // 8 * 8]):
        mapping = objects.at(word - 1) if word > 4096 else None
        if mapping is None or not mapping.runs or mapping.kind != "program":
            continue
        is_call, target = objects.called_before(word)
        if not is_call:
            continue
        called = objects.at(target) if target else None
        if called is not None and called.path == mapping.path:
            continue
        return Frame(word, mapping, objects.function(target) if target else "")
    return None


def is_mpi(function: str) -> bool:
    return function.lower().startswith(("mpi_", "pmpi_"))


def plain(function: str) -> str:
    """MPI_Recv, whatever Fortran or the profiling interface make of it: PMPI_Recv, mpi_recv_, MPI_RECV."""
    name = function.rstrip("_").removesuffix("_f08").removesuffix("_f08ts").removesuffix("_f")
    rest = name.split("_", 1)[1]
    return f"MPI_{rest.capitalize() if rest.isupper() or rest.islower() else rest}"


def of_stack(objects: Objects, pointer: int, instruction: int, number: int | None) -> Where:
    there = objects.at(instruction)
    if there is not None and there.kind == "program":
        return Where("program", frame=Frame(instruction + 1, there, ""), system_call=number)
    frame = walk(objects, pointer)
    if frame and is_mpi(frame.callee):
        return Where("mpi", plain(frame.callee), frame, number)
    if there is not None and there.kind == "mpi":
        return Where("mpi", "", frame, number, f"inside {there.name}")
    if number in SLEEPS:
        return Where("asleep", frame.callee if frame else "", frame, number)
    return Where("program", frame.callee if frame else "", frame, number)


def look(objects: Objects, thread: int) -> Where:
    """Where that thread of the process is now."""
    told = in_system_call(objects.pid, thread)
    if isinstance(told, tuple):
        number, pointer, instruction = told
        if number >= 0 or pointer:
            return of_stack(objects, pointer, instruction, number)
    elif told != "running":
        return Where("unknown", why=told)
    found = interrupted(thread)
    if isinstance(found, str):
        with contextlib.suppress(OSError):  # it may sleep now
            told = in_system_call(objects.pid, thread)
            if isinstance(told, tuple):
                return of_stack(objects, told[1], told[2], told[0])
        return Where("unknown", why=found)
    return of_stack(objects, *found, None)
