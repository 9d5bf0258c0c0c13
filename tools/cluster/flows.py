"""A limit on every TCP connection, so that one sender cannot fill the link and several are needed.

The fair queue that paces flows (`fq`) is not in every kernel; the token bucket tree (`htb`) and a classic BPF filter
are.  The filter hashes addresses and ports of a packet to one of many classes, each with the flow's rate as its
ceiling, below one class with the link's rate.  Two connections that fall into one class share its rate: among 16
connections that happens in one run of nine.  More classes take long to make: 1024 take 0.2 s, 4096 some seconds.
"""

from __future__ import annotations

BITS = 10
CLASSES = 1 << BITS
FIRST = 0x10  # number of the first of them: 1:1 is the link, 1:2 what is not TCP
# A class's own rate is next to nothing, so that all it sends is borrowed from the link and stops at the ceiling.
OWN_RATE = "8kbit"

# Classic BPF, as in <linux/bpf_common.h>: loads from a place in the frame, arithmetic on A and X, jumps, ends.
LOAD_HALF, LOAD_BYTE, LOAD_WORD, TO_X = 0x28, 0x30, 0x20, 0x07
XOR_X, ADD, MULTIPLY, SHIFT_RIGHT = 0xAC, 0x04, 0x24, 0x74
JUMP_EQUAL, RETURN, RETURN_A = 0x15, 0x06, 0x16

ETHERTYPE, PROTOCOL, DESTINATION, PORTS = 12, 23, 30, 34  # of a frame whose IP header has no options
IPV4, TCP = 0x0800, 6
KNUTH = 2654435761  # multiplicative hashing, whose highest bits are the best: TAOCP 3, 6.4
FILTERS_OWN = 0xFFFFFFFF

# Operation, instructions to skip if equal and if not, operand.  The result is a class, 1:(FIRST + hash) for TCP.
PROGRAM = (
    (LOAD_HALF, 0, 0, ETHERTYPE),
    (JUMP_EQUAL, 0, 11, IPV4),
    (LOAD_BYTE, 0, 0, PROTOCOL),
    (JUMP_EQUAL, 0, 9, TCP),
    (LOAD_WORD, 0, 0, PORTS),
    (TO_X, 0, 0, 0),
    (LOAD_WORD, 0, 0, DESTINATION),
    (MULTIPLY, 0, 0, KNUTH),
    (XOR_X, 0, 0, 0),
    (MULTIPLY, 0, 0, KNUTH),
    (SHIFT_RIGHT, 0, 0, 32 - BITS),
    (ADD, 0, 0, (1 << 16) + FIRST),
    (RETURN_A, 0, 0, 0),
    (RETURN, 0, 0, FILTERS_OWN),
)


def flow_limits(device: str, link: str, flow: str) -> list[str]:
    """For `tc -batch`: the tree on `device`, and the filter that finds a packet's class."""
    whole = f"htb rate {link} ceil {link} burst 64kb cburst 64kb quantum 20000"
    bytecode = ",".join([str(len(PROGRAM)), *(" ".join(map(str, row)) for row in PROGRAM)])
    lines = [
        f"qdisc add dev {device} root handle 1: htb default 2",
        f"class add dev {device} parent 1: classid 1:1 {whole}",
        f"class add dev {device} parent 1:1 classid 1:2 htb rate {OWN_RATE} ceil {link} quantum 20000",
    ]
    for number in range(FIRST, FIRST + CLASSES):
        lines.append(
            f"class add dev {device} parent 1:1 classid 1:{number:x} "
            f"htb rate {OWN_RATE} ceil {flow} burst 2kb cburst 32kb quantum 20000"
        )
    return [*lines, f"filter add dev {device} parent 1: bpf bytecode '{bytecode}' classid 1:2"]
