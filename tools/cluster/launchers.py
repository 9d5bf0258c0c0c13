"""How each MPI's launcher is told which rank goes to which node, and to use the cluster's stand-in for ssh."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cluster.errors import ClusterError
from cluster.placement import runs

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Job:
    """What to start.  `folder` is the run's own, for files that launchers read; `variables` reach the ranks alone."""

    prefix: Path  # where the MPI is installed
    shell: Path
    folder: Path
    hosts: Sequence[str]
    placed: Sequence[int]
    program: Sequence[str]
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def used(self) -> list[int]:
        """Nodes that have ranks, in the order of their numbers."""
        return sorted(set(self.placed))

    def file(self, name: str, lines: Sequence[str]) -> str:
        path = self.folder / name
        path.write_text("\n".join([*lines, ""]))
        return str(path)

    def environment(self) -> list[str]:
        return [word for name, value in self.variables.items() for word in ("-genv", name, value)]


def mpich(job: Job) -> list[str]:
    """Hydra joins repeated lines of a host file, so a map says where each rank goes: numbers of lines in the file."""
    lines = {node: line for line, node in enumerate(job.used)}
    words = ["-f", job.file("hosts", [job.hosts[node] for node in job.used])]
    words += ["-rankmap", ",".join(str(lines[node]) for node in job.placed)]
    launcher = ["-launcher", "rsh", "-launcher-exec", str(job.shell)]
    return ["mpiexec", *launcher, *words, *job.environment(), "-n", str(len(job.placed)), *job.program]


def openmpi(job: Job) -> list[str]:
    """`seq`: rank i goes to line i of the host file.  It knows no slots then, so that it does not see that processors
    are shared, which they are even with one rank a node: waiting ranks are told to yield."""
    words = ["mpirun", "--allow-run-as-root", "--prtemca", "plm_ssh_agent", str(job.shell)]
    words += ["--hostfile", job.file("hosts", [job.hosts[node] for node in job.placed])]
    words += ["--map-by", "seq", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    words += ["--mca", "pml", "ob1", "--mca", "btl", "tcp,sm,self"]
    words += [word for name, value in job.variables.items() for word in ("-x", f"{name}={value}")]
    return [*words, "-n", str(len(job.placed)), *job.program]


def impi(job: Job) -> list[str]:
    """A machine file's lines `host:ranks` are followed one after the other, repeated hosts too."""
    lines = [f"{job.hosts[node]}:{count}" for node, count in runs(job.placed)]
    words = ["mpiexec.hydra", "-bootstrap", "rsh", "-bootstrap-exec", str(job.shell)]
    words += ["-machinefile", job.file("machines", lines)]
    return [*words, *job.environment(), "-n", str(len(job.placed)), *job.program]


@dataclass(frozen=True)
class Launcher:
    words: Callable[[Job], list[str]]
    variables: Mapping[str, str] = field(default_factory=dict)  # of the launcher


# Intel MPI over TCP, and not pinned: each node would put its first rank on the same processor.
LAUNCHERS = {
    "mpich": Launcher(mpich),
    "openmpi": Launcher(openmpi),
    "impi": Launcher(impi, {"I_MPI_FABRICS": "shm:ofi", "FI_PROVIDER": "tcp", "I_MPI_PIN": "0"}),
}


def prefix(mpi: str, build: Path | None = None, named: Path | None = None) -> Path:
    """Where an MPI lies that tools/fetch.py installs, unless another release is named."""
    if mpi not in LAUNCHERS:
        raise ClusterError(f"no MPI '{mpi}': there are {', '.join(LAUNCHERS)}")
    if named:
        if not (named / "bin").is_dir():
            raise ClusterError(f"--prefix {named}: there is no bin in it")
        return named.absolute()
    path = (build or ROOT / "build") / "mpi" / mpi
    if not (path / "bin").is_dir():
        raise ClusterError(f"{mpi} is not in {path}: python3 tools/fetch.py {mpi}")
    return path
