"""Mistakes in src/runtime/requests, one at a time: a run of tests/mpi/cases, which is named with each, must find it.

    .venv/bin/python tests/mpi/request_faults.py                  all of them, on MPICH, 2 ranks; by turns a fifth
    .venv/bin/python tests/mpi/request_faults.py --only Waitany   some, by how their names begin

One file is compiled anew, by the build's own command, and linked before the build's libraries into its own backend.
First each run is made without a mistake: it has to be right.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import cases
from harness import ROOT, Mpi, Suite, turns
from launches import side_by_side
from planted_request_faults import FAULTS, RequestFault
from planting import plant, run

FIFTHS = 5
SECONDS = 25  # what does not end by then hangs
SOURCES = ROOT / "src" / "runtime" / "requests"
BACKEND = "libtutti-mpich.so"


class Planting:
    """Backends with a mistake in them, beside the loader."""

    def __init__(self, binaries: Path):
        self.binaries = binaries
        commands = json.loads((binaries / "compile_commands.json").read_text())
        self.commands = {
            Path(each["file"]): each for each in commands if "/tutti_runtime_mpich.dir/" in each["command"]
        }
        ninja = shutil.which("ninja") or Path(sys.executable).parent / "ninja"
        told = run([ninja, "-t", "commands", f"lib/{BACKEND}"], cwd=binaries).stdout.strip().splitlines()[-1]
        self.link = shlex.split(told.removeprefix(": &&").removesuffix("&& :"))

    def plant(self, fault: RequestFault, folder: Path) -> str:
        """The library to preload, in that folder; why it cannot be, or nothing."""
        source = SOURCES / fault.file
        shutil.copy(source, folder)
        if refused := plant(fault, folder):
            return refused
        entry, made = self.commands[source], folder / "mistake.o"
        words = [str(folder / fault.file) if word == str(source) else word for word in shlex.split(entry["command"])]
        words[words.index("-o") + 1] = str(made)
        compiled = run(["nice", *words, "-w"], cwd=entry["directory"])
        if compiled.returncode != 0:
            return f"it does not compile: {compiled.stdout[-600:]}"
        words = list(self.link)
        words[words.index("-o") + 1] = str(folder / BACKEND)
        linked = run([words[0], made, *words[1:]], cwd=self.binaries)
        shutil.copy(self.binaries / "lib" / "libtutti.so", folder)
        return f"it does not link: {linked.stdout[-600:]}" if linked.returncode != 0 else ""


def start(suite: Suite, mpi: Mpi, fault: RequestFault, library: Path) -> bool:
    """Whether the fault's run is right with that library."""
    name, *arguments = fault.finder.split()
    program = suite.binaries / "tests" / "cases" / f"{name}-mpich"
    preload = {"LD_PRELOAD": str(library.resolve())}
    outcome = suite.start(mpi, fault.ranks, [program, *arguments], preload=False, seconds=SECONDS, settings=preload)
    return cases.right(outcome)


def check(suite: Suite, mpi: Mpi, planting: Planting, fault: RequestFault) -> None:
    name = f"found by {fault.finder}: {fault.name}"
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if refused := planting.plant(fault, folder):
            return suite.fail(name, refused)
        return suite.judge(name, not start(suite, mpi, fault, folder / "libtutti.so"), "the run is right")


def all_of(suite: Suite, mpi: Mpi, faults: list[RequestFault]) -> None:
    folder = suite.binaries / "tests" / "cases"
    folder.mkdir(parents=True, exist_ok=True)
    target = cases.Target(mpi, suite.options.build.resolve() / "mpi" / "mpich" / "bin")
    for name in sorted({fault.finder.split()[0] for fault in faults}):
        launch = cases.Launch(cases.SOURCES / f"{name}.c", target, cases.Run((), 2, (), ()))
        cases.build(suite, launch, launch.program(folder))
    for fault in {fault.finder: fault for fault in faults}.values():
        suite.judge(f"without a mistake: {fault.finder}", start(suite, mpi, fault, suite.library), "it is wrong")
    planting = Planting(suite.binaries)
    side_by_side(lambda fault=fault: check(suite, mpi, planting, fault) for fault in faults)


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--only", default="", help="names that begin so"))
    suite.options.mpi = ["mpich"]
    suite.library, suite.binaries = suite.library.resolve(), suite.binaries.resolve()
    faults = [fault for fault in turns.share(FAULTS, FIFTHS) if fault.name.startswith(suite.options.only)]
    for mpi in suite.mpis():
        all_of(suite, mpi, faults)
    suite.end()


if __name__ == "__main__":
    os.environ.setdefault("CCACHE_DISABLE", "1")  # a mistake is compiled once
    main()
