"""The emulated cluster's network: rates of links and of flows, and what buffers lose.  A part of nodes.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/mpi")]

from cluster import CANNOT, Cluster, ClusterError  # noqa: E402
from cluster.counters import Counters, difference, read  # noqa: E402
from harness import Suite  # noqa: E402

TRANSFER = [sys.executable, str(ROOT / "tests/cluster/transfer.py")]
PORTS = iter(range(5000, 30000, 100))  # a connection's ports are not free again at once


def transfer(cluster: Cluster, senders: list[int], connections: int, size: int) -> tuple[float, Counters]:
    """Megabits a second into node 0, headers aside, and what the network counted."""
    port, before = str(next(PORTS)), read(cluster.there())
    words = cluster.within(0, [*TRANSFER, "receive", port, str(connections * len(senders))])
    sending = [*TRANSFER, "send", "node0", port, str(connections), str(size)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout
        receiver.stdout.readline()
        crew = [subprocess.Popen(cluster.within(node, sending)) for node in senders]
        for one in crew:
            one.wait(timeout=60)
        total, seconds = receiver.stdout.read().split()
    after = read(cluster.there())
    if int(total) != connections * len(senders) * size:
        raise ClusterError(f"{total} bytes arrived of {connections * len(senders) * size}")
    return 8e-6 * int(total) / float(seconds), sum(difference(before, after), Counters())


def within_15_percent(suite: Suite, name: str, cluster: Cluster, connections: int, want: float) -> None:
    """A busy machine can only be slower: the best of up to five."""
    best = 0.0
    for _ in range(5):
        best = max(best, transfer(cluster, [1], connections, int(want * 60_000 / connections))[0])
        if best > 0.85 * want:
            break
    suite.judge(name, 0.85 * want < best < 1.15 * want, f"{best:.0f} Mbit/s", f"{best:.0f} Mbit/s")


def rates(suite: Suite) -> None:
    with Cluster(nodes=2, rate="100mbit") as slow:
        within_15_percent(suite, "100mbit", slow, 1, 100)
    with Cluster(nodes=2, rate="1gbit") as fast:
        within_15_percent(suite, "1gbit", fast, 1, 1000)


def flow_rates(suite: Suite) -> None:
    try:
        with Cluster(nodes=2, rate="600mbit", flow_rate="200mbit") as many:
            for connections in (1, 2, 3, 4):
                name = f"200mbit a flow on 600mbit, {connections} of them"
                within_15_percent(suite, name, many, connections, min(600, 200 * connections))
    except ClusterError as error:
        if error.status != CANNOT:
            raise
        suite.skip("200mbit a flow", str(error))


def buffers(suite: Suite) -> None:
    """1.5 MB at once from three nodes to one: a deep buffer holds it, a shallow one does not."""
    lost = {}
    for depth in ("deep", "shallow"):
        with Cluster(nodes=4, buffers=depth) as cluster:
            counted = [transfer(cluster, [1, 2, 3], 4, 125_000)[1] for _ in range(6)]
            lost[depth] = sum(counted, Counters())
    told = ", ".join(f"{depth} {one.dropped} dropped" for depth, one in lost.items())
    suite.judge("shallow buffers lose packets", lost["shallow"].dropped > 0, told, told)
    again = lost["shallow"].retransmissions
    suite.judge("what is lost is sent again", again > 0, "no retransmissions", f"{again} retransmissions")
    suite.judge("deep buffers lose none", lost["deep"].dropped == 0, told)
