"""The whole of a tuning: layouts one after the other, the profile written as soon as there is something to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutti import options
from tutti.bench import environment
from tutti.bench.launch import library_of
from tutti.bench.table import times
from tutti.output import Column, Output
from tutti.results.caches import COLD
from tutti.site.mpi import Mpi
from tutti.tuning import deciding, evidence, writing
from tutti.tuning.campaign import Campaign
from tutti.tuning.deciding import UNSIZED, Changeover, Rule
from tutti.tuning.evidence import Cell, Store
from tutti.tuning.layout import Layout, Runner

MIX = ("", "last_late:1x", "random:1x")  # how ranks come: together; one after the others; each at a time of its own
COLUMNS = [
    Column("collective", "collective"),
    Column("layout", "layout"),
    Column("size", "sizes", text=lambda size: size or "any"),
    Column("use", "use"),
    Column("least", "least native/chosen", right=True, text=times),
    Column("most", "most", right=True, text=times),
]
CHANGES = [
    Column("collective", "changeover of"),
    Column("layout", "layout"),
    Column("before", "from"),
    Column("after", "to"),
    Column("size", "bytes", right=True, text=lambda size: f"{size:.0f}"),
    Column("low", "95 %: from", right=True, text=lambda size: f"{size:.0f}"),
    Column("high", "to", right=True, text=lambda size: f"{size:.0f}"),
]


def cells_of(collectives: Sequence[str], sizes: Sequence[int]) -> list[Cell]:
    """A collective without a size that all ranks know gets one in the middle of the range."""
    found = []
    for name in collectives:
        if name == "barrier":
            found.append(Cell(name, 0))
        else:
            found += [Cell(name, size) for size in ([sizes[len(sizes) // 2]] if name in UNSIZED else sizes)]
    return found


@dataclass
class Tuning:
    """`seconds` for each layout.  `able(collective, spec, layout)`: whether that may be chosen."""

    mpi: Mpi
    out: Output
    runner: Runner
    store: Store
    file: Path
    seconds: float
    arrivals: Sequence[str] = ("",)
    able: Callable[[str, str, Layout], bool] = lambda collective, spec, layout: True
    states: Sequence[str] = (COLD,)  # of caches
    refining: bool = True  # sizes between those that were asked for, where the choice changes
    campaigns: list[Campaign] = field(default_factory=list)
    interrupted: bool = False

    def __post_init__(self) -> None:
        settings = {"contender": "tutti", "seconds": self.seconds, "arrivals": list(self.arrivals)}
        settings["caches"] = list(self.states)
        self.environment = environment.describe(self.mpi, library_of(self.mpi), settings)

    @property
    def about(self) -> dict[str, Any]:
        return {
            "date": self.environment["date"][:10],
            "command": self.environment["command"],
            "caches": list(self.states),
            "environment": writing.fingerprint(self.environment),
        }

    def tune(self, layout: Layout, cells: Sequence[Cell], allowed: Mapping[Cell, list[str]] | None = None) -> None:
        """One layout, for the seconds there are.  `allowed`: the candidates of some cells; all that can serve, else."""
        campaign = Campaign(
            self.store, self.runner, self.mpi, layout, list(cells), self.seconds, self.arrivals, self.states, self.say,
            dict(allowed or {}), lambda collective, spec: self.able(collective, spec, layout),
        )  # fmt: skip
        self.campaigns.append(campaign)
        campaign.run(self.refining)

    def say(self, text: str) -> None:
        campaign = self.campaigns[-1]
        self.out.note(f"{text}; {max(0, campaign.left):.0f} s left")
        self.write()

    def decided(self) -> list[tuple[Layout, list[Rule], list[Changeover]]]:
        found = []
        for layout in sorted({sample.layout for sample in self.store.samples}):
            known = {
                cell: {spec: gain for spec, gain in of.items() if self.able(cell.collective, spec, layout)}
                for cell, of in evidence.gains(self.store.of(layout)).items()
            }
            rules, changes = [], []
            for name in dict.fromkeys(cell.collective for cell in sorted(known)):
                row = deciding.row_of(name, known)
                rules += deciding.rules(known, row)
                changes += [] if name in UNSIZED else deciding.changeovers(known, row)
            found.append((layout, rules, changes))
        return found

    def write(self) -> bool:
        """False where there is nothing to say yet."""
        tuned = self.decided()
        if any(rules for _, rules, _ in tuned):
            writing.write(self.file, writing.profile(tuned, self.about))
            return True
        return False

    def tell(self) -> None:
        """What came out."""
        tuned, out = self.decided(), self.out
        out.rows([writing.row(rule, layout) for layout, rules, _ in tuned for rule in rules], COLUMNS, self.mpi.title)
        changes = [vars(change) | {"layout": str(layout)} for layout, _, of in tuned for change in of]
        if changes:
            out.line()
            out.rows(changes, CHANGES)
        for campaign in self.campaigns:
            for cell, why in campaign.dropped.items():
                out.note(f"{cell.collective} {options.format_size(cell.size)} on {campaign.layout} was left out: {why}")
        self.tell_failures()
        self.tell_regret(tuned)

    def tell_failures(self) -> None:
        for failure in dict.fromkeys(failure for campaign in self.campaigns for failure in campaign.failures):
            self.out.warn(failure)

    def tell_regret(self, tuned) -> None:
        """With several patterns of arrival: what it costs, under each, not to have the best for it alone."""
        if len(self.arrivals) < 2:
            return
        for layout, rules, _ in tuned:
            chosen = {one.cell: rule.spec for rule in rules for one in rule.row}
            worst: dict[str, float] = {}
            for patterns in evidence.regret(self.store.of(layout), chosen).values():
                worst = {name: max(value, worst.get(name, 1.0)) for name, value in patterns.items()} | {
                    name: value for name, value in worst.items() if name not in patterns
                }
            text = ", ".join(f"{name} {value:.2f}" for name, value in sorted(worst.items()))
            self.out.note(f"{layout}: regret (time over that of the best for one pattern alone), at most: {text}")
