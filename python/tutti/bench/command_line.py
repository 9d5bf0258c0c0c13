"""tutti bench: times collectives, native beside tutti."""

from __future__ import annotations

from pathlib import Path

import click

from tutti import options
from tutti.bench import arrival, familiar, formats, late_ranks, subjects
from tutti.bench import guidelines as bench_guidelines
from tutti.bench import imbalance as bench_imbalance
from tutti.bench import replay as bench_replay
from tutti.bench import timing as bench_timing
from tutti.bench import variants as bench_variants
from tutti.bench.launch import timestamp
from tutti.bench.plan import Plan
from tutti.bench.run import Bench, take_turns, warn_of_load
from tutti.bench.subjects import is_message_pattern, started_for, subjects_named
from tutti.bench.table import print_table, summary_of
from tutti.errors import UserError
from tutti.results import caches, comparison, samples, timeouts
from tutti.site import awake, crowding, launch, mpi


@click.command(
    "bench",
    epilog=options.example(
        "tutti bench allreduce -n 8 --versus native",
        "tutti bench -n 2,8 -s 4:1M:16 --launches 10",
        "tutti bench bcast reduce -n 4 -s 1K,64K --json",
        "tutti bench bcast -n 2 -s 1K:1M:4 --cache warm     (as --cache cold,warm, the default, but one state alone)",
        "tutti bench all -n 2 --bound      (how far from flags and copies)",
        "tutti bench all -n 2 --null      (what the method itself is worth)",
        "tutti bench reduce -n 8 --arrival last_late,random --skew 1x,10x",
        "tutti bench bcast -n 4 --format imb --sync barrier",
        "tutti bench pingpong pairs -n 8 -s 8,1M",
        "tutti bench --pattern halo.txt -n 4 -s 1K:1M",
        "tutti bench iallreduce -n 2      (with overlap)",
        "tutti bench allreduce -n 8 --algorithms all",
        "tutti bench bcast -n 8 --variant free:bind=none --variant bound:bind=core",
        "tutti bench -n 8 --imbalance 0.001    (how far apart ranks come after balanced work)",
        "tutti bench --guidelines -n 4    (what is slower than other calls that do its work)",
        "tutti bench --replay app.rec     (what `tutti record` recorded)",
        "tutti bench -n 8 --clock-check 10     (how far apart the ranks' clocks are)",
    ),
)
@click.argument("words", nargs=-1, metavar="[WHAT]...")
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
    default=0.25,
    show_default=True,
    help="Time limit of a case in one launch and state of caches; it ends earlier when its median is known to 1 %.",
)
@bench_variants.options
@subjects.options
@familiar.options
@click.option("--no-check", is_flag=True, help="Do not check results.")
@click.option(
    "--bound", is_flag=True, help="Measure flags, switches and copies too: how far the node engine is from them."
)
@arrival.options
@click.option(
    "--cache",
    "states",
    metavar="STATES",
    type=options.Parsed("STATES", caches.parse),
    help="What caches hold of the buffers; of a list each case in each state: cold (others each time, more than caches "
    "hold, with other contents; also called rotating), warm (the same ones, as the same call left them), fresh (just "
    "written anew), flushed (driven out of all caches)  [default: cold,warm; with --format warm].",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(formats.FORMATS),
    help="Print times as the Intel MPI Benchmarks or the OSU micro-benchmarks do, measured as they do (--cache warm, "
    "one call at a time; with --sync barrier by MPI_Wtime).",
)
@bench_timing.options
@awake.option
@click.option(
    "--clock-check",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="Measure no collective: synchronise the clocks, and print their errors now and SECONDS later.",
)
@click.option(
    "--imbalance",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="Measure no collective: let all ranks do the same work for SECONDS, and print how far apart they are then, "
    "inside nodes and between them.",
)
@bench_replay.option
@click.option(
    "--guidelines",
    is_flag=True,
    help="Check performance guidelines, such as that allreduce takes no longer than reduce and bcast.",
)
@options.nodes
@options.per_node
@crowding.option
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
    words,
    ranks,
    sizes,
    versus,
    null,
    launches,
    seconds,
    no_check,
    bound,
    patterns,
    states,
    layout,
    timing,
    calls,
    variants,
    algorithms,
    clock_check,
    imbalance,
    replay,
    guidelines,
    nodes,
    per_node,
    oversubscribe,
    named_mpi,
    launcher,
    profile,
    folder,
    out,
):
    """Time WHAT is named: barrier, bcast, reduce, allreduce, allgather and alltoall if nothing is.

    \b
    all           the blocking collectives (bcast)
    nonblocking   ibcast and so on, with overlap     persistent   bcast_init and so on
    messages      patterns: pingpong, pingping, sendrecv, exchange, ring, neighbour_pairs,
                  far_pairs, bisection, all_to_one, one_to_all, pairs (or pairs-3)
    memcpy        a copy in each rank, beside which caches' part can be seen

    Calls MPI_X (tutti's) and PMPI_X (the library's own) alternately in one process, and takes the median of the slowest
    rank: with cold buffers, others each time, whose contents change, and with warm ones, the same again and again.  The
    ratio native/tutti is above 1 where tutti is faster; its 95 % interval comes from the launches: `faster` above 1.03,
    `slower` below 0.97, `slower (warm)` where only warm calls are.  Ctrl-C keeps what is finished.
    """
    if bound and (nodes or 1) > 1:
        raise UserError("--bound is about one node: leave -N out")
    started = [calls.started or max(ranks), *(started_for(each.on, ranks, said=True) for each in variants if each.on)]
    crowding.check(started, nodes, launcher, oversubscribe)
    chosen = launch.mpi_for(named_mpi, launcher)
    where = {"launcher": launcher, "nodes": nodes, "per_node": per_node}
    folder = folder or Path("runs") / f"{timestamp()}-{chosen.name}"
    if imbalance:
        balanced = bench_imbalance.Balanced(chosen, out, folder, timing, imbalance, seconds)
        return bench_imbalance.measure(balanced, ranks, launches, **where)
    if clock_check:
        return bench_timing.check_clock(chosen, ranks, clock_check, timing, out, **where)
    if bound and patterns != [""]:
        raise UserError("--bound is about ranks that come together: leave --arrival out")
    if layout and states and len(states) > 1:
        raise UserError(f"--format {layout} prints one state of caches: --cache {states[0]}, or leave it out")
    names = subjects_named(words, calls.patterns)
    plan = Plan(
        names,
        sizes,
        ranks,
        launches,
        seconds,
        check=not no_check,
        null=null or all(is_message_pattern(name) for name in names),
        bound=bound,
        arrivals=patterns,
        caches=states or (("warm",) if layout else caches.USUAL),
        layout=layout,
        timing=timing.as_others_do() if layout else timing,
        calls=calls,
        nodes=nodes or 1,
    )
    where["profile"] = profile and str(Path(profile).absolute())
    if algorithms:
        variants = bench_variants.of_algorithms(algorithms, names)
    if variants:
        return measure_variants(
            [
                Bench(
                    bench_variants.narrowed(plan, each),
                    mpi.find(each.mpi) if each.mpi else chosen,
                    out,
                    folder / each.name,
                    **where,
                    variant=each,
                )
                for each in variants
            ]
        )
    if guidelines:
        plan, wanted = bench_guidelines.plan(plan, named=bool(words))
        return bench_guidelines.measure(Bench(plan, chosen, out, folder, **where), wanted)
    if replay:
        plan = bench_replay.plan(replay, folder, plan, out)
        crowding.check(plan.ranks, nodes, launcher, oversubscribe)
        return conclude(measure(bench_replay.Replay(plan, chosen, out, folder, **where)))
    return conclude(measure(Bench(plan, chosen, out, folder, **where)))


