"""Figures of one cell's distribution: histogram, ECDF, launches, by rank and by node."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tutti.report.distribution import CURVE, Distribution, Part, Spread
from tutti.report.figures.axes import Scale, share_text, thinned, time_text
from tutti.report.figures.drawing import Drawing
from tutti.report.figures.palette import variant
from tutti.report.measured import Cell

WIDTH, HEIGHT = 520, 250
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 34, 42
BEYOND = 26  # width of the bar of what lies beyond a histogram
APART = 30  # parts up to which each is drawn apart; more become bands

Colours = dict[str, int]  # variant -> its colour


def colours(variants: Sequence[str]) -> Colours:
    return {name: variant(number) for number, name in enumerate(variants)}


def frame(title: str, names: Sequence[str], of: Colours, width: int = WIDTH, height: int = HEIGHT) -> Drawing:
    drawing = Drawing(width, height, title)
    drawing.legend([(name, f"mark{of[name]}") for name in names], LEFT, 18, width - RIGHT)
    return drawing


def across(drawing: Drawing, x: Scale, y: float, free: float = 0) -> None:
    """The axis of times at the bottom; no words over its last `free` pixels."""
    drawing.line(x.start, y, x.end, y, "axis")
    last = -math.inf
    for value in x.ticks():
        if x(value) - last < 52 or x(value) > x.end - free:
            continue
        last = x(value)
        drawing.line(last, y, last, y + 4, "axis")
        drawing.text(last, y + 17, time_text(value, "g"), "tick", "middle")


def upward(drawing: Drawing, y: Scale, texts: Sequence[tuple[float, str]], right: float) -> None:
    """Grid and words of the axis at the left."""
    for value, text in texts:
        drawing.line(LEFT, y(value), right, y(value), "grid")
        drawing.text(LEFT - 7, y(value) + 3.5, text, "tick", "end")


def histogram(cell: Cell, distribution: Distribution, of: Colours) -> Drawing:
    """Share of repetitions by time; what lies beyond the axis is one bar at its end."""
    drawing = frame(f"{cell.name}: histogram of times", list(distribution.variants), of)
    edges = distribution.edges
    bottom, end = HEIGHT - BOTTOM, WIDTH - RIGHT - BEYOND - 8
    top = max(float(spread.histogram.max()) for spread in distribution.variants.values())
    x = Scale(float(edges[0]), float(edges[-1]), LEFT, end, logarithmic=False)
    y = Scale(0, top * 1.05, bottom, TOP, logarithmic=False)
    upward(drawing, y, [(value, share_text(value)) for value in y.ticks(5)], WIDTH - RIGHT)
    for name, spread in distribution.variants.items():
        points = [(x(float(edges[0])), bottom)]
        for share, low, high in zip(spread.histogram, edges, edges[1:], strict=False):
            level = min(y(float(share)), bottom - 1.5) if share else bottom
            points += [(x(float(low)), level), (x(float(high)), level)]
        points.append((x(float(edges[-1])), bottom))
        drawing.path(points, f"band{of[name]}", closed=True)
        drawing.path(points, f"thin{of[name]}", tip=f"{name}: {spread.count} repetitions")
    beyond(drawing, distribution, of, y, end + 8, float(edges[-1]))
    across(drawing, x, bottom, free=24)
    return drawing


def beyond(drawing: Drawing, distribution: Distribution, of: Colours, y: Scale, x: float, limit: float) -> None:
    """A bar a variant, so that a tail is seen that a longer axis would hide."""
    count = len(distribution.variants)
    wide = BEYOND / count
    for place, (name, spread) in enumerate(distribution.variants.items()):
        share = float(spread.histogram[-1])
        if share:
            level = min(y(share), y.start - 1.5)
            tip = f"{name}: {share_text(share)} above {time_text(limit)}, up to {time_text(spread.most)}"
            drawing.box(x + place * wide, level, max(1.0, wide - 1), y.start - level, f"bar{of[name]}", tip)
    drawing.line(x, y.start, x + BEYOND, y.start, "axis")
    drawing.text(x + BEYOND, y.start + 17, "above", "tick", "end")


def ecdf(cell: Cell, distribution: Distribution, of: Colours) -> Drawing:
    """Share of repetitions that took no longer; the whole range, on a logarithmic axis."""
    drawing = frame(f"{cell.name}: share of repetitions that took no longer", list(distribution.variants), of)
    bottom = HEIGHT - BOTTOM
    low = min(spread.least for spread in distribution.variants.values())
    high = max(spread.most for spread in distribution.variants.values())
    x = Scale(max(low, 1e-6), max(high, low * 1.01, 1e-6), LEFT, WIDTH - RIGHT)
    y = Scale(0, 1, bottom, TOP, logarithmic=False)
    upward(drawing, y, [(part, share_text(part)) for part in (0, 0.25, 0.5, 0.75, 1)], WIDTH - RIGHT)
    for name, spread in distribution.variants.items():
        points = [(x(float(time)), y(float(part))) for time, part in zip(spread.curve, CURVE, strict=True)]
        drawing.path(points, f"line{of[name]}", tip=name)
        middle = spread.percentiles["50"]
        drawing.dot(x(middle), y(0.5), 3.2, f"mark{of[name]}", f"{name}: median {time_text(middle)}")
    across(drawing, x, bottom)
    return drawing


def launches(cell: Cell, of: Colours) -> Drawing:
    """Each launch's median with its own 95 % interval: what starting anew changes."""
    names = [name for name in cell.times if name in of]
    drawing = frame(f"{cell.name}: medians of the launches", names, of)
    numbers = sorted({at for time in cell.times.values() for at in time.launches})
    rows = [row for time in cell.times.values() for row in time.launches.values()]
    low = min(row.get("ci_low", row["median_us"]) or row["median_us"] for row in rows)
    high = max(row.get("ci_high", row["median_us"]) for row in rows)
    bottom = HEIGHT - BOTTOM
    y = Scale(low / 1.08, high * 1.08, bottom, TOP)
    upward(drawing, y, [(value, time_text(value, "g")) for value in y.ticks(5)], WIDTH - RIGHT)
    step = (WIDTH - RIGHT - LEFT) / len(numbers)
    for place, (_, number) in enumerate(numbers):
        if (_, number) in thinned(numbers, 20):
            drawing.text(LEFT + step * (place + 0.5), bottom + 17, str(number), "tick", "middle")
    for index, name in enumerate(names):
        aside = (index - (len(names) - 1) / 2) * min(12, step / (len(names) + 1))
        for at, row in cell.times[name].launches.items():
            x = LEFT + step * (numbers.index(at) + 0.5) + aside
            ends = [y(row.get("ci_low", row["median_us"])), y(row.get("ci_high", row["median_us"]))]
            drawing.line(x, ends[0], x, ends[1], f"line{of[name]}")
            tip = f"{name}, launch {at[1]}: {time_text(row['median_us'])}, {row.get('repetitions', 0)} repetitions"
            drawing.dot(x, y(row["median_us"]), 3.2, f"mark{of[name]}", tip)
    drawing.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis")
    drawing.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "launch", "tick", "middle")
    return drawing


