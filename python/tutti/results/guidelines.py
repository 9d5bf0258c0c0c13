"""Performance guidelines: one collective must not be slower than others that do its work too.

Träff, Gropp & Thakur, "Self-consistent MPI performance guidelines" (TPDS 2010); Hunold & Carpen-Amarie, "Tuning MPI
collectives by verifying performance guidelines" (2018).  A guideline is violated where the ratio of the two sides is
above 1 by more than EFFECT, tested over launches (a median each) with Student's distribution of the logarithms, and the
tests of one variant are taken together by Holm's rule: the chance of one false report among all of them is below 5 %.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutti.errors import UserError
from tutti.options import format_size
from tutti.results import caches, statistics
from tutti.results.statistics import Estimate

# A side's terms one after the other.  Sizes as `tutti bench` counts them: s is the left side's; ps all ranks' blocks
# together; s/p one rank's part of a vector, rounded up.
TABLE = """
barrier               <= allreduce(8)
bcast                 <= scatter(s/p) + allgather(s/p)
gather                <= gatherv
gather                <= allgather
gather                <= reduce(ps)
scatter               <= scatterv
scatter               <= bcast(ps)
allgather             <= allgatherv
allgather             <= alltoall
allgather             <= allreduce(ps)
allgather             <= gather + bcast(ps)
alltoall              <= alltoallv
alltoallv             <= alltoallw
reduce                <= allreduce
reduce                <= reduce_scatter_block(s/p) + gather(s/p)
allreduce             <= reduce + bcast
allreduce             <= reduce_scatter_block(s/p) + allgather(s/p)
reduce_scatter_block  <= reduce_scatter(ps)
reduce_scatter_block  <= allreduce(ps)
reduce_scatter_block  <= reduce(ps) + scatter
reduce_scatter        <= allreduce
reduce_scatter        <= reduce + scatterv(s/p)
"""
EFFECT = 1.1  # a side may be longer by this factor before it counts
SIGNIFICANCE = 0.05  # of one false report among all tests of a variant
FEWEST = 3  # launches, below which nothing can be significant
SPLITS = 16  # a size at most so many times another is compared with that many calls of it
LARGEST = 1 << 26  # bytes: a side beyond that is left out

Side = tuple[tuple[str, int], ...]  # calls one after the other: collective, size
TimedCall = tuple[float, str]  # microseconds, and what served the call
Times = dict[tuple[str, str], dict[int, dict[int, dict[tuple[str, int], TimedCall]]]]


@dataclass(frozen=True)
class Guideline:
    """`left` must take no longer than `right`, `times` over; on so many ranks."""

    name: str
    ranks: int
    left: Side
    right: Side
    times: int = 1


@dataclass(frozen=True)
class Finding:
    """A guideline and one variant's times in one state of caches (microseconds, geometric means over the launches)."""

    guideline: Guideline
    variant: str
    cache: str
    left_us: float
    right_us: float
    ratio: Estimate  # left over right
    probability: float  # of what was seen, were the left side longer by EFFECT at most
    choice: str
    violated: bool = False

    def row(self) -> dict[str, Any]:
        return {
            "guideline": self.guideline.name,
            "ranks": self.guideline.ranks,
            "collective": self.guideline.left[0][0],
            "size": self.guideline.left[0][1],
            "cache": self.cache,
            "variant": self.variant,
            "left_us": self.left_us,
            "right_us": self.right_us,
            "ratio": self.ratio.value,
            "ratio_low": self.ratio.interval.low,
            "ratio_high": self.ratio.interval.high,
            "launches": self.ratio.launches,
            "probability": self.probability,
            "choice": self.choice,
            "violated": self.violated,
        }


