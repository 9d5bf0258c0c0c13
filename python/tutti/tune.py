"""tutti tune: measures what serves each collective best, and writes it down as a profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tutti import comparison, core, mpi, options, tune_profile, tune_rules
from tutti.bench_launch import timestamp
from tutti.bench_plan import Plan, collectives_named
from tutti.bench_run import Bench, take_turns, warn_of_load
from tutti.bench_table import times
from tutti.demo import rank_counts
from tutti.errors import UserError
from tutti.launch import cpus
from tutti.output import Column, Output
from tutti.tune_rules import Rule

TWICE, ONCE = "node", "node(single_copy=1)"  # through shared memory; straight from the writer's memory
LEAST_ONCE = 1 << 10  # one copy costs a system call, which no shorter block can pay for
OVERHEAD = 1.7  # a case takes so much longer than its time limit: warm-up, agreeing, starting the ranks

COLUMNS = [
    Column("collective", "collective"),
    Column("ranks", "ranks"),
    Column("size", "sizes", text=lambda size: size or "any"),
    Column("use", "use"),
    Column("least", "least native/node", right=True, text=times),
    Column("most", "most", right=True, text=times),
]


def serves(spec: str, collective: str) -> bool:
    """Whether the collective takes that spec (one copy is for those that move blocks)."""
    try:
        core.load().parse_spec(spec, collective)
    except core.load().SpecError:
        return False
    return True


def plans_for(
    collectives: Sequence[str], sizes: Sequence[int], ranks: Sequence[int], launches: int, minutes: float | None
) -> list[Plan]:
    """One for each way through the node, with time limits that fit into the minutes."""
    plans = [Plan(collectives, sizes, ranks, launches, seconds=0.25, spec=TWICE)]
    moving = [name for name in collectives if serves(ONCE, name)]
    long = [size for size in sizes if size >= LEAST_ONCE]
    if moving and long:
        plans.append(Plan(moving, long, ranks, launches, seconds=0.25, spec=ONCE))
    if minutes is None:
        return plans
    share = 60 * minutes / OVERHEAD / sum(plan.total for plan in plans)
    return [Plan(**vars(plan) | {"seconds": min(plan.seconds, share), "budget": 60 * minutes}) for plan in plans]


def measured(bench: Bench) -> list[comparison.Cell]:
    """The cells that were served by the spec that was asked for; tutti may have had to leave others to the MPI."""
    cells = comparison.cells(bench.results)
    return [cell for cell in cells if cell.choice == core.load().parse_spec(bench.plan.spec, cell.key.collective)]


def row(rule: Rule) -> dict:
    ratios = [cell.ratio.value for cell in rule.cells if cell.ratio]
    return {
        "collective": rule.collective,
        "ranks": rule.ranks,
        "size": rule.size,
        "use": rule.use,
        "least": min(ratios, default=None),
        "most": max(ratios, default=None),
    }


def write(file: Path, rules: Sequence[Rule], bench: Bench) -> None:
    """Complete or not at all, and only what the library's own reader takes."""
    machine = bench.environment["machine"]
    about = {
        "date": bench.environment["date"][:10],
        "command": bench.environment["command"],
        "mpi": bench.mpi.title,
        "tutti": bench.environment["tutti"],
        "machine": f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['host']}",
    }
    text = tune_profile.profile(rules, about)
    if unsound := core.load().check_profile(text, str(file)):
        raise RuntimeError(f"the profile is not one: {unsound[0]}")
    new = file.with_name(file.name + ".new")
    new.write_text(text)
    new.replace(file)


def check_output(file: Path) -> None:
    if not file.parent.is_dir():
        raise UserError(f"-o {file}: there is no folder {file.parent}")


@click.command(
    "tune",
    epilog=options.example(
        "tutti tune --node -o node.toml",
        "tutti tune --node -n 2,8,32 --mpi openmpi -o node.toml",
        "tutti tune --node bcast allgather -n 8 -s 1K:4M:4 --minutes 5 -o node.toml",
        "TUTTI_PROFILE=node.toml tutti explain bcast -s 64K -n 8      (which rule serves)",
    ),
)
@click.argument("collectives", nargs=-1, metavar="[COLLECTIVE]...")
@click.option("--node", is_flag=True, help="Tune the inside of a node: where the node engine serves, and how.")
@options.several_ranks()
@options.sizes(default="4:1M:8")
@click.option("-o", "file", metavar="FILE", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="The profile to write.")  # fmt: skip
@click.option("--launches", type=options.POSITIVE, default=5, show_default=True,
              help="How often the ranks are started anew for each candidate.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True),
              help="Take about so long: shorter measurements, then fewer launches.")  # fmt: skip
@click.option("--runs", "folder", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for results and samples [default: runs/DATE-MPI-tune].")  # fmt: skip
@options.mpi
@options.output
def command(collectives, node, ranks, sizes, file, launches, minutes, folder, named_mpi, out):
    """Measure what serves COLLECTIVEs (all unless named) best on this machine, and write a profile.

    With --node: native, the node engine, and the node engine with blocks copied once, turn by turn as `tutti bench`
    compares them, for each number of ranks (by default 2, one a CPU, and more than CPUs).  A range of sizes gets the
    node engine where it was measured to be no slower than native; whatever stays in doubt is left to the MPI.  Every
    rule carries its measurement.  Ctrl-C, and the end of the minutes, keep what is finished: the profile is made of it.
    """
    if not node:
        raise UserError("what tutti tunes so far is the inside of a node: say tutti tune --node")
    check_output(file)
    names = collectives_named(collectives or ["all"])
    plans = plans_for(names, sizes, ranks or rank_counts(cpus()), launches, minutes)
    chosen = mpi.find(named_mpi)
    folder = folder or Path("runs") / f"{timestamp()}-{chosen.name}-tune"
    benches = [
        Bench(plan, chosen, out, folder / ("two-copies" if plan.spec == TWICE else "one-copy")) for plan in plans
    ]
    return tune(benches, file, out)


def tune(benches: Sequence[Bench], file: Path, out: Output) -> int:
    """Measures, decides, writes; the exit status is that of bench."""
    total = sum(bench.plan.total for bench in benches)
    seconds = sum(bench.plan.total * bench.plan.seconds for bench in benches)
    most = max(1, round(OVERHEAD * seconds / 60))
    out.note(f"{benches[0].mpi.title} ({benches[0].mpi.origin}), {total} cases, at most about {most} min")
    warn_of_load(out)
    take_turns(benches, out)
    cells = [measured(bench) for bench in benches]
    rules = tune_rules.decide(cells[0], cells[1] if len(cells) > 1 else [])
    interrupted = any(bench.interrupted for bench in benches)
    if not rules:
        out.warn("nothing was measured that the node engine served: no profile is written (see tutti doctor)")
        return 130 if interrupted else 1
    out.rows([row(rule) for rule in rules], COLUMNS, title=f"{benches[0].mpi.title}, inside a node")
    write(file, rules, benches[0])
    out.note(f"{len(rules)} rules in {file}; the measurements are in {benches[0].writer.folder.parent}")
    if interrupted:
        out.note("interrupted: the profile is made of what was finished")
        return 130
    return 1 if any(bench.failures for bench in benches) else 0
