"""The specs that may serve a collective at a layout: all of the catalogue, in nodes and between them, and groups."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

from tutti import core
from tutti.options import format_size
from tutti.tuning.layout import Layout

SEGMENTS = (8 << 10, 32 << 10, 128 << 10)  # of which a vector must hold two at least
RADICES = (2, 4, 8)
WINDOWS = (4, 32)
OVERLAPS = (128 << 10, 512 << 10)  # of long vectors through the levels of a hierarchy
LONG = 64 << 10  # from here on several ranks of a node may pay as senders, and one copy instead of two
PIECES = ("bcast", "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
ONCE = 1 << 10  # one copy costs a system call, which no shorter block can pay for


def values(parameter, members: int, size: int) -> list[str]:
    """What a parameter is tried with, as a spec writes it."""
    if parameter.kind == "segment":
        return [format_size(value) for value in SEGMENTS if 2 * value <= size]
    ladder = {"k": RADICES, "window": WINDOWS}.get(parameter.name, (parameter.standard,))
    found = [value for value in ladder if parameter.least <= value <= parameter.most and value < max(members, 3)]
    return [str(value) for value in found]


def flat(collective: str, members: int, size: int) -> Iterator[str]:
    """Algorithms of the catalogue among so many; `by arrival` ones too."""
    for algorithm in core.load().catalogue():
        if algorithm.collective != collective or algorithm.obstacle(members):
            continue
        if not algorithm.parameters:
            yield algorithm.name
        for parameter in algorithm.parameters[:1]:
            for value in values(parameter, members, size):
                yield f"{algorithm.name}({parameter.name}={value})"


def in_nodes(collective: str, layout: Layout, size: int) -> Iterator[str]:
    """node(X): with one sender a node, or all; long vectors in shorter and longer pieces."""
    several = sorted({2, layout.per_node} & set(range(2, layout.per_node + 1)))
    several = several if size >= LONG // layout.per_node else []
    yield "node(native)"
    yield from (f"node(native, senders={senders})" for senders in several)
    for between in flat(collective, layout.nodes, size):
        yield f"node({between})"
        yield from (f"node({between}, senders={senders})" for senders in several)
        if several and collective in PIECES and size >= 2 * OVERLAPS[0]:
            yield f"node({between}, senders={layout.per_node}, overlap={format_size(OVERLAPS[1])})"


def groups(collective: str, layout: Layout) -> Iterator[str]:
    """About sqrt(p) groups, where groups are many enough to have two levels."""
    count = round(math.sqrt(layout.ranks))
    row = next((row for row in core.load().composed() if row["collective"] == collective), None)
    if row and count >= 4:
        for name in row["outer"]:
            if name in row["inner"]:
                yield f"groups({count}, {name})"


def serves(collective: str, spec: str, layout: Layout, size: int) -> bool:
    """Whether the library would take that spec there."""
    settings, _ = core.load().read_settings({f"TUTTI_{collective.upper()}": spec})
    selector = core.load().Selector(settings, layout.ranks, layout.nodes, layout.per_node)
    return selector.choose(collective, size).text == core.load().parse_spec(spec, collective)


@functools.lru_cache(maxsize=4096)
def candidates(collective: str, layout: Layout, size: int) -> tuple[str, ...]:
    """All specs but native, in the catalogue's order, each once and canonical."""
    wanted = list(flat(collective, layout.ranks, size)) + list(groups(collective, layout))
    if layout.nodes > 1:
        wanted += in_nodes(collective, layout, size)
    else:
        wanted += ["node", *(["node(single_copy=1)"] if size >= ONCE else [])]
    found = []
    for spec in wanted:
        try:
            text = core.load().parse_spec(spec, collective)
        except core.load().SpecError:  # `senders` and one copy are not for every collective
            continue
        if text not in found and serves(collective, text, layout, size):
            found.append(text)
    return tuple(found)


def complexity(spec: str) -> int:
    """How much a reader has to understand: the words and numbers of a spec.  Of equals the simpler one serves."""
    return 0 if spec == "native" else 1 + spec.count("(") + spec.count("=") + spec.count(",")
