"""A stand-in for an MPI: a launcher that speaks like MPICH's or Open MPI's and starts one rank."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

LAUNCHER = """#!{python}
import os, subprocess, sys
words = sys.argv[1:]
if words == ["--version"]:
    print({version!r})
    sys.exit(0)
with open({log!r}, "w") as log:
    log.write("\\n".join(words))
variables = dict(os.environ)
while words and words[0].startswith("-"):
    option = words.pop(0)
    if option == "-genv":
        name = words.pop(0)
        variables[name] = words.pop(0)
    elif option == "-x":
        name, equals, value = words.pop(0).partition("=")
        if equals:
            variables[name] = value
    elif option in ("-n", "-ppn", "--map-by", "--bind-to", "--hostfile"):
        words.pop(0)
if {report!r}:
    with open(variables["TUTTI_REPORT"], "w") as file:
        file.write({report!r} + "\\n")
variables.pop("LD_PRELOAD")
sys.exit(subprocess.call(words, env=variables))
"""
VERSIONS = {
    "mpich": "HYDRA build details:\n    Version:                                 5.0.2\n",
    "openmpi": "mpiexec (Open MPI) 5.0.11\n\nReport bugs to https://www.open-mpi.org/community/help/\n",
}


@dataclass(frozen=True)
class FakeMpi:
    """One stand-in: `prefix` for --mpi, `words` it was last started with."""

    prefix: Path

    @property
    def words(self) -> list[str]:
        return (self.prefix / "words").read_text().splitlines()


@pytest.fixture
def fake_mpi(tmp_path):
    """fake_mpi(name, report): makes one; `report` is what rank 0 would have written at MPI_Finalize."""

    def make(name: str = "mpich", report: str = "") -> FakeMpi:
        prefix = tmp_path / name
        (prefix / "bin").mkdir(parents=True)
        launcher = prefix / "bin" / "mpiexec"
        launcher.write_text(
            LAUNCHER.format(python=sys.executable, version=VERSIONS[name], report=report, log=str(prefix / "words"))
        )
        launcher.chmod(0o755)
        return FakeMpi(prefix)

    return make


@pytest.fixture
def tutti(tmp_path):
    """tutti(*words, **variables): runs the command as a user does; the result has returncode, stdout, stderr."""

    def run(*words: str, path: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TUTTI")}
        environment |= variables | ({"PATH": path} if path is not None else {})
        return subprocess.run(
            [sys.executable, "-m", "tutti", *map(str, words)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def load_tool():
    """A module of tools/ by its name, as if it had been started there."""
    folder = Path(__file__).resolve().parents[2] / "tools"

    def load(name: str):
        sys.path.insert(0, str(folder))
        try:
            spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(folder))
        return module

    return load
