"""What this machine lets tutti do: CPUs, memory, shared memory, reading another process's memory.  Each is tried."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tutti import core
from tutti.errors import UserError
from tutti.options import format_size
from tutti.site import awake, launch


@dataclass(frozen=True)
class Finding:
    """One fact.  `state`: good; note (worth knowing); bad (something is not served).  `advice`: what to do about it."""

    topic: str
    name: str
    value: str
    state: str = "good"
    advice: str = ""


def read(path: str) -> str | None:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None


def megabytes(size: int) -> str:
    return format_size(size >> 20 << 20) if size >= 1 << 20 else format_size(size)


def cpu() -> Finding:
    usable, online = launch.cpus(), os.cpu_count() or 1
    value = f"{usable} usable of {online}, on {launch.cores()} cores"
    if usable < online:
        return Finding("machine", "CPUs", value, "note", "the affinity mask hides the others: ranks share what is left")
    return Finding("machine", "CPUs", value)


def domains() -> Finding:
    """What the CPUs share, and whether the node engine's collectives would follow it."""
    try:
        seen = core.load().census(sorted(os.sched_getaffinity(0)))
    except UserError as error:
        return Finding("machine", "domains", "unknown", "note", error.message)
    counts = ((seen.caches, "last-level cache"), (seen.memories, "NUMA node"), (seen.packages, "package"))
    value = ", ".join(f"{number} {name}{'' if number == 1 else 's'}" for number, name in counts)
    if not seen.domains:
        return Finding("machine", "domains", f"{value}; collectives stay flat")
    return Finding("machine", "domains", f"{value}; with a rank bound to each CPU, trees over {seen.domains} domains")


def sleeping() -> Finding:
    """What idle processors do; where that disturbs measurements, what to do about it."""
    if awake.demanded():
        return Finding("machine", "idle CPUs", "kept awake")
    driver = f"idle driver {awake.idle_driver() or 'unknown'}"
    if " hypervisor" not in (read("/proc/cpuinfo") or ""):
        return Finding("machine", "idle CPUs", f"sleep ({driver})")
    means = "" if os.access(awake.DEVICE, os.W_OK) else f", which needs the right to write {awake.DEVICE}"
    advice = f"the host may move them meanwhile, and times jump: tutti bench --awake{means}"
    return Finding("machine", "idle CPUs", f"sleep (virtual, {driver})", "note", advice)


def available_memory() -> int | None:
    """Bytes that could be had now, by /proc/meminfo."""
    for line in (read("/proc/meminfo") or "").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return None


def cgroup_headroom() -> int | None:
    """Bytes left before the memory limit of the control group, the tightest of its ancestors'; None without one."""
    own = next((line[3:] for line in (read("/proc/self/cgroup") or "").splitlines() if line.startswith("0::")), "/")
    folder, left = Path("/sys/fs/cgroup" + own), []
    for place in (folder, *folder.parents):
        limit, used = read(f"{place}/memory.max"), read(f"{place}/memory.current")
        if limit and limit != "max" and used:
            left.append(int(limit) - int(used))
    first_version = read("/sys/fs/cgroup/memory/memory.limit_in_bytes")
    used = read("/sys/fs/cgroup/memory/memory.usage_in_bytes")
    if first_version and used and int(first_version) < 1 << 60:
        left.append(int(first_version) - int(used))
    return min(left, default=None)


def memory() -> Iterator[Finding]:
    free, room = available_memory(), cgroup_headroom()
    if free is not None:
        yield Finding("machine", "memory", f"{megabytes(free)} available")
    if room is None:
        yield Finding("machine", "control group", "no memory limit")
    elif room < 256 << 20:
        yield Finding(
            "machine",
            "control group",
            f"{megabytes(max(room, 0))} left",
            "note",
            "tutti will take less shared memory than it would like: raise the limit",
        )
    else:
        yield Finding("machine", "control group", f"{megabytes(room)} left")


