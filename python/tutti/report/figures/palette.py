"""Colours and how marks look: one table from which the page's style sheet, SVG files and PDF files follow.

Variants take their colours in order, the base a grey that steps back; blue against orange says faster against slower,
which also those tell apart who do not see red and green as two colours.
"""

from __future__ import annotations

from dataclasses import dataclass

# name -> (on light pages and paper, on dark pages)
COLOURS: dict[str, tuple[str, str]] = {
    "page": ("#fafaf8", "#14161a"),
    "card": ("#ffffff", "#1c1f25"),
    "ink": ("#1c1f24", "#e8eaed"),
    "soft": ("#5d646e", "#a0a7b1"),
    "rule": ("#e2e3e6", "#32363e"),
    "accent": ("#1f5fd6", "#74a7ff"),
    "good": ("#1b56c4", "#82b1ff"),
    "bad": ("#b34700", "#ffa25e"),
    "v0": ("#7d838d", "#9aa1ac"),
    "v1": ("#1f5fd6", "#74a7ff"),
    "v2": ("#c4570a", "#f39a4f"),
    "v3": ("#00805e", "#43c79f"),
    "v4": ("#a2438f", "#df8dcd"),
    "v5": ("#8a6d00", "#d6ba49"),
    "v6": ("#1387a5", "#5fcbe6"),
    "v7": ("#6b4fc0", "#b09cf5"),
    "h0": ("#ebecee", "#2a2e35"),
    "p1": ("#d9e6fc", "#1f3050"),
    "p2": ("#b0cbf8", "#27477f"),
    "p3": ("#7aa8f0", "#3163b4"),
    "p4": ("#3f78d9", "#5b90ea"),
    "p5": ("#1b4fae", "#9ac0ff"),
    "n1": ("#fde6d3", "#46301d"),
    "n2": ("#f9c799", "#744519"),
    "n3": ("#ef9b57", "#a8611c"),
    "n4": ("#cb6714", "#e08b3c"),
    "n5": ("#96430a", "#ffc48c"),
    "white": ("#ffffff", "#101215"),
}
VARIANTS = 8  # colours of their own; further variants begin again
DEPTHS = 5  # of the heat map, each way


@dataclass(frozen=True)
class Look:
    """How a mark looks: names of colours; `size` in pixels is for text."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dash: str = ""
    size: float = 0.0
    bold: bool = False


def _looks() -> dict[str, Look]:
    looks = {
        "grid": Look(stroke="rule"),
        "axis": Look(stroke="soft"),
        "bound": Look(stroke="ink", width=1.2, dash="2 3"),
        "avoidable": Look(fill="v2"),
        "back": Look(fill="card"),
        "tick": Look(fill="soft", size=11),
        "label": Look(fill="ink", size=11.5),
        "head": Look(fill="ink", size=13, bold=True),
        "up": Look(fill="good", size=11, bold=True),
        "down": Look(fill="bad", size=11, bold=True),
    }
    for i in range(VARIANTS):
        colour = f"v{i}"
        looks |= {
            f"line{i}": Look(stroke=colour, width=2),
            f"thin{i}": Look(stroke=colour, width=1.2),
            f"band{i}": Look(fill=colour, opacity=0.18),
            f"bar{i}": Look(fill=colour, opacity=0.62),
            f"mark{i}": Look(fill=colour),
            f"ring{i}": Look(fill="card", stroke=colour, width=1.8),
            f"name{i}": Look(fill=colour, size=12, bold=True),
        }
    looks["heat0"] = Look(fill="h0")
    for depth in range(1, DEPTHS + 1):
        looks[f"heat{depth}"] = Look(fill=f"p{depth}")
        looks[f"heat-{depth}"] = Look(fill=f"n{depth}")
    looks |= {"on": Look(fill="ink", size=12), "over": Look(fill="white", size=12, bold=True)}
    return looks


LOOKS = _looks()


def variables(dark: bool) -> str:
    """The colours as custom properties of a style sheet."""
    return "".join(f"--{name}:{pair[dark]};" for name, pair in COLOURS.items())


def rules(colour=lambda name: f"var(--{name})") -> str:
    """A rule for each look, for elements inside of svg.fig; `colour` says how a colour is written."""
    lines = [
        'svg.fig{font:11px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}'
        "svg.fig *{fill:none}svg.fig .l{stroke-linejoin:round;stroke-linecap:round}"
    ]
    for name, look in LOOKS.items():
        words = [
            f"fill:{colour(look.fill)}" if look.fill else "",
            f"stroke:{colour(look.stroke)};stroke-width:{look.width:g}" if look.stroke else "",
            f"opacity:{look.opacity:g}" if look.opacity != 1 else "",
            f"stroke-dasharray:{look.dash}" if look.dash else "",
            f"font-size:{look.size:g}px" if look.size else "",
            "font-weight:600" if look.bold else "",
        ]
        lines.append(f"svg.fig .{name}{{{';'.join(word for word in words if word)}}}")
    return "\n".join(lines)


def variant(number: int) -> int:
    """The colour of a variant that is the number-th of its measurement."""
    return number % VARIANTS
