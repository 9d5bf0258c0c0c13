"""Open MPI's coll/han: which component serves a collective on communicators over several nodes.

HAN runs a collective in each node and between nodes, as `node(...)` does; which algorithm runs between them is
coll/tuned's choice on the communicator of one rank a node, so that both files belong together.
"""

from __future__ import annotations

from collections.abc import Sequence

from tutti.export.openmpi import IDS
from tutti.export.rules import NotHere, Report, Rule, Target, bands, by_collective, translated

SERVED = ("allgather", "allreduce", "barrier", "bcast", "gather", "reduce", "scatter")
GLOBAL, GLOBAL_NUMBER = "global_communicator", 2  # 4.1 writes numbers alone
COMPONENTS = {"tuned": 2, "han": 6}
SIMPLE = ("allgather", "allreduce", "bcast", "gather", "reduce", "scatter")  # have an algorithm of that name


def translator(version: Sequence[int]):
    """Rule to the component that serves the whole communicator."""

    def translate(rule: Rule) -> Target:
        name = rule.spec["name"]
        if rule.collective not in SERVED:
            raise NotHere(f"coll/han does not serve {rule.collective}")
        if rule.nodes[1] == 1:
            raise NotHere("coll/han serves several nodes; on one it stands back")
        if name == "native":
            return Target("han", "han, its own choice")
        if name != "node":
            return Target("tuned", "tuned: tutti export openmpi names the algorithm")
        if rule.between is None:
            raise NotHere("node alone is about one node")
        differs = []
        if rule.spec["options"].get("senders", 1) > 1:
            differs.append("one rank a node sends")
        if "overlap" in rule.spec["options"]:
            differs.append("its segments are coll_han_*_segsize")
        if rule.between["name"] != "native":
            differs.append(f"{rule.between['name']} between nodes is coll/tuned's choice")
        simple = "han @simple" if rule.collective in SIMPLE and tuple(version) >= (5,) else "han"
        return Target(simple, simple, "; ".join(differs))

    return translate


def component(value: str | None, version: Sequence[int]) -> str:
    word = value or "han"
    return word if tuple(version) >= (5,) else str(COMPONENTS[word.split()[0]])


def export(rules: Sequence[Rule], version: Sequence[int], report: Report) -> str:
    named = tuple(version) >= (5,)
    tables = {}
    for name, of in by_collective(rules).items():
        found = bands(translated(of, translator(version), report))
        if any(piece.value for band in found for piece in band.pieces):
            tables[name] = found
    lines = [f"{len(tables)} # collectives"]
    for name, found in sorted(tables.items()):
        rows = [
            (band.low, [f"{piece.low} {component(piece.value, version)}" for piece in band.pieces]) for band in found
        ]
        rows = [(1, [f"0 {component(None, version)}"]), *rows]  # the first size must be 1
        lines += [name if named else str(IDS[name]), "1 # topological levels"]
        lines += [GLOBAL if named else str(GLOBAL_NUMBER), f"{len(rows)} # communicator sizes"]
        for ranks, sizes in rows:
            lines += [f"{ranks} # from so many ranks on", f"{len(sizes)} # message rules", *sizes]
    report.notes += [
        "OMPI_MCA_coll_han_use_dynamic_file_rules=1 OMPI_MCA_coll_han_dynamic_rules_filename=FILE; "
        "OMPI_MCA_coll_han_dump_dynamic_rules=1 prints what was read",
    ]
    return "\n".join(lines) + "\n"
