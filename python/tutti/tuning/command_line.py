"""tutti tune: measures what serves each collective best, and writes it down as a profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from tutti import core, options
from tutti.bench.launch import timestamp
from tutti.bench.plan import Plan, collectives_named
from tutti.bench.run import Bench, take_turns, warn_of_load
from tutti.bench.table import times
from tutti.demo import rank_counts
from tutti.errors import UserError
from tutti.export import command_line as export
from tutti.output import Column, Output
from tutti.results import caches, comparison
from tutti.site import awake, crowding, launch
from tutti.site.launch import cpus
from tutti.tuning import checking, profile, used
from tutti.tuning import rules as tune_rules
from tutti.tuning.evidence import Cell, Store
from tutti.tuning.general import MIX, Tuning, cells_of
from tutti.tuning.layout import Layout, Local
from tutti.tuning.rules import Rule

TWICE, ONCE = "node", "node(single_copy=1)"  # through shared memory; straight from the writer's memory
# Of these one copy is for two ranks; more go through shared memory all the same.
OF_TWO = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
LEAST_ONCE = 1 << 10  # one copy costs a system call, which no shorter block can pay for
CASE = 0.125  # seconds of a case in one launch, at most
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
    """Whether the collective takes that spec (one copy is not for barriers and scans)."""
    try:
        core.load().parse_spec(spec, collective)
    except core.load().SpecError:
        return False
    return True


def plans_for(
    collectives: Sequence[str],
    sizes: Sequence[int],
    ranks: Sequence[int],
    launches: int,
    minutes: float | None,
    states: Sequence[str] = caches.USUAL,
) -> list[Plan]:
    """One for each way through the node, with time limits that fit into the minutes."""
    plans = [Plan(collectives, sizes, ranks, launches, seconds=CASE, spec=TWICE, caches=states)]
    copied = [name for name in collectives if serves(ONCE, name) and (name not in OF_TWO or set(ranks) == {2})]
    long = [size for size in sizes if size >= LEAST_ONCE]
    if copied and long:
        plans.append(Plan(copied, long, ranks, launches, seconds=CASE, spec=ONCE, caches=states))
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
    text = profile.profile(rules, about)
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
        "tutti tune -n 8 -o node8.toml",
        "tutti tune bcast allreduce -N 4 --ppn 16 --launcher srun --minutes 10 -o cluster.toml",
        "tutti tune -N 4 --ppn 4 --launcher 'mpirun -np {ranks} --hostfile hosts {env:-x}' -o cluster.toml",
        "tutti tune -n 8 --only app.rec -o app.toml      (what an application was seen to call)",
        "tutti tune -n 8 --arrival mix -o skewed.toml",
        "tutti tune -N 4 --ppn 16 --for openmpi -o cluster.toml && tutti export openmpi cluster.toml",
        "tutti tune --check cluster.toml -N 4 --ppn 4      (where it is out of date)",
        "tutti tune --node -n 2,8,32 --mpi openmpi -o node.toml",
    ),
)
@click.argument("collectives", nargs=-1, metavar="[COLLECTIVE]...")
@click.option("--node", is_flag=True, help="Tune the inside of a node alone: where the node engine serves, and how.")
@options.several_ranks()
@options.nodes
@options.per_node
@options.sizes(default="4:1M:8")
@click.option(
    "-o", "file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="The profile to write."
)
@click.option("--launches", type=options.POSITIVE, default=5, show_default=True,
              help="With --node: how often the ranks are started anew for each candidate.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True),
              help="Take about so long for each layout [default: 5; --node: what it needs].")  # fmt: skip
@click.option("--only", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Tune what an application used, as `tutti record` saw it.")  # fmt: skip
@click.option("--arrival", type=click.Choice(["together", "mix"]), default="together", show_default=True,
              help="mix: ranks that come together, one late, each at its own time.")  # fmt: skip
@click.option("--cache", "states", metavar="STATES", type=options.Parsed("STATES", caches.parse), default="cold,warm",
              show_default=True, help="What caches hold of the buffers, as in `tutti bench`: the choice is by the mean "
              "over these states, and nothing is chosen that is slower than native in one.")  # fmt: skip
@click.option("--for", "format_name", metavar="FORMAT", type=click.Choice(list(export.FORMATS)),
              help="Choose only what `tutti export FORMAT` can say exactly: "
                   f"{', '.join(list(export.FORMATS)[:-1])} or {list(export.FORMATS)[-1]}.")  # fmt: skip
@click.option("--check", metavar="PROFILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Measure again what PROFILE chose, and say which rules no longer hold.")  # fmt: skip
@click.option("--runs", "folder", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="Folder of measurements, which go on from what is there [default: runs/DATE-MPI-tune].")  # fmt: skip
@crowding.option
@options.launcher
@awake.option
@options.mpi
@options.output
def command(
    collectives, node, ranks, nodes, per_node, sizes, file, launches, minutes, only, arrival, states, format_name,
    check, folder, oversubscribe, launcher, named_mpi, out,
):  # fmt: skip
    """Measure what serves COLLECTIVEs (all unless named) best at a layout of ranks, and write a profile.

    Candidates are the algorithms of `tutti list`, flat and between nodes, groups, and the node engine, each beside
    native in turns, with cold buffers and with warm ones.  A model fitted to the first measurements says which are
    worth more; a size leaves native only for what is shown to be faster there, or is ahead there and shown to be at a
    neighbouring size.  Where the choice changes, sizes in between are measured.  Every rule carries its measurement.
    Ctrl-C keeps what is finished: the profile is made of it, and the same --runs goes on from there.

    With --node: native, the node engine, and the node engine with blocks copied once, for each number of ranks.
    """
    if format_name and (node or check):
        raise UserError("--for narrows what is chosen between all candidates: it does not go with --node or --check")
    chosen = launch.mpi_for(named_mpi, launcher)
    runner = Local(chosen, launcher, on_message=out.detail, oversubscribe=oversubscribe)
    layouts = [] if check else layouts_of(ranks, nodes, per_node)
    for layout in layouts:
        runner.check(layout)
    name = f"{timestamp()}-{chosen.name}-tune"
    if check:
        return checking.check(check, chosen, runner, minutes or 2, folder or Path("runs") / name, out)
    if not file:
        raise UserError("say where the profile is to be written: -o FILE")
    check_output(file)
    if node:
        names = collectives_named(collectives or ["all"])
        plans = plans_for(names, sizes, ranks or rank_counts(cpus()), launches, minutes, states)
        folder = folder or Path("runs") / name
        benches = [
            Bench(plan, chosen, out, folder / ("two-copies" if plan.spec == TWICE else "one-copy")) for plan in plans
        ]
        return tune(benches, file, out)
    names = collectives_named(collectives or ["all"])
    tuning = Tuning(
        chosen,
        out,
        runner,
        Store((folder or Path("runs") / name) / "evidence.jsonl"),
        file,
        60 * (minutes or 5),
        MIX if arrival == "mix" else ("",),
        states=states,
        refining=only is None,
        able=able_for(format_name),
    )
    return carry_out(tuning, [(layout, wanted(layout, names, sizes, only)) for layout in layouts])


def able_for(format_name: str | None) -> Callable[[str, str, Layout], bool]:
    """What may be chosen, where the profile is for another library's own rules."""

    def able(collective: str, spec: str, layout: Layout) -> bool:
        return format_name is None or export.expressible(format_name, collective, spec, layout)

    return able


