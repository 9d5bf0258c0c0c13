"""Where and how a measurement was made: machine, MPI, clock, method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tutti.bench.timing import clock_text
from tutti.report.figures.axes import share_text
from tutti.report.html import Value, table, times
from tutti.report.measured import Measurement
from tutti.results.runs import Run

SYNCS = {
    "round": "at a moment announced in advance, on the global clock",
    "flags": "when all had come to a row of shared flags",
    "messages": "after a dissemination of the benchmark's own messages",
    "barrier": "after the MPI library's own barrier",
}
BUFFERS = {
    "cold": "others each time, more than the caches hold, with other contents",
    "warm": "the same ones again, with the same contents, after a call that is not timed",
    "fresh": "the same ones again, just written anew",
    "flushed": "the same ones again, written anew and driven out of all caches",
}


def described(pairs: list[tuple[str, object]]) -> str:
    """A list of terms; what is missing is left out."""
    terms = "".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in pairs if value)
    return f"<dl>{terms}</dl>" if terms else ""


def machine_text(run: Run) -> str:
    machine = run.environment.get("machine") or {}
    parts = [
        machine.get("cpu"),
        f"{machine['cpus']} CPUs" if machine.get("cpus") else None,
        f"{machine['memory_gib']} GiB" if machine.get("memory_gib") else None,
        f"Linux {machine['kernel']}" if machine.get("kernel") else None,
    ]
    return ", ".join(part for part in parts if part)


def launches_of(run: Run) -> list[Mapping[str, Any]]:
    return run.environment.get("launches") or []


def environment(runs: Sequence[Run]) -> str:
    """The circumstances: what all runs share once, then what is each one's own."""
    every = [circumstances(run) for run in runs]
    shared = [pair for pair in every[0] if all(pair in pairs for pairs in every)]
    own = "".join(described([pair for pair in pairs if pair not in shared]) for pairs in every)
    return described(shared) + own


def circumstances(run: Run) -> list[tuple[str, object]]:
    known = run.environment
    machine, library = known.get("machine") or {}, known.get("mpi") or {}
    first = launches_of(run)[0] if launches_of(run) else {}
    load = machine.get("load_before")
    variables = " ".join(f"{name}={value}" for name, value in (known.get("variables") or {}).items())
    return [
        ("Machine", machine_text(run)),
        ("Host", first.get("host") or machine.get("host")),
        ("Governor", machine.get("governor")),
        ("Load before", f"{load:.2f}" if load is not None else None),
        ("MPI", ", ".join(str(library[key]) for key in ("title", "origin", "library") if library.get(key))),
        ("MPI says", first.get("mpi_version")),
        ("tutti", first.get("tutti_version") or known.get("tutti")),
        ("Variables", variables),
        ("Command", known.get("command")),
        ("Date", known.get("date")),
        ("Data", str(run.folder)),
    ]


def how(measurement: Measurement) -> list[tuple[str, object]]:
    """The method in words, from what the runs say of themselves."""
    runs = measurement.runs
    settings: Mapping[str, Any] = next((r.environment["settings"] for r in runs if r.environment.get("settings")), {})
    syncs = dict.fromkeys(launch["sync"] for run in runs for launch in launches_of(run) if launch.get("sync"))
    clocks = [clock_text(launch["clock"]) for run in runs for launch in launches_of(run) if launch.get("clock")]
    rows = [row for run in runs for row in run.results]
    samples = sum(row.get("repetitions", 0) for row in rows)
    late = sum(row.get("late", 0) for row in rows)
    return [
        ("Time of a repetition", "; ".join(dict.fromkeys(cell.timed for cell in measurement.cells if cell.times))),
        ("Figure", "median of the repetitions of a launch; geometric mean over the launches"),
        ("Interval", "95 %, Student's of the logarithms over launches; of one launch, from the medians' intervals"),
        ("Launches", settings.get("launches")),
        ("Time limit", f"{settings['seconds']:g} s a case and launch" if settings.get("seconds") else None),
        ("Ranks begin", "; ".join(f"{SYNCS.get(sync, sync)} ({sync})" for sync in syncs)),
        ("Buffers", "; ".join(f"{state}: {BUFFERS[state]}" for state in measurement.states if state)),
        ("Results", {True: "checked, outside the timed part", False: "not checked"}.get(settings.get("check"))),
        ("Clock", clocks[-1] if clocks else None),
        (
            "Repetitions",
            f"{samples:,} counted, {late:,} late ones left out ({share_text(late / max(1, samples + late))})",
        ),
        ("Method", next((run.environment["method"] for run in runs if run.environment.get("method")), None)),
    ]


def clock_rows(run: Run) -> list[list[Value | str]]:
    rows: list[list[Value | str]] = []
    for launch in launches_of(run):
        for report in launch.get("clock") or []:
            rows.append(
                [
                    Value(str(launch.get("launch", "")), looks="number"),
                    Value(str(launch.get("ranks", "")), looks="number"),
                    str(launch.get("sync", "")),
                    str(report.get("source", "")),
                    str(report.get("method", "")),
                    str(report.get("when", "")),
                    times(report.get("error_us"), f"{report.get('error_us', 0):.3f} µs"),
                    times(report.get("uncertainty_us"), f"{report.get('uncertainty_us', 0):.3f} µs"),
                ]
            )
    return rows


def clocks(measurement: Measurement) -> str:
    """The clock's residual error in every launch."""
    rows = [row for run in measurement.runs for row in clock_rows(run)]
    if not rows:
        return ""
    head = [
        Value("launch", looks="number"), Value("ranks", looks="number"), "begin", "clock", "method", "when",
        Value("error", looks="number"), Value("known to ±", looks="number"),
    ]  # fmt: skip
    listed = table("clock", "The clock's residual error", head, rows)
    return f"<details><summary>The clock in every launch</summary>{listed}</details>"
