"""Real clients under preload: Intel's IMB programs, and mpi4py's own test suite.

python3 tests/mpi/clients.py           a quick pass; IMB on 2 ranks, and every second turn on 3, 4 or 8
python3 tests/mpi/clients.py --full    every benchmark and every test, 1 to 8 ranks
"""

from __future__ import annotations

import fcntl
import json
import re
import subprocess
import tempfile
import venv
from pathlib import Path

import launches
from harness import Mpi, Suite, tail, turns, wheels

IMB = [
    "Bcast",
    "Allreduce",
    "Reduce",
    "Reduce_local",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Allgather",
    "Allgatherv",
    "Gather",
    "Gatherv",
    "Scatter",
    "Scatterv",
    "Alltoall",
    "Alltoallv",
    "Barrier",
]
IMB_NBC = ["Ibcast", "Iallgather", "Iallreduce", "Ialltoall", "Ibarrier", "Ireduce"]
# The least share of nonblocking and of persistent calls that is served: the rest are on one rank, or the first ones.
LEAST_SERVED = 1 / 3
MPI4PY = "4.1.2"
# Collectives (blocking or not, persistent), communicators, operators, datatypes, errors: what a preload could harm.
QUICK = [
    "test_cco_buf",
    "test_cco_vec",
    "test_cco_obj",
    "test_cco_nb",
    "test_cco_pr",
    "test_request",
    "test_comm",
    "test_op",
    "test_attributes",
    "test_exceptions",
    "test_ulfm",
]


def imb(suite: Suite, mpi: Mpi) -> None:
    programs = wheels(suite.options.build)["impi"].mpiexec.parent
    if not (programs / "IMB-MPI1").exists():
        suite.skip(f"IMB {mpi.name}", "not installed: python3 tools/fetch.py impi")
        return
    long = suite.options.full
    for ranks in (2, *turns.share((3, 4, 8), 6, turns.place_of(mpi.name))):
        iterations = "20" if mpi.name != "mpich" or ranks <= 2 else "3"
        common = [
            "-npmin",
            ranks,
            "-iter",
            iterations,
            "-msglog",
            "0:16" if long else "3:10",
            "-time",
            "2",
            "-root_shift",
            "on",
        ]
        outcome = suite.start(mpi, ranks, [programs / "IMB-MPI1", *common, *IMB], seconds=900)
        suite.check(f"IMB-MPI1 {mpi.name} {ranks} ranks", outcome, "All processes entering MPI_Finalize")
        if ranks in (2, 4):
            outcome = suite.start(
                mpi, ranks, [programs / "IMB-NBC", *common[:-2], *IMB_NBC[: None if long else 3]], seconds=600
            )
            suite.check(f"IMB-NBC {mpi.name} {ranks} ranks", outcome, "All processes entering MPI_Finalize")


def python_with_mpi4py(build: Path) -> tuple[Path, Path]:
    """A virtual environment with mpi4py's wheel and NumPy, and its unpacked test suite."""
    home = build / "mpi4py"
    python, sources, ready = home / "bin" / "python", home / f"mpi4py-{MPI4PY}", home / f"ready-{MPI4PY}"
    with launches.held(build / "locks" / "mpi4py", fcntl.LOCK_EX):  # several scripts want it, side by side
        if not ready.exists():
            venv.create(home, with_pip=True)
            pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
            subprocess.run([*pip, "install", f"mpi4py=={MPI4PY}", "numpy"], check=True)
            subprocess.run(
                [*pip, "download", "--no-deps", "--no-binary", "mpi4py", "-d", home, f"mpi4py=={MPI4PY}"], check=True
            )
            subprocess.run(["tar", "xzf", home / f"mpi4py-{MPI4PY}.tar.gz", "-C", home], check=True)
            ready.touch()
    return python, sources / "test" / "main.py"


def verdict(output: str) -> tuple[str, set[str]]:
    """Tests run in all, and the names of those that failed."""
    ran = re.search(r"Ran (\d+) tests", output)
    return (ran.group(1) if ran else "0"), set(re.findall(r"^(?:ERROR|FAIL): (\S+ \(\S+\))", output, re.MULTILINE))


def requests_left(report: Path) -> str:
    """Why a job's nonblocking and persistent calls count as not served, or nothing.  Each world of a job has a line."""
    worlds = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    if not worlds:
        return "there is no report"
    most = max(worlds, key=lambda world: world["nonblocking"]["calls"])
    for form in ("nonblocking", "persistent"):
        calls, node = most[form]["calls"], most[form]["node"]
        if node <= calls * LEAST_SERVED:
            return f"{node} of {calls} {form} calls served; left: {most['left_requests']}"
    return ""


def mpi4py(suite: Suite, mpi: Mpi) -> None:
    try:
        python, tests = python_with_mpi4py(suite.options.build)
    except (subprocess.CalledProcessError, OSError) as problem:
        suite.skip(f"mpi4py {mpi.name}", f"could not be installed ({problem})")
        return
    names = [] if suite.options.full else [word for name in QUICK for word in ("-i", name)]
    for ranks in range(1, 6) if suite.options.full else turns.share((2, 3), 2, turns.place_of(mpi.name)):
        results, unserved = {}, ""
        for preload in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                report = Path(folder) / "report"
                told = {"TUTTI_REPORT": str(report)} if preload else {}
                words = [python, tests, "-q", *names]
                outcome = suite.start(mpi, ranks, words, preload=preload, settings=told, seconds=1500)
                unserved = requests_left(report) if preload and ranks > 1 else ""
            results[preload] = (*verdict(outcome.output), outcome)
        suite.judge(f"mpi4py {mpi.name} {ranks} ranks, requests served", not unserved, unserved)
        name = f"mpi4py {mpi.name} {ranks} ranks"
        (native_ran, native_failed, _), (ran, failed, outcome) = results[False], results[True]
        if ran == native_ran and failed <= native_failed and ran != "0":
            suite.ok(name, f"{ran} tests, the same {len(native_failed)} fail without tutti")
        else:
            suite.fail(
                name,
                f"{ran} tests, native {native_ran}; only with tutti: {sorted(failed - native_failed)}, "
                f"status {outcome.status}\n{tail(outcome.output)}",
            )


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--full", action="store_true"))
    for mpi in suite.mpis():
        if mpi.name != "openmpi":  # IMB's binaries are of the MPICH ABI
            imb(suite, mpi)
        if mpi.name != "impi":
            mpi4py(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