def layouts_of(ranks: Sequence[int] | None, nodes: int | None, per_node: int | None) -> list[Layout]:
    """-n gives one each, on the nodes of -N; without it nodes times ranks on each, or as many as CPUs."""
    if not ranks:
        ranks = [(nodes or 1) * per_node] if per_node else [max(2, nodes or cpus())]
    found = [Layout(count, nodes or (-(-count // per_node) if per_node else 1), per_node or 0) for count in ranks]
    for layout in found:
        if not layout.nodes <= layout.ranks <= layout.nodes * layout.per_node or layout.ranks < 2:
            raise UserError(f"{layout.ranks} ranks do not fit on {layout.nodes} nodes with {layout.per_node} each")
    return found


def wanted(layout: Layout, names: Sequence[str], sizes: Sequence[int], only: Path | None) -> list[Cell]:
    """What is to be decided there."""
    if not only:
        return cells_of(names, sizes)
    found = [cell for cell in used.worth_tuning(used.read(only), layout.ranks) if cell.collective in names]
    if not found:
        raise UserError(f"{only} has no collective of {layout.ranks} ranks: say -n as the application ran")
    return found


def carry_out(tuning: Tuning, work: Sequence[tuple[Layout, Sequence[Cell]]]) -> int:
    """Layout after layout; what is finished at Ctrl-C makes the profile."""
    out = tuning.out
    out.note(f"{tuning.mpi.title} ({tuning.mpi.origin}), {tuning.seconds * len(work) / 60:.1f} min at most")
    warn_of_load(out)
    try:
        for layout, cells in work:
            tuning.tune(layout, cells)
    except KeyboardInterrupt:
        tuning.interrupted = True
    if not tuning.write():
        tuning.tell_failures()
        out.warn("nothing could be measured: no profile is written (see tutti doctor, or -v)")
        return 130 if tuning.interrupted else 1
    tuning.tell()
    out.note(f"written: {tuning.file}; --runs {tuning.store.file.parent} goes on from these measurements")
    return 130 if tuning.interrupted else 0


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
