"""Intel MPI's I_MPI_ADJUST_* variables, as a file for the shell.  The numbers are those of its reference manual."""

from __future__ import annotations

from collections.abc import Sequence

from tutti.export.rules import ANY, NotHere, Range, Report, Rule, Target, bands, by_collective, steps, translated

ALGORITHMS = {
    "allgather": {"recursive_doubling": 1, "bruck": 2, "ring": 3},
    "allgatherv": {"recursive_doubling": 1, "bruck": 2, "ring": 3},
    "allreduce": {"recursive_doubling": 1, "rabenseifner": 2, "reduce_bcast": 3, "ring": 8},
    "alltoall": {"bruck": 1, "staggered": 2, "pairwise": 3},
    "alltoallv": {"staggered": 1},
    "alltoallw": {"staggered": 1},
    "barrier": {"dissemination": 1, "recursive_doubling": 2, "tree": 5},
    "bcast": {"binomial": 1, "scatter_recursive_doubling_allgather": 2, "scatter_ring_allgather": 3, "k_nomial": 8},
    "gather": {"binomial": 1},
    "gatherv": {"linear": 1},
    "reduce": {"binomial": 2, "rabenseifner": 5, "k_nomial": 7},
    "reduce_scatter": {"recursive_halving": 1, "pairwise": 2, "recursive_doubling": 3, "reduce_scatter": 4},
    "scatter": {"binomial": 1},
    "scatterv": {"linear": 1},
}
# Of a hierarchy the library has its own: by what runs between nodes, "topology aware" in the manual.
TOPOLOGY_AWARE = {
    "allreduce": {"reduce_bcast": 4},
    "barrier": {"dissemination": 3, "recursive_doubling": 4, "tree": 6},
    "bcast": {"binomial": 4, "scatter_recursive_doubling_allgather": 5, "scatter_ring_allgather": 6},
    "gather": {"binomial": 2},
    "reduce": {"binomial": 4, "rabenseifner": 6},
    "scatter": {"binomial": 2},
}
UNSIZED = ("barrier", "gatherv", "scatterv", "alltoallv", "alltoallw")
PARAMETERS = {"k": "its radix is I_MPI_ADJUST_{}_KN_RADIX", "window": "all messages are under way at once"}
BY_RANKS = ("allgatherv",)  # the manual's size is the sum over the ranks


def translate(rule: Rule) -> Target:
    spec, collective = rule.spec, rule.collective
    if spec["name"] == "native":
        return Target(None, "its own choice")
    if collective not in ALGORITHMS:
        raise NotHere(f"there is no I_MPI_ADJUST for {collective}")
    if spec["name"] == "groups":
        raise NotHere("Intel MPI has no groups")
    named, table = spec, ALGORITHMS
    if spec["name"] == "node":
        if rule.between is None or rule.between["name"] == "native":
            raise NotHere("inside a node Intel MPI has shared memory of its own")
        named, table = rule.between, TOPOLOGY_AWARE
    number = table.get(collective, {}).get(named["name"])
    if number is None:
        where = " of its topology-aware ones" if table is TOPOLOGY_AWARE else ""
        raise NotHere(f"{named['name']} is none{where}")
    differs = [PARAMETERS[name].format(collective.upper()) for name in named["options"] if name in PARAMETERS]
    differs += ["one rank a node sends"] if spec["options"].get("senders", 1) > 1 else []
    return Target(number, f"{number}", "; ".join(differs))


def sizes(of: Range, by: int) -> str:
    low, high = of
    return f"{low * by}-{(1 << 31) - 1 if high is None else (high + 1) * by - 1}"


def export(rules: Sequence[Rule], report: Report) -> str:
    lines = ["# . FILE, then mpiexec; or -genv for each"]
    for name, of in by_collective(rules).items():
        parts = []
        for band in bands(translated(of, translate, report)):
            scaled = name in BY_RANKS and len(band.pieces) > 1
            for low, high in steps(band) if scaled else [(band.low, band.high)]:
                ranks = f"@{low}-{(1 << 31) - 1 if high is None else high}"
                for piece in band.pieces:
                    span = (piece.low, piece.high)
                    where = "0-2147483647" if name in UNSIZED or span == ANY else sizes(span, low if scaled else 1)
                    parts += [f"{piece.value}:{where}{ranks}"] if piece.value else []
        if parts:
            lines.append(f"export I_MPI_ADJUST_{name.upper()}='{';'.join(parts)}'")
    report.notes.append("source the file before mpiexec; I_MPI_DEBUG=6 prints what was read")
    return "\n".join(lines) + "\n"
