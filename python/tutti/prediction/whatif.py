"""How a time follows the machine: its derivatives by L, o, g and G, and what latency it tolerates."""

from __future__ import annotations

import copy
from typing import Any

from tutti.prediction import machines
from tutti.prediction.predicting import predict_one

# Of a parameter: times are straight lines between few corners, and are rounded to picoseconds for each message.
STEPS = {"L": 1e-4, "o": 1e-4, "g": 1e-4, "G": 1e-2}
FIELDS = {"L": ("latency",), "o": ("send", "receive"), "g": ("gap",), "G": ("per_byte",)}
COSTS = 0.01  # of the time, that an added latency may cost
DOUBLINGS, HALVINGS = 20, 30


def moved(machine: dict[str, Any], letter: str, by: float) -> dict[str, Any]:
    """With that parameter of the link that decides greater by so many seconds (or seconds a byte)."""
    changed = copy.deepcopy(machine)
    link = machines.link_name(machine)
    for field in FIELDS[letter]:
        changed[link][field] += by
    machines.scale_pieces(changed.get("pieces", {}).get(link, ()), machine[link], changed[link])
    return changed


def sensitivity(collective: str, spec: str, machine: dict[str, Any], size: int) -> dict[str, Any]:
    """dT/dL, dT/do, dT/dg (times), dT/dG (bytes), and the seconds of latency more that cost 1 %: None without end.

    Slopes to the right, by the simulator: what the longest path has of each parameter.
    """
    seconds = predict_one(collective, spec, machine, size).seconds
    link, found = machine[machines.link_name(machine)], {}
    for letter, fields in FIELDS.items():
        smallest = 1e-13 if letter == "G" else 1e-10
        step = max(STEPS[letter] * link[fields[0]], smallest)
        after = predict_one(collective, spec, moved(machine, letter, step), size).seconds
        found[f"dT_d{letter}"] = (after - seconds) / step
    return found | {"latency_for_1_percent": tolerance(collective, spec, machine, size, seconds)}


def tolerance(collective: str, spec: str, machine: dict[str, Any], size: int, seconds: float) -> float | None:
    """Seconds of L more that make it 1 % slower."""

    def slower(more: float) -> bool:
        return predict_one(collective, spec, moved(machine, "L", more), size).seconds > (1 + COSTS) * seconds

    high = COSTS * seconds / 64
    for _ in range(DOUBLINGS):
        if slower(high):
            break
        high *= 2
    else:
        return None
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if slower(middle) else (middle, high)
        if high - low < 0.01 * high:
            break
    return high
