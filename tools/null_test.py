"""What `tutti bench` is worth here: native against itself, and a slowdown that is put in.

    .venv/bin/python tools/null_test.py [-n 2] [--launches 10] [--mpi mpich] [--slower bcast:0.05] [--cache cold]

Two runs of all collectives at seven sizes, with cold buffers and with warm ones, the MPI's own calls against themselves
in alternation; in the second one a collective of the first variant is made longer by that part (TUTTI_BENCH_SLOWER).  A
launch is the unit of evidence: a cell is significant where Wilcoxon's signed rank test of the launches' ratios says so
at a level of 1 %.  Of the first run no more than one cell in twenty may be; of the second run, all of that collective
are to be found.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tutti.bench import environment as bench_environment
from tutti.options import format_size
from tutti.results import comparison, runs, statistics
from tutti.results.comparison import Key
from tutti.site import awake

SIZES = "4,32,256,2K,16K,128K,1M"
LEVEL = 0.01
SHARE = 0.05  # of cells, that may be significant though nothing is there


def measure(asked: argparse.Namespace, folder: Path, slower: str | None) -> dict[Key, list[float]]:
    """Of each cell the ratio of the two variants, a value a launch: above 1 where the first one is slower."""
    command = [sys.executable, "-m", "tutti", "bench", *asked.collectives, "-n", asked.ranks, "-s", asked.sizes]
    command += ["--null", "--launches", asked.launches, "--seconds", asked.seconds, "-q", "-o", folder]
    command += ["--cache", asked.cache, *(["--mpi", asked.mpi] if asked.mpi else [])]
    environment = os.environ | ({"TUTTI_BENCH_SLOWER": slower} if slower else {})
    done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f"tutti bench ended with status {done.returncode}")
    results = runs.load(folder).results
    base, contender = comparison.contenders(results)[:2]
    times: dict[Key, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in filter(comparison.usable, results):
        times[comparison.key_of(row)][row["variant"]][row["launch"]] = row["median_us"]
    return {
        key: [of[contender][launch] / time for launch, time in of[base].items() if launch in of[contender]]
        for key, of in sorted(times.items())
    }


def significance(ratios: list[float]) -> float:
    from scipy import stats

    return float(stats.wilcoxon([ratio - 1 for ratio in ratios]).pvalue)


def report(found: dict[Key, list[float]], what: str) -> list[Key]:
    """Prints the significant cells; returns them."""
    significant = {key: p for key, ratios in found.items() if (p := significance(ratios)) <= LEVEL}
    print(f"{what}: {len(significant)} of {len(found)} cells are significant at {100 * LEVEL:g} %")
    for key, p in significant.items():
        effect = statistics.over_launches(found[key])
        interval = f"{effect.value:.3f} ({effect.interval.low:.3f} to {effect.interval.high:.3f})"
        print(f"  {key.collective:<21} {format_size(key.size):>6} {key.cache:<5} {interval}  p = {p:.3f}")
    return list(significant)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collectives", nargs="*", default=["all"], help="such as bcast; all where none is named")
    parser.add_argument("-n", dest="ranks", type=int, default=2)
    parser.add_argument("-s", dest="sizes", default=SIZES)
    parser.add_argument("--launches", type=int, default=10, help="8 or more: fewer cannot reach a level of 1 %%")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each cell of a launch")
    parser.add_argument("--cache", default="cold,warm", help="states of caches, as in tutti bench")
    parser.add_argument("--mpi", help="name, prefix or mpiexec; else the first one found")
    parser.add_argument("--slower", default="bcast:0.05", help="COLLECTIVE:PART")
    asked = parser.parse_args()
    print(f"other processes kept {bench_environment.others_busy():.1f} CPUs busy")
    with awake.kept(), tempfile.TemporaryDirectory() as folder:
        nothing = measure(asked, Path(folder) / "nothing", None)
        slowed = measure(asked, Path(folder) / "slowed", asked.slower)
    wrong = report(nothing, "nothing put in")
    found = report(slowed, f"{asked.slower} put in")
    name = asked.slower.split(":")[0]
    missed = [f"{format_size(key.size)} {key.cache}" for key in slowed if key.collective == name and key not in found]
    print(f"of {name} not found: {', '.join(missed) or 'none'}")
    return 0 if len(wrong) <= SHARE * len(nothing) and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
