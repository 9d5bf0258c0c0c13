"""What tests take away from a job, and what a job left behind: full file systems, control groups, namespaces."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

SHM = Path("/dev/shm")


def inside(setup: str) -> list[str]:
    """Words before a command: `setup` in a shell first, then the command in its place."""
    return ["sh", "-c", f'{setup} && exec "$0" "$@"']


def works(words: list[str]) -> bool:
    try:
        done = subprocess.run([*words, "true"], capture_output=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def small_shm(size: str) -> list[str] | None:
    """Words before a launcher whose ranks then share a /dev/shm of their own; nothing where that is not allowed."""
    mount = inside(f"mount -t tmpfs -o size={size} tmpfs /dev/shm")
    ways = (["unshare", "--mount", *mount], ["unshare", "--user", "--map-root-user", "--mount", *mount])
    return next((words for words in ways if works(words)), None)


def process_namespaces(more: list[str]) -> list[str] | None:
    """Words before a program: each rank in a PID namespace of its own, where its number is 1."""
    own = ["unshare", "--pid", "--fork", "--kill-child", *more]
    ways = (own, [own[0], "--user", "--map-root-user", *own[1:]])
    return next((words for words in ways if works(words)), None)


class MemoryGroup:
    """A memory control group of its own, version 2 or 1.  `entered` is what comes before a command inside it."""

    def __init__(self):
        version_2, version_1 = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")
        if (version_2 / "cgroup.controllers").exists():
            parent, self.limit_file, self.peak_file = version_2, "memory.max", "memory.peak"
        else:
            parent, self.limit_file, self.peak_file = version_1, "memory.limit_in_bytes", "memory.max_usage_in_bytes"
        self.folder = parent / f"tutti-test-{os.getpid()}"

    def __enter__(self) -> MemoryGroup | None:
        """Nothing where that is not allowed."""
        try:
            self.folder.mkdir()
        except OSError:
            return None
        if all((self.folder / name).exists() for name in (self.limit_file, self.peak_file)):
            return self
        self.__exit__()
        return None

    def __exit__(self, *_) -> None:
        for _ in range(50):  # the kernel lets go of ended processes a little later
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.1)

    def entered(self) -> list[str]:
        return inside(f"echo $$ > {self.folder}/cgroup.procs")

    def peak(self) -> int:
        return int((self.folder / self.peak_file).read_text())

    def limit(self, most: int) -> None:
        (self.folder / self.limit_file).write_text(str(most))


def shared_memory() -> set[str]:
    """Names in /dev/shm, and the numbers of System V segments."""
    found = {str(path) for path in SHM.iterdir()}
    try:
        rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    except OSError:
        return found
    return found | {f"System V segment {row.split()[1]}" for row in rows}


@dataclass(frozen=True)
class Left:
    """What is there after a job that was not there before; `libraries`: files of the MPI's own making."""

    ours: list[str]
    libraries: list[str]
    processes: list[str]


class Watch:
    """Notes what is there before a job.  `environment` marks the job's processes and gives them a folder for files."""

    def __init__(self, folder: str):
        self.mark = uuid.uuid4().hex
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.environment = {"TMPDIR": str(self.folder), "TESTED_JOB": self.mark}
        self.before = shared_memory()

    def processes(self) -> list[str]:
        """Those that inherited the mark."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (process / "environ").read_bytes():
                    name = (process / "comm").read_text().strip()
                    found.append(f"{name} {process.name}")
            except OSError:  # it has just ended, or is not ours
                continue
        return found

    def left(self, patience: float = 5) -> Left:
        """Looked at until nothing of the job runs, for `patience` seconds at most."""
        ends = time.monotonic() + patience
        while (processes := self.processes()) and time.monotonic() < ends:
            time.sleep(0.02)
        names = shared_memory() - self.before
        names |= {str(path) for path in self.folder.rglob("*") if not path.is_dir()}
        ours = sorted(name for name in names if "tutti" in name)
        return Left(ours, sorted(remove_unused(names - set(ours))), processes)


def remove_unused(names: set[str]) -> list[str]:
    """Those that no process has mapped, which are then gone: an MPI does not clean up after a rank that was killed."""
    mapped = ""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            mapped += (process / "maps").read_text()
        except OSError:
            continue
    unused = [name for name in names if name.startswith("/") and name not in mapped]
    for name in unused:
        Path(name).unlink(missing_ok=True)
    return unused
