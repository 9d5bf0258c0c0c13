"""tutti bench --guidelines: which collectives are slower than others that do their work too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tutti.bench.cases import CasePlan, case, with_cases
from tutti.bench.plan import Plan
from tutti.bench.run import Bench, warn_of_load
from tutti.bench.table import bounds, microseconds, times
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.results import guidelines

FILE = "guidelines.jsonl"
COLUMNS = [
    Column("guideline", "guideline"),
    Column("cache", "buffers"),
    Column("ranks", "ranks", right=True),
    Column("variant", "variant"),
    Column("left_us", "left µs", right=True, text=microseconds),
    Column("right_us", "right µs", right=True, text=microseconds),
    Column("ratio", "left/right", right=True, text=times),
    Column("bounds", "95 % interval", right=True),
    Column("probability", "p", right=True, text=lambda value: f"{value:.1g}"),
    Column("choice", "served by"),
]


def plan(usual: Plan, named: bool) -> tuple[CasePlan, list[guidelines.Guideline]]:
    """The cases of all guidelines about the collectives of a plan; about all of them where none was `named`.

    Raises UserError where there is nothing to compare.
    """
    if usual.launches < guidelines.FEWEST:
        raise UserError(f"--guidelines needs {guidelines.FEWEST} launches or more: one says nothing about the next")
    collectives = list(usual.collectives) if named else guidelines.covered()
    wanted = [each for ranks in usual.ranks for each in guidelines.guidelines(collectives, usual.sizes, ranks)]
    if not wanted:
        raise UserError(f"no guideline is about {', '.join(collectives)} at one size alone: name several with -s")
    by_ranks = {
        ranks: [case(*call) for call in guidelines.cases(each for each in wanted if each.ranks == ranks)]
        for ranks in usual.ranks
    }
    return with_cases(usual, by_ranks), wanted


def save(findings: Sequence[guidelines.Finding], folder: Path) -> None:
    lines = [json.dumps(finding.row()) for finding in findings]
    (folder / FILE).write_text("\n".join(lines) + "\n")


def show(findings: Sequence[guidelines.Finding], out: Output) -> None:
    """Violations, the worst first; --json has all findings."""
    violated = sorted((one for one in findings if one.violated), key=lambda one: -one.ratio.value)
    if out.json:
        out.rows([finding.row() for finding in findings], [])
        return
    if violated:
        out.rows([row | {"bounds": bounds(row)} for row in (one.row() for one in violated)], COLUMNS)
    for variant in dict.fromkeys(finding.variant for finding in findings):
        of = [finding for finding in findings if finding.variant == variant]
        out.line(f"{variant}: {sum(one.violated for one in of)} of {len(of)} guidelines violated")


def measure(bench: Bench, wanted: Sequence[guidelines.Guideline]) -> int:
    """Exit status: 1 where a guideline is violated or something failed, 130 after Ctrl-C."""
    out = bench.out
    minutes = max(1, round(bench.plan.total * 1.5 * bench.plan.seconds / 60))
    out.note(
        f"{bench.mpi.title} ({bench.mpi.origin}), {len(wanted)} guidelines, {bench.plan.total} cases, at most about "
        f"{minutes} min"
    )
    warn_of_load(out)
    bench.run()
    findings = guidelines.check(wanted, bench.results)
    save(findings, bench.writer.folder)
    show(findings, out)
    out.note(f"results in {bench.writer.folder}; all comparisons in {FILE}")
    if bench.interrupted:
        return 130
    return 1 if bench.failures or any(finding.violated for finding in findings) else 0
