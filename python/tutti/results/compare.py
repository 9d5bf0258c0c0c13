"""tutti compare: which cells of two runs differ beyond noise.

A launch is the unit of evidence, so what is tested are the medians of the launches (Hunold & Carpen-Amarie, TPDS 2016).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tutti import options
from tutti.errors import UserError
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.results import caches, comparison, rank_test, runs, statistics
from tutti.results.comparison import Key

VERDICTS = ("wrong", "slower", "faster", "same", "undecided")
WORSE = ("wrong", "slower")


@dataclass(frozen=True)
class Change:
    """One variant in one cell of both runs.  `effect` is B's time over A's: above 1, B is slower."""

    key: Key
    variant: str
    a: float
    b: float
    launches: tuple[int, int]
    effect: float
    low: float
    high: float
    p: float
    larger: float  # how often a launch of B is above one of A, ties half: 0.5 where nothing changed (Vargha & Delaney)
    verdict: str

    def row(self) -> dict[str, Any]:
        return {
            "ranks": self.key.ranks, "arrival": self.key.arrival, "collective": self.key.collective,
            "size": self.key.size, "cache": self.key.cache, "variant": self.variant, "a": self.a, "b": self.b,
            "launches_a": self.launches[0], "launches_b": self.launches[1], "effect": self.effect,
            "effect_low": self.low, "effect_high": self.high, "p": self.p, "larger": self.larger,
            "verdict": self.verdict,
        }  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """When a difference counts: p below `level`, and the estimate beyond `least` (0.03 is 3 %) either way."""

    level: float = 0.01
    least: float = 0.03


def wrong_cells(run: runs.Run) -> set[tuple[Key, str]]:
    """Where some result was wrong."""
    return {(comparison.key_of(row), row["variant"]) for row in run.results if row.get("wrong")}


def medians(run: runs.Run, relative: bool) -> dict[tuple[Key, str], list[float]]:
    """Of every cell and variant, a value a launch: microseconds; `relative`: parts of native's in the same launch."""
    found: dict[tuple[Key, str], dict[int, float]] = defaultdict(dict)
    for row in run.results:
        if comparison.usable(row):
            found[comparison.key_of(row), row["variant"]][row["launch"]] = row["median_us"]
    if not relative:
        return {at: list(values.values()) for at, values in found.items()}
    base = comparison.contenders(run.results)[0]
    return {
        (key, variant): [value / found[key, base][i] for i, value in values.items() if i in found[key, base]]
        for (key, variant), values in list(found.items())
        if variant != base and (key, base) in found
    }


def change(key: Key, variant: str, a: Sequence[float], b: Sequence[float], rule: Rule) -> Change:
    p, larger = rank_test.rank_sum(a, b)
    effect, low, high = rank_test.shift(a, b, rule.level)
    if rank_test.least_p(len(a), len(b)) > rule.level:
        verdict = "undecided"
    elif p <= rule.level and abs(math.log(effect)) > math.log1p(rule.least):
        verdict = "slower" if effect > 1 else "faster"
    else:
        verdict = "same"
    middles = [statistics.geometric_mean(list(values)) for values in (a, b)]
    return Change(key, variant, *middles, (len(a), len(b)), effect, low, high, p, larger, verdict)


def changes(a: runs.Run, b: runs.Run, rule: Rule, variants: Sequence[str], relative: bool) -> list[Change]:
    """Of all cells that both runs have, in the order of Key."""
    left, right, wrong = medians(a, relative), medians(b, relative), wrong_cells(b)
    found = [
        change(key, variant, left[key, variant], right[key, variant], rule)
        for key, variant in sorted(left.keys() & right.keys())
        if left[key, variant] and right[key, variant] and (not variants or variant in variants)
    ]
    return [replace(each, verdict="wrong") if (each.key, each.variant) in wrong else each for each in found]


def missing(a: runs.Run, b: runs.Run, variants: Sequence[str]) -> list[tuple[Key, str]]:
    """Cells of A that B does not have."""
    left, right = medians(a, False), medians(b, False)
    return sorted(at for at in left.keys() - right.keys() if not variants or at[1] in variants)


def check(found: Sequence[Change], rule: Rule, variants: Sequence[str], a: runs.Run, b: runs.Run) -> None:
    """Raises UserError where nothing could come out, whatever the runs hold."""
    if not found:
        what = f" of {' or '.join(variants)}" if variants else ""
        raise UserError(
            f"{a.folder} and {b.folder} have no cell{what} in common: measure the same calls, sizes and ranks"
        )
    if all(each.verdict == "undecided" for each in found):
        launches = max((each.launches for each in found), key=lambda pair: -rank_test.least_p(*pair))
        needed = next(n for n in range(2, 50) if rank_test.least_p(n, n) <= rule.level)
        raise UserError(
            f"{launches[0]} and {launches[1]} launches cannot show a difference at a level of {rule.level:g}: measure "
            f"with --launches {needed} or more, or say --level {rank_test.least_p(*launches):.2g}"
        )


