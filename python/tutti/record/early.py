"""Which part of the waits for late ranks a call's meaning does not ask for: early reduce, late broadcast."""

from __future__ import annotations

import numpy as np

from tutti import core

NOBODY, ROOT, EARLIER, ALL = "nobody", "root", "earlier", "all"  # as the contract has them


def awaited(collective: str, root: int, ranks: int, size: int) -> list[str]:
    """Of each rank, whose arrival it needs (src/core/contract.hpp).  Of a call with a root that is not known, such as
    between two groups, everybody's: no wait is called avoidable that may be needed."""
    if size == 0 and collective != "barrier":
        return [NOBODY] * ranks
    ask = core.load().awaited
    found = [ask(collective, rank, root) for rank in range(ranks)]
    return found if root >= 0 or found == [ask(collective, rank, 0) for rank in range(ranks)] else [ALL] * ranks


def ready(begin: np.ndarray, collective: str, root: int, size: int) -> np.ndarray:
    """When the last of those has come that a rank needs; `begin`: calls by ranks."""
    whom = np.array(awaited(collective, root, begin.shape[1], size))
    of_root = np.maximum(begin, begin[:, [max(root, 0)]])
    earlier, last = np.maximum.accumulate(begin, axis=1), np.broadcast_to(begin.max(axis=1, keepdims=True), begin.shape)
    return np.select([whom == NOBODY, whom == ROOT, whom == EARLIER], [begin, of_root, earlier], last)


def avoidable(
    begin: np.ndarray, end: np.ndarray, instance: np.ndarray, place: np.ndarray, kinds: np.ndarray
) -> np.ndarray:
    """Of each rank's part in a call the time after it was ready and before the last rank came.

    `instance` numbers the calls, all of whose ranks are there; `kinds`: (collective, root, size) of each part, as
    rank 0 of the communicator noted it.
    """
    found = np.zeros(len(begin))
    order = np.lexsort((place, instance))
    _, first, count = np.unique(instance[order], return_index=True, return_counts=True)
    groups: dict[tuple, list[int]] = {}
    for start, ranks in zip(first, count, strict=True):
        groups.setdefault((int(ranks), *kinds[order[start]]), []).append(int(start))
    for (ranks, collective, root, size), starts in groups.items():
        rows = order[np.array(starts)[:, None] + np.arange(ranks)]
        came, left = begin[rows], end[rows]
        until = np.minimum(left, came.max(axis=1, keepdims=True))
        found[rows] = np.maximum(0, until - ready(came, collective, int(root), int(size)))
    return found
