"""Calls that waited for a retransmission time-out, as a table: how many, and what they do to a mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tutti.options import format_size
from tutti.report.details import number
from tutti.report.html import Value, table
from tutti.report.measured import Measurement, unusual
from tutti.results import sample_cells, timeouts

Row = list[Value | str]


def rows(measurement: Measurement) -> list[Row]:
    """One for each case and variant in which a call waited."""
    found: list[Row] = []
    for run in measurement.runs:
        if timeouts.suspected(run.results):
            times = sample_cells.load_times(run.folder)
            found += [row(each) for each in timeouts.rows(times, run.results) if each["timed_out"]]
    return found


def row(each: Mapping[str, Any]) -> Row:
    size = "" if each["collective"] == "barrier" else format_size(each["size"])
    clusters = ", ".join(f"{late}: {count}" for late, count in each["clusters"].items())
    return [
        ", ".join(filter(None, (each["collective"], each["arrival"], unusual(each["cache"])))), each["variant"],
        Value(size, each["size"], "number"), Value(str(each["ranks"]), looks="number"),
        Value(f"{each['samples']:,}", each["samples"], "number"), Value(str(each["timed_out"]), looks="number"),
        Value(f"{100 * each['share']:.3g} %", each["share"], "number"), number(each["mean_us"]),
        number(each["mean_without_us"]), clusters, Value(str(each["kernel_timed_out"]), looks="number"),
    ]  # fmt: skip


def waits_table(name: str, title: str, found: Iterable[Row], first: str = "") -> str:
    """`first`: heading of a column of the caller's own, before the others."""
    head: list[Value | str] = [*([first] if first else []), "collective", "variant"]
    head += [Value(word, looks="number") for word in ("size", "ranks", "calls", "waited", "share", "mean")]
    head += [Value("mean without them", looks="number"), "later than usual by", Value("by the kernel", looks="number")]
    return table(name, title, head, found)
