"""What a launch has started, and an end to all of it: launchers that crash leave ranks in sessions of their own behind.

A process whose parent dies comes back to this one (a "subreaper" of Linux), so that the descendants of this process are
what it started, whatever became of those in between.  Only these are ended, each by its number and the moment it began.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)
KINDLY, SURELY = 3.0, 5.0  # seconds between the signals, and for the last
PAUSE = 0.05


@dataclass(frozen=True)
class Process:
    """By number and beginning: numbers are used again."""

    number: int
    began: int
    parent: int
    state: str


def look(number: int) -> Process | None:
    """None where there is no such process."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # after the name, in which anything may be
    return Process(number, int(fields[19]), int(fields[1]), fields[0])


def all_there_are() -> list[Process]:
    found = (look(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [process for process in found if process]


def descendants(number: int, but: Collection[tuple[int, int]] = ()) -> list[Process]:
    """Children before their own children; without those that `but` names, and theirs."""
    below: dict[int, list[Process]] = {}
    for process in all_there_are():
        if (process.number, process.began) not in but:
            below.setdefault(process.parent, []).append(process)
    found = list(below.get(number, ()))
    for process in found:
        found += below.get(process.number, ())
    return found


def prctl(what: int, value: int) -> bool:
    with contextlib.suppress(OSError, AttributeError):
        return ctypes.CDLL(None).prctl(what, value, 0, 0, 0) == 0
    return False


def end_with_this_process() -> Callable[[], None] | None:
    """What a child is to do before it becomes the launcher: it gets SIGTERM when this process dies, even by SIGKILL."""
    if threading.current_thread() is not threading.main_thread():  # whose end the kernel would take for ours
        return None
    library = ctypes.CDLL(None)  # not loaded in the child
    return lambda: library.prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)


class Family:
    """What this process starts from now on."""

    def __init__(self) -> None:
        prctl(SET_CHILD_SUBREAPER, 1)
        self._others = {(process.number, process.began) for process in descendants(os.getpid())}

    def members(self) -> list[Process]:
        """Those that have not ended."""
        return [each for each in descendants(os.getpid(), self._others) if each.state not in "ZX"]

    def end(self, kindly: float = KINDLY) -> int:
        """Ends what is left, first by SIGTERM; how many there were.  Parents first, lest they start others."""
        begun = self.members()
        for number, seconds in ((signal.SIGTERM, kindly), (signal.SIGKILL, SURELY)):
            until = time.monotonic() + seconds
            told: set[int] = set()
            while left := self.members():
                for process in left:
                    if process.number not in told:
                        told.add(process.number)
                        send(process, number)
                if time.monotonic() > until:
                    break
                time.sleep(PAUSE)
        self._bury()
        return len(begun)

    def _bury(self) -> None:
        """Orphans that came back here and have ended: nobody else waits for them."""
        for each in descendants(os.getpid(), self._others):
            if each.state == "Z" and each.parent == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(each.number, os.WNOHANG)


def send(process: Process, number: int) -> None:
    """To that process, and to none that has got its number meanwhile."""
    try:
        handle = os.pidfd_open(process.number)
    except OSError:
        return
    try:
        now = look(process.number)
        if now and now.began == process.began:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(handle, number)
    finally:
        os.close(handle)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C once more does not cut short what is being ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP unwind this process as Ctrl-C does, so that it ends what it started; its status says which."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
