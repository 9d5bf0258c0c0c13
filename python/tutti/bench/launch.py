"""One launch of tutti-bench: its command line, its events, and an end to it when it stops moving."""

from __future__ import annotations

import contextlib
import ctypes.util
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutti import paths
from tutti.errors import UserError
from tutti.site import launch, processes
from tutti.site.mpi import Mpi, candidates, fetched_prefix

PATIENCE = 120.0  # seconds without a word before a launch counts as stuck
AFTER_THE_LAUNCHER = 5.0  # seconds for what ranks have still to say
LIBRARIES = {"openmpi": ("libmpi.so.40", "libmpi.so"), "mpich": ("libmpi.so.12", "libmpich.so.12", "libmpi.so")}


class LaunchFailed(Exception):
    """The ranks ended badly or stopped moving; what they had finished was given before."""


class NeverStarted(LaunchFailed):
    """Not one rank came to measure: another launch like it would take as long, for nothing."""


class Refused(LaunchFailed):
    """tutti-bench would not do what it was asked to, and said why."""


def library_of(chosen: Mpi) -> Path:
    """libmpi of that MPI: beside its launcher, else where the loader finds it.  Raises UserError."""
    root = (chosen.prefix or chosen.mpiexec.resolve().parent.parent).absolute()
    folders = [root / "lib", root / "lib64", root / "lib" / "release", *sorted(root.glob("lib/*-linux-gnu"))]
    folders += [Path(item) for item in os.environ.get("LD_LIBRARY_PATH", "").split(":") if item]
    names = LIBRARIES[chosen.backend]
    for folder in folders:
        for name in names:
            if (folder / name).exists():
                return folder / name
    if chosen.prefix is None:  # on PATH: a library of the system's, then
        for stem in ("mpich", "mpi"):
            if (file := ctypes.util.find_library(stem)) in names:
                return Path(file)
    raise UserError(
        f"the library of {chosen.title} was not found beside {chosen.mpiexec} ({' or '.join(names)}): name "
        "the MPI's prefix with --mpi PREFIX"
    )


def bench_words(
    chosen: Mpi,
    library: Path,
    *,
    variants: Sequence[str],
    cases: Sequence[str],
    seconds: float = 0.5,
    precision: float = 0.01,
    check: bool = True,
    bound: bool = False,
    timing: Sequence[str] = (),
    samples: Path | None = None,
) -> list[str]:
    """Words of tutti-bench itself, for any launcher.  Raises UserError where it is not built."""
    program = paths.bench_program(chosen.backend)
    if program is None:
        raise UserError("tutti-bench is not in this installation: build it with `make build`")
    words = [
        program,
        "--mpi-library",
        library,
        "--variants",
        ",".join(variants),
        "--seconds",
        seconds,
        "--precision",
        precision,
        *([] if check else ["--no-check"]),
        *(["--bound"] if bound else []),
        *timing,
        *(["--samples", samples] if samples else []),
        *cases,
    ]
    return [str(word) for word in words]


def bench_command(
    chosen: Mpi,
    library: Path,
    *,
    ranks: int,
    variants: Sequence[str],
    cases: Sequence[str],
    launcher: str = "mpiexec",
    nodes: int | None = None,
    per_node: int | None = None,
    profile: str | None = None,
    settings: Mapping[str, str] | None = None,
    extra: Sequence[str] = (),
    **words: Any,
) -> list[str]:
    """Words of the launcher and of tutti-bench (`words`: see bench_words).  Raises UserError where one is missing."""
    program = bench_words(chosen, library, variants=variants, cases=cases, **words)
    variables = {"LD_PRELOAD": launch.preload()} if "tutti" in variants else {}
    variables |= {"TUTTI_PROFILE": profile} if profile else {}
    variables |= settings or {}
    return launch.Job(chosen, ranks, nodes, per_node, launcher, variables, extra, bound=True).command(program)


@dataclass(frozen=True)
class Taken:
    """The MPI that a launch's ranks were given, and how many of them there are to be: what a user has to know where
    they do not come together."""

    mpi: Mpi
    library: Path
    ranks: int
    launcher: str

    def __str__(self) -> str:
        how = ", since no --mpi names one" if self.mpi.origin == "on PATH" else ""
        return f"the ranks were given {self.mpi.title} ({self.library}), the MPI {self.mpi.origin}{how}"

    @property
    def advice(self) -> str:
        """What to type, where ranks are started by something else than that MPI's own launcher."""
        if self.launcher == "mpiexec" or self.mpi.origin == "of --launcher":
            return ""
        others = [other for other in candidates() if other.backend != self.mpi.backend]
        named = [f"--mpi {other.name if fetched_prefix(other.name) else other.mpiexec}" for other in others]
        words = f" ({' or '.join(dict.fromkeys(named))})" if named else ""
        return f"; if --launcher starts the ranks of another, name that one: --mpi PREFIX{words}"

    def check(self, world: int) -> None:
        """Raises Refused where a rank sees another number of ranks: of a foreign library each believes to be alone."""
        if world != self.ranks:
            raise Refused(f"{self.ranks} ranks were started, and a rank sees {world}: {self}{self.advice}")


