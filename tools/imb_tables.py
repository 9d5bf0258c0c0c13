"""IMB-MPI1 as it comes, natively and preloaded in turns: t_avg of each collective and size.

    .venv/bin/python tools/imb_tables.py -n 2 8 --mpi mpich impi        tables of docs/performance.md
    .venv/bin/python tools/imb_tables.py -c Bcast Alltoall --launches 5

Intel's program (`tools/fetch.py impi`) runs on every MPI of its binary interface.  Its defaults: buffers that are used
again and again, the root moved from call to call, repetitions that become fewer for long messages, 0 bytes to 4 MiB;
but `-npmin`, so that one number of ranks is measured.  A cell is slower, and confirmed, as in tools/loop_tables.py,
whose results' layout this has; further runs repeat the collectives that have such a cell.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import loop_tables as tables
from imb_output import averages
from tutti import awake, launch, mpi, paths
from tutti.errors import UserError, did_you_mean

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
        variables = {"LD_PRELOAD": str(library)} if library else {}
        words = [str(self.program), "-npmin", str(self.ranks), *self.cells]
        command = launch.Job(self.of, ranks=self.ranks, variables=variables, bound=True).command(words)
        done = subprocess.run(
            command, env=self.of.environment(), capture_output=True, text=True, timeout=LIMIT, check=False
        )
        found = dict(rows(done.stdout))
        if done.returncode or not found:
            raise UserError(f"{' '.join(command)}: status {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
        return found

    def only(self, keys: Collection[tables.Key]) -> Imb:
        names = {key.collective for key in keys}
        return replace(self, cells=tuple(name for name in self.cells if name.lower() in names))


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2], help="on this node (default: 2)")
    parser.add_argument("--mpi", nargs="*", default=["impi"], help="mpich, impi, or a prefix")
    parser.add_argument("-c", "--collectives", nargs="*", default=list(COLLECTIVES), help="by IMB's names")
    parser.add_argument("--launches", type=int, default=3, help="pairs of launches (default: 3)")
    parser.add_argument("--bar", type=float, default=0.95, help="ratio below which a cell is slower (default: 0.95)")
    parser.add_argument("--library", type=Path, help="libtutti.so, instead of the installed one")
    parser.set_defaults(figure=["own"])
    return parser.parse_args()


def main() -> int:
    options = options_of()
    try:
        for word in options.collectives:
            if word not in COLLECTIVES:
                raise UserError(f"there is no collective {word!r} here{did_you_mean(word, COLLECTIVES)}")
        program = mpi.find("impi").mpiexec.parent / "IMB-MPI1"
        if not program.exists():
            raise UserError("IMB-MPI1 is not here; `python3 tools/fetch.py impi` fetches it")
        sides = tables.Sides(None, options.library or paths.library())
        for ranks in options.ranks:
            for name in options.mpi:
                of = mpi.find(name)
                asked = Imb(program, of, ranks, tuple(options.collectives))
                with awake.kept():
                    cells = sides.pairs(asked, options.launches)
                    tables.confirm(sides, asked, cells, options)
                told = tables.summary(cells, "own", options.bar)
                print(f"\n### IMB-MPI1, {of.title}, {ranks} ranks\n\n{tables.grid(cells, 'own')}\n\n{told}", flush=True)
    except (UserError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"imb_tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
