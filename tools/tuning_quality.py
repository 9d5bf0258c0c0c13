"""What `tutti tune` is worth: its choice against the best that an independent, exhaustive search finds.

    .venv/bin/python tools/tuning_quality.py -n 8 --mpi openmpi -o quality
    .venv/bin/python tools/tuning_quality.py -n 16 -N 4 --launcher 'tools/... {env:-x} --' --mpi openmpi -o quality

Tunes the layout in the minutes given; then, with measurements of its own, measures every candidate of every cell and
the best ones again; then both choices and native in turns in new launches, on which alone the verdict rests.  A cell is
good where the chosen spec takes no more than 5 % longer than the best.  `--held-out` names sizes that the tuning does
not see, judged alike within 10 %; `--held-out-ranks` a number of ranks that it does not see.  Started again with the
same folder it does not tune again: the search goes on from what it has measured, and so do the pairs.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from tutti import core
from tutti.options import format_size, parse_sizes
from tutti.results import caches, statistics
from tutti.site import awake, mpi
from tutti.tuning import evidence
from tutti.tuning.campaign import Campaign
from tutti.tuning.evidence import NATIVE, Cell, Gain, Store
from tutti.tuning.general import cells_of
from tutti.tuning.layout import Layout, Local

COLLECTIVES = "bcast reduce allreduce allgather alltoall reduce_scatter"
BEST, AGAIN = 4, 4  # of each cell's candidates so many are measured so often
PAIRS, MOST_PAIRS = 6, 20  # launches of each of the two that are compared; more where they leave it open
SURE = 0.03  # half the width of an interval (of logarithms) that leaves nothing open
GOOD, GOOD_UNSEEN = 1.05, 1.10


class Search(Campaign):
    """Every candidate once, the best ones again."""

    def promising(self, cell, known):
        every, measured = self.possible(cell), known.get(cell, {})
        fresh = [spec for spec in every if spec not in measured]
        return fresh or sorted((s for s in measured if s in every), key=lambda s: -measured[s].mean)[:BEST]

    def possible(self, cell: Cell) -> list[str]:
        bad = evidence.wrong(self.store.of(self.layout))
        return [spec for spec in self.specs(cell) if (cell, spec) not in bad and self._failed[cell, spec] < 2]

    def next_of(self, alive, of):
        """All alike, whoever leads."""
        return min(alive, key=lambda spec: of[spec].launches if spec in of else 0)

    def settled(self, cell, alive, known, counts):
        return all(counts[cell, spec] >= AGAIN for spec in alive)

    def progress(self, open_cells):
        left = sum(len(self.possible(cell)) - len(self.known().get(cell, {})) for cell in self.cells)
        return f"search on {self.layout}: launch {self.launches + 1}, {left} measurements before the best are known"


class Pairs(Search):
    """The two choices of each cell, in turns."""

    def promising(self, cell, known):
        return self.possible(cell)

    def settled(self, cell, alive, known, counts):
        of = known.get(cell, {})
        return all(
            counts[cell, spec] >= MOST_PAIRS or (counts[cell, spec] >= PAIRS and 1.96 * of[spec].error < SURE)
            for spec in alive
        )

    def progress(self, open_cells):
        return f"pairs on {self.layout}: launch {self.launches + 1}, {open_cells} cells open"


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def tune(asked: argparse.Namespace, ranks: Sequence[int], profile: Path) -> float:
    """Seconds that it took."""
    command = [sys.executable, "-m", "tutti", "tune", *asked.collectives, "-n", ",".join(map(str, ranks))]
    command += ["-s", asked.sizes, "--minutes", asked.minutes, "--launcher", asked.launcher, "-o", profile]
    command += ["--runs", asked.folder / "tune", *(["-N", asked.nodes] if asked.nodes > 1 else [])]
    command += ["--mpi", asked.mpi] if asked.mpi else []
    began = time.monotonic()
    if status := subprocess.run([str(word) for word in command], check=False).returncode:
        sys.exit(f"tutti tune ended with status {status}")
    return time.monotonic() - began


def chosen_by(profile: Path, layout: Layout, library: str, cells: Iterable[Cell]) -> dict[Cell, str]:
    settings, warnings = core.read_settings(str(profile))
    if warnings:
        sys.exit(f"{profile}: {warnings[0]}")
    selector = core.load().Selector(settings, layout.ranks, layout.nodes, layout.per_node, library=library)
    return {cell: selector.choose(cell.collective, cell.size).text for cell in cells}


def carried_out(kind: type[Campaign], asked: argparse.Namespace, name: str, layout: Layout, cells, allowed=None):
    """A campaign with measurements of its own, to its end or as long as there is time."""
    folder = asked.folder / f"{name}-{layout.ranks}"
    found = mpi.find(asked.mpi)
    minutes = 60 * asked.search
    one = kind(
        Store(folder / "evidence.jsonl"), Local(found, asked.launcher), found, layout, list(cells), minutes, tell=tell,
        states=caches.USUAL, allowed=allowed or {},
    )  # fmt: skip
    one.run(refining=False, widening=False)
    for failure in dict.fromkeys(one.failures):
        tell(failure)
    return one


def best_of(known: evidence.Gains, cell: Cell) -> str:
    of = {spec: gain for spec, gain in known.get(cell, {}).items() if gain.mean > 0 and not gain.slower_in}
    return max(of, key=lambda spec: of[spec].mean, default=NATIVE)


def judged(cell: Cell, chosen: str, best: str, of: dict[str, Gain]) -> dict:
    """How much longer the chosen one takes than the best of the three, and than native."""
    means = {NATIVE: 0.0} | {spec: of[spec].mean for spec in (chosen, best) if spec in of}
    return {
        "collective": cell.collective, "size": cell.size, "chosen": chosen, "best": best,
        "over_best": math.exp(max(means.values()) - means[chosen]) if chosen in means else None,
        "over_native": math.exp(-means[chosen]) if chosen in means else None,
        "slower": chosen in of and (of[chosen].high < math.log(statistics.SLOWER) or bool(of[chosen].slower_in)),
    }  # fmt: skip


def judge(asked: argparse.Namespace, layout: Layout, cells: list[Cell], profile: Path) -> list[dict]:
    known = carried_out(Search, asked, "search", layout, cells).known()
    chosen = chosen_by(profile, layout, mpi.find(asked.mpi).title, cells)
    best = {cell: best_of(known, cell) for cell in cells}
    rivals = {cell: [s for s in dict.fromkeys((chosen[cell], best[cell])) if s != NATIVE] for cell in cells}
    open_cells = [cell for cell in cells if rivals[cell]]
    pairs = carried_out(Pairs, asked, "pairs", layout, open_cells, rivals).known()
    return [judged(cell, chosen[cell], best[cell], pairs.get(cell, {})) | {"layout": str(layout)} for cell in cells]


def report(name: str, rows: list[dict], good: float) -> str:
    known = [row for row in rows if row["over_best"]]
    within = sum(row["over_best"] <= good for row in known)
    slower = [row for row in known if row["slower"]]
    return (
        f"{name}: {within} of {len(known)} cells within {100 * (good - 1):.0f} % of the best "
        f"({100 * within / max(1, len(known)):.0f} %), {len(slower)} slower than native"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collectives", nargs="*", default=COLLECTIVES.split())
    parser.add_argument("-n", dest="ranks", type=lambda text: [int(part) for part in text.split(",")], default=[2])
    parser.add_argument("-N", dest="nodes", type=int, default=1)
    parser.add_argument("-s", dest="sizes", default="8,1K,32K,512K")
    parser.add_argument("--held-out", default="", help="sizes that are judged and not tuned")
    parser.add_argument("--held-out-ranks", type=int, help="a number of ranks that is judged and not tuned")
    parser.add_argument("--minutes", type=float, default=5.0, help="of tuning, a layout")
    parser.add_argument("--search", type=float, default=20.0, help="minutes of the search, and of the pairs, at most")
    parser.add_argument("--mpi")
    parser.add_argument("--launcher", default="mpiexec")
    parser.add_argument("-o", dest="folder", type=Path, default=Path("quality"))
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with awake.kept():
        verdict(asked)


def verdict(asked: argparse.Namespace) -> None:
    profile = asked.folder / "tuned.toml"
    if profile.exists():
        tell(f"{profile}: tuned before; the search and the pairs go on")
    else:
        tell(f"tuned in {tune(asked, asked.ranks, profile):.0f} s")
    cells = cells_of(asked.collectives, parse_sizes(asked.sizes))
    unseen = cells_of(asked.collectives, parse_sizes(asked.held_out)) if asked.held_out else []
    of = {name: [] for name in ("tuned", "held-out sizes", "held-out ranks")}
    for count in [*asked.ranks, *([asked.held_out_ranks] if asked.held_out_ranks else [])]:
        layout = Layout(count, asked.nodes)
        rows = judge(asked, layout, cells + unseen, profile)
        for row, cell in zip(rows, cells + unseen, strict=True):
            name = "held-out ranks" if count not in asked.ranks else "tuned" if cell in cells else "held-out sizes"
            of[name].append(row)
            over = f"{row['over_best']:.2f}" if row["over_best"] else "?"
            mark = " <" if row["over_best"] and row["over_best"] > GOOD else ""
            print(f"{row['layout']:28} {row['collective']:14} {format_size(row['size']):>6}  {over}{mark:2}  "
                  f"{row['chosen']}  |  {row['best']}", flush=True)  # fmt: skip
    for name, rows in of.items():
        if rows:
            print(report(name, rows, GOOD if name == "tuned" else GOOD_UNSEEN))
    (asked.folder / "verdict.json").write_text(json.dumps(of, indent=1))


if __name__ == "__main__":
    main()
