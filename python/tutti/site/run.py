"""tutti run: starts a program with tutti, and says at exit when nothing was served, and why."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from tutti import options
from tutti.errors import NOT_FOUND, UserError
from tutti.output import Output
from tutti.site import launch, linking, mpi

NO_REPORT = (
    "the program did not call MPI_Finalize through tutti: statically linked MPI, or not an MPI program; "
    "nothing was served"
)


def check_program(name: str) -> None:
    """Says what is wrong with a program that cannot start.  Whatever the system would start is let through."""
    if shutil.which(name):
        return
    path = Path(name)
    if path.is_dir():
        raise UserError(f"{name} is a folder, not a program")
    if path.exists():
        raise UserError(f"{name} is not executable: chmod +x {name}, or name its interpreter before it")
    if "/" not in name and Path(f"./{name}").exists():
        raise UserError(f"{name} is not on PATH: to start the one in this folder, write ./{name}", NOT_FOUND)
    raise UserError(f"there is no program {name}: give the path of an executable, or a name on PATH", NOT_FOUND)


def warn_of_other_mpi(out: Output, chosen: mpi.Mpi, program: Sequence[str], options: Sequence[str]) -> str:
    """Says that the program is another MPI's, and what to type (`options`: the command's words, without --mpi).  Gives
    what is to be said once more when it has ended, or nothing."""
    found = linking.mismatch(program[0], chosen)
    if not found:
        return ""
    what_to_type = found.remedy(options[:2], [*options[2:], *program])
    out.warn(f"{found}; {what_to_type}")
    title = mpi.TITLES[found.linked.family]
    return f"its ranks were alone: {program[0]} is of {title}, and {chosen.title} started it; {what_to_type}"


def words_of(command: str, ranks: int | None, nodes: int | None, per_node: int | None) -> list[str]:
    """The command as it was typed, but for the MPI."""
    numbers = (("-n", ranks), ("-N", nodes), ("--ppn", per_node))
    return ["tutti", command, *(word for name, value in numbers if value for word in (name, str(value)))]


def start(command: list[str], environment: dict[str, str]) -> int:
    """The program's exit status; 128 + signal where one ended it, as shells count."""
    process = subprocess.Popen(command, env=environment)
    while True:
        try:
            status = process.wait()
            return status if status >= 0 else 128 - status
        except KeyboardInterrupt:  # the launcher got it too, and ends its ranks
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def read_report(path: Path) -> dict | None:
    """What world rank 0 wrote at MPI_Finalize ("calls", "node", "flat", "hierarchy", "reason", and "left": calls by the
    reason for which they were left to the MPI); None where nothing."""
    try:
        lines = path.read_text().splitlines()
        return json.loads(lines[-1]) if lines else None
    except (OSError, ValueError):
        return None


def conclude(out: Output, report: dict | None, elsewhere: bool) -> None:
    """Says at exit what was served: on request, or where it was nothing."""
    if report is None:
        out.note(NO_REPORT + (" (or rank 0 ran on another node, from where no report comes)" if elsewhere else ""))
        return
    calls, inside, flat, both = (int(report.get(key, 0)) for key in ("calls", "node", "flat", "hierarchy"))
    reason = report.get("reason") or "no reason given"
    if calls == 0:
        out.note("no collective was served: rank 0 called none that tutti could see")
    elif inside + flat + both == 0:
        out.note(f"no collective was served (rank 0 made {calls} calls): {reason}")
    else:
        out.detail(
            f"rank 0 made {calls} collective calls: {inside} by the node engine, {flat} by tutti's schedules, "
            f"{both} in nodes and between them, {calls - inside - flat - both} by the MPI itself"
        )
    for row in report.get("left", []):
        out.detail(f"  left to the MPI, {row['calls']} calls: {row['reason']}")
    for form in ("nonblocking", "persistent"):
        made = report.get(form, {})
        if made.get("calls"):
            out.detail(f"{made['calls']} {form} calls, {made['node']} of them by the node engine")
    for row in report.get("left_requests", []):
        out.detail(f"  left to the MPI, {row['calls']} of these: {row['reason']}")


@click.command(
    "run",
    context_settings={"allow_interspersed_args": False},
    epilog=options.example(
        "tutti run -n 8 ./app --its-own options",
        "tutti run -n 8 --mpi openmpi python3 solve.py",
        "tutti run -N 4 --ppn 32 --launcher srun ./app",
        "tutti run -n 8 -- --hostfile hosts ./app     (after --: the launcher's options first)",
    ),
)
@options.ranks()
@options.nodes
@options.per_node
@options.mpi
@options.launcher
@options.profile
@options.output
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(program, ranks, nodes, per_node, named_mpi, launcher, profile, out):
    """Start PROGRAM with its arguments under the MPI's launcher, with tutti preloaded in its ranks.

    What comes after -- and begins with a dash goes to the launcher as it is.  The exit status is the program's.
    """
    return run(program, ranks, nodes, per_node, named_mpi, launcher, profile, out)


def run(program, ranks, nodes, per_node, named_mpi, launcher, profile, out: Output) -> int:
    """Starts the program and waits for it; returns its exit status."""
    own_options = program[0].startswith("-")  # the launcher's, then: which word is the program is its matter
    if not own_options:
        check_program(program[0])
    chosen = find_launcher(named_mpi, launcher)
    foreign = ""
    if not own_options:
        foreign = warn_of_other_mpi(out, chosen, program, words_of("run", ranks, nodes, per_node))
    with tempfile.TemporaryDirectory(prefix=f"tutti-run-{os.getpid()}-") as folder:
        report = Path(folder) / "report.json"
        variables = {"LD_PRELOAD": launch.preload(), "TUTTI_REPORT": str(report)}
        if {"TUTTI_HANG", "TUTTI_HANG_SIGNAL"} & os.environ.keys():
            variables |= {"TUTTI_HANG_COMMAND": str(Path(sys.executable).parent / "tutti")}
        if profile:
            if not Path(profile).is_file():
                raise UserError(f"there is no profile {profile}")
            variables["TUTTI_PROFILE"] = str(Path(profile).absolute())
        job = launch.Job(chosen, ranks, nodes, per_node, launcher, variables)
        line = job.command(program)
        out.detail(f"{chosen.title}, {chosen.origin}: {' '.join(line)}")
        status = start(line, chosen.environment())
        if os.environ.get("TUTTI", "").lower() != "off" and (status == 0 or report.exists()):
            conclude(out, read_report(report), elsewhere=own_options or (nodes or 1) > 1 or launcher != "mpiexec")
        if foreign:
            out.warn(foreign)
    return status


def find_launcher(named: str | None, launcher: str) -> mpi.Mpi:
    """The MPI; with srun none need be on PATH, since the program brings its library."""
    if launcher == "srun" and not named:
        return mpi.on_path() or mpi.Mpi("unknown", "", Path("srun"), "started by srun")
    return mpi.find(named)
