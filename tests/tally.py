"""What came of the tests so far, and how their commands are run."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Tally:
    """What happened so far, and how to do each failure again.  Scripts that run side by side count into one."""

    passed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def show(self, *lines: str) -> None:
        with self.lock:
            print(*lines, sep="\n", flush=True)

    def say(self, text: str, *more: str) -> None:
        self.show(f"[{time.monotonic() - self.started:6.1f} s] {text}", *more)

    def ok(self, text: str, cases: int = 1) -> None:
        with self.lock:
            self.passed += cases
            self.say(f"ok {text}")

    def skip(self, text: str) -> None:
        with self.lock:
            self.skipped += 1
            self.say(f"skip {text}")

    def fail(self, text: str, command: Sequence[str | Path] | None = None, more: Sequence[str] = ()) -> None:
        """`more`: lines that are shown where it happens, and not again at the end."""
        again = f"\n    again with: {shlex.join(map(str, command))}" if command else ""
        with self.lock:
            self.failures.append(f"{text}{again}")
            self.say(f"not ok {text}{again}", *more)

    def close(self) -> int:
        if self.failures:
            print("\nFailed:", *(f"  {failure}" for failure in self.failures), sep="\n")
        print(f"\n{self.passed} passed, {len(self.failures)} failed, {self.skipped} skipped", flush=True)
        return 1 if self.failures else 0


def indented(text: str, lines: int = 60) -> str:
    return "\n".join("    " + line for line in text.rstrip().splitlines()[-lines:])


def run(command: Sequence[str | Path], seconds: float = 600, **more) -> tuple[int, str]:
    """Status and output; 124 where the time was over.  The whole process group ends with it."""
    with subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        **more,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return 124, f"{output}\nended after {seconds} s"


def count_junit(tally: Tally, file: Path, suite: str) -> list[str]:
    """Adds the cases of a JUnit file; returns one text a failure."""
    failures = []
    for case in ElementTree.parse(file).iter("testcase"):
        name = f"{suite}: {case.get('name')}"
        problems = [node for node in case if node.tag in ("failure", "error")]
        skipped = case.find("skipped")
        if problems:
            texts = [node.get("message") or node.text or "" for node in problems]
            failures.append(f"{name}\n" + "\n".join(indented(text, 20) for text in texts))
        elif skipped is not None:
            tally.skip(f"{name}: {skipped.get('message')}")
        else:
            tally.passed += 1
    return failures
