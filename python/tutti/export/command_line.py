"""tutti export: a profile as other MPI libraries' own files of rules, and what these cannot say."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from tutti import core, options
from tutti.bench.launch import library_of
from tutti.errors import UserError
from tutti.export import han, intel, mpich, openmpi, rules, ucc
from tutti.export.rules import NotHere, Report, Rule, Target
from tutti.output import Column, Output
from tutti.site import mpi
from tutti.tuning.layout import Layout

COLUMNS = [
    Column("line", "line", right=True),
    Column("collective", "collective"),
    Column("ranks", "ranks"),
    Column("size", "sizes"),
    Column("use", "use"),
    Column("outcome", "outcome"),
    Column("text", "as, or why not"),
]


@dataclass(frozen=True)
class Wanted:
    """What an export depends on besides the rules."""

    version: Sequence[int]
    named_mpi: str | None


def mpich_library(named_mpi: str | None) -> Path:
    return library_of(mpi.named(named_mpi or "mpich"))


@dataclass(frozen=True)
class Format:
    library: str  # whose rules: those with `mpi` for others are left out
    newest: str  # version that is written for where none is named
    text: Callable[[Sequence[Rule], Wanted, Report], str]


FORMATS = {
    "openmpi": Format("Open MPI", "5.0.11", lambda of, wanted, report: openmpi.export(of, wanted.version, report)),
    "openmpi-json": Format("Open MPI", "6.0", lambda of, wanted, report: openmpi.as_json(of, wanted.version, report)),
    "han": Format("Open MPI", "5.0.11", lambda of, wanted, report: han.export(of, wanted.version, report)),
    "mpich": Format(
        "MPICH", "5.0.2", lambda of, wanted, report: mpich.export(of, mpich_library(wanted.named_mpi), report)
    ),
    "ucc": Format("UCC", "1.4", lambda of, wanted, report: ucc.export(of, report)),
    "intel": Format("Intel MPI", "2021.18", lambda of, wanted, report: intel.export(of, report)),
}


def translator(format_name: str, spec: str) -> Callable[[Rule], Target]:
    """What says a rule in that format.  Open MPI has two files: HAN for nodes, coll/tuned for the rest."""
    newest = version_of(FORMATS[format_name].newest)
    tuned = han.translator(newest) if spec.startswith("node") else openmpi.translator(newest)
    others = {"han": han.translator(newest), "mpich": mpich.translate, "ucc": ucc.translate, "intel": intel.translate}
    return others.get(format_name, tuned)


@functools.lru_cache(maxsize=1 << 14)
def expressible(format_name: str, collective: str, spec: str, layout: Layout) -> bool:
    """Whether the format says exactly that for such a layout: nothing left out, nothing approximated."""
    nodes, per_node = (layout.nodes, layout.nodes), (layout.per_node, layout.per_node)
    parts = core.load().spec_parts(spec, collective)
    rule = Rule(0, collective, spec, parts, (layout.ranks, layout.ranks), rules.ANY, nodes, per_node)
    try:
        return not translator(format_name, spec)(rule).differs
    except NotHere:
        return False


def version_of(text: str) -> tuple[int, ...]:
    """Raises UserError."""
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise UserError(f"--mpi-version {text}: a version is numbers with dots, such as 5.0.11")
    return tuple(int(part) for part in text.split("."))


def tell(report: Report, out: Output) -> None:
    lines = sorted(report.lines, key=lambda line: line.rule.line)
    if out.json:
        out.rows([line.row() for line in lines], COLUMNS)
        return
    counts = {word: sum(line.outcome == word for line in lines) for word in ("exported", "approximated", "left out")}
    shown = lines if out.verbose else [line for line in lines if line.outcome != "exported"]
    if shown and not out.quiet:
        table = Output(color=out.color)
        object.__setattr__(table, "console", out.errors)  # the file itself may be on stdout
        table.rows([line.row() for line in shown], COLUMNS)
    out.note(
        ", ".join(f"{count} {word}" for word, count in counts.items() if count) + "; the rest is the library's choice"
    )
    for note in report.notes:
        out.note(note)


@click.command(
    "export",
    epilog=options.example(
        "tutti export openmpi cluster.toml -o tuned.rules",
        "tutti export openmpi cluster.toml --mpi-version 6.0 -o tuned.json",
        "tutti export han cluster.toml --mpi-version 4.1.6 -o han.rules",
        "tutti export mpich cluster.toml --mpi /opt/mpich -o mpich.json      (its rules around yours)",
        "tutti export intel cluster.toml -N 4 --ppn 4 -o adjust.sh",
        "tutti export openmpi cluster.toml --json -o tuned.rules      (what became of each rule)",
    ),
)
@click.argument("layout", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("profile", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--mpi-version", metavar="VERSION", help="Version of the library that is to read the file.")
@options.nodes
@options.per_node
@options.mpi
@click.option("-o", "file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Where to write it [default: standard output].")  # fmt: skip
@options.output
def command(layout, profile, mpi_version, nodes, per_node, named_mpi, file, out):
    """Write the rules of PROFILE in another library's FORMAT: openmpi (coll/tuned: classic, or JSON with --mpi-version
    6.0, which takes a classic file otherwise), openmpi-json, han, mpich, ucc or intel.

    No format can say all that a profile says.  A table tells which rules were approximated or left out and why; what
    a file leaves open, its library decides as before.  -v lists what was exported as well.
    """
    found, warnings = rules.read(profile)
    for warning in warnings:
        out.warn(warning)
    chosen, report = FORMATS[layout], Report()
    wanted = Wanted(version_of(mpi_version or chosen.newest), named_mpi)
    text = chosen.text(rules.chosen_for(found, chosen.library, nodes, per_node, report), wanted, report)
    if file:
        if not file.parent.is_dir():
            raise UserError(f"-o {file}: there is no folder {file.parent}")
        file.write_text(text)
    elif not out.json:
        click.echo(text, nl=False)
    tell(report, out)
    return 0 if any(line.outcome != "left out" for line in report.lines) else 1
