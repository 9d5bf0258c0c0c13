"""From evidence to one spec for each size, the changeovers between them, and rules.

A candidate may serve a size where it is not shown to be slower than the best, and, against native, where it is shown
to be faster, and slower in no state of caches so far; or ahead of it, in doubt, where it serves neighbouring sizes.
Among these the row of sizes is chosen as a whole: every switch has a price, and so have doubt and what a spec asks of
its reader, so that within the noise a neighbour's choice and the simpler spec win.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tutti.results import statistics
from tutti.results.statistics import Interval
from tutti.tuning.candidates import complexity
from tutti.tuning.evidence import NATIVE, Cell, Gain, Gains

SWITCH = 0.03  # what a switch of specs costs, as a logarithm of time: less is not worth a rule
DOUBT = 0.04  # what a spec costs that is no faster than native; less, the nearer it is to being shown to be
SURE = 2.5  # errors that a gain must be above 0: the best of a score of candidates is so by luck, too
WORD = 0.002  # what each word of a spec costs
UNSIZED = ("barrier", "gatherv", "scatterv", "alltoallv", "alltoallw")  # no rule on their size can match
WORTH = math.log(statistics.FASTER)  # a gain below this counts as none
MATTERS = 0.05  # a gain that should not be missed
SLACK = -math.log(statistics.SLOWER)  # two specs within it count as the same


@dataclass(frozen=True)
class Chosen:
    """Of one size: the spec, what is known of it, and of the next best."""

    cell: Cell
    spec: str
    gain: Gain | None  # None: native
    runner_up: str = ""
    behind: float = 1.0  # the runner-up's time over the chosen one's
    rival: Gain | None = None  # of the runner-up


def better(gain: Gain) -> bool:
    """Shown to be faster than native, by what counts as faster on the whole, and slower in no state of caches: not even
    by what is known so far, since it is the candidate that has to prove itself."""
    return gain.mean > max(WORTH, SURE * gain.error) and not gain.behind_in


def doubt(gain: Gain) -> float:
    """What it costs to choose what is ahead of native (mean 0 or above) and not shown to be."""
    return DOUBT * max(0.0, 1.0 - gain.mean / max(WORTH, SURE * gain.error))


def open_question(gain: Gain) -> bool:
    """Ahead of native, not shown to be (or not in each state of caches), and perhaps by much."""
    return not (better(gain) or gain.slower_in) and gain.mean > 0 and gain.mean + gain.error > MATTERS


def admissible(of: Mapping[str, Gain]) -> dict[str, float]:
    """Specs that may serve, each with the logarithm of its time over the best one's (0 and above)."""
    shown = {spec: gain for spec, gain in of.items() if better(gain)}
    best = max((gain.mean for gain in shown.values()), default=0.0)
    leader = max(shown.values(), key=lambda gain: gain.mean, default=None)
    found = {}
    for spec, gain in shown.items():
        error = math.hypot(gain.error, leader.error) if leader and gain is not leader else 0.0
        if best - gain.mean <= max(SLACK, min(1.96 * error, 2 * SLACK)):
            found[spec] = best - gain.mean
    found = found or {NATIVE: 0.0}
    for spec, gain in of.items():
        if spec not in shown and not gain.behind_in and gain.mean >= 0 and best - gain.mean <= SLACK:
            found[spec] = max(0.0, best - gain.mean) + doubt(gain)
    return found


def runner_up(of: Mapping[str, Gain], spec: str) -> tuple[str, float]:
    """The next best of what might serve, native among it, and its time over the chosen one's.  Beside native the best
    of all that was tried: what kept it from serving may be one state of caches alone."""
    able = {name: gain for name, gain in of.items() if spec == NATIVE or not gain.slower_in}
    means = {name: gain.mean for name, gain in able.items()} | {NATIVE: 0.0}
    others = {name: mean for name, mean in means.items() if name != spec}
    if not others or spec not in means:
        return "", 1.0
    name = max(others, key=others.__getitem__)
    return name, math.exp(means[spec] - others[name])


def row_of(collective: str, known: Gains) -> list[Chosen]:
    """One spec for each measured size of a collective: the cheapest row of all."""
    cells = sorted(cell for cell in known if cell.collective == collective)
    paths: dict[str, tuple[float, list[str]]] = {}
    for cell in cells:
        allowed, after = admissible(known[cell]), {}
        for spec, loss in allowed.items():
            here = loss + WORD * complexity(spec)
            before = [(cost + (SWITCH if last != spec else 0.0), path) for last, (cost, path) in paths.items()]
            cost, path = min(before, key=lambda item: item[0], default=(0.0, []))
            after[spec] = (cost + here, [*path, spec])
        paths = after
    if not cells:
        return []
    _, specs = min(paths.values(), key=lambda item: item[0])
    found = []
    for cell, spec in zip(cells, specs, strict=True):
        name, behind = runner_up(known[cell], spec)
        found.append(Chosen(cell, spec, known[cell].get(spec), name, behind, known[cell].get(name)))
    return found


