"""The OSU programs as they come, natively and preloaded in turns: the average latency of each collective and size.

    .venv/bin/python tools/osu_tables.py --programs FOLDER -n 2 8 --mpi mpich impi      tables of docs/performance.md
    .venv/bin/python tools/osu_tables.py --programs FOLDER --mpi openmpi -c bcast allreduce --launches 5

FOLDER holds the programs (osu_bcast, ...) of the OSU micro-benchmarks, built for that MPI: they are not part of this
project.  Their defaults: 1 byte to 1 MiB, the same buffers again and again, reductions of characters, a barrier between
calls.  A cell is slower, and confirmed, as in tools/loop_tables.py, whose results' layout this has; further runs repeat
the collectives that have such a cell.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import loop_tables as tables
from tutti import awake, launch, mpi, paths
from tutti.errors import UserError, did_you_mean

COLLECTIVES = ("bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv")
COLLECTIVES += ("alltoallw", "reduce", "allreduce", "reduce_scatter", "barrier")
LIMIT = 600  # seconds of a program


def rows(collective: str, text: str) -> Iterator[tuple[tables.Key, tables.Times]]:
    """Lines of a size and a latency; a barrier's has the latency alone."""
    for line in text.splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        size, average = (int(words[0]), float(words[1])) if len(words) > 1 else (0, float(words[0]))
        yield tables.Key(collective, "", size, "osu"), tables.Times(average, average)


@dataclass(frozen=True)
class Osu:
    """What one launch runs; as tables.Loop."""

    programs: Path
    of: mpi.Mpi
    ranks: int
    cells: tuple[str, ...]  # collectives

    def run(self, library: Path | None) -> dict[tables.Key, tables.Times]:
        found: dict[tables.Key, tables.Times] = {}
        for collective in self.cells:
            found.update(self.one(collective, library))
        return found

    def one(self, collective: str, library: Path | None) -> dict[tables.Key, tables.Times]:
        variables = {"LD_PRELOAD": str(library)} if library else {}
        job = launch.Job(self.of, ranks=self.ranks, variables=variables, bound=True)
        command = job.command([str(self.programs / f"osu_{collective}")])
        done = subprocess.run(
            command, env=self.of.environment(), capture_output=True, text=True, timeout=LIMIT, check=False
        )
        found = dict(rows(collective, done.stdout)) if done.returncode == 0 else {}
        if not found:
            raise UserError(f"{' '.join(command)}: status {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
        return found

    def only(self, keys: Collection[tables.Key]) -> Osu:
        names = {key.collective for key in keys}
        return replace(self, cells=tuple(name for name in self.cells if name in names))


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True, help="where osu_bcast and the others lie")
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2], help="on this node (default: 2)")
    parser.add_argument("--mpi", nargs="*", default=["mpich"], help="those that the programs were built for")
    parser.add_argument("-c", "--collectives", nargs="*", default=list(COLLECTIVES), help="default: all")
    parser.add_argument("--launches", type=int, default=3, help="pairs of launches (default: 3)")
    parser.add_argument("--bar", type=float, default=0.95, help="ratio below which a cell is slower (default: 0.95)")
    parser.add_argument("--library", type=Path, help="libtutti.so, instead of the installed one")
    parser.set_defaults(figure=["own"])
    return parser.parse_args()


def check(options: argparse.Namespace) -> None:
    for word in options.collectives:
        if word not in COLLECTIVES:
            raise UserError(f"there is no collective {word!r} here{did_you_mean(word, COLLECTIVES)}")
        if not (options.programs / f"osu_{word}").exists():
            raise UserError(f"{options.programs} has no osu_{word}: name the folder of the built programs")


def main() -> int:
    options = options_of()
    try:
        check(options)
        sides = tables.Sides(None, options.library or paths.library())
        for ranks in options.ranks:
            for name in options.mpi:
                of = mpi.find(name)
                asked = Osu(options.programs.resolve(), of, ranks, tuple(options.collectives))
                with awake.kept():
                    cells = sides.pairs(asked, options.launches)
                    tables.confirm(sides, asked, cells, options)
                told = tables.summary(cells, "own", options.bar)
                print(f"\n### OSU, {of.title}, {ranks} ranks\n\n{tables.grid(cells, 'own')}\n\n{told}", flush=True)
    except (UserError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"osu_tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
