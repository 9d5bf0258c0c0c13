"""Which launches may run beside others: all but those that measure times, and of crowds one at a time.

Scripts run side by side, each a process; they agree by advisory locks in the build folder, which the kernel opens
when their holder ends, however it ends.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

AT_ONCE = 3  # launchers sleep for most of a second
mine = threading.local()


@contextmanager
def held(lock: Path, how: int) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, how)
        yield


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """When all launches have ended, and until this is left, only this thread launches."""
    with held(folder / "gate", fcntl.LOCK_EX), held(folder / "launches", fcntl.LOCK_EX):
        mine.alone = True
        try:
            yield
        finally:
            mine.alone = False


@contextmanager
def beside(folder: Path, crowd: bool) -> Iterator[None]:
    """A launch.  A crowd: more ranks than CPUs, of a library that spins while it waits; two of them take turns of the
    scheduler, and neither gets on."""
    if is_alone():
        yield
        return
    with ExitStack() as locks:
        if crowd:
            with held(folder / "next crowd", fcntl.LOCK_EX):  # who has just had it queues behind who waits
                locks.enter_context(held(folder / "crowd", fcntl.LOCK_EX))
        with held(folder / "gate", fcntl.LOCK_EX):  # who wants to be alone is waited for
            locks.enter_context(held(folder / "launches", fcntl.LOCK_SH))
        yield


def is_alone() -> bool:
    return getattr(mine, "alone", False)


def is_crowd(backend: str, ranks: int) -> bool:
    return backend == "mpich" and ranks > len(os.sched_getaffinity(0))


def failed_silently(backend: str, status: int, output: str) -> bool:
    """Whether Open MPI's launcher has ended by itself: its "silent" error (-43), and no line of its own or of a rank's.
    Of a rank that fails it prints one.  Seen once in some ten thousand launches."""
    return backend == "openmpi" and status == 256 - 43 and not output.strip()


def side_by_side(checks: Iterable[Callable[[], None]], at_once: int = AT_ONCE) -> None:
    """Runs checks that measure no times, some at once; the first exception is raised when all have ended."""
    with ThreadPoolExecutor(at_once) as pool:
        for done in [pool.submit(check) for check in checks]:
            done.result()
