"""Which candidates of a cell are worth a measurement: those that stand out, kin of the leader, those near the best.

The first ones are those with few messages, with few bytes and with few that wait for one another, as many as there is
time for.  Then the model judges what has not been measured; relatives of the one that leads (the same algorithm with
other parameters, senders or pieces, which the model hardly tells apart) are looked at whatever it says, and so are the
algorithms next to it with its senders and pieces.  Once all of that is settled and there is time left, the circle is
drawn wider.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutti import core
from tutti.tuning import deciding
from tutti.tuning.evidence import Cell, Gain
from tutti.tuning.layout import Layout
from tutti.tuning.model import Model, features, hops

WIDTH = 6  # candidates of a cell that are measured, beside those that the model could not judge
WIDER = 4  # by so many more, each time that all is settled
FACTOR = 3.0  # predicted times above the best one's by so much are not measured
FIRST = 3  # algorithms that are looked at before the model decides, if there is no time for more
SURE = 2  # launches of a leader before its kin are looked at
KIN = 2  # of which so many at a time
RIVALS = 3  # so many other algorithms get what the leader has
NEAR = math.log(1.3)  # unless they take that much longer
CLEAR = 1.1  # a prediction better than the best time by this is worth a look in any case


def family_and_options(parts: Mapping[str, Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Algorithms from the outside in, and every parameter with its value."""
    names, options = (parts["name"],), {f"{parts['name']}.{key}": str(value) for key, value in parts["options"].items()}
    for inside in parts["arguments"]:
        more, of = family_and_options(inside)
        names, options = names + more, options | of
    return names, options


