"""By formula: T = rounds α + bytes β + reductions γ, with phases in the nodes for node(INTER, senders=k)."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutti import core
from tutti.prediction import machines

VECTORS = ("bcast", "reduce", "allreduce")  # which pass through nodes in pieces
ONE_VECTOR = (*VECTORS, "scan", "exscan")
OVERLAP = 128 << 10  # of a piece, where the spec does not say


@dataclass(frozen=True)
class Parts:
    """What a candidate's messages come to, on the longest path."""

    rounds: float
    moved: float
    reduced: float
    link: str  # between or within
    sharing: int = 1  # ranks of a node that may send at a time
    fixed: float = 0.0  # seconds in the nodes
    times: int = 1  # pieces, one after the other

    @property
    def message(self) -> float:
        """Mean bytes of one."""
        return self.moved / self.rounds if self.rounds else 0.0


@functools.lru_cache(maxsize=1 << 16)
def cost(collective: str, spec: str, ranks: int, size: int) -> tuple[float, float, float]:
    return core.load().formula_cost(collective, spec, ranks, size)


@functools.lru_cache(maxsize=1 << 14)
def split(collective: str, spec: str) -> tuple[str, int, int] | None:
    """(INTER, senders, overlap) of node(INTER, …); None where it is no such spec."""
    parts = core.load().spec_parts(spec, collective)
    if parts["name"] != "node" or not parts["arguments"]:
        return None
    options = parts["options"]
    return text_of(parts["arguments"][0]), options.get("senders", 1), options.get("overlap", OVERLAP)


def text_of(parts: Mapping[str, Any]) -> str:
    inside = [text_of(each) for each in parts["arguments"]]
    inside += [f"{name}={text_of(v) if isinstance(v, dict) else v}" for name, v in parts["options"].items()]
    return parts["name"] + (f"({', '.join(inside)})" if inside else "")


def parts_of(collective: str, spec: str, machine: Mapping[str, Any], size: int) -> Parts:
    """Raises ValueError where the spec has no formula: native, or what the collective does not have."""
    nodes, per_node = machine["nodes"], machine["per_node"]
    ranks = nodes * per_node
    if spec == "node" or spec.startswith("node("):
        return in_nodes(collective, spec, machine, size)
    rounds, moved, reduced = cost(collective, spec, ranks, size)
    return Parts(rounds, moved, reduced, "between" if nodes > 1 else "within", per_node if nodes > 1 else 1)


def in_nodes(collective: str, spec: str, machine: Mapping[str, Any], size: int) -> Parts:
    nodes, per_node = machine["nodes"], machine["per_node"]
    found = split(collective, spec)
    block = -(-size // (nodes * per_node)) if collective == "reduce_scatter" else size
    if found is None:
        if nodes > 1:
            raise ValueError(f"{spec}: ranks are on several nodes")
        return Parts(0, 0, 0, "within", fixed=sum(core.load().node_phases(collective, machine, 1, block)))
    inter, senders, overlap = found
    if inter == "native":
        raise ValueError(f"{spec}: the MPI's own messages are not known")
    pieces = max(1, math.ceil(size / overlap)) if collective in VECTORS else 1
    piece = min(block, overlap) if collective in VECTORS else block
    crew = -(-per_node // senders)
    if collective in ONE_VECTOR:
        between = -(-piece // senders)
    else:
        between = crew * per_node * piece if collective == "alltoall" else crew * piece
    what = {"scan": "exscan", "reduce_scatter": "reduce_scatter_block"}.get(collective, collective)
    rounds, moved, reduced = cost(what, exclusive(inter) if collective == "scan" else inter, nodes, between)
    phases = sum(core.load().node_phases(collective, machine, senders, piece))
    return Parts(rounds, moved, reduced, "between", senders, phases, pieces)


def exclusive(inter: str) -> str:
    """A scan between nodes is an exscan of that name, where there is one."""
    known = [each.name for each in core.load().catalogue() if each.collective == "exscan"]
    return inter if inter.partition("(")[0] in known else "recursive_doubling"


@dataclass(frozen=True)
class Estimate:
    seconds: float
    low: float
    high: float


def one_after_the_other(parts: Parts, machine: Mapping[str, Any]) -> float:
    """Each message waits for the one before (Hockney)."""
    message = machines.message_time(machine, parts.link, parts.message) if parts.rounds else 0.0
    one = parts.rounds * message + parts.reduced * machine["reduce_per_byte"] + parts.fixed
    return parts.times * one


def sharing_cards(parts: Parts, machine: Mapping[str, Any]) -> float:
    """All senders of a node at a time, through its cards (max-rate)."""
    if not parts.rounds or parts.sharing <= machine["cards"]:
        return one_after_the_other(parts, machine)
    link = machine[parts.link]
    message = machines.message_time(machine, parts.link, parts.message)
    alone = message - parts.message * link["per_byte"]
    shared = core.load().max_rate_time(
        max(0.0, alone), link["per_byte"], link["per_byte"] / machine["cards"], round(parts.message), parts.sharing
    )
    one = parts.rounds * shared + parts.reduced * machine["reduce_per_byte"] + parts.fixed
    return parts.times * one


def at_best(parts: Parts, machine: Mapping[str, Any]) -> float:
    """No message waits for another: each rank sends as fast as it can (LogGP), all within nodes where some are."""
    if not parts.rounds:
        return parts.times * (parts.fixed + parts.reduced * machine["reduce_per_byte"])
    links = [parts.link] + (["within"] if parts.link == "between" and parts.sharing > 1 else [])
    first = min(machines.message_time(machine, link, parts.message) for link in links)
    following = min(core.load().message_interval(machine[link], round(parts.message)) for link in links)
    one = first + max(0.0, parts.rounds - 1) * min(first, following)
    return parts.times * (one + parts.reduced * machine["reduce_per_byte"] + parts.fixed)


def estimate(collective: str, spec: str, machine: dict[str, Any], size: int) -> Estimate:
    """The time as formulas have it, and what it lies between: no message waiting for another, all senders of a node
    sharing its cards; each with the parameters at the end of their intervals.  Raises ValueError."""
    parts = parts_of(collective, spec, machine, size)
    fast, slow = (machines.at_end(machine, end) for end in (0, 1)) if machine.get("interval") else (machine, machine)
    fast_parts = parts if fast is machine else parts_of(collective, spec, fast, size)
    slow_parts = parts if slow is machine else parts_of(collective, spec, slow, size)
    seconds = one_after_the_other(parts, machine)
    low, high = at_best(fast_parts, fast), sharing_cards(slow_parts, slow)
    return Estimate(seconds, min(low, seconds), max(high, seconds))
