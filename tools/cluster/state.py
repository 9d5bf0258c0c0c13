"""Where a cluster that is there is written down: a folder a cluster in /run, locked by the cluster's keeper.

The kernel takes the lock away when the keeper ends, however it ends: what is not locked is left over.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cluster.errors import ClusterError
from cluster.plan import Plan

CLUSTERS = Path("/run/tutti-cluster")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Folders are made and removed by one process at a time: the lock is on the folder of all of them."""
    while True:
        CLUSTERS.mkdir(mode=0o755, exist_ok=True)
        try:
            descriptor = os.open(CLUSTERS, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.fstat(descriptor).st_nlink:  # not removed while this one waited
                yield
                return
        finally:
            os.close(descriptor)


@dataclass(frozen=True)
class Holder:
    """A process that does nothing but keep a node's namespaces: its number seen from here, and seen from inside; and
    the processors of the node, none where it may use them all."""

    here: int
    inside: int
    processors: tuple[int, ...] = ()


@dataclass(frozen=True)
class State:
    plan: Plan
    keeper: int
    hub: Holder
    nodes: tuple[Holder, ...]

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    @staticmethod
    def read(path: Path) -> State:
        facts = json.loads(path.read_text())
        nodes = tuple(Holder(**node) for node in facts["nodes"])
        return State(Plan(**facts["plan"]), facts["keeper"], Holder(**facts["hub"]), nodes)


class Folder:
    """What one cluster keeps in files."""

    def __init__(self, name: str):
        if not NAME.fullmatch(name):
            raise ClusterError(f"'{name}' is no name for a cluster: letters, digits, and . _ - between them")
        self.name, self.path = name, CLUSTERS / name
        self.state, self.lock, self.calls = self.path / "state.json", self.path / "lock", self.path / "calls"
        self.shell, self.hosts, self.temporary = self.path / "rsh", self.path / "hosts", self.path / "tmp"

    def locked(self) -> bool:
        """Whether a keeper lives."""
        try:
            with self.lock.open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def make(self) -> int:
        """A new folder, and its lock, held by whoever has the descriptor that is returned."""
        with one_at_a_time():
            if self.locked():
                down = f"`cluster.py down --name {self.name}` removes it"
                raise ClusterError(f"a cluster '{self.name}' is there already: {down}")
            shutil.rmtree(self.path, ignore_errors=True)
            self.path.mkdir()
            descriptor = os.open(self.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.temporary.mkdir()
        return descriptor

    def remove(self, left_over: bool = False) -> None:
        """`left_over`: only if no keeper has it."""
        with one_at_a_time():
            if not (left_over and self.locked()):
                shutil.rmtree(self.path, ignore_errors=True)
            with contextlib.suppress(OSError):  # another cluster is there
                CLUSTERS.rmdir()

    def read(self) -> State | None:
        """None where no cluster is up under that name."""
        try:
            return State.read(self.state) if self.locked() else None
        except FileNotFoundError:
            return None


def names() -> list[str]:
    """Clusters that are up; what others left is removed on the way."""
    found = []
    for path in sorted(CLUSTERS.glob("*")):
        folder = Folder(path.name)
        if folder.locked():
            found.append(path.name)
        else:
            folder.remove(left_over=True)
    return found
