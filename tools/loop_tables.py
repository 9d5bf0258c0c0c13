"""The loop that users write, in processes of its own, natively and preloaded in turns: a call's own time and a turn's.

    .venv/bin/python tools/loop_tables.py -n 2 8 --mpi mpich openmpi impi           tables of docs/performance.md
    .venv/bin/python tools/loop_tables.py --state cold -c bcast,alltoall -s 128K    other caches, fewer cells
    .venv/bin/python tools/loop_tables.py --against OTHER/lib/libtutti.so           beside another build of tutti
    .venv/bin/python tools/loop_tables.py --null                                    native beside itself: the noise

The program is tools/loop.c (its head says what the states are).  A launch of each side makes a pair; which is first
alternates.  Of each cell the ratio other/tutti is the mean of the pairs' ratios: by the call's own time, and by a whole
turn of the loop, barrier included.  With more ranks than cores, who leaves the barrier first decides a call's own time.
A cell below --bar is measured in three further runs, and slower if it stays there.
Results go to FOLDER/MPI-RANKS-STATE.json; a file that is there is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Protocol

from tutti import paths
from tutti.errors import UserError, did_you_mean
from tutti.options import format_size, parse_sizes
from tutti.results import statistics
from tutti.site import awake, launch, mpi

ROOT = Path(__file__).resolve().parents[1]
COLLECTIVES = "barrier,bcast,gather,gatherv,scatter,scatterv,allgather,allgatherv,alltoall,alltoallv"
COLLECTIVES += ",reduce,allreduce,reduce_scatter"
KNOWN = [*COLLECTIVES.split(","), "alltoallw", "reduce_scatter_block", "scan", "exscan"]  # by tools/loop.c
TYPES = "char,float"
FURTHER_RUNS = 3
FIGURES = {"own": "a call's own time", "turn": "a turn of the loop"}


@dataclass(frozen=True, order=True)
class Key:
    """A cell: what is called, with what, and in which kind of turns."""

    collective: str
    type: str
    size: int
    kind: str


@dataclass(frozen=True)
class Times:
    own: float  # us, the mean over calls and ranks
    turn: float  # us, the call and its barrier


@dataclass
class Cell:
    """What pairs of programs took, by figure: `own` and `turn`."""

    key: Key
    base: dict[str, list[float]] = field(default_factory=dict)
    tutti: dict[str, list[float]] = field(default_factory=dict)
    slower: list[str] = field(default_factory=list)  # by these figures, in all further runs too

    def add(self, base: Times, tutti: Times) -> None:
        for figure in FIGURES:
            self.base.setdefault(figure, []).append(getattr(base, figure))
            self.tutti.setdefault(figure, []).append(getattr(tutti, figure))

    def ratio(self, figure: str) -> statistics.Estimate:
        return statistics.over_launches(
            [base / tutti for base, tutti in zip(self.base[figure], self.tutti[figure], strict=True)]
        )

    def microseconds(self, figure: str) -> tuple[float, float]:
        return statistics.median(self.base[figure]), statistics.median(self.tutti[figure])


def program(of: mpi.Mpi) -> Path:
    """tools/loop.c for that MPI, built where it is older than its source."""
    source = ROOT / "tools" / "loop.c"
    built = ROOT / "build" / "loops" / f"loop-{of.backend}"
    if built.exists() and built.stat().st_mtime > source.stat().st_mtime:
        return built
    built.parent.mkdir(parents=True, exist_ok=True)
    prefix = mpi.find(of.backend).prefix if of.name == "impi" else of.prefix
    compiler = prefix / "bin" / "mpicc" if prefix else "mpicc"
    done = subprocess.run([compiler, "-O2", source, "-o", built], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"tools/loop.c does not compile for {of.title}: {done.stderr.strip()[-400:]}")
    return built


class Program(Protocol):
    """What is launched on both sides."""

    cells: tuple[str, ...]  # as the program's own words name them

    def run(self, library: Path | None) -> dict[Key, Times]: ...
    def only(self, keys: Collection[Key]) -> Program:
        """The same for those cells."""
        ...


@dataclass(frozen=True)
class Loop:
    """What one launch runs."""

    of: mpi.Mpi
    ranks: int
    state: str
    seconds: float
    cells: tuple[str, ...]  # bcast:float:4
    settings: tuple[tuple[str, str], ...] = ()  # of tutti, where it is preloaded

    def run(self, library: Path | None) -> dict[Key, Times]:
        variables = {"LD_PRELOAD": str(library), **dict(self.settings)} if library else {}
        words = [program(self.of), str(self.seconds), self.state, *self.cells]
        command = launch.Job(self.of, ranks=self.ranks, variables=variables, bound=True).command(words)
        environment = self.of.environment()
        environment.pop("LD_PRELOAD", None)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"{' '.join(command)}: status {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
        rows = [line.split() for line in done.stdout.splitlines()]
        return {
            Key(row[0], row[1], int(row[2]), row[3]): Times(float(row[4]), float(row[5]))
            for row in rows
            if len(row) == 7
        }

    def only(self, keys: Collection[Key]) -> Loop:
        asked = {f"{key.collective}:{key.type}:{key.size}" for key in keys}
        return replace(self, cells=tuple(cell for cell in self.cells if cell in asked))


@dataclass(frozen=True)
class Sides:
    """What stands beside what: a library each, or none."""

    base: Path | None
    contender: Path | None

    def pairs(self, loop: Program, number: int) -> list[Cell]:
        """`number` launches of each; which comes first alternates."""
        found: dict[Key, Cell] = {}
        for pair in range(number):
            sides = (self.base, self.contender) if pair % 2 == 0 else (self.contender, self.base)
            times = [loop.run(side) for side in sides]
            base, contender = times if pair % 2 == 0 else reversed(times)
            for key in sorted(base.keys() & contender.keys()):
                found.setdefault(key, Cell(key)).add(base[key], contender[key])
        return list(found.values())


def confirm(sides: Sides, loop: Program, cells: list[Cell], options: argparse.Namespace) -> None:
    """Looks again at what seems slower: chance finds some among hundreds of cells, but not four times the same."""

    def below(cell: Cell) -> set[str]:
        return {figure for figure in options.figure if cell.ratio(figure).value < options.bar}

    again = loop.only([cell.key for cell in cells if below(cell)])
    slower: dict[Key, set[str]] = {cell.key: below(cell) for cell in cells}
    for _ in range(FURTHER_RUNS if again.cells else 0):
        for cell in sides.pairs(again, options.launches):
            slower[cell.key] = slower.get(cell.key, set()) & below(cell)
    for cell in cells:
        cell.slower = sorted(slower[cell.key])


def cells_of(options: argparse.Namespace) -> Iterator[str]:
    """As tools/loop.c reads them; a barrier has neither type nor size."""
    for collective in options.collectives.split(","):
        if collective == "barrier":
            yield "barrier:char:0"
            continue
        for of_type in options.types.split(","):
            yield from (f"{collective}:{of_type}:{size}" for size in parse_sizes(options.sizes))


def measure(of: mpi.Mpi, ranks: int, options: argparse.Namespace) -> list[Cell]:
    """From its file, where there is one."""
    beside = "-null" if options.null else "-against" if options.against else ""
    file = options.output / f"{of.name}-{ranks}-{options.state}{beside}.json"
    if file.exists():
        return [Cell(Key(**row.pop("key")), **row) for row in json.loads(file.read_text())]
    sides = Sides(options.against, options.against if options.null else options.library or paths.library())
    loop = Loop(of, ranks, options.state, options.seconds, tuple(cells_of(options)))
    cells = sides.pairs(loop, options.launches)
    if not options.null:
        confirm(sides, loop, cells, options)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([asdict(cell) for cell in cells]))
    return cells


def word(cell: Cell | None, figure: str) -> str:
    """Ratio, and in brackets tutti's microseconds; bold where it is slower."""
    if cell is None:
        return ""
    text = f"{cell.ratio(figure).value:.2f} ({cell.microseconds(figure)[1]:.3g})"
    return f"**{text}**" if figure in cell.slower else text


