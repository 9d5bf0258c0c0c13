"""Programs that every MPI runs by itself, under preload: each is a file of tests/mpi/cases that says what it is about.

    .venv/bin/python tests/mpi/cases.py                      all of them, on the wheels' MPIs and on Debian's
    .venv/bin/python tests/mpi/cases.py --only spawn types   those whose names begin so

A program (C, C++ or Fortran) has lines `@run RANKS WORDS...` in its first comment, one a run: RANKS is `2` or `2,3,5`;
a word `NAME=VALUE` (capitals) is set in every rank's environment, any other is an argument.  `@run[openmpi,impi] ...`
is for those MPIs alone.  A program is right if it ends with status 0, prints a line `ok` and nothing with `WRONG`.
What is wrong under preload is run without tutti too: what is wrong there as well is skipped.  Where that happens there
only now and then (MPICH's launcher kills one in four programs that end MPI in a destructor), it has to be right under
preload now and then.

Some launches at once; by turns, a run is on every fourth MPI, and in four turns on each.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness import ROOT, Mpi, Outcome, Suite, tail, turns, which
from launches import side_by_side

SOURCES = Path(__file__).parent / "cases"
HEADERS = (*SOURCES.glob("*.h"), *SOURCES.glob("*.inc"))
QUARTERS = 4
TRIES = 8  # of what is wrong now and then
OPENMPI_OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f90": "mpif90"}
SETTING = re.compile(r"[A-Z][A-Z0-9_a-z]*=")
RUN = re.compile(r"@run(?:\[([a-z,-]+)\])?[ \t]+([\d,]+)[ \t]*(.*)")


@dataclass(frozen=True)
class Run:
    """One way to start a program."""

    mpis: tuple[str, ...]  # empty: all
    ranks: int
    arguments: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]

    def name(self) -> str:
        return " ".join([f"{self.ranks} ranks", *self.arguments, *(f"{k}={v}" for k, v in self.settings)])


def runs(source: Path) -> list[Run]:
    """What the program's first comment asks for."""
    found = []
    for mpis, ranks, rest in RUN.findall(source.read_text().partition("*/")[0]):
        words = rest.split()
        settings = tuple(tuple(word.split("=", 1)) for word in words if SETTING.match(word))
        arguments = tuple(word for word in words if not SETTING.match(word))
        only = tuple(mpis.split(",")) if mpis else ()
        found += [Run(only, int(number), arguments, settings) for number in ranks.split(",")]
    return found


@dataclass(frozen=True)
class Target:
    """An MPI, and the folder of the compilers that build for it."""

    mpi: Mpi
    compilers: Path
    suffix: str = ""

    @property
    def binaries(self) -> str:
        """Whose programs it runs: Intel MPI what MPICH's compiler built."""
        return f"{self.mpi.backend}{self.suffix}"

    def names(self) -> set[str]:
        """What `@run[...]` may call it: `mpich` is both MPICHs, `wheel-mpich` and `debian-mpich` are one each."""
        kind = self.mpi.name.removeprefix("debian-")
        return {kind, self.mpi.name if self.mpi.name.startswith("debian-") else f"wheel-{kind}"}

    def compiler(self, language: str) -> Path | None:
        path = self.compilers / f"{COMPILERS[language]}{self.suffix}"
        return path if path.exists() else None


def targets(suite: Suite) -> list[Target]:
    """The wheels' MPIs; Debian's check arguments more strictly, and have Fortran."""
    found = [Target(mpi, suite.options.build.resolve() / "mpi" / mpi.backend / "bin") for mpi in suite.mpis()]
    for backend, options in (("mpich", ()), ("openmpi", OPENMPI_OPTIONS)):
        launcher = which(f"mpiexec.{backend}")
        if backend in suite.options.mpi and launcher:
            mpi = Mpi(f"debian-{backend}", backend, launcher, Path("/usr/lib"), options)
            found.append(Target(mpi, Path("/usr/bin"), f".{backend}"))
        elif backend in suite.options.mpi:
            suite.skip(f"debian-{backend}", "not installed: make test-deps")
    return found


