"""Mistakes in the simulator, one at a time: its unit tests must find each.

    .venv/bin/python tests/simulation/planted.py            all of them, or by turns a sixth; about five seconds each
    .venv/bin/python tests/simulation/planted.py --only a   some, by how their names begin

A mistake is planted into a copy of src/simulation.  The sources that it touches are compiled anew, by the build's own
commands, and linked before the build's library into the unit tests.  Prints `ok NAME`, `not ok NAME: why`; status 1 if
any failed.
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

import changed  # noqa: E402
import turns  # noqa: E402
from includes import Includes  # noqa: E402
from planting import Fault, plant, run  # noqa: E402

SIXTHS = 6
SECONDS = 120
SOURCES = ROOT / "src/simulation"


class Planting:
    """The unit tests with a mistake in them."""

    def __init__(self, build: Path):
        self.build = build
        commands = json.loads((build / "compile_commands.json").read_text())
        self.commands = [entry for entry in commands if "/tutti_simulation.dir/" in entry["command"]]
        if not self.commands:
            sys.exit(f"{build}/compile_commands.json has no tutti_simulation")
        self.includes = Includes(SOURCES.rglob("*.hpp"))

    def touched(self, fault: Fault) -> list[dict]:
        place = SOURCES / fault.file
        if place.suffix == ".cpp":
            return [entry for entry in self.commands if Path(entry["file"]) == place]
        return [entry for entry in self.commands if place in self.includes.all(Path(entry["file"]))]

    def compile(self, entry: dict, folder: Path) -> Path:
        words = shlex.split(entry["command"])
        source = Path(entry["file"])
        made = folder / f"{source.stem}.o"
        words = [
            str(folder / "simulation" / source.relative_to(SOURCES)) if word == str(source) else word for word in words
        ]
        words.insert(words.index(f"-I{ROOT}/src"), f"-I{folder}")
        words[words.index("-o") + 1] = str(made)
        done = run(["nice", *words, "-O1", "-w"], cwd=entry["directory"])
        if done.returncode != 0:
            raise RuntimeError(done.stdout)
        return made

    def link(self, objects: list[Path], program: Path) -> None:
        ninja = shutil.which("ninja") or Path(sys.executable).parent / "ninja"
        told = run([ninja, "-t", "commands", "simulation_test"], cwd=self.build).stdout.strip().splitlines()[-1]
        words = shlex.split(told.removeprefix(": &&").removesuffix("&& :"))
        words[words.index("-o") + 1] = str(program)
        done = run([words[0], *objects, *words[1:]], cwd=self.build)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def missed(self, fault: Fault) -> str:
        """Why it was not found; empty where it was."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(SOURCES, folder / "simulation")
            if refused := plant(fault, folder / "simulation"):
                return refused
            self.link([self.compile(entry, folder) for entry in self.touched(fault)], folder / "test")
            try:
                ended = run([folder / "test"], timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return ""
            return "" if ended.returncode != 0 else "the tests pass"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="CMake's folder")
    parser.add_argument("--all", action="store_true", help="not by turns")
    parser.add_argument("--only", default="", help="those whose names begin so")
    options = parser.parse_args()
    whole = options.all or options.only or changed.under("src/simulation", "tests/simulation")
    faults = FAULTS if whole else turns.share(FAULTS, SIXTHS)
    faults = [fault for fault in faults if fault.name.startswith(options.only)]
    planting = Planting(options.build.resolve())
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault, why in zip(faults, pool.map(planting.missed, faults), strict=True):
            failed += bool(why)
            print(f"not ok found: {fault.name}: {why}" if why else f"ok found: {fault.name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
