"""tutti bench: times collectives, native beside tutti."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tutti import bench_environment, comparison, mpi, options, runs
from tutti.bench_launch import Launch, LaunchFailed, bench_command, library_of, timestamp
from tutti.bench_plan import Plan, collectives_named
from tutti.bench_table import case_text, print_table, summary_of
from tutti.errors import UserError
from tutti.mpi import Mpi
from tutti.output import Output


class Bench:
    """Carries out a plan: launch after launch, each result saved as it comes."""

    def __init__(
        self,
        plan: Plan,
        chosen: Mpi,
        out: Output,
        folder: Path,
        *,
        launcher: str = "mpiexec",
        nodes: int | None = None,
        per_node: int | None = None,
        profile: str | None = None,
    ):
        self.plan, self.mpi, self.out = plan, chosen, out
        self.library = library_of(chosen)
        self._starting = {"launcher": launcher, "nodes": nodes, "per_node": per_node, "profile": profile}
        self.results: list[dict[str, Any]] = []
        self.failures: list[str] = []
        self.interrupted = False
        self._heard: set[str] = set()
        settings = {**vars(plan), "base": "native", "contender": plan.variants[0], **self._starting}
        self.environment = bench_environment.describe(chosen, self.library, settings)
        self.writer = runs.RunWriter(folder, self.environment)

    def run(self) -> None:
        """Ends early, keeping what is finished, at Ctrl-C."""
        take_turns([self], self.out)

    def launch(self, number: int, ranks: int, cases: Sequence[str], advance: Callable[[int, str], None]) -> None:
        """One launch; tells `advance` each case that begins, and how many came before it.  Keeps going on failure."""
        said = f"launch {number} of {self.plan.launches}, {ranks} ranks"
        try:
            for index, case in self._launch(number, ranks, cases):
                advance(index, f"{said}: {case}")
        except LaunchFailed as failure:
            self.failures.append(f"{said}: {failure}")
            self.out.warn(self.failures[-1])

    def _launch(self, number: int, ranks: int, cases: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Gives each case when it begins, as (index, text)."""
        plan = self.plan
        command = bench_command(
            self.mpi,
            self.library,
            ranks=ranks,
            variants=plan.variants,
            seconds=plan.seconds,
            precision=plan.precision,
            check=plan.check,
            cases=cases,
            settings=plan.settings,
            bound=plan.bound,
            **self._starting,
        )
        self.out.detail(shlex.join(command))
        now, bound = "the start", {}
        try:
            for event in Launch(command, self.mpi.environment(), self._message):
                kind = event.pop("event")
                if kind == "environment":
                    self.environment["launches"].append({"launch": number, "command": command, **event})
                elif kind == "start":
                    now, bound = case_text(event), {}
                    yield event["index"], now
                elif kind == "bound":
                    bound = {"bound_us": event["bound_us"], "bound": event}
                elif kind == "result":
                    self._add({"launch": number, **event, **bound})
        except LaunchFailed as failure:
            raise LaunchFailed(f"in {now}: {failure}") from None

    def _add(self, result: dict[str, Any]) -> None:
        # In this order, so that what an interrupt finds on disk is in the table.
        self.results.append({key: value for key, value in result.items() if key != "samples"})
        self.writer.add(result)
        if result.get("wrong"):
            self.failures.append(
                f"{case_text(result)} at {result['ranks']} ranks: {result['variant']} gave a wrong "
                f"result in {result['wrong']} repetitions"
            )
            self.out.warn(self.failures[-1])

    def _message(self, line: str) -> None:
        """What ranks say on stderr is passed on, each line once."""
        if line not in self._heard:
            self._heard.add(line)
            self.out.errors.print(line, markup=False, soft_wrap=True)


def take_turns(benches: Sequence[Bench], out: Output, budget: float | None = None) -> None:
    """Carries out several plans of equal launches and ranks, launch by launch in turns, so that a machine whose speed
    drifts hits them alike.  Ends early at Ctrl-C, and after `budget` seconds (else the first plan's) once every case
    has had its first launch; what is finished is kept.
    """
    budget = budget or benches[0].plan.budget
    with contextlib.ExitStack() as stack:
        for bench in benches:
            stack.enter_context(bench.writer)
        progress = stack.enter_context(out.progress())
        task = progress.add_task("", total=sum(bench.plan.total for bench in benches))
        done, begin = 0, time.monotonic()

        def advance(index: int, text: str) -> None:
            progress.update(task, completed=done + index, description=text)

        try:
            for turns in zip(*(bench.plan.rounds() for bench in benches), strict=True):
                number, ranks, _ = turns[0]
                if number > 1 and budget and time.monotonic() - begin > budget:
                    out.note(f"time is up before launch {number} of {benches[0].plan.launches} at {ranks} ranks")
                    break
                for bench, (_, _, cases) in zip(benches, turns, strict=True):
                    bench.launch(number, ranks, cases, advance)
                    done += len(cases)
        except KeyboardInterrupt:
            for bench in benches:
                bench.interrupted = True
    for bench in benches:
        bench.writer.save_environment(bench.environment)


