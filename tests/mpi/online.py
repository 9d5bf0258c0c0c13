"""TUTTI_TUNE=online in a program: right results on every candidate, one choice in the end, a profile of what was
learned; on one node and on pretended ones.

.venv/bin/python tests/mpi/online.py --measure       20 000 allreduces beside each fixed spec
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from harness import Mpi, Suite
from tutti import core

SPECS = ("native", "node", "recursive_doubling", "reduce_bcast")
SAID = "the last bits of reductions may differ from run to run"


def program(suite: Suite, mpi: Mpi) -> Path:
    return suite.binaries / f"tests/online_{mpi.backend}"


def learns(suite: Suite, mpi: Mpi, ranks: int, nodes: str, folder: Path) -> None:
    where = f"{mpi.name} {ranks} ranks" + (f" on nodes {nodes}" if nodes else "")
    file = folder / f"{mpi.name}-{ranks}-{nodes.replace(':', '')}.toml"
    settings = {"TUTTI_TUNE": "online", "TUTTI_TUNE_OUTPUT": str(file)}
    settings |= {"TUTTI_PRETEND_NODES": nodes} if nodes else {}
    outcome = suite.start(mpi, ranks, [program(suite, mpi), 800, 4], settings=settings, seconds=240)
    if not suite.check(f"online {where}", outcome, "online: 0 wrong", SAID):
        return
    text = file.read_text() if file.exists() else ""
    rules, warnings = core.load().profile_rules(text, file.name) if text else ([], ["no file"])
    found = {rule["collective"]: rule for rule in rules}
    good = not warnings and {"allreduce", "bcast"} <= set(found)
    good = good and found["allreduce"]["size"] == (32, 63) and found["allreduce"]["ranks"] == (ranks, ranks)
    if good:
        suite.ok(f"what was learned, {where}", ", ".join(f"{name} {rule['use']}" for name, rule in found.items()))
    else:
        suite.fail(f"what was learned, {where}", f"{warnings} {text}")


def seconds(suite: Suite, mpi: Mpi, ranks: int, settings: dict[str, str]) -> float:
    outcome = suite.start(mpi, ranks, [program(suite, mpi), 20000, 1], settings=settings, seconds=300)
    found = re.search(r"online: 0 wrong, ([\d.]+) s", outcome.output)
    return float(found[1]) if found else float("inf")


def measure(suite: Suite, mpi: Mpi, ranks: int) -> None:
    """Least of three launches each, in turns."""
    ways = {spec: {"TUTTI_ALLREDUCE": spec} for spec in SPECS} | {"online": {"TUTTI_TUNE": "online"}}
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(3):
        for way, settings in ways.items():
            least[way] = min(least[way], seconds(suite, mpi, ranks, settings))
    best = min(least[spec] for spec in SPECS)
    told = ", ".join(f"{way} {time:.3f}" for way, time in least.items())
    suite.ok(f"20 000 allreduces, {mpi.name} {ranks} ranks", f"online / best {least['online'] / best:.3f}; s: {told}")


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--measure", action="store_true"))
    with tempfile.TemporaryDirectory() as folder:
        for mpi in suite.mpis():
            if suite.options.measure:
                for ranks in (2, 4):
                    measure(suite, mpi, ranks)
                continue
            learns(suite, mpi, 2, "", Path(folder))
            learns(suite, mpi, 4, "block:2", Path(folder))
    suite.end()


if __name__ == "__main__":
    main()
