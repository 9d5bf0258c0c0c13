"""What each learner of the node engine gains: native, without the learner and with it, as processes of their own.

    .venv/bin/python tools/ablation.py -n 2 8 --mpi mpich openmpi impi      the table of docs/node-engine.md
    .venv/bin/python tools/ablation.py --quick                              the same in five minutes, roughly
    .venv/bin/python tools/ablation.py copies joint -n 2 --mpi openmpi      some learners (TUTTI_LEARN's names)
    .venv/bin/python tools/ablation.py --null                               nothing left out: the noise

A learner is measured in the cells it is for: those of its list that the node engine serves, by a way that it has a part
in.  In each round all three sides are launched in turns, in an order that rotates; the program is tools/loop.c.  The
gain of a cell is the time without the learner over the time with it, and of a round the geometric mean over the cells;
the interval (95 %) is over rounds.  A learner pays where all of the interval is at the bar or above, and goes where all
is below.  With more ranks than CPUs a turn of the loop counts, else a call's own time (tools/loop_tables.py).
Results go to FOLDER/LEARNER-MPI-RANKS-STATE.json; a file that is there is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import loop_tables as tables
from tutti import core, paths
from tutti.errors import UserError, did_you_mean
from tutti.options import format_size, parse_sizes
from tutti.results import statistics
from tutti.site import awake, launch, mpi

BAR = 1.03  # a learner that gains less goes
SIDES = ("native", "without", "with")
STATES = ("warm", "cold")
QUICK_ROUNDS = 3


def anywhere(ranks: int) -> str:
    return ""


def with_a_cpu_each(ranks: int) -> str:
    """Why brief payloads are not handed over here; empty where they may be."""
    if ranks > launch.cpus():
        return f"{ranks} ranks share {launch.cpus()} CPUs"
    flags = Path("/proc/cpuinfo")
    return "" if flags.exists() and "cldemote" in flags.read_text() else "the processor has no CLDEMOTE"


def with_shared_cpus(ranks: int) -> str:
    return "" if ranks > launch.cpus() else f"{ranks} ranks have a CPU each"


def always(spec: str, size: int) -> bool:
    return True


def by_clock(spec: str, size: int) -> bool:
    """Whether a call goes one way or the other as the clock says."""
    return "copy=clock" in spec


def once(spec: str, size: int) -> bool:
    """Whether a call's blocks may be copied once."""
    border = re.search(r"single_copy=(\w+)", spec)
    return by_clock(spec, size) or bool(border and size >= parse_sizes(border[1])[0])


@dataclass(frozen=True)
class Learner:
    name: str  # as in TUTTI_LEARN
    cells: str  # that it may be for: COLLECTIVE:SIZE,SIZE ...
    quick: str
    states: tuple[str, ...] = STATES  # that decide; the others are measured beside them
    part: Callable[[str, int], bool] = always  # whether it has one in a call of that spec and size
    of_two: tuple[str, ...] = ()  # collectives in which it has none with more ranks
    idle: Callable[[int], str] = anywhere  # why it has nothing to do with so many ranks

    def loop_cells(self, of: mpi.Mpi, ranks: int, quick: bool) -> tuple[str, ...]:
        """As tools/loop.c reads them."""
        settings, _ = core.read_settings(environment={})
        shared = ranks > launch.cpus()
        selector = core.load().Selector(settings, ranks, 1, ranks, library=of.title, shares_cpus=shared)
        found = []
        for word in (self.quick if quick else self.cells).split():
            collective, _, sizes = word.partition(":")
            for size in parse_sizes(sizes) if sizes else [0]:
                choice = selector.choose(collective, size if sizes else -1, True)
                alone = ranks > 2 and collective in self.of_two
                if choice.kind == "node" and self.part(choice.text, size) and not alone:
                    found.append(f"{collective}:float:{size}")
        return tuple(found)