def by_part(cell: Cell, parts: dict[str, list[Part]], of: Colours, word: str) -> Drawing:
    """Least, mean and largest own time of each rank (or node), and where the middle half of them lies."""
    drawing = frame(f"{cell.name}: least, mean and largest time by {word}", list(parts), of)
    numbers = [part.number for part in next(iter(parts.values()))]
    every = [part for listed in parts.values() for part in listed]
    y = Scale(max(1e-6, min(part.least for part in every)) / 1.1, max(part.most for part in every) * 1.1,
              HEIGHT - BOTTOM, TOP)  # fmt: skip
    upward(drawing, y, [(value, time_text(value, "g")) for value in y.ticks(5)], WIDTH - RIGHT)
    step = (WIDTH - RIGHT - LEFT) / len(numbers)
    for place, number in enumerate(numbers):
        if number in thinned(numbers, 16):
            drawing.text(LEFT + step * (place + 0.5), HEIGHT - BOTTOM + 17, str(number), "tick", "middle")
    for index, (name, listed) in enumerate(parts.items()):
        aside = (index - (len(parts) - 1) / 2) * min(14, step / (len(parts) + 0.5))
        places = [LEFT + step * (place + 0.5) + (aside if len(numbers) <= APART else 0) for place in range(len(listed))]
        (whiskers if len(numbers) <= APART else bands)(drawing, places, listed, y, name, of[name], word)
    drawing.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    drawing.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, word, "tick", "middle")
    return drawing


def part_tip(name: str, word: str, part: Part) -> str:
    low, mean, high = (time_text(value) for value in (part.least, part.mean, part.most))
    return f"{name}, {word} {part.number}: {low} at least, {mean} on average, {high} at most"


def whiskers(
    drawing: Drawing, places: Sequence[float], parts: Sequence[Part], y: Scale, name: str, colour: int, word: str
) -> None:
    for x, part in zip(places, parts, strict=True):
        drawing.line(x, y(part.least), x, y(part.most), f"thin{colour}")
        for end in (part.least, part.most):
            drawing.line(x - 3, y(end), x + 3, y(end), f"thin{colour}")
        box = y(part.quantiles[1]), y(part.quantiles[3])
        drawing.box(x - 4, box[1], 8, max(1.5, box[0] - box[1]), f"bar{colour}")
        drawing.dot(x, y(part.mean), 2.8, f"ring{colour}", part_tip(name, word, part))


def bands(
    drawing: Drawing, places: Sequence[float], parts: Sequence[Part], y: Scale, name: str, colour: int, word: str
) -> None:
    """Many parts: a band for 5 to 95 %, the mean as a line, least and largest as thin ones."""
    upper = [(x, y(part.quantiles[4])) for x, part in zip(places, parts, strict=True)]
    lower = [(x, y(part.quantiles[0])) for x, part in zip(places, parts, strict=True)]
    drawing.path(upper + lower[::-1], f"band{colour}", closed=True, tip=f"{name}: 5 to 95 % of each {word}'s times")
    for look, value in (("thin", "least"), ("line", "mean"), ("thin", "most")):
        points = [(x, y(getattr(part, value))) for x, part in zip(places, parts, strict=True)]
        drawing.path(points, f"{look}{colour}", tip=f"{name}: {value}")


def ranks(cell: Cell, distribution: Distribution, of: Colours) -> Drawing:
    return by_part(cell, {name: s.ranks for name, s in distribution.variants.items()}, of, "rank")


def nodes(cell: Cell, distribution: Distribution, of: Colours) -> Drawing:
    return by_part(cell, {name: s.nodes for name, s in distribution.variants.items()}, of, "node")


def has_nodes(spread: Spread) -> bool:
    return len(spread.nodes) > 1
