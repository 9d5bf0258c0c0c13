"""Traces that SimGrid replays, and the machine as a platform of SimGrid's.

SimGrid's messages take L + (s + 16) G, its processors o + s O on either side; it knows no gap g, all messages of a node
share its link equally, and an eager message leaves when it is sent.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from tutti.output import Output
from tutti.simulation.machine import NEVER

LIST, PLATFORM, HOSTS, SCRIPT = "traces", "platform.xml", "hosts", "replay.sh"
HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"""
FASTEST = 1e15  # bytes a second, where a machine has no limit
LINKS = 2  # of a route: up to the switch and down


def bandwidth(per_byte: float) -> str:
    return f"{1 / per_byte if per_byte else FASTEST!r}Bps"


def cluster(machine: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of <cluster>: nodes with one link each way to a switch that is never full, ranks of a node beside
    each other."""
    between, within = machine["between"], machine["within"]
    return {
        "id": "cluster",
        "prefix": "node",
        "suffix": "",
        "radical": f"0-{machine['nodes'] - 1}",
        "speed": "1Gf",
        "core": str(machine["per_node"]),
        "bw": bandwidth(between["per_byte"] / machine["cards"]),
        "lat": f"{between['latency'] / LINKS!r}s",
        "loopback_bw": bandwidth(within["per_byte"]),
        "loopback_lat": f"{within['latency']!r}s",
    }


def overheads(machine: Mapping[str, Any]) -> dict[str, str]:
    """SMPI's settings of what a processor has to do for a message."""
    link = machine["between"]
    sends, receives = (f"0:{link[side]!r}:{link['overhead_per_byte']!r}" for side in ("send", "receive"))
    return {"smpi/os": sends, "smpi/ois": sends, "smpi/or": receives}


def platform(attributes: Mapping[str, str], settings: Mapping[str, str] | None = None) -> str:
    """A file of one <cluster>, with settings where there are some."""
    lines = [f"  <prop id={quoteattr(name)} value={quoteattr(value)}/>\n" for name, value in (settings or {}).items()]
    config = "".join(["<config>\n", *lines, "</config>\n"]) if lines else ""
    words = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return f'{HEAD}{config}<zone id="all" routing="Full">\n  <cluster {words}/>\n</zone>\n</platform>\n'


def hosts(machine: dict[str, Any]) -> str:
    """A line a rank: its node."""
    ranks = range(machine["nodes"] * machine["per_node"])
    nodes = (rank % machine["nodes"] if machine["cyclic"] else rank // machine["per_node"] for rank in ranks)
    return "".join(f"node{node}\n" for node in nodes)


def configuration(machine: dict[str, Any]) -> dict[str, str]:
    """Settings that make SimGrid's times follow from platform and trace alone."""
    link = machine["between"]
    threshold = min(link["rendezvous"], 2**31 - 1)  # SMPI's is an int
    return {
        **overheads(machine),
        "smpi/lat-factor": "0:1",
        "smpi/bw-factor": "0:1",
        "smpi/send-is-detached-thresh": str(threshold),
        "smpi/async-small-thresh": "0",
        "network/TCP-gamma": "1e15",
        "network/weight-S": "0",
        "network/crosstraffic": "no",  # else each byte takes 5 % of what comes the other way
        "contexts/stack-size": "1024",
        "smpi/display-timing": "yes",
    }


def differences(machine: dict[str, Any]) -> list[str]:
    """What the platform cannot say of the machine."""
    found = []
    if machine["network"]["topology"] != "flat":
        found.append(f"its {machine['network']['topology']} network is a single switch")
    if machine["between"]["gap"] or machine["within"]["gap"]:
        found.append("there is no gap g")
    if any(machine["between"][name] != machine["within"][name] for name in ("send", "receive", "overhead_per_byte")):
        found.append("o is that between nodes everywhere")
    if machine["between"]["rendezvous"] < NEVER:
        found.append("a rendezvous waits for the receive, and has no request and no answer")
    if machine["between"]["rendezvous"] != machine["within"]["rendezvous"]:
        found.append("rendezvous begins at the size between nodes everywhere")
    if machine["noise"]["duration"] or machine["noise"]["jitter"] or machine["slow_nodes"]:
        found.append("there is no noise, and no slow node")
    return found


def script(machine: dict[str, Any]) -> str:
    """What replays the traces."""
    options = " ".join(f"--cfg={name}:{value}" for name, value in configuration(machine).items())
    ranks = machine["nodes"] * machine["per_node"]
    return (
        "#!/bin/sh\n# SimGrid replays the traces of this folder, and prints the simulated time.\n"
        'cd "$(dirname "$0")" || exit\n'
        f"exec smpirun -np {ranks} -platform {PLATFORM} -hostfile {HOSTS} -replay {LIST} {options} "
        '--log=xbt_cfg.thresh:warning --log=smpi_config.thresh:error "$@"\n'
    )


def write(folder: Path, machine: dict[str, Any], trace: Callable[[int], str], out: Output) -> None:
    """Complete or not at all; replaces a folder of traces."""
    ranks = machine["nodes"] * machine["per_node"]
    part = folder.with_name(folder.name + ".new")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir()
        for rank in range(ranks):
            (part / f"rank-{rank}").write_text(trace(rank))
        (part / LIST).write_text("".join(f"rank-{rank}\n" for rank in range(ranks)))
        (part / PLATFORM).write_text(platform(cluster(machine)))
        (part / HOSTS).write_text(hosts(machine))
        (part / SCRIPT).write_text(script(machine))
        (part / SCRIPT).chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    for difference in differences(machine):
        out.note(f"in SimGrid's platform {difference}")
    out.note(f"replay it with {folder / SCRIPT}")
