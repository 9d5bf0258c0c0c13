"""tutti doctor: what is here, what is served, and what is wrong, with advice."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from tutti import core, options, paths
from tutti.bench.launch import Launch, LaunchFailed, bench_command, library_of
from tutti.errors import UserError
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.site import launch, linking, machine, mpi
from tutti.site.machine import Finding
from tutti.site.run import check_program

MARKS = {"good": "ok", "note": "note", "bad": "wrong"}
PROBED = ("barrier", "bcast:8", "reduce:8", "allreduce:8", "allgather:8", "alltoall:8")
SIZES = [1 << power for power in range(25)]  # 1 B to 16 MiB


def installation() -> Iterator[Finding]:
    """The library, its backends, and the program that measures."""
    try:
        yield Finding("installation", "libtutti.so", str(paths.library()))
    except UserError as error:
        yield Finding("installation", "libtutti.so", "missing", "bad", error.message)
        return
    there = paths.backends()
    missing = [name for name in ("mpich", "openmpi", "abi") if name not in there]
    yield Finding(
        "installation",
        "backends",
        ", ".join(there) or "none",
        "bad" if not there else "note" if missing else "good",
        f"not built: {', '.join(missing)}; programs of those MPIs run without tutti" if missing else "",
    )
    if paths.bench_program("mpich") is None:
        yield Finding("installation", "tutti-bench", "missing", "note", "tutti bench needs it: make build")


def mpis(chosen: mpi.Mpi | None) -> Iterator[Finding]:
    """Each MPI that can be found; the one that is used unless another is named comes first."""
    backends = paths.backends()
    found = list(mpi.candidates())
    if chosen and chosen.origin == "named by --mpi":
        found.insert(0, chosen)
    if not found:
        advice = "put an mpiexec on PATH, name one with --mpi PREFIX, or: python3 tools/fetch.py mpich"
        yield Finding("MPI", "none", "not found", "bad", advice)
    for one in found:
        value = f"{one.mpiexec} ({one.origin})"
        served = one.backend in backends
        advice = "" if served else f"its calls are not served: the backend {one.backend} is not built"
        yield Finding("MPI", one.title, value, "good" if served else "bad", advice)


def settings() -> Iterator[Finding]:
    """What the environment sets, and what of it cannot be used."""
    values, warnings = core.read_settings()
    for entry in core.load().settings_manual():
        if values.value(entry.variable) != entry.standard:
            state = "note" if entry.variable == "TUTTI" else "good"
            yield Finding("settings", entry.variable, values.value(entry.variable), state)
    for warning in warnings:
        name, _, cause = warning.partition(" is ignored: ")
        yield Finding("settings", name, "ignored", "bad", cause or "tutti settings lists what there is")


def stretches(choices: list[tuple[int, str]]) -> str:
    """`node to 64K, then native` from the choice at each of the rising sizes."""
    parts, begun = [], choices[0][1]
    for (before, _), (_, choice) in itertools.pairwise(choices):
        if choice != begun:
            parts.append(f"{begun} to {format_size(before)}")
            begun = choice
    return ", then ".join([*parts, begun])


def served(ranks: int, library: str) -> Iterator[Finding]:
    """By whom each collective is carried out on this node, as the settings and rules have it now."""
    c = core.load()
    values, _ = core.read_settings()
    selector = c.Selector(values, ranks, library=library)
    schedules = [algorithm.collective for algorithm in c.catalogue()]
    for collective in c.collectives():
        sizes = [-1] if collective == "barrier" else SIZES
        text = stretches([(size, selector.choose(collective, size).text) for size in sizes])
        count = schedules.count(collective)
        more = f"{count or 'no'} {'schedule' if count == 1 else 'schedules'} in the catalogue"
        yield Finding("served", collective, f"{text.replace('native', 'the MPI itself')} ({more})")
    yield passed_on()


def passed_on() -> Finding:
    """What stays the MPI's, whatever the settings and rules are."""
    return Finding("served", "neighbourhood collectives", "the MPI itself (MPI_Neighbor_*, MPI_Ineighbor_*)")


