"""The table at the end of a measurement: for each case native, tutti, their ratio and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tutti import comparison
from tutti.options import format_size
from tutti.output import Column, Output


def case_text(case: Mapping[str, Any]) -> str:
    call = "barrier" if case["collective"] == "barrier" else f"{case['collective']} {format_size(case['size'])}"
    return f"{call}, {case['arrival']}" if case.get("arrival") else call


def microseconds(value: float | None) -> str:
    """Three figures, never an exponent."""
    if value is None:
        return "-"
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{decimals}f}"


def times(value: float | None) -> str:
    """A ratio; what no measurement can tell apart any more is cut off."""
    if value is None:
        return "-"
    return "> 9999" if value > 9999 else f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def bounds(row: Mapping[str, Any]) -> str:
    return "" if row["ratio_low"] is None else f"{times(row['ratio_low'])} .. {times(row['ratio_high'])}"


def columns(null: bool, bound: bool = False, arrival: str = "") -> list[Column]:
    contender = "again" if null else "tutti"
    return [
        Column("collective", "collective"),
        Column("size_text", "size", right=True),
        Column("native_us", "native µs", right=True, text=microseconds),
        Column("tutti_us", f"{contender} µs", right=True, text=microseconds),
        Column("ratio", f"native/{contender}", right=True, text=times),
        Column("bounds", "95 % interval", right=True),
        Column("verdict", "verdict"),
        *(waits(contender) if arrival else []),
        *([Column("bound_us", "bound µs", right=True, text=microseconds)] if bound else []),
        *([Column("times_bound", "x bound", right=True, text=times)] if bound else []),
        *([] if null else [Column("choice", "served by")]),
    ]


def waits(contender: str) -> list[Column]:
    """What is added where ranks come one after the other."""
    return [
        Column("native_wait_us", "native wait", right=True, text=microseconds),
        Column("tutti_wait_us", f"{contender} wait", right=True, text=microseconds),
        Column("imbalance_factor", "imbalance", right=True, text=times),
    ]


def print_table(
    table: Sequence[comparison.Cell], title: str, out: Output, null: bool = False, bound: bool = False
) -> None:
    """One table for each number of ranks and pattern of arrival, then the geometric means."""
    if out.json:
        out.rows([cell.row() for cell in table], [])
        for name, value in comparison.mean_ratios(table).items():
            out.object({"mean_of": name or "all", "ratio": value})
        return
    for ranks, arrival in sorted({(cell.key.ranks, cell.key.arrival) for cell in table}):
        part = [cell for cell in table if (cell.key.ranks, cell.key.arrival) == (ranks, arrival)]
        rows = [
            row
            | {"size_text": "" if row["collective"] == "barrier" else format_size(row["size"]), "bounds": bounds(row)}
            for row in (cell.row() for cell in part)
        ]
        how = f", {arrival} (from the last arrival to the last exit)" if arrival else ""
        out.rows(rows, columns(null, bound, arrival), title=f"{title}, {ranks} ranks{how}")
        means = comparison.mean_ratios(part)
        words = [f"{name} {times(value)}" for name, value in means.items() if name]
        if means:
            out.line(f"geometric mean of the ratios: {times(means[''])}   ({', '.join(words)})")
        out.line()


def summary_of(table: Sequence[comparison.Cell]) -> str:
    counts = {word: sum(cell.verdict == word for cell in table) for word in ("faster", "same", "slower", "wrong")}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count)
