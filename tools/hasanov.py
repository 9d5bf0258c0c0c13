"""What broadcasts in G groups cost by Hasanov, Quintin & Lastovetsky (equations as numbered there), in seconds.

p ranks, m bytes, X segments; a message of n bytes takes alpha + n beta.  One group is the algorithm as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    ranks: int
    bytes: int
    segments: int
    alpha: float  # seconds
    beta: float  # seconds a byte

    @property
    def message(self) -> float:
        return self.alpha + self.bytes * self.beta


def chain(call: Call, groups: int) -> float:
    """(8); for one group (2)."""
    return (groups + call.ranks / groups - 2) * call.message


def pipelined_chain(call: Call, groups: int) -> float:
    """(11); for one group (3)."""
    segment = call.alpha + call.bytes / call.segments * call.beta
    if groups == 1:
        return (call.segments + call.ranks - 2) * segment
    return (2 * call.segments + groups + call.ranks / groups - 4) * segment


def scatter_ring_allgather(call: Call, groups: int) -> float:
    """(12); for one group (5)."""
    rounds = math.log2(call.ranks) + groups + call.ranks / groups - 2
    return rounds * call.alpha + 2 * call.bytes * (2 - 1 / groups - groups / call.ranks) * call.beta


FORMULAS = {
    "chain": chain,
    "pipelined_chain": pipelined_chain,
    "scatter_ring_allgather": scatter_ring_allgather,
}


def best_groups(name: str, call: Call) -> float:
    """The number of groups that the paper names: sqrt(p) where that is faster than one group, which for
    scatter_ring_allgather is the condition (14), alpha/beta > 2 m/p, and for a pipeline few segments; else one."""
    root = math.sqrt(call.ranks)
    formula = FORMULAS[name]
    return root if formula(call, root) < formula(call, 1) else 1
