"""The table of a recording: by call site, what was called, what it took, and where tutti would help."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np

from tutti.bench.table import microseconds, times
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.record import gain as recording_gain
from tutti.record import sites, skew
from tutti.record import terms as recording_terms
from tutti.recording import Recording

SHOWN = 20  # rows of the table; --json has all


def seconds_text(value: float | None) -> str:
    """Three figures with a unit."""
    if value is None:
        return "-"
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if abs(value) * factor >= 1 or unit == "µs":
            return f"{microseconds(value * factor) if value else 0} {unit}"
    return "-"


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


COLUMNS = [
    Column("site", "call site"),
    Column("collective", "collective"),
    Column("ranks_text", "ranks", right=True),
    Column("sizes", "sizes", right=True),
    Column("calls_per_rank", "calls", right=True, text=lambda value: f"{value:.0f}"),
    Column("seconds", "time", right=True, text=seconds_text),
    Column("share", "of run", right=True, text=percent),
    Column("mean_us", "mean µs", right=True, text=microseconds),
    Column("wait_us", "wait µs", right=True, text=microseconds),
    Column("avoidable_us", "avoidable µs", right=True, text=microseconds),
    Column("choice", "tutti"),
    Column("ratio", "native/tutti", right=True, text=times),
    Column("saved", "saves", right=True, text=seconds_text),
]


def sizes_text(sizes: np.ndarray, collective: str) -> str:
    if collective == "barrier":
        return ""
    low, high = int(sizes.min()), int(sizes.max())
    return format_size(low) if low == high else f"{format_size(low)}..{format_size(high)}"


def most_common(names: np.ndarray, weights: np.ndarray) -> str:
    """The name with the greatest weight; `and others` where there are some."""
    distinct, index = np.unique(names.astype(str), return_inverse=True)
    if not len(distinct):
        return ""
    heaviest = str(distinct[np.argmax(np.bincount(index, weights))])
    return heaviest + (" and others" if len(distinct) > 1 else "")


class Summary:
    """Rows by (call site, collective, number of ranks), the longest first."""

    def __init__(self, recording: Recording, measured: recording_gain.Measured, chooser: recording_gain.Chooser):
        self.recording, self.measured, self.chooser = recording, measured, chooser
        self.calls = recording.calls()
        self.skew = skew.of(recording)
        self.otherwise: set[tuple[str, str, str]] = set()  # (collective, choice here, what was measured)
        self.rows = sorted(self._rows(), key=lambda row: -row["seconds"])

    def _rows(self) -> list[dict[str, Any]]:
        calls = self.calls
        places = list(
            zip(
                calls["object"],
                (int(address) for address in calls["address"]),
                (int(base) for base in calls["base"]),
                calls["symbol"],
                strict=True,
            )
        )
        names = sites.of(places)
        groups: dict[tuple, list[int]] = defaultdict(list)
        for number, place in enumerate(places):
            key = (names[place], calls["collective"][number], int(calls["ranks"][number]))
            groups[key].append(number)
        return [self._row(*key, np.array(numbers)) for key, numbers in groups.items()]

    def _row(self, site: str, collective: str, ranks: int, numbers: np.ndarray) -> dict[str, Any]:
        of = {name: column[numbers] for name, column in self.calls.items()}
        involved = len(np.unique(of["rank"]))
        count, seconds = int(of["calls"].sum()), float(of["seconds"].sum())
        waits = self._waits(numbers)
        row = {
            "site": site,
            "collective": collective,
            "ranks": ranks,
            "ranks_text": f"{ranks} (all)" if ranks == self.recording.ranks else str(ranks or "?"),
            "communicators": len(set(of["communicator"])),
            "calls": count,
            "calls_per_rank": count / involved,
            "sizes": sizes_text(of["size"], collective),
            "size_low": int(of["size"].min()),
            "size_high": int(of["size"].max()),
            "mean_size": float(of["bytes"].sum()) / count,
            "roots": sorted({int(root) for root in of["root"] if root >= 0}),
            "datatype": most_common(of["datatype"], of["calls"]),
            "operator": most_common(of["operator"], of["calls"]),
            "in_place": bool(of["in_place"].any()),
            "seconds": seconds / self.recording.ranks,
            "share": seconds / self.recording.ranks / self.recording.seconds,
            "mean_us": 1e6 * seconds / count,
            "least_us": 1e6 * float(of["least"].min()),
            "most_us": 1e6 * float(of["most"].max()),
            **waits,
        }
        return row | self._gain(row, of)

    def _waits(self, numbers: np.ndarray) -> dict[str, float | None]:
        """Means over calls and ranks of the wait for late ranks, of its avoidable part, and of how far apart they
        came."""
        names = ("wait", "avoidable", "apart")
        chosen = np.zeros(0, bool) if self.skew is None else np.isin(self.skew.row, numbers)
        if not chosen.any():
            return {f"{name}_us": None for name in names}
        return {f"{name}_us": 1e6 * float(getattr(self.skew, name)[chosen].mean()) for name in names}

    def _gain(self, row: dict[str, Any], of: dict[str, np.ndarray]) -> dict[str, Any]:
        """By size: which spec, the ratio that was measured, and the time it saves, a rank."""
        if self.recording.served:
            return {"choice": "", "ratio": None, "saved": None}
        wait = (row["wait_us"] or 0) * 1e-6
        saved, before, choices, weights = [], 0.0, [], []
        for number in range(len(of["size"])):
            size, seconds = float(of["bytes"][number]) / of["calls"][number], float(of["seconds"][number])
            spec = self.chooser.choose(of["communicator"][number], row["collective"], row["ranks"], round(size))
            subject = self._subject(row["collective"], of, number)
            other = self.measured.otherwise(subject, row["ranks"], spec)
            self.otherwise |= {(row["collective"], spec, other)} if other else set()
            ratio = None if other else self.measured.ratio(subject, row["ranks"], size)
            gain = recording_gain.saved(seconds, wait * of["calls"][number], ratio, spec)
            choices.append(spec)
            weights.append(seconds)
            if gain is not None:
                saved.append(gain)
                before += max(0.0, seconds - wait * of["calls"][number])
        gained = recording_gain.total(saved)
        ratio = before / (before - gained) if gained is not None and before > gained else None
        return {
            "choice": most_common(np.array(choices, dtype=object), np.array(weights)),
            "ratio": ratio,
            "saved": None if gained is None else gained / self.recording.ranks,
        }

    def _subject(self, collective: str, of: dict[str, np.ndarray], number: int) -> str:
        terms = recording_terms.terms_of(of["datatype"][number], of["operator"][number])
        return recording_terms.subject(collective, [*terms, *(["in_place"] if of["in_place"][number] else [])])


def conclusion(summary: Summary, given: int) -> list[str]:
    """What it comes to, in sentences.  `given`: folders of runs to predict from."""
    recording, rows = summary.recording, summary.rows
    spent = math.fsum(row["seconds"] for row in rows)
    lines = [
        f"collectives took {seconds_text(spent)} of {seconds_text(recording.seconds)} a rank "
        f"({percent(spent / recording.seconds)})"
    ]
    if summary.skew is None:
        why = "no call was kept by all its ranks" if recording.one_clock else "its ranks do not read one clock"
        lines.append(f"how late ranks came is not known: {why}")
    else:
        late, avoidable = (
            math.fsum((row[name] or 0) * 1e-6 * row["calls"] / recording.ranks for row in rows)
            for name in ("wait_us", "avoidable_us")
        )
        lines.append(
            f"{seconds_text(late)} of that were spent before the last rank had come: {seconds_text(avoidable)} by "
            "ranks that had all that their calls ask for (early reduce, late broadcast); the rest no faster collective "
            "takes away"
        )
    if recording.served:
        return [*lines, "tutti served these calls: what it would save is predicted from a recording without --served"]
    lines += [
        f"{collective} would be served by {here} here, {there} was measured: --profile takes the rules of that run"
        for collective, here, there in sorted(summary.otherwise)
    ]
    gain = recording_gain.total([row["saved"] for row in rows])
    covered = math.fsum(row["seconds"] for row in rows if row["saved"] is not None)
    if given and gain is not None:
        lines.append(
            f"predicted with tutti: {seconds_text(gain)} a rank less ({percent(gain / recording.seconds)} of the run), "
            f"from what was measured of {percent(covered / spent if spent else 0)} of the time in collectives"
        )
    else:
        what = "the runs given have none of these calls" if given else "no measured run was given"
        lines.append(
            f"nothing to predict a gain from: {what}; `tutti bench --replay {recording.path}` measures these calls, "
            "and --from FOLDER takes the run"
        )
    return lines


def show(summary: Summary, given: int, out: Output) -> None:
    rows = summary.rows if out.json else summary.rows[:SHOWN]
    recording = summary.recording
    how = "served by tutti" if recording.served else "as they are without tutti"
    title = f"{recording.path}: {recording.ranks} ranks, {recording.library}, {how}"
    columns = [column for column in COLUMNS if not (recording.served and column.key in ("choice", "ratio", "saved"))]
    out.rows(rows, columns, title)
    if len(summary.rows) > len(rows):
        out.line(f"and {len(summary.rows) - len(rows)} more (--json has all)")
    for line in conclusion(summary, given):
        out.line(line)
    thinning = max(part.header["thinning"] for part in recording.parts)
    if thinning > 1:
        out.detail(f"times were kept of one call in {thinning}; counts and sums are of all")
    if (summary.calls["rounded"] > 0).any():
        out.note("there were more kinds of calls than are kept apart: some sizes were rounded up to powers of two")
