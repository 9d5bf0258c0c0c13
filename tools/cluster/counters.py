"""What the network did meanwhile: the kernel's own counters of each node, before and after."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from cluster.network import LINK, port
from cluster.state import State


@dataclass(frozen=True)
class Counters:
    """Of one node, or of all together."""

    retransmissions: int = 0  # TCP segments sent again
    needless: int = 0  # of them, what the other side had already: it was slow to say so
    timeouts: int = 0  # of them, first after a wait: 200 ms and more in which the connection stood still
    dropped: int = 0  # packets towards the node for which the switch had no room
    sent: int = 0  # bytes on the node's link, headers included
    received: int = 0

    def __sub__(self, other: Counters) -> Counters:
        return Counters(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))

    def __add__(self, other: Counters) -> Counters:
        return Counters(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def facts(self) -> dict[str, int]:
        return asdict(self)


def table(path: Path) -> dict[str, int]:
    """/proc/net/netstat and snmp: pairs of lines, names and then values, both after the protocol's name."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return {
        f"{names[0]}{name}": int(value)
        for names, values in zip(lines[::2], lines[1::2], strict=True)
        for name, value in zip(names[1:], values[1:], strict=True)
    }


def link_bytes(path: Path) -> tuple[int, int]:
    """Sent and received, from /proc/net/dev."""
    for line in path.read_text().splitlines():
        device, _, figures = line.partition(":")
        if device.strip() == LINK:
            received, sent = (int(figures.split()[column]) for column in (0, 8))
            return sent, received
    return 0, 0


def dropped(state: State) -> dict[str, int]:
    """By port of the switch."""
    words = ["nsenter", "-t", str(state.hub.here), "-n", "tc", "-s", "-j", "qdisc", "show"]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    drops: dict[str, int] = {}
    for queue in json.loads(listed or "[]"):
        drops[queue["dev"]] = drops.get(queue["dev"], 0) + queue.get("drops", 0)
    return drops


def read(state: State) -> list[Counters]:
    """One a node."""
    drops, found = dropped(state), []
    for number, node in enumerate(state.nodes):
        net = Path(f"/proc/{node.here}/net")
        sent, received = link_bytes(net / "dev")
        again, more = table(net / "snmp")["Tcp:RetransSegs"], table(net / "netstat")
        needless, late = more["TcpExt:TCPDSACKRecv"], more["TcpExt:TCPTimeouts"]
        found.append(Counters(again, needless, late, drops.get(port(number), 0), sent, received))
    return found


def difference(before: Sequence[Counters], after: Sequence[Counters]) -> list[Counters]:
    return [later - earlier for earlier, later in zip(before, after, strict=True)]
