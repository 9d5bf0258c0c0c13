"""Whether an old profile still holds: its environment beside this one's, and its choices measured again."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutti import core
from tutti.bench import environment
from tutti.bench.launch import library_of
from tutti.errors import UserError
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.results import caches, statistics
from tutti.site.mpi import Mpi
from tutti.tuning import evidence, writing
from tutti.tuning.campaign import Campaign
from tutti.tuning.evidence import NATIVE, Cell, Gain, Store
from tutti.tuning.layout import Layout, Local

COLUMNS = [
    Column("line", "line", right=True),
    Column("collective", "collective"),
    Column("size", "size", right=True, text=format_size),
    Column("use", "use"),
    Column("before", "then", right=True),
    Column("now", "now", right=True),
    Column("verdict", "verdict"),
]
MOST_SIZES = 3  # of a rule: its ends and its middle


def tables(file: Path) -> Mapping[str, Any]:
    """The profile's own tables, with what is there for people.  Raises UserError."""
    if sys.version_info < (3, 11):
        raise UserError("reading the measurements of a profile needs Python 3.11 or newer")
    import tomllib

    try:
        return tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the profile {file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file}: {error}") from None


@dataclass(frozen=True)
class Old:
    """One measured size of one rule."""

    line: int
    layout: Layout
    cell: Cell
    spec: str
    row: Mapping[str, Any]
    states: Sequence[str] = (caches.COLD,)  # of caches, in which it was measured

    @property
    def rivals(self) -> list[str]:
        """What is measured again: the choice, and what came next."""
        return [spec for spec in dict.fromkeys([self.spec, self.row.get("runner_up", "")]) if spec not in ("", NATIVE)]


def exactly(of: Sequence[int | None]) -> int | None:
    return of[0] if of[0] == of[1] else None


def measured_rules(file: Path) -> list[Old]:
    """Rules that were tuned for one layout, by the sizes behind them."""
    raw = tables(file).get("rule", [])
    rules, _ = core.load().profile_rules(file.read_text(), file.name)
    found = []
    for rule in rules:
        measured = raw[rule["index"]].get("measured", {})
        rows, states = measured.get("sizes", []), measured.get("caches", [caches.COLD])
        ranks, nodes, ppn = (exactly(rule[key]) for key in ("ranks", "nodes", "ppn"))
        if not rows or not ranks or not nodes:
            continue
        picked = sorted({0, len(rows) // 2, len(rows) - 1})[:MOST_SIZES]
        layout = Layout(ranks, nodes, ppn or 0)
        found += [
            Old(rule["line"], layout, Cell(rule["collective"], rows[i]["size"]), rule["use"], rows[i], states)
            for i in picked
        ]
    return found


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return [
        f"{key} was {then[key]!r} and is {value!r}"
        for key, value in now.items()
        if key != "id" and key in then and then[key] != value
    ]


def verdict(old: Old, known: Mapping[str, Gain]) -> str:
    """holds; or why not.  Significance as everywhere: a whole interval beyond what counts as the same."""
    gain = Gain(0.0, 0.0, 0, 0.0, 0.0) if old.spec == NATIVE else known.get(old.spec)
    if gain is None:
        return "not measured"
    if gain.high < math.log(statistics.SLOWER):
        return "native is faster now"
    if gain.slower_in:
        return f"native is faster now ({gain.slower_in})"
    for spec, other in known.items():
        error = math.hypot(gain.error, other.error)
        if (
            spec != old.spec
            and not other.slower_in
            and other.mean - gain.mean - 1.96 * error > math.log(statistics.FASTER)
        ):
            return f"{spec} is faster now"
    return "holds"


def row(old: Old, known: Mapping[str, Gain]) -> dict[str, Any]:
    now = known.get(old.spec)
    return {
        "line": old.line,
        "collective": old.cell.collective,
        "size": old.cell.size,
        "use": old.spec,
        "before": old.row.get("gain"),
        "now": now and round(now.estimate.value, 3),
        "verdict": verdict(old, known),
    }


def check(file: Path, chosen: Mpi, runner: Local, minutes: float, folder: Path, out: Output) -> int:
    """0 where all holds, 1 where a rule is out of date."""
    old = measured_rules(file)
    if not old:
        raise UserError(f"{file} has no rules that tutti tune measured: there is nothing to compare with")
    now = writing.fingerprint(environment.describe(chosen, library_of(chosen), {}))
    then = tables(file).get("about", {}).get("environment", {})
    for text in differences(then, now):
        out.note(text)
    store = Store(folder / "evidence.jsonl")
    layouts = sorted({one.layout for one in old})
    for layout in layouts:
        runner.check(layout)
    for layout in layouts:
        here = {one.cell: one.rivals for one in old if one.layout == layout and one.rivals}
        states = caches.ordered(state for one in old if one.layout == layout for state in one.states)
        campaign = Campaign(store, runner, chosen, layout, list(here), 60 * minutes / len(layouts), tell=out.detail,
                            states=states, allowed=here)  # fmt: skip
        campaign.run(refining=False)
        for failure in campaign.failures:
            out.warn(failure)
    rows = [row(one, evidence.gains(store.of(one.layout)).get(one.cell, {})) for one in old]
    out.rows(rows, COLUMNS)
    bad = [one for one in rows if one["verdict"] not in ("holds", "not measured")]
    out.note(f"{len(bad)} of {len(rows)} measured sizes are out of date" + (": tune again" if bad else ""))
    return 1 if bad else 0
