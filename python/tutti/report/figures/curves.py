"""Time against size, and against ranks: a line a variant, its confidence band around it, the gain below."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tutti.report.figures.axes import Scale, ratio_text, thinned, time_text
from tutti.report.figures.drawing import Drawing, Point
from tutti.report.figures.palette import variant
from tutti.report.measured import Cell, Measurement, Time

WIDTH, HEIGHT = 340, 246
LEFT, RIGHT, TOP, BOTTOM = 54, 60, 14, 48  # right: the lines' own names; bottom: sizes, and the ratios below them
LETTER, LETTERS = 6.2, 18  # width of a letter of a name; longer names are cut


@dataclass(frozen=True)
class Line:
    """One variant's points, rising in x."""

    name: str
    colour: int
    points: list[tuple[float, Time, str]]  # x, time, what a tip calls the place


@dataclass(frozen=True)
class Plot:
    """What is common to both kinds: the cells, and where each stands on the horizontal axis."""

    measurement: Measurement
    cells: Sequence[Cell]
    place: Callable[[Cell], float]
    label: Callable[[Cell], str]
    title: str

    @property
    def lines(self) -> list[Line]:
        found = []
        for number, name in enumerate(self.measurement.variants):
            points = [(self.place(c), c.times[name], self.label(c)) for c in self.cells if name in c.times]
            if points:
                found.append(Line(name, variant(number), points))
        return found

    def scales(self, lines: Sequence[Line]) -> tuple[Scale, Scale]:
        """Wide bands are cut off, so that they do not press the lines flat."""
        times = [time.us for line in lines for _, time, _ in line.points]
        bounds = [cell.times[name].mean("bound_us") for cell in self.cells for name in cell.times]
        low, high = min(times), max(times)
        for line in lines:
            for _, time, _ in line.points:
                low = min(low, max(time.band.low, time.us / 3, 1e-9))
                high = max(high, min(time.band.high, time.us * 3))
        low = min([low, *(bound for bound in bounds if bound)])
        places = [self.place(cell) for cell in self.cells]
        x = Scale(min(places), max(places), LEFT + 14, end_of(lines) - 6)
        return x, Scale(low / 1.25, high * 1.25, HEIGHT - BOTTOM, TOP)

    def draw(self) -> Drawing:
        drawing = Drawing(WIDTH, HEIGHT, self.title)
        lines = self.lines
        if not lines:
            drawing.text(WIDTH / 2, HEIGHT / 2, "nothing measured", "tick", "middle")
            return drawing
        x, y = self.scales(lines)
        self.axes(drawing, x, y, end_of(lines))
        self.bound(drawing, x, y)
        for line in lines:
            draw_line(drawing, line, x, y)
        draw_names(drawing, lines, x, y)
        return drawing

    def bound(self, drawing: Drawing, x: Scale, y: Scale) -> None:
        """What nothing inside a node can be faster than, where it was measured."""
        points = []
        for cell in self.cells:
            bounds = [bound for time in cell.times.values() if (bound := time.mean("bound_us"))]
            if bounds:
                points.append((x(self.place(cell)), y(bounds[0])))
        if points:
            drawing.path(points, "bound", tip="bound: what nothing inside a node can be faster than")

    def axes(self, drawing: Drawing, x: Scale, y: Scale, right: float) -> None:
        bottom = HEIGHT - BOTTOM
        for value in y.ticks():
            drawing.line(LEFT, y(value), right, y(value), "grid")
            drawing.text(LEFT - 7, y(value) + 3.5, time_text(value, "g"), "tick", "end")
        drawing.line(LEFT, bottom, right, bottom, "axis")
        contender = self.measurement.contenders[0] if len(self.measurement.contenders) == 1 else ""
        taken = -math.inf
        shown = thinned(self.cells, 6)
        for cell in self.cells:
            place = x(self.place(cell))
            if cell not in shown or place < taken:
                continue
            taken = place + 34  # room for a ratio
            drawing.text(place, bottom + 16, self.label(cell), "tick", "middle")
            if contender in cell.ratios:
                look = {"faster": "up", "slower": "down", "wrong": "down"}.get(cell.verdict(contender), "tick")
                drawing.text(place, bottom + 33, ratio_text(cell.ratios[contender].value), look, "middle")


def shown_name(line: Line) -> str:
    return line.name if len(line.name) <= LETTERS else f"{line.name[: LETTERS - 1]}…"


def end_of(lines: Sequence[Line]) -> float:
    """Where the axis ends, so that the names have room behind it."""
    return WIDTH - max(RIGHT, 14 + LETTER * max(len(shown_name(line)) for line in lines))


