"""Rules as the text of a profile (TOML), each with the measurement behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tutti.bench.table import times
from tutti.options import format_size
from tutti.results import caches, joint
from tutti.results.joint import Joint
from tutti.tuning.rules import Rule

HEAD = """\
# Written by `tutti tune`; programs take it as TUTTI_PROFILE=FILE or by `tutti run --profile FILE`.
# The first rule that matches a call serves it.
"""


def text(value: Any) -> str:
    """A TOML value; strings, numbers, and tables of them."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {text(part)}" for key, part in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {text(value)}\n" for key, value in table.items())


def evidence(cells: Sequence[Joint]) -> list[dict[str, Any]]:
    """Of cells with a ratio: an interval of one launch has no upper end.  Of several states of caches each one's."""
    return [
        {
            "ranks": cell.key.ranks,
            "size": cell.key.size,
            "ratio": round(cell.ratio.value, 3),
            "low": round(cell.ratio.interval.low, 3),
            "high": round(min(cell.ratio.interval.high, 9999.0), 3),
            "launches": cell.ratio.launches,
            **({state: round(value, 3) for state, value in cell.by_state.items()} if len(cell.by_state) > 1 else {}),
        }
        for cell in cells
        if cell.ratio
    ]


def where(cells: Sequence[Joint]) -> str:
    """`at 2 and 8 ranks, 4 .. 64K`."""
    ranks = " and ".join(str(count) for count in sorted({cell.key.ranks for cell in cells}))
    sizes = sorted({cell.key.size for cell in cells if cell.key.collective != "barrier"})
    span = f", {format_size(sizes[0])}" + (f" .. {format_size(sizes[-1])}" if len(sizes) > 1 else "") if sizes else ""
    return f"at {ranks} ranks{span}"


def span(values: Sequence[float]) -> str:
    least, most = times(min(values)), times(max(values))
    return f"{least} .. {most}" if len(values) > 1 else least


def states_text(found: Sequence[Mapping[str, float]]) -> str:
    """`; cold 1.20 .. 1.90, warm 2.10 .. 2.40`, of cells' ratios by state; nothing where it hardly matters."""
    if not any(joint.far_apart(of.values()) for of in found):
        return ""
    states = caches.ordered(state for of in found for state in of)
    return "; " + ", ".join(f"{state} {span([of[state] for of in found if state in of])}" for state in states)


def because(rule: Rule, mpi: str, date: str) -> str:
    """The measurement in one sentence."""
    ratios = sorted((cell.ratio for cell in rule.cells if cell.ratio), key=lambda ratio: ratio.value)
    measured = f"{where(rule.cells)}; {date}"
    if not ratios:
        return f"node could not be measured {measured}"
    worst = f"95 % interval of the least {times(ratios[0].interval.low)} .. {times(ratios[0].interval.high)}"
    worst += states_text([cell.by_state for cell in rule.cells])
    said = "node not shown to be as fast everywhere: " if rule.use == "native" else ""
    return f"{said}{mpi}'s time over node's {span([ratio.value for ratio in ratios])} ({worst}) {measured}"


def profile(rules: Sequence[Rule], about: Mapping[str, Any]) -> str:
    """`about` has at least mpi, date and command."""
    parts = [HEAD, "schema = 1\n", "\n[about]\n", pairs(about)]
    for rule in rules:
        keys = {"collective": rule.collective, "use": rule.use, "nodes": "1", "ranks": rule.ranks}
        keys |= {"size": rule.size} if rule.size else {}
        keys |= {"because": because(rule, about["mpi"], about["date"])}
        parts += ["\n[[rule]]\n", pairs(keys)]
        if found := evidence(rule.cells):
            lines = "".join(f"  {text(line)},\n" for line in found)
            parts.append(f"[rule.measured]\ncommand = {text(about['command'])}\nnative_over_node = [\n{lines}]\n")
    return "".join(parts)
