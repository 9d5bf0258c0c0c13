"""Every test, one closing line: `N passed, N failed, N skipped`.  Status 0 only if nothing failed.

    make test                                every suite; of checks that take turns, those whose turn it is
    make test-all                            everything
    make test SUITES="unit python"           some suites, whole: lint unit python node planted simulator mpi cluster
                                             smpi asan tsan docs
    make test SUITES=mpi/fuzz                one script of tests/mpi
    TEST_TURN=17 make test                   that turn's checks, as a run that failed has printed

The turn is the number of commits; tests/README.md says what takes turns, and how.
unit counts doctest's cases, python pytest's; scripts print `ok NAME`, `not ok NAME: why` or `skip NAME: why`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import changed
import turns
from sanitized import BUILD, SANITIZED, BuildAhead, build_steps, folders
from scripts import LIMIT, Behind, Scripts, lowest, script
from tally import ROOT, Tally, count_junit, indented, run

AT_ONCE = 3  # scripts of tests/mpi: launchers sleep most of their time


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
        told = run([*command, "--reporters=junit", f"--out={report}"], LIMIT, env=os.environ | variables)
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


def sanitized(tally: Tally, preset: str, variables: dict[str, str]) -> None:
    for step in build_steps(preset):
        status, output = run(step, seconds=1500)
        if status != 0:
            tally.fail(f"{preset}: it does not build\n{indented(output)}", step)
            return
    if due := folders(preset):
        unit(tally, preset, f"^unit[.]({'|'.join(due)})$", variables)


def asan(tally: Tally) -> None:
    """Wrong addresses and undefined behaviour, in the unit tests."""
    sanitized(tally, "asan", {"UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"})


def tsan(tally: Tally) -> None:
    """Data races in the node engine, whose tests run ranks as threads."""
    sanitized(tally, "tsan", {"TSAN_OPTIONS": "halt_on_error=1"})


def python(tally: Tally) -> None:
    """pytest over tests/python; its own output is shown where something failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q"]
        before, began = tally.passed, time.monotonic()
        status, output = run([*command, f"--junitxml={report}"], seconds=LIMIT)
        if status not in (0, 1) or not report.exists():
            tally.fail(f"pytest ended with status {status}\n{indented(output)}", command)
            return
        failures = count_junit(tally, report, "python")
    if failures:
        print(output)
    for failure in failures:
        tally.fail(failure, command)
    tally.say(f"python: {tally.passed - before} passed in {time.monotonic() - began:.1f} s")


# Each a script.  lint: layout and clang-tidy; node: the node engine's protocol, every interleaving of it; planted:
# mistakes in the contract and in the binder, each found by the verifier and by the executor's tests; simulator:
# mistakes in the simulator, each found by its unit tests.
SCRIPTS: dict[str, list[str | Path]] = {
    "lint": [sys.executable, "tools/lint.py"],
    "node": [sys.executable, "tests/shm/protocol.py"],
    "planted": [sys.executable, "tests/faults/planted.py"],
    "simulator": [sys.executable, "tests/simulation/planted.py"],
}
# These use CPUs and measure nothing: by turns they run behind the others.  pytest measures, and has no such company.
BEHIND = ("lint", "node")
ALONE = ("unit", "python")


# What the page on adding an algorithm is about: where it changed, the page is followed.
WALKED = ("docs/adding-an-algorithm.md", "src/algorithms/catalogue.cpp", "src/algorithms/bcast", "tests/docs_walk.py")


def docs(tally: Tally) -> None:
    """Generated pages up to date; the page on adding an algorithm, followed; every command block."""
    script(tally, "docs", [sys.executable, "tools/algorithm_pages.py", "--check"])
    if turns.due(0, 3) or changed.under(*WALKED):
        script(tally, "docs", [sys.executable, "tests/docs_walk.py"])
    script(tally, "docs", [sys.executable, "tests/docs_commands.py"])


# Modules of tests/mpi that are no scripts.
MODULES = (
    "harness",
    "confine",
    "launches",
    "loader_targets",
    "loader_wrappers",
    "fuzz_rounds",
    "planted_request_faults",
    "planted_hang_faults",
)
# What takes longest begins first, so that no script is left over at the end.
LONGEST = ("fuzz", "cases", "clients", "programs", "loader")


def mpi_scripts() -> list[Path]:
    paths = [path for path in sorted((ROOT / "tests/mpi").glob("*.py")) if path.stem not in MODULES]
    return sorted(paths, key=lambda path: LONGEST.index(path.stem) if path.stem in LONGEST else len(LONGEST))


def mpi(tally: Tally, only: str = "") -> None:
    """The scripts of tests/mpi, each over the MPIs that the build fetched, some side by side."""
    status, output = run([sys.executable, "tools/fetch.py", "impi"])
    if status != 0:
        tally.skip(f"mpi: Intel MPI: {output.strip().splitlines()[-1] if output.strip() else 'it cannot be fetched'}")
    asked = [path for path in mpi_scripts() if not only or path.stem == only]
    with Scripts(tally) as scripts:
        scripts.some(AT_ONCE, [(f"mpi/{path.stem}", [sys.executable, path]) for path in asked])


