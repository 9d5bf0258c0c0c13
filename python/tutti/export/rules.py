"""A profile's first-match rules as what other libraries have: tables by number of ranks and size, without gaps.

No other format knows nodes x ranks a node as a profile does.  A rule on `nodes` and `ppn` stands for the numbers of
ranks that fill such nodes; `-N` and `--ppn` narrow an export to one placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutti import core
from tutti.errors import UserError
from tutti.options import format_size

Range = tuple[int, int | None]  # both ends belong to it; None: no end
ANY: Range = (0, None)


@dataclass(frozen=True)
class Rule:
    """One sound rule of a profile, as it matters to another library."""

    line: int
    collective: str
    use: str
    spec: Mapping[str, Any]  # name, arguments, options
    ranks: Range
    size: Range
    nodes: Range = ANY
    ppn: Range = ANY
    mpi: str = ""
    cpus: str = ""  # own or shared, where it asks for either

    @property
    def between(self) -> Mapping[str, Any] | None:
        """What runs between nodes, where the rule is a hierarchy."""
        return self.spec["arguments"][0] if self.spec["name"] == "node" and self.spec["arguments"] else None


def ranks_of(row: Mapping[str, Any]) -> Range:
    """Numbers of ranks that a rule is about: those it names, and that its nodes hold when they are full."""
    low, high = row["ranks"]
    nodes, ppn = row["nodes"], row["ppn"]
    low = max(low, nodes[0] * max(1, ppn[0]), 2)
    if nodes[1] is not None and ppn[1] is not None:
        most = nodes[1] * ppn[1]
        high = most if high is None else min(high, most)
    return low, high


def rule_of(row: Mapping[str, Any]) -> Rule:
    return Rule(
        row["line"], row["collective"], row["use"], row["spec"], ranks_of(row), row["size"] or ANY, row["nodes"],
        row["ppn"], row["mpi"], row["cpus"],
    )  # fmt: skip


def read(file: Path) -> tuple[list[Rule], list[str]]:
    """The sound rules, and a sentence about each other one.  Raises UserError where the file holds none."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the profile {file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    rows, warnings = core.load().profile_rules(text, file.name)
    if not rows:
        raise UserError(warnings[0] if warnings else f"{file} has no rules: tutti tune writes profiles")
    return [rule_of(row) for row in rows], warnings


@dataclass(frozen=True)
class Line:
    """What became of one rule, or of a part of it."""

    rule: Rule
    outcome: str  # exported, approximated, left out
    text: str  # as what, or why not

    def row(self) -> dict[str, Any]:
        return {
            "line": self.rule.line,
            "collective": self.rule.collective,
            "use": self.rule.use,
            "ranks": range_text(self.rule.ranks),
            "size": range_text(self.rule.size),
            "outcome": self.outcome,
            "text": self.text,
        }


class NotHere(Exception):
    """The format cannot say that; the text says why."""


@dataclass
class Report:
    lines: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # how to use what was written

    def add(self, rule: Rule, outcome: str, text: str) -> None:
        line = Line(rule, outcome, text)
        if line not in self.lines:
            self.lines.append(line)


@dataclass(frozen=True)
class Target:
    """A spec in another library's words: what goes into the file, and what is not quite the same."""

    value: Any
    text: str
    differs: str = ""


Translate = Callable[[Rule], Target]


@dataclass(frozen=True)
class Piece:
    """Sizes from `low` to `high` of one band; `value` None is the other library's own choice."""

    low: int
    high: int | None
    value: Any


@dataclass(frozen=True)
class Band:
    """Numbers of ranks that share their pieces, which cover all sizes from 0."""

    low: int
    high: int | None
    pieces: tuple[Piece, ...]


def range_text(of: Range) -> str:
    """As a profile writes it; numbers of ranks without K."""
    low, high = of
    if high is None:
        return "any" if low <= 2 else f"{format_size(low)}:"
    return format_size(low) if low == high else f"{format_size(low)}:{format_size(high)}"


def contains(of: Range, value: int) -> bool:
    return of[0] <= value and (of[1] is None or value <= of[1])


