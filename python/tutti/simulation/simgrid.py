"""Traces that SimGrid replays, and the machine as a platform of SimGrid's.

SimGrid's messages take L + (s + 16) G, its processors o + s O on either side; it knows no gap g, all messages of a node
share its link equally, and an eager message leaves when it is sent.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tutti.output import Output
from tutti.simulation.machine import NEVER

LIST, PLATFORM, HOSTS, SCRIPT = "traces", "platform.xml", "hosts", "replay.sh"
HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="all" routing="Full">
"""
FASTEST = 1e15  # bytes a second, where a machine has no limit
LINKS = 2  # of a route: up to the switch and down


def bandwidth(link: dict[str, Any]) -> float:
    return 1 / link["per_byte"] if link["per_byte"] else FASTEST


def platform(machine: dict[str, Any]) -> str:
    """Nodes with one link each way to a switch that is never full, ranks of a node beside each other."""
    between, within = machine["between"], machine["within"]
    attributes = {
        "id": "cluster",
        "prefix": "node",
        "suffix": "",
        "radical": f"0-{machine['nodes'] - 1}",
        "speed": "1Gf",
        "core": machine["per_node"],
        "bw": f"{machine['cards'] * bandwidth(between):.17g}Bps",
        "lat": f"{between['latency'] / LINKS:.17g}s",
        "loopback_bw": f"{bandwidth(within):.17g}Bps",
        "loopback_lat": f"{within['latency']:.17g}s",
    }
    words = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"{HEAD}  <cluster {words}/>\n</zone>\n</platform>\n"


def hosts(machine: dict[str, Any]) -> str:
    """A line a rank: its node."""
    ranks = range(machine["nodes"] * machine["per_node"])
    nodes = (rank % machine["nodes"] if machine["cyclic"] else rank // machine["per_node"] for rank in ranks)
    return "".join(f"node{node}\n" for node in nodes)


def configuration(machine: dict[str, Any]) -> dict[str, str]:
    """Settings that make SimGrid's times follow from platform and trace alone."""
    link = machine["between"]
    threshold = min(link["rendezvous"], 2**31 - 1)  # SMPI's is an int
    sends, receives = (f"0:{link[side]:.17g}:{link['overhead_per_byte']:.17g}" for side in ("send", "receive"))
    return {
        "smpi/os": sends,
        "smpi/ois": sends,
        "smpi/or": receives,
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
        (part / PLATFORM).write_text(platform(machine))
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
