"""Space-time pictures as SVG: time goes right, a round a band; a rank a line; a message a curve that leaves the name
of its blocks; a circled plus where a rank combines.  Knows timelines, and no algorithm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from tutti.study.blocks import Naming

# Blocks keep their colour; light and dark pages each have their own.
LIGHT = ("#2563a8", "#b8551b", "#2c7d4f", "#9a3b86", "#8a6d12", "#17808a", "#b23a48", "#6650b3")
DARK = ("#7ab3f0", "#eb9a5f", "#69c791", "#de8fce", "#d8bb57", "#5cc7d1", "#f08791", "#ab9cf0")
STYLE = """
text{{font:{font}px system-ui,sans-serif;fill:#1f2733}}
.h{{font-weight:600;font-size:15px}}
.q{{fill:#5f6b7a;font-size:12px}}
.c{{text-anchor:middle}}.e{{text-anchor:end}}
.g{{fill:#fff}}.a{{fill:#f3f5f8}}
.l{{stroke:#c9d0d9}}
.m{{fill:none;stroke:currentColor;stroke-width:{line};stroke-linejoin:round;stroke-linecap:round}}
.p{{stroke:currentColor;stroke-width:{pill};stroke-linecap:round}}
.t{{fill:#fff;text-anchor:middle}}
.r{{fill:#fff;stroke:#1f2733;stroke-width:1.3}}
.n{{color:#4a5565}}
"""
NIGHT = """
text{fill:#e4e8ee}.q{fill:#97a3b3}.g{fill:#161a20}.a{fill:#1e242c}.l{stroke:#3d4754}.t{fill:#12161b}
.r{fill:#161a20;stroke:#e4e8ee}.n{color:#aeb8c6}
"""
LEFT, TOP, BOTTOM, EDGE = 66, 86, 40, 18
MARK = 9  # room for a mark between an arrival and what leaves next
WIDEST = 3200
LETTERS = {",": 0.32, " ": 0.32, ".": 0.32, "–": 0.5, "→": 0.84, "m": 0.9}  # widths in ems; digits are 0.62


@dataclass(frozen=True)
class Scale:
    """Sizes that depend on the number of ranks: many ranks, small lines; very many, no names."""

    row: int
    font: int
    longest: int  # letters of a name

    @classmethod
    def of(cls, ranks: int) -> Scale:
        for most, scale in ((8, cls(44, 12, 18)), (16, cls(32, 11, 14)), (32, cls(22, 10, 10)), (64, cls(15, 8, 10))):
            if ranks <= most:
                return scale
        return cls(9, 8, 0)

    @property
    def pill(self) -> int:
        return min(self.font + 6, self.row - 4)

    def width(self, name: str) -> int:
        """Of a pill without its round ends, whatever the reader's font."""
        return round(self.font * sum(LETTERS.get(letter, 0.62) for letter in name) - 0.3 * self.font)


@dataclass(frozen=True)
class Picture:
    """One picture.  `title` and `subtitle` stand above it."""

    title: str
    subtitle: str
    ranks: int
    timeline: object
    naming: Naming
    root: int | None = None

    @cached_property
    def scale(self) -> Scale:
        return Scale.of(self.ranks)

    def name(self, message) -> str:
        short = self.naming.short(message.pieces)
        if len(short) > self.scale.longest:
            short = f"{len(message.pieces)} blocks"
        short = f"{'#' if message.sized else ''}{'?' if message.in_any_order else ''}{short}"
        return short if len(short) <= self.scale.longest else ""

    def words(self, message) -> str:
        """What it carries, and how."""
        carried = self.naming.long(message.pieces)
        carried += ", with its size" if message.sized else ""
        return carried + (", in any order" if message.in_any_order else "")

    @cached_property
    def bands(self) -> list[Band]:
        """Where each round lies.  Long ways need wide bands, or their curves would be walls."""
        wide, far = defaultdict(int), defaultdict(int)
        for message in self.timeline.messages:
            wide[message.begin] = max(wide[message.begin], self.scale.width(self.name(message)))
            far[message.begin] = max(far[message.begin], abs(message.sender - message.receiver))
        reach = [min(220, 34 + round(0.3 * self.scale.row * far[time])) for time in range(self.timeline.end)]
        names = [wide[time] + self.scale.pill + 2 * MARK for time in range(self.timeline.end)]
        squeeze = min(1.0, max(0.1, (WIDEST - sum(names)) / max(1, sum(reach))))
        bands, left = [], LEFT + MARK
        for name, way in zip(names, reach, strict=True):
            bands.append(Band(left, left + name - MARK, left + name + max(14, round(way * squeeze))))
            left = bands[-1].end
        return bands

    @property
    def right(self) -> int:
        return self.bands[-1].end if self.bands else LEFT + 60

    def y(self, rank: int) -> int:
        return TOP + self.scale.row * rank + self.scale.row // 2

    @cached_property
    def meanings(self) -> list[tuple[str, str]]:
        """What the legend says: the mark ('+' combines, '=' copies, '' none), and its meaning."""
        works = self.timeline.works
        found = [("+", "combines")] if any(work.reduces for work in works) else []
        found += [("=", "copies")] if any(not work.reduces for work in works) else []
        means = self.naming.legend(self.timeline.messages)
        means += "; #: with their sizes" if any(message.sized for message in self.timeline.messages) else ""
        means += "; ?: in any order" if any(message.in_any_order for message in self.timeline.messages) else ""
        return [*found, ("", means)]

    def svg(self) -> str:
        """The whole file."""
        width = max(self.right + EDGE, 7 * len(self.subtitle), 9 * len(self.title), self.legend_width()) + EDGE
        height = TOP + self.scale.row * self.ranks + BOTTOM
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="img">',
            f"<title>{escape(self.title)}: {escape(self.subtitle)}</title>",
            f"<style>{self.style()}</style>",
            f'<rect class="g" width="{width}" height="{height}" rx="8"/>',
            f'<text class="h" x="{EDGE}" y="30">{escape(self.title)}</text>',
            f'<text class="q" x="{EDGE}" y="50">{escape(self.subtitle)}</text>',
            *self.rounds(),
            *self.lines(),
            *map(self.arrow, self.timeline.messages),
            *self.marks(),
            *self.legend(height - 18),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def style(self) -> str:
        used = {colour % len(LIGHT) for m in self.timeline.messages if (colour := self.colour(m)) is not None}

        def colours(palette: Sequence[str]) -> str:
            return "".join(f".b{i}{{color:{palette[i]}}}" for i in sorted(used))

        line = 1.6 if self.ranks <= 16 else 1.2
        day = STYLE.format(font=self.scale.font, pill=self.scale.pill, line=line) + colours(LIGHT)
        return f"{day}\n@media (prefers-color-scheme:dark){{{NIGHT}{colours(DARK)}\n}}\n"

    def colour(self, message) -> int | None:
        return self.naming.colour(message.pieces)

    def rounds(self) -> Iterator[str]:
        """A band a round, every other one shaded, with its number."""
        height, every = self.scale.row * self.ranks, 1 if len(self.bands) <= 60 else 5
        if self.bands:
            yield f'<text class="q e" x="{LEFT - 12}" y="{TOP - 10}">round</text>'
        for number, band in enumerate(self.bands, 1):
            if number % 2:
                yield f'<rect class="a" x="{band.start}" y="{TOP}" width="{band.end - band.start}" height="{height}"/>'
            if number % every == 0:
                yield f'<text class="q c" x="{(band.start + band.end) // 2}" y="{TOP - 10}">{number}</text>'

    def lines(self) -> Iterator[str]:
        """A line a rank, with its number."""
        ends = "".join(f"M{LEFT} {self.y(rank)}H{self.right + MARK}" for rank in range(self.ranks))
        yield f'<path class="l" d="{ends}"/>'
        for rank in range(self.ranks):
            text = f"root {rank}" if rank == self.root else str(rank)
            yield f'<text class="e" x="{LEFT - 12}" y="{self.y(rank) + self.scale.font // 3}">{text}</text>'

    def arrow(self, message) -> str:
        """The name of the blocks on the sender's line, and a curve from there to the receiver's."""
        band, name = self.bands[message.begin], self.name(message)
        start, end, half = band.start + MARK, band.end - MARK, self.scale.pill // 2
        here, there = self.y(message.sender), self.y(message.receiver)
        wide = self.scale.width(name) if name else 0
        middle = (band.leave + end) // 2
        tip = max(2, self.scale.pill // 4)
        curve = f"M{start} {here}H{band.leave}C{middle} {here} {middle} {there} {end} {there}"
        head = f"m-{tip + 1}-{tip}l{tip + 1} {tip}l-{tip + 1} {tip}"
        colour = self.colour(message)
        said = f"round {message.begin + 1}, {message.sender} to {message.receiver}: {self.words(message)}"
        parts = [f'<g class="{"n" if colour is None else f"b{colour % len(LIGHT)}"}"><title>{escape(said)}</title>']
        parts.append(f'<path class="m" d="{curve}{head}"/>')
        if name:
            parts.append(f'<path class="p" d="M{start + half} {here}h{wide}"/>')
            x, y = start + half + wide // 2, here + round(self.scale.font * 0.36)
            parts.append(f'<text class="t" x="{x}" y="{y}">{escape(name)}</text>')
        elif self.scale.longest:
            parts.append(f'<circle cx="{start + 2}" cy="{here}" r="3" fill="currentColor"/>')
        return "".join([*parts, "</g>"])

    def marks(self) -> Iterator[str]:
        """Where ranks combine or copy: one mark for each place, the plus where both."""
        places = defaultdict(list)
        for work in self.timeline.works:
            places[work.at, work.rank].append(work)
        size = max(2, min(6, self.scale.row // 3 - 1))
        for (time, rank), works in places.items():
            x = self.bands[time - 1].end if time else LEFT + MARK
            title = escape("; ".join(work.text for work in works))
            drawn = mark(x, self.y(rank), size, any(work.reduces for work in works))
            yield f"<g><title>{title}</title>{drawn}</g>"

    def legend(self, y: int) -> Iterator[str]:
        x = EDGE
        for sign, meaning in self.meanings:
            if sign:
                yield mark(x + 5, y, 5, sign == "+")
                x += 16
            yield f'<text class="q" x="{x}" y="{y + 4}">{escape(meaning)}</text>'
            x += 7 * len(meaning) + 16

    def legend_width(self) -> int:
        return EDGE + sum(7 * len(meaning) + 32 for _, meaning in self.meanings)


def mark(x: int, y: int, size: int, reduces: bool) -> str:
    """A circled plus, or an empty box."""
    if not reduces:
        return f'<rect class="r" x="{x - size + 1}" y="{y - size + 1}" width="{2 * size - 2}" height="{2 * size - 2}"/>'
    plus = f"M{x - size} {y}h{2 * size}M{x} {y - size}v{2 * size}"
    return f'<circle class="r" cx="{x}" cy="{y}" r="{size}"/><path class="r" d="{plus}"/>'


@dataclass(frozen=True)
class Band:
    """A round's place: names stand from `start` to `leave`, curves go on from there to `end`."""

    start: int
    leave: int
    end: int
