"""Mistakes in the contract and in the binder, one at a time: the verifier and the executor's tests must find each.

    .venv/bin/python tests/faults/planted.py              all of them, or by turns a sixth; about ten seconds each
    .venv/bin/python tests/faults/planted.py --only gather    some, by how their names begin

A mistake is planted into a copy of src/core and src/analysis.  What it touches is compiled anew, by the build's own
commands, and linked before the build's libraries: into a program that proves the catalogue, and into the executor's
tests, which compare every algorithm with the MPI library on five ranks.  Prints
`ok NAME`, `not ok NAME: why`; status 1 if any failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from planted_faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

import turns  # noqa: E402
from planting import Fault, plant, run  # noqa: E402

SIXTHS = 6
SECONDS = 300
RANKS, EVERY = 5, 7  # of the executor's tests: one case in so many
# What is compiled anew for a mistake in a header: whatever reads the rows that mistakes are planted in.
READERS = {f"src/core/{name}.cpp" for name in ("spaces", "binder")}
READERS |= {f"src/analysis/{name}.cpp" for name in ("cells", "meaning")}
READERS |= {f"src/runtime/plan/{name}.cpp" for name in ("staging", "validate_arguments", "call_plan", "node_staged")}


class Planting:
    """Two programs with a mistake in them."""

    def __init__(self, build: Path, root: Path):
        self.build, self.prefix = build, root / "mpi" / "openmpi"
        self.commands = json.loads((build / "compile_commands.json").read_text())

    def entries(self, fault: Fault, library: str) -> list[dict]:
        """What is compiled anew for a library of the build."""
        header = fault.file.endswith(".hpp")

        def touched(path: str) -> bool:
            return path in READERS if header else path == f"src/{fault.file}"

        mine = [entry for entry in self.commands if f"/{library}.dir/" in entry["command"]]
        return [entry for entry in mine if touched(os.path.relpath(entry["file"], ROOT))]

    def compile(self, entry: dict, folder: Path, library: str) -> Path:
        words = shlex.split(entry["command"])
        source = Path(entry["file"])
        made = folder / f"{library}-{source.stem}.o"
        place = words.index(f"-I{ROOT}/src")
        words.insert(place, f"-I{folder}")
        copied = folder / source.relative_to(ROOT / "src")
        if copied.exists():
            words = [str(copied) if word == str(source) else word for word in words]
        if "-include" in words:  # the precompiled header has the right contract in it
            at = words.index("-include")
            del words[at : at + 2]
        words[words.index("-o") + 1] = str(made)
        done = run(["nice", *words, "-O1", "-w"], cwd=entry["directory"])
        if done.returncode != 0:
            raise RuntimeError(done.stdout)
        return made

    def link(self, target: str, objects: list[Path], program: Path) -> None:
        ninja = shutil.which("ninja") or Path(sys.executable).parent / "ninja"
        told = run([ninja, "-t", "commands", target], cwd=self.build).stdout.strip().splitlines()[-1]
        words = shlex.split(told.removeprefix(": &&").removesuffix("&& :"))
        words[words.index("-o") + 1] = str(program)
        done = run([words[0], *objects, *words[1:]], cwd=self.build)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def found(self, fault: Fault) -> list[tuple[str, str]]:
        """Who did not find it, and what was said instead."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for copied in ("core", "analysis"):
                shutil.copytree(ROOT / "src" / copied, folder / copied)
            if refused := plant(fault, folder):
                return [("planting", refused)]
            libraries = ("tutti_core", "tutti_analysis", "tutti_runtime_openmpi")
            made = {
                library: [self.compile(entry, folder, library) for entry in self.entries(fault, library)]
                for library in libraries
            }
            proof = made["tutti_core"] + made["tutti_analysis"]
            missed = []
            self.link("catalogue_check", proof, folder / "check")
            ended = run([folder / "check"], timeout=SECONDS)
            if ended.returncode == 0:
                missed.append(("the verifier", ended.stdout[-200:]))
            self.link("executor_openmpi", proof + made["tutti_runtime_openmpi"], folder / "executor")
            if not self.executor_fails(folder / "executor"):
                missed.append(("the executor's tests", "no difference"))
            return missed

    def executor_fails(self, program: Path) -> bool:
        """Open MPI's ranks give the processor away while they wait."""
        launcher = [self.prefix / "bin" / "mpiexec", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.prefix / "lib")}
        command = [*launcher, "-n", RANKS, "timeout", 60, program, 1, EVERY]
        try:
            ended = run(command, env=environment, timeout=90)
        except subprocess.TimeoutExpired:
            return True
        return ended.returncode != 0 or " 0 differences" not in ended.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", type=Path, default=ROOT / "build/release", help="CMake's folder")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where the MPIs lie")
    parser.add_argument("--all", action="store_true", help="not by turns")
    parser.add_argument("--only", default="", help="those whose names begin so")
    options = parser.parse_args()
    if not (options.build / "mpi/openmpi").exists():
        print("skip planted faults: no Open MPI: python3 tools/fetch.py openmpi")
        return 0
    planting = Planting(options.binaries.resolve(), options.build.resolve())
    faults = FAULTS if options.all or options.only else turns.share(FAULTS, SIXTHS)
    faults = [fault for fault in faults if fault.name.startswith(options.only)]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault, missed in zip(faults, pool.map(planting.found, faults), strict=True):
            failed += bool(missed)
            why = "; ".join(f"not by {who}: {said}" for who, said in missed)
            print(f"not ok found: {fault.name}: {why}" if missed else f"ok found: {fault.name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
