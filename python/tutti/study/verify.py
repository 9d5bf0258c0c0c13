"""tutti verify: proves schedules right, for every number of ranks asked for and every root."""

from __future__ import annotations

import time

import click

from tutti import core, options
from tutti.errors import UserError


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
@click.option("--algorithm", metavar="NAME", help="Only the algorithm of that name; groups: all that are composed so.")
@click.option("--threads", type=click.IntRange(0), default=0, help="Threads that prove; 0: one a processor.")
@options.output
def command(collective, ranks, algorithm, threads, out):
    """Prove the catalogue, or the algorithms of one COLLECTIVE, for each number of ranks.

    After the catalogue's algorithms come compositions of them in groups: each stands between groups, and inside.

    The verifier runs all ranks and looks for wrong results, unmatched messages, deadlock, misused buffers and claims
    that do not hold.  It stops at the first fault, prints it, and ends with status 1.  A schedule that it counts is one
    algorithm on all ranks with one root, parameters and layout of blocks: all roots up to 9 ranks, several beyond.
    """
    collective = core.check_collective(collective)
    if algorithm:
        core.check_algorithm(algorithm, collective)
    subjects = core.load().surveyed(collective, algorithm or "")
    if not subjects:
        raise UserError(f"the catalogue has no algorithm for {collective}: there is nothing to prove")
    began = time.monotonic()
    with out.progress(counts=False) as progress:
        task = progress.add_task("", total=len(subjects) * sum(map(weight, ranks)))

        def advance(of: str, name: str, size: int, _proved: int) -> None:
            progress.update(task, advance=weight(size), description=f"{of} {name}, {size} ranks")

        survey = core.load().verify(ranks, collective, algorithm or "", threads, advance)
    return conclude(out, len(subjects), survey, time.monotonic() - began)


def conclude(out, algorithms: int, survey, seconds: float) -> int:
    """Prints what came of it; the exit status."""
    proved, wrong = survey.proved, bool(survey.fault)
    if out.json:
        facts = {"algorithms": algorithms, "proved": proved, "seconds": round(seconds, 3), "right": not wrong}
        out.object(facts | ({"subject": survey.subject, "fault": survey.fault} if wrong else {}))
    elif wrong:
        out.line(f"wrong: {survey.subject}")
        out.line(survey.fault)
        out.line(f"{proved} schedules were proved before")
    else:
        out.line(f"{proved} schedules of {algorithms} algorithms proved right in {seconds:.1f} s")
    return 1 if wrong else 0