@dataclass(frozen=True)
class Launch:
    """A run of a program on an MPI."""

    source: Path
    target: Target
    run: Run

    def program(self, folder: Path) -> Path:
        return folder / f"{self.source.stem}-{self.target.binaries}"


def launches(suite: Suite, sources: list[Path]) -> list[Launch]:
    """Those that are due, program by program."""
    found, there = [], targets(suite)
    asked = [(source, run) for source in sources for run in runs(source)]
    for number, (source, run) in enumerate(asked):
        for place, target in enumerate(there):
            served = not run.mpis or bool(target.names().intersection(run.mpis))
            if served and target.compiler(source.suffix) and turns.due(number + place, QUARTERS):
                found.append(Launch(source, target, run))
    return found


def build(suite: Suite, launch: Launch, program: Path) -> None:
    """The program, where it is older than its source or a header; one failed line where it does not compile."""
    newest = max(path.stat().st_mtime for path in (launch.source, *HEADERS))
    if program.exists() and program.stat().st_mtime > newest:
        return
    compiler = launch.target.compiler(launch.source.suffix)
    words = [compiler, "-O1", "-I", ROOT / "include", launch.source, "-o", program, "-ldl", "-lpthread"]
    # Fortran's compiler leaves modules where it is.
    folder = program.with_name(f"{program.name}.modules")
    folder.mkdir(exist_ok=True)
    result = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    if result.returncode != 0:
        program.unlink(missing_ok=True)
        suite.fail(f"{launch.source.name} for {launch.target.binaries}", f"does not compile:\n{tail(result.stderr)}")


def right(outcome: Outcome) -> bool:
    lines = outcome.output.splitlines()
    return outcome.status == 0 and "ok" in lines and not any("WRONG" in line for line in lines)


def check(suite: Suite, launch: Launch, program: Path) -> None:
    mpi, run = launch.target.mpi, launch.run
    name = f"{launch.source.stem} {mpi.name} {run.name()}"

    def start(preload: bool = True) -> Outcome:
        words = [program, *run.arguments]
        return suite.start(mpi, run.ranks, words, preload=preload, settings=dict(run.settings), seconds=90)

    outcome = start()
    if right(outcome):
        return suite.ok(name, f"{outcome.seconds:.1f} s")
    native = [right(start(preload=False))]
    if not native[0]:
        return suite.skip(name, "it is wrong without tutti too")
    if outcome.status != 1:  # the program has not said that anything is wrong
        native += [right(start(preload=False)) for _ in range(TRIES - 1)]
    if not all(native) and any(right(start()) for _ in range(TRIES)):
        return suite.ok(name, f"wrong now and then, without tutti in {native.count(False)} of {TRIES}")
    why = f"status {outcome.status}; it runs without tutti; the end of its output:\n{tail(outcome.output)}"
    return suite.fail(name, why)


def main() -> None:
    suite = Suite(
        __doc__, lambda parser: parser.add_argument("--only", nargs="*", default=[""], help="names that begin so")
    )
    suite.library = suite.library.resolve()
    folder = (suite.binaries / "tests" / "cases").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted(SOURCES.iterdir()) if path.suffix in COMPILERS]
    sources = [path for path in sources if path.stem.startswith(tuple(suite.options.only))]
    for source in sources:
        if not runs(source):
            suite.fail(source.name, "its first comment has no line `@run RANKS ...`")
    due = launches(suite, sources)
    programs = {launch.program(folder): launch for launch in due}
    side_by_side(partial(build, suite, launch, program) for program, launch in programs.items())
    there = [launch for launch in due if launch.program(folder).exists()]
    side_by_side(partial(check, suite, launch, launch.program(folder)) for launch in there)
    suite.end()


if __name__ == "__main__":
    main()
