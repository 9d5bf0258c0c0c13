"""tutti record: a program's collectives by call site, and where tutti would help."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tutti import options, recording
from tutti.errors import UserError
from tutti.output import Output
from tutti.record import gain, table
from tutti.site import launch
from tutti.site.run import check_program, find_launcher, start, warn_of_other_mpi, words_of


@click.command(
    "record",
    context_settings={"allow_interspersed_args": False},
    epilog=options.example(
        "tutti record -n 8 ./app --its-own options",
        "tutti record -o app.rec -- mpiexec -n 8 ./app     (a launcher's command as it is)",
        "tutti record --show app.rec --from runs/replayed  (the table again, with what was measured)",
        "tutti bench --replay app.rec                      (measure these calls, tutti beside native)",
    ),
)
@options.ranks()
@options.nodes
@options.per_node
@options.mpi
@options.launcher
@options.profile
@click.option(
    "-o", "file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="[default: PROGRAM.rec]"
)
@click.option("--served", is_flag=True, help="Let tutti serve the calls while they are recorded.")
@click.option(
    "--keep",
    metavar="CALLS",
    type=options.SIZE,
    help="Calls of each rank that are kept with their times, from which skew is known [default: 64K].",
)
@click.option(
    "--from",
    "measured",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Run of `tutti bench` to predict from; several may be given.",
)
@click.option("--show", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Only print a recording.")
@options.output
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(program, ranks, nodes, per_node, named_mpi, launcher, profile, file, served, keep, measured, show, out):
    """Start PROGRAM, record its blocking collectives, and print them by call site, the longest first.

    The program runs as it does without tutti (with it: --served), each call some 60 ns slower, and its status is the
    command's.  The file is written when the ranks call MPI_Finalize.  `time` is of a mean rank; `wait` is what a rank
    spends in a call, on the mean, while others have not come to it.
    """
    if show and program:
        raise UserError("--show prints a recording that is there: leave the program out")
    if not show and not program:
        raise UserError("name a program to record, such as: tutti record -n 8 ./app")
    if program and Path(program[0]).name in launch.LAUNCHERS and any((ranks, nodes, per_node, named_mpi)):
        raise UserError(f"{program[0]} starts the ranks: give it the numbers, and leave -n, -N, --ppn and --mpi out")
    if profile and not Path(profile).is_file():
        raise UserError(f"there is no profile {profile}")
    found = gain.measured(measured)  # before a long program runs, since it may not be a run
    status = 0
    if not show:
        show = (file or default_file(program)).absolute()
        set_aside(show, out)
        variables = settings(show, served, keep, profile)
        status = run(program, variables, (ranks, nodes, per_node, named_mpi, launcher), out)
    if not show.exists():
        out.warn(
            f"nothing was recorded in {show}: the ranks did not come to MPI_Finalize, or the program is linked "
            "statically or is no MPI program"
        )
        return status or 1
    recorded = recording.load(show)
    summary = table.Summary(recorded, found, gain.Chooser(recorded, profile))
    table.show(summary, len(measured), out)
    return status


def default_file(program: tuple[str, ...]) -> Path:
    own_options = program[0].startswith("-") or Path(program[0]).name in launch.LAUNCHERS
    return Path("app.rec" if own_options else f"{Path(program[0]).name}.rec")


def set_aside(file: Path, out: Output) -> None:
    """An older recording keeps its contents under another name."""
    if not file.parent.is_dir():
        raise UserError(f"there is no folder {file.parent} for the recording")
    if file.exists():
        older = file.with_name(f"{file.name}.old")
        file.replace(older)
        out.detail(f"the recording that was there is now {older}")


def settings(file: Path, served: bool, keep: int | None, profile: str | None) -> dict[str, str]:
    """Variables of the ranks."""
    variables = {"LD_PRELOAD": launch.preload(), "TUTTI_RECORD": str(file), "TUTTI": "on" if served else "off"}
    variables |= {"TUTTI_RECORD_SAMPLES": str(keep)} if keep else {}
    variables |= {"TUTTI_PROFILE": str(Path(profile).absolute())} if profile else {}
    return variables


def run(program: tuple[str, ...], variables: dict[str, str], where: tuple, out: Output) -> int:
    """Starts it and waits; its exit status."""
    ranks, nodes, per_node, named_mpi, launcher = where
    if Path(program[0]).name in launch.LAUNCHERS:
        check_program(program[0])
        if any(where[:4]):
            raise UserError(
                f"{program[0]} starts the ranks: give it the numbers, and leave -n, -N, --ppn and --mpi out"
            )
        return start(launch.through(program, variables), {**os.environ, **variables})
    own_options = program[0].startswith("-")  # the launcher's, then
    if not own_options:
        check_program(program[0])
    chosen = find_launcher(named_mpi, launcher)
    foreign = ""
    if not own_options:
        foreign = warn_of_other_mpi(out, chosen, program, words_of("record", ranks, nodes, per_node))
    line = launch.Job(chosen, ranks, nodes, per_node, launcher, variables).command(program)
    out.detail(f"{chosen.title}, {chosen.origin}: {' '.join(line)}")
    status = start(line, chosen.environment())
    if foreign:
        out.warn(foreign)
    return status
