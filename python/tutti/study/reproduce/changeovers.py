"""Chapter 6 of Hamid's thesis: at which sizes one algorithm takes over from another, on networks and numbers of ranks a
node, beside the sizes that MPICH and Thakur & Gropp (2002) fixed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutti.options import format_size
from tutti.report.measured import Cell, Measurement, Time
from tutti.results.comparison import key_of
from tutti.results.statistics import Interval
from tutti.tuning import deciding
from tutti.tuning.deciding import Chosen
from tutti.tuning.evidence import NATIVE, Gain, Gains
from tutti.tuning.evidence import Cell as Place
from tutti.tuning.layout import Layout

SIZES = tuple(64 << 2 * step for step in range(8))  # bytes: 64 to 1 MiB
PER_NODE = (1, 2, 4)
# MPICH's algorithms for each collective: as the catalogue calls them, and as a figure does.
ALGORITHMS: dict[str, dict[str, str]] = {
    "bcast": {
        "binomial": "binomial", "scatter_recursive_doubling_allgather": "s&dbl",
        "scatter_ring_allgather": "s&ring",
    },
    "alltoall": {"bruck": "bruck", "staggered": "isend", "pairwise": "pairwise"},
    "reduce_scatter": {"recursive_doubling": "doubling", "recursive_halving": "halving", "pairwise": "pairwise"},
    "allgather": {"recursive_doubling": "doubling", "bruck": "bruck", "ring": "ring"},
    "reduce": {"binomial": "binomial", "rabenseifner": "rabensf."},
    "allreduce": {"recursive_doubling": "doubling", "rabenseifner": "rabensf."},
}  # fmt: skip
# As with ranks that spin for a core that others need.
TOO_LITTLE = "too little in the time there was: --minutes gives more"
Switches = list[tuple[int, str]]  # from so many bytes on, that algorithm


def mpich(collective: str, ranks: int) -> Switches:
    """MPICH's defaults (MPIR_CVAR_BCAST_SHORT_MSG_SIZE and so on), in the sizes of `tutti bench`: a rank's block of an
    allgather, the whole vector of a reduce_scatter."""
    power = ranks & (ranks - 1) == 0
    if collective == "bcast":
        if ranks < 8:
            return [(0, "binomial")]
        middle: Switches = [(12288, "scatter_recursive_doubling_allgather")] if power else []
        return [(0, "binomial"), *middle, (524288 if power else 12288, "scatter_ring_allgather")]
    if collective == "allgather":
        if power:
            return [(0, "recursive_doubling"), (-(-524288 // ranks), "ring")]
        return [(0, "bruck"), (-(-81920 // ranks), "ring")]
    return {
        "alltoall": [(0, "bruck"), (257, "staggered"), (32769, "pairwise")] if ranks >= 8 else
                    [(0, "staggered"), (32769, "pairwise")],
        "reduce_scatter": [(0, "recursive_halving"), (524288, "pairwise")],
        "reduce": [(0, "binomial"), (2049, "rabenseifner")],
        "allreduce": [(0, "recursive_doubling"), (2049, "rabenseifner")],
    }[collective]  # fmt: skip


def thakur_gropp(collective: str, ranks: int) -> Switches:
    """As far as their paper of 2002 gives sizes."""
    if collective == "bcast" and ranks >= 8:
        return [(0, "binomial"), (12288, "scatter_recursive_doubling_allgather")]
    if collective == "reduce_scatter" and ranks <= 32:
        return [(0, "recursive_doubling"), (512, "pairwise")]
    return []


def at(switches: Switches, size: int) -> str:
    return next(spec for first, spec in reversed(switches) if size >= first)


def text_of(collective: str, switches: Switches) -> str:
    """binomial, from 12K s&dbl."""
    names = ALGORITHMS[collective]
    return ", ".join(f"from {format_size(first)} {names[spec]}" if first else names[spec] for first, spec in switches)


def best_row(known: Gains, collective: str) -> list[Chosen]:
    """The fastest at each size where there are two to choose from; a neighbour's, where the difference is none."""
    row: list[Chosen] = []
    for cell in sorted(cell for cell in known if cell.collective == collective):
        of = {spec: gain for spec, gain in known[cell].items() if spec in ALGORITHMS[collective]}
        if len(of) < 2:
            continue
        best = max(of, key=lambda spec: of[spec].mean)
        if row and row[-1].spec in of and of[best].mean - of[row[-1].spec].mean <= deciding.SLACK:
            best = row[-1].spec
        row.append(Chosen(cell, best, of[best]))
    return row


@dataclass(frozen=True)
class Found:
    """One collective on one layout."""

    layout: Layout
    collective: str
    measured: str  # the switches, with their intervals
    gain: float  # of the fastest over MPICH's fixed choice, where it is largest
    gain_at: int


def about(size: float) -> str:
    """Three figures."""
    if size < 1024:
        return format_size(round(size))
    return f"{size / 1024:.3g}K" if size < 1000 * 1024 else f"{size / 1024**2:.3g}M"


def interval(change: deciding.Changeover) -> str:
    low, size, high = map(about, (change.low, change.size, change.high))
    return f"from {size} ({low} to {high})"


def found(known: Gains, layout: Layout, collective: str) -> Found | None:
    row = best_row(known, collective)
    if not row:
        some = any(cell.collective == collective for cell in known)
        return Found(layout, collective, TOO_LITTLE, 1.0, 0) if some else None
    names, fixed = ALGORITHMS[collective], mpich(collective, layout.ranks)
    words = [names[row[0].spec]]
    words += [f"{interval(change)} {names[change.after]}" for change in deciding.changeovers(known, row)]
    gains = {
        one.cell.size: math.exp(one.gain.mean - beside.mean)
        for one in row
        if one.gain and (beside := known[one.cell].get(at(fixed, one.cell.size)))
    }
    most = max(gains, key=gains.__getitem__, default=0)
    return Found(layout, collective, ", ".join(words), gains.get(most, 1.0), most)


def time(us: float, error: float) -> Time:
    spread = math.exp(1.96 * error)
    return Time(us, Interval(us / spread, us * spread), {})


def measured(known: Gains, layout: Layout, collective: str) -> Measurement:
    """Its algorithms as variants of a measurement, which figures can be drawn of."""
    cells = [drawn(place, of, layout) for place, of in sorted(known.items()) if place.collective == collective]
    return Measurement(collective, NATIVE, [NATIVE, *ALGORITHMS[collective].values()], [], cells)


def drawn(place: Place, of: dict[str, Gain], layout: Layout) -> Cell:
    names = ALGORITHMS[place.collective]
    native = next(iter(of.values()))
    times = {NATIVE: time(native.native_us, native.error)}
    times |= {names[spec]: time(gain.spec_us, gain.error) for spec, gain in of.items() if spec in names}
    key = key_of({"ranks": layout.ranks, "collective": place.collective, "size": place.size})
    return Cell(key, times, {}, 0, 0)


def layouts(nodes: int, per_node: Sequence[int] = PER_NODE) -> Iterator[Layout]:
    for count in per_node:
        yield Layout(nodes * count, nodes, count)


def allowed() -> dict[Place, list[str]]:
    """Every cell, and the algorithms that are tried there."""
    return {Place(name, size): list(specs) for name, specs in ALGORITHMS.items() for size in SIZES}
