"""Every test, one closing line: `N passed, N failed, N skipped`.  Status 0 only if nothing failed.

    make test                                everything
    make test SUITES="unit python"           some suites: lint unit python node mpi cluster smpi asan tsan docs
    make test SUITES=mpi/fuzz                one script of tests/mpi

unit counts doctest's cases, python pytest's; scripts print `ok NAME`, `not ok NAME: why` or `skip NAME: why`.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tally import ROOT, Tally, count_junit, indented, run

BUILD = ROOT / "build"
SCRIPT_LIMIT = 1800  # seconds


def count_program(tally: Tally, name: str, command: list[str], report: Path, ran: tuple[int, str, float]) -> None:
    """One doctest program: each case counts.  A program that ends without its report counts as one failure."""
    (status, output, seconds), before = ran, tally.passed
    try:
        failures = count_junit(tally, report, name)
    except (OSError, ElementTree.ParseError):
        tally.fail(f"{name}: it ended with status {status} before its report\n{indented(output)}", command)
        return
    for failure in failures:
        tally.fail(failure, command)
    if status != 0 and not failures:
        tally.fail(f"{name}: status {status}\n{indented(output)}", command)
    elif not failures:
        tally.say(f"ok {name}: {tally.passed - before} cases in {seconds:.1f} s")


def unit_programs(tally: Tally, programs: dict[str, list[str]], variables: dict[str, str]) -> None:
    """As many at once as there are CPUs."""

    def outcome(command: list[str], report: Path) -> tuple[int, str, float]:
        began = time.monotonic()
        told = run([*command, "--reporters=junit", f"--out={report}"], SCRIPT_LIMIT, env=os.environ | variables)
        return *told, time.monotonic() - began

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = {name: Path(folder) / f"{number}.xml" for number, name in enumerate(programs)}
        begun = {name: pool.submit(outcome, command, reports[name]) for name, command in programs.items()}
        for name, command in programs.items():
            count_program(tally, name, command, reports[name], begun[name].result())


def unit(tally: Tally, preset: str = "release", only: str = "", variables: dict[str, str] | None = None) -> None:
    """What CMake registered with ctest: unit.* are doctest programs, others count by their status."""
    status, listing = run(["ctest", "--test-dir", BUILD / preset, "--show-only=json-v1", "-R", only or "."])
    if status != 0:
        tally.fail(f"ctest cannot list the tests of build/{preset}\n{indented(listing)}")
        return
    programs = {}
    for test in json.loads(listing)["tests"]:
        name, command = f"{preset} {test['name']}" if preset != "release" else test["name"], test.get("command")
        if not command or not Path(command[0]).exists():
            tally.fail(f"{name}: not built; make build")
        elif test["name"].startswith("unit."):
            programs[name] = command
        else:
            status, output = run(command)
            if status == 0:
                tally.ok(name)
            else:
                tally.fail(f"{name}: status {status}\n{indented(output)}", command)
    unit_programs(tally, programs, variables or {})


# Sanitized builds, each of the unit tests of folders without MPI, in a build folder of its own: preset and target.
SANITIZED = {"asan": "unit_tests", "tsan": "node_test"}


def build_steps(preset: str) -> list[list[str | Path]]:
    return [
        ["cmake", "--preset", preset, "--log-level=WARNING", f"-DPython_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", BUILD / preset, "--target", SANITIZED[preset]],
    ]


class BuildAhead:
    """Sanitized builds at the lowest priority, while tests of MPI mostly wait for launchers.  What goes wrong here goes
    wrong again, and is told, when the suite's turn has come."""

    def __init__(self, presets: Sequence[str]):
        steps = [" ".join(shlex.quote(str(word)) for word in step) for name in presets for step in build_steps(name)]
        command = ["nice", "-n", "19", "sh", "-c", " && ".join(steps)]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )

    def wait(self) -> None:
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()


def sanitized(tally: Tally, preset: str, only: str, variables: dict[str, str]) -> None:
    for step in build_steps(preset):
        status, output = run(step, seconds=1500)
        if status != 0:
            tally.fail(f"{preset}: it does not build\n{indented(output)}", step)
            return
    unit(tally, preset, only, variables)


def asan(tally: Tally) -> None:
    """Wrong addresses and undefined behaviour, in every unit test."""
    sanitized(tally, "asan", "^unit", {"UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"})


def tsan(tally: Tally) -> None:
    """Data races in the node engine, whose tests run ranks as threads."""
    sanitized(tally, "tsan", "^unit.node$", {"TSAN_OPTIONS": "halt_on_error=1"})


