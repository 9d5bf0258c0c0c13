"""A machine as other simulators describe one: a platform of SimGrid's, the command line of LogGOPSim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutti.errors import UserError
from tutti.simulation.simgrid import cluster, overheads, platform

LARGEST = 2**32 - 1  # of LogGOPSim's S


def topology(machine: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of <cluster> for its network.  Raises UserError for what it does not have."""
    network, nodes = machine["network"], machine["nodes"]
    kind, leaf = network["topology"], network["leaf"]
    if kind == "torus":
        return {"topology": "TORUS", "topo_parameters": ",".join(str(side) for side in network["sides"])}
    if kind == "fat_tree":
        up = round(leaf / network["taper"])
        if nodes % leaf or up < 1 or abs(leaf / up - network["taper"]) > 1e-9:
            raise UserError(
                f"--format simgrid: {nodes} nodes in leaf switches of {leaf}, with {network['taper']:g} times fewer "
                "links upward, are no fat tree of whole switches and links"
            )
        return {"topology": "FAT_TREE", "topo_parameters": f"2;{leaf},{nodes // leaf};1,{up};1,1"}
    if kind == "dragonfly":
        raise UserError("--format simgrid: a dragonfly's groups are one link here, and many routers in SimGrid's")
    return {}


def simgrid(machine: Mapping[str, Any]) -> str:
    """A cluster for smpirun: in a fat tree a route has four links between leaf switches, each with its share of L.
    o and S are settings of SMPI."""
    between = machine["between"]
    attributes = cluster(machine) | topology(machine)
    if machine["network"]["topology"] == "fat_tree":
        attributes["lat"] = f"{(between['latency'] + 2 * machine['network']['hop']) / 4!r}s"
    eager = min(between["rendezvous"], LARGEST)
    return platform(attributes, {**overheads(machine), "smpi/send-is-detached-thresh": str(eager)})


def loggopsim(machine: Mapping[str, Any]) -> str:
    """Its options in nanoseconds, and in whole picoseconds for versions whose G is an integer."""
    link = machine["between" if machine["nodes"] > 1 else "within"]
    overhead = (link["send"] + link["receive"]) / 2
    rendezvous = min(link["rendezvous"], LARGEST)

    def options(scale: float, digits: int) -> str:
        values = {
            "L": link["latency"], "o": overhead, "g": link["gap"], "G": link["per_byte"],
            "O": link["overhead_per_byte"],
        }  # fmt: skip
        whole = {name: round(scale * value, digits if name in "GO" else 0) for name, value in values.items()}
        texts = [f"-{name} {value:.10g}" for name, value in whole.items()]
        return " ".join([*texts, f"-S {rendezvous}"])

    return (
        f"# LogGOPSim, nanoseconds (G and O may be fractions, as in ATLAHS)\n{options(1e9, 6)}\n"
        f"# in picoseconds, for versions that take whole numbers alone: calc of the schedule in picoseconds, too\n"
        f"# {options(1e12, 0)}\n"
    )


FORMATS = {"simgrid": simgrid, "loggopsim": loggopsim}
