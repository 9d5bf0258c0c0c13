"""Which MPIs are here: found on PATH, fetched by the build, or named by --mpi; identified by what they say."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tutti import paths
from tutti.errors import UserError, did_you_mean

TITLES = {"mpich": "MPICH", "openmpi": "Open MPI", "impi": "Intel MPI", "unknown": "an unknown MPI"}
ON_PATH = ("mpiexec", "mpirun", "mpiexec.hydra", "mpiexec.mpich", "mpiexec.openmpi")


@dataclass(frozen=True)
class Mpi:
    """One MPI library by its launcher."""

    name: str  # mpich, openmpi, impi, unknown
    version: str
    mpiexec: Path
    origin: str  # "on PATH", "fetched by the build", "in this Python environment", "named by --mpi"
    prefix: Path | None = None  # of its own, where its libraries must be named to the loader

    @property
    def title(self) -> str:
        return f"{TITLES[self.name]} {self.version}".strip()

    @property
    def backend(self) -> str:
        """Whose compiled programs it runs."""
        return "openmpi" if self.name == "openmpi" else "mpich"

    def environment(self) -> dict[str, str]:
        """os.environ with what this MPI needs in order to be found: nothing for the MPI on PATH."""
        variables = dict(os.environ)
        if self.prefix is None:
            return variables
        for name, folder in (("PATH", "bin"), ("LD_LIBRARY_PATH", "lib")):
            before = variables.get(name)
            variables[name] = f"{self.prefix / folder}" + (f":{before}" if before else "")
        if self.name == "impi":
            variables.setdefault("I_MPI_ROOT", str(self.prefix))
            variables.setdefault("I_MPI_FABRICS", "shm")  # one node: the wheel brings no provider for more
        return variables


def identify(said: str) -> tuple[str, str]:
    """Name and version from what `mpiexec --version` prints."""
    patterns = (
        ("openmpi", r"(?:OpenRTE|Open MPI|PRRTE|prterun)\)?\s+v?(\d[\w.]*)"),
        ("impi", r"Intel\(R\) MPI Library.*?Version\s+(\d[\w.]*)"),
        ("mpich", r"HYDRA build details:\s+Version:\s+(\d[\w.]*)"),
    )
    for name, pattern in patterns:
        if found := re.search(pattern, said, re.DOTALL):
            return name, found[1]
    return "unknown", ""


@functools.lru_cache
def ask(mpiexec: Path, prefix: Path | None, origin: str) -> Mpi:
    """Runs `mpiexec --version`, without a preload: what is asked is the launcher."""
    candidate = Mpi("unknown", "", mpiexec, origin, prefix)
    variables = candidate.environment()
    variables.pop("LD_PRELOAD", None)
    try:
        answer = subprocess.run(
            [mpiexec, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
            env=variables,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return candidate
    name, version = identify(answer.stdout + answer.stderr)
    return Mpi(name, version, mpiexec, origin, prefix)


def fetched_prefix(name: str) -> Path | None:
    """build/mpi/NAME of the checkout, where tools/fetch.py puts MPIs."""
    root = paths.checkout()
    prefix = root / "build" / "mpi" / name if root else None
    return prefix if prefix and (prefix / "bin" / "mpiexec").exists() else None


def on_path() -> Mpi | None:
    """The MPI whose mpiexec (or mpirun) comes first on PATH."""
    for program in ("mpiexec", "mpirun"):
        if found := shutil.which(program):
            return ask(Path(found), None, "on PATH")
    return None


def candidates() -> Iterator[Mpi]:
    """Every MPI that can be found without being named, the default first."""
    seen: set[Path] = set()
    for program in ON_PATH:
        found = shutil.which(program)
        if found and (real := Path(found).resolve()) not in seen:
            seen.add(real)
            yield ask(Path(found), None, "on PATH")
    here = Path(sys.prefix)
    if (here / "bin" / "mpiexec").exists() and (here / "bin" / "mpiexec").resolve() not in seen:
        yield ask(here / "bin" / "mpiexec", here, "in this Python environment")
    for name in ("mpich", "openmpi", "impi"):
        if (prefix := fetched_prefix(name)) and (prefix / "bin" / "mpiexec").resolve() not in seen:
            yield ask(prefix / "bin" / "mpiexec", prefix, "fetched by the build")


def named(text: str, option: str = "--mpi") -> Mpi:
    """The MPI that the option names: a prefix, a launcher, or mpich, openmpi, impi."""
    if text in ("mpich", "openmpi", "impi"):
        if prefix := fetched_prefix(text):
            return ask(prefix / "bin" / "mpiexec", prefix, "fetched by the build")
        for mpi in candidates():
            if mpi.name == text:
                return mpi
        how = f"fetch it with `python3 tools/fetch.py {text}`, or name the prefix of one with {option} PATH"
        raise UserError(f"{TITLES[text]} is not here: {how}")
    if prefix := fetched_prefix(text) if re.fullmatch(r"[a-z]+\d+", text) else None:  # another release
        return ask(prefix / "bin" / "mpiexec", prefix, "fetched by the build")
    path = Path(text).expanduser()
    if path.is_dir():
        launcher = next((path / "bin" / p for p in ("mpiexec", "mpirun") if (path / "bin" / p).exists()), None)
        if launcher:
            return ask(launcher.absolute(), path.absolute(), "named by --mpi")
        raise UserError(f"{option} {text}: there is no bin/mpiexec in that folder; name an MPI's prefix or its mpiexec")
    if program := shutil.which(text):
        return ask(Path(program), None, "named by --mpi")
    hint = did_you_mean(text, ("mpich", "openmpi", "impi")) if "/" not in text else ""
    raise UserError(
        f"{option} {text}: there is no such MPI{hint or '; name its prefix, its mpiexec, or mpich, openmpi, impi'}"
    )


def find(text: str | None = None) -> Mpi:
    """The MPI to use: the one named, else the one on PATH, else one that the build fetched.  Raises UserError."""
    if text:
        return named(text)
    if mpi := next(candidates(), None):
        return mpi
    raise UserError(
        "no MPI found: put an mpiexec on PATH, name one with --mpi PREFIX, or fetch one without root "
        "(python3 tools/fetch.py mpich)"
    )
