"""A rank ends by SIGKILL in the middle of a collective on several nodes: nothing of tutti's stays on any.  Needs root.

.venv/bin/python tests/cluster/killed.py                  each collective, on one MPI after another
.venv/bin/python tests/cluster/killed.py --mpi mpich      on that one

By turns a third of the collectives.

What is looked at is what the launcher leaves when it has ended, before the emulated cluster cleans up.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/mpi")]

from cluster import CANNOT, Cluster, ClusterError  # noqa: E402
from cluster.life import Result  # noqa: E402
from confine import Watch  # noqa: E402
from harness import Mpi, Suite, tail, turns  # noqa: E402
from robust import COPIED_ONCE, LENGTHS, OTHERS  # noqa: E402

NODES, PER_NODE = 3, 2
BETWEEN = "pairwise"  # where the collective has it
OTHERWISE = {"barrier": "dissemination", "bcast": "binomial", "reduce": "binomial", "allreduce": "ring"}
OTHERWISE |= {"allgather": "ring", "allgatherv": "ring", "scan": "recursive_doubling", "exscan": "recursive_doubling"}
OTHERWISE |= dict.fromkeys(("gather", "gatherv", "scatter", "scatterv"), "binomial")
# Open MPI's launcher itself hangs in about one of fifteen such ends, also without tutti (4 of 60 launches, 5.0.11).
LAUNCHES, SECONDS, OVERDUE = 3, 20, 124


@dataclass
class Left:
    """Filled when the launcher has ended."""

    cluster: Cluster
    watch: Watch
    ours: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)

    def look(self) -> None:
        self.processes = self.watch.left().processes
        for node in range(NODES):
            words = self.cluster.within(node, ["sh", "-c", 'ls /dev/shm; ls "$0"', str(self.watch.folder)])
            told = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
            self.ours += [f"{name} on node {node}" for name in told if "tutti" in name]


def launch(suite: Suite, cluster: Cluster, mpi: Mpi, collective: str, count: int, spec: str) -> tuple[Result, Left]:
    with tempfile.TemporaryDirectory(prefix="killed-", ignore_cleanup_errors=True) as folder:
        watch = Watch(folder)
        left = Left(cluster, watch)
        outcome = cluster.run(
            mpi.name,
            per_node=PER_NODE,
            program=[suite.binaries / f"tests/robust_{mpi.backend}", "die", collective, count],
            preload=suite.library,
            settings={f"TUTTI_{collective.upper()}": spec, "TUTTI_EXPLAIN": "1"} | watch.environment,
            seconds=SECONDS,
            build=suite.options.build,
            ended=left.look,
        )
    return outcome, left


def kill(suite: Suite, cluster: Cluster, mpi: Mpi, collective: str, count: int) -> str:
    """Empty, or what was left or went wrong."""
    spec = f"node({OTHERWISE.get(collective, BETWEEN)}, senders=2)"
    for _ in range(LAUNCHES):
        outcome, left = launch(suite, cluster, mpi, collective, count, spec)
        if outcome.status != OVERDUE:
            break
    if "robust: warm" not in outcome.output or f": {spec}" not in outcome.output:
        return f"it did not get warm by {spec} (status {outcome.status}):\n{tail(outcome.output)}"
    if outcome.status in (0, OVERDUE):
        return f"the launcher did not end the job (status {outcome.status}):\n{tail(outcome.output)}"
    return "; ".join(f"it left {thing}" for thing in (*left.ours, *left.processes))


def main() -> None:
    suite = Suite(__doc__)
    mpis = suite.mpis()
    collectives = turns.share((*COPIED_ONCE, *OTHERS), 3)
    try:
        with Cluster(nodes=NODES) as cluster:
            for number, collective in enumerate(collectives):
                mpi, count = mpis[number % len(mpis)], LENGTHS[number // 2 % len(LENGTHS)]
                what = f"kill -9 {mpi.name} {collective} {4 * count} B on {NODES} nodes"
                why = kill(suite, cluster, mpi, collective, count)
                if why:
                    suite.fail(what, why)
                else:
                    suite.ok(what)
    except ClusterError as error:
        if error.status != CANNOT:
            raise
        suite.skip("killed on several nodes", str(error))
    suite.end()


if __name__ == "__main__":
    main()