def grid(cells: list[Cell], figure: str) -> str:
    """Collectives down, sizes across; a row for each type and kind of turn where there are several."""
    found = {(cell.key.collective, cell.key.type, cell.key.kind, cell.key.size): cell for cell in cells}
    sizes = sorted({cell.key.size for cell in cells if cell.key.collective != "barrier"}) or [0]
    kinds = {cell.key.kind for cell in cells}
    rows = list(dict.fromkeys((cell.key.collective, cell.key.type, cell.key.kind) for cell in in_order(cells)))
    lines = [f"| | {' | '.join(format_size(size) for size in sizes)} |", "|---" * (len(sizes) + 1) + "|"]
    for name, of_type, kind in rows:
        of_row = [found.get((name, of_type, kind, size)) for size in sizes]
        if name == "barrier":
            of_row = [next(c for c in cells if c.key.collective == name), *of_row[1:]]
        title = " ".join(filter(None, [name, of_type] + ([kind] if len(kinds) > 1 else [])))
        lines.append(f"| {title} | {' | '.join(word(cell, figure) for cell in of_row)} |")
    return "\n".join(lines)


def in_order(cells: list[Cell]) -> list[Cell]:
    order = {name: place for place, name in enumerate(KNOWN)}
    return sorted(cells, key=lambda cell: (order.get(cell.key.collective, len(order)), cell.key))


