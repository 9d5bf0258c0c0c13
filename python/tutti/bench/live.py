"""What a measurement shows while it goes on: a table that fills in with a bar and the time left, or plain lines."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tutti.bench.table import case_text, microseconds, times
from tutti.output import Output
from tutti.results import caches, comparison

BELOW = 6  # lines of a terminal that are not the table's
BETWEEN = 10.0  # seconds between plain lines


def duration(seconds: float) -> str:
    """45 s, 3 min, 2.5 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def table_of(results: Sequence[Mapping[str, Any]], recent: Sequence[tuple], room: int) -> Table:
    """The cells that were measured last, as all launches so far have them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("ranks", "native µs", "other µs", "native/other"):
        table.add_column(title, justify="right")
    table.add_column("case")
    shown = set(recent[-room:]) if room > 0 else set()
    for cell in comparison.cells([r for r in results if place_of(r) in shown]):
        table.add_row(
            str(cell.key.ranks),
            microseconds(cell.base_us),
            microseconds(cell.contender_us),
            times(cell.ratio and cell.ratio.value),
            case_text(vars(cell.key)),
        )
    return table


def place_of(result: Mapping[str, Any]) -> tuple:
    return result["ranks"], result["collective"], result["size"], result.get("arrival", ""), caches.of(result)


class Display:
    """Told of every case that begins and of every result; `total` cases in all."""

    def __init__(self, out: Output, total: int):
        self._out, self._total, self._done = out, total, 0
        self._begin = self._said = time.monotonic()
        self._first: int | None = None  # cases that were there before any was measured
        self._results: list[Mapping[str, Any]] = []
        self._recent: list[tuple] = []
        self._live: Live | None = None
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=out.errors,
        )
        self._task = self._bar.add_task("", total=total)

    def begin(self, done: int, text: str) -> None:
        """`done` cases are over, and the one that is named begins."""
        self._done = done
        if self._first is None:
            self._first, self._begin = done, time.monotonic()
        self._bar.update(self._task, completed=done, description=text)
        if self._live:
            self._live.update(self._shown())
        elif time.monotonic() - self._said > BETWEEN:
            self._said = time.monotonic()
            left = self._left()
            self._out.note(f"{done} of {self._total} cases{f', about {left} left' if left else ''}: {text}")

    def add(self, results: Sequence[Mapping[str, Any]]) -> None:
        self._results += results
        for place in dict.fromkeys(map(place_of, results)):
            if place in self._recent:
                self._recent.remove(place)
            self._recent.append(place)
        if self._live:
            self._live.update(self._shown())

    def _left(self) -> str:
        measured = self._done - (self._first or 0)
        if measured <= 0:
            return ""
        return duration((time.monotonic() - self._begin) / measured * (self._total - self._done))

    def _shown(self) -> Group:
        return Group(table_of(self._results, self._recent, self._out.errors.height - BELOW), self._bar)

    @contextmanager
    def live(self) -> Iterator[Display]:
        """On a terminal the table and the bar, gone when it ends; elsewhere a line now and then; nothing with -q."""
        if self._out.quiet or not self._out.errors.is_terminal:
            yield self
            return
        with Live(self._shown(), console=self._out.errors, transient=True, refresh_per_second=4) as self._live:
            yield self