def python(tally: Tally) -> None:
    """pytest over tests/python; its own output is shown where something failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q"]
        before, began = tally.passed, time.monotonic()
        status, output = run([*command, f"--junitxml={report}"], seconds=SCRIPT_LIMIT)
        if status not in (0, 1) or not report.exists():
            tally.fail(f"pytest ended with status {status}\n{indented(output)}", command)
            return
        failures = count_junit(tally, report, "python")
    if failures:
        print(output)
    for failure in failures:
        tally.fail(failure, command)
    tally.say(f"python: {tally.passed - before} passed in {time.monotonic() - began:.1f} s")


def script(tally: Tally, suite: str, command: Sequence[str | Path]) -> None:
    """A script that prints the protocol; its lines are shown as they come."""
    failed, last = len(tally.failures), ""
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
        limit = threading.Timer(SCRIPT_LIMIT, os.killpg, (process.pid, signal.SIGTERM))
        limit.start()
        for line in process.stdout or ():
            line = line.rstrip()
            if line.startswith("ok "):
                tally.ok(f"{suite}: {line[3:]}")
            elif line.startswith("skip "):
                tally.skip(f"{suite}: {line[5:]}")
            elif line.startswith("not ok "):
                tally.fail(f"{suite}: {line[7:]}")
            else:
                print(line, flush=True)
                last = line or last
        status = process.wait()
        limit.cancel()
    if status != 0 and len(tally.failures) == failed:
        tally.fail(f"{suite}: ended with status {status}: {last}", command)


def node(tally: Tally) -> None:
    """The node engine's protocol, every interleaving of it; the stress run in short."""
    script(tally, "node", [sys.executable, "tests/node/protocol.py"])


def lint(tally: Tally) -> None:
    script(tally, "lint", [sys.executable, "tools/lint.py"])


def docs(tally: Tally) -> None:
    """Generated pages up to date; the page on adding an algorithm, followed; every command block."""
    script(tally, "docs", [sys.executable, "tools/algorithm_pages.py", "--check"])
    script(tally, "docs", [sys.executable, "tests/docs_walk.py"])
    script(tally, "docs", [sys.executable, "tests/docs_commands.py"])


def mpi_scripts() -> list[Path]:
    return [path for path in sorted((ROOT / "tests/mpi").glob("*.py")) if path.stem not in ("harness", "confine", "cases")]


def mpi(tally: Tally, only: str = "") -> None:
    """The scripts of tests/mpi, each over the MPIs that the build fetched."""
    status, output = run([sys.executable, "tools/fetch.py", "impi"])
    if status != 0:
        tally.skip(f"mpi: Intel MPI: {output.strip().splitlines()[-1] if output.strip() else 'it cannot be fetched'}")
    for path in mpi_scripts():
        if not only or path.stem == only:
            tally.say(f"{path.relative_to(ROOT)}:")
            script(tally, f"mpi/{path.stem}", [sys.executable, path])


# Few cases, against what only several nodes show; `tests/cluster/fuzz.py --help` has the long runs.
SHORT_FUZZ = ("--mpi", "mpich", "--cases", "60", "--placements", "uneven:3,0,1,2")
SHORT_FUZZ += ("--set", "TUTTI_ALLREDUCE=ring", "--set", "TUTTI_BCAST=binomial", "--set", "TUTTI_ALLTOALL=pairwise")


def cluster(tally: Tally) -> None:
    """The emulated cluster keeps its promises; tutti's results across its nodes.  Needs root."""
    script(tally, "cluster", [sys.executable, "tests/cluster/nodes.py"])
    script(tally, "cluster", [sys.executable, "tests/cluster/fuzz.py", *SHORT_FUZZ])
    script(tally, "cluster", [sys.executable, "tests/cluster/killed.py", "--mpi", "mpich", "openmpi"])
    script(tally, "cluster", [sys.executable, "tests/cluster/bench.py", "--mpi", "mpich", "openmpi"])
    script(tally, "cluster", [sys.executable, "tests/cluster/exports.py"])


def smpi(tally: Tally) -> None:
    """tutti on simulated ranks, where SimGrid is installed."""
    script(tally, "smpi", [sys.executable, "tests/smpi/simulated.py"])


SUITES: dict[str, Callable[[Tally], None]] = {
    "lint": lint,
    "unit": unit,
    "python": python,
    "node": node,
    "mpi": mpi,
    "cluster": cluster,
    "smpi": smpi,
    "asan": asan,
    "tsan": tsan,
    "docs": docs,
}


def main(asked: list[str]) -> int:
    tally = Tally()
    known = [*SUITES, *(f"mpi/{path.stem}" for path in mpi_scripts())]
    if unknown := [name for name in asked if name not in known]:
        sys.exit(f"tests/run.py: no suite {', '.join(unknown)}; there are: {', '.join(known)}")
    names, ahead = asked or list(SUITES), None
    try:
        for place, name in enumerate(names):
            print(f"--- {name}", flush=True)
            if name == "mpi" and (later := [other for other in names[place:] if other in SANITIZED]):
                ahead = BuildAhead(later)
            if name in SANITIZED and ahead:
                ahead.wait()
            suite, _, only = name.partition("/")
            if only:
                mpi(tally, only)
            else:
                SUITES[suite](tally)
    except KeyboardInterrupt:
        tally.fail("interrupted")
    finally:
        if ahead:
            ahead.stop()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
