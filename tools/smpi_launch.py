"""Starts programs on SimGrid's SMPI, with the settings that make simulated times follow from the platform alone."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from smpi_platform import Platform

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"

MODEL = {
    "smpi/simulate-computation": "no",  # only messages take time
    "smpi/privatization": "dlopen",  # a copy of the program for each rank; mmap leaves thread_local to all of them
    "smpi/lat-factor": "0:1",  # SMPI's own factors, fitted to another machine, are turned off
    "smpi/bw-factor": "0:1",
    "network/TCP-gamma": "1e12",  # no limit by window size
    "network/weight-S": "0",  # long and short routes share a link alike
    "smpi/wtime": "0",  # asking for the time takes none
    "smpi/send-is-detached-thresh": "65536",  # shorter messages are sent without waiting for the receiver
    "smpi/async-small-thresh": "0",  # travelling before it has come, they overtake long ones of the same tag in 3.32
    "contexts/stack-size": "1024",  # KiB of each rank; SimGrid's 8 MiB would count against the limit of memory
    "smpi/shared-malloc": "global",  # what a program takes by SMPI_SHARED_MALLOC is one piece of memory for all
}
# What tutti's own agreements and the benchmark's clock call.  SMPI's standard allgather sends p^2 messages, and its
# node-aware broadcasts and reductions take 30 s to set up 1024 ranks.  Its mpich's MPI_Reduce of long vectors crashes
# where ranks other than the root have no receive buffer.
PLAIN = {
    "smpi/coll-selector": "mpich",
    "smpi/allreduce": "rdb",
    "smpi/bcast": "binomial_tree",
    "smpi/reduce": "binomial",
    "smpi/allgather": "bruck",
}
SELECTORS = ("mpich", "ompi", "mvapich2", "impi")

MOST_PIECES = 16  # that a shared buffer is put together of; the kernel allows a process 65530
MEMORY = 8 << 30
MOST_PAGE_TABLES = 4 << 30  # bytes; 8 for each 4 KiB that is mapped


class Unusable(Exception):
    """What cannot be simulated here, in one sentence, and the rows that came before."""

    def __init__(self, why: str, rows: Sequence[dict] = ()):
        super().__init__(why)
        self.rows = list(rows)


@dataclass(frozen=True)
class Run:
    """One program on one platform."""

    platform: Platform
    words: Sequence[str]
    settings: dict[str, str] = field(default_factory=dict)  # TUTTI_<COLLECTIVE> and the like
    configuration: dict[str, str] = field(default_factory=dict)  # of SimGrid, beyond MODEL
    ranks: int | None = None  # fewer than the platform holds
    seconds: float = 600
    memory: int = MEMORY  # bytes that the simulation may take for itself; shared buffers do not count

    def command(self, folder: Path) -> list[str]:
        platform, hosts = self.platform.write(folder)
        options = [f"--cfg={name}:{value}" for name, value in (MODEL | self.configuration).items()]
        limited = ["sh", "-c", 'ulimit -d "$0" && exec "$@"', self.memory >> 10]
        ranks = self.ranks or self.platform.ranks
        start = [*limited, tool(), "-np", ranks, "-platform", platform, "-hostfile", hosts]
        return [str(word) for word in [*start, "--log=root.thres:warning", *options, *self.words]]


def tool() -> str:
    found = shutil.which("smpirun")
    if not found:
        raise Unusable("SimGrid is not installed (no smpirun on PATH); on Debian: make test-deps, or libsimgrid-dev")
    return found


def build() -> None:
    """The backend and its programs, up to date."""
    tool()
    cmake = shutil.which("cmake", path=f"{ROOT / '.venv/bin'}:{os.environ.get('PATH', '')}")
    if not cmake or not (BUILD / "build.ninja").exists():
        raise Unusable(f"{BUILD} is not configured; make build")
    # Configured anew: SimGrid may have been installed since.
    for command in ([cmake, str(BUILD), "--log-level=WARNING"], [cmake, "--build", str(BUILD), "--target", "smpi"]):
        path = f"{ROOT / '.venv/bin'}:{os.environ.get('PATH', '')}"
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})
        if done.returncode != 0:
            raise Unusable(f"the backend for SMPI does not build: {(done.stdout + done.stderr).strip()[-2000:]}")


def environment(settings: dict[str, str]) -> dict[str, str]:
    """All ranks see one environment: nothing of tutti's but the run's own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TUTTI")} | settings


running: set[int] = set()  # process groups