# Few cases, against what only several nodes show; `tests/cluster/fuzz.py --help` has the long runs.
SHORT_FUZZ = ("--mpi", "mpich", "--cases", "60", "--placements", "uneven:3,0,1,2")
SHORT_FUZZ += ("--set", "TUTTI_ALLREDUCE=ring", "--set", "TUTTI_BCAST=binomial", "--set", "TUTTI_ALLTOALL=pairwise")


def cluster(tally: Tally) -> None:
    """The emulated cluster keeps its promises; tutti's results across its nodes.  Needs root."""
    one_mpi = turns.share(("mpich", "openmpi"), 2)
    script(tally, "cluster", [sys.executable, "tests/cluster/nodes.py"])
    script(tally, "cluster", [sys.executable, "tests/cluster/fuzz.py", *SHORT_FUZZ])
    script(tally, "cluster", [sys.executable, "tests/cluster/killed.py", "--mpi", "mpich", "openmpi"])
    script(tally, "cluster", [sys.executable, "tests/cluster/bench.py", "--mpi", *one_mpi])
    if turns.due(0, 3):
        script(tally, "cluster", [sys.executable, "tests/cluster/exports.py"])


def smpi(tally: Tally) -> None:
    """tutti on simulated ranks, where SimGrid is installed."""
    script(tally, "smpi", [sys.executable, "tests/smpi/simulated.py"])


def of_script(name: str) -> Callable[[Tally], None]:
    return lambda tally: script(tally, name, SCRIPTS[name])


SUITES: dict[str, Callable[[Tally], None]] = {
    "lint": of_script("lint"),
    "unit": unit,
    "python": python,
    "node": of_script("node"),
    "planted": of_script("planted"),
    "simulator": of_script("simulator"),
    "mpi": mpi,
    "cluster": cluster,
    "smpi": smpi,
    "asan": asan,
    "tsan": tsan,
    "docs": docs,
}


def begin(everything: bool) -> None:
    """Says what decides which checks run, so that a failure can be repeated."""
    if everything:
        os.environ[turns.VARIABLE] = turns.EVERYTHING
    os.environ.setdefault(turns.VARIABLE, turns.of_this_commit())
    turn = turns.number()
    if turn is None:
        print("every check runs", flush=True)
        return
    os.environ[changed.VARIABLE] = changed.since()
    words = [f"{name}={os.environ[name]}" for name in (turns.VARIABLE, changed.VARIABLE) if os.environ[name]]
    print(f"turn {turn}; again with: {' '.join(words)} make test", flush=True)


class Meanwhile:
    """What runs at the lowest priority while other suites do, once those of ALONE are over: by turns those of BEHIND,
    and sanitized builds."""

    def __init__(self, tally: Tally, names: list[str]):
        self.tally = tally
        self.scripts = [name for name in names if name in BEHIND and turns.number() is not None]
        self.in_front = [name for name in names if name not in self.scripts]
        self.presets = [name for name in names if name in SANITIZED]
        self.behind: Behind | None = None
        self.ahead: BuildAhead | None = None

    def begin(self) -> None:
        if not self.behind:
            commands = [(name, [*lowest(), *SCRIPTS[name]]) for name in self.scripts]
            self.behind, self.ahead = Behind(self.tally, commands, limit=2 * LIMIT), BuildAhead(self.presets)

    def wait(self) -> None:
        self.begin()
        if self.behind:
            self.behind.wait()

    def stop(self) -> None:
        for begun in filter(None, (self.behind, self.ahead)):
            begun.stop()


def carry_out(tally: Tally, name: str, meanwhile: Meanwhile) -> None:
    tally.show(f"--- {name}")
    if name not in ALONE:
        meanwhile.begin()
    if name in SANITIZED and meanwhile.ahead:
        meanwhile.ahead.wait()
    suite, _, only = name.partition("/")
    if only:
        mpi(tally, only)
    else:
        SUITES[suite](tally)


def main(asked: list[str]) -> int:
    tally, everything = Tally(), "--all" in asked
    known = [*SUITES, *(f"mpi/{path.stem}" for path in mpi_scripts())]
    names = [name for name in asked if name != "--all"]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"tests/run.py: no suite {', '.join(unknown)}; there are: {', '.join(known)}")
    # A suite that is asked for by name runs whole, unless a turn is asked for too.
    begin(everything or (bool(names) and turns.VARIABLE not in os.environ))
    names = names or list(SUITES)
    meanwhile = Meanwhile(tally, names)
    try:
        for name in meanwhile.in_front:
            carry_out(tally, name, meanwhile)
        meanwhile.wait()
    except KeyboardInterrupt:
        tally.fail("interrupted")
    finally:
        meanwhile.stop()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
