"""What there is to predict: the catalogue, in the best segments; groups, the best number; node(INTER, senders)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tutti import core
from tutti.options import format_size
from tutti.prediction import formulas
from tutti.tuning.candidates import RADICES, WINDOWS

SEGMENTS = tuple(1 << power for power in range(9, 25))  # bytes that are tried
MOST_DIVISORS = 64


def ladder(parameter, members: int) -> list[int]:
    values = {"k": RADICES, "window": WINDOWS}.get(parameter.name, (parameter.standard,))
    return [value for value in values if parameter.least <= value <= parameter.most and value < max(members, 3)]


def best_segment(collective: str, name: str, machine: dict[str, Any], size: int, wrap: str = "{}") -> str | None:
    """The spec with the segment size of least time by formula; None where the vector has no two segments."""
    best = None
    for segment in SEGMENTS:
        if 2 * segment > size:
            break
        spec = wrap.format(f"{name}(segment={format_size(segment)})")
        seconds = time_of(collective, spec, machine, size)
        if seconds is not None and (best is None or seconds < best[0]):
            best = seconds, spec
    return best and best[1]


def time_of(collective: str, spec: str, machine: dict[str, Any], size: int) -> float | None:
    try:
        return formulas.one_after_the_other(formulas.parts_of(collective, spec, machine, size), machine)
    except ValueError:
        return None


def flat(
    collective: str, machine: dict[str, Any], size: int, members: int, wrap: str = "{}", among: str | None = None
) -> Iterator[str]:
    """`wrap` puts each into node({}); `members` are whom it is among; `among` is the collective between them."""
    for algorithm in core.load().catalogue():
        if algorithm.collective != (among or collective) or algorithm.obstacle(members):
            continue
        if not algorithm.parameters:
            yield wrap.format(algorithm.name)
            continue
        parameter = algorithm.parameters[0]
        if parameter.kind == "segment":
            spec = best_segment(collective, algorithm.name, machine, size, wrap)
            if spec:
                yield spec
            continue
        for value in ladder(parameter, members):
            yield wrap.format(f"{algorithm.name}({parameter.name}={value})")


def divisors(number: int) -> list[int]:
    """But 1 and itself, those nearest to the square root where there are many."""
    small = [d for d in range(2, int(number**0.5) + 1) if number % d == 0]
    found = sorted({*small, *(number // d for d in small)})
    middle = len(found) // 2
    return found[max(0, middle - MOST_DIVISORS // 2) : middle + MOST_DIVISORS // 2]


def groups(collective: str, machine: dict[str, Any], size: int) -> Iterator[str]:
    """The same algorithm in both levels (Hasanov), in the number of groups of least time by formula."""
    ranks = machine["nodes"] * machine["per_node"]
    row = next((row for row in core.load().composed() if row["collective"] == collective), None)
    if row is None:
        return
    segmented = {
        each.name
        for each in core.load().catalogue()
        if any(parameter.kind == "segment" for parameter in each.parameters)
    }
    for name in row["outer"]:
        if name not in row["inner"]:
            continue
        inner = best_segment(collective, name, machine, size) if name in segmented else name
        found = [
            (seconds, spec)
            for spec in (f"groups({count}, {inner})" for count in divisors(ranks) if inner)
            if (seconds := time_of(collective, spec, machine, size)) is not None
        ]
        if found:
            yield min(found)[1]


def candidates(collective: str, machine: dict[str, Any], size: int) -> list[str]:
    """Canonical, each once."""
    nodes, per_node = machine["nodes"], machine["per_node"]
    wanted = [*flat(collective, machine, size, nodes * per_node), *groups(collective, machine, size)]
    if nodes == 1:
        wanted.append("node")
    elif per_node > 1:
        senders = sorted({1, 2, per_node} & set(range(1, per_node + 1)))
        for count in senders:
            wrap = "node({})" if count == 1 else f"node({{}}, senders={count})"
            wanted += flat(collective, machine, size, nodes, wrap)
    found: list[str] = []
    for spec in wanted:
        try:
            text = core.load().parse_spec(spec, collective)
        except core.load().SpecError:  # not every collective has senders
            continue
        if text not in found and time_of(collective, text, machine, size) is not None:
            found.append(text)
    return found
