"""Libraries that wrap an MPI: a part of loader.py."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from harness import Suite, run, tail, which

SOURCES = Path(__file__).parent / "loader"


def wrappers(suite: Suite) -> None:
    """An MPI that wraps another has handles of its own, whatever its version says: one line, and it is left alone."""
    compiler, mpich = which("cc"), suite.options.build / "mpi" / "mpich"
    if not compiler or not mpich.exists():
        suite.skip("wrappers of an MPI", "no C compiler, or no MPICH: python3 tools/fetch.py mpich")
        return
    wrapped = ["-Wl,--no-as-needed", mpich / "lib" / "libmpi.so.12", f"-Wl,-rpath,{mpich / 'lib'}"]
    for name, version, more in (
        ("MPItrampoline", "MPItrampoline 5.4.0, using MPIwrapper 2.10.4, wrapping MPICH 4.1", []),
        ("a wrapper that tutti does not know", "MPICH Version: 4.1 behind a wrapper", []),
        ("a wrapper linked with MPICH", "MPICH Version: 4.1 behind a wrapper", wrapped),
        ("a wrapper of Open MPI", "Open MPI v5.0.3 behind a wrapper", []),
    ):
        library, program = suite.folder / "libwrapper.so", suite.folder / "wrapped"
        words = ["-O1", "-w", f'-DVERSION="{version}"', SOURCES / "wrapper.c"]
        made = [*words, "-DLIBRARY", "-shared", "-fPIC", *more, "-o", library]
        used = [*words, library, f"-Wl,-rpath,{suite.folder}", "-Wl,--allow-shlib-undefined", "-o", program]
        for command in (made, used):
            subprocess.run([str(word) for word in (compiler, *command)], check=True)
        outcome = run([program], {**os.environ, "LD_PRELOAD": str(suite.library)}, 20)
        if outcome.output.count("tutti:") != 1:
            suite.fail(name, f"not one line:\n{tail(outcome.output)}")
            continue
        suite.check(
            name, outcome, "collectives stay with", "its binary interface is none that tutti knows", "wrapped: right"
        )
