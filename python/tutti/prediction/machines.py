"""Machines for predictions: intervals of parameters, pieces of Hockney's model, and `--what-if latency=0.5x`."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tutti import core
from tutti.errors import UserError, did_you_mean

LINKS = ("between", "within")
# Word of --what-if -> (fields of a link, whether so many times more of it is a smaller value).
CHANGES = {
    "latency": (("latency",), False),
    "overhead": (("send", "receive"), False),
    "gap": (("gap",), False),
    "bandwidth": (("per_byte",), True),
}


def link_name(machine: Mapping[str, Any]) -> str:
    """The link that decides: between nodes, where there are several."""
    return "between" if machine["nodes"] > 1 else "within"


def check(machine: Mapping[str, Any]) -> None:
    """Raises UserError where messages would be for nothing."""
    link = machine[link_name(machine)]
    if not (link["latency"] or link["send"] or link["per_byte"]):
        raise UserError(
            f"machine {machine['name']}: messages {'between nodes' if machine['nodes'] > 1 else 'in a node'} take no "
            f"time: give [{link_name(machine)}] latency and bandwidth, or --set {link_name(machine)}.latency=1us"
        )


def scaled(machine: dict[str, Any], changes: Iterable[str]) -> dict[str, Any]:
    """With each of `bandwidth=10x` applied, to the link between nodes unless it says within.bandwidth=10x."""
    changed = copy.deepcopy(machine)
    for change in changes:
        name, _, value = change.replace(" ", "").partition("=")
        link, dot, word = name.rpartition(".")
        link = link if dot else link_name(machine)
        if link not in LINKS or word not in CHANGES:
            hint = did_you_mean(word, CHANGES) or f" ({', '.join(CHANGES)}, or within.latency and so on)"
            raise UserError(f"--what-if {change}: nothing is called {name}{hint}")
        found = re.fullmatch(r"([0-9]*\.?[0-9]+)x", value)
        if not found or not float(found[1]) > 0:
            raise UserError(f"--what-if {change}: write so many times, such as {name}=10x or {name}=0.5x")
        fields, inverse = CHANGES[word]
        factor = 1 / float(found[1]) if inverse else float(found[1])
        for field in fields:
            changed[link][field] *= factor
    for link in LINKS:
        scale_pieces(changed.get("pieces", {}).get(link, ()), machine[link], changed[link])
    return changed


def scale_pieces(pieces: Iterable[dict[str, Any]], before: Mapping[str, float], after: Mapping[str, float]) -> None:
    """α changes by what L and o have changed by, β by the factor of G."""
    added = sum(after[field] - before[field] for field in ("latency", "send", "receive"))
    factor = after["per_byte"] / before["per_byte"] if before["per_byte"] else 1.0
    for piece in pieces:
        piece["latency"] = max(0.0, piece["latency"] + added)
        piece["per_byte"] *= factor


def at_end(machine: dict[str, Any], end: int) -> dict[str, Any]:
    """With every parameter at that end of its interval: 0 where it is fastest, 1 where it is slowest."""
    changed = copy.deepcopy(machine)
    for name, bounds in machine.get("interval", {}).items():
        table, _, field = name.rpartition(".")
        place = changed[table] if table else changed
        place[field] = sorted(bounds)[end]
    for link in LINKS:
        scale_pieces(changed.get("pieces", {}).get(link, ()), machine[link], changed[link])
    return changed


def message_time(machine: Mapping[str, Any], link: str, size: float) -> float:
    """Seconds of one message: by the pieces that were measured, where the machine has them, else by LogGOPS."""
    pieces = machine.get("pieces", {}).get(link)
    if pieces:
        return core.load().hockney_time(pieces, round(size))
    return core.load().message_time(machine[link], round(size))


def at_size(machine: dict[str, Any], size: float) -> dict[str, Any]:
    """For the simulator: LogGOPS as the piece has it that holds for messages of that size."""
    if not any(machine.get("pieces", {}).values()):
        return machine
    changed = copy.deepcopy(machine)
    for link, pieces in machine["pieces"].items():
        piece = next((each for each in reversed(pieces) if each["from"] <= size), pieces[0])
        overheads = changed[link]["send"] + changed[link]["receive"]
        share = min(1.0, piece["latency"] / overheads) if overheads else 1.0
        changed[link] |= {
            "latency": max(0.0, piece["latency"] - overheads),
            "send": changed[link]["send"] * share,
            "receive": changed[link]["receive"] * share,
            "per_byte": piece["per_byte"],
            "overhead_per_byte": 0.0,
            "rendezvous": 2**63 - 1,  # what it costs is in the piece
        }
    return changed
