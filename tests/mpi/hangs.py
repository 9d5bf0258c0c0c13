"""tutti hang on programs that hang: the report names the ranks, the collective and the lines, within 5 s of asking.

    .venv/bin/python tests/mpi/hangs.py                         all of tests/mpi/hangs/hangs.c on three MPIs
    .venv/bin/python tests/mpi/hangs.py --only crossed --show   one, with its report

By turns one in nine on each MPI, others on the next turn.  Every job is ended with SIGTERM to its launcher; then what
is left of its ranks by their numbers, and the shared memory that they had mapped.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import launches
from harness import ROOT, Mpi, Suite, tail, turns

sys.path.append(str(ROOT / "python"))

from tutti.hang import analysis, model
from tutti.site import processes

SOURCE = Path(__file__).parent / "hangs" / "hangs.c"
ASKED, BEGUN, PERIOD = 5.0, 60.0, 9
MARKS = {
    mark: number
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1)
    for mark in re.findall(r"/\* @([\w.]+) \*/", text)
}


@dataclass(frozen=True)
class Hang:
    """What the first finding must be.  `came`: the line of those that came; `lost`: of each missing rank what it is
    (Rank.where), a word of what the report says of it, and its line."""

    name: str
    ranks: int
    kind: str
    function: str
    missing: tuple[int, ...] = ()
    came: str = ""
    lost: dict[int, tuple[str, str, str]] = field(default_factory=dict, hash=False)
    says: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict, hash=False)
    options: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)  # of launchers
    mpis: tuple[str, ...] = ("mpich", "openmpi", "impi")


COMPUTES = ("program", "computing", "compute")
DOZES = ("asleep", "asleep", "doze")
RECEIVES = ("mpi", "MPI_Recv", "recv")
ALONE = {"mpich": ("-disable-auto-cleanup",)}  # else the launcher ends the job with its first rank

HANGS = (
    Hang("computing", 3, "missing", "MPI_Barrier", (1,), "barrier", {1: COMPUTES}, ("call 7 of MPI_COMM_WORLD",)),
    Hang("receiving", 3, "missing", "MPI_Allreduce", (0,), "sum", {0: RECEIVES}, ("8 bytes", "MPI_SUM")),
    Hang("sending", 2, "missing", "MPI_Allgather", (0,), "allgather", {0: ("mpi", "MPI_Ssend", "ssend")}),
    Hang("sleeping", 4, "missing", "MPI_Bcast", (3,), "bcast", {3: DOZES}, ("root 3",)),
    Hang("polling", 2, "missing", "MPI_Alltoall", (1,), "alltoall", {1: ("", "", "iprobe")}),
    Hang("reading", 2, "missing", "MPI_Barrier", (1,), "barrier", {1: ("program", "in read", "read")}),
    Hang("stopping", 3, "missing", "MPI_Barrier", (1,), "barrier", {1: ("stopped", "stopped", "")}),
    Hang(
        "ending", 3, "missing", "MPI_Barrier", (1,), "barrier", {1: ("gone", "gone", "")}, options=ALONE,
        mpis=("mpich",),
    ),
    Hang(
        "other_collective", 2, "differ", "", says=("collective of call 7", "MPI_Barrier at hangs.c:{other.barrier}",
        "MPI_Allreduce (8 bytes, MPI_MAX) at hangs.c:{other.allreduce}"),
    ),
    Hang("other_root", 2, "differ", "MPI_Bcast", says=("root of call 7", "root 0", "root 1", "hangs.c:{other.root}")),
    Hang("other_operator", 2, "differ", "MPI_Allreduce", says=("operator of call 7", "MPI_MAX", "hangs.c:{other.op}")),
    Hang("crossed", 3, "crossed", "MPI_Barrier", says=("communicator A", "communicator B", "hangs.c:{crossed.first}")),
    Hang("crossed_served", 2, "crossed", "", says=("hangs.c:{crossed.a}", "hangs.c:{sum}", "MPI_Comm_dup")),
    Hang("in_half", 4, "missing", "MPI_Reduce", (3,), "half.reduce", {3: RECEIVES}, ("ranks 1,3 (MPI_Comm_split)",)),
    Hang("chain", 3, "missing", "MPI_Barrier", (2,), "chain.pair", {2: COMPUTES}, ("ranks 1-2 (MPI_Comm_split)",)),
    Hang("nonblocking", 2, "missing", "MPI_Iallreduce", (1,), "iallreduce", {1: COMPUTES}, ("hangs.c:{wait}",)),
    Hang("splitting", 3, "missing", "MPI_Comm_split", (1,), "split", {1: DOZES}),
    Hang("dup_or_barrier", 2, "differ", "", says=("MPI_Comm_dup at hangs.c:{dup}", "hangs.c:{barrier}")),
    Hang("finalizing", 3, "missing", "MPI_Barrier", (0,), "barrier", says=("MPI_Finalize", "hangs.c:{finalize}")),
    Hang("finalize_alone", 2, "finalize", "MPI_Finalize", (0,), "finalize.others", {0: DOZES}),
    Hang("left_loop", 3, "missing", "MPI_Allreduce", (1,), "sum", {1: RECEIVES}, ("call 300 of", "call 299 of")),
    Hang("left_early", 3, "missing", "MPI_Reduce", (2,), "reduce", {2: COMPUTES}),
    Hang("gathering", 3, "missing", "MPI_Barrier", (0,), "barrier", {0: DOZES}, ("hangs.c:{doze}",)),
    Hang("threads", 2, "missing", "MPI_Barrier", (1,), "second", {1: COMPUTES}),
    Hang("first_call", 2, "missing", "MPI_Barrier", (1,), "barrier", {1: COMPUTES}, ("no collective call",)),
    Hang("native", 3, "missing", "MPI_Allreduce", (0,), "sum", {0: RECEIVES}, settings={"TUTTI_ALLREDUCE": "native"}),
    Hang("without", 2, "missing", "MPI_Barrier", (1,), "barrier", {1: COMPUTES}, ("not preloaded",)),
)  # fmt: skip


class Job:
    """A launched program that hangs, until it is ended."""

    def __init__(self, suite: Suite, mpi: Mpi, hang: Hang, settings: dict[str, str]):
        crowd = launches.is_crowd(mpi.backend, hang.ranks)
        variables = dict(os.environ) | mpi.environment | (mpi.yields if crowd else {})
        variables |= {"LD_LIBRARY_PATH": str(mpi.libraries), "PATH": f"{mpi.mpiexec.parent}:{variables['PATH']}"}
        program = [str(suite.binaries / "tests" / f"hangs-{mpi.backend}"), hang.name]
        words = mpi.command(hang.ranks, program, suite.library.resolve(), settings)
        words[1:1] = hang.options.get(mpi.name, ())
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by end()
        self.process = subprocess.Popen(
            words, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
            start_new_session=True,
        )  # fmt: skip
        self.output = ""
        self.ranks: dict[int, processes.Process] = {}

    def wait_until_there(self, ranks: int) -> bool:
        """Whether all have said so; then they have some time to come to the call."""
        selector, until = selectors.DefaultSelector(), time.monotonic() + BEGUN
        selector.register(self.process.stdout, selectors.EVENT_READ)
        while self.output.count("there ") < ranks and time.monotonic() < until:
            if selector.select(0.2):
                if not (more := os.read(self.process.stdout.fileno(), 4096).decode(errors="replace")):
                    break
                self.output += more
        self.ranks = {each.number: each for each in processes.descendants(self.process.pid)}
        time.sleep(0.5)
        return self.output.count("there ") >= ranks

    def said(self) -> str:
        self.errors.seek(0)
        return self.errors.read()

    def end(self) -> None:
        segments = {name for number in self.ranks for name in shared_memory(number)}
        for process in self.ranks.values():
            if (now := processes.look(process.number)) and now.state == "T":
                processes.send(process, signal.SIGCONT)
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for process in self.ranks.values():  # `send` takes none that has got the number since
            processes.send(process, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        for name in segments:
            Path(name).unlink(missing_ok=True)


def shared_memory(number: int) -> list[str]:
    try:
        text = Path(f"/proc/{number}/maps").read_text()
    except OSError:
        return []
    return sorted(set(re.findall(r"/dev/shm/\S+", text)))


def ask(suite: Suite, pid: int) -> tuple[str, model.Job | None, float]:
    """The report, what it is made of, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        file, began = Path(folder) / "seen.json", time.monotonic()
        command = [sys.executable, "-m", "tutti", "hang", "--save", file, str(pid)]
        done = subprocess.run(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=60, env=os.environ | {"PYTHONPATH": os.environ.get("TUTTI_HANG_PYTHON", str(ROOT / "python"))},
        )  # fmt: skip
        seconds = time.monotonic() - began
        job = model.of_json(json.loads(file.read_text())) if file.exists() else None
        return done.stdout, job, seconds


