"""tutti hang: who is missing in a job that hangs."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import struct
from pathlib import Path

import click

from tutti import options
from tutti.errors import UserError
from tutti.hang import analysis, finding, looking, memory, model, page


def load(files: list[Path]) -> model.Job:
    jobs = []
    for file in files:
        try:
            jobs.append(model.of_json(json.loads(file.read_text())))
        except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(f"{file} is nothing that `tutti hang --save` wrote") from error
    return model.merged(jobs)


def first_to_report(members: list[finding.Member]) -> bool:
    """Whether no other rank of this node has reported the hang of this job: agreed in the memory that all can see."""
    shown = [path for path in (memory.descriptor(member.pid) for member in members) if path]
    if not shown:
        return True
    try:
        descriptor = os.open(shown[0], os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        (before,) = struct.unpack("<I", os.pread(descriptor, 4, memory.REPORTED))
        calls = sum(
            record.position for member in members if (block := memory.read(member.pid)) for record in block.records
        )
        now = 1 + calls % 0xFFFFFFFE  # another hang of the same job has other calls
        os.pwrite(descriptor, struct.pack("<I", now), memory.REPORTED)
        return before != now
    finally:
        os.close(descriptor)


def as_json(job: model.Job) -> dict[str, object]:
    found = [dataclasses.asdict(each) for each in analysis.of_job(job)]
    return {"findings": found, **model.to_json(job)}


@click.command(
    "hang",
    epilog=options.example(
        "tutti hang 4711                       (the launcher, or any of its ranks)",
        "tutti hang --save node1.json 4711     (on each node of a job; then:)",
        "tutti hang node1.json node2.json      (one report of what all of them saw)",
        "TUTTI_HANG=60 tutti run -n 8 ./app    (the job says so itself, after 60 s in one call)",
    ),
)
@click.option(
    "--save", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Also write what was seen."
)
@click.option("--from-inside", "waited", type=float, hidden=True)
@options.output
@click.argument("targets", metavar="PID|JOB|FILE...", nargs=-1, required=True)
def command(targets, save, waited, out):
    """Name the ranks that a hanging job waits for.

    The ranks that run under tutti keep their last 64 collective calls where they can be read from outside.  The report
    names the first call in which ranks differ or to which some have not come; of each of these what it called last, and
    where, and whether it is in MPI, computes, sleeps, is stopped or gone.  Nothing in the job has to be prepared; it
    goes on as it was.  A rank that runs outside of MPI's collectives is stopped for some microseconds.

    PID is the launcher, a rank or a script that started the launcher; JOB a scheduler's number, on a node of the job.
    Exit status: 0 where some rank waits in a collective, 1 where none does.
    """
    files = [Path(target) for target in targets if not target.isdecimal() and Path(target).is_file()]
    if files and len(files) != len(targets):
        raise UserError("give either files of --save, or a process or job")
    if files:
        job = load(files)
    else:
        members = finding.find(targets)
        if waited is not None and waited > 0 and not first_to_report(members):
            return 0
        job = looking.look(members)
    if save:
        try:
            save.write_text(json.dumps(model.to_json(job)))
        except OSError as error:
            raise UserError(f"{save} cannot be written: {error.strerror}") from error
    if out.json:
        out.object(as_json(job))
    else:
        click.echo(page.text(job, waited))
    return 0 if waited is not None or analysis.of_job(job) else 1
