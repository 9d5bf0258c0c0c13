"""tutti predict: what every algorithm takes on a machine, by formulas and by the simulator; which one wins where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tutti import core, options
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.prediction import against, changeover, equations, machines, whatif
from tutti.prediction.predicting import SIMULATED, Prediction, best_of, predict
from tutti.simulation import machine as described
from tutti.study.show import ROOTED

SHORTLIST = 8
NOT_PREDICTED = ("gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw")


def micro(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e6 * seconds:.2f}"


def span(bounds: tuple[float, float] | None) -> str:
    return f"{micro(bounds[0])} .. {micro(bounds[1])}" if bounds else ""


def times(value: float) -> str:
    return f"{value:.2f}"


def signed(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.0f} %"


SIZE = Column("size", "size", right=True, text=options.format_size)
PREDICTED = [
    Column("spec", "algorithm"),
    SIZE,
    Column("seconds", "us", right=True, text=micro),
    Column("interval", "between", right=True, text=span),
    Column("over_best", "x best", right=True, text=times),
    Column("how", "by"),
]
CHANGED = [*PREDICTED[:3], Column("before", "before", right=True, text=micro), *PREDICTED[3:]]
CHANGEOVERS = [Column("size", "from size", right=True), Column("from", "instead of"), Column("to", "faster is")]
CUTOFFS = [
    Column("collective", "collective"),
    Column("ranks", "ranks", right=True),
    Column("short", "short"),
    Column("long", "long"),
    Column("in_alpha_over_beta", "m* in α/β", right=True),
    Column("formula", "by formula", right=True, text=lambda size: "never" if size is None else str(round(size))),
    Column("exhaustive", "simulated", right=True, text=lambda size: "never" if size is None else str(size)),
    Column("error", "error", right=True, text=signed),
]
SENSITIVITY = [
    Column("spec", "algorithm"),
    SIZE,
    Column("dT_dL", "dT/dL", right=True),
    Column("dT_do", "dT/do", right=True),
    Column("dT_dg", "dT/dg", right=True),
    Column("dT_dG", "dT/dG (bytes)", right=True),
    Column(
        "latency_for_1_percent", "1 % for L + us", right=True, text=lambda s: "any" if s is None else f"{1e6 * s:.4f}"
    ),
]


def row(collective: str, found: Prediction, machine: dict[str, Any], best: Prediction) -> dict[str, Any]:
    known = found.low is not None and found.high is not None
    return {
        "kind": "prediction",
        "collective": collective,
        "machine": machine["name"],
        "nodes": machine["nodes"],
        "ppn": machine["per_node"],
        "size": found.size,
        "spec": found.spec,
        "seconds": found.seconds,
        "interval": (found.low, found.high) if known else None,
        "over_best": found.seconds / best.seconds if best.seconds else 1.0,
        "best": found.spec == best.spec,
        "how": found.how,
    }


def machine_of(text: str, settings: tuple[str, ...], nodes: int | None, per_node: int | None) -> dict[str, Any]:
    found = described.load(text, settings)
    found |= {"nodes": nodes or found["nodes"], "per_node": per_node or found["per_node"]}
    found["cards"] = min(found["cards"], found["per_node"])
    if found["nodes"] * found["per_node"] > 1 << 20:
        raise UserError(f"{found['nodes'] * found['per_node']} ranks are more than the 1048576 that are predicted")
    machines.check(found)
    return found


def check(collective: str | None, machine: dict[str, Any], root: int) -> None:
    if collective in NOT_PREDICTED:
        raise UserError(f"{collective}: the counts of a call decide, and they are not known; predict its equal form")
    if root and collective not in ROOTED:
        raise UserError(f"--root {root}: {collective} has no root")
    ranks = machine["nodes"] * machine["per_node"]
    if root >= ranks:
        raise UserError(f"--root {root}: ranks go from 0 to {ranks - 1}")


class Study:
    """One collective on one machine, at several sizes; with --what-if, what was predicted before it."""

    def __init__(self, out: Output, collective: str, machine: dict[str, Any], shortlist: int, root: int):
        self.out, self.collective, self.machine, self.shortlist, self.root = out, collective, machine, shortlist, root
        self.by_size: dict[int, list[Prediction]] = {}

    def predict(self, sizes: list[int]) -> None:
        with self.out.progress() as progress:
            task = progress.add_task(f"predicting {self.collective}", total=len(sizes))
            for size in sizes:
                self.by_size[size] = predict(self.collective, self.machine, size, self.shortlist, self.root)
                progress.advance(task)

    def rows(self, everything: bool, before: Study | None) -> list[dict[str, Any]]:
        """Of one size every candidate, of several the best three each."""
        found = []
        for size, predictions in self.by_size.items():
            best = best_of(predictions)
            others = [each for each in predictions if each.spec != best.spec]
            shown = [best, *(others if everything else sorted(others, key=lambda p: p.how != SIMULATED)[:2])]
            for each in sorted(shown, key=lambda p: (p.how != SIMULATED and not everything, p.seconds)):
                line = row(self.collective, each, self.machine, best)
                if before:
                    line["before"] = next((p.seconds for p in before.by_size[size] if p.spec == each.spec), None)
                found.append(line)
        return found

    def sensitivities(self) -> list[dict[str, Any]]:
        found = []
        for size, predictions in self.by_size.items():
            spec = best_of(predictions).spec
            slopes = whatif.sensitivity(self.collective, spec, self.machine, size)
            found.append({"kind": "sensitivity", "collective": self.collective, "spec": spec, "size": size, **slopes})
        return found


def print_study(study: Study, before: Study | None, everything: bool, sensitive: bool) -> None:
    out, machine = study.out, study.machine
    title = f"{study.collective} on {machine['name']}, {machine['nodes']} x {machine['per_node']} ranks"
    alone = len(study.by_size) == 1
    out.rows(study.rows(everything or alone or out.json, before), CHANGED if before else PREDICTED, title)
    changes = changeover.changeovers(study.collective, machine, study.by_size)
    if changes:
        out.line()
        out.rows(changes, CHANGEOVERS)
    if sensitive:
        out.line()
        out.rows(study.sensitivities(), SENSITIVITY)


def print_against(out: Output, folder: Path, collective: str | None, machine: dict[str, Any]) -> None:
    found = list(against.rows(folder, collective, machine))
    if not found:
        raise UserError(
            f"--against {folder}: what ran there is not predicted (native, and variants of the node engine)"
        )
    out.rows(found, against.COLUMNS, f"measured in {folder}, predicted for {machine['name']}")
    total = against.summary(found)
    if out.json:
        out.object(total)
    out.line()
    out.line(
        f"median error {100 * total['median_error']:.0f} % of {total['cells']} cells; "
        f"{total['within_25_percent']} of them within 25 %"
    )


@click.command(
    "predict",
    epilog=options.example(
        "tutti predict bcast -m site.toml -N 64 --ppn 16 -s 1M",
        "tutti predict allreduce -N 64 --ppn 16 -s 1K:1M --sensitivity",
        "tutti predict bcast -N 64 --ppn 1 -s 1M --what-if bandwidth=10x",
        "tutti predict reduce_scatter -N 64 --ppn 1 --cutoffs",
        "tutti predict bcast -N 16 --ppn 1 -s 1M --formulas      (the papers' equations)",
        "tutti predict allreduce -m site.toml --against runs/measured",
    ),
)
@click.argument("collective", required=False)
@click.option(
    "-m", "machine", metavar="MACHINE", default=described.STANDARD, show_default=True,
    help="FILE.toml (tutti calibrate writes one), a name that ships, NODESxPPN, or NAME@NODESxPPN.",
)  # fmt: skip
@options.nodes
@options.per_node
@options.sizes(default="1K")
@click.option("--root", metavar="R", type=click.IntRange(min=0), default=0, show_default=True, help="Root.")
@click.option("--set", "settings", metavar="FIELD=VALUE", multiple=True, help="Change a field of the machine.")
@click.option(
    "--what-if", "changes", metavar="WORD=TIMES", multiple=True,
    help="On a machine with bandwidth=10x, latency=0.5x, overhead=2x, gap=2x (between nodes; within.latency=2x).",
)  # fmt: skip
@click.option("--sensitivity", is_flag=True, help="Derivatives by L, o, g, G, and the latency that costs 1 %.")
@click.option("--cutoffs", is_flag=True, help="Thakur & Gropp's changeovers by formula, beside the simulator's.")
@click.option("--formulas", is_flag=True, help="The papers' equations as printed, beside what schedules come to.")
@click.option(
    "--against", "folder", metavar="RUN", type=click.Path(path_type=Path), help="Beside a run of tutti bench."
)
@click.option(
    "--shortlist", metavar="K", type=click.IntRange(min=0), default=SHORTLIST, show_default=True,
    help="Simulate so many candidates of each size, at most.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Print every candidate of every size.")
@options.output
def command(
    collective, machine, nodes, per_node, sizes, root, settings, changes, sensitivity, cutoffs, formulas, folder,
    shortlist, everything, out,
):  # fmt: skip
    """Predict what each algorithm of a COLLECTIVE takes on a machine, and which is the fastest from which size on.

    Every candidate is predicted by the formula of its row in the catalogue; those that can still be the fastest are
    simulated, message by message (`by` says which; docs/predicting.md).  Segments and groups are the best by formula.
    `between`: no message waits for another .. all ranks of a node share its cards; of what was simulated the intervals
    of the machine's parameters, where its file has them.
    """
    collective = core.check_collective(collective)
    found = machine_of(machine, settings, nodes, per_node)
    check(collective, found, root)
    changed = machines.scaled(found, changes)
    if folder:
        return print_against(out, folder, collective, changed)
    if formulas:
        ranks = found["nodes"] * found["per_node"]
        return out.rows(equations.rows(collective, ranks, sizes[-1]), equations.COLUMNS, f"{ranks} ranks")
    if cutoffs:
        wanted = [collective] if collective else list(changeover.CUTOFFS)
        if collective and collective not in changeover.CUTOFFS:
            raise UserError(f"--cutoffs: of {', '.join(changeover.CUTOFFS)}, and not of {collective}")
        return out.rows([changeover.cutoff(each, changed) for each in wanted], CUTOFFS)
    if not collective:
        raise UserError("of which collective? tutti predict bcast -N 64 --ppn 16 -s 1M")
    sizes = sizes if collective != "barrier" else [0]
    before = Study(out, collective, found, shortlist, root) if changes else None
    study = Study(out, collective, changed, shortlist, root)
    for each in [each for each in (before, study) if each]:
        each.predict(sizes)
    return print_study(study, before, everything, sensitivity)
