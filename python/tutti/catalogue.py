"""tutti list: the catalogue, with costs as formulas or, with -n, counted from the schedules."""

from __future__ import annotations

from typing import Any

import click

from tutti import core, options
from tutti.options import format_size
from tutti.output import Column


def parameters_text(algorithm) -> str:
    """As in a spec, with the values that hold where none is given: segment=64K."""
    texts = []
    for parameter in algorithm.parameters:
        standard = format_size(parameter.standard) if parameter.kind == "segment" else str(parameter.standard)
        texts.append(f"{parameter.name}={standard}")
    return ", ".join(texts)


def row(algorithm, ranks: int | None, size: int) -> dict[str, Any]:
    """What the catalogue says of one algorithm, and with `ranks` what its schedules come to."""
    found = {
        "collective": algorithm.collective,
        "algorithm": algorithm.name,
        "parameters": parameters_text(algorithm),
        "needs": ", ".join(algorithm.needs),
        "cost": algorithm.cost,
        "source": algorithm.source,
    }
    if ranks is None:
        return found
    found |= {"ranks": ranks, "size": size}
    if algorithm.obstacle(ranks):
        return found
    cost = core.load().schedule_cost(algorithm.collective, algorithm.name, ranks, bytes=size)
    return found | {name: getattr(cost, name) for name in ("rounds", "moved", "reduced", "messages")}


@click.command("list", epilog=options.example("tutti list", "tutti list allreduce -n 64 -s 4K", "tutti list --json"))
@click.argument("collective", required=False)
@options.ranks()
@options.sizes(default="1K")
@options.output
def command(collective, ranks, sizes, out):
    """List the algorithms, of one COLLECTIVE or all, with their costs and sources.

    With -n, rounds and bytes moved and reduced are counted on the schedules' critical paths, for that number of ranks
    and each of the sizes.
    """
    collective = core.check_collective(collective)
    algorithms = [a for a in core.load().catalogue() if collective in (None, a.collective)]
    if not algorithms:
        out.note(f"no algorithm for {collective} yet: its calls are left to the MPI")
    columns = [Column("collective", "collective"), Column("algorithm", "algorithm"), Column("parameters", "parameters")]
    if ranks is None:
        columns += [Column("needs", "needs"), Column("cost", "cost"), Column("source", "source")]
    else:
        counted = {"rounds": "rounds", "moved": "bytes moved", "reduced": "bytes reduced", "messages": "messages"}
        columns.append(Column("size", "size", right=True, text=format_size))
        columns += [Column(key, title, right=True) for key, title in counted.items()] + [Column("cost", "cost")]
    sizes = sizes if ranks else [0]
    rows = (row(algorithm, ranks, size) for algorithm in algorithms for size in sizes)
    out.rows(rows, columns, f"{ranks} ranks" if ranks else None)
