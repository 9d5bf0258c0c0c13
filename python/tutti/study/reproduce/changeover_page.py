"""The part of a report about changeovers: every algorithm's time against size, and where one takes over, in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tutti.options import format_size
from tutti.report.figures import curves
from tutti.report.html import Value, figure, section, table
from tutti.report.measured import slug
from tutti.study.reproduce import changeovers
from tutti.tuning import evidence
from tutti.tuning.evidence import Gains, Store
from tutti.tuning.layout import Layout

TITLE = "Hamid 2008, chapter 6: where one algorithm takes over from another"
NOTE = (
    "Each algorithm beside the MPI's own in turns, 95 % bands over launches. Sizes are those of tutti bench: a rank's "
    "block of an allgather and an alltoall, else the whole vector. The gain is that of the fastest algorithm over the "
    "one that MPICH's fixed sizes choose, at the measured size where it is largest. s&dbl, s&ring: a scatter, then an "
    "allgather by recursive doubling or in a ring; isend: all to all at once; rabensf.: Rabenseifner's."
)


@dataclass(frozen=True)
class Network:
    """What was measured on one network."""

    title: str
    store: Store

    def known(self) -> list[tuple[Layout, Gains]]:
        layouts = sorted({sample.layout for sample in self.store.samples})
        return [(layout, evidence.gains(self.store.of(layout))) for layout in layouts]


def panels(network: str, layout: Layout, known: Gains) -> str:
    drawn = []
    for collective in changeovers.ALGORITHMS:
        measurement = changeovers.measured(known, layout, collective)
        if len(measurement.cells) > 1:
            name = slug("changeover", network, layout.ranks, collective)
            drawn.append(figure(name, lambda m=measurement: curves.against_size(m, m.cells), collective))
    title = f"{network}: {layout.nodes} nodes, {layout.per_node} {'rank' if layout.per_node == 1 else 'ranks'} on each"
    return f'<h3>{escape(title)}</h3><div class="panels">{"".join(drawn)}</div>' if drawn else ""


def row(network: str, found: changeovers.Found) -> list[Value | str]:
    ranks, collective = found.layout.ranks, found.collective
    fixed = changeovers.text_of(collective, changeovers.mpich(collective, ranks))
    paper = changeovers.text_of(collective, changeovers.thakur_gropp(collective, ranks)) or "–"
    gain = f"{found.gain:.2f} at {format_size(found.gain_at)}" if found.gain_at else "–"
    return [
        network, collective, Value(str(ranks), looks="number"), Value(str(found.layout.per_node), looks="number"),
        Value(gain, f"{found.gain:.4g}", "number"), Value(found.measured, looks="long"), Value(fixed, looks="long"),
        Value(paper, looks="long"),
    ]  # fmt: skip


def part(networks: Sequence[Network]) -> str:
    """Nothing where nothing was measured."""
    rows, drawn = [], []
    for network in networks:
        for layout, known in network.known():
            drawn.append(panels(network.title, layout, known))
            found = (changeovers.found(known, layout, collective) for collective in changeovers.ALGORITHMS)
            rows += [row(network.title, each) for each in found if each]
    if not rows:
        return ""
    head: list[Value | str] = ["network", "collective", Value("ranks", looks="number"), Value("a node", looks="number")]
    head += [Value("gain", looks="number"), "measured here (95 %)", "MPICH's fixed sizes", "Thakur & Gropp 2002"]
    listed = table("changeovers", "Changeovers", head, rows)
    return section("changeovers", TITLE, listed + "".join(drawn), NOTE)
