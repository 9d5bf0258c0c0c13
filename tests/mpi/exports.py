"""Exported rules are in force: an algorithm that cannot but be slow, asked for in a profile, changes its time.

A broadcast of a long vector in segments of 256 bytes takes a message for each.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Mpi, Suite
from tutti.bench.launch import as_event, bench_words, library_of
from tutti.site.mpi import named

SLOW = 'schema = 1\n[[rule]]\ncollective = "bcast"\nuse = "pipelined_chain(segment=256)"\nsize = "512K:"\n'
SIZE = 1 << 20
FORMATS = {
    "openmpi": ("openmpi", lambda file: {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_dynamic_rules_filename": file,
    }),
    "mpich": ("mpich", lambda file: {
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": file, "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
    }),
}  # fmt: skip
OTHERWISE = {"openmpi": {}, "mpich": {"MPIR_CVAR_DEVICE_COLLECTIVES": "none"}}
TURNS = 4
SLOWER = 1.5  # thousands of messages take longer than the vector does, 2.6 times at least on an idle machine


def quickest(suite: Suite, mpi: Mpi, environment: dict[str, str]) -> dict[int, float]:
    """Microseconds of the library's own broadcast, by size: the least, which other programs disturb least.  Empty
    where it does not end well."""
    chosen = named(mpi.name)
    words = bench_words(chosen, library_of(chosen), variants=["native", "again"], cases=[f"bcast:{SIZE}"], seconds=0.3)
    outcome = suite.start(mpi, 2, words, preload=False, environment=environment)
    events = [event for line in outcome.output.splitlines() if (event := as_event(line))]
    if outcome.status:
        suite.fail(f"exports {mpi.name}", f"status {outcome.status}\n{outcome.output[-800:]}")
        return {}
    results = [event for event in events if event["event"] == "result"]
    return {
        size: min(row["min"] for row in results if row["size"] == size) for size in {row["size"] for row in results}
    }


def in_force(suite: Suite, mpi: Mpi, folder: Path) -> None:
    layout, variables = FORMATS[mpi.name]
    profile, file = folder / "slow.toml", folder / f"{mpi.name}.rules"
    profile.write_text(SLOW)
    words = [sys.executable, "-m", "tutti", "export", layout, profile, "-o", file]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        suite.fail(f"exports {mpi.name}", done.stderr)
        return
    name, slower = f"an exported rule slows {mpi.name}'s broadcast of 1 MiB", 0.0
    before: dict[int, float] = {}
    after: dict[int, float] = {}
    for _ in range(TURNS):  # in turns: on a busy machine one launch of either may find no quiet moment
        for table, environment in ((before, OTHERWISE[mpi.name]), (after, variables(str(file)))):
            found = quickest(suite, mpi, environment)
            if not found:
                return
            table |= {size: min(time, table.get(size, time)) for size, time in found.items()}
        slower = after[SIZE] / before[SIZE]
        if slower > SLOWER:
            suite.ok(name, f"{slower:.1f} times")
            return
    suite.fail(name, f"only {slower:.2f} times: the file is not in force")


def main() -> None:
    suite = Suite(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for mpi in suite.mpis():
            if mpi.name in FORMATS:
                with suite.alone():
                    in_force(suite, mpi, Path(folder))
    suite.end()


if __name__ == "__main__":
    main()
