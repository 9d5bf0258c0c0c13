"""The machine file that a calibration writes: TOML that tutti simulate, tutti predict and people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutti.calibration.fitting import Link
from tutti.results.statistics import Estimate
from tutti.tuning.profile import text


@dataclass(frozen=True)
class Calibrated:
    name: str
    because: str
    nodes: int
    per_node: int
    cards: int
    links: dict[str, Link]  # within, and between where there are several nodes
    copy: Estimate | None  # seconds a byte
    reduce: Estimate | None


def time(seconds: float) -> str:
    return f"{1e6 * seconds:.4g}us"


def rate(per_byte: float) -> str:
    return f"{1e-9 / per_byte:.4g}GB/s" if per_byte > 0 else "unlimited"


def parameters(of: Calibrated) -> Iterator[tuple[str, Estimate, bool]]:
    """(field, value, whether it is a rate), those that have an interval."""
    if of.reduce:
        yield "reduce", of.reduce, True
    if of.copy:
        yield "copy", of.copy, True
    for name, link in of.links.items():
        yield f"{name}.latency", link.latency, False
        yield f"{name}.send", link.overhead, False
        yield f"{name}.receive", link.overhead, False
        if name == "between":
            yield f"{name}.gap", link.gap, False
        yield f"{name}.bandwidth", link.per_byte, True


def text_of(of: Calibrated) -> str:
    shown = {name: (rate if is_rate else time)(value.value) for name, value, is_rate in parameters(of)}
    lines = [
        f"name = {text(of.name)}",
        f"because = {text(of.because)}",
        f"nodes = {of.nodes}",
        f"per_node = {of.per_node}",
        f"cards = {of.cards}",
        *(f'{name} = "{value}"' for name, value in shown.items() if "." not in name),
    ]
    for name, link in of.links.items():
        lines += ["", f"[{name}]"]
        lines += [
            f'{full.partition(".")[2]} = "{value}"' for full, value in shown.items() if full.startswith(f"{name}.")
        ]
        if link.rendezvous:
            lines.append(f'rendezvous = "{link.rendezvous}"')
    lines += ["", "# 95 % intervals over the launches; of fewer than six their range.", "[interval]"]
    for name, value, is_rate in parameters(of):
        ends = [value.interval.low, value.interval.high]
        if is_rate:  # seconds a byte fall as rates rise
            ends.reverse()
        low, high = ((rate if is_rate else time)(end) for end in ends)
        lines.append(f'{text(name)} = ["{low}", "{high}"]')
    lines += ["", "# One message by its size: latency + bytes / bandwidth, from so many bytes on."]
    for name, link in of.links.items():
        for piece in link.pieces:
            lines += [
                "[[piece]]", f'link = "{name}"', f'from = "{piece.start}"', f'latency = "{time(piece.latency)}"',
                f'bandwidth = "{rate(piece.per_byte)}"', "",
            ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"
