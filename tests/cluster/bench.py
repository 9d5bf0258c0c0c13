"""tutti-bench over several nodes of the emulated cluster (tools/cluster.py).  Needs root; else it is skipped.

.venv/bin/python tests/cluster/bench.py --mpi mpich

All nodes read one kernel's clock, so that the error of a synchronised clock is known: two estimates that are not told
of it have to agree with it, and with each other.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/mpi")]

from cluster import CANNOT, Cluster, ClusterError  # noqa: E402
from harness import Mpi, Suite, tail  # noqa: E402
from tutti.bench.launch import as_event  # noqa: E402
from tutti.results import sample_cells, samples, timeouts  # noqa: E402

NODES = 3
ASYMMETRY = 10.0  # microseconds by which one way may take longer than back, between nodes that share processors
LEARNING = 3  # seconds
BLURRED = 5  # times what two messages as long as the check's, one at each end of a synchronisation, say of a drift
LOSING, LOSSES, ROOM = 4, 12, 40_000  # nodes; seconds; bytes that the switch holds for a node
INCAST = "alltoall:256K"
FEWEST = 10  # time-outs, below which a share says nothing
DRIFTS = {1: 200, 2: -150}  # in parts per million: well above what messages can be wrong by in that time


def events(suite: Suite, cluster: Cluster, mpi: Mpi, name: str, words: list[str], per_node: int = 1, **settings: str):
    """What tutti-bench prints; None, and a failure, where it ends badly."""
    library = max(mpi.libraries.glob("libmpi.so*"), key=lambda file: file.stat().st_size)
    program = [suite.binaries / "bin/tutti-bench", "--mpi-library", library, *words]
    done = cluster.run(mpi.name, per_node=per_node, program=program, settings=settings, seconds=120)
    if done.status != 0:
        suite.fail(name, f"status {done.status}\n{tail(done.output)}")
        return None
    return [event for line in done.output.splitlines() if (event := as_event(line))]


def untrue(told: list[dict]) -> list[str]:
    """Where the check, the second estimate and the truth do not agree."""
    wrong = []
    for row in (row for event in told for row in event.get("ranks", [])):
        bearable, drift = ASYMMETRY + row["uncertainty_us"], DRIFTS[row["rank"]]
        if abs(row["error_us"] - row["known_us"]) > bearable:
            wrong.append(f"rank {row['rank']}: error {row['error_us']} us, in truth {row['known_us']}")
        if abs(row["second_us"] - row["error_us"]) > bearable:
            wrong.append(f"rank {row['rank']}: by messages one way {row['second_us']} us, else {row['error_us']}")
        if abs(row["drift_ppm"] - drift) > row["drift_within_ppm"] + 0.1:
            said = f"{row['drift_ppm']} +- {row['drift_within_ppm']} ppm"
            wrong.append(f"rank {row['rank']}: {said}, and it was {drift}")
        if row["drift_within_ppm"] > BLURRED * 2 * row["uncertainty_us"] / LEARNING:
            wrong.append(f"rank {row['rank']}: its drift known to {row['drift_within_ppm']} ppm alone")
    return wrong


def unsure(told: list[dict]) -> float:
    """By how many parts per million a drift may be wrong, at most."""
    return max((row["drift_within_ppm"] for event in told for row in event.get("ranks", [])), default=0)


def clock(suite: Suite, cluster: Cluster, mpi: Mpi) -> None:
    """An offset and a drift are found.  Where ranks share processors with others, one way may take longer than the
    other for seconds: the first of some looks in which all is right."""
    name = f"{mpi.name} clock over {NODES} nodes"
    words = ["--clock", "hca3", "--clock-source", "raw", "--clock-seconds", f"{LEARNING}", "--clock-check", "2"]
    wrong = []
    for _ in range(5):
        told = events(suite, cluster, mpi, name, words, TUTTI_BENCH_CLOCK_SKEW=f"1:0.25:{DRIFTS[1]},2:-3:{DRIFTS[2]}")
        if told is None:
            return
        if not (wrong := untrue(told)):
            break
    figures = ", ".join(f"{event['error_us']:.1f} us at the {event['when']}" for event in told if "when" in event)
    if wrong or "hca3" not in figures + told[0].get("method", ""):
        suite.fail(name, "; ".join(wrong) or f"it says {told}")
    else:
        suite.ok(name, f"{figures}; drifts known to {unsure(told):.1f} ppm")


def rounds(suite: Suite, cluster: Cluster, mpi: Mpi) -> None:
    """Repetitions begin by the global clock, and those that began late are counted."""
    name = f"{mpi.name} rounds over {NODES} nodes"
    words = ["--variants", "native,again", "--seconds", "0.3", "--sync", "round", "bcast:8", "allreduce:1K"]
    told = events(suite, cluster, mpi, name, words)
    if told is None:
        return
    results = [event for event in told if event["event"] == "result"]
    began = [event["sync"] for event in told if event["event"] == "environment"]
    if began != ["round"] or len(results) != 4 or not all(row["repetitions"] and not row["wrong"] for row in results):
        suite.fail(name, f"began by {began}, results {results}")
    else:
        suite.ok(name, ", ".join(f"{row['median_us']:.0f} us, {row['late']} late" for row in results))


def losses(suite: Suite, cluster: Cluster, mpi: Mpi) -> None:
    """Behind a switch that drops what several send to one node at a time, some samples are long by a time-out or more:
    as many as those in which the kernels counted one."""
    name = f"{mpi.name} time-outs behind shallow buffers"
    folder = suite.binaries / "tests" / "timeouts" / mpi.name
    shutil.rmtree(folder, ignore_errors=True)
    raw = samples.raw_folder(folder, 1, LOSING)
    words = ["--variants", "native,again", "--seconds", f"{LOSSES}", "--sync", "messages"]
    words += ["--samples", f"{raw}", INCAST]
    told = events(suite, cluster, mpi, name, words)
    if told is None:
        return
    results = [{"launch": 1, **event} for event in told if event["event"] == "result"]
    counted = sum(result["tcp_timed_out"] for result in results)
    cells = sample_cells.split(samples.read(folder, results), results)
    seen = [timeouts.outliers(column) for column in sample_cells.by_cell(cells).values()]
    found, every = sum(one.timed_out for one in seen), sum(one.samples for one in seen)
    connections = sum(event["tcp_timeouts"] for event in told if event["event"] == "network")
    figures = f"{found} of {every} samples, {counted} by the kernels, which counted {connections} time-outs"
    if counted < FEWEST:
        suite.skip(name, f"too few to compare: {figures}")
    elif abs(found - counted) > 0.2 * counted:
        suite.fail(name, f"{figures}; {[one.clusters for one in seen]}")
    else:
        suite.ok(name, figures)


def main() -> None:
    suite = Suite(__doc__)
    try:
        with Cluster(nodes=NODES) as cluster:
            for mpi in suite.mpis():
                clock(suite, cluster, mpi)
                rounds(suite, cluster, mpi)
        with Cluster(nodes=LOSING, buffers=ROOM) as cluster:
            for mpi in suite.mpis():
                losses(suite, cluster, mpi)
    except ClusterError as error:
        if error.status != CANNOT:
            raise
        suite.skip("cluster", str(error))
    suite.end()


if __name__ == "__main__":
    main()
