"""How ranks are started: the launcher's words, with variables for the ranks and not for the launcher itself."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tutti import paths
from tutti.errors import UserError
from tutti.site.mpi import Mpi, ask, find

LAUNCHERS = ("mpiexec", "mpirun", "mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec.openmpi", "mpirun.openmpi")
LAUNCHERS += ("orterun", "prterun", "srun")
VARIABLES = re.compile(r"\{env:([^}]+)\}")  # where a launcher's command takes the ranks' variables
SCHEDULERS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE")


def cpus() -> int:
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0))


def cores() -> int:
    """Cores behind those CPUs: what Open MPI counts as slots."""
    topology = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    siblings = set()
    for cpu in os.sched_getaffinity(0):
        try:
            siblings.add(Path(topology.format(cpu)).read_text())
        except OSError:
            siblings.add(str(cpu))
    return len(siblings)


def launcher_named(text: str) -> str:
    """mpiexec (the MPI's own), srun, or a command with {env:...} in it; else UserError."""
    if text == "srun" and not shutil.which("srun"):
        raise UserError("there is no srun on PATH: leave --launcher out, or run this where Slurm is")
    if text not in ("mpiexec", "srun") and not VARIABLES.search(text):
        raise UserError(
            f"--launcher {text!r}: mpiexec, srun, or a command that says how variables reach the ranks: {{env:-x}} "
            "stands for -x NAME=VALUE of each"
        )
    return text


def mpi_for(named: str | None, launcher: str) -> Mpi:
    """The MPI that --mpi names; else that of --launcher, where its first word is an MPI's; else the one that is found.

    Raises UserError.
    """
    word = shlex.split(launcher)[0] if launcher else ""
    if named or Path(word).name not in LAUNCHERS or word in ("mpiexec", "srun"):
        return find(named)
    program = shutil.which(word)
    if not program:
        raise UserError(f"--launcher: there is no program {word}: name a launcher on PATH, or its path")
    asked = ask(Path(program), Path(program).absolute().parent.parent if "/" in word else None, "of --launcher")
    return asked if asked.name != "unknown" else find(None)


@dataclass(frozen=True)
class Job:
    """What to start.  `variables` reach the ranks alone; `extra` are the launcher's own options, as given.

    `launcher`: as launcher_named has it.  In a command {ranks}, {nodes} and {ppn} stand for numbers, {env:-x} for
    -x NAME=VALUE of each variable.  `bound`: where each rank can have a core, it stays on one, under every MPI.
    """

    mpi: Mpi
    ranks: int | None = None
    nodes: int | None = None
    per_node: int | None = None
    launcher: str = "mpiexec"
    variables: Mapping[str, str] = field(default_factory=dict)
    extra: Sequence[str] = ()
    bound: bool = False

    @property
    def total(self) -> int | None:
        """Ranks in all: -n, else nodes times ranks on each."""
        if self.ranks is None and self.per_node:
            return (self.nodes or 1) * self.per_node
        return self.ranks

    def command(self, program: Sequence[str | Path]) -> list[str]:
        ways = {"mpiexec": self._mpiexec, "srun": self._srun}
        words = ways.get(self.launcher, self._as_written)()
        return [*words, *self.extra, *map(str, program)]

    def _as_written(self) -> list[str]:
        nodes = self.nodes or 1
        ranks = self.total or nodes
        numbers = {"{ranks}": ranks, "{nodes}": nodes, "{ppn}": self.per_node or -(-ranks // nodes)}
        words: list[str] = []
        for word in shlex.split(self.launcher):
            if option := VARIABLES.fullmatch(word):
                words += [part for name, value in self.variables.items() for part in (option[1], f"{name}={value}")]
                continue
            for name, number in numbers.items():
                word = word.replace(name, str(number))
            words.append(word)
        return words

    def _mpiexec(self) -> list[str]:
        words = [str(self.mpi.mpiexec)]
        open_mpi = self.mpi.name == "openmpi"
        if open_mpi:
            words += self._open_mpi()
        elif self.per_node:
            words += ["-ppn", str(self.per_node)]
        elif self.bound and self.mpi.name == "mpich" and self._one_node() and 1 < (self.total or 1) <= cores():
            words += ["-bind-to", "core"]  # as Open MPI and Intel MPI do unasked
        for name, value in self.variables.items():
            words += ["-x", f"{name}={value}"] if open_mpi else ["-genv", name, value]
        return words + (["-n", str(self.total)] if self.total else [])

    def _open_mpi(self) -> list[str]:
        words = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        if self.per_node:
            words += ["--map-by", f"ppr:{self.per_node}:node"]
        if self._one_node() and (self.total or 1) > cores():
            words += ["--oversubscribe", "--bind-to", "none"]
        # Other launchers hand the whole environment on; Open MPI does so on the first node only.
        for name in sorted(os.environ):
            if (name == "TUTTI" or name.startswith("TUTTI_")) and name not in self.variables:
                words += ["-x", name]
        return words

    def _one_node(self) -> bool:
        """Without options of the user's own, which say where ranks go."""
        return not self.extra and (self.nodes or 1) == 1 and not any(name in os.environ for name in SCHEDULERS)

    def _srun(self) -> list[str]:
        words = ["srun"]
        for option, value in (("-n", self.total), ("-N", self.nodes)):
            words += [option, str(value)] if value else []
        words += [f"--ntasks-per-node={self.per_node}"] if self.per_node else []
        if any("," in value for value in self.variables.values()):
            raise UserError("srun --export takes no value with a comma: set that variable in the environment instead")
        exported = ["ALL", *(f"{name}={value}" for name, value in self.variables.items())]
        return [*words, f"--export={','.join(exported)}"]


def through(command: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """A launcher's command as somebody wrote it, whose ranks are to get variables of this process's environment:
    Open MPI's hands them on by name, the others do so by themselves."""
    mpi = ask(Path(shutil.which(command[0]) or command[0]), None, "as given")
    words = [word for name in variables for word in ("-x", name)] if mpi.name == "openmpi" else []
    return [command[0], *words, *command[1:]]


def preload() -> str:
    """LD_PRELOAD for the ranks: libtutti.so before whatever is preloaded already."""
    library = str(paths.library())
    others = [
        item
        for item in os.environ.get("LD_PRELOAD", "").replace(" ", ":").split(":")
        if item and Path(item).name != "libtutti.so"
    ]
    return ":".join([library, *others])
