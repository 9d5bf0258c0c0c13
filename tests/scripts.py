"""Scripts that print the protocol, `ok NAME`, `not ok NAME: why` or `skip NAME: why`, a line a check: counted as they
come, one script after the other or some side by side."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tally import ROOT, Tally

LIMIT = 1800  # seconds


class Counting:
    """Takes a script's lines.  What is indented behind a failed check says more of it, and is shown with it in one
    piece, whatever other scripts print meanwhile."""

    def __init__(self, tally: Tally, suite: str):
        self.tally, self.suite = tally, suite
        self.failure: list[str] = []  # its lines so far
        self.failed = 0
        self.last = ""

    def take(self, line: str) -> None:
        if self.failure and line.startswith(" "):
            self.failure.append(line)
            return
        self.tell()
        if line.startswith("ok "):
            self.tally.ok(f"{self.suite}: {line[3:]}")
        elif line.startswith("skip "):
            self.tally.skip(f"{self.suite}: {line[5:]}")
        elif line.startswith("not ok "):
            self.failure = [line[7:]]
        else:
            self.tally.show(line)
            self.last = line or self.last

    def tell(self) -> None:
        """Counts the failure, as soon as its last line is there."""
        if self.failure:
            self.failed += 1
            (name, *rest), self.failure = self.failure, []
            self.tally.fail(f"{self.suite}: {name}", more=rest)


# The kernel shares the CPUs among sessions first (autogroup), and by priority only within one: so the session of a
# command that stands last says so too.
LAST_SESSION = '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec "$@"'


def lowest() -> list[str]:
    """Words before a command of a session of its own, whose processes then run only where a CPU has nothing else to
    do."""
    idle = ["chrt", "-i", "0"]
    allowed = (
        shutil.which(idle[0]) and subprocess.run([*idle, "true"], capture_output=True, check=False).returncode == 0
    )
    return ["sh", "-c", LAST_SESSION, "lowest", *(idle if allowed else ["nice", "-n", "19"])]


class Scripts:
    """Runs them; those that still run end with this."""

    def __init__(self, tally: Tally, limit: float = LIMIT):
        self.tally, self.limit = tally, limit
        self.running: set[subprocess.Popen[str]] = set()
        self.stopped = False

    def __enter__(self) -> Scripts:
        return self

    def __exit__(self, *_) -> None:
        self.stopped = True
        for process in list(self.running):
            end(process)

    def one(self, suite: str, command: Sequence[str | Path]) -> None:
        if self.stopped:
            return
        counting = Counting(self.tally, suite)
        with subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            text=True,
            errors="replace",
            bufsize=1,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            self.running.add(process)
            limit = threading.Timer(self.limit, end, (process,))
            limit.start()
            for line in process.stdout or ():
                counting.take(line.rstrip())
            status = process.wait()
            limit.cancel()
            self.running.discard(process)
        counting.tell()
        if status != 0 and not counting.failed:
            self.tally.fail(f"{suite}: ended with status {status}: {counting.last}", command)

    def some(self, at_once: int, scripts: Iterable[tuple[str, Sequence[str | Path]]]) -> None:
        """Side by side; they begin in this order."""
        with ThreadPoolExecutor(at_once) as pool:
            begun = [pool.submit(self.one, suite, command) for suite, command in scripts]
            try:
                for done in begun:
                    done.result()
            except BaseException:  # interrupted: the pool would wait for them
                self.__exit__()
                raise


def end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def script(tally: Tally, suite: str, command: Sequence[str | Path]) -> None:
    with Scripts(tally) as scripts:
        scripts.one(suite, command)


class Behind:
    """Scripts that run one after the other while others do."""

    def __init__(self, tally: Tally, commands: Iterable[tuple[str, Sequence[str | Path]]], limit: float = LIMIT):
        self.scripts = Scripts(tally, limit)
        self.pool = ThreadPoolExecutor(1)
        self.begun = [self.pool.submit(self.scripts.one, suite, command) for suite, command in commands]

    def wait(self) -> None:
        for done in self.begun:
            done.result()

    def stop(self) -> None:
        self.scripts.__exit__()
        self.pool.shutdown()