@dataclass(frozen=True)
class Changeover:
    """Where one spec takes over from another: about `size`, between `low` and `high` with 95 %."""

    collective: str
    before: str
    after: str
    size: float
    low: float
    high: float
    gain: float  # at the largest size still known: what the new spec is worth over the old one there


def difference(of: Mapping[str, Gain], before: str, after: str) -> tuple[float, float] | None:
    """Mean and error of the logarithm of `before`'s time over `after`'s; None where one was not measured."""
    nothing = Gain(0.0, 0.0, 0, 0.0, 0.0)
    one, other = (of.get(spec, nothing if spec == NATIVE else None) for spec in (before, after))
    if one is None or other is None:
        return None
    return other.mean - one.mean, math.hypot(one.error, other.error)


def crossing(below: float, above: float, first: float, last: float) -> float:
    """Where a line through both differences is 0, on a scale of logarithms; kept between the two sizes."""
    if above <= below:
        return math.sqrt(first * last)
    share = min(1.0, max(0.0, -below / (above - below)))
    return first * (last / first) ** share


def changeover(known: Gains, one: Chosen, other: Chosen, draws: int = 2000) -> Changeover | None:
    """Between neighbouring sizes of different specs; its interval from how sure the four gains are."""
    first, last = float(max(one.cell.size, 1)), float(other.cell.size)
    below = difference(known[one.cell], one.spec, other.spec)
    above = difference(known[other.cell], one.spec, other.spec)
    names = one.cell.collective, one.spec, other.spec
    if below is None or above is None:  # one of them could not serve the other's size
        return Changeover(*names, math.sqrt(first * last), first, last, 1.0)
    draw = random.Random(1)
    found = sorted(crossing(draw.gauss(*below), draw.gauss(*above), first, last) for _ in range(draws))
    middle = crossing(below[0], above[0], first, last)
    low, high = found[int(0.025 * draws)], found[int(0.975 * draws)]
    return Changeover(*names, middle, low, high, math.exp(above[0]))


def changeovers(known: Gains, row: Sequence[Chosen]) -> list[Changeover]:
    pairs = [(a, b) for a, b in itertools.pairwise(row) if a.spec != b.spec]
    return [found for one, other in pairs if (found := changeover(known, one, other))]


@dataclass(frozen=True)
class Rule:
    """What the profile says; `row` is the evidence."""

    collective: str
    spec: str
    size: str  # a range; "" for any size
    row: tuple[Chosen, ...]


def rules(known: Gains, row: Sequence[Chosen]) -> list[Rule]:
    """First match; a spec serves up to the changeover to the next one."""
    found: list[Rule] = []
    if not row:
        return found
    if row[0].cell.collective in UNSIZED:  # one spec for all sizes, then: the one that wins where all is added up
        return [Rule(row[0].cell.collective, unsized(known, row), "", tuple(row))]
    first, run = 0, [row[0]]
    for one, other in zip(row, [*row[1:], None], strict=False):
        if other is not None and other.spec == one.spec:
            run.append(other)
            continue
        border = (
            min(max(int(changeover(known, one, other).size), one.cell.size), other.cell.size - 1) if other else None
        )
        size = f"{first}:{'' if border is None else border}"
        found.append(Rule(one.cell.collective, one.spec, "" if size == "0:" else size, tuple(run)))
        if other is not None:
            first, run = border + 1, [other]
    return found


def unsized(known: Gains, row: Sequence[Chosen]) -> str:
    """The spec of most gain over all sizes among those that are shown slower than native at none."""
    sums: dict[str, float] = {NATIVE: 0.0}
    cells = [chosen.cell for chosen in row]
    for spec in set().union(*(known[cell] for cell in cells)):
        of = [known[cell].get(spec) for cell in cells]
        if all(gain is not None and gain.high > -SLACK and not gain.behind_in for gain in of) and any(
            better(gain) for gain in of if gain
        ):
            sums[spec] = sum(gain.mean for gain in of if gain) - WORD * complexity(spec)
    return max(sums, key=sums.__getitem__)


def interval_text(of: Interval) -> str:
    return f"{of.low:.2f} .. {of.high:.2f}"
