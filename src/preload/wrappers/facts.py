"""What of a call's arguments the ring of the last calls keeps (src/hang)."""

from __future__ import annotations

from calls import Call

# Which count and type say how much a call moves, the same on all ranks or at least this rank's own (src/hang); where
# each peer has its own, none does.
SIDE_SHOWN = {
    "Scatter": "recv",
    "Scatterv": "recv",
    "Allgather": "recv",
    "Alltoall": "recv",
    "Reduce_scatter_block": "",
}


def facts(call: Call) -> str:
    """What the ring of the last calls keeps: hang::Facts."""
    side = SIDE_SHOWN.get(call.collective, "send" if "sendcount" in call.parameters else "")
    given = {"site": "__builtin_return_address(0)", "frame": "__builtin_dwarf_cfa()"}
    count = next((name for name in (f"{side}count", "recvcount", "count") if name in call.parameters), None)
    kind = next((name for name in (f"{side}type", "datatype") if name in call.parameters), None)
    given["count"] = count or ("0" if call.collective == "Barrier" else "-1")
    given |= {"type": f"hang::bits({kind})"} if kind else {}
    given |= {
        name: f"hang::bits({name})" if name == "op" else name for name in ("op", "root") if name in call.parameters
    }
    return "hang::Facts{" + ", ".join(f".{name} = {text}" for name, text in given.items()) + "}"
