"""Plots of the report: time against size on logarithmic axes, as inline SVG.

Drawn here, not by a plotting library: a page of thirty panels stays some tens of kilobytes, needs no script, prints,
and takes its colours from the page's style sheet, so that it follows a dark or a light theme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tutti.comparison import Cell
from tutti.options import format_size
from tutti.statistics import Interval

WIDTH, HEIGHT = 340, 236
LEFT, RIGHT, TOP, BOTTOM = 52, 54, 14, 46  # right: the lines' own names; bottom: sizes, and the ratios below them


def time_text(microseconds: float, figures: str = "#.3g") -> str:
    """Three figures with the unit that fits: 0.520 µs, 12.3 µs, 18.2 ms."""
    unit, name = next(((u, n) for u, n in ((1e6, "s"), (1e3, "ms")) if microseconds >= 0.9995 * u), (1, "µs"))
    return f"{format(microseconds / unit, figures).rstrip('.')} {name}"


def ratio_text(ratio: float) -> str:
    """Above 100 in whole numbers: 0.98×, 2.41×, 13.2×, 3500×; what no measurement can tell apart is cut off."""
    if ratio > 9999:
        return "> 9999×"
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.1f}×" if ratio < 100 else f"{ratio:.0f}×"


@dataclass(frozen=True)
class Scale:
    """A logarithmic axis from values low..high to positions start..end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high <= self.low:
            return (self.start + self.end) / 2
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)


def ticks(low: float, high: float) -> list[float]:
    """Round values from low to high, at most about six: decades, or where these are few also values between them."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    values: list[float] = []
    for marks in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
        values = [mark * 10.0**decade for decade in range(first, last + 1) for mark in marks]
        values = [value for value in values if low <= value * 1.0001 and value <= high * 1.0001]
        if len(values) >= 3:
            break
    return values[:: max(1, math.ceil(len(values) / 6))]


def thinned(sizes: Sequence[int], most: int) -> list[int]:
    """At most `most` of the sizes, evenly chosen, the first one always."""
    return list(sizes)[:: math.ceil(len(sizes) / most)]


@dataclass(frozen=True)
class Line:
    """One variant's points: (size, time, interval), rising in size."""

    name: str
    style: str  # class in the style sheet
    points: list[tuple[int, float, Interval]]


def lines_of(cells: Sequence[Cell], contender: str) -> list[Line]:
    """Size 0, which no logarithm places, stands at 1."""
    native = [(max(c.key.size, 1), c.base_us, c.base_interval) for c in cells if c.base_us and c.base_interval]
    other = [
        (max(c.key.size, 1), c.contender_us, c.contender_interval)
        for c in cells
        if c.contender_us and c.contender_interval
    ]
    return [line for line in (Line("native", "native", native), Line(contender, "tutti", other)) if line.points]


def draw_line(line: Line, x: Scale, y: Scale) -> list[str]:
    """The interval as a band (a bar, for a single point), the medians as a line with marks."""
    parts = []
    upper = [(x(size), y(interval.high)) for size, _, interval in line.points]
    lower = [(x(size), y(interval.low)) for size, _, interval in line.points]
    if len(line.points) > 1:
        outline = " ".join(f"{a:.1f},{b:.1f}" for a, b in upper + lower[::-1])
        path = " ".join(f"{x(size):.1f},{y(time):.1f}" for size, time, _ in line.points)
        parts += [
            f'<polygon class="band {line.style}" points="{outline}"/>',
            f'<polyline class="line {line.style}" points="{path}"/>',
        ]
    else:
        (a, b), (_, c) = upper[0], lower[0]
        parts.append(f'<line class="line {line.style}" x1="{a:.1f}" y1="{b:.1f}" x2="{a:.1f}" y2="{c:.1f}"/>')
    for size, time, interval in line.points:
        around = f"{time_text(interval.low)} to {time_text(interval.high)}"
        tip = f"{line.name}, {format_size(size)}: {time_text(time)} ({around})"
        parts.append(
            f'<circle class="mark {line.style}" cx="{x(size):.1f}" cy="{y(time):.1f}" r="3.4">'
            f"<title>{escape(tip)}</title></circle>"
        )
    return parts


def draw_names(lines: Sequence[Line], x: Scale, y: Scale) -> list[str]:
    """Each line's name at its end, moved apart where they would overlap."""
    places = sorted(([y(line.points[-1][1]), line] for line in lines), key=lambda place: place[0])
    gap = 13
    if len(places) == 2 and (short := gap - (places[1][0] - places[0][0])) > 0:
        places[0][0] -= short / 2
        places[1][0] += short / 2
    parts = []
    for place, line in places:
        position = f'x="{x(line.points[-1][0]) + 8:.1f}" y="{place + 4:.1f}"'
        parts.append(f'<text class="name {line.style}" {position}>{escape(line.name)}</text>')
    return parts


def draw_axes(x: Scale, y: Scale, cells: Sequence[Cell]) -> list[str]:
    """Grid and times at the left; at the bottom the sizes, and under each the ratio."""
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value in ticks(y.low, y.high):
        place, text = y(value), time_text(value, "g")
        parts += [
            f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{place:.1f}" y2="{place:.1f}"/>',
            f'<text class="tick" x="{LEFT - 7}" y="{place + 3.5:.1f}" text-anchor="end">{text}</text>',
        ]
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    shown = set(thinned([cell.key.size for cell in cells], 7))
    for cell in cells:
        if cell.key.size not in shown:
            continue
        place = f'x="{x(max(cell.key.size, 1)):.1f}" text-anchor="middle"'
        if cell.key.collective != "barrier":
            parts.append(f'<text class="tick" {place} y="{bottom + 16}">{format_size(cell.key.size)}</text>')
        if cell.ratio:
            parts.append(
                f'<text class="ratio {cell.verdict}" {place} y="{bottom + 32}">{ratio_text(cell.ratio.value)}</text>'
            )
    return parts


def panel(cells: Sequence[Cell], contender: str = "tutti") -> str:
    """One collective's cells, rising in size, as an SVG element; without a time in them, a line of text instead."""
    lines = lines_of(cells, contender)
    if not lines:
        return '<p class="empty">nothing measured</p>'
    times = [
        bound for line in lines for _, time, interval in line.points for bound in (time, interval.low, interval.high)
    ]
    sizes = [max(cell.key.size, 1) for cell in cells]
    y = Scale(min(times) / 1.25, max(times) * 1.25, HEIGHT - BOTTOM, TOP)
    x = Scale(min(sizes), max(sizes), LEFT + 14, WIDTH - RIGHT - 6)
    label = f"{cells[0].key.collective}: time against size, native and {contender}"
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">', *draw_axes(x, y, cells)]
    for line in lines:
        parts += draw_line(line, x, y)
    return "\n".join([*parts, *draw_names(lines, x, y), "</svg>"])
