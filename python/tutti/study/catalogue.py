"""tutti list: the catalogue, with costs as formulas or, with -n, counted from the schedules beside the lower bounds."""

from __future__ import annotations

from typing import Any

import click

from tutti import core, options
from tutti.options import format_size
from tutti.output import Column

JSON_RANKS, JSON_SIZE = 8, 1024  # what JSON counts for where nothing else is asked
COUNTED = ("rounds", "moved", "reduced")


def row(algorithm) -> dict[str, Any]:
    """What the catalogue says of one algorithm."""
    return {
        "collective": algorithm.collective,
        "algorithm": algorithm.name,
        "parameters": [
            {key: getattr(parameter, key) for key in ("name", "kind", "least", "most", "standard")}
            for parameter in algorithm.parameters
        ],
        "needs": list(algorithm.needs),
        "constraints": algorithm.constraints,
        "cost": algorithm.cost,
        "source": algorithm.source,
        "mpich_1_2_4": algorithm.mpich_1_2_4,
    }


def counts(algorithm, ranks: int, size: int, ports: int = 1) -> dict[str, Any]:
    """What its schedules come to on the critical path, each beside the least that any schedule does: moved_bound."""
    found = {"ranks": ranks, "size": size, "ports": ports, "obstacle": algorithm.obstacle(ranks)}
    bound = core.load().lower_bound(algorithm.collective, ranks, bytes=size, ports=ports)
    if not found["obstacle"]:
        cost = core.load().schedule_cost(algorithm.collective, algorithm.name, ranks, bytes=size, ports=ports)
        found |= {key: getattr(cost, key) for key in (*COUNTED, "messages")}
    return found | {f"{key}_bound": getattr(bound, key) for key in COUNTED}


def joined(words) -> str:
    return ", ".join(words)


def parameters_cell(parameters: list[dict[str, Any]]) -> str:
    """segment=64K (256..1G)"""
    texts = []
    for parameter in parameters:
        text = format_size if parameter["kind"] == "segment" else str
        least, most = text(parameter["least"]), text(parameter["most"])
        texts.append(f"{parameter['name']}={text(parameter['standard'])} ({least}..{most})")
    return joined(texts)


NAMES = [
    Column("collective", "collective"),
    Column("algorithm", "algorithm"),
    Column("parameters", "parameters", text=parameters_cell),
]
DESCRIBED = [
    *NAMES,
    Column("needs", "needs", text=joined),
    Column("cost", "cost"),
    Column("source", "source"),
]
BESIDE = [
    *NAMES,
    Column("size", "size", right=True, text=format_size),
    Column("rounds", "rounds", right=True),
    Column("rounds_bound", "least", right=True),
    Column("moved", "bytes moved", right=True),
    Column("moved_bound", "least", right=True),
    Column("reduced", "bytes reduced", right=True),
    Column("reduced_bound", "least", right=True),
    Column("messages", "messages", right=True),
    Column("cost", "cost"),
    Column("obstacle", "does not run"),
]


VARIANTS = [
    Column("collective", "collective"),
    Column("variant", "variant of node"),
    Column("needs", "needs"),
    Column("cost", "cost"),
    Column("when", "taken unasked"),
    Column("what", "what it does"),
]


def variants(collective: str | None) -> list[dict[str, Any]]:
    """The node engine's variants, of one collective or all."""
    return [row for row in core.load().variants() if collective in (None, row["collective"])]


def composed(collective: str | None) -> list[str]:
    """What stands beside the catalogue: compositions in groups, of one collective or all."""
    rows = core.load().composed()
    if collective is None:
        return [f"groups(G, outer=X, inner=Y) is composed of these for {joined(row['collective'] for row in rows)}"]
    return [
        f"groups(G, outer=X, inner=Y): X is {joined(row['outer'])}; Y is {joined(row['inner'])}"
        for row in rows
        if row["collective"] == collective
    ]


@click.command("list", epilog=options.example("tutti list", "tutti list allreduce -n 64 -s 4K", "tutti list --json"))
@click.argument("collective", required=False)
@options.ranks()
@options.sizes(default="1K")
@click.option(
    "--ports",
    metavar="K",
    type=options.POSITIVE,
    default=1,
    show_default=True,
    help="Messages that a rank sends, and receives, at a time.",
)
@options.output
def command(collective, ranks, sizes, ports, out):
    """List the algorithms, of one COLLECTIVE or all, with their needs, costs and sources.

    Behind them stand the variants of the node engine, as node(variant=striped) names them: s is a synchronisation of
    two ranks, and β the time to copy a byte in memory.

    With -n, rounds and bytes moved and reduced are counted on the schedules' critical paths, for that number of ranks
    and each of the sizes, and stand beside the least that any schedule needs.  JSON has all fields, counted for 8
    ranks where no -n says otherwise.
    """
    collective = core.check_collective(collective)
    algorithms = [a for a in core.load().catalogue() if collective in (None, a.collective)]
    if not algorithms:
        out.note(f"no algorithm for {collective} yet: its calls are left to the MPI")
    if ranks is None and not out.json:
        out.rows(map(row, algorithms), DESCRIBED)
        out.line()
        out.rows(variants(collective), VARIANTS)
        for line in composed(collective):
            out.note(line)
        return
    described, ranks = ranks is None, ranks or JSON_RANKS
    rows = (row(algorithm) | counts(algorithm, ranks, size, ports) for algorithm in algorithms for size in sizes)
    columns = BESIDE if any(algorithm.obstacle(ranks) for algorithm in algorithms) else BESIDE[:-1]
    ported = f", {ports} ports each" if ports > 1 else ""
    out.rows(rows, columns, f"{ranks} ranks{ported}; least: what no schedule can do without")
    if described:
        out.rows(variants(collective), VARIANTS)
