"""One measurement with all that is derived from its samples, and every figure that can be drawn of it, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tutti.report.distribution import Distribution, distributions
from tutti.report.figures import curves, spreads, stays, timeline
from tutti.report.figures.drawing import Drawing
from tutti.report.figures.heat import heat_map
from tutti.report.measured import Cell, Measurement, Setting, slug, unusual
from tutti.results.comparison import Key

Draw = Callable[[], Drawing]


@dataclass(frozen=True)
class Study:
    """`suffix` tells the figures of one measurement from another's of the same report."""

    measurement: Measurement
    suffix: str = ""

    @cached_property
    def distributions(self) -> dict[Key, Distribution]:
        """Of each cell that has samples: read once."""
        found: dict[Key, Distribution] = {}
        for run in self.measurement.runs:
            found |= distributions(run, self.measurement.variants)
        return found

    @property
    def colours(self) -> spreads.Colours:
        return spreads.colours(self.measurement.variants)

    def compared(self, setting: Setting) -> list[str]:
        """Variants that were measured beside the base."""
        cells = self.measurement.at(setting)
        return [name for name in self.measurement.contenders if any(name in cell.ratios for cell in cells)]

    def heat_maps(self, setting: Setting) -> dict[str, Draw]:
        """One for each variant that was compared, in their order."""
        cells, names = self.measurement.at(setting), self.compared(setting)
        found: dict[str, Draw] = {}
        for name in names:
            key = slug("heatmap", *setting.words, name if len(names) > 1 else "") + self.suffix
            found[key] = lambda name=name: heat_map(self.measurement, cells, name, self.buffers(setting))
        return found

    def buffers(self, setting: Setting) -> str:
        """`warm buffers`, where that does not go without saying."""
        said = setting.cache if len(self.measurement.states) > 1 else unusual(setting.cache)
        return f"{said} buffers" if said else ""

    def sizes(self, setting: Setting) -> dict[str, Draw]:
        """Time against size, a figure a collective."""
        found: dict[str, Draw] = {}
        cells = self.measurement.at(setting)
        for name in dict.fromkeys(cell.key.collective for cell in cells):
            mine = [cell for cell in cells if cell.key.collective == name]
            key = slug("time-size", name, *setting.words) + self.suffix
            found[key] = lambda mine=mine: curves.against_size(self.measurement, mine)
        return found

    def ranks(self, arrival: str, cache: str | None = None) -> dict[str, Draw]:
        """Time against ranks, for a few sizes of each collective that was measured at several numbers of ranks."""
        found: dict[str, Draw] = {}
        cells = self.measurement.of(arrival=arrival, cache=cache)
        for name in dict.fromkeys(cell.key.collective for cell in cells):
            mine = [cell for cell in cells if cell.key.collective == name]
            for size in curves.few_sizes(mine):
                line = [cell for cell in mine if cell.key.size == size]
                if len(line) > 1:
                    key = slug("time-ranks", name, line[0].size_text, arrival, unusual(line[0].key.cache)) + self.suffix
                    found[key] = lambda line=line: curves.against_ranks(self.measurement, line)
        return found

    def of_cell(self, cell: Cell) -> dict[str, Draw]:
        """What is behind one cell.  Without samples, its launches alone."""
        found: dict[str, Draw] = {}
        distribution, of = self.distributions.get(cell.key), self.colours

        def add(kind: str, draw: Callable[..., Drawing], *more: object) -> None:
            found[f"{kind}-{cell.slug}{self.suffix}"] = lambda: draw(cell, *more)

        if distribution:
            add("histogram", spreads.histogram, distribution, of)
            add("ecdf", spreads.ecdf, distribution, of)
        add("launches", spreads.launches, of)
        if stays.stays_of(cell):
            add("stays", stays.stays, of)
        if distribution:
            add("ranks", spreads.ranks, distribution, of)
            if all(spreads.has_nodes(spread) for spread in distribution.variants.values()):
                add("nodes", spreads.nodes, distribution, of)
            add("timeline", timeline.timeline, distribution, of)
            add("slowest", timeline.timeline, distribution, of, True)
            if cell.key.arrival:
                add("arrivals", timeline.arrivals, distribution, of)
        return found

    @cached_property
    def figures(self) -> dict[str, Draw]:
        """Every figure, by name."""
        found: dict[str, Draw] = {}
        for setting in self.measurement.settings:
            found |= self.heat_maps(setting)
        for setting in self.measurement.settings:
            found |= self.sizes(setting)
        for arrival, state in self.measurement.lines:
            found |= self.ranks(arrival, state)
        for cell in self.measurement.cells:
            found |= self.of_cell(cell)
        return found


def studies(measurements: Sequence[Measurement]) -> list[Study]:
    return [Study(each, f"-{number}" if number > 1 else "") for number, each in enumerate(measurements, 1)]
