"""Ranks that come at different times, inside a node: what of the avoidable wait tutti removes, beside each MPI's own.

    .venv/bin/python tools/imbalance_tables.py -n 2 8 --mpi mpich openmpi impi -o imbalance
    .venv/bin/python tools/imbalance_tables.py -n 8 --mpi mpich -c allreduce allgather --quick
    .venv/bin/python tools/imbalance_tables.py -n 2 8 --mpi mpich openmpi impi -o imbalance --again   what is there

Runs `tutti bench` with every pattern, skew and size for each MPI and number of ranks (a quarter of an hour each;
--quick: a minute), keeps the results in FOLDER/MPI-RANKS and prints Markdown.  Native and tutti take turns in every
launch.  A folder that is there already is not measured again: remove it where a measurement was cut short.

- removed: the part of native's avoidable wait that tutti does not leave, per cent, of all patterns (or skews) of a cell
  together; in brackets what tutti leaves, microseconds a call, all ranks together.  Below 95 it is bold.
- removed, against the best: the same beside the native MPI that leaves least.  A skew such as 2x is a multiple of each
  MPI's own time, so that only skews in seconds are the same for all.
- native/tutti: the mean time of a rank in the call, from its arrival to its exit; the geometric mean over the patterns.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import kept_runs
from tutti.bench.arrival import PATTERNS, arrivals
from tutti.bench.late_ranks import OverPatterns
from tutti.bench.plan import collectives_named
from tutti.bench.table import microseconds, times
from tutti.errors import UserError
from tutti.options import format_size
from tutti.results import avoidable
from tutti.results.avoidable import Avoidable
from tutti.results.comparison import Cell, Key
from tutti.site import awake, launch

COLLECTIVES = ("reduce", "bcast", "gather", "scatter")
USUAL = {"patterns": "first_late,last_late,half_late,random", "skews": "0.5x,2x,10x,1ms,10ms", "sizes": "8,4K,128K,1M",
         "launches": 3, "seconds": 0.15}  # fmt: skip
QUICK = {"patterns": "first_late,random", "skews": "2x,1ms", "sizes": "8,128K", "launches": 1, "seconds": 0.1}
BAR = 0.95  # of the avoidable wait is to be removed

Words = Callable[[Sequence[Cell]], str]
Tables = Mapping[str, Sequence[Cell]]  # by the MPI's title


def part_of(cell: Cell, across: str) -> str:
    """last_late or 2x of `last_late 2x`."""
    pattern, _, skew = cell.key.arrival.partition(" ")
    return pattern if across == "pattern" else skew


def order(part: str) -> tuple:
    """Multiples of the balanced time before seconds, each rising; patterns as they are listed elsewhere."""
    if part in PATTERNS:
        return (PATTERNS.index(part),)
    found = re.fullmatch(r"([\d.e+-]+)(x|s|ms|us)?", part)
    if not found:
        return (2, part)
    return (found[2] != "x", float(found[1]) * {"ms": 1e-3, "us": 1e-6}.get(found[2], 1.0))


def grid(cells: Iterable[Cell], across: str, words: Words) -> str:
    """Collectives and sizes down, skews (or patterns) across."""
    found: dict[tuple, dict[str, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        found[cell.key.order, cell.key.collective, cell.key.size][part_of(cell, across)].append(cell)
    columns = sorted({part_of(cell, across) for cell in cells}, key=order)
    lines = [f"| | {' | '.join(columns)} | all |", "|---" * (len(columns) + 2) + "|"]
    for (_, name, size), row in sorted(found.items(), key=lambda item: item[0]):
        parts = [*(row.get(column, []) for column in columns), [cell for part in row.values() for cell in part]]
        title = f"{name} {format_size(size)}" if size else name
        lines.append(f"| {title} | {' | '.join(words(part) for part in parts)} |")
    return "\n".join(lines)


def removed(several: Iterable[Avoidable]) -> str:
    """Together, and what is left; bold below the bar."""
    left = avoidable.together(list(several))
    if left is None:
        return ""
    text = f"{left.removed_text} ({left.texts(microseconds)[1]})"
    return f"**{text}**" if left.removed is not None and left.removed < BAR and not left.at_least else text


def own(part: Sequence[Cell]) -> str:
    return removed(cell.avoidable for cell in part if cell.avoidable)


def gain(part: Sequence[Cell]) -> str:
    return times(OverPatterns(part).gain) if part else ""


def least_native(tables: Tables) -> dict[Key, float]:
    """Of each cell the avoidable wait of the MPI that leaves least."""
    least: dict[Key, float] = {}
    for cells in tables.values():
        for cell in cells:
            if cell.avoidable and cell.avoidable.base_us is not None:
                least[cell.key] = min(least.get(cell.key, cell.avoidable.base_us), cell.avoidable.base_us)
    return least


def beside(least: Mapping[Key, float]) -> Words:
    """As `own`, against those."""

    def words(part: Sequence[Cell]) -> str:
        sides = [(least[c.key], c.avoidable) for c in part if c.avoidable and c.key in least]
        return removed(Avoidable(best, left.contender_us, left.error_us) for best, left in sides)

    return words


def summary(cells: Sequence[Cell], base: Callable[[Cell], float | None]) -> str:
    """One sentence of all cells whose native wait the clocks can tell from nothing."""
    sides = [Avoidable(base(c), c.avoidable.contender_us, c.avoidable.error_us) for c in cells if c.avoidable]
    known = [side for side in sides if side.removed is not None]
    if not known:
        return "Nothing was measured that could be removed."
    enough = sum(side.removed >= BAR or side.at_least for side in known)
    whole = avoidable.together(known)
    return (
        f"Of {len(known)} cells with an avoidable wait, at least {100 * BAR:.0f} % is removed in {enough}; of all "
        f"together {whole.removed_text} %."
    )


def show(found: Tables, ranks: int, across: str) -> None:
    """What is removed beside each MPI, beside the best of them, and how much shorter ranks stay."""
    least = least_native(found)
    for title, cells in found.items():
        where = f"{title}, {ranks} ranks"
        print(f"\n### {where}: avoidable wait removed, %\n\n{grid(cells, across, own)}\n")
        print(summary(cells, lambda cell: cell.avoidable.base_us))
        if len(found) > 1:
            print(f"\n### {where}: removed, against the best native\n\n{grid(cells, across, beside(least))}\n")
            print(summary(cells, lambda cell: least.get(cell.key)))
        print(f"\n### {where}: a rank's time in the call, native/tutti\n\n{grid(cells, across, gain)}", flush=True)


def options_of(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2, launch.cpus()], help="on this node")
    parser.add_argument("-c", "--collectives", nargs="*", default=list(COLLECTIVES), help="or any others, or all")
    parser.add_argument("--patterns", help=f"by commas, of {', '.join(PATTERNS)}  [{USUAL['patterns']}]")
    parser.add_argument("--skews", help=f"by commas  [{USUAL['skews']}]")
    parser.add_argument("-s", "--sizes", help=f"bytes, per peer where blocks are  [{USUAL['sizes']}]")
    parser.add_argument("--launches", type=int, help=f"[{USUAL['launches']}]")
    parser.add_argument("--seconds", type=float, help=f"most for a case in one launch  [{USUAL['seconds']}]")
    parser.add_argument("--cache", default="cold", help="state of caches, as in tutti bench")
    parser.add_argument("--quick", action="store_true", help="fewer patterns, skews and sizes, one launch")
    parser.add_argument("--across", choices=("skew", "pattern"), default="skew", help="what the columns are")
    kept_runs.add_options(parser, "imbalance")
    options = parser.parse_args(words)
    for name, value in (QUICK if options.quick else USUAL).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def main() -> int:
    options = options_of()
    try:
        options.collectives = collectives_named(options.collectives)
        if "" in arrivals(options.patterns, options.skews):
            raise UserError("--patterns: with `none` nobody comes late: leave it out")
        words = [*options.collectives, "--arrival", options.patterns, "--skew", options.skews]
        for ranks in sorted(set(options.ranks)):
            with awake.kept():
                found = kept_runs.tables(ranks, words, options)
            show(found, ranks, options.across)
    except UserError as error:
        print(f"imbalance_tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