def warn_of_load(out: Output) -> None:
    busy = bench_environment.others_busy()
    if busy > 0.2:
        out.warn(f"other processes keep {busy:.1f} CPUs busy: times will be noisy")


@click.command(
    "bench",
    epilog=options.example(
        "tutti bench allreduce -n 8 --versus native",
        "tutti bench -n 2,8 -s 4:1M:16 --launches 10",
        "tutti bench bcast reduce -n 4 -s 1K,64K --json",
        "tutti bench all -n 2 --bound      (how far from flags and copies)",
        "tutti bench all -n 2 --null      (what the method itself is worth)",
    ),
)
@click.argument("collectives", nargs=-1, metavar="[COLLECTIVE]...")
@options.several_ranks(default="2")
@options.sizes(default="8,1K,64K,1M")
@click.option(
    "--versus",
    type=click.Choice(["native"]),
    default="native",
    show_default=True,
    help="What tutti is compared with: the MPI library's own collectives.",
)
@click.option("--null", is_flag=True, help="Compare native with itself: every ratio ought to be 1.")
@click.option(
    "--launches",
    type=options.POSITIVE,
    default=5,
    show_default=True,
    help="How often the ranks are started anew, the cases in another order each time.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=0.5,
    show_default=True,
    help="Time limit of a case in one launch; it ends earlier when its median is known to 1 %.",
)
@click.option("--no-check", is_flag=True, help="Do not check results.")
@click.option(
    "--bound", is_flag=True, help="Measure flags, switches and copies too: how far the node engine is from them."
)
@options.nodes
@options.per_node
@options.mpi
@options.launcher
@options.profile
@click.option(
    "-o",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for results and samples [default: runs/DATE-MPI].",
)
@options.output
def command(
    collectives,
    ranks,
    sizes,
    versus,
    null,
    launches,
    seconds,
    no_check,
    bound,
    nodes,
    per_node,
    named_mpi,
    launcher,
    profile,
    folder,
    out,
):
    """Time COLLECTIVEs (barrier, bcast, reduce, allreduce, allgather and alltoall unless named; or all).

    Calls MPI_X (tutti's) and PMPI_X (the library's own) alternately in one process, with rotating buffers whose
    contents change, and takes the median of the slowest rank.  The ratio native/tutti is above 1 where tutti is faster;
    its 95 % interval comes from the launches: `faster` above 1.03, `slower` below 0.97.  Ctrl-C keeps what is finished.
    """
    if launcher == "srun" and not shutil.which("srun"):
        raise UserError("there is no srun on PATH: leave --launcher out, or run this where Slurm is")
    if bound and (nodes or 1) > 1:
        raise UserError("--bound is about one node: leave -N out")
    plan = Plan(
        collectives_named(collectives), sizes, ranks, launches, seconds, check=not no_check, null=null, bound=bound
    )
    chosen = mpi.find(named_mpi)
    bench = Bench(
        plan,
        chosen,
        out,
        folder or Path("runs") / f"{timestamp()}-{chosen.name}",
        launcher=launcher,
        nodes=nodes,
        per_node=per_node,
        profile=profile and str(Path(profile).absolute()),
    )
    return conclude(measure(bench))


def measure(bench: Bench) -> Bench:
    """Says what it does, does it, and prints the table."""
    plan, out = bench.plan, bench.out
    out.note(
        f"{bench.mpi.title} ({bench.mpi.origin}), {plan.total} cases, at most about "
        f"{max(1, round(plan.total * 1.5 * plan.seconds / 60))} min"
    )
    warn_of_load(out)
    bench.run()
    print_table(comparison.cells(bench.results), bench.mpi.title, out, plan.null, plan.bound)
    return bench


def conclude(bench: Bench) -> int:
    """The last lines, and the exit status: 1 where something failed, 130 after Ctrl-C."""
    if bench.results:
        bench.out.note(f"{summary_of(comparison.cells(bench.results))}; results in {bench.writer.folder}")
    if bench.interrupted:
        bench.out.note("interrupted: what was finished is kept")
        return 130
    return 1 if bench.failures else 0
