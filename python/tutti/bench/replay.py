"""tutti bench --replay: the calls of a recorded program as cases, together and as far apart as its ranks came."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from tutti import recording
from tutti.bench.cases import CasePlan, case, with_cases
from tutti.bench.plan import Plan
from tutti.bench.run import Bench
from tutti.errors import UserError
from tutti.output import Output
from tutti.record import skew as recording_skew
from tutti.record import terms as recording_terms

MOST = 20  # cases that are replayed: those that took the program longest
LONGEST = 0.1  # seconds: calls to which ranks came further apart waited for something else, such as a file
RECORDED = "as recorded"  # what such arrivals are called in results


@dataclass(frozen=True)
class Replayed:
    """Calls of one collective (with its terms, such as allreduce(double,max)), size and number of ranks."""

    subject: str
    size: int
    ranks: int
    seconds: float  # of all ranks together
    delays: np.ndarray  # a row a call: each rank's delay in seconds, the root's first

    @property
    def case(self) -> str:
        return case(self.subject, self.size)


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
    groups: dict[tuple[str, tuple[str, ...], int, int], list[int]] = defaultdict(list)
    for number in np.flatnonzero(known):
        size = round(int(calls["bytes"][number]) / int(calls["calls"][number]))
        collective = calls["collective"][number]
        terms = recording_terms.terms_of(calls["datatype"][number], calls["operator"][number])
        # In place is the root's alone where there is one: its row belongs to the others'.
        terms += ("in_place",) if calls["in_place"][number] and calls["root"][number] < 0 else ()
        groups[collective, terms, size, int(calls["ranks"][number])].append(number)
    found = [replayed_group(*key, np.array(rows), calls, skew) for key, rows in groups.items()]
    return sorted(found, key=lambda each: -each.seconds)


def replayed_group(
    collective: str, terms: tuple[str, ...], size: int, ranks: int, rows: np.ndarray, calls, skew
) -> Replayed:
    """Calls that differ in their roots at most."""
    roots = np.unique(calls["root"][rows])
    words = list(terms)
    if roots[0] >= 0 and calls["in_place"][rows].any():
        words.append("in_place")
    if len(roots) == 1 and roots[0] > 0:
        words.append(f"root={roots[0]}")
    delays = arrivals(skew, calls, rows, ranks, turned=len(roots) > 1)
    return Replayed(
        recording_terms.subject(collective, words), size, ranks, float(calls["seconds"][rows].sum()), delays
    )


def arrivals(skew: recording_skew.Skew | None, calls, rows: np.ndarray, ranks: int, turned: bool) -> np.ndarray:
    """Delays of the calls in these rows, without those that are too long; `turned`: so that the root is rank 0."""
    parts = [np.empty((0, ranks))]
    for root in np.unique(calls["root"][rows]) if skew else []:
        table = recording_skew.delays(skew, rows[calls["root"][rows] == root], ranks)
        parts.append(np.roll(table, -max(int(root), 0), axis=1) if turned else table)
    table = np.concatenate(parts)
    return table[table.max(axis=1, initial=0) <= LONGEST][:1000]


def write_delays(each: Replayed, folder: Path) -> Path:
    """As tutti-bench reads them (src/arrival/pattern.hpp)."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9_]+", "-", each.subject).strip("-")
    file = folder / f"{name}-{each.size}-{each.ranks}.txt"
    head = f"{each.subject} of {each.size} bytes on {each.ranks} ranks: a line a call, each rank's delay in seconds"
    np.savetxt(file, each.delays, fmt="%.9f", header=head)
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
    kinds = set(zip(calls["datatype"], calls["operator"], strict=True))
    others = {
        f"{operator} of {datatype}" for datatype, operator in kinds if recording_terms.replaced(datatype, operator)
    }
    if others:
        out.detail(f"measured with MPI_SUM of MPI_FLOAT in place of {', '.join(sorted(others))}")
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