def stop_all() -> None:
    """Ends what other threads have started."""
    for group in list(running):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def start(run: Run) -> subprocess.CompletedProcess[str]:
    """Runs to the end or to the time limit.  The output of the ranks is apart from that of SimGrid."""
    with (
        tempfile.TemporaryDirectory(prefix="tutti-smpi-") as folder,
        subprocess.Popen(
            run.command(Path(folder)),
            env=environment(run.settings) | {"TMPDIR": folder},  # where the copies of the program go
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        running.add(process.pid)
        try:
            output, errors = process.communicate(timeout=run.seconds)
        except BaseException as reason:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            if not isinstance(reason, subprocess.TimeoutExpired):
                raise
            errors += f"\nit did not end in {run.seconds:.0f} s"
            return subprocess.CompletedProcess(process.args, 124, output, errors)
        finally:
            running.discard(process.pid)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def reason(errors: str) -> str:
    """The line that matters of what SimGrid wrote: its first error, or else the last of all."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    worst = [line for line in lines if "CRITICAL" in line or "ERROR" in line or line.startswith("smpi bench:")]
    return (worst or lines[-1:] or ["it ended without a word"])[0]


def sides(collective: str) -> tuple[int, int]:
    """Buffers of one size, and those with a block for each rank."""
    one = {"barrier": 0, "bcast": 1, "alltoall": 0, "gather": 1, "scatter": 1, "allgather": 1}
    each = {"alltoall": 2, "gather": 1, "scatter": 1, "allgather": 1, "reduce_scatter_block": 1}
    return one.get(collective, 1 if collective == "reduce_scatter_block" else 2), each.get(collective, 0)


def sharing(collective: str, largest: int, ranks: int) -> dict[str, str]:
    """How the benchmark's buffers are laid over each other, so that they can be mapped at all."""
    one, each = sides(collective)
    rounded = lambda size: 1 << (size - 1).bit_length()  # noqa: E731  as the benchmark does
    mapped = ranks * (one * rounded(largest) + each * rounded(largest * ranks))
    if mapped // 4096 * 8 > MOST_PAGE_TABLES:
        raise Unusable(f"{collective} of {largest} bytes on {ranks} ranks: page tables would take over 4 GiB")
    buffer = largest * (ranks if each else 1)
    piece = 1 << max(20, (buffer // MOST_PIECES - 1).bit_length())
    return {"smpi/shared-malloc-blocksize": str(piece)}


def settings_of(collective: str, spec: str | None, profile: Path | None) -> dict[str, str]:
    if spec:
        return {f"TUTTI_{collective.upper()}": spec, "TUTTI_EXPLAIN": "1"}
    return {"TUTTI_PROFILE": str(profile.resolve()), "TUTTI_EXPLAIN": "1"} if profile else {"TUTTI": "off"}


def times(
    platform: Platform,
    collective: str,
    sizes: Sequence[int],
    *,
    spec: str | None = None,
    selector: str | None = None,
    profile: Path | None = None,
    settings: dict[str, str] | None = None,
    repeat: int,
    memory: int = MEMORY,
) -> list[dict]:
    """One row a size: by that spec of tutti's, by the rules of its profile, or by that selector of SMPI's; with further
    settings of tutti's."""
    chosen = {"smpi/coll-selector": selector} if selector else PLAIN
    run = Run(
        platform,
        [str(BUILD / "smpi/bench"), collective, ",".join(map(str, sizes)), str(repeat)],
        settings_of(collective, spec, profile) | (settings or {}),
        chosen | sharing(collective, max(sizes), platform.ranks),
        seconds=3600,
        memory=memory,
    )
    done = start(run)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    said = [line.partition("; ")[2] for line in done.stderr.splitlines() if line.startswith("tutti: ") and "; " in line]
    for row in rows:
        row |= {"spec": spec, "selector": selector, "nodes": platform.nodes, "ppn": platform.ppn}
        row |= {"latency": platform.latency, "bandwidth": platform.bandwidth}
        row["served"] = selector is not None or row["choice"] != "native"
        if not row["served"]:
            row["why"] = ", ".join(dict.fromkeys(said)) or "tutti left the call alone"
    if done.returncode != 0 or len(rows) != len(sizes):
        by = spec or selector or profile
        why = f"{collective} by {by}, size {len(rows) + 1} of {len(sizes)}: status {done.returncode}"
        hint = f" (it may take {memory >> 20} MiB for itself: --memory)" if done.returncode in (134, 137, 139) else ""
        raise Unusable(f"{why}: {reason(done.stderr)}{hint}", rows)
    return rows
