"""Runs of `tutti bench` that tools keep in FOLDER/MPI-RANKS: measured once for each, then read."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tutti.errors import UserError
from tutti.results import comparison, runs
from tutti.results.comparison import Cell
from tutti.site import mpi


def add_options(parser: argparse.ArgumentParser, output: str) -> None:
    """What every such tool has; beside these it has --sizes, --launches, --seconds and --cache."""
    parser.add_argument("--mpi", nargs="*", default=[None], help="mpich, openmpi, impi, or a prefix")
    parser.add_argument("--profile", help="rules of choice, instead of those that ship with tutti")
    parser.add_argument("--again", action="store_true", help="measure nothing: print what FOLDER holds")
    parser.add_argument("-o", "--output", type=Path, default=Path(output), metavar="FOLDER")


def measure(of: mpi.Mpi, ranks: int, folder: Path, words: Sequence[str], options: argparse.Namespace) -> None:
    command = [sys.executable, "-m", "tutti", "bench", *words, "-n", ranks, "-s", options.sizes, "-o", folder]
    command += ["--launches", options.launches, "--seconds", options.seconds, "--cache", options.cache]
    command += ["--mpi", of.prefix or of.mpiexec]
    if options.profile:
        command += ["--profile", options.profile]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL)
    if done.returncode:
        raise UserError(f"{of.title}, {ranks} ranks: the measurement ended with status {done.returncode}")


def tables(ranks: int, words: Sequence[str], options: argparse.Namespace) -> dict[str, list[Cell]]:
    """By the MPI's title.  `words`: what is measured, as `tutti bench` has it."""
    found = {}
    for name in options.mpi:
        of = mpi.find(name)
        folder = options.output / f"{of.name}-{ranks}"
        if not options.again and not (folder / runs.RESULTS).exists():
            measure(of, ranks, folder, words, options)
        found[of.title] = comparison.cells(runs.load(folder).results)
    return found
