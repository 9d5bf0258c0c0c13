"""What tutti costs beside the MPI alone: bytes a rank and a node, time of MPI_Init and of the first collectives.

    .venv/bin/python tools/footprint.py -n 64                    on the MPI that is here
    .venv/bin/python tools/footprint.py -n 64 --mpi mpich openmpi impi

Launches with and without tutti turn by turn, prints medians as a Markdown table.  tools/footprint.c is what runs; it is
compiled with the MPI's own mpicc, or taken from the build where that has it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tutti import paths
from tutti.errors import UserError
from tutti.site import launch, mpi

ROOT = Path(__file__).resolve().parents[1]
KIB, MIB = 1024, 1 << 20


def program(of: mpi.Mpi, options: argparse.Namespace, folder: Path) -> Path:
    """tools/footprint.c for this MPI."""
    beside = [str(of.prefix / "bin")] if of.prefix else []
    compiler = options.mpicc or shutil.which("mpicc", path=":".join([*beside, str(of.mpiexec.parent)]))
    built = options.binaries / f"tests/footprint_{of.backend}"
    if built.exists() and not options.mpicc and of.origin == "fetched by the build":
        return built
    if not compiler:
        raise UserError(f"{of.title} has no mpicc beside its mpiexec: name one with --mpicc")
    made = folder / f"footprint-{of.name}"
    subprocess.run([compiler, "-O2", "-o", made, ROOT / "tools/footprint.c"], check=True, env=of.environment())
    return made


def measure(of: mpi.Mpi, words: list, options: argparse.Namespace, tutti: bool) -> dict:
    """One launch."""
    variables = {"LD_PRELOAD": str(options.library or launch.preload())} if tutti else {}
    job = launch.Job(of, ranks=options.ranks, variables=variables)
    try:
        done = subprocess.run(
            job.command(words), capture_output=True, text=True, env=of.environment(), timeout=options.seconds
        )
    except subprocess.TimeoutExpired as slow:
        raise UserError(f"{of.title}: {options.ranks} ranks took more than {options.seconds:.0f} s") from slow
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise UserError(f"{of.title}: status {done.returncode}: {(done.stdout + done.stderr).strip()[-300:]}")
    return json.loads(lines[-1])


def figures(found: dict) -> dict[str, float]:
    """What the table shows of one launch.  The fourth collective agrees, the first that is served makes the engine."""
    calls, ranks = found["calls"], found["ranks"]

    def node(when: str) -> float:
        part = found[when]
        return part["private"] + part["library"] + part["segment_bytes"]

    return {
        "MPI_Init, ms": found["init"] / 1e3,
        "collectives 1 to 3 together, us": sum(calls[:3]),
        "collectives 1 to 6 together, us": sum(calls[:6]),
        "MPI_Init and collectives 1 to 6, ms": (found["init"] + sum(calls[:6])) / 1e3,
        "a node after MPI_Init, MiB": node("after_init") / MIB,
        "a node, the world served, MiB": node("world") / MIB,
        f"a node, {found['communicators']} more served, MiB": node("all") / MIB,
        "of it tutti's segments, MiB": found["all"]["segment_bytes"] / MIB,
        "their number": found["all"]["segments"],
        "a rank's own memory, all served, KiB": found["all"]["private"] / ranks / KIB,
    }


def table(of: mpi.Mpi, options: argparse.Namespace, folder: Path) -> None:
    words = [program(of, options, folder), options.communicators]
    taken: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    for turn in range(options.launches):
        for tutti in (turn % 2 == 0, turn % 2 == 1):
            taken[tutti].append(figures(measure(of, words, options, tutti)))
    print(f"\n{of.title}, {options.ranks} ranks, {options.communicators} communicators, {options.launches} launches\n")
    print("| median | native | tutti | more |\n|---|---|---|---|")
    for name in taken[False][0]:
        native, tutti = (statistics.median(each[name] for each in taken[which]) for which in (False, True))
        print(f"| {name} | {native:.5g} | {tutti:.5g} | {tutti - native:.4g} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, default=launch.cpus(), help="on this node (default: its CPUs)")
    parser.add_argument("-c", "--communicators", type=int, default=100, help="of all ranks, besides the world")
    parser.add_argument("--mpi", nargs="*", default=[None], help="mpich, openmpi, impi, or a prefix")
    parser.add_argument("--launches", type=int, default=5, help="of each variant")
    parser.add_argument("--seconds", type=float, default=600, help="most for one launch")
    parser.add_argument("--mpicc", help="compiler for tools/footprint.c")
    parser.add_argument("--library", type=Path, help="libtutti.so (default: the installed one)")
    parser.add_argument("--binaries", type=Path, default=ROOT / "build/release", help="CMake's folder")
    options = parser.parse_args()
    options.library = options.library or paths.library()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tutti-footprint-") as folder:
        for name in options.mpi:
            try:
                table(mpi.find(name), options, Path(folder))
            except UserError as error:
                failed += 1
                print(f"footprint: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
