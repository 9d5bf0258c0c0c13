"""The tables of docs/performance.md for this machine: every collective and size inside a node, beside each MPI's own,
with cold buffers and with warm ones.

    .venv/bin/python tools/node_tables.py                                 the MPI on PATH; 2 ranks and one a CPU
    .venv/bin/python tools/node_tables.py -n 2 8 --mpi mpich openmpi impi -o tables
    .venv/bin/python tools/node_tables.py -o tables --again               the tables of what is there already

Runs `tutti bench all` for each MPI and number of ranks (minutes each), keeps the results in FOLDER/MPI-RANKS and prints
Markdown, a table for each state of caches.  A folder that is there already is not measured again: remove it where a
measurement was cut short.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence

import kept_runs
from tutti.bench.table import summary_of
from tutti.errors import UserError
from tutti.options import format_size
from tutti.results import comparison, joint, statistics
from tutti.results.comparison import Cell
from tutti.site import awake, launch

Tables = Mapping[str, Iterable[Cell]]  # by the MPI's title


def word(cell: Cell | None) -> str:
    """Ratio, and in brackets tutti's microseconds; bold where it is slower, a dash where nothing was served."""
    if cell is None or cell.ratio is None:
        return ""
    if cell.choice in ("", "native"):
        return "own"
    text = f"{cell.ratio.value:.2f} ({cell.contender_us:.3g})"
    return f"**{text}**" if cell.verdict in ("slower", "wrong") else text


def grid(cells: Iterable[Cell]) -> str:
    """Collectives down, sizes across."""
    found = {(cell.key.collective, cell.key.size): cell for cell in cells}
    sizes = sorted({size for _, size in found if size > 0})
    names = [name for name in comparison.COLLECTIVES if any(name == of for of, _ in found)]
    lines = [f"| | {' | '.join(format_size(size) for size in sizes)} |", "|---" * (len(sizes) + 1) + "|"]
    for name in names:
        row = [found.get((name, size)) for size in sizes]
        if not any(row) and row:
            row[0] = found.get((name, 0))
        lines.append(f"| {name} | {' | '.join(word(cell) for cell in row)} |")
    return "\n".join(lines)


def summary(cells: Iterable[Cell]) -> str:
    """One sentence of all cells."""
    rated = [cell for cell in cells if cell.ratio]
    if not rated:
        return "Nothing was measured."
    mean = statistics.geometric_mean([cell.ratio.value for cell in rated])
    verdicts = ("faster", "same", "slower", "wrong")
    counts = {verdict: sum(cell.verdict == verdict for cell in rated) for verdict in verdicts}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return f"Geometric mean of native/tutti {mean:.2f} over {len(rated)} cells: {told}."


def against_best(tables: Tables) -> str:
    """Each cell beside the MPI whose own collective is the fastest there, by the ratio measured with that MPI."""
    cells: dict[tuple[str, int], tuple[Cell, str]] = {}
    for title, table in tables.items():
        for cell in table:
            key = (cell.key.collective, cell.key.size)
            if cell.ratio and (key not in cells or cell.base_us < cells[key][0].base_us):
                cells[key] = (cell, title)
    if not cells:
        return "Nothing was measured."
    ratios = [cell.ratio.value for cell, _ in cells.values()]
    best = {title: sum(of == title for _, of in cells.values()) for title in tables}
    least, where = min((cell.ratio.value, key) for key, (cell, _) in cells.items())
    named = f"{where[0]} {format_size(where[1])}" if where[1] else where[0]
    shares = ", ".join(f"{title} in {count}" for title, count in best.items())
    return (
        f"Against the fastest of them in each cell ({shares}): geometric mean "
        f"{statistics.geometric_mean(ratios):.2f}, least {least:.2f} ({named})."
    )


def show(found: Mapping[str, list[Cell]], ranks: int) -> None:
    """A table for each MPI and state of caches, and what they come to."""
    for title, cells in found.items():
        states = joint.states_of(cells)
        for state in states:
            part, said = joint.in_state(cells, state), buffers_text(state, states)
            print(f"\n### {title}, {ranks} ranks{said}\n\n{grid(part)}\n\n{summary(part)}", flush=True)
        if len(states) > 1:
            print(f"\n{title}, {ranks} ranks, each cell in all states: {summary_of(cells)}.", flush=True)
    states = joint.states_of([cell for cells in found.values() for cell in cells])
    for state in states if len(found) > 1 else ():
        parts = {title: joint.in_state(cells, state) for title, cells in found.items()}
        print(f"\n{ranks} ranks{buffers_text(state, states)}. {against_best(parts)}", flush=True)


def buffers_text(state: str, states: Sequence[str]) -> str:
    return f", {state} buffers" if len(states) > 1 else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2, launch.cpus()], help="on this node")
    parser.add_argument("-s", "--sizes", default="4:1M:8", help="bytes, per peer where blocks are (default: 4:1M:8)")
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.15, help="most for a case in one launch and state of caches")
    parser.add_argument("--cache", default="cold,warm", help="states of caches, as in tutti bench")
    kept_runs.add_options(parser, "tables")
    options = parser.parse_args()
    try:
        for ranks in sorted(set(options.ranks)):
            with awake.kept():
                found = kept_runs.tables(ranks, ["all"], options)
            show(found, ranks)
    except UserError as error:
        print(f"node_tables: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
