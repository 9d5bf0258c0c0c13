"""UCC's choice of algorithms over UCP, as a variable: UCC_TL_UCP_TUNE.  Numbers of ranks are team sizes."""

from __future__ import annotations

from collections.abc import Sequence

from tutti.export.rules import ANY, NotHere, Report, Rule, Target, bands, by_collective, steps, translated

ALGORITHMS = {
    "allgather": {"recursive_doubling": "knomial", "ring": "ring", "neighbour_exchange": "neighbor", "bruck": "bruck",
                  "sparbit": "sparbit"},
    "allreduce": {"recursive_doubling": "knomial", "rabenseifner": "sra_knomial", "recursive_exchange": "knomial",
                  "double_binary_tree": "dbt"},
    "alltoall": {"pairwise": "pairwise", "staggered": "pairwise", "bruck": "bruck"},
    "alltoallv": {"pairwise": "pairwise", "staggered": "pairwise"},
    "barrier": {"k_dissemination": "knomial", "recursive_doubling": "knomial"},
    "bcast": {"binomial": "knomial", "k_nomial": "knomial", "scatter_recursive_doubling_allgather": "sag_knomial",
              "two_tree": "dbt"},
    "gather": {"binomial": "knomial", "k_nomial": "knomial"},
    "reduce": {"binomial": "knomial", "k_nomial": "knomial", "two_tree": "dbt", "rabenseifner": "srg"},
    "reduce_scatter_block": {"ring": "ring", "recursive_halving": "knomial",
                             "recursive_exchange": "knomial"},
    "scatter": {"binomial": "knomial", "k_nomial": "knomial"},
}  # fmt: skip
NAMES = {"reduce_scatter_block": "reduce_scatter"}  # equal blocks; UCC's v-form is MPI's reduce_scatter
BY_RANKS = ("allgather", "alltoall", "gather", "scatter", "reduce_scatter_block")  # sizes are of all blocks
UNSIZED = ("barrier", "alltoallv")


def translate(rule: Rule) -> Target:
    spec, collective = rule.spec, rule.collective
    if spec["name"] == "native":
        return Target(None, "its own choice")
    if collective not in ALGORITHMS:
        raise NotHere(f"TL/UCP has one algorithm for {collective}")
    if spec["name"] in ("node", "groups"):
        raise NotHere("hierarchy is UCC's CL/HIER, which has no rules of this kind (UCC_CLS=hier)")
    name = ALGORITHMS[collective].get(spec["name"])
    if name is None:
        raise NotHere(f"TL/UCP has no {spec['name']} for {collective}")
    if collective in UNSIZED and rule.size != ANY:
        raise NotHere(f"there is no size of {collective}")
    differs = []
    if name.endswith("knomial"):
        differs.append(f"its radix is UCC_TL_UCP_{NAMES.get(collective, collective).upper()}_KN_RADIX")
    if "window" in spec["options"]:
        differs.append(f"its number of messages at a time is UCC_TL_UCP_{collective.upper()}_PAIRWISE_NUM_POSTS")
    return Target(name, f"@{name}", "; ".join(differs))


def export(rules: Sequence[Rule], report: Report) -> str:
    parts = []
    for name, of in by_collective(rules).items():
        for band in bands(translated(of, translate, report)):
            scaled = name in BY_RANKS and len(band.pieces) > 1
            for low, high in steps(band) if scaled else [(band.low, band.high)]:
                by = low if scaled else 1
                for piece in band.pieces:
                    if piece.value is None:
                        continue
                    end = "inf" if piece.high is None else str((piece.high + 1) * by)
                    team = f"[{low}-{'inf' if high is None else high}]"
                    parts.append(f"{NAMES.get(name, name)}:{piece.low * by}-{end}:host:{team}:@{piece.value}")
    report.notes.append(
        "source the file before the launcher; UCC_LOG_LEVEL=info prints the score map that follows from it"
    )
    return f"export UCC_TL_UCP_TUNE='{'#'.join(parts)}'\n"
