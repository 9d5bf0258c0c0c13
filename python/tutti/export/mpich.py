"""MPICH's JSON of choices: a decision tree that replaces the built-in one.

A collective that is missing from the file aborts the program, and an unknown algorithm fails MPI_Init; so the rules are
put in front of that version's own tree, which lies as text in its library and serves whatever the rules leave open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutti.errors import UserError
from tutti.export.rules import (
    ANY,
    Band,
    NotHere,
    Piece,
    Report,
    Rule,
    Target,
    bands,
    by_collective,
    option,
    steps,
    translated,
)

Tree = dict[str, Any]
LARGEST = (1 << 31) - 1  # thresholds are ints

# By collective and our name: theirs, and which parameter of theirs takes which of ours.
ALGORITHMS: dict[str, dict[str, tuple[str, Mapping[str, str]]]] = {
    "barrier": {
        "dissemination": ("k_dissemination", {"k": "2"}),
        "k_dissemination": ("k_dissemination", {"k": "{k}"}),
        "recursive_doubling": ("recexch", {"k": "2", "single_phase_recv": "0"}),
    },
    "bcast": {
        "binomial": ("binomial", {}),
        "k_nomial": ("tree", {"tree_type": "knomial_1", "k": "{k}", "is_non_blocking": "1", "topo_overhead": "0",
                              "topo_diff_groups": "0", "topo_diff_switches": "0", "topo_same_switches": "0"}),
        "pipelined_chain": ("pipelined_tree", {"tree_type": "kary", "k": "1", "is_non_blocking": "1",
                                               "chunk_size": "{segment}", "recv_pre_posted": "0"}),
        "scatter_recursive_doubling_allgather": ("scatter_recursive_doubling_allgather", {}),
        "scatter_ring_allgather": ("scatter_ring_allgather", {}),
    },
    "allreduce": {
        "recursive_doubling": ("recursive_doubling", {}),
        "rabenseifner": ("reduce_scatter_allgather", {}),
        "ring": ("ring", {}),
        "recursive_multiplying": ("recursive_multiplying", {"k": "{k}"}),
    },
    "allgather": {
        "bruck": ("brucks", {}),
        "recursive_doubling": ("recursive_doubling", {}),
        "ring": ("ring", {}),
        "k_bruck": ("k_brucks", {"k": "{k}"}),
    },
    "allgatherv": {
        "bruck": ("brucks", {}),
        "recursive_doubling": ("recursive_doubling", {}),
        "ring": ("ring", {}),
    },
    "alltoall": {
        "bruck": ("brucks", {}),
        "k_bruck": ("k_brucks", {"k": "{k}"}),
        "pairwise": ("pairwise", {}),
        "staggered": ("scattered", {}),
    },
    "alltoallv": {"staggered": ("scattered", {})},
    "alltoallw": {"staggered": ("scattered", {})},
    "reduce": {
        "binomial_in_order": ("binomial", {}),
        "binomial": ("binomial", {}),
        "rabenseifner": ("reduce_scatter_gather", {}),
    },
    "reduce_scatter": {
        "pairwise": ("pairwise", {}),
        "recursive_doubling": ("recursive_doubling", {}),
        "recursive_halving": ("recursive_halving", {}),
    },
    "reduce_scatter_block": {
        "pairwise": ("pairwise", {}),
        "recursive_doubling": ("recursive_doubling", {}),
        "recursive_halving": ("recursive_halving", {}),
    },
    "scan": {"recursive_doubling": ("recursive_doubling", {})},
    "exscan": {"recursive_doubling": ("recursive_doubling", {})},
    "gather": {"binomial": ("binomial", {})},
    "scatter": {"binomial": ("binomial", {})},
}  # fmt: skip
AVERAGE = ("bcast", "reduce", "allreduce", "alltoall")  # their avg_msg_size is our size
TOTAL = ("allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block")  # total_msg_size: of all ranks
WHOLE = ("reduce_scatter",)  # and our size is of all ranks, too
COMMUTATIVE = {("reduce_scatter", "recursive_halving"), ("reduce_scatter", "pairwise"), ("allreduce", "ring"),
               ("reduce_scatter_block", "recursive_halving"), ("reduce_scatter_block", "pairwise"),
               ("allreduce", "recursive_multiplying"), ("reduce", "binomial")}  # fmt: skip
BUILT_IN = {("allreduce", "rabenseifner"), ("reduce", "rabenseifner")}  # else the count must be 2^k and more
POWER_OF_TWO = {("allgather", "recursive_doubling"), ("allgatherv", "recursive_doubling"),
                ("bcast", "scatter_recursive_doubling_allgather")}  # fmt: skip
TWO_LEVELS = ("bcast", "reduce", "allreduce", "barrier")  # have an algorithm `smp`


def generic_tree(library: Path) -> Tree:
    """The MPIR rules that this MPICH was built with.  Raises UserError."""
    try:
        contents = library.read_bytes()
    except OSError as error:
        raise UserError(f"{library} cannot be read: {error.strerror}") from None
    start = -1
    while (start := contents.find(b'{"collective=', start + 1)) >= 0:
        text = contents[start : contents.find(b"\0", start)]
        if b"algorithm=MPIR_" in text:
            try:
                return json.loads(text)
            except ValueError:
                continue
    raise UserError(f"{library} holds no rules of choice: this is no MPICH 4.0 or later; name one with --mpi")


def size_key(collective: str) -> str | None:
    return "avg_msg_size" if collective in AVERAGE else "total_msg_size" if collective in TOTAL else None


def names_in(tree: Any) -> set[str]:
    """Algorithms that a tree names."""
    if not isinstance(tree, dict):
        return set()
    found = {key.removeprefix("algorithm=") for key in tree if key.startswith("algorithm=")}
    return found.union(*(names_in(value) for value in tree.values())) if tree else found


def leaf(collective: str, spec: Mapping[str, Any]) -> Tree:
    """Raises NotHere."""
    found = ALGORITHMS.get(collective, {}).get(spec["name"])
    if found is None:
        raise NotHere(f"MPICH has no {spec['name']} for {collective}")
    name, parameters = found
    values = {
        key: str(option(spec, value[1:-1], collective)) if value.startswith("{") else value
        for key, value in parameters.items()
    }
    inside = {f"{key}={value}": {} for key, value in values.items()}
    return {f"algorithm=MPIR_{collective.capitalize()}_intra_{name}": inside}


def translate(rule: Rule) -> Target:
    """The algorithm of the whole communicator; what runs between nodes is for `between_nodes`."""
    spec, collective = rule.spec, rule.collective
    if spec["name"] == "native":
        return Target(None, "its own choice")
    if size_key(collective) is None and rule.size != ANY:
        raise NotHere(f"the file knows no size of {collective}")
    if spec["name"] == "groups":
        raise NotHere("MPICH has no groups")
    if spec["name"] != "node":
        found = leaf(collective, spec)
        differs = (
            "its number of messages at a time is MPIR_CVAR_ALLTOALL_THROTTLE" if "window" in spec["options"] else ""
        )
        return Target(found, next(iter(found)).removeprefix("algorithm="), differs)
    if rule.between is None:
        raise NotHere("inside a node MPICH has shared memory of its own (MPIR_CVAR_DEVICE_COLLECTIVES)")
    if collective not in TWO_LEVELS:
        raise NotHere(f"MPICH has no two levels for {collective}")
    differs = [] if rule.spec["options"].get("senders", 1) == 1 else ["one rank a node sends"]
    differs += ["vectors pass in one piece"] if "overlap" in rule.spec["options"] else []
    smp = f"MPIR_{collective.capitalize()}_intra_smp"
    text = (
        smp if rule.between["name"] == "native" else f"{smp}, and {leaf_text(collective, rule.between)} between nodes"
    )
    return Target({f"algorithm={smp}": {}}, text, "; ".join(differs))


def leaf_text(collective: str, spec: Mapping[str, Any]) -> str:
    return next(iter(leaf(collective, spec))).removeprefix("algorithm=")


def guarded(collective: str, value: Tree, own: Tree) -> Tree:
    """The algorithm where it may run, else what the library would do."""
    name = next(iter(value)).rpartition("_intra_")[2]
    if name == "smp":
        tree = {"comm_hierarchy=parent": value, "comm_hierarchy=any": own}
        return tree if collective in ("bcast", "barrier") else {"is_commutative=yes": tree, "is_commutative=no": own}
    ours = next(ours for ours, (theirs, _) in ALGORITHMS[collective].items() if theirs == name)
    tree = value
    if (collective, ours) in POWER_OF_TWO:
        tree = {"comm_size=pow2": tree, "comm_size=any": own}
    if (collective, ours) in BUILT_IN:
        tree = {"is_op_built_in=yes": {"count<pow2": own, "count=any": tree}, "is_op_built_in=no": own}
    if (collective, ours) in COMMUTATIVE:
        tree = {"is_commutative=yes": tree, "is_commutative=no": own}
    if collective == "alltoall":
        tree = {"is_sendbuf_inplace=yes": own, "is_sendbuf_inplace=no": tree}
    return tree


def by_size(collective: str, ranks: int, pieces: Sequence[Piece], own: Tree) -> Tree:
    key = size_key(collective)
    by = ranks if collective in TOTAL and collective not in WHOLE else 1
    tree: Tree = {}
    for piece in pieces:
        part = guarded(collective, piece.value, own) if piece.value else own
        last = piece.high is None or key is None or (piece.high + 1) * by - 1 > LARGEST
        if key is None:
            return part
        tree[f"{key}=any" if last else f"{key}<={(piece.high + 1) * by - 1}"] = part
        if last:
            break
    return next(iter(tree.values())) if len(tree) == 1 else tree


def by_ranks(collective: str, found: Sequence[Band], own: Tree) -> Tree:
    tree: Tree = {}
    if found[0].low > 1:
        tree[f"comm_size<={found[0].low - 1}"] = own
    for band in found:
        scaled = collective in TOTAL and collective not in WHOLE and len(band.pieces) > 1
        for low, high in steps(band) if scaled else [(band.low, band.high)]:
            key = "comm_size=any" if high is None else f"comm_size<={high}"
            tree[key] = by_size(collective, low, band.pieces, own)
    return tree


def between_nodes(rules: Sequence[Rule], own: Tree) -> Tree | None:
    """For communicators of one rank a node, which `smp` makes: what the rules of hierarchies say runs there."""
    found = []
    for rule in rules:
        if rule.between is not None and rule.between["name"] != "native" and rule.collective in TWO_LEVELS:
            low, high = rule.nodes
            found.append((replace(rule, ranks=(max(low, 2), high)), leaf(rule.collective, rule.between)))
    return by_ranks(rules[0].collective, bands(found), own) if found else None


def export(rules: Sequence[Rule], library: Path, report: Report) -> str:
    tree = generic_tree(library)
    offered = names_in(tree)
    for name, of in by_collective(rules).items():
        values = translated(of, translate, report)
        found, served = bands(values), [rule for rule, value in values if value]
        intra = tree.get(f"collective={name}", {}).get("comm_type=intra")
        if intra is None or not any(piece.value for band in found for piece in band.pieces):
            continue
        ours = by_ranks(name, found, intra)
        if roots := between_nodes(served, intra):
            ours = {"comm_hierarchy=node_roots": roots, "comm_hierarchy=any": ours}
        tree[f"collective={name}"]["comm_type=intra"] = ours
    new = sorted(names_in(tree) - offered)
    if new:
        report.notes.append(
            f"not named in this library's own rules, so try the file before it is relied on: {', '.join(new)}"
        )
    report.notes.append(
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE MPIR_CVAR_DEVICE_COLLECTIVES=none (without the second, "
        "compositions of the device come first); MPIR_CVAR_DEBUG_SUMMARY=1 says whether it was read"
    )
    return json.dumps(tree, indent=1) + "\n"
