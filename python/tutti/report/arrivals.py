"""The part of the page about arrival patterns: what ranks that come one after the other cost, and what of it was
avoidable."""

from __future__ import annotations

from collections.abc import Sequence

from tutti.report import details
from tutti.report.figures.stays import stays_of
from tutti.report.html import Value, figure, section, table
from tutti.report.measured import Cell, Time
from tutti.report.study import Study
from tutti.results import avoidable, comparison

MOST = 12  # pictures of stays; each further one is a click away
WORDS = ("imbalance", "ranks apart", "last delay", "wait", "total", "avoidable", "removed %")
NOTE = (
    "Last delay: from the last arrival to the last exit. Wait: from a rank's arrival to its own exit, the mean over "
    "ranks. Total: from the first arrival to the last exit. Imbalance: ranks apart, over one message's time. "
    "Avoidable: exit minus the earliest exit that the call's meaning allows, the sum over the ranks. Removed: the part "
    "of the base's avoidable wait that a variant does not leave."
)


def arrivals(study: Study, mark: str) -> str:
    """Nothing where ranks came together."""
    cells = [cell for cell in study.measurement.cells if cell.key.arrival]
    if not cells:
        return ""
    head: list[Value | str] = ["arrival", "collective", Value("size", looks="number"), Value("ranks", looks="number")]
    head += ["variant", *(Value(word, looks="number") for word in WORDS)]
    rows = [
        row(cell, name, time, removed_by(cell, name, study.measurement.base))
        for cell in cells
        for name, time in cell.times.items()
    ]
    shown = "".join(figure(name, draw, said) for name, draw, said in pictures(study, cells))
    listed = table(f"arrivals{mark}", "What it cost that ranks came one after the other", head, rows)
    return section(f"arrivals{mark}", "Arrival patterns", f'<div class="two">{shown}</div>{listed}', NOTE)


def pictures(study: Study, cells: Sequence[Cell]) -> list[tuple]:
    """(name, draw, title): how each pattern came; and of each collective and pattern arrivals and exits, at the
    size and skew where the base leaves most."""
    base, came, stayed = study.measurement.base, {}, {}

    def left(cell: Cell) -> float:
        return stays_of(cell)[base].avoidable if base in stays_of(cell) else 0.0

    for cell in cells:
        pattern = cell.key.arrival.partition(" ")[0]
        for name, draw in study.of_cell(cell).items():
            if name.startswith("arrivals-"):
                said = ", ".join(filter(None, (cell.key.arrival, cell.state, "as it came")))
                came.setdefault((cell.key.arrival, cell.key.ranks, cell.state), (name, draw, said))
            if name.startswith("stays-"):
                key = (cell.key.collective, pattern, cell.key.ranks)
                if key not in stayed or left(cell) > stayed[key][0]:
                    stayed[key] = (left(cell), (name, draw, cell.name))
    chosen = [picture for _, picture in sorted(stayed.values(), key=lambda each: -each[0])]
    return [*chosen[:MOST], *list(came.values())[:MOST]]


def removed_by(cell: Cell, name: str, base: str) -> avoidable.Avoidable | None:
    if base not in cell.times or name not in cell.times:
        return None
    one, other = (list(cell.times[each].launches.values()) for each in (base, name))
    return comparison.avoidable_of(one, other)


def row(cell: Cell, name: str, time: Time, left: avoidable.Avoidable | None) -> list[Value | str]:
    factor = time.mean("imbalance_factor")
    arrival = ", ".join(filter(None, (cell.key.arrival, cell.state)))
    figures = [details.number(time.mean("apart_us")), details.number(time.us)]
    figures += [details.number(time.mean(key)) for key in ("mean_wait_us", "total_us")]
    return [
        arrival, cell.key.collective, Value(cell.size_text, cell.key.size, "number"),
        Value(str(cell.key.ranks), looks="number"), name,
        Value(f"{factor:.3g}" if factor else "–", factor, "number"), *figures, *avoidable_values(time, left),
    ]  # fmt: skip


def avoidable_values(time: Time, left: avoidable.Avoidable | None) -> list[Value]:
    """Below what the clocks know, that is said; `removed` of the base itself is none."""
    value = comparison.middle_of(list(time.launches.values()), "avoidable_us")
    if value is None or left is None:
        return [Value("–", "", "number")] * 2
    known = details.number(value)
    if value < left.error_us:
        known = Value(f"< {details.number(left.error_us).text}", known.raw, "number")
    removed = left.removed if left.contender_us != left.base_us else None
    return [known, Value(left.removed_text if removed is not None else "–", removed, "number")]
