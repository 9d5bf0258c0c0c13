"""Which processors a node's processes may use: this machine's, all of them, or a share of its own.

On nodes that share them a rank moves to any processor that is free, also to one that another node's ranks left: from
launch to launch the same call meets other neighbours, and two algorithms' times go apart by a third.  With processors
of its own a node is what nodes are; where there are fewer than nodes, one serves every second or third of them.
"""

from __future__ import annotations

from collections.abc import Sequence

WAYS = ("shared", "own")


def share_of(node: int, nodes: int, processors: Sequence[int]) -> list[int]:
    """In order and as even as can be."""
    count = len(processors)
    if count < nodes:
        return [processors[node % count]]
    first, last = node * count // nodes, (node + 1) * count // nodes
    return list(processors[first:last])


def bound(words: Sequence[str], processors: Sequence[int]) -> list[str]:
    """The command on these processors; on any of them if none is named."""
    return [*(["taskset", "-c", ",".join(map(str, processors))] if processors else []), *words]
