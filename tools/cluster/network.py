"""The network of a cluster as words for `ip -batch` and `tc -batch`: a bridge in the hub, a shaped link to each node.

Each direction is shaped where its packets wait: at the node, whose queue pushes back on the senders and is long enough
never to drop, and at the hub's port towards the node, whose queue is the switch's buffer and drops when it is full.
"""

from __future__ import annotations

from cluster.flows import flow_limits
from cluster.plan import Plan, buffer_bytes

BRIDGE = "switch"
LINK = "eth0"  # a node's end
BURST = "64kb"
# TCP hands over packets of so many bytes at most, each counted by the shapers as the frames it stands for.  By default
# they are longer than the burst, and then shaped frame by frame: twice the processor time, and frames that overtake one
# another between processors, which TCP takes for losses.  Much longer ones would be dropped in lumps by short buffers.
LONGEST_PACKET = 16384
OWN_QUEUE = 20_000_000  # bytes a node's own packets may wait


def port(node: int) -> str:
    """The hub's end of a node's link."""
    return f"port{node}"


def hub_links(plan: Plan, holders: list[int]) -> list[str]:
    """For `ip -batch` in the hub; `holders`: for each node, a process in its network namespace."""
    lines = [f"link add {BRIDGE} type bridge", f"link set {BRIDGE} up"]
    for node in range(plan.nodes):
        lines += [
            f"link add {port(node)} type veth peer name {LINK} netns {holders[node]}",
            f"link set {port(node)} master {BRIDGE}",
            f"link set {port(node)} up",
        ]
    return lines


def hub_queues(plan: Plan) -> list[str]:
    """For `tc -batch` in the hub: towards each node the line's rate and the switch's buffer."""
    shape = f"tbf rate {plan.rate} burst {BURST} limit {buffer_bytes(plan.buffers)}"
    return [f"qdisc add dev {port(node)} root {shape}" for node in range(plan.nodes)]


def node_links(plan: Plan, node: int) -> list[str]:
    return [
        "link set lo up",
        f"address add {plan.address(node)}/24 dev {LINK}",
        f"link set {LINK} gso_max_size {LONGEST_PACKET} up",
    ]


def node_queues(plan: Plan) -> list[str]:
    """For `tc -batch` in a node: what it may send."""
    if plan.flow_rate:
        return flow_limits(LINK, plan.rate, plan.flow_rate)
    return [f"qdisc add dev {LINK} root tbf rate {plan.rate} burst {BURST} limit {OWN_QUEUE}"]