def memfd_works() -> bool:
    """Makes, reserves and maps a page, as the node engine does with its segment."""
    try:
        descriptor = os.memfd_create("tutti-doctor")
    except (AttributeError, OSError):
        return False
    try:
        os.posix_fallocate(descriptor, 0, mmap.PAGESIZE)
        with mmap.mmap(descriptor, mmap.PAGESIZE) as page:
            page[0] = 1
        return True
    except (OSError, ValueError):
        return False
    finally:
        os.close(descriptor)


def shared_memory() -> Iterator[Finding]:
    memfd = memfd_works()
    yield (
        Finding("machine", "memfd", "works")
        if memfd
        else Finding("machine", "memfd", "refused", "note", "tutti uses /dev/shm instead")
    )
    try:
        room = os.statvfs("/dev/shm")
        size = room.f_bavail * room.f_frsize
    except OSError:
        size = 0
    state, advice = "good", ""
    if size < 64 << 20:
        state = "note" if memfd else "bad"
        advice = "memfd serves instead" if memfd else "give /dev/shm 64M or more (docker run --shm-size=256m)"
    yield Finding("machine", "/dev/shm", f"{megabytes(size)} free" if size else "not there", state, advice)


class Piece(ctypes.Structure):
    """struct iovec."""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def reads_other_process() -> str:
    """Nothing where process_vm_readv reads a sibling's memory, else why not.  Ranks are siblings, as these two are."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "process_vm_readv"):
        return "the C library lacks it"
    nonce = os.urandom(16)
    source, ready, done = ctypes.create_string_buffer(nonce, 16), os.pipe(), os.pipe()
    owner = os.fork()
    if owner == 0:  # holds the nonce until the pipe closes
        os.close(done[1])
        os.write(ready[1], b".")
        os.read(done[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    reader = os.fork()
    if reader == 0:
        target = ctypes.create_string_buffer(16)
        mine, theirs = Piece(ctypes.addressof(target), 16), Piece(ctypes.addressof(source), 16)
        got = libc.process_vm_readv(owner, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)
        os._exit(0 if got == 16 and target.raw == nonce else ctypes.get_errno() or 255)
    why = os.waitstatus_to_exitcode(os.waitpid(reader, 0)[1])
    os.write(done[1], b".")
    os.waitpid(owner, 0)
    for descriptor in (*ready, *done):
        os.close(descriptor)
    return "" if why == 0 else os.strerror(why) if 0 < why < 255 else "it read something else"


def single_copy() -> Finding:
    why = reads_other_process()
    if not why:
        return Finding("machine", "process_vm_readv", "allowed")
    scope = read("/proc/sys/kernel/yama/ptrace_scope")
    hint = (
        f"kernel.yama.ptrace_scope is {scope}: 0 allows it"
        if scope and scope != "0"
        else "containers allow it with CAP_SYS_PTRACE"
    )
    return Finding(
        "machine", "process_vm_readv", f"refused ({why})", "note", f"large messages are copied twice; {hint}"
    )


# What a driver makes where there is a GPU that MPI libraries can be told to read and write.
GPU_DEVICES = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
GPU_ADVICE = (
    "communicators with a GPU runtime in any rank's process are left to an MPI that takes device buffers; "
    "TUTTI_GPU=host serves programs whose collectives get host memory"
)


def gpus() -> Iterator[Finding]:
    """Nothing where there is none; tutti touches buffers as host memory."""
    there = [device for device in GPU_DEVICES if Path(device).exists()]
    if there and core.read_settings()[0].value("TUTTI_GPU") != "host":
        yield Finding("machine", "GPU", ", ".join(there), "note", GPU_ADVICE)
    elif there:
        yield Finding("machine", "GPU", f"{', '.join(there)}; TUTTI_GPU=host: served all the same")


def findings() -> list[Finding]:
    checks: tuple[Callable[[], Finding | Iterator[Finding]], ...] = (
        cpu, domains, sleeping, memory, shared_memory, single_copy, gpus,
    )  # fmt: skip
    found: list[Finding] = []
    for check in checks:
        result = check()
        found += [result] if isinstance(result, Finding) else result
    return found