def probe(one: mpi.Mpi, out: Output) -> Finding:
    """Starts two ranks with tutti, and sees what served them."""
    name = f"2 ranks under {one.title}"
    advice = "tutti run -v with a program of yours shows the command; without tutti: " + str(one.mpiexec)
    try:
        library = library_of(one)
        command = bench_command(
            one, library, ranks=2, variants=("tutti", "native"), seconds=0.02, precision=0.5, check=True, cases=PROBED
        )
    except UserError as error:
        return Finding("probe", name, "not started", "note", error.message)
    out.detail(" ".join(command))
    said: list[str] = []
    choices: dict[str, str] = {}
    try:
        for event in Launch(command, one.environment(), said.append, patience=60):
            if event["event"] == "result" and event["variant"] == "tutti":
                choices[event["collective"]] = event.get("choice") or "the MPI itself"
    except LaunchFailed as failure:
        return Finding("probe", name, str(failure), "bad", said[-1] if said else advice)
    by: dict[str, list[str]] = {}
    for collective, choice in choices.items():
        by.setdefault("the MPI itself" if choice == "native" else choice, []).append(collective)
    value = "; ".join(f"{choice}: {', '.join(names)}" for choice, names in by.items())
    if not by or list(by) == ["the MPI itself"]:
        return Finding("probe", name, value or "no result", "bad", said[-1] if said else "nothing was served")
    return Finding("probe", name, value)


def program_of(name: str, chosen: mpi.Mpi | None) -> Finding:
    """Which MPI a program belongs to, by what the loader would load, and whether the MPI is that one."""
    found = shutil.which(name)
    if found is None:
        check_program(name)
        raise UserError(f"there is no program {name}")
    linked = linking.linked_with(Path(found), chosen.environment() if chosen else None)
    if linked is None and linking.is_static(Path(found)):
        return Finding("program", name, "its MPI is inside", "bad", "linked statically: nothing can be served")
    if linked is None:
        advice = "a script, or its MPI comes in while it runs: TUTTI_EXPLAIN=1 says what is served"
        return Finding("program", name, "no MPI library is linked", "note", advice)
    wrong = linking.mismatch(name, chosen) if chosen else None
    if wrong:
        return Finding("program", name, str(linked), "bad", f"{wrong}; {wrong.remedy(['tutti', 'run'], [name])}")
    return Finding("program", name, str(linked.path or linked), "good" if linked.path else "bad")


@click.command(
    "doctor",
    epilog=options.example(
        "tutti doctor", "tutti doctor ./app     (whose MPI it is)", "tutti doctor --mpi openmpi --json"
    ),
)
@click.argument("program", required=False)
@options.mpi
@click.option("--all", "every", is_flag=True, help="Probe every MPI that is found, not the first alone.")
@click.option("--no-probe", is_flag=True, help="Start no ranks.")
@options.output
def command(program, named_mpi, every, no_probe, out):
    """Say what is here (machine, installation, MPIs), what is served, and what is wrong, with advice.

    With a PROGRAM: which MPI it belongs to, too.

    Starts two ranks under the MPI, and sees who serves their collectives.  Status 1 where something is wrong.
    """
    try:
        chosen = mpi.find(named_mpi)
    except UserError:
        if named_mpi:
            raise
        chosen = None
    found: list[Finding] = [*machine.findings(), *installation()]
    if paths.package_file("lib/libtutti.so"):
        found += mpis(chosen)
    found += [program_of(program, chosen)] if program else []
    found += settings()
    found += served(max(2, launch.cpus()), chosen.title if chosen else "")
    if chosen and not no_probe:
        found += [probe(one, out) for one in (mpi.candidates() if every else [chosen])]
    return conclude(found, out)


def conclude(found: list[Finding], out: Output) -> int:
    """Prints the findings by topic, then what is wrong; the exit status."""
    columns = [Column("name", "name"), Column("value", "value"), Column("state", "", text=lambda state: MARKS[state])]
    columns.append(Column("advice", "advice"))
    if out.json:
        out.rows([vars(finding) for finding in found], columns)
    else:
        for topic in dict.fromkeys(finding.topic for finding in found):
            rows = [vars(finding) for finding in found if finding.topic == topic]
            with_advice = any(row["advice"] for row in rows)
            out.rows(rows, columns if with_advice else columns[:-1], title=topic)
            out.line()
    wrong = sum(finding.state == "bad" for finding in found)
    out.line("nothing is wrong" if not wrong else f"{wrong} of these {'is' if wrong == 1 else 'are'} wrong")
    return 1 if wrong else 0