def summary(cells: list[Cell], figure: str, bar: float) -> str:
    """One sentence of all cells, and a line of each that is slower."""
    values = [cell.ratio(figure).value for cell in cells]
    slower = [cell for cell in cells if figure in cell.slower]
    below = sum(value < bar for value in values)
    lines = [
        f"Geometric mean {statistics.geometric_mean(values):.2f} over {len(cells)} cells, least {min(values):.2f}; "
        f"{below} below {bar:g} once, {len(slower)} in {FURTHER_RUNS} further runs too."
    ]
    for cell in slower:
        key, bounds, (base, tutti) = cell.key, cell.ratio(figure).interval, cell.microseconds(figure)
        lines.append(
            f"    {key.collective} {key.type} {format_size(key.size)} {key.kind}: {cell.ratio(figure).value:.2f} "
            f"({bounds.low:.2f} to {bounds.high:.2f}), {base:.3g} us and {tutti:.3g}"
        )
    return "\n".join(lines)


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2], help="on this node (default: 2)")
    parser.add_argument("--mpi", nargs="*", default=[None], help="mpich, openmpi, impi, or a prefix")
    parser.add_argument("--state", default="warm", choices=("warm", "cold", "mixed", "sizes", "forms", "start"))
    parser.add_argument("--figure", nargs="*", default=["own"], choices=FIGURES, help="by which to compare (own)")
    parser.add_argument("-c", "--collectives", default=COLLECTIVES, help="by commas (default: 13)")
    parser.add_argument("-t", "--types", default=TYPES, help="char, float (default: both)")
    parser.add_argument("-s", "--sizes", default="4:1M:8", help="bytes (default: 4:1M:8)")
    parser.add_argument("--launches", type=int, default=5, help="pairs of launches (default: 5)")
    parser.add_argument("--seconds", type=float, default=0.02, help="about, for a cell of a launch (default: 0.02)")
    parser.add_argument("--bar", type=float, default=0.95, help="ratio below which a cell is slower (default: 0.95)")
    parser.add_argument("--library", type=Path, help="libtutti.so, instead of the installed one")
    parser.add_argument("--against", type=Path, metavar="LIBRARY", help="another libtutti.so instead of native")
    parser.add_argument("--null", action="store_true", help="the first side beside itself")
    parser.add_argument("-o", "--output", type=Path, default=Path("loops"), metavar="FOLDER")
    return parser.parse_args()


def check(options: argparse.Namespace) -> None:
    """Raises UserError for names that tools/loop.c does not know, and for libraries that are not there: the loader
    would go on without them, and native would stand beside native."""
    for what, words, known in (("collective", options.collectives, KNOWN), ("type", options.types, TYPES.split(","))):
        for word in words.split(","):
            if word not in known:
                raise UserError(
                    f"there is no {what} {word!r} here{did_you_mean(word, known) or ': ' + ', '.join(known)}"
                )
    for library in filter(None, (options.library, options.against)):
        if not library.is_file():
            raise UserError(f"{library}: there is no such library")


def main() -> int:
    options = options_of()
    os.environ.pop("LD_PRELOAD", None)
    try:
        check(options)
        for ranks in options.ranks:
            for name in options.mpi:
                of = mpi.find(name)
                with awake.kept():
                    cells = measure(of, ranks, options)
                for figure in options.figure:
                    title = f"{of.title}, {ranks} ranks, {options.state}: {FIGURES[figure]}"
                    told = summary(cells, figure, options.bar)
                    print(f"\n### {title}\n\n{grid(cells, figure)}\n\n{told}", flush=True)
    except (UserError, ValueError) as error:
        print(f"loop_tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
