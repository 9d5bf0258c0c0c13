"""The OSU programs as they come, natively and preloaded in turns: the average latency of each collective and size.

    .venv/bin/python tools/osu_tables.py --programs FOLDER -n 2 8 --mpi mpich impi      tables of docs/performance.md
    .venv/bin/python tools/osu_tables.py --programs FOLDER --mpi openmpi -c bcast allreduce --launches 5

FOLDER holds the programs (osu_bcast, ...) of the OSU micro-benchmarks, built for that MPI: they are not part of this
project.  Their defaults: 1 byte to 1 MiB, the same buffers again and again, reductions of characters, a barrier between
calls.  A cell is slower, and confirmed, as in tools/loop_tables.py, whose results' layout this has; further runs repeat
the collectives that have such a cell.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import loop_tables as tables
import program_tables
from tutti.errors import UserError
from tutti.site import mpi

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
        for name in self.cells:
            program = str(self.programs / f"osu_{name}")
            one = dict(rows(name, program_tables.output(self.of, self.ranks, [program], library, LIMIT)))
            if not one:
                raise UserError(f"{program} printed no table that is known")
            found.update(one)
        return found

    def only(self, keys: Collection[tables.Key]) -> Osu:
        names = {key.collective for key in keys}
        return replace(self, cells=tuple(name for name in self.cells if name in names))


def work() -> None:
    parser = program_tables.parser(__doc__, COLLECTIVES, "mpich")
    parser.add_argument("--programs", type=Path, required=True, help="where osu_bcast and the others lie")
    options = parser.parse_args()
    program_tables.check_collectives(options.collectives, COLLECTIVES)
    for name in options.collectives:
        if not (options.programs / f"osu_{name}").exists():
            raise UserError(f"{options.programs} has no osu_{name}: name the folder of the built programs")
    folder, asked = options.programs.resolve(), tuple(options.collectives)
    program_tables.print_tables(options, "OSU", lambda of, ranks: Osu(folder, of, ranks, asked))


if __name__ == "__main__":
    sys.exit(program_tables.ended("osu_tables", work))
