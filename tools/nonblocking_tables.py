"""Nonblocking collectives of IMB-NBC or the OSU programs as they come, natively and preloaded in turns.

    .venv/bin/python tools/nonblocking_tables.py -n 2 --mpi mpich impi                   IMB-NBC
    .venv/bin/python tools/nonblocking_tables.py --programs FOLDER --mpi openmpi         osu_ibcast and the others there

Each cell is the time of the call with nothing beside it (t_pure), as a ratio native/tutti, and in brackets how much of
it computation hides, natively and with tutti, in per cent: medians over launches.  The programs measure overlap by a
computation as long as their own t_pure, so a call that is faster has less time in which to be hidden.  The programs of
OSU are not part of this project; FOLDER holds them, built for that MPI.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import loop_tables as tables
import program_tables
from tutti import paths
from tutti.errors import UserError
from tutti.options import format_size
from tutti.results import statistics
from tutti.site import awake, mpi

COLLECTIVES = ("ibcast", "iallreduce", "iallgather", "ialltoall", "igather", "iscatter", "ireduce")
SIZES = range(12, 21, 2)  # 4 KiB to 1 MiB
LIMIT = 600  # seconds of a program
LOST = 10  # points of overlap: what two launches of one side differ by

Found = dict[tables.Key, tables.Times]


def imb(text: str) -> Iterator[tuple[str, int, float, float]]:
    """Name, bytes, t_pure and overlap of each row: #bytes #repetitions t_ovrl t_pure t_CPU overlap."""
    name = ""
    for line in text.splitlines():
        if found := re.match(r"# Benchmarking (\w+)", line):
            name = found[1].lower()
        words = line.split()
        if name and len(words) == 6 and words[0].isdigit():
            yield name, int(words[0]), float(words[3]), float(words[5])


def osu(name: str, text: str) -> Iterator[tuple[str, int, float, float]]:
    """The same: size, overall, compute, pure, overlap."""
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 5 and words[0].isdigit():
            yield name, int(words[0]), float(words[3]), float(words[4])


@dataclass(frozen=True)
class Nonblocking:
    """What one launch runs; as tables.Loop.  A cell's `own` time is t_pure, its `turn` the overlap."""

    programs: Path
    of: mpi.Mpi
    ranks: int
    cells: tuple[str, ...]  # collectives

    def texts(self, library: Path | None) -> Iterator[tuple[str, int, float, float]]:
        if self.programs.name == "IMB-NBC":
            lengths = ["-npmin", str(self.ranks), "-msglog", f"{SIZES[0]}:{SIZES[-1]}"]
            words = [str(self.programs), *lengths, *(name.capitalize() for name in self.cells)]
            yield from imb(program_tables.output(self.of, self.ranks, words, library, LIMIT))
            return
        for name in self.cells:
            words = [str(self.programs / f"osu_{name}"), "-m", f"{1 << SIZES[0]}:{1 << SIZES[-1]}"]
            yield from osu(name, program_tables.output(self.of, self.ranks, words, library, LIMIT))

    def run(self, library: Path | None) -> Found:
        found: Found = {}
        for name, size, pure, overlap in self.texts(library):
            if size in [1 << power for power in SIZES]:
                found[tables.Key(name, "", size, "nonblocking")] = tables.Times(pure, overlap)
        if not found:
            raise UserError(f"{self.programs} printed no table that is known")
        return found

    def only(self, keys: Collection[tables.Key]) -> Nonblocking:
        names = {key.collective for key in keys}
        return replace(self, cells=tuple(name for name in self.cells if name in names))


def table(cells: list[tables.Cell]) -> str:
    sizes = sorted({cell.key.size for cell in cells})
    lines = [f"| | {' | '.join(format_size(size) for size in sizes)} |", "|---" * (len(sizes) + 1) + "|"]
    for name in dict.fromkeys(cell.key.collective for cell in cells):
        of_row = {cell.key.size: cell for cell in cells if cell.key.collective == name}
        lines.append(f"| {name} | {' | '.join(word(of_row[size]) if size in of_row else '' for size in sizes)} |")
    return "\n".join(lines)


def word(cell: tables.Cell) -> str:
    native, tutti = cell.microseconds("turn")
    return f"{cell.ratio('own').value:.2f} ({native:.0f}, {tutti:.0f})"


def summary(cells: list[tables.Cell]) -> str:
    mean = statistics.geometric_mean([cell.ratio("own").value for cell in cells])
    losses = [native - tutti for native, tutti in (cell.microseconds("turn") for cell in cells)]
    return (
        f"t_pure: geometric mean {mean:.2f} over {len(cells)} cells.  Overlap: {sum(loss > LOST for loss in losses)} "
        f"cells more than {LOST} points below the MPI's own, {sum(loss < -LOST for loss in losses)} above."
    )


def work() -> None:
    parser = program_tables.parser(__doc__, COLLECTIVES, "mpich")
    parser.add_argument("--programs", type=Path, help="where osu_ibcast and the others lie (default: IMB-NBC)")
    options = parser.parse_args()
    program_tables.check_collectives(options.collectives, COLLECTIVES)
    programs = options.programs or mpi.find("impi").mpiexec.parent / "IMB-NBC"
    if not programs.exists():
        raise UserError(f"{programs} is not here; `python3 tools/fetch.py impi` fetches IMB-NBC")
    sides = tables.Sides(None, options.library or paths.library())
    for ranks in options.ranks:
        for name in options.mpi:
            of = mpi.find(name)
            asked = Nonblocking(programs.resolve(), of, ranks, tuple(options.collectives))
            with awake.kept():
                cells = sides.pairs(asked, options.launches)
            print(f"\n### {of.title}, {ranks} ranks\n\n{table(cells)}\n\n{summary(cells)}", flush=True)


if __name__ == "__main__":
    sys.exit(program_tables.ended("nonblocking_tables", work))