def differing(own: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """Parameters that only one of two specs has, or that they have with other values."""
    return sum(own.get(key) != other.get(key) for key in own | other)


def kin(collective: str, leader: str, fresh: Sequence[str]) -> list[str]:
    """The leader's algorithm with other parameters, those first that differ in the fewest of them; after the first of
    these the same algorithm elsewhere: by nodes, in groups or flat, and with children served as they come."""
    family, own = family_and_options(core.load().spec_parts(leader, collective))
    found, elsewhere = [], []
    for spec in fresh:
        names, options = family_and_options(core.load().spec_parts(spec, collective))
        if names == family:
            found.append((differing(own, options), spec))
        elif tree(names) == tree(family):
            elsewhere.append((differing(own, options), spec))
    nearest, others = ([spec for _, spec in sorted(of, key=lambda item: item[0])] for of in (found, elsewhere))
    return [*nearest[:1], *others, *nearest[1:]]


def in_the_manner_of(collective: str, leader: str, rivals: Sequence[str], fresh: Sequence[str]) -> list[str]:
    """Of each rival's algorithm what has the leader's senders and pieces, with the rival's own parameters if possible;
    none where the leader has no more than one sender and no pieces."""
    known = core.load()
    manner = known.spec_parts(leader, collective)
    if not (manner["arguments"] and manner["options"]):
        return []
    found = []
    for rival in rivals:
        family, own = family_and_options(known.spec_parts(rival, collective))
        alike = []
        for spec in fresh:
            parts = known.spec_parts(spec, collective)
            names, options = family_and_options(parts)
            if names == family and parts["options"] == manner["options"]:
                alike.append((differing(own, options), spec))
        found += [spec for _, spec in sorted(alike)[:1]]
    return found


def rivals(collective: str, leader: str, measured: Mapping[str, Gain]) -> list[str]:
    """The best of each other algorithm that is near the leader, the nearest first."""
    of: dict[tuple[str, ...], str] = {}
    for spec in sorted(measured, key=lambda spec: -measured[spec].mean):
        of.setdefault(family_and_options(core.load().spec_parts(spec, collective))[0], spec)
    near = [spec for spec in of.values() if spec != leader and measured[leader].mean - measured[spec].mean <= NEAR]
    return near[:RIVALS]


def tree(family: Sequence[str]) -> str:
    """Who sends to whom, wherever, and in whatever order children are received from."""
    return family[-1].removesuffix("_by_arrival").removesuffix("_in_order")


def kind(spec: str) -> str:
    """Flat, in groups, or by nodes."""
    name = spec.partition("(")[0]
    return name if name in ("node", "groups") else "flat"


def weight(cell: Cell, spec: str, layout: Layout) -> tuple[float, float, float] | None:
    """(messages of a rank one after the other, bytes that a node moves for them, messages of which each waits for the
    one before); None where there is no schedule to count."""
    found, steps = features(cell.collective, spec, layout, cell.size), hops(cell.collective, spec, layout, cell.size)
    return None if found is None or steps is None else (found[1] + found[6], found[2] + found[3] + found[7], steps)


@functools.lru_cache(maxsize=1024)
def first(cell: Cell, layout: Layout, every: tuple[str, ...]) -> tuple[str, ...]:
    """Before anything is known: one of each kind, then the one with the fewest messages that wait for others, then of
    each algorithm the variant with the fewest messages and the one with the fewest bytes, in turns.  What is fast is on
    the border of these, whatever a message, a byte and a rank's waking up cost."""
    kinds = {kind(spec): spec for spec in reversed(every)}.values()
    weights = {spec: found for spec in every if (found := weight(cell, spec, layout))}

    def by(*order: int) -> list[str]:
        return sorted(weights, key=lambda spec: [weights[spec][i] for i in order])

    turns = itertools.chain.from_iterable(zip(by(0, 1, 2), by(1, 0, 2), strict=True))
    found: dict[tuple[str, ...], str] = {}
    for spec in (*kinds, *by(2, 0, 1)[:1], *turns):
        found.setdefault(family_and_options(core.load().spec_parts(spec, cell.collective))[0], spec)
    return tuple(found.values())


@dataclass
class Exploring:
    """`looks`: so many algorithms of a cell are measured before the model decides; `width`: so many by its word."""

    model: Model
    looks: int = FIRST
    width: int = WIDTH

    def promising(self, cell: Cell, every: Sequence[str], measured: Mapping[str, Gain], learnt: bool) -> list[str]:
        """In the order of promise: what was measured and not beaten, then what is worth a first look."""
        opening = [spec for spec in first(cell, self.model.layout, tuple(every))[: self.looks] if spec not in measured]
        if len(measured) < FIRST and not learnt:
            return [*measured, *opening]
        best = max((gain.mean for gain in measured.values()), default=0.0)
        hope = max(best - deciding.SLACK, deciding.WORTH)
        alive = [spec for spec, gain in measured.items() if gain.high >= hope]
        alive.sort(key=lambda spec: -measured[spec].mean)
        return list(dict.fromkeys([*alive, *opening, *self.new(cell, every, measured)]))

    def new(self, cell: Cell, every: Sequence[str], measured: Mapping[str, Gain]) -> list[str]:
        """Not yet measured, and predicted to be near the best, or akin to it; of what has no prediction, one."""
        fresh = [spec for spec in every if spec not in measured]
        room = max(0, self.looks - FIRST + self.width - len(measured))
        times = {spec: self.model.predict(cell.collective, spec, cell.size) for spec in fresh}
        judged = sorted((spec for spec in fresh if times[spec]), key=lambda spec: times[spec])
        best = min((gain.spec_us for gain in measured.values()), default=math.inf)
        least = min([*(times[spec] for spec in judged[:1]), best])
        good = [spec for spec in judged if times[spec] <= FACTOR * least]
        clear = [spec for spec in good if times[spec] < best / CLEAR][:2]
        unjudged = [spec for spec in fresh if not times[spec]][:1]
        return list(dict.fromkeys([*clear, *self.kin_of_leader(cell, fresh, measured), *good[:room], *unjudged]))

    def kin_of_leader(self, cell: Cell, fresh: Sequence[str], measured: Mapping[str, Gain]) -> list[str]:
        leader = max(measured, key=lambda spec: measured[spec].mean, default="")
        if not leader or measured[leader].launches < SURE or not deciding.better(measured[leader]):
            return []
        alike = in_the_manner_of(cell.collective, leader, rivals(cell.collective, leader, measured), fresh)
        return [*kin(cell.collective, leader, fresh)[:KIN], *alike]
