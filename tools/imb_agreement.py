"""tutti bench beside Intel's IMB-MPI1: whether both measure the same.

    .venv/bin/python tools/imb_agreement.py [-n 2,4] [--launches 25] [--within 0.10]

On the MPI that IMB was made for, turn by turn: one launch of IMB-MPI1, one of `tutti bench --format imb --sync
barrier`, and so on.  A cell's ratio is the median over the turns of t_avg by t_avg, which a machine that changes (a
virtual one, whose processors are moved) disturbs least; its 95 % interval and the medians of both stand beside it.  IMB
uses two processes on up to as many cores; with more ranks than cores both are at the mercy of the scheduler, which the
spread over launches shows.

Two of IMB's habits are switched off, since they change what is measured and not how: it moves the root from call to
call (-root_shift off), and beside -iter it lowers the number of repetitions for long messages (-iter_policy off).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from imb_output import averages
from tutti import options
from tutti.bench import environment, formats
from tutti.results import runs, samples, statistics
from tutti.site import awake, launch, mpi

COLLECTIVES = ("bcast", "allreduce", "alltoall")
SIZES = (8, 4096, 262144)
REPETITIONS, WARM_UPS = 5000, 100
Cell = tuple[int, str, int]  # (ranks, collective, size)


def imb(chosen: mpi.Mpi, ranks: int, folder: Path) -> dict[Cell, float]:
    lengths = folder / "lengths"
    lengths.write_text("".join(f"{size}\n" for size in SIZES))
    program = [chosen.mpiexec.parent / "IMB-MPI1", "-npmin", ranks, "-iter", REPETITIONS, "-iter_policy", "off"]
    program += ["-msglen", lengths, "-root_shift", "off", "-sync", "on", *(name.capitalize() for name in COLLECTIVES)]
    command = launch.Job(chosen, ranks).command([str(word) for word in program])
    done = subprocess.run(command, env=chosen.environment(), capture_output=True, text=True, timeout=600, check=False)
    cells = {(ranks, name, size): average for name, size, average in averages(done.stdout)}
    if done.returncode or len(cells) != len(COLLECTIVES) * len(SIZES):
        sys.exit(f"IMB-MPI1 on {ranks} ranks: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    return cells


def ours(chosen: mpi.Mpi, ranks: int, folder: Path) -> dict[Cell, float]:
    run = folder / "run"
    command = [sys.executable, "-m", "tutti", "bench", *COLLECTIVES, "-n", ranks, "-s", ",".join(map(str, SIZES))]
    command += ["--format", "imb", "--sync", "barrier", "--no-check", "--null", "--launches", 1]
    command += ["-i", REPETITIONS, "-x", WARM_UPS]
    command += ["--mpi", chosen.mpiexec, "-q", "-o", run]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"tutti bench on {ranks} ranks: status {done.returncode}\n{done.stderr[-500:]}")
    table = formats.lines(samples.read(run, runs.load(run).results, variant="native"))
    return {(count, name, row.size): row.mean for (_, name, count), rows in table.items() for row in rows}


def row_of(found: dict[str, list[dict[Cell, float]]], cell: Cell, within: float) -> dict[str, Any]:
    """Of the turns' ratios, ours by IMB's, the median and its interval.  `imb_spread`: how many times the longest
    launch of IMB took the shortest one's."""
    theirs, mine = ([each[cell] for each in found[name]] for name in ("imb", "tutti"))
    ratios = [own / other for own, other in zip(mine, theirs, strict=True)]
    ratio, interval = statistics.median(ratios), statistics.median_interval(ratios)
    return dict(zip(("ranks", "collective", "size"), cell, strict=True)) | {
        "imb_us": statistics.median(theirs),
        "tutti_us": statistics.median(mine),
        "ratio": ratio,
        "low": interval.low,
        "high": interval.high,
        "imb_spread": max(theirs) / min(theirs),
        "outside": not 1 - within <= ratio <= 1 + within,
    }


def line_of(row: dict[str, Any]) -> str:
    text = f"{row['ranks']:>3} {row['collective']:<10} {row['size']:>8} {row['imb_us']:>10.2f} {row['tutti_us']:>10.2f}"
    text += f" {row['ratio']:>6.3f}  {row['low']:.2f} .. {row['high']:.2f}  x{row['imb_spread']:.2f}"
    return text + ("  outside" if row["outside"] else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="ranks", type=options.parse_counts, default=[2, 4], help="numbers of ranks")
    parser.add_argument("--launches", type=int, default=25)
    parser.add_argument("--within", type=float, default=0.10, help="how far apart two times agree")
    parser.add_argument("--mpi", default="impi", help="the MPI that has IMB-MPI1 beside its mpiexec")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chosen = mpi.find(asked.mpi)
    busy = environment.others_busy()
    found: dict[str, list[dict[Cell, float]]] = defaultdict(list)
    with awake.kept():
        for turn in range(asked.launches):
            both: dict[str, dict[Cell, float]] = {"imb": {}, "tutti": {}}
            for ranks in asked.ranks:
                for name, measure in (("imb", imb), ("tutti", ours))[:: 1 if turn % 2 else -1]:
                    with tempfile.TemporaryDirectory() as folder:
                        both[name] |= measure(chosen, ranks, Path(folder))
            for name, cells in both.items():
                found[name].append(cells)
    if not asked.json:
        print(f"{chosen.title}; other processes kept {busy:.1f} CPUs busy")
    rows = [row_of(found, cell, asked.within) for cell in sorted(found["imb"][0])]
    for row in rows:
        print(json.dumps(row) if asked.json else line_of(row))
    outside = sum(row["outside"] for row in rows)
    if not asked.json:
        print(f"{outside} of {len(rows)} cells differ by more than {100 * asked.within:.0f} %")
    return 0 if outside <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