LONG = "bcast:{0} scatter:{0} gather:{0} allgather:{0} alltoall:{0} reduce:{0} allreduce:{0} reduce_scatter:{0}"
LEARNERS = (
    Learner(
        "stores",
        "bcast:4K,16K,128K scatter:4K,16K gather:4K,16K allgather:4K,16K alltoall:4K,16K reduce:16K,256K "
        "allreduce:16K,256K",
        "allgather:4K alltoall:16K",
    ),
    Learner(
        "brief",
        "bcast:128,512,2K scatter:128,512,2K gather:128,512,2K allgather:128,512,2K allreduce:128,512,2K",
        "bcast:512 allgather:512",
        idle=with_a_cpu_each,
    ),
    Learner(
        "landings",
        "bcast:1M,4M allgather:128K,512K,1M scatter:1M alltoall:128K,512K allreduce:1M,4M",
        "bcast:1M allgather:512K",
        states=("cold",),
    ),
    Learner("copies", LONG.format("32K,128K,512K,1M"), "bcast:128K alltoall:128K", part=by_clock),
    Learner(
        "joint",
        "bcast:64K,256K,1M scatter:64K,256K,1M gather:64K,256K,1M",
        "gather:256K scatter:256K",
        part=once,
        of_two=("bcast", "scatter"),
    ),
    Learner(
        "spread",
        "barrier bcast:8,4K,64K allreduce:8,4K,64K allgather:8,4K alltoall:8,4K reduce:8,64K gather:4K",
        "barrier allreduce:8",
        idle=with_shared_cpus,
    ),
)
NAMES = tuple(learner.name for learner in LEARNERS)


@dataclass
class Cell:
    """What a round of each side took, in us."""

    key: tables.Key
    native: list[float]
    without: list[float]
    with_: list[float]

    def ratios(self, of: str, to: str = "with_") -> list[float]:
        return [one / other for one, other in zip(getattr(self, of), getattr(self, to), strict=False)]


@dataclass
class Group:
    """One learner on one MPI, with so many ranks, in one state of the caches."""

    learner: Learner
    mpi: str
    ranks: int
    state: str
    cells: list[Cell]

    def counts(self) -> bool:
        return self.state in self.learner.states


def by_round(cells: Iterable[Cell], of: str, to: str = "with_") -> list[float]:
    """Of each round the geometric mean over all cells."""
    rounds = zip(*(cell.ratios(of, to) for cell in cells), strict=False)
    return [statistics.geometric_mean(values) for values in rounds]


def estimate(cells: Iterable[Cell], of: str, to: str = "with_") -> statistics.Estimate:
    return statistics.over_launches(by_round(cells, of, to))


def verdict(gain: statistics.Estimate) -> str:
    if gain.interval.low >= BAR:
        return "pays"
    return "goes" if gain.interval.high < BAR else "undecided"


def settings_of(side: str, learner: Learner, null: bool) -> tuple[tuple[str, str], ...]:
    kept = [name for name in NAMES if null or side != "without" or name != learner.name]
    return (("TUTTI_LEARN", "all" if len(kept) == len(NAMES) else ",".join(kept)),)


def rounds_of(loop: tables.Loop, learner: Learner, options: argparse.Namespace) -> Iterator[dict[str, dict]]:
    """What each side took in each round; natively in the first one alone where it is to be quick."""
    library = paths.library()
    for number in range(options.rounds):
        sides = SIDES[1:] if options.quick and number else SIDES
        shift = number % len(sides)
        times = {}
        for side in (*sides[shift:], *sides[:shift]):
            asked = replace(loop, settings=settings_of(side, learner, options.null))
            times[side] = asked.run(None if side == "native" else library)
        yield times


def measure(learner: Learner, of: mpi.Mpi, ranks: int, state: str, options: argparse.Namespace) -> Group | None:
    """From its file, where there is one; nothing where no cell is the learner's."""
    file = options.output / f"{learner.name}-{of.name}-{ranks}-{state}{'-null' if options.null else ''}.json"
    if file.exists():
        rows = json.loads(file.read_text())
        return Group(learner, of.name, ranks, state, [Cell(tables.Key(**row.pop("key")), **row) for row in rows])
    words = learner.loop_cells(of, ranks, options.quick)
    if not words:
        return None
    figure = "turn" if ranks > launch.cpus() else "own"
    found: dict[tables.Key, Cell] = {}
    with awake.kept():
        for times in rounds_of(tables.Loop(of, ranks, state, options.seconds, words), learner, options):
            for side, of_side in times.items():
                for key, time in of_side.items():
                    cell = found.setdefault(key, Cell(key, [], [], []))
                    getattr(cell, "with_" if side == "with" else side).append(getattr(time, figure))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([asdict(cell) for cell in found.values()]))
    return Group(learner, of.name, ranks, state, list(found.values()))


