"""A cluster, from its making to its end, and programs on it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from cluster import counters
from cluster.counters import Counters
from cluster.errors import CANNOT, LATE, ClusterError
from cluster.launchers import LAUNCHERS, Job, prefix
from cluster.placement import place
from cluster.plan import Plan
from cluster.processes import MARK, PATIENCE, end_marked
from cluster.processors import bound
from cluster.state import Folder, Holder, State

TOOLS = ("ip", "tc", "unshare", "nsenter", "setsid", "taskset")


@dataclass(frozen=True)
class Result:
    status: int  # the launcher's, which is the program's; 124: it did not end in time and was ended
    output: str  # what it printed, both streams, unless it was let through
    seconds: float
    nodes: list[Counters]

    @property
    def total(self) -> Counters:
        return sum(self.nodes, Counters())


def check_machine() -> None:
    """One clear line where no cluster can be made."""
    if os.geteuid() != 0:
        raise ClusterError("an emulated cluster needs root: sudo, or a container of your own", CANNOT)
    if missing := [name for name in TOOLS if not shutil.which(name)]:
        raise ClusterError(f"{', '.join(missing)} not found: on Debian, packages iproute2 and util-linux", CANNOT)


class Cluster:
    """With `with`, it is there inside, and gone afterwards, also where this process is killed."""

    def __init__(
        self,
        nodes: int = 4,
        rate: str = "1gbit",
        buffers: str | int = "deep",
        flow_rate: str = "",
        processors: str = "shared",
        name: str = "",
    ):
        self.plan = Plan(nodes, rate, str(buffers), flow_rate, processors)
        self.folder = Folder(name or f"of-{os.getpid()}-{uuid.uuid4().hex[:6]}")
        self.state: State | None = None
        self.keeper: subprocess.Popen | None = None

    @classmethod
    def find(cls, name: str) -> Cluster | None:
        """The one that is up under that name."""
        folder = Folder(name)
        state = folder.read()
        if state is None:
            return None
        found = cls(**asdict(state.plan), name=name)
        found.state = state
        return found

    def __enter__(self) -> Cluster:
        self.up()
        return self

    def __exit__(self, *_) -> None:
        self.down()

    def up(self, owned: bool = True) -> None:
        """Owned, it ends with this process; else with `down`."""
        check_machine()
        owner = os.pidfd_open(os.getpid()) if owned else -1
        words = [sys.executable, "-m", "cluster.keeper", self.folder.name, json.dumps(asdict(self.plan)), str(owner)]
        try:
            self.keeper = subprocess.Popen(
                words,
                cwd="/",
                env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                pass_fds=(owner,) if owned else (),
                start_new_session=True,
                text=True,
            )
        finally:
            if owned:
                os.close(owner)
        try:
            answer = self.keeper.stdout.readline() if self.keeper.stdout else ""
        except BaseException:  # a signal: the keeper is told before this process goes on to its end
            self.keeper.terminate()
            self.keeper.wait()
            self.folder.remove(left_over=True)
            raise
        facts = json.loads(answer) if answer else {"error": "its keeper ended early", "status": CANNOT}
        if "error" in facts:
            self.keeper.wait()
            raise ClusterError(facts["error"], facts["status"])
        self.state = self.folder.read()

    def down(self) -> None:
        """Until nothing of it is left."""
        if self.state is None:
            return
        keeper, self.state = self.state.keeper, None
        if self.folder.locked():
            self.end(keeper)
        self.folder.remove(left_over=True)

    def end(self, keeper: int) -> None:
        """Asks the keeper; where it does not answer, ends it: then the hub reads the end of its pipe, and ends."""
        ended = os.pidfd_open(keeper)
        try:
            for number in (signal.SIGTERM, signal.SIGKILL):
                signal.pidfd_send_signal(ended, number)
                if select.select([ended], [], [], PATIENCE)[0]:
                    break
        finally:
            os.close(ended)
        if self.keeper:
            self.keeper.wait()
            if self.keeper.stdout:
                self.keeper.stdout.close()

    def there(self) -> State:
        if self.state is None:
            raise ClusterError("the cluster is not up")
        return self.state

    def within(self, node: int, words: Sequence[str]) -> list[str]:
        """A command in a node, in this folder; in a session of its own, since one from outside has no number there."""
        holder: Holder = self.there().nodes[node]
        enter = ["nsenter", "-t", str(holder.here), "-p", "-n", "-u", "-i", "-m", "--", "setsid", "--wait"]
        return [*bound(enter, holder.processors), "sh", "-c", 'cd "$0" && exec "$@"', str(Path.cwd()), *words]

    def run(
        self,
        mpi: str,
        ranks: int | None = None,
        per_node: int | None = None,
        placement: str = "block",
        program: Sequence[str | Path] = (),
        preload: str | Path | None = None,
        settings: Mapping[str, str] | None = None,
        seconds: float | None = None,
        capture: bool = True,
        build: Path | None = None,
        ended: Callable[[], None] | None = None,
        release: Path | None = None,
    ) -> Result:
        """An MPI program, to its end or the time limit.  `settings`, and the preload, reach the ranks alone.  `ended`
        is called when the launcher has, before anything that it left is removed.  `release`: the prefix of that MPI,
        if it is another one than the build fetched."""
        state, launcher = self.there(), LAUNCHERS.get(mpi)
        variables = dict(settings or {}) | ({"LD_PRELOAD": str(Path(preload).resolve())} if preload else {})
        placed = place(placement, self.plan.nodes, ranks, per_node)
        installed = prefix(mpi, build, release)
        with self.call() as (mark, folder):
            words = [str(word) for word in program]
            job = Job(installed, self.folder.shell, folder, self.plan.hosts, placed, words, variables)
            environment = os.environ | launcher.variables | {MARK: mark, "TMPDIR": str(self.folder.temporary)}
            environment["PATH"] = f"{installed / 'bin'}:{os.environ['PATH']}"
            environment["LD_LIBRARY_PATH"] = str(installed / "lib")
            before, began = counters.read(state), time.monotonic()
            status, output = carry_out(self.within(0, launcher.words(job)), environment, mark, seconds, capture, ended)
            nodes = counters.difference(before, counters.read(state))
            return Result(status, output, time.monotonic() - began, nodes)

    @contextlib.contextmanager
    def call(self) -> Iterator[tuple[str, Path]]:
        """A mark for what a run starts, and a folder for it; the keeper ends what is left when this process ends."""
        mark = uuid.uuid4().hex
        folder = self.folder.path / mark
        with socket.socket(socket.AF_UNIX) as line:
            try:
                folder.mkdir()
                line.connect(str(self.folder.calls))
                line.sendall(mark.encode())
                yield mark, folder
            except (FileNotFoundError, ConnectionError) as error:
                if self.folder.locked():
                    raise
                raise ClusterError(f"cluster {self.folder.name} has ended meanwhile") from error
            finally:
                end_marked(mark)
                shutil.rmtree(folder, ignore_errors=True)


def carry_out(
    words: list[str],
    environment: dict[str, str],
    mark: str,
    seconds: float | None,
    capture: bool,
    ended: Callable[[], None] | None = None,
) -> tuple[int, str]:
    """Status and output.  Everything with the mark has ended when this returns."""
    with tempfile.TemporaryFile("w+", errors="replace") if capture else contextlib.nullcontext() as file:
        process = subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.DEVNULL if capture else None,
            stdout=file,
            stderr=subprocess.STDOUT if capture else None,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=seconds)
            if ended:
                ended()
        except subprocess.TimeoutExpired:
            status = LATE
        finally:
            end_marked(mark)
            process.wait()
        return (status if status >= 0 else 128 - status), printed(file)


def printed(file: IO[str] | None) -> str:
    if file is None:
        return ""
    file.seek(0)
    return file.read()
