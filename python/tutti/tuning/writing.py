"""A tuned profile as TOML: rules, and with each of them the measurement behind it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutti import core
from tutti.bench.table import microseconds, times
from tutti.options import format_size
from tutti.results import caches
from tutti.tuning.deciding import Changeover, Chosen, Rule
from tutti.tuning.evidence import NATIVE, Gain
from tutti.tuning.layout import Layout
from tutti.tuning.profile import HEAD, pairs, states_text, text


def fingerprint(environment: Mapping[str, Any]) -> dict[str, Any]:
    """What a measurement holds for: the machine, the MPI and tutti, and a short name of all of it."""
    machine = environment["machine"]
    facts = {
        "cpu": machine["cpu"],
        "cpus": machine["cpus"],
        "kernel": machine["kernel"],
        "mpi": environment["mpi"]["title"],
        "tutti": environment["tutti"],
    }
    facts["id"] = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]
    return facts


def measured(chosen: Chosen) -> dict[str, Any]:
    """One size: medians, gain over native with its 95 % interval, and the next best."""
    row: dict[str, Any] = {"size": chosen.cell.size}
    if chosen.gain:
        estimate = chosen.gain.estimate
        row |= {
            "native_us": round(chosen.gain.native_us, 3),
            "median_us": round(chosen.gain.spec_us, 3),
            "gain": round(estimate.value, 3),
            "low": round(estimate.interval.low, 3),
            "high": round(estimate.interval.high, 3),
            "launches": estimate.launches,
            **{state: round(ratio, 3) for state, ratio in by_state(chosen.gain).items()},
        }
    if chosen.runner_up:
        row |= {"runner_up": chosen.runner_up, "behind": round(chosen.behind, 3)}
    return row


def by_state(of: Gain | None) -> dict[str, float]:
    """The gain in each state of caches, where there are several."""
    return {state: gain.estimate.value for state, gain in of.states} if of else {}


def span(row: Sequence[Chosen]) -> str:
    sizes = [chosen.cell.size for chosen in row if chosen.cell.collective != "barrier"]
    if not sizes:
        return ""
    return f" at {format_size(sizes[0])}" + (f" .. {format_size(sizes[-1])}" if len(sizes) > 1 else "")


def because(rule: Rule, layout: Layout, date: str) -> str:
    """The measurement in one sentence."""
    where = f"{span(rule.row)} on {layout}; {date}"
    if rule.spec == NATIVE:
        tried = [chosen for chosen in rule.row if chosen.runner_up]
        nearest = max(tried, key=lambda chosen: -chosen.behind, default=None)
        if nearest is None:
            return f"nothing else could be measured{where}"
        near = f"{nearest.runner_up}, {times(1 / nearest.behind)} of its speed{states_text([by_state(nearest.rival)])}"
        return f"nothing tried was shown to be faster (nearest {near}){where}"
    gains = sorted((c.gain.estimate for c in rule.row if c.gain), key=lambda estimate: estimate.value)
    if not gains:
        return f"between sizes that it serves{where}"
    least, most = gains[0], gains[-1]
    said = times(least.value) + (f" .. {times(most.value)}" if len(gains) > 1 else "")
    worst = f"95 % interval of the least {times(least.interval.low)} .. {times(least.interval.high)}"
    worst += states_text([by_state(c.gain) for c in rule.row])
    behind = min((c for c in rule.row if c.runner_up), key=lambda c: c.behind, default=None)
    next_best = f"; next {behind.runner_up}, {times(behind.behind)} times its time" if behind else ""
    return f"{said} times native's speed ({worst}{next_best}){where}"


def rule_text(rule: Rule, layout: Layout, about: Mapping[str, Any]) -> str:
    keys = {"collective": rule.collective, "use": rule.spec, **layout.keys}
    keys |= {"size": sizes_text(rule.size)} if rule.size else {}
    keys["because"] = because(rule, layout, about["date"])
    lines = "".join(f"  {text(measured(chosen))},\n" for chosen in rule.row)
    head = {key: about[key] for key in ("date", "command")} | {"environment": about["environment"]["id"]}
    states = caches.ordered(state for chosen in rule.row for state in by_state(chosen.gain))
    if states := states or list(about.get("caches", ())):
        head["caches"] = states
    return f"[[rule]]\n{pairs(keys)}[rule.measured]\n{pairs(head)}sizes = [\n{lines}]\n"


def sizes_text(size: str) -> str:
    low, _, high = size.partition(":")
    return f"{format_size(int(low))}:{format_size(int(high)) if high else ''}"


def changeover_line(found: Changeover, layout: Layout) -> str:
    return (
        f"# {layout}: {found.collective} changes from {found.before} to {found.after} at {found.size:.0f} bytes "
        f"(95 %: {found.low:.0f} .. {found.high:.0f})\n"
    )


def profile(tuned: Sequence[tuple[Layout, Sequence[Rule], Sequence[Changeover]]], about: Mapping[str, Any]) -> str:
    """`about`: date, command, environment."""
    parts = [HEAD, "schema = 1\n", "\n[about]\n", pairs(about), "\n"]
    parts += [changeover_line(found, layout) for layout, _, changes in tuned for found in changes]
    parts += ["\n" + rule_text(rule, layout, about) for layout, rules, _ in tuned for rule in rules]
    return "".join(parts)


def write(file: Path, contents: str) -> None:
    """Complete or not at all, and only what the library's own reader takes."""
    if unsound := core.load().check_profile(contents, str(file)):
        raise RuntimeError(f"the profile is not one: {unsound[0]}")
    new = file.with_name(file.name + ".new")
    new.write_text(contents)
    new.replace(file)


def row(rule: Rule, layout: Layout) -> dict[str, Any]:
    """For the table at the end."""
    gains = [chosen.gain.estimate.value for chosen in rule.row if chosen.gain]
    return {
        "collective": rule.collective,
        "layout": str(layout),
        "size": sizes_text(rule.size) if rule.size else "",
        "use": rule.spec,
        "least": min(gains, default=None),
        "most": max(gains, default=None),
        "microseconds": ", ".join(microseconds(c.gain.spec_us) for c in rule.row if c.gain),
        "gain": math.exp(sum(math.log(g) for g in gains) / len(gains)) if gains else None,
    }
