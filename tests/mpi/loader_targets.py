"""What the loader's checks are built for and run on: a part of loader.py."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT, Mpi, Outcome, Suite, tail, which

INCLUDE = f"-I{ROOT / 'include'}"
OPENMPI_OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")


@dataclass(frozen=True)
class Target:
    """Programs built by one compiler, run on one MPI."""

    name: str
    mpi: Mpi
    compiler: Path
    fortran: Path | None = None


class Front(Suite):
    def __init__(self, description: str | None) -> None:
        super().__init__(description)
        self.binaries = self.binaries.resolve()
        self.library = self.binaries / "lib" / "libtutti.so"
        self.counting = self.binaries / "tests" / "pass_through" / "libtutti.so"
        self.folder = self.binaries / "tests" / "loader"
        self.folder.mkdir(parents=True, exist_ok=True)

    def targets(self) -> list[Target]:
        """What the MPIs that are here can run: the wheels', and Debian's."""
        found = []
        for mpi in self.mpis():
            tools = self.options.build / "mpi" / mpi.backend / "bin"
            found.append(Target(mpi.name, mpi, tools / "mpicc"))
            if mpi.backend == "mpich":
                found.append(Target(f"standard ABI on {mpi.name}", mpi, tools / "mpicc_abi"))
        for backend, options in (("mpich", ()), ("openmpi", OPENMPI_OPTIONS)):
            if backend not in self.options.mpi:
                continue
            launcher, compiler = which(f"mpiexec.{backend}"), which(f"mpicc.{backend}")
            if launcher and compiler:
                mpi = Mpi(f"debian-{backend}", backend, launcher, Path("/usr/lib"), options)
                found.append(Target(f"debian {backend}", mpi, compiler, which(f"mpif90.{backend}")))
            else:
                self.skip(f"debian {backend}", "not installed: make test-deps")
        return found

    def build(self, target: Target, name: str, *words: str | Path, compiler: Path | None = None) -> Path | None:
        """Compiles `words` (and -o); None after one failed line."""
        output = self.folder / f"{target.name.replace(' ', '-')}-{name}"
        command = [
            str(compiler or target.compiler),
            "-O1",
            INCLUDE,
            *map(str, words),
            "-o",
            str(output),
            "-ldl",
            "-lpthread",
        ]
        result = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
        if result.returncode != 0:
            self.fail(f"{name} on {target.name}", f"does not compile:\n{tail(result.stderr)}")
            return None
        return output

    def go(self, target: Target, ranks: int, words: list, preload: str | Path, **settings: str) -> Outcome:
        """Runs with LD_PRELOAD exported to the launcher too."""
        return self.start(
            target.mpi, ranks, words, preload=False, seconds=60, environment={"LD_PRELOAD": str(preload), **settings}
        )
