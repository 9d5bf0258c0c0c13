"""Where a study is measured: in shared memory, over emulated networks, on a cluster of the user's."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tutti import paths
from tutti.errors import UserError, did_you_mean
from tutti.site.mpi import Mpi

PATIENCE = 60  # seconds in which tools/cluster.py says whether it can work here


class Unavailable(Exception):
    """Why nothing can be measured there."""


@dataclass(frozen=True)
class Network:
    """`rate` of each node's link where the network is emulated; "" where ranks are started as they are."""

    name: str
    title: str
    rate: str = ""
    nodes: int = 1
    ranks: tuple[int, ...] = (2, 4, 8)

    def launcher(self, chosen: Mpi) -> str:
        """As --launcher has it.  Raises Unavailable."""
        if not self.rate:
            return "mpiexec"
        tool = emulator()
        # Few packets fit into the switch, as into a commodity one: the thesis is about what follows from that.
        words = [sys.executable, tool, "run", "-N", self.nodes, "--rate", self.rate, "--buffers", "shallow"]
        words += ["--mpi", chosen.name, *(["--prefix", chosen.prefix] if chosen.prefix else [])]
        words += ["-n", "{ranks}", "--ppn", "{ppn}", "{env:-x}", "--"]
        return shlex.join(map(str, words))


EMULATED_RANKS = (4, 8, 16)
NETWORKS = (
    Network("memory", "shared memory"),
    Network("1gbit", "1 Gbit/s Ethernet, emulated", "1gbit", 4, EMULATED_RANKS),
    Network("100mbit", "100 Mbit/s Ethernet, emulated", "100mbit", 4, EMULATED_RANKS),
)


def emulator() -> Path:
    """tools/cluster.py of the source tree, where it can work.  Raises Unavailable."""
    root = paths.checkout()
    if root is None:
        raise Unavailable("networks are emulated from a source tree (make build), and this is an installed package")
    tool = root / "tools" / "cluster.py"
    try:
        asked = subprocess.run(
            [sys.executable, tool, "status"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Unavailable(f"{tool}: {problem}") from None
    if asked.returncode:
        raise Unavailable((asked.stderr.strip() or f"{tool} status: {asked.returncode}").splitlines()[-1])
    return tool


def networks_named(words: Sequence[str]) -> list[Network]:
    """All of them for no word.  Raises UserError."""
    known = {network.name: network for network in NETWORKS}
    found = []
    for word in ",".join(words).replace(",", " ").split() or known:
        if word not in known:
            hint = did_you_mean(word, list(known)) or f" (there are {', '.join(known)})"
            raise UserError(f"--network {word}: there is no such network{hint}")
        found.append(known[word])
    return list(dict.fromkeys(found))
