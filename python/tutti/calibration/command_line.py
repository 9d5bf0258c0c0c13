"""tutti calibrate: measures the machine that is here, and writes it down."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from tutti import options
from tutti.bench.launch import LaunchFailed
from tutti.calibration import fitting, simulators, writing
from tutti.calibration.measuring import BLOCK, Bench
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.results.statistics import Estimate, median_estimate
from tutti.simulation import machine as machines
from tutti.site import launch
from tutti.tuning.layout import Layout, Local

COLUMNS = [
    Column("parameter", "parameter"),
    Column("value", "value", right=True),
    Column("low", "least", right=True),
    Column("high", "greatest", right=True),
]
PIECES = [
    Column("link", "link"),
    Column("from", "from bytes", right=True),
    Column("latency_us", "latency us", right=True),
    Column("bandwidth", "bandwidth", right=True),
]


def write(file: Path, text: str) -> None:
    try:
        file.write_text(text)
    except OSError as error:
        raise UserError(f"-o {file}: {error.strerror.lower()}") from None


def check_output(file: Path) -> None:
    """Before anything is measured."""
    if not file.parent.is_dir():
        raise UserError(f"-o {file}: there is no folder {file.parent}")


class Calibration:
    """The launches of one calibration."""

    def __init__(self, bench: Bench, out: Output, nodes: int, per_node: int, launches: int):
        self.bench, self.out, self.nodes, self.per_node, self.launches = bench, out, nodes, per_node, launches

    def link(self, layout: Layout, name: str) -> tuple[fitting.Link, list[fitting.Launch]]:
        measured = []
        with self.out.progress() as progress:
            task = progress.add_task(f"messages {name}", total=self.launches)
            for _ in range(self.launches):
                measured.append(self.bench.messages(layout))
                progress.advance(task)
        return fitting.link_of(measured), measured

    def several(self, measure) -> Estimate | None:
        """None where a difference of two measurements was none."""
        samples = [measure(number) for number in range(self.launches)]
        return median_estimate(samples) if min(samples) > 0 else None

    def cards(self, alone: float) -> int:
        """How many of a node's ranks can send at a time without slowing each other down."""
        if self.per_node < 2:
            return 1
        layout = Layout(2 * self.per_node, 2, self.per_node)
        together = median_estimate([self.bench.pairs(layout, self.per_node) for _ in range(self.launches)]).value
        return max(1, min(self.per_node, round(self.per_node * alone / together)))

    def run(self, name: str, because: str) -> writing.Calibrated:
        inside, pair = {}, Layout(2, 1)
        inside["within"], measured = self.link(pair, "within a node")
        copy = self.several(lambda _: self.bench.copy(pair))
        reduce = self.several(lambda number: self.bench.reduction(pair, measured[number].messages[BLOCK]))
        if reduce is None:
            self.out.warn("a reduction took no longer than its message: the file has no `reduce`")
        cards = 1
        if self.nodes > 1:
            apart, one = Layout(2, 2, 1), None
            inside["between"], one = self.link(apart, "between nodes")
            cards = self.cards(median_estimate([each.messages[BLOCK] for each in one]).value)
        return writing.Calibrated(name, because, self.nodes, self.per_node, cards, inside, copy, reduce)


def rows(found: writing.Calibrated) -> list[dict[str, Any]]:
    shown = []
    for name, value, is_rate in writing.parameters(found):
        text = writing.rate if is_rate else writing.time
        ends = sorted([value.interval.low, value.interval.high], reverse=is_rate)
        shown.append({"parameter": name, "value": text(value.value), "low": text(ends[0]), "high": text(ends[1])})
    return shown


def pieces(found: writing.Calibrated) -> list[dict[str, Any]]:
    return [
        {
            "link": name, "from": piece.start, "latency_us": 1e6 * piece.latency,
            "bandwidth": writing.rate(piece.per_byte),
        }
        for name, link in found.links.items()
        for piece in link.pieces
    ]  # fmt: skip


def converted(machine: str, format_name: str, file: Path | None, out: Output) -> None:
    text = simulators.FORMATS[format_name](machines.load(machine))
    if file is None:
        return out.console.print(text, end="", markup=False, soft_wrap=True)
    write(file, text)
    return out.note(f"written: {file}")


@click.command(
    "calibrate",
    epilog=options.example(
        "tutti calibrate -o site.toml",
        "tutti calibrate -N 2 --ppn 32 --launcher srun -o site.toml      (also between nodes)",
        "tutti calibrate --from site.toml --format simgrid -o platform.xml",
        "tutti calibrate --from cluster@64x1 --format loggopsim",
    ),
)
@click.option("-o", "file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="What is written.")
@options.nodes
@options.per_node
@click.option("--launches", type=options.POSITIVE, default=5, show_default=True, help="How often ranks are started.")
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), default=0.05, show_default=True,
    help="Time limit of a case in one launch.",
)  # fmt: skip
@click.option("--from", "machine", metavar="MACHINE", help="Measure nothing: write this machine in another --format.")
@click.option(
    "--format", "format_name", type=click.Choice(list(simulators.FORMATS)),
    help="simgrid: a platform file; loggopsim: its options on the command line.",
)  # fmt: skip
@options.launcher
@options.mpi
@options.output
def command(file, nodes, per_node, launches, seconds, machine, format_name, launcher, named_mpi, out):
    """Measure latency, overhead, gap and bandwidth of messages, copies and reductions, and write a machine file.

    Two ranks of a node measure what is within it; with -N 2 or more, and a launcher that has the nodes, one rank on
    each of two nodes what is between them.  `tutti predict -m FILE` and `tutti simulate -m FILE` read the file.
    """
    if bool(machine) != bool(format_name):
        raise UserError("--from MACHINE and --format go together: tutti calibrate --from site.toml --format simgrid")
    if machine:
        return converted(machine, format_name, file, out)
    if file is None:
        raise UserError("say where the machine is to be written: -o site.toml")
    check_output(file)
    chosen = launch.mpi_for(named_mpi, launcher)
    nodes, per_node = nodes or 1, per_node or max(2, launch.cpus())
    runner = Local(chosen, launcher, on_message=out.detail)
    out.note(f"{chosen.title} ({chosen.origin}), {launches} launches of two ranks each")
    calibration = Calibration(Bench(runner, chosen, seconds), out, nodes, per_node, launches)
    because = f"measured by tutti calibrate with {chosen.title}, {time.strftime('%Y-%m-%d')}"
    try:
        found = calibration.run(file.stem, because)
    except (LaunchFailed, ValueError) as problem:
        raise UserError(f"nothing is written: {problem} (see tutti doctor)", 1) from None
    except KeyError as missing:
        raise UserError(f"nothing is written: {missing} was not measured; give --seconds more", 1) from None
    write(file, writing.text_of(found))
    machines.load(str(file) if file.suffix == ".toml" else str(file.absolute()))  # what is written can be read
    out.rows(rows(found), COLUMNS)
    out.line()
    out.rows(pieces(found), PIECES)
    out.note(f"written: {file}; tutti predict bcast -m {file} -s 1K:1M")
    return None
