"""Sanitized builds, each of the unit tests of folders without MPI, in a build folder of its own."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tally import ROOT

BUILD = ROOT / "build"
SANITIZED = {"asan": "unit_tests", "tsan": "node_test"}  # preset and target


def build_steps(preset: str) -> list[list[str | Path]]:
    return [
        ["cmake", "--preset", preset, "--log-level=WARNING", f"-DPython_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", BUILD / preset, "--target", SANITIZED[preset]],
    ]


class BuildAhead:
    """Sanitized builds at the lowest priority, in the time that other tests wait for launchers or use one CPU.  What
    goes wrong here goes wrong again, and is told, when the suite's turn has come."""

    def __init__(self, presets: Sequence[str]):
        steps = [" ".join(shlex.quote(str(word)) for word in step) for name in presets for step in build_steps(name)]
        command = ["nice", "-n", "19", "sh", "-c", " && ".join(steps)]
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
