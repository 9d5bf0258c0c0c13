"""Arrival and exit of each rank in one repetition with an arrival pattern, and which part of the stay was avoidable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutti.report.figures.axes import Scale, thinned, time_text
from tutti.report.figures.drawing import Drawing
from tutti.report.figures.spreads import BOTTOM, LEFT, RIGHT, WIDTH, Colours, across
from tutti.report.measured import Cell, Time

ROWS = 150  # pixels that the ranks of one variant may take
SPACE = 30  # above each variant, for its name
LEGEND = 26


@dataclass(frozen=True)
class Stay:
    """Moments of each shown rank, microseconds after the first arrival."""

    ranks: Sequence[int]
    arrival: Sequence[float]
    exit: Sequence[float]
    earliest: Sequence[float]  # at which the call's meaning lets the rank go
    last_arrival: float
    avoidable: float  # of all ranks together, the median of the launch's repetitions


def stay_of(time: Time) -> Stay | None:
    """That of the launch whose avoidable wait is the median of the launches'; None where there was no pattern."""
    rows: list[Mapping[str, Any]] = [row for row in time.launches.values() if "stay" in row]
    if not rows:
        return None
    row = sorted(rows, key=lambda row: row["avoidable_us"])[(len(rows) - 1) // 2]
    stay = row["stay"]
    moments = (stay[name] for name in ("ranks", "arrival_us", "exit_us", "earliest_us", "last_arrival_us"))
    return Stay(*moments, row["avoidable_us"])


def stays_of(cell: Cell) -> dict[str, Stay]:
    """By variant."""
    return {name: stay for name, time in cell.times.items() if (stay := stay_of(time))}


def stays(cell: Cell, of: Colours) -> Drawing:
    """The repetition whose avoidable wait is the median, variant below variant, on one time axis."""
    shown = stays_of(cell)
    most = max(len(stay.ranks) for stay in shown.values())
    row = max(1.0, min(16.0, ROWS / most))
    bottom = LEGEND + sum(SPACE + row * len(stay.ranks) for stay in shown.values())
    drawing = Drawing(WIDTH, bottom + BOTTOM - 4, f"{cell.name}: arrival and exit of each rank")
    last = max(max(stay.exit) for stay in shown.values())
    x = Scale(0, max(last, 1e-6), LEFT, WIDTH - RIGHT, logarithmic=False)
    looks = [(f"{name} in the call", f"bar{of[name]}") for name in shown]
    drawing.legend([*looks, ("avoidable", "avoidable")], LEFT, 18, WIDTH - RIGHT - 90)
    drawing.line(WIDTH - RIGHT - 84, 13, WIDTH - RIGHT - 68, 13, "bound")
    drawing.text(WIDTH - RIGHT - 64, 18, "last arrival", "label")
    y = float(LEGEND)
    for name, stay in shown.items():
        y += SPACE
        drawing.text(
            LEFT, y - 9, f"{name}: {time_text(stay.avoidable)} avoidable, all ranks together", f"name{of[name]}"
        )
        bars(drawing, stay, x, y, row, name, of[name])
        y += row * len(stay.ranks)
    across(drawing, x, y + 3)
    return drawing


def bars(drawing: Drawing, stay: Stay, x: Scale, top: float, row: float, name: str, colour: int) -> None:
    count = len(stay.ranks)
    labelled = set(thinned(list(range(count)), max(1, int(row * count / 13))))
    columns = zip(stay.ranks, stay.arrival, stay.exit, stay.earliest, strict=True)
    inner = max(row - 2, 0.7 * row)
    for place, (rank, arrival, left, earliest) in enumerate(columns):
        y, could = top + row * place, min(max(earliest, arrival), left)
        tip = f"{name}, rank {rank}: from {time_text(arrival)} to {time_text(left)}"
        tip += f", {time_text(left - could)} of it avoidable" if left > could else ", none of it avoidable"
        tip = tip if count <= 64 else ""
        drawing.box(x(arrival), y, max(1.0, x(could) - x(arrival)), inner, f"bar{colour}", tip)
        if left > could:
            drawing.box(x(could), y, x(left) - x(could), inner, "avoidable", tip)
        if place in labelled:
            drawing.text(LEFT - 7, y + inner / 2 + 4, str(rank), "tick", "end")
    at = x(stay.last_arrival)
    drawing.line(at, top - 4, at, top + row * count + 1, "bound", f"last arrival, {time_text(stay.last_arrival)}")
