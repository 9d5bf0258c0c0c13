"""Processes of one run, wherever they went: they carry its mark in the environment they began with."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "EMULATED_CLUSTER_RUN"
PATIENCE = 10  # seconds until what was killed is gone; longer only where the kernel cannot let go of it


def marked(mark: str) -> list[int]:
    """Processes that inherited the mark and have not ended."""
    words, found = f"{MARK}={mark}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            if words in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def end_marked(mark: str) -> list[int]:
    """Kills them until there are none, since one may start another meanwhile; returns what would not end."""
    ends = time.monotonic() + PATIENCE
    while (left := marked(mark)) and time.monotonic() < ends:
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
    return left
