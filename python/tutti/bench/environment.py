"""What a figure cannot be understood without: machine, load, MPI, command, date."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tutti
from tutti import paths
from tutti.site import awake, launch
from tutti.site.mpi import Mpi


def first_line(path: str) -> str | None:
    try:
        return Path(path).read_text().splitlines()[0].strip()
    except (OSError, IndexError):
        return None


def cpu_model() -> str:
    """As /proc/cpuinfo names it; where it does not (aarch64), the machine's architecture."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def memory_gib() -> float | None:
    line = first_line("/proc/meminfo")
    return round(int(line.split()[1]) / (1 << 20), 1) if line and line.startswith("MemTotal") else None


def machine() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "cpu": cpu_model(),
        "cpus": launch.cpus(),
        "memory_gib": memory_gib(),
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "governor": first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "idle_driver": awake.idle_driver(),
        "kept_awake": awake.demanded(),
        "load_before": os.getloadavg()[0],
    }


def others_busy() -> float:
    """CPUs that other processes used over the last fifth of a second."""

    def busy() -> float:
        fields = [int(field) for field in (first_line("/proc/stat") or "cpu 0 0 0 0 0 0 0 0").split()[1:9]]
        return sum(fields) - fields[3] - fields[4]  # all but idle and waiting for input and output

    before = busy()
    time.sleep(0.2)
    return max(0.0, (busy() - before) / os.sysconf("SC_CLK_TCK") / 0.2)


def command_line() -> str:
    """As a user would type it again."""
    program = Path(sys.argv[0])
    if program.name == "demo.py":
        return "make demo"
    return shlex.join(["tutti" if program.name in ("tutti", "__main__.py") else sys.argv[0], *sys.argv[1:]])


def describe(chosen: Mpi, library: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of environment.json before the first launch."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "command": command_line(),
        "tutti": tutti.__version__,
        "machine": machine(),
        "mpi": {
            "name": chosen.name,
            "title": chosen.title,
            "mpiexec": str(chosen.mpiexec),
            "origin": chosen.origin,
            "library": str(library),
        },
        "preload": str(paths.library()) if settings.get("contender") == "tutti" else None,
        "variables": {
            name: value
            for name, value in sorted(os.environ.items())
            if name == "TUTTI" or name.startswith(("TUTTI_", "I_MPI_", "OMPI_MCA_", "MPICH_", "MPIR_CVAR_"))
        },
        "settings": dict(settings),
        "method": "MPI_X and PMPI_X alternately in one process, order alternating; cold calls: each with rotating "
        "buffers of its own whose contents change; warm ones: both with the same, after one of the same variant that "
        "is not timed; time of a repetition: the slowest rank's; figure: median; ratio: "
        "geometric mean over launches with Student's 95 % interval of the logarithms",
        "launches": [],
    }