def with_lines(text: str) -> str:
    """`{doze}` is the number of the line marked so."""
    return re.sub(r"\{([\w.]+)\}", lambda found: str(MARKS[found[1]]), text)


def wrong(hang: Hang, job: model.Job, report: str) -> list[str]:
    """What is not as it must be."""
    found = analysis.of_job(job)
    if not found:
        return ["no finding"]
    first, why = found[0], []
    if first.kind != hang.kind:
        why.append(f"kind {first.kind}, not {hang.kind}")
    if hang.function and (first.call is None or first.call.function != hang.function):
        why.append(f"the call is {first.call.function if first.call else None}, not {hang.function}")
    if hang.kind != "crossed" and hang.kind != "differ" and first.missing != hang.missing:
        why.append(f"missing {first.missing}, not {hang.missing}")
    needs = [with_lines(text) for text in hang.says]
    sites = {call.site.split()[0] for call, _ in first.groups if call.site}
    if hang.came and sites != {f"hangs.c:{MARKS[hang.came]}"}:
        why.append(f"they came at {sites}, not at line {MARKS[hang.came]}")
    for number, (where, word, line) in hang.lost.items():
        rank = next(each for each in job.ranks if each.rank == number).on(first.communicator)
        if where and rank.where != where:
            why.append(f"rank {number} is {rank.where} ({rank.doing}), not {where}")
        if line and rank.site.split()[:1] != [f"hangs.c:{MARKS[line]}"]:
            why.append(f"rank {number} is at {rank.site!r}, not at line {MARKS[line]}")
        needs.append(word)
    why += [f"the report does not say {text!r}" for text in needs if text not in report]
    if len(report.splitlines()) > 60:
        why.append("the report is longer than a page")
    return why


