"""tutti verify: proves schedules right, for every number of ranks asked for and every root."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import click

from tutti import core, options
from tutti.errors import UserError


def runs(counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as (first, last) of their unbroken runs."""
    first = last = counts[0]
    for count in counts[1:]:
        if count != last + 1:
            yield first, last
            first = count
        last = count
    yield first, last


def weight(ranks: int) -> int:
    """How long a proof takes, roughly: every rank's steps for every root."""
    return ranks**3


@click.command(
    "verify",
    epilog=options.example(
        "tutti verify -n 1:33", "tutti verify allreduce -n 64,100", "tutti verify bcast --algorithm binomial"
    ),
)
@click.argument("collective", required=False)
@options.several_ranks(default="1:33")
@click.option("--algorithm", metavar="NAME", help="Only the algorithm of that name.")
@options.output
def command(collective, ranks, algorithm, out):
    """Prove the catalogue, or the algorithms of one COLLECTIVE, for each number of ranks.

    The verifier runs all ranks and looks for wrong results, unmatched messages, deadlock and misused buffers.  It stops
    at the first fault, prints it, and ends with status 1.
    """
    collective = core.check_collective(collective)
    if algorithm:
        core.check_algorithm(algorithm, collective)
    subjects = [a for a in core.load().catalogue() if collective in (None, a.collective)]
    subjects = [a for a in subjects if algorithm in (None, a.name)]
    if not subjects:
        raise UserError(f"the catalogue has no algorithm for {collective}: there is nothing to prove")
    began, proved, fault = time.monotonic(), 0, None
    with out.progress(counts=False) as progress:
        task = progress.add_task("", total=len(subjects) * sum(map(weight, ranks)))

        def advance(of: str, name: str, size: int, _proved: int) -> None:
            progress.update(task, advance=weight(size), description=f"{of} {name}, {size} ranks")

        for first, last in runs(ranks):
            survey = core.load().verify(first, last, collective, algorithm or "", advance)
            proved += survey.proved
            if survey.fault:
                fault = survey
                break
    return conclude(out, len(subjects), proved, time.monotonic() - began, fault)


def conclude(out, algorithms: int, proved: int, seconds: float, fault) -> int:
    """Prints what came of it; the exit status."""
    if out.json:
        facts = {"algorithms": algorithms, "proved": proved, "seconds": round(seconds, 3), "right": fault is None}
        out.object(facts | ({"subject": fault.subject, "fault": fault.fault} if fault else {}))
    elif fault:
        out.line(f"wrong: {fault.subject}")
        out.line(fault.fault)
        out.line(f"{proved} schedules were proved before")
    else:
        out.line(f"{proved} schedules of {algorithms} algorithms proved right in {seconds:.1f} s")
    return 1 if fault else 0