def draw_line(drawing: Drawing, line: Line, x: Scale, y: Scale) -> None:
    """The interval as a band (a bar, for a single point), the medians as a line with marks."""
    upper: list[Point] = [(x(at), y(time.band.high)) for at, time, _ in line.points]
    lower: list[Point] = [(x(at), y(time.band.low)) for at, time, _ in line.points]
    if len(line.points) > 1:
        drawing.path(upper + lower[::-1], f"band{line.colour}", closed=True)
        drawing.path([(x(at), y(time.us)) for at, time, _ in line.points], f"line{line.colour}")
    else:
        drawing.path([upper[0], lower[0]], f"line{line.colour}")
    for at, time, label in line.points:
        around = f"{time_text(time.band.low)} to {time_text(time.band.high)}"
        tip = f"{line.name}, {label}: {time_text(time.us)} ({around})"
        drawing.dot(x(at), y(time.us), 3.2, f"{'mark' if line.colour else 'ring'}{line.colour}", tip)


def draw_names(drawing: Drawing, lines: Sequence[Line], x: Scale, y: Scale) -> None:
    """Each line's name at its end, moved apart where they would overlap."""
    gap = 13
    ends = sorted(((y(line.points[-1][1].us), line) for line in lines), key=lambda end: end[0])
    places = spread_apart([place for place, _ in ends], gap, TOP + 4, HEIGHT - BOTTOM)
    for place, (_, line) in zip(places, ends, strict=True):
        drawing.text(x(line.points[-1][0]) + 8, place + 4, shown_name(line), f"name{line.colour}")


def spread_apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Rising places at least `gap` apart, moved as little as that needs, and kept between low and high if they fit."""
    groups: list[list[float]] = []  # of wanted places; each group stands gap by gap around their middle
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _top(groups[-1], gap) - _bottom(groups[-2], gap) < gap:
            groups[-2:] = [groups[-2] + groups[-1]]
    found = [_top(group, gap) + i * gap for group in groups for i in range(len(group))]
    if found and (over := found[-1] - high) > 0:
        found = [place - over for place in found]
    return [max(place, low + i * gap) for i, place in enumerate(found)]


def _top(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _bottom(group: Sequence[float], gap: float) -> float:
    return _top(group, gap) + gap * (len(group) - 1)


def buffers(cells: Sequence[Cell]) -> str:
    """Their state of caches, where that does not go without saying."""
    return f", {cells[0].state} buffers" if cells[0].state else ""


def against_size(measurement: Measurement, cells: Sequence[Cell]) -> Drawing:
    """One collective's cells, rising in size.  Size 0, which no logarithm places, stands at 1."""
    names = ", ".join(measurement.variants)
    title = f"{cells[0].key.collective}, {cells[0].key.ranks} ranks{buffers(cells)}: time against size, {names}"
    return Plot(
        measurement, cells, lambda c: max(c.key.size, 1), lambda c: c.size_text or c.key.collective, title
    ).draw()


def against_ranks(measurement: Measurement, cells: Sequence[Cell]) -> Drawing:
    """One collective's cells at one size, rising in ranks."""
    first = cells[0]
    names = ", ".join(measurement.variants)
    title = f"{first.key.collective} {first.size_text}{buffers(cells)}: time against ranks, {names}"
    return Plot(measurement, cells, lambda c: c.key.ranks, lambda c: str(c.key.ranks), title).draw()


@dataclass(frozen=True)
class RanksPlot(Plot):
    """One variant alone, against size: a line for each number of ranks.  `cells` are those of the most ranks."""

    every: Sequence[Cell] = ()

    @property
    def lines(self) -> list[Line]:
        name, found = self.measurement.base, []
        for number, ranks in enumerate(sorted({cell.key.ranks for cell in self.every})):
            mine = [cell for cell in self.every if cell.key.ranks == ranks and name in cell.times]
            points = [(self.place(cell), cell.times[name], self.label(cell)) for cell in mine]
            if points:
                found.append(Line(f"{ranks} ranks", variant(number), points))
        return found


def size_by_ranks(measurement: Measurement, cells: Sequence[Cell]) -> Drawing:
    """One collective's cells at several numbers of ranks, of the base."""
    most = max(cell.key.ranks for cell in cells)
    title = f"{cells[0].key.collective}: {measurement.base}'s time against size at several numbers of ranks"
    alone = replace(measurement, variants=[measurement.base])
    shown = [cell for cell in cells if cell.key.ranks == most]
    return RanksPlot(alone, shown, lambda c: max(c.key.size, 1), lambda c: c.size_text, title, cells).draw()


def few_sizes(cells: Sequence[Cell], most: int = 3) -> list[int]:
    """The least, the largest, and evenly between them."""
    sizes = sorted({cell.key.size for cell in cells})
    if len(sizes) <= most:
        return sizes
    return [sizes[round(i * (len(sizes) - 1) / (most - 1))] for i in range(most)]