def edges(ranges: Iterable[Range], first: int) -> list[int]:
    """Where something begins or has ended."""
    found = {first}
    for low, high in ranges:
        found |= {max(low, first)} | ({high + 1} if high is not None else set())
    return sorted(edge for edge in found if edge >= first)


def intervals(starts: Sequence[int]) -> list[Range]:
    return [(low, starts[i + 1] - 1 if i + 1 < len(starts) else None) for i, low in enumerate(starts)]


def translated(rules: Iterable[Rule], translate: Translate, report: Report) -> list[tuple[Rule, Any]]:
    """Each with its value; None, told in the report, where the format cannot say it: the library then decides."""
    found = []
    for rule in rules:
        try:
            target = translate(rule)
        except NotHere as why:
            report.add(rule, "left out", str(why))
            found.append((rule, None))
            continue
        report.add(
            rule,
            "approximated" if target.differs else "exported",
            target.text + (f": {target.differs}" if target.differs else ""),
        )
        found.append((rule, target.value))
    return found


def bands(rules: Sequence[tuple[Rule, Any]]) -> list[Band]:
    """Of one collective: first match, cut into bands and pieces; neighbours with equal contents are joined."""
    result: list[Band] = []
    for low, high in intervals(edges((rule.ranks for rule, _ in rules), 2)):
        here = [(rule, value) for rule, value in rules if contains(rule.ranks, low)]
        pieces: list[Piece] = []
        for least, most in intervals(edges((rule.size for rule, _ in here), 0)):
            value = next((value for rule, value in here if contains(rule.size, least)), None)
            if pieces and pieces[-1].value == value:
                least = pieces.pop().low
            pieces.append(Piece(least, most, value))
        if result and result[-1].pieces == tuple(pieces):
            low = result.pop().low
        result.append(Band(low, high, tuple(pieces)))
    return result


def by_collective(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.collective, []).append(rule)
    return found


def chosen_for(
    rules: Iterable[Rule], library: str, nodes: int | None, per_node: int | None, report: Report
) -> list[Rule]:
    """Those that can matter to that library on that placement; the others are told."""
    found = []
    for rule in rules:
        if rule.mpi not in core.load().mpi_letters(library):
            report.add(rule, "left out", "the rule holds under another MPI library alone")
        elif rule.cpus == "shared":
            report.add(rule, "left out", "it is about ranks that share CPUs")
        elif nodes is not None and not contains(rule.nodes, nodes):
            report.add(rule, "left out", f"it is not about {nodes} nodes")
        elif per_node is not None and not contains(rule.ppn, per_node):
            report.add(rule, "left out", f"it is not about {per_node} ranks a node")
        elif rule.ranks[1] is not None and rule.ranks[1] < rule.ranks[0]:
            report.add(rule, "left out", "no number of ranks fills its nodes")
        else:
            found.append(rule)
    for name, of in by_collective(found).items():
        clash = {(rule.nodes, rule.ppn) for rule in of if rule.nodes != ANY or rule.ppn != ANY}
        overlap = [(a, b) for a in of for b in of if a.line < b.line and (a.nodes, a.ppn) != (b.nodes, b.ppn)
                   and contains(a.ranks, b.ranks[0])]  # fmt: skip
        if len(clash) > 1 and overlap:
            report.notes.append(
                f"{name}: rules for different placements meet at the same numbers of ranks, and the first of them "
                "wins; -N and --ppn export one placement"
            )
    return found


def option(spec: Mapping[str, Any], name: str, collective: str) -> int:
    """A parameter of an algorithm: what the spec says, else the catalogue's standard."""
    if name in spec["options"]:
        return spec["options"][name]
    algorithm = core.load().algorithm(collective, spec["name"])
    return next(parameter.standard for parameter in algorithm.parameters if parameter.name == name)


def steps(band: Band, largest: int = 1 << 16) -> list[Range]:
    """A band in doublings, for formats whose sizes are the call's and grow with the number of ranks."""
    found: list[Range] = []
    low = band.low
    while True:
        ends = (band.high is not None and 2 * low > band.high) or (band.high is None and low >= largest)
        found.append((low, band.high if ends else 2 * low - 1))
        if ends:
            return found
        low *= 2
