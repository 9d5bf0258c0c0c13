"""Open MPI's coll/tuned: its classic file of rules, and the JSON of 6.0 and later.

The two readers of the classic file take its communicator sizes differently.  Up to 5.0 an entry holds from its size on,
up to the next one's.  From 6.0 on it holds *below* its size, from the size of the entry before it, and the last one
without an end: every entry but the last is in force for the sizes of the one before it.  Only a table of a single entry
means the same to both; therefore 6.0 gets JSON, which names both ends.

A release of Open MPI ignores a malformed file without a word, so an export is worth a run: `--mca
coll_base_verbose 10`, or a time that changes.  Sizes in the file are of the whole call where blocks are a rank's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutti.export.rules import (
    ANY,
    Band,
    NotHere,
    Piece,
    Range,
    Report,
    Rule,
    Target,
    bands,
    by_collective,
    option,
    steps,
    translated,
)

IDS = {
    "allgather": 0, "allgatherv": 1, "allreduce": 2, "alltoall": 3, "alltoallv": 4, "alltoallw": 5, "barrier": 6,
    "bcast": 7, "exscan": 8, "gather": 9, "gatherv": 10, "reduce": 11, "reduce_scatter": 12,
    "reduce_scatter_block": 13, "scan": 14, "scatter": 15, "scatterv": 16,
}  # fmt: skip


@dataclass(frozen=True)
class Known:
    """An algorithm of coll/tuned: number, name in JSON, least version, and which of our parameters it takes."""

    number: int
    name: str
    since: tuple[int, ...] = ()
    takes: Mapping[str, str] | None = None
    faninout: int = 0
    differs: str = ""


NAIVE = "Open MPI sends to all at once"
# By collective and our name.
ALGORITHMS: dict[str, dict[str, Known]] = {
    "allgather": {
        "direct": Known(1, "linear", differs="it gathers and broadcasts"),
        "gather_bcast": Known(1, "linear"),
        "bruck": Known(2, "bruck"),
        "recursive_doubling": Known(3, "recursive_doubling"),
        "ring": Known(4, "ring"),
        "neighbour_exchange": Known(5, "neighbor"),
        "sparbit": Known(7, "sparbit", (5, 0)),
    },
    "allgatherv": {"bruck": Known(2, "bruck"), "ring": Known(3, "ring")},
    "allreduce": {
        "reduce_bcast": Known(2, "nonoverlapping"),
        "recursive_doubling": Known(3, "recursive_doubling"),
        "ring": Known(4, "ring"),
        "segmented_ring": Known(5, "segmented_ring", takes={"segment": "segsize"}),
        "rabenseifner": Known(6, "rabenseifner"),
    },
    "alltoall": {
        "linear": Known(1, "linear", differs=NAIVE),
        "staggered": Known(4, "linear_sync", takes={"window": "max_reqs"}),
        "pairwise": Known(2, "pairwise"),
        "bruck": Known(3, "modified_bruck"),
    },
    "alltoallv": {
        "linear": Known(1, "basic_linear", differs=NAIVE),
        "staggered": Known(1, "basic_linear", differs=NAIVE),
        "pairwise": Known(2, "pairwise"),
    },
    "barrier": {
        "linear": Known(1, "linear"),
        "double_ring": Known(2, "double_ring"),
        "recursive_doubling": Known(3, "recursive_doubling"),
        "dissemination": Known(4, "bruck"),
        "tree": Known(6, "tree"),
    },
    "bcast": {
        "flat": Known(1, "basic_linear"),
        "chain": Known(2, "chain", faninout=1),
        "pipelined_chain": Known(3, "pipeline", takes={"segment": "segsize"}),
        "split_binary": Known(4, "split_binary_tree", takes={"segment": "segsize"}),
        "binary": Known(5, "binary_tree"),
        "pipelined_binary": Known(5, "binary_tree", takes={"segment": "segsize"}),
        "binomial": Known(6, "binomial"),
        "k_nomial": Known(7, "knomial", differs="its radix is coll_tuned_bcast_algorithm_knomial_radix"),
        "scatter_recursive_doubling_allgather": Known(8, "scatter_allgather"),
        "scatter_ring_allgather": Known(9, "scatter_allgather_ring"),
    },
    "gather": {"linear": Known(1, "basic_linear", differs=NAIVE), "binomial": Known(2, "binomial")},
    "scatter": {
        "linear": Known(3, "linear_nb", takes={"window": "max_reqs"}),
        "binomial": Known(2, "binomial"),
    },
    "reduce": {
        "linear": Known(1, "linear"),
        "chain": Known(2, "chain", faninout=1),
        "pipelined_chain": Known(3, "pipeline", takes={"segment": "segsize"}),
        "binary": Known(4, "binary", takes={"segment": "segsize"}),
        "binomial": Known(5, "binomial"),
        "in_order_binary": Known(6, "in-order_binary", takes={"segment": "segsize"}),
        "rabenseifner": Known(7, "rabenseifner"),
        "k_nomial": Known(8, "knomial", (6, 0), differs="its radix is coll_tuned_reduce_algorithm_knomial_radix"),
    },
    "reduce_scatter": {
        "reduce_scatter": Known(1, "non-overlapping"),
        "recursive_halving": Known(2, "recursive_halving"),
        "ring": Known(3, "ring"),
        "butterfly": Known(4, "butterfly"),
    },
    "reduce_scatter_block": {
        "reduce_scatter": Known(1, "basic_linear"),
        "recursive_doubling": Known(2, "recursive_doubling"),
        "recursive_halving": Known(3, "recursive_halving"),
        "butterfly": Known(4, "butterfly"),
    },
    "scan": {"linear": Known(1, "linear"), "recursive_doubling": Known(2, "recursive_doubling")},
    "exscan": {"linear": Known(1, "linear"), "recursive_doubling": Known(2, "recursive_doubling")},
}

# The size in the file is ours times the number of ranks; or says nothing of a call's own size.
BY_RANKS = ("allgather", "allgatherv", "alltoall", "gather", "reduce_scatter_block")
UNSIZED = ("barrier", "alltoallv", "scan", "exscan")


@dataclass(frozen=True)
class Algorithm:
    """An entry of either format."""

    number: int
    name: str
    faninout: int = 0
    segsize: int = 0
    max_reqs: int = 0


JSON_SINCE = (6, 0)
OWN = Algorithm(0, "auto")  # the library decides
IN_USE = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=FILE"


def takes_requests(version: Sequence[int]) -> bool:
    """Whether the classic format may have a fifth field."""
    return tuple(version) >= (5, 0, 7) or (4, 1, 8) <= tuple(version) < (5,)


def known(rule: Rule, version: Sequence[int]) -> Known:
    """Raises NotHere."""
    spec, collective = rule.spec, rule.collective
    if spec["name"] == "node":
        raise NotHere("coll/tuned knows no nodes" + ("" if rule.between is None else "; tutti export han says more"))
    if spec["name"] == "groups":
        raise NotHere("coll/tuned has no groups")
    table = ALGORITHMS.get(collective)
    if table is None:
        raise NotHere(f"coll/tuned chooses nothing for {collective}")
    found = table.get(spec["name"])
    if found is None:
        raise NotHere(f"coll/tuned has no {spec['name']}")
    if tuple(version) < found.since:
        raise NotHere(f"{found.name} needs Open MPI {'.'.join(map(str, found.since))}")
    return found


def translator(version: Sequence[int]):
    """Rule to Algorithm for that version of Open MPI."""

    def translate(rule: Rule) -> Target:
        if rule.spec["name"] == "native":
            return Target(OWN, "0, its own choice")
        found = known(rule, version)
        if rule.collective in UNSIZED and rule.size != ANY:
            raise NotHere(f"the file knows no size of {rule.collective}")
        fields: dict[str, int] = {"faninout": found.faninout}
        differs = [found.differs] if found.differs else []
        for ours, theirs in (found.takes or {}).items():
            if theirs == "max_reqs" and not takes_requests(version):
                differs.append(f"this version's file has no field for {ours}")
            else:
                fields[theirs] = option(rule.spec, ours, rule.collective)
        what = Algorithm(found.number, found.name, **fields)
        said = "".join(f", {name} {value}" for name, value in fields.items() if value)
        return Target(what, f"{what.number} {what.name}{said}", "; ".join(differs))

    return translate


def factor(collective: str, ranks: int) -> int:
    return ranks if collective in BY_RANKS else 1


def entries(collective: str, band: Band) -> list[Range]:
    """Numbers of ranks that share an entry of the file."""
    return steps(band) if collective in BY_RANKS and len(band.pieces) > 1 else [(band.low, band.high)]


def messages(collective: str, ranks: int, band: Band, requests: bool) -> list[str]:
    """The message rules of one communicator size: the first size must be 0."""
    lines = []
    for piece in band.pieces:
        what = piece.value or OWN
        fields = [piece.low * factor(collective, ranks), what.number, what.faninout, what.segsize]
        lines.append(" ".join(map(str, [*fields, *([what.max_reqs] if requests else [])])))
    return lines


def export(rules: Sequence[Rule], version: Sequence[int], report: Report) -> str:
    """What that version reads as it is meant."""
    if tuple(version) >= JSON_SINCE:
        report.notes.append("Open MPI 6.0 reads a classic file with other communicator sizes: this is its JSON")
        return as_json(rules, version, report)
    return classic(rules, version, report)


def classic(rules: Sequence[Rule], version: Sequence[int], report: Report) -> str:
    """The file as versions up to 5.0 mean it."""
    tables: dict[str, list[tuple[int, list[str]]]] = {}
    found = {name: bands(translated(of, translator(version), report)) for name, of in by_collective(rules).items()}
    values = [piece.value for of in found.values() for band in of for piece in band.pieces if piece.value]
    requests = any(value.max_reqs for value in values)
    for name, of in found.items():
        if name in ALGORITHMS and any(piece.value for band in of for piece in band.pieces):
            rows = [(low, messages(name, low, band, requests)) for band in of for low, _ in entries(name, band)]
            # The first entry covers smaller communicators too, and the last all larger ones: both are guards.
            guard = " ".join(["0"] * (5 if requests else 4))
            tables[name] = [(0, [guard]), *rows] if rows[0][0] > 0 else rows
    lines = ["rule-file-version-2"] if requests else []
    lines.append(f"{len(tables)} # collectives")
    for name, rows in sorted(tables.items(), key=lambda item: IDS[item[0]]):
        lines += [f"{IDS[name]} # {name}", f"{len(rows)} # communicator sizes"]
        for ranks, rules_of in rows:
            lines += [f"{ranks} {len(rules_of)} # from so many ranks on, message rules", *rules_of]
    if any(len(rows) > 1 for rows in tables.values()):
        report.notes.append(
            "for Open MPI 4.x and 5.0: 6.0 and later read the file, and take its communicator sizes otherwise; "
            "--mpi-version 6.0 writes what they mean"
        )
    report.notes += [
        IN_USE,
        "coll/han decides before coll/tuned where a communicator spans nodes: export han too, or set "
        "OMPI_MCA_coll_han_priority=0",
    ]
    return "\n".join(lines) + "\n"


def distribution(rule: Rule) -> str:
    if rule.nodes == (1, 1):
        return "single-node"
    return "one-per-node" if rule.ppn == (1, 1) else "any"


def json_rule(collective: str, ranks: int, piece: Piece) -> dict[str, Any]:
    by = factor(collective, ranks)
    what: Algorithm = piece.value or OWN
    row: dict[str, Any] = {
        "msg_size_min": piece.low * by,
        "msg_size_max": "inf" if piece.high is None else (piece.high + 1) * by - 1,
        "alg": what.name if what.number else 0,
    }
    for key, value in (("faninout", what.faninout), ("seg_size", what.segsize), ("reqs", what.max_reqs)):
        row |= {key: value} if value else {}
    return row


def json_rows(name: str, of: Sequence[Rule], version: Sequence[int], report: Report) -> list[dict[str, Any]]:
    """Of one collective; what is said of one kind of placement stands before what is said of any."""
    rows = []
    kinds = sorted({distribution(rule) for rule in of}, key=lambda kind: (kind == "any", kind))
    for kind in kinds:
        here = [rule for rule in of if distribution(rule) in (kind, "any")]
        for band in bands(translated(here, translator(version), report)):
            for low, high in entries(name, band):
                sizes = {"comm_size_min": low, "comm_size_max": "inf" if high is None else high}
                pieces = [json_rule(name, low, piece) for piece in band.pieces]
                rows.append(sizes | {"comm_rank_distribution": kind, "rules": pieces})
    return rows


def as_json(rules: Sequence[Rule], version: Sequence[int], report: Report) -> str:
    """What Open MPI 6.0 reads through the same parameter; it tells one node and one rank a node from the rest."""
    if tuple(version) < JSON_SINCE:
        report.notes.append("Open MPI reads this from 6.0 on; earlier versions ignore it without a word")
    found = {name: json_rows(name, of, version, report) for name, of in by_collective(rules).items()}
    collectives = {name: rows for name, rows in found.items() if name in ALGORITHMS}
    report.notes.append(IN_USE)
    return json.dumps({"rule_file_version": 3, "module": "tuned", "collectives": collectives}, indent=1) + "\n"
