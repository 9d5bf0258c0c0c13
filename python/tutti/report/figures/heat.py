"""Collective against size, coloured by the gain: the figure that answers where a variant wins."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tutti.options import format_size
from tutti.report.figures.axes import ratio_text, time_text
from tutti.report.figures.drawing import Box, Button, Drawing, Mark, Text, text_width
from tutti.report.figures.palette import DEPTHS
from tutti.report.measured import Cell, Measurement

CELL, ROW, GAP = 62, 30, 2
HEAD, FOOT = 26, 60
DEEPEST = 4.0  # ratio, or its inverse, of the deepest colour
OVER = 4  # depth from which text stands on a deep colour


def depth_of(cell: Cell, variant: str) -> int:
    """Rising with the gain, falling below 0 with the loss; 0 where both count as the same."""
    ratio = cell.ratios.get(variant)
    if not ratio or cell.verdict(variant) not in ("faster", "slower"):
        return 0
    part = min(1.0, abs(math.log(ratio.value)) / math.log(DEEPEST))
    depth = max(1, min(DEPTHS, math.ceil(part * DEPTHS)))
    return depth if cell.verdict(variant) == "faster" else -depth


def tip(measurement: Measurement, cell: Cell, variant: str) -> str:
    """One sentence with all figures of a cell."""
    if not (ratio := cell.ratios.get(variant)):
        return f"{cell.name}: measured for {', '.join(cell.times)} alone"
    base, other = cell.times[measurement.base], cell.times[variant]
    low, high = (ratio_text(bound) for bound in (ratio.interval.low, ratio.interval.high))
    verdict = {"": "not compared"}.get(cell.verdict(variant), cell.verdict(variant))
    count = f"{ratio.launches} {'launch' if ratio.launches == 1 else 'launches'}"
    return (
        f"{cell.name}: {variant} {verdict}, {ratio_text(ratio.value)} ({low} to {high}, {count}); "
        f"{measurement.base} {time_text(base.us)}, {variant} {time_text(other.us)}"
    )


def field(
    measurement: Measurement, cell: Cell, variant: str, x: float, y: float, width: float, column: int, row: int
) -> Button:
    depth = depth_of(cell, variant)
    ratio = cell.ratios.get(variant)
    text = "wrong" if cell.wrong else ratio_text(ratio.value) if ratio else "–"
    look = "over" if abs(depth) >= OVER else "on"
    words = tip(measurement, cell, variant)
    marks: list[Mark] = [
        Box(x, y, width - GAP, ROW - GAP, f"heat{depth}", words, round=4),
        Text(x + (width - GAP) / 2, y + ROW / 2 + 3, text, look, "middle"),
    ]
    return Button(cell.slug, words, marks, column, row)


def heat_map(measurement: Measurement, cells: Sequence[Cell], variant: str, buffers: str = "") -> Drawing:
    """One setting's cells: a row a collective, a column a size; a barrier's cell is as wide as the row."""
    sizes = sorted({cell.key.size for cell in cells if cell.key.collective != "barrier"}) or [0]
    names = list(dict.fromkeys(cell.key.collective for cell in cells))
    left = 12 + max(text_width(name, 11.5) for name in names)
    width = left + CELL * len(sizes)
    what = f"{measurement.base}/{variant}"
    where = ", ".join(filter(None, (f"{cells[0].key.ranks} ranks {cells[0].key.arrival}".strip(), buffers)))
    title = f"{what} by collective and size, {where}"
    drawing = Drawing(max(width, left + 250), HEAD + ROW * len(names) + FOOT, title)
    for column, size in enumerate(sizes if names != ["barrier"] else []):
        drawing.text(left + CELL * column + CELL / 2, HEAD - 9, format_size(size), "tick", "middle")
    for row, name in enumerate(names):
        y = HEAD + ROW * row
        drawing.text(left - 10, y + ROW / 2 + 3, name, "label", "end")
        for cell in cells:
            if cell.key.collective != name:
                continue
            wide = name == "barrier"
            column = 0 if wide else sizes.index(cell.key.size)
            x, across = (left, CELL * len(sizes)) if wide else (left + CELL * column, CELL)
            drawing.marks.append(field(measurement, cell, variant, x, y, across, column, row))
    legend(drawing, left, HEAD + ROW * len(names) + 16, variant)
    return drawing


def legend(drawing: Drawing, x: float, y: float, variant: str) -> None:
    """Seven steps from slower to faster."""
    step = 24
    shown = (-5, -3, -1, 0, 1, 3, 5)
    for place, depth in enumerate(shown):
        drawing.box(x + place * step, y, step - GAP, 9, f"heat{depth}", round=2)
    end = x + len(shown) * step
    drawing.text(x, y + 21, f"{variant} slower", "tick")
    drawing.text(end - GAP, y + 21, "faster", "tick", "end")
    drawing.text(x, y + 38, "grey: the 95 % interval meets 0.97 to 1.03", "tick")
