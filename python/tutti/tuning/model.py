"""Which candidates are worth measuring: Hockney's model with terms of the node's own, fitted to what was measured.

A candidate's time is a sum of its features with coefficients that are not negative: messages one after the other,
bytes that pass a link, bytes combined, what one call costs, and in nodes the meeting of their ranks and the bytes
that pass memory.  Rounds and bytes are counted on the schedules themselves (`tutti list -n`).  The coefficients are
those of least relative error over the measurements there are, so that they follow the layout and need no probes of
another kind; flat and hierarchical schedules have coefficients of their own.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

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
def hops(collective: str, spec: str, layout: Layout, size: int) -> float | None:
    """Messages on the longest path of which each waits for the one before; between the nodes of what has nodes in it.
    None where there is no schedule to count."""
    members = layout.ranks
    if layout.ranks > MOST_RANKS or spec == "native":
        return None
    if spec.startswith("node"):
        parts = core.load().spec_parts(spec, collective)
        if not parts["arguments"]:
            return 0.0
        spec, members = as_text(parts["arguments"][0]), layout.nodes
    try:
        return float(core.load().schedule_hops(collective, spec, members, bytes=max(size, 0)))
    except ValueError:
        return None


def as_text(parts: Mapping) -> str:
    inside = [as_text(part) for part in parts["arguments"]]
    inside += [
        f"{key}={value if not isinstance(value, dict) else as_text(value)}" for key, value in parts["options"].items()
    ]
    return parts["name"] + (f"({', '.join(inside)})" if inside else "")


@functools.lru_cache(maxsize=1 << 16)
def features(collective: str, spec: str, layout: Layout, size: int) -> tuple[float, ...] | None:
    """Flat: 1, rounds, moved, moved by all of a node, reduced; then the same for what has nodes in it, with memory."""
    none = (0.0,) * 5
    if layout.ranks > MOST_RANKS or spec == "native":
        return None
    if not spec.startswith("node"):
        cost = counted(collective, spec, layout.ranks, size)
        return None if cost is None else (1.0, cost[0], cost[1], cost[1] * (layout.per_node - 1), cost[2], *none)
    parts = core.load().spec_parts(spec, collective)
    between, memory = node_bytes(collective, layout, size)
    once = 0.5 if "single_copy" in parts["options"] else 1.0
    if not parts["arguments"]:
        return (*none, 1.0, 0.0, 0.0, once * memory, 0.0)
    inner = parts["arguments"][0]
    cost = None if inner["name"] == "native" else counted(collective, as_text(inner), layout.nodes, between)
    if cost is None:
        return None
    senders = parts["options"].get("senders", 1)
    return (*none, 1.0, cost[0] * (0.5 + 0.5 * senders), cost[1], memory, cost[2] / senders)


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

    def predict(self, collective: str, spec: str, size: int) -> float | None:
        """Microseconds; None where nothing is known of its kind."""
        found = features(collective, spec, self.layout, size)
        known = self._known.get(collective)
        if found is None or known is None:
            return None
        half = slice(0, 5) if any(found[:5]) else slice(5, 10)
        if not known[half].any():
            return None
        return float(np.dot(found, known)) or None
