"""The command: measures a study's pictures wherever that can be done here, and writes one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from tutti import options
from tutti.bench.launch import timestamp
from tutti.bench.run import warn_of_load
from tutti.errors import UserError
from tutti.report.command_line import save
from tutti.report.measured import Measurement, measurements
from tutti.report.page import page
from tutti.report.study import studies
from tutti.results import runs
from tutti.site import crowding, launch, mpi
from tutti.study.reproduce import changeover_page, pictures, versions
from tutti.study.reproduce.measuring import Measuring
from tutti.study.reproduce.networks import Network, networks_named

PICTURES, CHANGEOVERS, VERSIONS = "pictures", "changeovers", "versions"


@dataclass
class Results:
    """What the report is made of: runs and evidence, with the titles of their networks."""

    runs: list[tuple[Path, str]] = field(default_factory=list)
    changes: list[changeover_page.Network] = field(default_factory=list)
    missing: Sequence[str] = ()
    releases: list[versions.Releases] = field(default_factory=list)


def network_of(launcher: str, ranks: Sequence[int] | None, nodes: int | None) -> Network:
    """A cluster of the user's."""
    nodes = nodes or 1
    title = "the ranks' own machine" if nodes == 1 else f"{nodes} nodes, started by {launcher.split()[0]}"
    return Network("own", title, nodes=nodes, ranks=tuple(ranks or (nodes, 2 * nodes, 4 * nodes)))


def measured_in(folder: Path, title: str) -> Measurement:
    """What is there, as one measurement with the place in its title."""
    found = measurements([runs.load(folder)])[0]
    return replace(found, title=f"{found.title}, {title}")


def write(results: Results, file: Path) -> None:
    listed = studies([measured_in(folder, title) for folder, title in results.runs])
    shown = [pictures.Place(title, study) for (_, title), study in zip(results.runs, listed, strict=True)]
    before = pictures.part(shown, results.missing) + changeover_page.part(results.changes)
    before += versions.part(results.releases)
    save(file, page(listed, before=before).encode())


def measure(
    measuring: Measuring, networks: Sequence[Network], launcher: str, only: str | None, beside: mpi.Mpi | None
) -> Results:
    """Network after network; ends early at Ctrl-C.  `beside`: the release that the MPI is compared with."""
    found = Results(missing=measuring.missing)
    for network in networks:
        how = measuring.launcher(network, launcher)
        if how is None:
            continue
        if only in (None, PICTURES) and (folder := measuring.pictures(network, how)):
            found.runs.append((folder, network.title))
        if only in (None, VERSIONS) and beside and not measuring.interrupted:
            releases = measuring.versions(network, launcher, beside)
            found.releases += [releases] if releases else []
        if only in (None, CHANGEOVERS) and network.nodes > 1 and not measuring.interrupted:
            store = measuring.changeovers(network, how)
            found.changes += [changeover_page.Network(network.title, store)] if store.samples else []
        if measuring.interrupted:
            break
    return found


@click.command(
    "reproduce",
    epilog=options.example(
        "tutti reproduce hamid -o hamid.html",
        "tutti reproduce hamid --only pictures --network memory --seconds 0.1    (a first look)",
        "tutti reproduce hamid -N 8 -n 8,32,128 --launcher srun",
        "sudo tutti reproduce hamid                (emulated networks too)",
    ),
)
@click.argument("study", metavar="STUDY", type=click.Choice(["hamid"]))
@click.option(
    "--network",
    "networks",
    metavar="NAME",
    multiple=True,
    help="memory, 1gbit or 100mbit, any of them [default: all; without -N and --launcher].",
)
@click.option(
    "--only",
    type=click.Choice([PICTURES, CHANGEOVERS, VERSIONS]),
    help="pictures: averages and distributions (chapters 3, 5, 7); changeovers: of algorithms (chapter 6); versions: "
    "one release of the MPI beside another (table 6.7).",
)
@options.several_ranks(default=None)
@options.nodes
@options.mpi
@click.option(
    "--beside",
    metavar="PATH",
    help="An earlier release of the MPI, as --mpi has it [default: MPICH 4, where tools/fetch.py mpich4 has put it].",
)
@crowding.option
@options.launcher
@click.option("--launches", type=options.POSITIVE, default=2, show_default=True, help="How often ranks start anew.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=0.3,
    show_default=True,
    help="Time limit of a case in one launch.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=3,
    show_default=True,
    help="For the changeovers of each layout: one, two and four ranks a node.",
)
@click.option(
    "--runs",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of measurements, which go on from what is there [default: runs/DATE-MPI-hamid].",
)
@click.option(
    "-o",
    "file",
    metavar="FILE",
    default="hamid.html",
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The report.",
)
@options.output
def command(
    study,
    networks,
    only,
    ranks,
    nodes,
    named_mpi,
    beside,
    oversubscribe,
    launcher,
    launches,
    seconds,
    minutes,
    folder,
    file,
    out,
):
    """Measure what a published STUDY of collectives measured, and draw its pictures.

    \b
    hamid   N. A. W. A. Hamid's thesis (2008): broadcast, scatter, gather, alltoall and barrier; averages against
            size and ranks, distributions, times by rank, calls that waited for a TCP time-out; where MPICH's
            algorithms take over from one another; two releases of an MPI

    Measures in shared memory and, as root in a source tree, on four emulated nodes behind a switch of 1 Gbit/s and of
    100 Mbit/s; with -N or --launcher on your cluster instead.  About half an hour in all; it goes on from what
    --runs FOLDER holds.
    """
    own = nodes is not None or ranks is not None or launcher != "mpiexec"
    if own and networks:
        raise UserError("--network is about networks of this machine: leave -n, -N and --launcher out, or it")
    places = [network_of(launcher, ranks, nodes)] if own else networks_named(networks)
    if own:
        crowding.check(places[0].ranks, nodes, launcher, oversubscribe)
    chosen = launch.mpi_for(named_mpi, launcher)
    folder = folder or Path("runs") / f"{timestamp()}-{chosen.name}-{study}"
    warn_of_load(out)
    measuring = Measuring(chosen, out, folder, launches, seconds, minutes)
    earlier = mpi.named(beside, "--beside") if beside else versions.earlier_release(chosen)
    if only == VERSIONS and earlier is None:
        raise UserError("--only versions: name an earlier release of the MPI with --beside PATH")
    if only is None and earlier is None:
        out.note(f"no release to compare {chosen.title} with: --beside PREFIX names one; table 6.7 is left out")
    found = measure(measuring, places, launcher, only, earlier)
    if measuring.interrupted:
        out.note(f"interrupted: the same with --runs {folder} goes on")
        return 130
    if not (found.runs or found.changes or found.releases):
        raise UserError("nothing could be measured" + (f": {found.missing[0]}" if found.missing else ""))
    write(found, file)
    if out.json:
        out.object({"report": str(file), "runs": str(folder), "missing": list(found.missing)})
    else:
        out.line(f"wrote {file}")
    return 1 if found.missing and (networks or own) else 0
