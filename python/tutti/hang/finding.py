"""The processes of a job on this machine, by the number of one of them, of its launcher, or the job's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tutti.errors import UserError
from tutti.hang.objects import Objects
from tutti.site.launch import LAUNCHERS
from tutti.site.processes import Process, all_there_are

STARTERS = (*LAUNCHERS, "hydra_pmi_proxy", "hydra_bstrap_pr", "hydra_bstrap_proxy", "prte", "prted", "orted")
STARTERS += ("slurmstepd", "pbs_demux", "pbs_mom", "mpirun_rsh", "palsd", "aprun", "jsrun")
RANK = ("PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
SIZE = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
HERE = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")
JOB = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID")


@dataclass(frozen=True)
class Member:
    """A process that was started as a rank.  `world`: what tells worlds apart (spawned ones have their own)."""

    pid: int
    rank: int
    size: int
    here: int  # ranks of its world that were started on this node; 0: not known
    world: str
    state: str


def environment(pid: int) -> dict[str, str] | None:
    """None where it is not to be read."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace")
    except OSError:
        return None
    return dict(each.split("=", 1) for each in raw.split("\0") if "=" in each)


def number(variables: dict[str, str], names: Iterable[str], otherwise: int) -> int:
    for name in names:
        if variables.get(name, "").isdecimal():
            return int(variables[name])
    return otherwise


def program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def is_starter(pid: int) -> bool:
    return program(pid) in {name[:15] for name in STARTERS}


class Processes:
    """All of this machine, at one moment."""

    def __init__(self) -> None:
        self.by_number = {process.number: process for process in all_there_are()}
        self.children: dict[int, list[Process]] = {}
        for process in self.by_number.values():
            self.children.setdefault(process.parent, []).append(process)

    def above(self, pid: int) -> list[int]:
        """The process and its ancestors."""
        found = []
        while pid in self.by_number and pid not in found:
            found.append(pid)
            pid = self.by_number[pid].parent
        return found

    def below(self, pid: int) -> list[Process]:
        """The process and its descendants."""
        found = [self.by_number[pid]] if pid in self.by_number else []
        for process in found:
            found += self.children.get(process.number, ())
        return found

    def launcher(self, pid: int) -> int | None:
        """The launcher that the process comes from, or is; of one that starts itself in pieces the outermost.  A
        launcher above another program, such as an interactive job's shell, has started other jobs too."""
        found = None
        for each in self.above(pid):
            if is_starter(each):
                found = each
            elif found is not None:
                break
        return found

    def world(self, pid: int, variables: dict[str, str]) -> str:
        if space := variables.get("PMIX_NAMESPACE"):
            return space
        proxy = next((each for each in self.above(pid) if is_starter(each)), 0)
        return f"{variables.get('PMI_SPAWNED', '')}/{variables.get('PMI_SIZE', '')}/{proxy}"


def members(processes: Processes, among: Iterable[Process]) -> list[Member]:
    """Those that were started as ranks.  Of a rank's processes (a shell, its child) the one that uses MPI, else the
    innermost."""
    best: dict[tuple[str, int], tuple[tuple[int, int], Member]] = {}
    for process in among:
        variables = environment(process.number)
        if not variables or process.state in "ZX":
            continue
        rank = number(variables, RANK, -1)
        if rank < 0 or is_starter(process.number):
            continue
        world = processes.world(process.number, variables)
        found = Member(
            process.number, rank, number(variables, SIZE, 0), number(variables, HERE, 0), world, process.state
        )
        depth = len(processes.above(process.number))
        uses = Objects(process.number).uses_mpi()
        worth = (int(uses), -depth if uses else depth)  # a child that was forked uses the same libraries
        if (world, rank) not in best or worth > best[world, rank][0]:
            best[world, rank] = worth, found
    return [found for _, found in best.values()]


def of_scheduler(processes: Processes, job: str) -> list[Process]:
    """Processes of that job's number."""
    found = []
    for process in processes.by_number.values():
        variables = environment(process.number) or {}
        if any(variables.get(name, "").split(".")[0] == job.split(".")[0] for name in JOB if name in variables):
            found.append(process)
    return found


def of_number(processes: Processes, pid: int) -> list[Member]:
    """Of a launcher, of one of its ranks, or of what has started a launcher (a script)."""
    top = processes.launcher(pid)
    found = members(processes, processes.below(top if top is not None else pid))
    if found or top is not None:
        return found
    variables = environment(pid) or {}
    if number(variables, RANK, -1) < 0:
        return []
    own = processes.world(pid, variables)  # no launcher above: all processes of that world
    return [each for each in members(processes, processes.by_number.values()) if each.world == own]


def find(words: Iterable[str]) -> list[Member]:
    """The ranks on this machine of the jobs that the words name.  Raises UserError."""
    processes = Processes()
    found: dict[int, Member] = {}
    for word in words:
        some: list[Member] = []
        if word.isdecimal() and int(word) in processes.by_number:
            if environment(int(word)) is None and not is_starter(int(word)):
                raise UserError(
                    f"process {word} is another user's, or in another container: ask as that user or as root"
                )
            some = of_number(processes, int(word))
        some = some or members(processes, of_scheduler(processes, word))
        if not some:
            raise UserError(
                f"{word}: neither a launcher, nor a rank, nor a job with ranks on this machine: "
                "name a process (`pgrep -f mpiexec`), or a job's number on one of its nodes"
            )
        found |= {member.pid: member for member in some}
    return sorted(found.values(), key=lambda each: (each.world, each.rank))
