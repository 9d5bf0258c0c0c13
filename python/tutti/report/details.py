"""What a click on a cell shows: its figures and distributions, as a piece of HTML that travels compressed."""

from __future__ import annotations

import base64
import gzip
from html import escape

from tutti.report.distribution import SIGMAS, TIMES_LEAST, Distribution
from tutti.report.figures import heat
from tutti.report.figures.axes import share_text, time_text
from tutti.report.html import Value, figure, table, times
from tutti.report.measured import Cell, Measurement
from tutti.report.study import Study

KINDS = {
    "histogram": ("Histogram", "all repetitions of all launches; the last bar: what lies beyond the axis"),
    "ecdf": ("Share that took no longer", "all repetitions of all launches; logarithmic, to the slowest one"),
    "launches": ("Medians of the launches", "with each launch's own 95 % interval"),
    "ranks": ("Each rank's own time", "least, mean and largest; the box holds the middle half"),
    "nodes": ("By node", "least, mean and largest own time of the node's ranks"),
    "timeline": ("One repetition: rank against time", "the one whose time is the median"),
    "slowest": ("The slowest repetition", "rank against time"),
    "stays": ("Arrival and exit of each rank", "the repetition whose avoidable wait is the median"),
    "arrivals": ("Arrivals", "how late each rank began after the first, median"),
}


def sentence(measurement: Measurement, cell: Cell) -> str:
    """What the figures say, in words."""
    said = [heat.tip(measurement, cell, name).removeprefix(f"{cell.name}: ") for name in cell.ratios]
    bound = next((value for time in cell.times.values() if (value := time.mean("bound_us"))), None)
    said += [f"nothing inside a node can be faster than {time_text(bound)}"] if bound else []
    return "; ".join(said) if said else f"only {' and '.join(cell.times)} was measured here"


def number(value: float | None) -> Value:
    return times(value, time_text(value) if value is not None else "")


def figures_table(cell: Cell, distribution: Distribution | None) -> str:
    """A row a variant: the median with its interval, and what the samples add."""
    head: list[Value | str] = ["variant", *(Value(each, looks="number") for each in ("median", "from", "to"))]
    more = ("least", "mean", "90 %", "99 %", "99.9 %", "largest", "repetitions", "late") if distribution else ()
    head += [*(Value(each, looks="number") for each in more), "served by"]
    rows = []
    for name, time in cell.times.items():
        row: list[Value | str] = [name, number(time.us), number(time.band.low), number(time.band.high)]
        spread = distribution.variants.get(name) if distribution else None
        if spread:
            row += [number(value) for value in (spread.least, spread.mean)]
            row += [number(spread.percentiles[key]) for key in ("90", "99", "99.9")]
            row += [number(spread.most), Value(f"{spread.count:,}", spread.count, "number")]
            row += [Value(f"{spread.late:,}", spread.late, "number")]
        elif distribution:
            row += ["–"] * len(more)
        rows.append([*row, time.choice])
    return table(f"figures-{cell.slug}", f"Time {cell.timed}", head, rows)


def shares_table(cell: Cell, distribution: Distribution) -> str:
    """The tail in figures: what exceeds the least time n-fold, and the mean by n standard deviations."""
    head: list[Value | str] = ["above", *(Value(name, looks="number") for name in distribution.variants)]
    rows: list[list[Value | str]] = []
    spreads = distribution.variants.values()
    for place, n in enumerate(TIMES_LEAST):
        rows.append([f"{n} × the least", *(share(spread.above_least[place]) for spread in spreads)])
    for place, n in enumerate(SIGMAS):
        word = "" if n == 1 else f"{n} "
        rows.append([f"mean + {word}sd", *(share(spread.above_mean[place]) for spread in spreads)])
    return table(f"shares-{cell.slug}", "Share of repetitions above", head, rows)


def share(value: float) -> Value:
    return Value(share_text(value), f"{value:.9g}", "number")


def fragment(study: Study, cell: Cell) -> str:
    """The whole piece."""
    distribution = study.distributions.get(cell.key)
    drawn = []
    for name, draw in study.of_cell(cell).items():
        title, note = KINDS[name.split("-")[0]]
        drawn.append(figure(name, draw, title, note))
    drawn += [shares_table(cell, distribution)] if distribution else []
    missing = (
        "" if distribution else '<p class="soft">No samples were kept of this run: its medians alone are known.</p>'
    )
    return (
        f'<h3 tabindex="-1">{escape(cell.name)}</h3><p>{escape(sentence(study.measurement, cell))}.</p>{missing}'
        f'{figures_table(cell, distribution)}<div class="two">{"".join(drawn)}</div>'
    )


def packed(text: str) -> str:
    """Compressed, as letters that may stand in a page."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
