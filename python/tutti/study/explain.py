"""tutti explain: which algorithm serves a call, by which rule, and what was passed over."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import click

from tutti import core, options
from tutti.bench.table import microseconds
from tutti.errors import UserError
from tutti.options import format_size
from tutti.output import Column
from tutti.site import launch, machine, mpi
from tutti.tuning import checking

COLUMNS = [
    Column("collective", "collective"),
    Column("size", "size", right=True, text=lambda size: "-" if size is None else format_size(size)),
    Column("ranks", "ranks", right=True),
    Column("nodes", "nodes", right=True),
    Column("choice", "choice"),
    Column("variant", "variant"),
    Column("reason", "because of"),
    Column("measured", "measured", text=lambda found: measured_text(found) if found else ""),
    Column("because", "which says"),
]


def placement(ranks: int | None, nodes: int | None, per_node: int | None) -> tuple[int, int, int]:
    """Ranks, nodes, and most ranks on one node, from whichever of -n, -N and --ppn are given."""
    if ranks is None:
        ranks = (nodes or 1) * per_node if per_node else max(2, nodes or launch.cpus())
    if nodes is None:
        nodes = -(-ranks // per_node) if per_node else 1
    most = per_node or -(-ranks // nodes)
    if not nodes <= ranks <= nodes * most:
        raise UserError(f"{ranks} ranks do not fit on {nodes} nodes with {most} each: say -n, or -N and --ppn")
    return ranks, nodes, most


class Evidence:
    """The measurements that a profile carries, by the line of the rule."""

    def __init__(self, profile: str):
        self._rows: dict[int, list[dict[str, Any]]] = {}
        if not profile or not Path(profile).is_file() or sys.version_info < (3, 11):
            return
        try:
            raw = checking.tables(Path(profile)).get("rule", [])
        except UserError:  # the library warns of it, with line and column
            return
        for rule in core.load().profile_rules(Path(profile).read_text(), profile)[0]:
            measured = raw[rule["index"]].get("measured", {})
            self._rows[rule["line"]] = [row for row in measured.get("sizes", []) if "median_us" in row]

    def of(self, reason: str, size: int | None) -> dict[str, Any] | None:
        """The measured size nearest to that of the call, where the reason is a rule of the profile."""
        found = re.match(r"(?!default\.toml ).* line (\d+)", reason)
        rows = self._rows.get(int(found[1]), []) if found else []
        return min(rows, key=lambda row: abs(math.log((row["size"] + 1) / ((size or 0) + 1))), default=None)


def measured_text(found: dict[str, Any]) -> str:
    ours, native = microseconds(found["median_us"]), microseconds(found["native_us"])
    text = f"{ours} µs, native {native} at {format_size(found['size'])}"
    return text + (f"; next {found['runner_up']} x {found['behind']:.2f}" if "runner_up" in found else "")


def has_domains(setting: str, ranks: int) -> bool:
    """Whether TUTTI_NODE_DOMAINS divides so many ranks; `auto` is taken for a node of one domain."""
    return setting.isdigit() and 0 < int(setting) < ranks


def row(
    selector, collective: str, size: int | None, commutative: bool, ranks: int, domains: bool = False
) -> dict[str, Any]:
    bytes_known = -1 if size is None else size
    choice = selector.choose(collective, bytes_known, commutative)
    variant, obstacle = core.load().variant_of(choice, collective, bytes_known, ranks, domains)
    return {
        "collective": collective,
        "size": size,
        "choice": choice.text,
        "variant": variant,
        "kind": choice.kind,
        "reason": choice.reason,
        "because": choice.because,
        "excluded": [*choice.excluded, *([f"the variant of {choice.text}: {obstacle}"] if obstacle else [])],
    }


@click.command(
    "explain",
    epilog=options.example(
        "tutti explain allreduce -s 4K -n 8",
        "tutti explain allreduce -s 4K -N 16 --ppn 32",
        "TUTTI_BCAST=binomial tutti explain bcast -s 8:1M -n 8",
        "tutti explain reduce -s 64K --profile cluster.toml --json",
    ),
)
@click.argument("collective")
@options.sizes(default="8,1K,64K,1M")
@options.ranks()
@options.nodes
@options.per_node
@options.mpi
@options.profile
@click.option("--share-cpus", is_flag=True, help="Some node has more ranks than CPUs.")
@click.option("--non-commutative", is_flag=True, help="The call's operator is not commutative.")
@options.output
def command(collective, sizes, ranks, nodes, per_node, named_mpi, profile, share_cpus, non_commutative, out):
    """Say which algorithm serves a call of COLLECTIVE, by which setting or rule, and what could not serve it.

    The environment of this shell counts, as it would for a program.  Without -n: as many ranks as CPUs, on one node.
    Some rules hold under one MPI library alone, and some only where each rank has a CPU (or, with --share-cpus, where
    not).  A reduction with an operator of the program's own is chosen for as if
    its elements had 8 bytes each: only their number is the same on all ranks for certain.

    Of the node engine the variant is named that carries the call out where each rank has a CPU, slots are 32 KiB long,
    and the node is one domain unless TUTTI_NODE_DOMAINS says otherwise; in a program TUTTI_EXPLAIN=1 names it.
    """
    collective = core.check_collective(collective)
    ranks, nodes, most = placement(ranks, nodes, per_node)
    settings, warnings = core.read_settings(profile)
    library = mpi.named(named_mpi) if named_mpi else mpi.on_path()
    title = library.title if library else ""
    selector = core.load().Selector(settings, ranks, nodes, most, library=title, shares_cpus=share_cpus)
    sizes = [None] if collective == "barrier" else sizes
    domains = has_domains(settings.value("TUTTI_NODE_DOMAINS"), ranks)
    facts = {"ranks": ranks, "nodes": nodes}
    rows = [row(selector, collective, size, not non_commutative, ranks, domains) | facts for size in sizes]
    evidence = Evidence(settings.value("TUTTI_PROFILE"))
    for found in rows:
        found["measured"] = evidence.of(found["reason"], found["size"])
    optional = ("measured", "variant")
    out.rows(rows, [column for column in COLUMNS if column.key not in optional or any(r[column.key] for r in rows)])
    passed_over = dict.fromkeys(text for found in rows for text in found["excluded"])
    if passed_over:
        out.line("\npassed over:")
    for text in passed_over:
        out.line(f"  {text}")
    if settings.value("TUTTI") == "off":
        out.note("TUTTI=off: in a program, every call is left to the MPI")
    for finding in machine.gpus():
        if finding.advice:
            out.note(f"GPU: {finding.advice}")
    for warning in [*warnings, *selector.warnings]:
        out.warn(warning)
