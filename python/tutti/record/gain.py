"""What tutti would make of a program's calls: which it would serve, and what that gained where it was measured."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tutti import core
from tutti.record.terms import without_root
from tutti.recording import Recording
from tutti.results import comparison, joint, runs
from tutti.results.comparison import without_terms

FAR = 2.0  # a size beyond those measured is taken for the nearest up to this factor


@dataclass(frozen=True)
class Measured:
    """Ratios native/tutti by (subject, ranks), rising by size; and what served the calls that were measured.

    A subject is a collective with its terms, such as allreduce(double,max).
    """

    cells: dict[tuple[str, int], list[tuple[int, float]]]
    choices: dict[tuple[str, int], set[str]] = field(default_factory=dict)

    def nearest(self, subject: str, ranks: int) -> tuple[str, int]:
        """Itself, else without terms, else with others."""
        collective = without_terms(subject)
        others = sorted(name for name, count in self.cells if count == ranks and without_terms(name) == collective)
        ways = [name for name in (subject, collective, *others) if (name, ranks) in self.cells]
        return (ways[0] if ways else subject), ranks

    def otherwise(self, subject: str, ranks: int, choice: str) -> str:
        """What was measured instead, where that choice was not; '' where it was, or nothing is known."""
        known = self.choices.get(self.nearest(subject, ranks), set())
        return "" if not choice or not known or choice in known else min(known)

    def ratio(self, subject: str, ranks: int, size: float) -> float | None:
        """Between two sizes that were measured, on a line through the logarithms; None where nothing is near."""
        known = self.cells.get(self.nearest(subject, ranks), [])
        if not known:
            return None
        if subject == "barrier":
            return known[0][1]
        below = [cell for cell in known if cell[0] <= size]
        above = [cell for cell in known if cell[0] >= size]
        if below and above:
            (low, one), (high, other) = below[-1], above[0]
            if low == high or low <= 0:
                return one
            share = math.log(size / low) / math.log(high / low)
            return math.exp((1 - share) * math.log(one) + share * math.log(other))
        nearest = (below or above[::-1])[-1]
        near = nearest[0] > 0 and size > 0 and max(size / nearest[0], nearest[0] / size) <= FAR
        return nearest[1] if near else None


def measured(folders: Iterable[Path]) -> Measured:
    """Of runs of `tutti bench`.  A cell in which nothing can be told apart counts as 1, and one that was measured in
    several states of caches as their geometric mean, since nobody knows the program's; ranks that come apart on purpose
    are another matter and are left out.  Raises UserError where a folder holds no run."""
    results = [result for folder in folders for result in runs.load(folder).results]
    cells: dict[tuple[str, int], dict[int, float]] = defaultdict(dict)
    choices: dict[tuple[str, int], set[str]] = defaultdict(set)
    for case in joint.joined(comparison.cells(results)):
        if case.ratio and not case.key.arrival:
            value = 1.0 if case.verdict == "same" else case.ratio.value
            key = (without_root(case.key.collective), case.key.ranks)
            cells[key][case.key.size] = value
            choices[key] |= {cell.choice for cell in case.cells}
    return Measured({key: sorted(sizes.items()) for key, sizes in cells.items()}, dict(choices))


class Chooser:
    """Which spec would serve a call, by the settings and rules of this shell."""

    def __init__(self, recording: Recording, profile: str | None):
        self.recording = recording
        self.settings, self.warnings = core.read_settings(profile)
        self.library = recording.library
        self._selectors: dict[str, object] = {}

    def _selector(self, communicator: str, ranks: int):
        if communicator not in self._selectors:
            members = self.recording.communicators.get(communicator, list(range(ranks)))
            hosts = [self.recording.hosts[rank] for rank in members]
            most = max(hosts.count(host) for host in set(hosts))
            self._selectors[communicator] = core.load().Selector(
                self.settings, len(hosts), len(set(hosts)), most, library=self.library
            )
        return self._selectors[communicator]

    def choose(self, communicator: str, collective: str, ranks: int, size: int) -> str:
        """'' where there is nothing to choose: one rank alone, or a communicator that is not known."""
        if ranks < 2 or not communicator:
            return ""
        return self._selector(communicator, ranks).choose(collective, size).text


def saved(seconds: float, wait: float | None, ratio: float | None, choice: str) -> float | None:
    """Seconds less with tutti; None where nothing was measured.  Waiting for late ranks is not the collective's."""
    if choice == "native":
        return 0.0
    if ratio is None or not choice:
        return None
    return max(0.0, seconds - (wait or 0.0)) * (1 - 1 / ratio)


def total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known else None
