"""What a cluster is to be like: how many nodes, how fast their links, how deep the switch's buffers; all checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cluster.errors import ClusterError
from cluster.processors import WAYS

BUFFERS = {"deep": 2_000_000, "shallow": 200_000}  # bytes the switch holds for a node before it drops
MOST_NODES = 250  # one /24 of addresses
UNITS = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}


def bits_per_second(rate: str) -> int:
    """`1gbit`, `100mbit`, `2.5gbit`: tc's own words for a rate, in bits."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmg]?bit)", rate.lower())
    bits = int(float(found[1]) * UNITS[found[2]]) if found else 0
    if bits < UNITS["mbit"]:
        raise ClusterError(f"'{rate}' is no rate: write it as 1gbit, 100mbit or 2.5gbit; at least 1mbit")
    return bits


def buffer_bytes(buffers: str) -> int:
    size = BUFFERS.get(buffers) or (int(buffers) if re.fullmatch(r"\d+", buffers) else 0)
    if size < 3000:
        raise ClusterError(f"'{buffers}' are no buffers: deep, shallow, or bytes (two packets at least: 3000)")
    return size


@dataclass(frozen=True)
class Plan:
    nodes: int = 4
    rate: str = "1gbit"
    buffers: str = "deep"
    flow_rate: str = ""  # what one TCP connection gets at most; empty: the link
    processors: str = WAYS[0]

    def __post_init__(self) -> None:
        if not 1 <= self.nodes <= MOST_NODES:
            raise ClusterError(f"a cluster of {self.nodes} nodes cannot be made: 1 to {MOST_NODES}")
        link = bits_per_second(self.rate)
        buffer_bytes(self.buffers)
        if self.flow_rate and bits_per_second(self.flow_rate) > link:
            raise ClusterError(f"--flow-rate {self.flow_rate} is more than the link's {self.rate}")
        if self.processors not in WAYS:
            raise ClusterError(f"--processors '{self.processors}': {' or '.join(WAYS)}")

    @property
    def hosts(self) -> list[str]:
        return [f"node{i}" for i in range(self.nodes)]

    def address(self, node: int) -> str:
        return f"10.77.0.{node + 1}"

    def hosts_file(self) -> str:
        lines = [f"{self.address(i)} {host}" for i, host in enumerate(self.hosts)]
        return "\n".join(["127.0.0.1 localhost", *lines, ""])

    def __str__(self) -> str:
        own = ", processors of its own for each" if self.processors == "own" else ""
        flows = f", {self.flow_rate} a flow" if self.flow_rate else ""
        return f"{self.nodes} node{'s' * (self.nodes > 1)} at {self.rate}{flows}, {self.buffers} buffers{own}"
