"""Programs that every MPI runs by itself, under preload: each is a C, C++ or Fortran file of tests/mpi/cases that says what it is about.

    .venv/bin/python tests/mpi/cases.py                      all of them, on the wheels' MPIs and on Debian's
    .venv/bin/python tests/mpi/cases.py --only spawn types   those whose names begin so

A program's first comment has lines `@run RANKS WORDS...`, one a run: RANKS is `2` or `2,3,5`; a word `NAME=VALUE` (capitals) is set in
every rank's environment, any other is an argument.  `@run[openmpi,impi] ...` is for those MPIs alone.  A program is right if it ends with
status 0, prints a line `ok` and nothing with `WRONG`.  What is wrong under preload is run without tutti too: what is wrong there as well
is skipped.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT, Mpi, Outcome, Suite, tail, which

SOURCES = Path(__file__).parent / "cases"
OPENMPI_OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f90": "mpif90"}
SETTING = re.compile(r"[A-Z][A-Z0-9_a-z]*=")
RUN = re.compile(r"@run(?:\[([a-z,]+)\])?[ \t]+([\d,]+)[ \t]*(.*)")


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

    def compiler(self, language: str) -> Path | None:
        path = self.compilers / f"{COMPILERS[language]}{self.suffix}"
        return path if path.exists() else None


def targets(suite: Suite) -> list[Target]:
    """The wheels' MPIs; Debian's check arguments more strictly, and have Fortran."""
    found = [Target(mpi, suite.options.build.resolve() / "mpi" / mpi.flavour / "bin") for mpi in suite.mpis()]
    for flavour, options in (("mpich", ()), ("openmpi", OPENMPI_OPTIONS)):
        launcher = which(f"mpiexec.{flavour}")
        if flavour in suite.options.mpi and launcher:
            mpi = Mpi(f"debian-{flavour}", flavour, launcher, Path("/usr/lib"), options)
            found.append(Target(mpi, Path("/usr/bin"), f".{flavour}"))
        elif flavour in suite.options.mpi:
            suite.skip(f"debian-{flavour}", "not installed: make test-deps")
    return found


def built(suite: Suite, target: Target, source: Path, folder: Path) -> Path | None:
    """The program for that MPI; None where it has no compiler for it, or after one failed line."""
    compiler = target.compiler(source.suffix)
    if not compiler:
        return None
    # Intel MPI runs what MPICH's compiler built.
    output = folder / f"{source.stem}-{target.mpi.flavour}{target.suffix}"
    if output.exists() and output.stat().st_mtime > source.stat().st_mtime:
        return output
    words = [compiler, "-O1", "-I", ROOT / "include", source, "-o", output, "-ldl", "-lpthread"]
    result = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    if result.returncode == 0:
        return output
    suite.fail(f"{source.name} for {target.mpi.name}", f"does not compile:\n{tail(result.stderr)}")
    return None


def right(outcome: Outcome) -> bool:
    lines = outcome.output.splitlines()
    return outcome.status == 0 and "ok" in lines and not any("WRONG" in line for line in lines)


def check(suite: Suite, target: Target, program: Path, source: Path, run: Run) -> None:
    name = f"{source.stem} {target.mpi.name} {run.name()}"
    words, settings = [program, *run.arguments], dict(run.settings)
    outcome = suite.start(target.mpi, run.ranks, words, settings=settings, seconds=60)
    if right(outcome):
        return suite.ok(name, f"{outcome.seconds:.1f} s")
    native = suite.start(target.mpi, run.ranks, words, preload=False, settings=settings, seconds=60)
    if not right(native):
        return suite.skip(name, "it is wrong without tutti too")
    return suite.fail(name, f"status {outcome.status}; it runs without tutti; the end of its output:\n{tail(outcome.output)}")


def main() -> None:
    suite = Suite(
        __doc__, lambda parser: parser.add_argument("--only", nargs="*", default=[""], help="names that begin so")
    )
    suite.library = suite.library.resolve()
    folder = (suite.binaries / "tests" / "cases").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted(SOURCES.iterdir()) if path.suffix in COMPILERS]
    for source in (path for path in sources if path.stem.startswith(tuple(suite.options.only))):
        asked = runs(source)
        if not asked:
            suite.fail(source.name, "its first comment has no line `@run RANKS ...`")
        for target in targets(suite):
            program = built(suite, target, source, folder)
            for run in asked if program else ():
                if not run.mpis or target.mpi.name.removeprefix("debian-") in run.mpis:
                    check(suite, target, program, source, run)
    suite.end()


if __name__ == "__main__":
    main()
