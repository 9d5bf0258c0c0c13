"""The rounds of the differential fuzzer: which algorithms each of its launches forces (tests/mpi/fuzz.py)."""

from __future__ import annotations

import collections
import subprocess
from typing import NamedTuple

from harness import Suite

MOVES = ("bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv")
ALL_TO_ALL = ("alltoall", "alltoallv", "alltoallw")
MOVES += ALL_TO_ALL
COPIED = (*MOVES, "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")  # once, where asked for
CONTESTED = ("allgather", "allgatherv", "alltoall")  # with the library's own, where asked for
FOLLOW = ("barrier", "bcast", "reduce", "allreduce", "allgather")  # the node's domains, where it has some
GROUPS, GROUPED = "groups", 3  # compositions: so many of each collective with each number of ranks

OF_THE_ENGINE = ("TUTTI_NODE_DOMAINS", "TUTTI_LEARN")  # settings that name no algorithm
SINGLY = "variant=elements"  # made for elements of megabytes: of short ones a long row takes half a minute
LEARN = ("none", "stores,landings", "copies", "joint,brief", "spread")

PLACEMENTS = ("block:2", "cyclic:2", "sizes:2,3", "random:3:1")


class Round(NamedTuple):
    settings: dict[str, str]
    among: list[str]  # the collectives that cases are drawn from; empty: all
    limit: int = 4 << 20  # bytes of one rank's buffers


def forcing(specs: dict[str, str], more: dict[str, str] | None = None, **others) -> Round:
    """Each collective by its spec; cases are drawn from these."""
    return Round({f"TUTTI_{c.upper()}": spec for c, spec in specs.items()} | (more or {}), list(specs), **others)


def catalogue(suite: Suite, *words: str) -> dict[str, list[list[str]]]:
    """For each collective its algorithms, each with one or two specs, and groups with many, from the program that the
    build makes for it.  With "variants": those of the node engine."""
    program = [suite.binaries / "bin" / "tutti_catalogue", *words]
    lines = subprocess.run(program, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in lines.stdout.splitlines():
        collective, algorithm, spec = line.split()
        found[collective][algorithm].append(spec)
    return {collective: list(algorithms.values()) for collective, algorithms in found.items()}


def name_of(specs: list[str]) -> str:
    """What the specs of one algorithm, or of all groups, begin with."""
    return specs[0].partition("(")[0]


def by_variants(variants: dict[str, list[list[str]]], turn: int) -> list[Round]:
    """A variant of each collective, another one each turn, on a node of one domain and of several."""
    made = []
    for number, domains in enumerate(({}, {"TUTTI_NODE_DOMAINS": str(2 + turn % 2)})):
        specs = {c: names[(2 * turn + number) % len(names)][0] for c, names in variants.items()}
        singly = {c: spec for c, spec in specs.items() if SINGLY in spec}
        rest = {c: spec for c, spec in specs.items() if c not in singly}
        made += [forcing(rest, domains), *([forcing(singly, domains, limit=4096)] if singly else [])]
    return made


def rounds(entries: dict[str, list[list[str]]], turn: int) -> list[Round]:
    """The shipped choice; the k-th algorithm of each collective that has so many; groups; the node engine, also along
    domains and by one copy; what it learns left out."""
    made = [Round({}, [])]
    plain = {c: [s for s in algorithms if name_of(s) != GROUPS] for c, algorithms in entries.items()}
    for k in range(max(map(len, plain.values()))):
        specs = {c: algorithms[k] for c, algorithms in plain.items() if k < len(algorithms)}
        made.append(forcing({c: s[(turn + k) % len(s)] for c, s in specs.items()}))
    groups = {c: specs for c, algorithms in entries.items() for specs in algorithms if name_of(specs) == GROUPS}
    for k in range(GROUPED):
        made.append(forcing({c: specs[(GROUPED * turn + k) % len(specs)] for c, specs in groups.items()}))
    made.append(forcing(dict.fromkeys(entries, "node")))
    made.append(forcing(dict.fromkeys(FOLLOW, "node"), {"TUTTI_NODE_DOMAINS": str(2 + turn % 2)}))
    made.append(forcing(dict.fromkeys(COPIED, "node(single_copy=1K)")))
    made.append(Round({"TUTTI_LEARN": LEARN[turn % len(LEARN)]}, list(COPIED)))
    made.append(forcing(dict.fromkeys(CONTESTED, "node(native=clock)")))
    return made + hierarchies(entries, turn)


def hierarchies(entries: dict[str, list[list[str]]], turn: int) -> list[Round]:
    """Nodes that are only pretended: the MPI library's own collectives between them, then algorithms of ours, one
    sender a node and two.  Calls that such a spec cannot serve get the shipped choice."""
    made = []
    for number, placement in enumerate((PLACEMENTS[turn % 4], PLACEMENTS[(turn + 1) % 4], PLACEMENTS[(turn + 2) % 4])):
        specs = {c: algorithms[(2 * turn + number) % len(algorithms)] for c, algorithms in entries.items()}
        inter = {c: "native" if number == 0 else s[turn % len(s)] for c, s in specs.items()}
        senders = 1 + (turn + number) % 2
        forced = {f"TUTTI_{c.upper()}": f"node({spec}, senders={senders})" for c, spec in inter.items()}
        if number == 2:  # long blocks of some alltoalls, and every block of the others
            forced |= {f"TUTTI_{c.upper()}": "node(pairwise, direct=64)" for c in ALL_TO_ALL if c in entries}
        made.append(Round({"TUTTI_PRETEND_NODES": placement} | forced, list(entries)))
    return made
