"""What the MPI tests share: where the MPIs and the libraries are, how to start ranks, and the protocol of results.

A test script prints one line a check, `ok NAME`, `not ok NAME: why` or `skip NAME: why`; `tests/run.py` counts them.
Scripts run beside others: what measures times does so `with suite.alone():`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import launches

ROOT = Path(__file__).resolve().parents[2]
RANKS = (1, 2, 3, 4, 5, 7, 8)

sys.path.append(str(ROOT / "tests"))

import turns  # noqa: E402 - scripts take it from here


@dataclass(frozen=True)
class Mpi:
    """One MPI library in the build folder, and how to start ranks on it."""

    name: str
    backend: str  # whose compiled programs it runs
    mpiexec: Path
    libraries: Path
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    yields: dict[str, str] = field(default_factory=dict, hash=False)  # waiting ranks sleep for a moment, if it can

    def command(self, ranks: int, program: list[str], preload: Path | None, settings: dict[str, str]) -> list[str]:
        """The launcher's words.  Ranks alone get the preload, not the launcher."""
        words = [str(self.mpiexec), *self.options]
        forwarded = dict(settings)
        if preload:
            forwarded["LD_PRELOAD"] = str(preload)
        for name, value in forwarded.items():
            words += ["-x", f"{name}={value}"] if self.backend == "openmpi" else ["-genv", name, value]
        return [*words, "-n", str(ranks), *program]


def wheels(build: Path) -> dict[str, Mpi]:
    """The three MPIs that tools/fetch.py installs."""
    root = build / "mpi"
    return {
        "mpich": Mpi(
            "mpich",
            "mpich",
            root / "mpich/bin/mpiexec",
            root / "mpich/lib",
            yields={"MPIR_CVAR_ENABLE_HEAVY_YIELD": "1"},
        ),
        "openmpi": Mpi(
            "openmpi",
            "openmpi",
            root / "openmpi/bin/mpiexec",
            root / "openmpi/lib",
            ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"),
        ),
        "impi": Mpi(
            "impi",
            "mpich",
            root / "impi/bin/mpiexec",
            root / "impi/lib",
            environment={"I_MPI_FABRICS": "shm"},
            yields={"I_MPI_THREAD_YIELD": "3"},
        ),
    }


@dataclass
class Outcome:
    status: int  # 124: it did not end in time and was killed, with its ranks
    output: str
    seconds: float


def run(command: list[str], environment: dict[str, str], seconds: float) -> Outcome:
    """Runs to the end or to the time limit; then the whole process group is ended."""
    started = time.monotonic()
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # the launcher ends its ranks
            try:
                output, _ = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
            status = 124
    return Outcome(status, output, time.monotonic() - started)


class Suite:
    """Options that all scripts share, and the printed protocol."""

    def __init__(self, description: str | None, extra=lambda parser: None):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--build", type=Path, default=ROOT / "build", help="where the MPIs lie")
        parser.add_argument("--binaries", type=Path, default=None, help="CMake's folder (default: BUILD/release)")
        parser.add_argument("--mpi", nargs="*", default=["mpich", "openmpi", "impi"])
        parser.add_argument("-n", "--ranks", type=int, nargs="*", default=list(RANKS))
        parser.add_argument("-v", "--verbose", action="store_true", help="print every command")
        extra(parser)
        self.options = parser.parse_args()
        self.binaries: Path = self.options.binaries or self.options.build / "release"
        self.library = self.binaries / "lib" / "libtutti.so"
        self.locks = self.options.build / "locks"
        self.failed = 0
        self.printing = threading.Lock()

    def mpis(self) -> list[Mpi]:
        """The asked-for MPIs that are there; a missing one is a skipped line."""
        found = []
        for name in self.options.mpi:
            mpi = wheels(self.options.build)[name]
            if mpi.mpiexec.exists():
                found.append(mpi)
            else:
                self.skip(name, f"not installed: python3 tools/fetch.py {name}")
        return found

    def start(
        self,
        mpi: Mpi,
        ranks: int,
        program: list,
        preload: bool = True,
        seconds: float = 120,
        settings: dict[str, str] | None = None,
        environment: dict[str, str] | None = None,
        within: list[str] | None = None,
    ) -> Outcome:
        """`within`: words before the launcher.  The time limit begins when the launch may.  By turns, ranks of a crowd
        that measures nothing give the CPU away while they wait; it then is a crowd no longer."""
        crowd = launches.is_crowd(mpi.backend, ranks)
        yields = mpi.yields if crowd and turns.number() is not None and not launches.is_alone() else {}
        variables = dict(os.environ) | mpi.environment | yields | (environment or {})
        variables["LD_LIBRARY_PATH"] = str(mpi.libraries)
        variables["PATH"] = f"{mpi.mpiexec.parent}:{variables['PATH']}"
        words = [str(word) for word in program]
        command = [*(within or []), *mpi.command(ranks, words, self.library if preload else None, settings or {})]
        if self.options.verbose:
            self.say("$ " + " ".join(command))
        with launches.beside(self.locks, crowd and not yields):
            outcome = run(command, variables, seconds)
            if launches.failed_silently(mpi.backend, outcome.status, outcome.output):
                self.say(f"    {mpi.name}'s launcher gave up without a word; once more: {words[0]}")
                outcome = run(command, variables, seconds)
            return outcome

    def alone(self) -> AbstractContextManager[None]:
        """For what measures times: other launches, of other scripts too, come before or afterwards."""
        return launches.alone(self.locks)

    def say(self, text: str) -> None:
        """Whole lines, whoever prints at the same time."""
        with self.printing:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()

    def ok(self, name: str, figures: str = "") -> None:
        self.say(f"ok {name}" + (f" ({figures})" if figures else ""))

    def skip(self, name: str, why: str) -> None:
        self.say(f"skip {name}: {why}")

    def fail(self, name: str, why: str) -> None:
        """Further lines of `why` are indented, so that tests/run.py knows whose they are."""
        with self.printing:
            self.failed += 1
        first, *rest = why.splitlines() or [""]
        lines = [line if line.startswith(" ") else f"    {line}" for line in rest]
        self.say("\n".join([f"not ok {name}: {first}", *lines]))

    def judge(self, name: str, good: bool, why: str, figures: str = "") -> None:
        if good:
            self.ok(name, figures)
        else:
            self.fail(name, why)

    def check(self, name: str, outcome: Outcome, *needs: str) -> bool:
        """Status 0 and every text in `needs` printed."""
        missing = [text for text in needs if text not in outcome.output]
        if outcome.status == 0 and not missing:
            self.ok(name, f"{outcome.seconds:.1f} s")
            return True
        why = f"status {outcome.status}" + ("" if not missing else f", not printed: {missing}")
        self.fail(name, f"{why}; the end of its output:\n{tail(outcome.output)}")
        return False

    def end(self) -> None:
        sys.exit(1 if self.failed else 0)


def tail(text: str, lines: int = 15) -> str:
    return "\n".join("    " + line for line in text.strip().splitlines()[-lines:])


def which(name: str) -> Path | None:
    found = shutil.which(name)
    return Path(found) if found else None
