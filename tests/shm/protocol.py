"""Checks the node engine's protocol: every interleaving of two and three members, and that planted faults are found.

    .venv/bin/python tests/shm/protocol.py           what `make test-all` runs: about a minute and a half on two CPUs
    .venv/bin/python tests/shm/protocol.py --full    longer programs and rings: a quarter of an hour

By turns (tests/README.md) a sixth of both, unless the engine or these tests changed lately.  A fault in a header is
compiled into the sources that include it, directly or not.
docs/node-engine.md says what is explored.  Prints `ok NAME`, `not ok NAME: why`; status 1 if anything failed.
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

from fault import Fault
from faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

import changed  # noqa: E402
import turns  # noqa: E402
from includes import Includes  # noqa: E402
from planting import plant, run  # noqa: E402

SIXTHS = 6
EXPLORER = "node_interleavings_3"
SECONDS = 1700


class Mutants:
    """Builds the explorer with one fault in a copy of src/shm, by the build's own commands."""

    def __init__(self, build: Path):
        self.build = build
        commands = json.loads((build / "compile_commands.json").read_text())
        mine = [entry for entry in commands if f"/{EXPLORER}.dir/" in entry["command"]]
        self.commands = [entry for entry in mine if "cmake_pch" not in entry["file"]]  # the headers parsed before
        if not self.commands:
            sys.exit(f"{build}/compile_commands.json has no {EXPLORER}")
        folders = ("src/shm", "src/task", "src/clock", "tests/shm")
        self.includes = Includes(path for folder in folders for path in (ROOT / folder).rglob("*.hpp"))

    def compile(self, entry: dict, folder: Path) -> Path:
        words = shlex.split(entry["command"])
        source = Path(entry["file"])
        made = folder / (source.name + ".o")
        everything = f"-I{ROOT}/src"
        words = [found for word in words for found in ([f"-I{folder}", word] if word == everything else [word])]
        if source.is_relative_to(ROOT / "src"):
            copied = str(folder / source.relative_to(ROOT / "src"))
            words = [copied if word == str(source) else word for word in words]
        words[words.index("-o") + 1] = str(made)
        done = run(words, cwd=entry["directory"])
        if done.returncode != 0:
            raise RuntimeError(done.stdout)
        return made

    def reads(self, source: Path, file: Path) -> bool:
        return source == file or file in self.includes.all(source)

    def objects(self, folder: Path, fault: Fault) -> list[Path]:
        """Only what the fault touches is compiled anew."""
        wrong = ROOT / "src/shm" / fault.file
        made = [self.compile(entry, folder) for entry in self.commands if self.reads(Path(entry["file"]), wrong)]
        names = {path.name for path in made}
        rest = (self.build / shlex.split(entry["command"])[shlex.split(entry["command"]).index("-o") + 1]
                for entry in self.commands)  # fmt: skip
        return made + [path for path in rest if path.name not in names]

    def outcome(self, fault: Fault) -> tuple[bool, str]:
        """Whether the fault was found, and what was said."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(ROOT / "src/shm", folder / "shm")
            if refused := plant(fault, folder / "shm"):
                return False, refused
            compiler = shlex.split(self.commands[0]["command"])
            compiler = compiler[: next(i for i, word in enumerate(compiler) if word.startswith("-"))]
            program = folder / "explorer"
            linked = run([*compiler, *self.objects(folder, fault), "-o", program, "-Wl,-z,now", "-pthread"])
            if linked.returncode != 0:
                return False, linked.stdout
            ended = run([program, fault.programs], timeout=SECONDS)
            last = ended.stdout.strip().splitlines()[-1] if ended.stdout.strip() else ""
            return ended.returncode == 1 and last.startswith("fault:"), last


def explore(options: argparse.Namespace, ring: int, words: list[str]) -> subprocess.CompletedProcess:
    return run([options.binaries / f"tests/shm/node_interleavings_{ring}", *words], timeout=SECONDS)


def explorations(full: bool, parts: list[int]) -> list[tuple[int, list[str]]]:
    """Lengths of the rings, and the explorer's words; what is explored in several programs has several CPUs."""
    if full:
        return [(3, ["full"]), (4, ["full"])]
    return [(3, ["part", str(part), str(SIXTHS)]) for part in parts]


def told(ended: subprocess.CompletedProcess) -> bool:
    """Prints what an exploration said; whether it came to its end without a fault, which is its last line."""
    *explored, last = ended.stdout.strip().splitlines() or ["nothing was said"]
    for line in explored:
        print("ok " + line, flush=True)
    print(f"ok {last}" if ended.returncode == 0 else f"not ok {last} (status {ended.returncode})", flush=True)
    return ended.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", type=Path, default=ROOT / "build/release", help="CMake's folder")
    parser.add_argument("--full", action="store_true", help="longer programs and rings")
    parser.add_argument("-v", "--verbose", action="store_true", help="how each planted fault showed")
    options = parser.parse_args()
    failed = 0
    mutants = Mutants(options.binaries)
    whole = options.full or changed.under("src/shm", "tests/shm")
    parts, faults = range(SIXTHS), FAULTS
    if not whole:
        parts, faults = (turns.share(items, SIXTHS) for items in (parts, faults))
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the explorer uses one CPU
        explored = [pool.submit(explore, options, *what) for what in explorations(options.full, [*parts])]
        outcomes = pool.map(mutants.outcome, faults)
        for future in explored:
            failed += not told(future.result())
        for fault, (found, said) in zip(faults, outcomes, strict=True):
            failed += not found
            print(f"ok found: {fault.name}" if found else f"not ok found: {fault.name}: {said}", flush=True)
            if options.verbose:
                print("   ", said)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
