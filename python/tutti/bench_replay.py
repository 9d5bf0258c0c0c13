"""tutti bench --replay: the calls of a recorded program as cases, together and as far apart as its ranks came."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from tutti import recording, recording_skew
from tutti.bench_cases import CasePlan, case, with_cases
from tutti.bench_plan import Plan
from tutti.bench_run import Bench
from tutti.errors import UserError
from tutti.output import Output

MOST = 20  # cases that are replayed: those that took the program longest
LONGEST = 0.1  # seconds: calls to which ranks came further apart waited for something else, such as a file
RECORDED = "as recorded"  # what such arrivals are called in results


@dataclass(frozen=True)
class Replayed:
    """Calls of one collective, size and number of ranks."""

    collective: str
    size: int
    ranks: int
    seconds: float  # of all ranks together
    delays: np.ndarray  # a row a call: each rank's delay in seconds, the root's first

    @property
    def case(self) -> str:
        return case(self.collective, self.size)


class Replay(Bench):
    """Results say `as recorded`, and not in which file of the run the arrivals lie."""

    def _add(self, results: Sequence[dict[str, Any]]) -> None:
        def told(result: dict[str, Any]) -> dict[str, Any]:
            arrival = result.get("arrival")
            return result | ({"arrival": RECORDED, "replayed": arrival} if arrival else {})

        super()._add([told(result) for result in results])


def option(command):
    """--replay FILE: the command gets it as `replay`, a Path or None."""

    @click.option(
        "--replay",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Measure the calls of a program that `tutti record` recorded, together and as far apart as its ranks "
        "came to them.",
    )
    @functools.wraps(command)
    def with_replay(*args, **kwargs):
        return command(*args, **kwargs)

    return with_replay


def replayed(recorded: recording.Recording) -> list[Replayed]:
    """The kinds of calls, those that took longest first."""
    calls, skew = recorded.calls(), recording_skew.of(recorded)
    known = (calls["ranks"] > 1) & (calls["rounded"] < 2) & (calls["communicator"].astype(str) != "")
    groups: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for number in np.flatnonzero(known):
        size = round(int(calls["bytes"][number]) / int(calls["calls"][number]))
        groups[calls["collective"][number], size, int(calls["ranks"][number])].append(number)
    found = [
        Replayed(*key, float(calls["seconds"][rows].sum()), arrivals(skew, calls, np.array(rows), key[2]))
        for key, rows in groups.items()
    ]
    return sorted(found, key=lambda each: -each.seconds)


def arrivals(skew: recording_skew.Skew | None, calls, rows: np.ndarray, ranks: int) -> np.ndarray:
    """Delays of the calls in these rows, without those that are too long; the roots are turned to rank 0, which is the
    root in the benchmark."""
    parts = [np.empty((0, ranks))]
    for root in np.unique(calls["root"][rows]) if skew else []:
        table = recording_skew.delays(skew, rows[calls["root"][rows] == root], ranks)
        parts.append(np.roll(table, -max(int(root), 0), axis=1))
    table = np.concatenate(parts)
    return table[table.max(axis=1, initial=0) <= LONGEST][:1000]


def write_delays(each: Replayed, folder: Path) -> Path:
    """As tutti-bench reads them (src/arrival/pattern.hpp)."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{each.collective}-{each.size}-{each.ranks}.txt"
    head = (
        f"# {each.collective} of {each.size} bytes on {each.ranks} ranks: a line a call, each rank's delay in seconds"
    )
    np.savetxt(file, each.delays, fmt="%.9f", header=head[2:])
    return file.absolute()


def plan_of(chosen: Sequence[Replayed], folder: Path, usual: Plan) -> CasePlan:
    """Each case twice: ranks that come together, and as they came (where that is known)."""
    by_ranks: dict[int, list[str]] = defaultdict(list)
    for each in chosen:
        by_ranks[each.ranks].append(each.case)
        if len(each.delays):
            by_ranks[each.ranks].append(f"{each.case}@replay:{write_delays(each, folder)}")
    return with_cases(usual, by_ranks)


def say(
    all_of_them: Sequence[Replayed], chosen: Sequence[Replayed], recorded: recording.Recording, out: Output
) -> None:
    """What is replayed, and what is not as it was."""
    spent, covered = sum(each.seconds for each in all_of_them), sum(each.seconds for each in chosen)
    out.note(
        f"{recorded.path}: {len(chosen)} of {len(all_of_them)} kinds of calls, "
        f"{100 * covered / spent if spent else 100:.0f} % of the time in collectives"
    )
    if any(not len(each.delays) for each in chosen):
        names = [each.case for each in chosen if not len(each.delays)]
        out.note(f"how ranks came is not known of {', '.join(names)}")
    calls = recorded.calls()
    used = {*calls["operator"], *calls["datatype"]} - {"", "MPI_SUM", "MPI_FLOAT", "MPI_BYTE"}
    if used:
        out.detail(f"measured with MPI_FLOAT, MPI_SUM and MPI_BYTE in place of {', '.join(sorted(used))}")
    if any(name.endswith(("v", "w")) for name in calls["collective"]):
        out.detail("calls whose blocks differ are measured with blocks of their mean size")


def plan(file: Path, folder: Path, usual: Plan, out: Output) -> CasePlan:
    """Raises UserError where the recording has nothing to measure."""
    recorded = recording.load(file)
    every = replayed(recorded)
    if not every:
        raise UserError(f"{file} has no calls of more than one rank")
    chosen = every[:MOST]
    say(every, chosen, recorded, out)
    return plan_of(chosen, folder / "arrivals", usual)