def term(text: str, size: int, ranks: int) -> tuple[str, int]:
    name, of = re.fullmatch(r"(\w+)(?:\((.+)\))?", text.strip()).groups()
    sizes = {None: size, "ps": ranks * size, "s/p": -(-size // ranks)}
    return name, 0 if name == "barrier" else sizes[of] if of in sizes else int(of)


def written(side: Side, times: int = 1) -> str:
    calls = " + ".join(name if name == "barrier" else f"{name}({format_size(size)})" for name, size in side)
    return f"{times} {calls}" if times > 1 else calls


def guideline(ranks: int, left: Side, right: Side, times: int = 1) -> Guideline:
    return Guideline(f"{written(left)} <= {written(right, times)}", ranks, left, right, times)


def guidelines(collectives: Sequence[str], sizes: Sequence[int], ranks: int) -> list[Guideline]:
    """All about these collectives, at these sizes; also that a larger call takes no less than a smaller one, and no
    more than the smaller one as often as it takes."""
    found = []
    for line in TABLE.strip().splitlines():
        left, right = line.split("<=")
        if left.strip() not in collectives:
            continue
        for size in sizes if left.strip() != "barrier" else [0]:
            sides = [tuple(term(text, size, ranks) for text in side.split("+")) for side in (left, right)]
            found.append(guideline(ranks, *sides))
    for name in collectives:
        for small, large in itertools.pairwise(sizes) if name != "barrier" else []:
            found.append(guideline(ranks, ((name, small),), ((name, large),)))
            times = -(-large // small) if small else 0
            if 1 < times <= SPLITS:
                found.append(guideline(ranks, ((name, large),), ((name, small),), times))
    return [each for each in found if all(size <= LARGEST for _, size in each.left + each.right)]


def covered() -> list[str]:
    """Collectives that some guideline is about, and those whose sizes are compared with each other."""
    return list(dict.fromkeys(re.findall(r"^(\w+)", TABLE, re.MULTILINE)))


def cases(wanted: Iterable[Guideline]) -> list[tuple[str, int]]:
    """What must be measured: each call once."""
    return list(dict.fromkeys(call for each in wanted for call in each.left + each.right))


def upper_tail(ratios: Sequence[float]) -> float:
    """Probability of such ratios, or larger ones, were they EFFECT in truth (Student, one-sided, of logarithms)."""
    logs = [math.log(ratio / EFFECT) for ratio in ratios]
    mean = math.fsum(logs) / len(logs)
    if len(logs) < FEWEST:
        return 1.0
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in logs) / (len(logs) - 1) / len(logs))
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return 1 - statistics.t_cdf(mean / error, len(logs) - 1)


def holm(probabilities: Sequence[float]) -> list[bool]:
    """Which tests are significant together."""
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    significant = [False] * len(probabilities)
    for place, number in enumerate(order):
        if probabilities[number] > SIGNIFICANCE / (len(order) - place):
            break
        significant[number] = True
    return significant


def time_of(side: Side, launch: Mapping[tuple[str, int], TimedCall]) -> float | None:
    """One after the other they take no longer than each by itself; None where one was not measured."""
    known = [launch[call][0] for call in side if call in launch]
    return math.fsum(known) if len(known) == len(side) else None


def check(wanted: Sequence[Guideline], results: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """Every guideline of every variant in every state of caches that was measured in at least two launches.  Raises
    UserError for one launch."""
    times = times_of(results)
    if not any(len(launches) > 1 for by_ranks in times.values() for launches in by_ranks.values()):
        raise UserError("guidelines need several launches: --launches 5")
    found = []
    for variant in dict.fromkeys(variant for variant, _ in times):
        findings = [
            one
            for state in dict.fromkeys(state for name, state in times if name == variant)
            for each in wanted
            if (one := finding(each, variant, state, times[variant, state].get(each.ranks, {})))
        ]
        marks = holm([one.probability for one in findings])
        found += [Finding(**one.__dict__ | {"violated": mark}) for one, mark in zip(findings, marks, strict=True)]
    return found


def times_of(results: Iterable[Mapping[str, Any]]) -> Times:
    """By variant and state, ranks, launch and call.  What has no buffers is in every state."""
    times: Times = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    listed = [row for row in results if row.get("median_us", 0) > 0 and not row.get("arrival")]
    states = caches.ordered(caches.of(row) for row in listed) or [caches.COLD]
    for row in listed:
        for state in [caches.of(row)] if caches.of(row) else states:
            of_launch = times[row["variant"], state][row["ranks"]][row["launch"]]
            of_launch[row["collective"], row["size"]] = row["median_us"], row.get("choice", "")
    return times


def finding(each: Guideline, variant: str, state: str, launches: Mapping[int, Mapping]) -> Finding | None:
    """None where fewer than two launches have both sides."""
    sides = [(time_of(each.left, launch), time_of(each.right, launch)) for launch in launches.values()]
    pairs = [(one, each.times * other) for one, other in sides if one and other]
    if len(pairs) < 2:
        return None
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    ratios = [one / other for one, other in pairs]
    means = (statistics.geometric_mean(left), statistics.geometric_mean(right))
    choice = next(of[each.left[0]][1] for of in launches.values() if each.left[0] in of)
    return Finding(each, variant, state, *means, statistics.over_launches(ratios), upper_tail(ratios), choice)
