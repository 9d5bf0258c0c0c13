"""Which rank runs on which node: one number a rank."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from cluster.errors import ClusterError

WAYS = "block, cyclic, random:SEED, uneven:4,1,7,4"


def whole_numbers(text: str) -> list[int]:
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        return []
    return numbers if min(numbers) >= 0 else []


def place(way: str, nodes: int, ranks: int | None = None, per_node: int | None = None) -> list[int]:
    """The node of each rank.  Ranks in all: `ranks`, else `per_node` on each node, else one; `uneven` says it itself.

    block:       the first ranks on the first node, `per_node` of them, else as evenly as it goes
    cyclic:      rank 0 on the first node, rank 1 on the second, ...
    random:SEED  a block placement, shuffled
    uneven:...   so many on each node, one after the other
    """
    name, _, rest = way.partition(":")
    if name == "uneven":
        return uneven(whole_numbers(rest), way, nodes, ranks)
    if (ranks is not None and ranks < 1) or (per_node is not None and per_node < 1):
        raise ClusterError("ranks, and ranks on a node, are at least 1")
    total = ranks or nodes * (per_node or 1)
    each = per_node or -(-total // nodes)
    if total > nodes * each:
        raise ClusterError(f"{total} ranks do not fit on {nodes} nodes with {each} each")
    if way == "block":
        return block(total, nodes, per_node)
    if way == "cyclic":
        return [rank % nodes for rank in range(total)]
    if name == "random" and (seed := whole_numbers(rest)) and len(seed) == 1:
        mixed = block(total, nodes, per_node)
        random.Random(seed[0]).shuffle(mixed)
        return mixed
    raise ClusterError(f"'{way}' is no placement: {WAYS}")


def block(ranks: int, nodes: int, per_node: int | None) -> list[int]:
    if per_node:
        return [rank // per_node for rank in range(ranks)]
    few, more = divmod(ranks, nodes)
    return [node for node in range(nodes) for _ in range(few + (node < more))]


def uneven(counts: Sequence[int], way: str, nodes: int, ranks: int | None) -> list[int]:
    if not counts or not sum(counts):
        raise ClusterError(f"'{way}' is no placement: uneven:4,1,7,4 puts so many ranks on each node")
    if len(counts) > nodes:
        raise ClusterError(f"'{way}' has {len(counts)} nodes, and the cluster {nodes}")
    if ranks not in (None, sum(counts)):
        raise ClusterError(f"'{way}' are {sum(counts)} ranks, not {ranks}: leave -n out")
    return [node for node, count in enumerate(counts) for _ in range(count)]


def runs(placed: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring ranks on one node, as (node, how many)."""
    return [(node, len(list(group))) for node, group in itertools.groupby(placed)]