def check(suite: Suite, mpi: Mpi, hang: Hang) -> None:
    name = f"{mpi.name}: {hang.name}, {hang.ranks} ranks"
    with launches.beside(suite.locks, False):
        job = Job(suite, mpi, hang, hang.settings)
        try:
            if not job.wait_until_there(hang.ranks):
                return suite.fail(name, f"it did not come to its hang:\n{tail(job.output + job.said())}")
            report, seen, seconds = ask(suite, job.process.pid)
            if suite.options.show:
                suite.say(report)
        finally:
            job.end()
    why = ["no report"] if seen is None else wrong(hang, seen, report)
    if seconds > ASKED:
        why.append(f"it took {seconds:.1f} s")
    if why:
        return suite.fail(name, "; ".join(why) + "\n" + tail(report, 30))
    return suite.ok(name, f"{seconds:.1f} s")


def by_itself(suite: Suite, mpi: Mpi) -> None:
    """TUTTI_HANG and TUTTI_HANG_SIGNAL: the report comes once, on stderr."""
    for name, settings in (("after a time", {"TUTTI_HANG": "1"}), ("at a signal", {"TUTTI_HANG_SIGNAL": "USR2"})):
        command = Path(sys.executable).parent / "tutti"
        hang = next(hang for hang in HANGS if hang.name == "receiving")
        with launches.beside(suite.locks, False):
            job = Job(suite, mpi, hang, settings | {"TUTTI_HANG_COMMAND": str(command)})
            try:
                there = job.wait_until_there(hang.ranks)
                ranks = [each for each in job.ranks.values() if shows(each.number)]
                if there and "TUTTI_HANG_SIGNAL" in settings and ranks:
                    processes.send(ranks[0], signal.SIGUSR2)
                until = time.monotonic() + 10
                while "all ranks:" not in job.said() and time.monotonic() < until:
                    time.sleep(0.2)
                time.sleep(2.0)  # a second report would come by then
                said = job.said()
            finally:
                job.end()
        right = said.count("tutti hang:") == 1 and f"hangs.c:{MARKS['recv']}" in said and "rank 0 has not come" in said
        suite.judge(f"{mpi.name}: from inside, {name}", right, f"it says:\n{tail(said, 30)}")


def shows(number: int) -> bool:
    try:
        return "tutti-calls" in Path(f"/proc/{number}/maps").read_text()
    except OSError:
        return False


def compile_for(suite: Suite, mpi: Mpi) -> bool:
    folder = suite.binaries / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"hangs-{mpi.backend}"
    compiler = suite.options.build / "mpi" / mpi.backend / "bin" / "mpicc"
    words = [compiler, "-g", "-O1", "-Wall", "-Wextra", SOURCE, "-o", output, "-lpthread"]
    made = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if made.returncode != 0:
        suite.fail(f"{mpi.name}: hangs.c", made.stderr)
    return made.returncode == 0


def options(parser) -> None:
    parser.add_argument("--only", default="", help="the hangs whose names begin so")
    parser.add_argument("--show", action="store_true", help="print the reports")


def main() -> None:
    suite = Suite(__doc__, options)
    suite.options.build = suite.options.build.resolve()
    suite.binaries = suite.binaries.resolve()
    for mpi in suite.mpis():
        if not compile_for(suite, mpi):
            continue
        own = [hang for hang in HANGS if mpi.name in hang.mpis and hang.name.startswith(suite.options.only)]
        place = turns.place_of(mpi.name)
        for hang in turns.share(own, PERIOD, 3 * place):
            check(suite, mpi, hang)
        if not suite.options.only and turns.due(place, len(turns.MPIS)):
            by_itself(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
