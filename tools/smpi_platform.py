"""Platform and host files for SimGrid: nodes of some cores, a network between them, ranks placed on them.

Two ranks of one node exchange `bytes` in local_latency + bytes / local_bandwidth, whatever else goes on in the node;
ranks of two nodes in latency + bytes / bandwidth, where nobody else uses the nodes' links (one each way, shared by all
the node's ranks), the backbone or the switches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PLACEMENTS = ("block", "cyclic")

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"""


@dataclass(frozen=True)
class Platform:
    nodes: int
    ppn: int  # ranks, and cores, of a node
    latency: float = 1e-6  # seconds from node to node
    bandwidth: float = 12.5e9  # bytes a second of a node's link, each way
    local_latency: float = 3e-7  # within a node
    local_bandwidth: float = 10e9
    backbone: float | None = None  # bytes a second of what all messages between nodes share; None: nothing is shared
    leaf: int | None = None  # nodes on a switch: a fat tree of two levels; None: one switch
    up: int = 1  # fat tree: links from each leaf switch to the second level
    placement: str = "block"  # consecutive ranks on a node, or one node after the other

    def __post_init__(self) -> None:
        positive = ("nodes", "ppn", "latency", "bandwidth", "local_latency", "local_bandwidth", "up")
        for name in positive:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be positive")
        if self.leaf is not None and (self.leaf < 1 or self.nodes % self.leaf):
            raise ValueError(f"{self.nodes} nodes cannot be put on switches of {self.leaf}: it must divide them")
        if self.placement not in PLACEMENTS:
            raise ValueError(f"no placement {self.placement}; there are: {', '.join(PLACEMENTS)}")

    @property
    def ranks(self) -> int:
        return self.nodes * self.ppn

    def cluster(self) -> dict[str, object]:
        """The attributes of SimGrid's <cluster>.  A route has two links (up to the switch and down), in a fat tree four
        between switches, two on one."""
        links = 4 if self.leaf else 2
        attributes: dict[str, object] = {
            "id": "cluster",
            "prefix": "node",
            "suffix": "",
            "radical": f"0-{self.nodes - 1}",
            "speed": "1Gf",
            "core": self.ppn,
            "bw": f"{self.bandwidth:.17g}Bps",
            "lat": f"{self.latency / links:.17g}s",
            "loopback_bw": f"{self.local_bandwidth:.17g}Bps",
            "loopback_lat": f"{self.local_latency:.17g}s",
        }
        if self.backbone and not self.leaf:
            attributes |= {"bb_bw": f"{self.backbone:.17g}Bps", "bb_lat": "0s"}
        if self.leaf:
            parameters = f"2;{self.leaf},{self.nodes // self.leaf};1,{self.up};1,1"
            attributes |= {"topology": "FAT_TREE", "topo_parameters": parameters}
        return attributes

    def xml(self) -> str:
        words = " ".join(f'{name}="{value}"' for name, value in self.cluster().items())
        return f'{HEAD}<zone id="all" routing="Full">\n  <cluster {words}/>\n</zone>\n</platform>\n'

    def hosts(self) -> str:
        """A line a rank: the node it runs on."""
        node = (lambda rank: rank // self.ppn) if self.placement == "block" else (lambda rank: rank % self.nodes)
        return "".join(f"node{node(rank)}\n" for rank in range(self.ranks))

    def write(self, folder: Path) -> tuple[Path, Path]:
        platform, hosts = folder / "platform.xml", folder / "hosts"
        platform.write_text(self.xml())
        hosts.write_text(self.hosts())
        return platform, hosts
