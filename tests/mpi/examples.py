"""The examples, built and run as a user would: against an installed tutti, by pkg-config, by CMake, and from Python.

The training, which MPICH's own collectives make long, is on one of the two MPIs with compilers, by turns.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from clients import python_with_mpi4py
from harness import ROOT, Mpi, Suite, tail, turns, which

EXAMPLES = ROOT / "examples" / "shared_table"


def done(suite: Suite, name: str, command: list, environment: dict[str, str]) -> bool:
    """Runs a step of a build; told only where it fails."""
    words = [str(word) for word in command]
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if ran.returncode:
        suite.fail(name, f"{' '.join(words)}: status {ran.returncode}\n{tail(ran.stdout + ran.stderr)}")
    return ran.returncode == 0


def variables(mpi: Mpi, installed: Path) -> dict[str, str]:
    return os.environ | {
        "PATH": f"{mpi.mpiexec.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": str(installed / "lib/pkgconfig"),
        "OPAL_PREFIX": str(mpi.mpiexec.parents[1]),
    }


def by_pkg_config(suite: Suite, mpi: Mpi, installed: Path, folder: Path) -> None:
    if not which("pkg-config"):
        suite.skip(f"pkg-config {mpi.name}", "there is no pkg-config")
        return
    environment = variables(mpi, installed)
    told = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tutti"], env=environment, capture_output=True, text=True, check=False
    )
    for compiler, source, more in (("mpicc", "table.c", []), ("mpicxx", "table.cpp", ["-std=c++20"])):
        name, binary = f"pkg-config {source} {mpi.name}", folder / f"{source}.{mpi.name}"
        warnings = ["-Wall", "-Wextra", "-Werror"]
        command = [compiler, *more, *warnings, EXAMPLES / source, *told.stdout.split(), "-o", binary]
        if done(suite, name, command, environment):
            outcome = suite.start(mpi, 3, [binary], preload=False, seconds=60)
            suite.check(name, outcome, "rank 2: ")


def by_cmake(suite: Suite, mpi: Mpi, installed: Path, folder: Path) -> None:
    name, build, environment = f"find_package {mpi.name}", folder / f"cmake.{mpi.name}", variables(mpi, installed)
    compilers = [f"-DCMAKE_C_COMPILER={mpi.mpiexec.parent}/mpicc", f"-DCMAKE_CXX_COMPILER={mpi.mpiexec.parent}/mpicxx"]
    configure = ["cmake", "-S", EXAMPLES, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}", *compilers]
    if done(suite, name, configure, environment) and done(suite, name, ["cmake", "--build", build], environment):
        for program in ("table_c", "table_cpp"):
            suite.check(
                f"{name} {program}", suite.start(mpi, 3, [build / program], preload=False, seconds=60), "rank 2: "
            )


def from_python(suite: Suite, mpi: Mpi) -> None:
    """With mpi4py's wheel of the tests beside this environment's packages."""
    try:
        python, _ = python_with_mpi4py(suite.options.build)
    except (subprocess.CalledProcessError, OSError) as problem:
        suite.skip(f"python {mpi.name}", f"mpi4py could not be installed ({problem})")
        return
    packages = next(python.parents[1].glob("lib/python*/site-packages"))
    environment = {"PYTHONPATH": f"{ROOT / 'python'}:{packages}"}
    for script, needs in (
        (EXAMPLES / "table.py", "rank 2: "),
        (ROOT / "tests/mpi/loader/shared_arrays.py", "arrays: right"),
    ):
        for preload in (True, False):
            outcome = suite.start(
                mpi, 3, [sys.executable, script], preload=preload, seconds=120, environment=environment
            )
            suite.check(f"{script.name} {mpi.name}{'' if preload else ' not preloaded'}", outcome, needs)


def training(suite: Suite, mpi: Mpi, folder: Path) -> None:
    """It learns the same, whoever adds up."""
    name, binary = f"train.c {mpi.name}", folder / f"train.{mpi.name}"
    source = ROOT / "examples" / "training" / "train.c"
    command = ["mpicc", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", binary, "-lm"]
    if not done(suite, name, command, variables(mpi, folder)):
        return
    losses = []
    for preload in (False, True):
        outcome = suite.start(mpi, 3, [binary, 30], preload=preload, seconds=120)
        found = re.search(r"30 steps on 3 ranks: loss (\S+), at first", outcome.output)
        if outcome.status or not found:
            suite.fail(name, f"status {outcome.status}; it printed:\n{tail(outcome.output)}")
            return
        losses.append(float(found.group(1)))
    if math.isclose(*losses, rel_tol=1e-4):
        suite.ok(name, f"loss {losses[1]:.4g} after 30 steps")
    else:
        suite.fail(name, f"loss {losses[1]} with tutti, {losses[0]} without")


def main() -> None:
    suite = Suite(__doc__)
    with tempfile.TemporaryDirectory(prefix="tutti-examples-") as name:
        folder = Path(name)
        installed = folder / "tutti"
        install = ["cmake", "--install", suite.binaries, "--component", "package", "--prefix", folder]
        ready = done(suite, "install", install, dict(os.environ))
        for mpi in suite.mpis():
            if ready and mpi.name != "impi":  # its wheel has no compiler wrapper: programs of the MPICH ABI run on it
                by_pkg_config(suite, mpi, installed, folder)
                by_cmake(suite, mpi, installed, folder)
                if turns.due(turns.place_of(mpi.name), 2):
                    training(suite, mpi, folder)
            from_python(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
