"""A machine as other simulators describe one: a platform of SimGrid's, the command line of LogGOPSim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from tutti.errors import UserError

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"""
UNLIMITED = 1e15  # bytes a second, where a machine says nothing
LARGEST = 2**32 - 1  # of LogGOPSim's S
NEVER = 2**63 - 1


def bandwidth(per_byte: float) -> str:
    return f"{1 / per_byte if per_byte else UNLIMITED:.6g}Bps"


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
    """A cluster for smpirun: a route has two links, so each has half of L; in a fat tree four between leaf switches.
    o and S are settings of SMPI."""
    between, within = machine["between"], machine["within"]
    tree = machine["network"]["topology"] == "fat_tree"
    latency = (between["latency"] + 2 * machine["network"]["hop"]) / 4 if tree else between["latency"] / 2
    words = {
        "id": "cluster",
        "prefix": "node-",
        "suffix": "",
        "radical": f"0-{machine['nodes'] - 1}",
        "speed": "1Gf",
        "core": str(machine["per_node"]),
        "bw": bandwidth(between["per_byte"] / machine["cards"]),
        "lat": f"{latency:.6g}s",
        "loopback_bw": bandwidth(within["per_byte"]),
        "loopback_lat": f"{within['latency']:.6g}s",
        **topology(machine),
    }
    eager = min(between["rendezvous"], LARGEST)
    settings = {
        "smpi/os": f"0:{between['send']:.6g}:{between['overhead_per_byte']:.6g}",
        "smpi/ois": f"0:{between['send']:.6g}:{between['overhead_per_byte']:.6g}",
        "smpi/or": f"0:{between['receive']:.6g}:{between['overhead_per_byte']:.6g}",
        "smpi/send-is-detached-thresh": str(eager),
    }
    lines = [f"  <prop id={quoteattr(name)} value={quoteattr(value)}/>" for name, value in settings.items()]
    config = "\n".join(["<config>", *lines, "</config>"])
    attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in words.items())
    return f'{HEAD}{config}\n<zone id="all" routing="Full">\n  <cluster {attributes}/>\n</zone>\n</platform>\n'


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
