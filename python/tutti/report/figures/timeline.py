"""Rank against time: one repetition, each rank a bar from when it entered the call to when it left; and arrivals."""

from __future__ import annotations

from collections.abc import Sequence

from tutti.report.distribution import Distribution, Repetition
from tutti.report.figures.axes import Scale, thinned, time_text
from tutti.report.figures.drawing import Drawing
from tutti.report.figures.spreads import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Colours, across, frame, upward
from tutti.report.measured import Cell

ROWS = 150  # pixels that the ranks of one repetition may take
SPACE = 30  # above each repetition, for its name


def timeline(cell: Cell, distribution: Distribution, of: Colours, worst: bool = False) -> Drawing:
    """The repetition whose time is the median (or the longest one), variant below variant, on one time axis."""
    kind = "slowest" if worst else "median"
    shown = {name: (s.worst if worst else s.usual) for name, s in distribution.variants.items()}
    count = len(distribution.shown_ranks)
    row = max(1.0, min(16.0, ROWS / count))
    height = TOP - 26 + len(shown) * (SPACE + row * count) + BOTTOM - 10
    drawing = Drawing(WIDTH, height, f"{cell.name}: ranks in the {kind} repetition")
    last = max(float(repetition.end.max()) for repetition in shown.values())
    x = Scale(0, max(last, 1e-6), LEFT, WIDTH - RIGHT, logarithmic=False)
    y = float(TOP - 26)
    for name, repetition in shown.items():
        y += SPACE
        calls = f", {repetition.batch} calls in a row" if repetition.batch > 1 else ""
        drawing.text(LEFT, y - 9, f"{name}: {time_text(repetition.call)} a call{calls}", f"name{of[name]}")
        bars(drawing, repetition, x, y, row, name, of[name])
        y += row * count
    across(drawing, x, y + 3)
    return drawing


def bars(drawing: Drawing, repetition: Repetition, x: Scale, top: float, row: float, name: str, colour: int) -> None:
    labelled = set(thinned(list(range(len(repetition.ranks))), max(1, int(row * len(repetition.ranks) / 13))))
    for place, (rank, begin, end) in enumerate(zip(repetition.ranks, repetition.begin, repetition.end, strict=True)):
        y = top + row * place
        tip = f"{name}, rank {rank}: from {time_text(float(begin))} to {time_text(float(end))}"
        wide = max(1.0, x(float(end)) - x(float(begin)))
        inner = max(row - 2, 0.7 * row)
        drawing.box(x(float(begin)), y, wide, inner, f"bar{colour}", tip if len(repetition.ranks) <= 64 else "")
        if place in labelled:
            drawing.text(LEFT - 7, y + inner / 2 + 4, str(rank), "tick", "end")


def arrivals(cell: Cell, distribution: Distribution, of: Colours) -> Drawing:
    """How late each rank really began after the first: medians over the repetitions."""
    drawing = frame(f"{cell.name}: arrivals after the first rank's", list(distribution.variants), of)
    bottom = HEIGHT - BOTTOM
    most = max(float(spread.arrivals.max()) for spread in distribution.variants.values())
    y = Scale(0, max(most, 1e-3) * 1.05, bottom, TOP, logarithmic=False)
    upward(drawing, y, [(value, time_text(value, "g")) for value in y.ticks(5)], WIDTH - RIGHT)
    ranks = distribution.shown_ranks
    step = (WIDTH - RIGHT - LEFT) / len(ranks)
    places = [LEFT + step * (place + 0.5) for place in range(len(ranks))]
    for x, rank in zip(places, ranks, strict=True):
        if rank in thinned(list(ranks), 16):
            drawing.text(x, bottom + 17, str(rank), "tick", "middle")
    for index, (name, spread) in enumerate(distribution.variants.items()):
        line(drawing, places, [y(float(value)) for value in spread.arrivals], of[name], index)
    drawing.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis")
    drawing.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "rank", "tick", "middle")
    return drawing


def line(drawing: Drawing, places: Sequence[float], heights: Sequence[float], colour: int, index: int) -> None:
    drawing.path(list(zip(places, heights, strict=True)), f"{'thin' if index else 'line'}{colour}")
    for x, y in zip(places, heights, strict=True) if len(places) <= 64 else ():
        drawing.dot(x, y, 3.0 if index else 4.0, f"{'mark' if index else 'ring'}{colour}")