def ratio(of: statistics.Estimate) -> str:
    return f"{of.value:.2f} ({of.interval.low:.2f} to {of.interval.high:.2f})"


def extreme(cells: list[Cell], best: bool) -> str:
    """The cell that gains most, or least."""
    gains = [(statistics.geometric_mean(cell.ratios("without")), cell.key) for cell in cells]
    gain, key = max(gains) if best else min(gains)
    return f"{key.collective} {format_size(key.size)} {gain:.2f}"


def line(title: list[str], cells: list[Cell], end: str) -> str:
    native = [f"{statistics.geometric_mean(by_round(cells, 'native', to)):.2f}" for to in ("without", "with_")]
    words = [*title, str(len(cells)), *native, ratio(estimate(cells, "without"))]
    return f"| {' | '.join([*words, extreme(cells, True), extreme(cells, False), end])} |"


def table(groups: list[Group]) -> Iterator[str]:
    """A row a group, and one of all that count, with the verdict."""
    yield "| learner | MPI | ranks | caches | cells | native/without | native/with | gain | most | least | |"
    yield "|---" * 11 + "|"
    for learner in LEARNERS:
        mine = [group for group in groups if group.learner == learner]
        for group in mine:
            beside = "" if group.counts() else "beside"
            yield line([learner.name, group.mpi, str(group.ranks), group.state], group.cells, beside)
        counted = [cell for group in mine if group.counts() for cell in group.cells]
        if counted:
            yield line([f"**{learner.name}**", "", "", ""], counted, f"**{verdict(estimate(counted, 'without'))}**")


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learners", nargs="*", default=list(NAMES), help=f"of {', '.join(NAMES)} (default: all)")
    parser.add_argument("-n", "--ranks", type=int, nargs="*", default=[2, 8], help="on this node (default: 2 8)")
    parser.add_argument("--mpi", nargs="*", default=["mpich", "openmpi", "impi"], help="names or prefixes")
    parser.add_argument("--state", nargs="*", choices=STATES, help="of caches (default: both)")
    parser.add_argument("--rounds", type=int, help=f"of launches of each side (default: 7; quick: {QUICK_ROUNDS})")
    parser.add_argument("--seconds", type=float, help="about, for a cell of a launch (default: 0.1; quick: 0.03)")
    parser.add_argument("--quick", action="store_true", help="two cells a learner, in its first state alone")
    parser.add_argument("--null", action="store_true", help="nothing is left out")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="(default: ablation, or ablation-quick)")
    options = parser.parse_args()
    for name in options.learners:
        if name not in NAMES:
            raise UserError(f"there is no learner {name!r}{did_you_mean(name, NAMES) or ': ' + ', '.join(NAMES)}")
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else 7)
    options.seconds = options.seconds or (0.03 if options.quick else 0.1)
    options.output = options.output or Path("ablation-quick" if options.quick else "ablation")
    return options


def groups_of(options: argparse.Namespace) -> Iterator[Group]:
    """All that are asked for; why others have nothing to do is said once."""
    for learner in (learner for learner in LEARNERS if learner.name in options.learners):
        for ranks in options.ranks:
            if why := learner.idle(ranks):
                print(f"{learner.name}: nothing to do, as {why}", file=sys.stderr)
                continue
            for state in options.state or (learner.states[:1] if options.quick else STATES):
                for name in options.mpi:
                    group = measure(learner, mpi.find(name), ranks, state, options)
                    if not group:
                        continue
                    gain = ratio(estimate(group.cells, "without"))
                    print(f"{learner.name}, {name}, {ranks} ranks, {state}: {gain}", file=sys.stderr)
                    yield group


def main() -> int:
    os.environ.pop("LD_PRELOAD", None)
    try:
        for text in table(list(groups_of(options_of()))):
            print(text)
    except (UserError, ValueError) as error:
        print(f"ablation: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
