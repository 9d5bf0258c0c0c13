"""Sanitized builds, each of unit tests of folders without MPI, in a build folder of its own.

By turns the tests of folders that changed lately, and a third of the others: most of the time goes into building them.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import changed
import turns
from scripts import lowest
from tally import ROOT

BUILD = ROOT / "build"
# Of each preset the folders of tests/ whose unit tests it runs, those that cost most apart from one another.
SANITIZED = {
    "asan": (
        *("algorithms", "shm", "runtime", "core", "analysis", "bench", "selection"),
        *("patterns", "models", "faults", "arrival", "record", "task", "hang", "simulation"),
    ),
    "tsan": ("shm", "task"),
}


def folders(preset: str) -> list[str]:
    """Those that are due."""
    found = []
    for place, folder in enumerate(SANITIZED[preset]):
        if turns.due(place, 3) or changed.under(f"src/{folder}", f"tests/{folder}"):
            found.append(folder)
    return found


def build_steps(preset: str) -> list[list[str | Path]]:
    targets = [f"{folder}_test" for folder in folders(preset)]
    if not targets:
        return []
    return [
        ["cmake", "--preset", preset, "--log-level=WARNING", f"-DPython_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", BUILD / preset, "--target", *targets],
    ]


class BuildAhead:
    """Sanitized builds at the lowest priority, in the time that other tests wait for launchers or use one CPU.  What
    goes wrong here goes wrong again, and is told, when the suite's turn has come."""

    def __init__(self, presets: Sequence[str]):
        steps = [" ".join(shlex.quote(str(word)) for word in step) for name in presets for step in build_steps(name)]
        command = [*lowest(), "sh", "-c", " && ".join(steps) or ":"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )

    def wait(self) -> None:
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()
