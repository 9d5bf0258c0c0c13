"""What a candidate takes, by what it asks of ranks, nodes and network: Hockney's model with terms of the node's own.

A candidate's time is a sum of terms with coefficients that are not negative.  The terms are counted on the schedules
themselves: messages, bytes and reductions on the longest path, and what leaves a node, since a node's ranks share its
link.  The coefficients are those of least relative error over the measurements there are, so that they follow the
layout and need no probes of another kind.  What the model is wrong by, the surrogate (surrogate.py) learns.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tutti import core
from tutti.tuning.layout import Layout

MOST_RANKS = 256  # whose schedules are counted; beyond, all candidates count as equal
BLOCK_A_RANK = ("allgather", "gather", "scatter", "reduce_scatter_block")


def node_bytes(collective: str, layout: Layout, size: int) -> tuple[int, int]:
    """(size of the call between nodes, bytes that pass through a node's memory)."""
    k, p = layout.per_node, layout.ranks
    if collective == "alltoall":
        return k * k * size, k * p * size
    if collective in BLOCK_A_RANK:
        return k * size, p * size
    return size, k * size


def counted(collective: str, spec: str, members: int, size: int) -> list[float] | None:
    """Rounds, bytes moved and bytes reduced on the critical path; None where it has no schedule of its own."""
    try:
        cost = core.load().schedule_cost(collective, spec, members, bytes=max(size, 0))
    except ValueError:
        return None
    return [cost.rounds, cost.moved, cost.reduced]


@functools.lru_cache(maxsize=1 << 14)
def traffic(collective: str, spec: str, members: int, size: int, per_node: int):
    """Between nodes of so many members each (core's Traffic); None where it has no schedule of its own."""
    try:
        return core.load().schedule_traffic(collective, spec, members, bytes=max(size, 0), per_node=per_node)
    except ValueError:
        return None


def as_text(parts: Mapping) -> str:
    inside = [as_text(part) for part in parts["arguments"]]
    inside += [
        f"{key}={value if not isinstance(value, dict) else as_text(value)}" for key, value in parts["options"].items()
    ]
    return parts["name"] + (f"({', '.join(inside)})" if inside else "")


class Terms(NamedTuple):
    """What a candidate's time is put together of."""

    call: float = 0.0  # 1 where ranks call as they are
    node_call: float = 0.0  # 1 where those of a node meet first
    rounds: float = 0.0  # messages one after the other
    hops: float = 0.0  # of which each waits for the one before
    crossings: float = 0.0  # of these, between nodes
    messages: float = 0.0  # through a node's link
    link: float = 0.0  # bytes in them
    moved: float = 0.0  # bytes in messages one after the other
    inside: float = 0.0  # bytes in messages that stay in a node
    memory: float = 0.0  # bytes through the shared memory of a node
    reduced: float = 0.0  # bytes combined one after the other


@functools.lru_cache(maxsize=1 << 16)
def features(collective: str, spec: str, layout: Layout, size: int) -> Terms | None:
    """None where there is no schedule to count."""
    if layout.ranks > MOST_RANKS or spec == "native":
        return None
    return by_nodes(collective, spec, layout, size) if spec.startswith("node") else flat(collective, spec, layout, size)


def flat(collective: str, spec: str, layout: Layout, size: int) -> Terms | None:
    cost = counted(collective, spec, layout.ranks, size)
    if cost is None:
        return None
    rounds, moved, reduced = cost
    hops = traffic(collective, spec, layout.ranks, size, 1).hops
    net = traffic(collective, spec, layout.ranks, size, layout.per_node)
    return Terms(call=1.0, rounds=rounds, hops=hops, crossings=net.hops, messages=net.messages, link=net.moved,
                 moved=moved, inside=net.inside, reduced=reduced)  # fmt: skip


def by_nodes(collective: str, spec: str, layout: Layout, size: int) -> Terms | None:
    parts = core.load().spec_parts(spec, collective)
    between, memory = node_bytes(collective, layout, size)
    if not parts["arguments"]:
        return Terms(node_call=1.0, memory=memory * (0.5 if "single_copy" in parts["options"] else 1.0))
    inner = parts["arguments"][0]
    cost = None if inner["name"] == "native" else counted(collective, as_text(inner), layout.nodes, between)
    if cost is None:
        return None
    rounds, moved, reduced = cost
    net, senders = traffic(collective, as_text(inner), layout.nodes, between, 1), parts["options"].get("senders", 1)
    return Terms(node_call=1.0, rounds=rounds * (0.5 + 0.5 * senders), hops=net.hops, crossings=net.hops,
                 messages=net.messages * senders, link=net.moved, moved=moved, memory=memory,
                 reduced=reduced / senders)  # fmt: skip


def fit(rows: Sequence[Sequence[float]], times: Sequence[float], rounds: int = 400) -> np.ndarray:
    """Coefficients that are not negative, of least relative error, by coordinate descent."""
    a = np.array(rows, dtype=float) / np.array(times, dtype=float)[:, None]
    scale = np.sqrt((a * a).sum(axis=0))
    scale[scale == 0] = 1.0
    a /= scale
    gram, target = a.T @ a, a.sum(axis=0)
    found = np.zeros(a.shape[1])
    for _ in range(rounds):
        for j in range(len(found)):
            if gram[j, j] > 0:
                found[j] = max(0.0, found[j] + (target[j] - gram[j] @ found) / gram[j, j])
    return found / scale


class Model:
    """Predictions for one layout; one model a collective, since none describes what others do to a node's memory."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self._known: dict[str, np.ndarray] = {}
        self._kinds: dict[str, set[bool]] = {}  # whether what was measured meets in nodes

    def learn(self, collective: str, measured: Mapping[tuple[str, int], float]) -> None:
        """From microseconds by (spec, size)."""
        rows, times = [], []
        for (spec, size), time in measured.items():
            found = features(collective, spec, self.layout, size)
            if found is not None and time > 0:
                rows.append(found)
                times.append(time)
        if len(rows) >= 4:
            self._known[collective] = fit(rows, times)
            self._kinds[collective] = {row.node_call > 0 for row in rows}

    def predict(self, collective: str, spec: str, size: int) -> float | None:
        """Microseconds; None where nothing is known of its kind."""
        found = features(collective, spec, self.layout, size)
        known = self._known.get(collective)
        if found is None or known is None or (found.node_call > 0) not in self._kinds[collective]:
            return None
        return float(np.dot(found, known)) or None
