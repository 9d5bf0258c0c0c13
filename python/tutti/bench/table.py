"""The table at the end of a measurement: for each case native, tutti, their ratio and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tutti.bench.subjects import has_no_size
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.results import caches, comparison, joint


def case_text(case: Mapping[str, Any]) -> str:
    """Of caches, what is not cold goes with saying."""
    name, state = case["collective"], caches.of(case)
    call = name if has_no_size(name) else f"{name} {format_size(case['size'])}"
    return ", ".join([call, *filter(None, (case.get("arrival"), "" if state == caches.COLD else state))])


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


def columns(
    null: bool,
    bound: bool = False,
    arrival: str = "",
    overlap: bool = False,
    states: bool = False,
    avoidable: bool = False,
) -> list[Column]:
    contender = "again" if null else "tutti"
    return [
        *places("collective", states),
        Column("native_us", "native µs", right=True, text=microseconds),
        Column("tutti_us", f"{contender} µs", right=True, text=microseconds),
        Column("ratio", f"native/{contender}", right=True, text=times),
        Column("bounds", "95 % interval", right=True),
        Column("verdict", "verdict"),
        *(waits(contender, avoidable) if arrival else []),
        *([Column("native_overlap_percent", "native overlap %", right=True, text=percent)] if overlap else []),
        *([Column("tutti_overlap_percent", f"{contender} overlap %", right=True, text=percent)] if overlap else []),
        *([Column("bound_us", "bound µs", right=True, text=microseconds)] if bound else []),
        *([Column("times_bound", "x bound", right=True, text=times)] if bound else []),
        *([] if null else [Column("choice", "served by")]),
    ]


def places(subject: str, states: bool) -> list[Column]:
    """Which case a row is about; `states`: of several states of caches."""
    size = Column("size_text", "size", right=True)
    return [Column("collective", subject), size, *([Column("cache", "buffers")] if states else [])]


def percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def message_columns(null: bool, states: bool) -> list[Column]:
    """Of patterns of messages, which tutti leaves alone: native alone in a null test."""
    beside = [
        Column("tutti_latency_us", "tutti µs", right=True, text=microseconds),
        Column("tutti_mb_s", "tutti MB/s", right=True, text=microseconds),
    ]
    return [
        *places("pattern", states),
        Column("rounds", "rounds", right=True),
        Column("native_latency_us", "µs a round", right=True, text=microseconds),
        Column("known", "95 % interval", right=True),
        Column("native_mb_s", "MB/s, all together", right=True, text=microseconds),
        *([] if null else beside),
    ]


def waits(contender: str, avoidable: bool) -> list[Column]:
    """What is added where ranks come one after the other; `avoidable`: in collectives, whose meaning is known."""
    left = [
        Column("native_left", "native avoidable", right=True),
        Column("tutti_left", f"{contender} avoidable", right=True),
        Column("removed", "removed %", right=True),
    ]
    return [
        *(left if avoidable else []),
        Column("native_wait_us", "native wait", right=True, text=microseconds),
        Column("tutti_wait_us", f"{contender} wait", right=True, text=microseconds),
        Column("imbalance_factor", "imbalance", right=True, text=times),
    ]


def print_table(
    table: Sequence[comparison.Cell], title: str, out: Output, null: bool = False, bound: bool = False
) -> None:
    """One table for each number of ranks, pattern of arrival and definition of the time, with the states of caches in
    rows one below the other; geometric means."""
    if out.json:
        out.rows([cell.row() for cell in table], [])
        for state in joint.states_of(table):
            for name, value in comparison.mean_ratios(joint.in_state(table, state)).items():
                out.object({"mean_of": name or "all", "cache": state, "ratio": value})
        return
    states = joint.states_of(table)
    kinds = {(cell.key.ranks, cell.key.arrival, cell.timed): None for cell in table}
    for kind in sorted(kinds, key=lambda kind: kind[:2]):
        part = [cell for cell in table if (cell.key.ranks, cell.key.arrival, cell.timed) == kind]
        ranks, arrival, how = kind
        said = f"{title}, {ranks} ranks{arrival and f', {arrival}'}{buffers_text(states)}: time {how}"
        calls, messages = ([cell for cell in part if bool(cell.rounds) == sent] for sent in (False, True))
        if calls:
            overlap = any(cell.base_overlap is not None for cell in calls)
            avoidable = any(cell.avoidable for cell in calls)
            rows = [shown(cell, states) for cell in calls]
            out.rows(rows, columns(null, bound, arrival, overlap, len(states) > 1, avoidable), title=said)
            print_means(calls, out)
            out.line()
        if messages:
            rows = [shown(cell, states) for cell in messages]
            out.rows(rows, message_columns(null, len(states) > 1), title=f"{said}: messages")
            out.line()


def buffers_text(states: Sequence[str]) -> str:
    """Said of a whole table where all of it has one state, and not the one that goes without saying."""
    return f", {states[0]} buffers" if len(states) == 1 and states[0] not in ("", caches.COLD) else ""


def shown(cell: comparison.Cell, states: Sequence[str] = ()) -> dict[str, Any]:
    """With several states of caches the verdict says in which a cell is slower."""
    row = cell.row()
    if row["verdict"] == "slower" and len(states) > 1 and row["cache"]:
        row["verdict"] = f"slower ({row['cache']})"
    size = "" if has_no_size(row["collective"]) else format_size(row["size"])
    spread = cell.base_interval
    known = (
        f"{microseconds(spread.low / cell.rounds)} .. {microseconds(spread.high / cell.rounds)}"
        if (cell.rounds and spread)
        else ""
    )
    left = cell.avoidable.texts(microseconds) if cell.avoidable else ("-", "-", "-")
    waits = dict(zip(("native_left", "tutti_left", "removed"), left, strict=True))
    return row | {"size_text": size, "bounds": bounds(row), "known": known} | waits


def print_means(part: Sequence[comparison.Cell], out: Output) -> None:
    """A line for each state of caches."""
    states = joint.states_of(part)
    for state in states:
        means = comparison.mean_ratios(joint.in_state(part, state))
        words = [f"{name} {times(value)}" for name, value in means.items() if name]
        where = f", {state}" if len(states) > 1 else ""
        if means:
            out.line(f"geometric mean of the ratios{where}: {times(means[''])}   ({', '.join(words)})")


def summary_of(table: Sequence[comparison.Cell]) -> str:
    """How many cases are faster, the same, slower in either state of caches: `3 faster, 1 slower (warm)`."""
    order = ("faster", "same", "slower", "wrong")
    counts = Counter(case.verdict for case in joint.joined(table) if case.verdict)
    listed = sorted(counts, key=lambda verdict: (order.index(verdict.partition(" ")[0]), verdict))
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in listed)