def measure(bench: Bench) -> Bench:
    """Says what it does, does it, and prints the table."""
    plan, out = bench.plan, bench.out
    out.note(
        f"{bench.mpi.title} ({bench.mpi.origin}), {plan.total} cases, at most about "
        f"{max(1, round(plan.total * 1.5 * plan.seconds / 60))} min"
    )
    warn_of_load(out)
    bench.run()
    if plan.layout and not out.json:
        formats.print_as(plan.layout, samples.read(bench.writer.folder, bench.results), bench.results, out)
    else:
        table = comparison.cells(bench.results)
        print_table(table, bench.mpi.title, out, plan.null, plan.bound)
        late_ranks.print_summary(table, out, plan.null)
    timeouts.show(bench.writer.folder, bench.results, out)
    return bench


def measure_variants(benches: list[Bench]) -> int:
    """In turns; prints how each does beside the first.  The worst exit status."""
    out = benches[0].out
    total = sum(bench.plan.total for bench in benches)
    out.note(f"{len(benches)} variants, {total} cases")
    warn_of_load(out)
    take_turns(benches, out)
    bench_variants.print_comparison(benches, out)
    out.note(f"results in {benches[0].writer.folder.parent}")
    return max(conclude(bench) for bench in benches)


def conclude(bench: Bench) -> int:
    """The last lines, and the exit status: 1 where something failed, 130 after Ctrl-C."""
    if launches := bench.environment["launches"]:
        bench.out.note(f"clock: {bench_timing.clock_text(launches[-1].get('clock', []))}")
    if bench.results:
        bench.out.note(f"{summary_of(comparison.cells(bench.results))}; results in {bench.writer.folder}")
    if bench.interrupted:
        bench.out.note("interrupted: what was finished is kept")
        return 130
    return 1 if bench.failures else 0
