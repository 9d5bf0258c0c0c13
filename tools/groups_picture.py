"""Draws sweeps over the number of groups beside Hasanov's formulas, and prints them as a table.

    python3 tools/smpi.py sweep bcast --nodes 128 --spec chain 'groups({G}, chain)' --json > chain.jsonl
    .venv/bin/python tools/groups_picture.py chain.jsonl -o groups.svg

A row of panels a size, a column an algorithm: simulated times (marks) and the formula's (dashes) against G.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from pathlib import Path

from hasanov import FORMULAS, Call, best_groups
from tutti.options import format_size
from tutti.report.figures.axes import Scale, ratio_text, ticks, time_text

GROUPED = re.compile(r"groups\((\d+), (.*)\)")
NAMED = re.compile(r"(\w+)(?:\(segment=(\w+)\))?")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
STANDARD_SEGMENT = 64 << 10  # of the catalogue

WIDTH, HEIGHT = 330, 220  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 26, 42
HEAD = 24  # the legend
STYLE = """
text{font:11px system-ui,"Segoe UI",Roboto,sans-serif;fill:#626973}.h{font-weight:600;font-size:12px;fill:#1c1f24}
.page{fill:#fbfbfa}.grid{stroke:#e4e5e7}.axis{stroke:#626973}.line{fill:none;stroke-width:2}.sim{stroke:#1f5fd6}
.mark{fill:#1f5fd6}.formula{stroke:#8a8f98;stroke-dasharray:5 4;stroke-width:1.6}.best{fill:none;stroke:#1f5fd6}
@media (prefers-color-scheme:dark){text{fill:#9aa1ab}.h{fill:#e8eaed}.page{fill:#14161a}.grid{stroke:#30343c}
.axis{stroke:#9aa1ab}.sim,.best{stroke:#74a7ff}.mark{fill:#74a7ff}.formula{stroke:#8d94a0}}
"""


def size_of(text: str) -> int:
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


@dataclass(frozen=True)
class Sweep:
    """One algorithm at one size: seconds by the number of groups."""

    spec: str
    call: Call
    seconds: dict[int, float]

    @property
    def name(self) -> str:
        return NAMED.fullmatch(self.spec)[1]

    def formula(self, groups: int) -> float:
        return FORMULAS[self.name](self.call, groups)

    @property
    def best(self) -> int:
        return min(self.seconds, key=lambda groups: self.seconds[groups])

    @property
    def gain(self) -> float | None:
        """Over the algorithm as it is, where that was simulated."""
        return self.seconds[1] / self.seconds[self.best] if 1 in self.seconds else None

    @property
    def wanted(self) -> float:
        return best_groups(self.name, self.call)


def sweeps_in(files: list[Path]) -> list[Sweep]:
    """In the order in which algorithms and sizes come first; one group is what stands there without groups."""
    times: dict[tuple, dict[int, float]] = defaultdict(dict)
    for row in (json.loads(line) for file in files for line in file.read_text().splitlines()):
        grouped = GROUPED.fullmatch(row["choice"])
        spec, groups = (grouped[2], int(grouped[1])) if grouped else (row["choice"], 1)
        size = row["bytes"]
        segments = -(-size // size_of(NAMED.fullmatch(spec)[2] or str(STANDARD_SEGMENT)))
        call = Call(row["ranks"], size, segments, row["latency"], 1 / row["bandwidth"])
        times[spec, call][groups] = row["median"]
    return [Sweep(spec, call, dict(sorted(found.items()))) for (spec, call), found in times.items()]


def axes(sweep: Sweep, x: Scale, y: Scale) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value in ticks(y.low, y.high):
        parts += [
            f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>',
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{time_text(value, "g")}</text>',
        ]
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    powers = [1 << k for k in range(max(sweep.seconds).bit_length())]
    parts += [f'<text x="{x(g):.1f}" y="{bottom + 15}" text-anchor="middle">{g}</text>' for g in powers]
    return parts


def panel(sweep: Sweep, left: int, top: int) -> str:
    """Times in microseconds, for the axis' words."""
    found = {groups: seconds * 1e6 for groups, seconds in sweep.seconds.items()}
    formula = {groups: sweep.formula(groups) * 1e6 for groups in found}
    values = [*found.values(), *formula.values()]
    x = Scale(1, max(found), LEFT + 8, WIDTH - RIGHT - 8)
    y = Scale(min(values) / 1.15, max(values) * 1.15, HEIGHT - BOTTOM, TOP)
    line = lambda points: " ".join(f"{x(g):.1f},{y(t):.1f}" for g, t in points.items())  # noqa: E731
    best, gain = sweep.best, sweep.gain
    told = f"least at G = {best}" + (": no groups" if best == 1 else f", {ratio_text(gain)} faster" if gain else "")
    title = f"{sweep.spec}, {format_size(sweep.call.bytes)}"
    return "\n".join(
        [
            f'<g transform="translate({left},{top})"><text class="h" x="{LEFT}" y="16">{escape(title)}</text>',
            *axes(sweep, x, y),
            f'<polyline class="line formula" points="{line(formula)}"/>',
            f'<polyline class="line sim" points="{line(found)}"/>',
            *[
                f'<circle class="mark" cx="{x(g):.1f}" cy="{y(t):.1f}" r="3">'
                f"<title>G = {g}: {time_text(t)}</title></circle>"
                for g, t in found.items()
            ],
            f'<circle class="best" cx="{x(best):.1f}" cy="{y(found[best]):.1f}" r="6.5"/>',
            f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">{escape(told)}</text></g>',
        ]
    )


def picture(sweeps: list[Sweep]) -> str:
    specs = list(dict.fromkeys(sweep.spec for sweep in sweeps))
    sizes = sorted({sweep.call.bytes for sweep in sweeps})
    width, height = WIDTH * len(specs), HEAD + HEIGHT * len(sizes)
    legend = f"{sweeps[0].call.ranks} ranks: time of a broadcast in G groups; marks simulated, dashes by the formula"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
            f' aria-label="{escape(legend)}"><style>{STYLE}</style>',
            f'<rect class="page" width="{width}" height="{height}"/><text class="h" x="{LEFT}" y="17">{legend}</text>',
            *[panel(s, WIDTH * specs.index(s.spec), HEAD + HEIGHT * sizes.index(s.call.bytes)) for s in sweeps],
            "</svg>\n",
        ]
    )


def table(sweeps: list[Sweep]) -> str:
    """As docs/performance.md has it."""
    lines = [
        "| ranks | size | algorithm | as it is | best G | time | gain | formula's G | formula's gain |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for s in sorted(sweeps, key=lambda s: (s.call.ranks, s.call.bytes)):
        flat = s.seconds.get(1)
        cells = [
            s.call.ranks,
            format_size(s.call.bytes),
            f"`{s.spec}`",
            time_text(flat * 1e6) if flat else "",
            s.best,
            time_text(s.seconds[s.best] * 1e6),
            f"{s.gain:.2f}" if s.gain else "",
            f"{s.wanted:.3g}",
            f"{s.formula(1) / s.formula(s.wanted):.2f}",
        ]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="what tools/smpi.py sweep --json wrote")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the picture, SVG")
    options = parser.parse_args()
    sweeps = sweeps_in(options.files)
    options.output.write_text(picture(sweeps))
    print(table(sweeps))


if __name__ == "__main__":
    main()