class Launch:
    """A running launch.  Iterating gives its events, and raises LaunchFailed at a bad end.

    However it ends (Ctrl-C, a launcher that crashes), no process of it is left.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        on_message: Callable[[str], object],
        patience: float = PATIENCE,
        taken: Taken | None = None,
    ):
        """`on_message` gets what the ranks print that is no event, a line at a time; `taken` is told where they do not
        come together."""
        self._patience, self._on_message, self._taken = patience, on_message, taken
        self._said: deque[str] = deque(maxlen=5)
        self._reason = ""  # as tutti-bench itself gave it
        self._begun = False
        self._lines: queue.Queue[tuple[str, str | None]] = queue.Queue()
        self._family = processes.Family()
        self._process = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=processes.end_with_this_process(),
        )
        for name in ("stdout", "stderr"):
            threading.Thread(target=self._read, args=(name,), daemon=True).start()

    def _read(self, name: str) -> None:
        for line in getattr(self._process, name):
            self._lines.put((name, line.rstrip("\n")))
        self._lines.put((name, None))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with processes.ended_in_order():
            try:
                yield from self._events()
            finally:
                self.stop()

    def _events(self) -> Iterator[dict[str, Any]]:
        open_streams, ended = 2, False
        while open_streams:
            name, line = self._next_line()
            if line is None:
                open_streams -= 1
            elif name == "stdout" and (event := as_event(line)):
                if self._taken and event["event"] == "environment":
                    self._taken.check(event.get("ranks", self._taken.ranks))
                self._begun, ended = True, ended or event["event"] == "end"
                yield event
            elif line.strip():
                self._said.append(line.strip())
                if line.startswith("tutti-bench: ") and not self._reason:
                    self._reason = line.removeprefix("tutti-bench: ").strip()
                self._on_message(line)
        status = self._process.wait(self._patience)
        if status and not ended:  # with wrong results it ends properly, and says so in its events
            raise self._bad_end(status)

    def _next_line(self) -> tuple[str, str | None]:
        """Raises LaunchFailed where none comes, or none can come: ranks hold the streams of a launcher that is gone."""
        last = time.monotonic()
        while True:
            alone = self._process.poll() is not None
            left = last + (min(AFTER_THE_LAUNCHER, self._patience) if alone else self._patience) - time.monotonic()
            try:
                return self._lines.get(timeout=max(0.0, min(left, 1.0)))
            except queue.Empty:
                if left > 0:
                    continue
            if alone:
                said = f": {self._said[-1]}" if self._said else ""
                raise self._failure(
                    f"the launcher ended ({status_text(self._process.returncode)}) before its ranks{said}"
                )
            raise self._failure(f"nothing came for {self._patience:.0f} s: the ranks hang")

    def _failure(self, text: str) -> LaunchFailed:
        if self._begun:
            return LaunchFailed(text)
        return NeverStarted(f"{text}; {self._taken}{self._taken.advice}" if self._taken else text)

    def _bad_end(self, status: int) -> LaunchFailed:
        # Launchers say more after it than there is to say.
        why = self._reason or (self._said[-1] if self._said else "")
        if self._reason and not self._reason.startswith("rank "):  # of one rank alone, it is an accident
            return Refused(why)
        return self._failure(f"it ended with {status_text(status)}" + (f": {why}" if why else ""))

    def stop(self) -> None:
        """Ends the launcher, which ends its ranks, kindly first; then what it has left behind."""
        with processes.undisturbed():
            for number, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
                if self._process.poll() is not None:
                    break
                self._process.send_signal(number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(seconds)
            self._family.end()


def status_text(status: int) -> str:
    """As people know it: a signal by its name."""
    if status >= 0:
        return f"status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def as_event(line: str) -> dict[str, Any] | None:
    """The event that a line of tutti-bench is, or None."""
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "event" in value else None


def timestamp() -> str:
    """For names of folders: sorts by time."""
    return time.strftime("%Y-%m-%dT%H-%M-%S")