def time(value: float) -> str:
    return f"{value:.4g}"


def columns(relative: bool, with_arrival: bool, with_states: bool) -> list[Column]:
    unit = "/native" if relative else "µs"
    return [
        Column("ranks", "ranks", right=True),
        Column("collective", "collective"),
        Column("size_text", "size", right=True),
        *([Column("arrival", "arrival")] if with_arrival else []),
        *([Column("cache", "buffers")] if with_states else []),
        Column("variant", "variant"),
        Column("a", f"A {unit}", right=True, text=time),
        Column("b", f"B {unit}", right=True, text=time),
        Column("effect", "B/A", right=True, text=lambda value: f"{value:.3f}"),
        Column("bounds", "interval", right=True),
        Column("larger", "B above A", right=True, text=lambda value: f"{100 * value:.0f} %"),
        Column("p", "p", right=True, text=lambda value: f"{value:.2g}"),
        Column("verdict", "B is"),
    ]


def show(found: Sequence[Change], out: Output, relative: bool, every: bool, rule: Rule) -> None:
    """What changed, the worst first; with `every`, all cells in their order."""
    if out.json:
        out.rows([each.row() for each in found], [])
        return
    shown = found if every else sorted(
        (each for each in found if each.verdict in ("wrong", "slower", "faster")), key=lambda each: -each.effect
    )  # fmt: skip
    rows = [
        each.row()
        | {
            "size_text": "" if each.key.collective == "barrier" else format_size(each.key.size),
            "bounds": f"{each.low:.3f} .. {each.high:.3f}",
        }
        for each in shown
    ]
    if rows:
        states = any(each.key.cache not in ("", caches.COLD) for each in found)
        out.rows(rows, columns(relative, any(each.key.arrival for each in shown), states))
        out.line()
    counts = {word: sum(each.verdict == word for each in found) for word in VERDICTS}
    words = ", ".join(f"{count} {word}" for word, count in counts.items() if count or word == "slower")
    chance = rule.level * sum(each.verdict != "undecided" for each in found)
    out.line(f"{len(found)} cells: {words}")
    out.note(f"if nothing had changed, about {chance:.2g} of them would have a p below {rule.level:g} all the same")


@click.command(
    "compare",
    epilog=options.example(
        "tutti compare runs/before runs/after",
        "tutti compare runs/before runs/after --variant tutti --least 5",
        "tutti compare runs/monday runs/tuesday --relative      (tutti over native, launch by launch)",
        "tutti compare runs/before runs/after --all --json",
    ),
)
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.01, show_default=True,
              help="How often a cell in which nothing changed may count as changed by chance.")  # fmt: skip
@click.option("--least", metavar="PERCENT", type=click.FloatRange(min=0), default=3.0, show_default=True,
              help="Differences up to so many per cent do not count, however sure.")  # fmt: skip
@click.option("--variant", "variants", metavar="NAME", multiple=True,
              help="Only this variant (tutti, native, ...); may be given several times.  [default: all]")  # fmt: skip
@click.option("--relative", is_flag=True,
              help="Compare times as parts of native's in the same launch, where the machine changed.")  # fmt: skip
@click.option("--all", "every", is_flag=True, help="List unchanged cells too.")
@options.output
def command(a, b, level, least, variants, relative, every, out):
    """Say which cells changed beyond noise from run A to run B (folders that `tutti bench` left).

    A cell counts as changed where Wilcoxon's rank sum test over the medians of the launches gives a p below --level and
    the effect is beyond --least.  At 0.01 that takes five launches of each.

    Exit status: 0 where no cell is slower (or wrong) in B, 1 where one is, 2 where the runs cannot be compared (no cell
    in common, or too few launches for that level).
    """
    rule = Rule(level, least / 100)
    before, after = runs.load(a), runs.load(b)
    found = changes(before, after, rule, variants, relative)
    check(found, rule, variants, before, after)
    show(found, out, relative, every, rule)
    if gone := missing(before, after, variants):
        out.warn(f"{len(gone)} cells of {a} are not in {b}, {gone[0][0].collective} for one")
    return 1 if any(each.verdict in WORSE for each in found) else 0
