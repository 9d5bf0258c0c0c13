"""IMB-MPI1 as it comes, natively and preloaded in turns: t_avg of each collective and size.

    .venv/bin/python tools/imb_tables.py -n 2 8 --mpi mpich impi        tables of docs/performance.md
    .venv/bin/python tools/imb_tables.py -c Bcast Alltoall --launches 5

Intel's program (`tools/fetch.py impi`) runs on every MPI of its binary interface.  Its defaults: buffers that are used
again and again, the root moved from call to call, repetitions that become fewer for long messages, 0 bytes to 4 MiB;
but `-npmin`, so that one number of ranks is measured.  A cell is slower, and confirmed, as in tools/loop_tables.py,
whose results' layout this has; further runs repeat the collectives that have such a cell.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import loop_tables as tables
import program_tables
from imb_output import averages
from tutti.errors import UserError
from tutti.site import mpi

COLLECTIVES = ("Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv")
COLLECTIVES += ("Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Barrier")
LIMIT = 1200  # seconds of a launch


def rows(text: str) -> Iterator[tuple[tables.Key, tables.Times]]:
    for name, size, average in averages(text):
        yield tables.Key(name, "", size, "imb"), tables.Times(average, average)


@dataclass(frozen=True)
class Imb:
    """What one launch runs; as tables.Loop."""

    program: Path
    of: mpi.Mpi
    ranks: int
    cells: tuple[str, ...]  # collectives

    def run(self, library: Path | None) -> dict[tables.Key, tables.Times]:
        words = [str(self.program), "-npmin", str(self.ranks), *self.cells]
        found = dict(rows(program_tables.output(self.of, self.ranks, words, library, LIMIT)))
        if not found:
            raise UserError(f"{self.program} printed no table that is known")
        return found

    def only(self, keys: Collection[tables.Key]) -> Imb:
        names = {key.collective for key in keys}
        return replace(self, cells=tuple(name for name in self.cells if name.lower() in names))


def work() -> None:
    options = program_tables.parser(__doc__, COLLECTIVES, "impi").parse_args()
    program_tables.check_collectives(options.collectives, COLLECTIVES)
    program = mpi.find("impi").mpiexec.parent / "IMB-MPI1"
    if not program.exists():
        raise UserError("IMB-MPI1 is not here; `python3 tools/fetch.py impi` fetches it")
    asked = tuple(options.collectives)
    program_tables.print_tables(options, "IMB-MPI1", lambda of, ranks: Imb(program, of, ranks, asked))


if __name__ == "__main__":
    sys.exit(program_tables.ended("imb_tables", work))
