"""The table at the end of a measurement: for each case native, tutti, their ratio and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tutti import comparison
from tutti.bench_subjects import has_no_size
from tutti.options import format_size
from tutti.output import Column, Output


def case_text(case: Mapping[str, Any]) -> str:
    name = case["collective"]
    call = name if has_no_size(name) else f"{name} {format_size(case['size'])}"
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


VAGUE = 1000  # an interval whose ends are further apart says nothing: two launches that disagree


def bounds(row: Mapping[str, Any]) -> str:
    low, high = row["ratio_low"], row["ratio_high"]
    if low is None:
        return ""
    return f"{times(low)} .. {times(high)}" if high < VAGUE * low else "unknown"


def columns(null: bool, bound: bool = False, arrival: str = "", overlap: bool = False) -> list[Column]:
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
        *([Column("native_overlap_percent", "native overlap %", right=True, text=percent)] if overlap else []),
        *([Column("tutti_overlap_percent", f"{contender} overlap %", right=True, text=percent)] if overlap else []),
        *([Column("bound_us", "bound µs", right=True, text=microseconds)] if bound else []),
        *([Column("times_bound", "x bound", right=True, text=times)] if bound else []),
        *([] if null else [Column("choice", "served by")]),
    ]


def percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def message_columns(null: bool) -> list[Column]:
    """Of patterns of messages, which tutti leaves alone: native alone in a null test."""
    beside = [
        Column("tutti_latency_us", "tutti µs", right=True, text=microseconds),
        Column("tutti_mb_s", "tutti MB/s", right=True, text=microseconds),
    ]
    return [
        Column("collective", "pattern"),
        Column("size_text", "size", right=True),
        Column("rounds", "rounds", right=True),
        Column("native_latency_us", "µs a round", right=True, text=microseconds),
        Column("known", "95 % interval", right=True),
        Column("native_mb_s", "MB/s, all together", right=True, text=microseconds),
        *([] if null else beside),
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
    """One table for each number of ranks, pattern of arrival and definition of the time; geometric means."""
    if out.json:
        out.rows([cell.row() for cell in table], [])
        for name, value in comparison.mean_ratios(table).items():
            out.object({"mean_of": name or "all", "ratio": value})
        return
    kinds = {(cell.key.ranks, cell.key.arrival, cell.timed): None for cell in table}
    for kind in sorted(kinds, key=lambda kind: kind[:2]):
        part = [cell for cell in table if (cell.key.ranks, cell.key.arrival, cell.timed) == kind]
        ranks, arrival, how = kind
        said = f"{title}, {ranks} ranks{arrival and f', {arrival}'}: time {how}"
        calls, messages = ([cell for cell in part if bool(cell.rounds) == sent] for sent in (False, True))
        if calls:
            overlap = any(cell.base_overlap is not None for cell in calls)
            out.rows([shown(cell) for cell in calls], columns(null, bound, arrival, overlap), title=said)
            print_means(calls, out)
            out.line()
        if messages:
            out.rows([shown(cell) for cell in messages], message_columns(null), title=f"{said}: messages")
            out.line()


def shown(cell: comparison.Cell) -> dict[str, Any]:
    row = cell.row()
    size = "" if has_no_size(row["collective"]) else format_size(row["size"])
    spread = cell.base_interval
    known = (
        f"{microseconds(spread.low / cell.rounds)} .. {microseconds(spread.high / cell.rounds)}"
        if (cell.rounds and spread)
        else ""
    )
    return row | {"size_text": size, "bounds": bounds(row), "known": known}


def print_means(part: Sequence[comparison.Cell], out: Output) -> None:
    means = comparison.mean_ratios(part)
    words = [f"{name} {times(value)}" for name, value in means.items() if name]
    if means:
        out.line(f"geometric mean of the ratios: {times(means[''])}   ({', '.join(words)})")


def summary_of(table: Sequence[comparison.Cell]) -> str:
    counts = {word: sum(cell.verdict == word for cell in table) for word in ("faster", "same", "slower", "wrong")}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count)
