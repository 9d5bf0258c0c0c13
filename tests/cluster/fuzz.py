"""The differential fuzzer of tests/mpi/fuzz.py over emulated nodes, with ranks placed in several ways.  Needs root.

    .venv/bin/python tests/cluster/fuzz.py --cases 2000 --set TUTTI_ALLREDUCE=ring --set TUTTI_BCAST='groups(2, chain)'
    .venv/bin/python tests/cluster/fuzz.py --cases 20000 --placements cyclic,uneven:4,1,7,4 -N 4 -n 16

Without --set, each algorithm of the catalogue that passes messages is forced in a round of its own.  What is judged is
what tests/mpi/fuzz.py judges: no difference, nine of ten eligible calls served, enough cases for each algorithm.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/mpi")]

from cluster import CANNOT, Cluster, ClusterError  # noqa: E402
from cluster.placement import place  # noqa: E402
from fuzz_rounds import Round, catalogue, rounds  # noqa: E402
from harness import Mpi, Outcome, Suite  # noqa: E402

import fuzz  # noqa: E402

# What of a library is wrong on its own, so that it is no reference: Open MPI 5.0.11's hierarchical gather and scatter
# of a communicator whose nodes' ranks are mixed (blocks change places), and Intel MPI 2021.18's choice for a bcast over
# nodes of 1, 5 and 2 ranks (tests/mpi/robust.c finds it without tutti).
SOUND = {"openmpi": {"OMPI_MCA_coll": "^han"}, "impi": {"I_MPI_ADJUST_BCAST": "1"}}


class ClusterSuite(Suite):
    """Starts programs over the nodes of `cluster`, as `placement` says, where Suite starts them on one."""

    cluster: Cluster
    placement: str

    def start(
        self,
        mpi: Mpi,
        ranks: int,
        program: list,
        preload: bool = True,
        seconds: float = 120,
        settings: dict[str, str] | None = None,
        environment: dict[str, str] | None = None,
        within: list[str] | None = None,
    ) -> Outcome:
        if environment or within:
            raise ValueError("a program on a cluster takes its variables as settings")
        if self.options.verbose:
            print(f"$ {mpi.name} {ranks} ranks {self.placement} {settings}:", *program, flush=True)
        result = self.cluster.run(
            mpi.name,
            None if self.placement.startswith("uneven") else ranks,
            placement=self.placement,
            program=program,
            preload=self.library if preload else None,
            settings=SOUND.get(mpi.name, {}) | (settings or {}),
            seconds=seconds,
            build=self.options.build,
        )
        return Outcome(result.status, result.output, result.seconds)


def ways(text: str) -> list[str]:
    """`block,uneven:4,1,cyclic`: a comma before a number is part of an uneven placement."""
    return re.split(r",(?=[a-z])", text)


def forced(words: list[str]) -> dict[str, str]:
    if wrong := [word for word in words if not re.fullmatch(r"TUTTI_\w+=.+", word)]:
        raise ClusterError(f"--set {wrong[0]}: write TUTTI_<COLLECTIVE>=SPEC")
    return dict(word.split("=", 1) for word in words)


def chosen(settings: dict[str, str], entries: dict[str, list[list[str]]]) -> dict[str, list[list[str]]]:
    """The collectives that settings force, each with the one algorithm's name, as the fuzzer's report counts it."""
    specs = {name.removeprefix("TUTTI_").lower(): spec for name, spec in settings.items()}
    return {name: [[specs[name].partition("(")[0]]] for name in entries if name in specs}


def by_messages(entries: dict[str, list[list[str]]], turn: int) -> list[Round]:
    """The rounds that mean something on several nodes: not the shipped choice, native there, nor the node engine."""
    plans = rounds(entries, turn)
    return [p for p in plans if p.settings and not any(spec.startswith("node") for spec in p.settings.values())]


def over(suite: ClusterSuite, mpi: Mpi, ranks: int, entries: dict[str, list[list[str]]]) -> None:
    """One MPI, all placements, one judgement."""
    options, tally = suite.options, fuzz.Tally()
    settings, placements = forced(options.settings), ways(options.placements)
    judged = chosen(settings, entries) if settings else entries
    for turn, way in enumerate(placements):
        suite.placement = way
        plans = [Round(settings, list(judged))] if settings else by_messages(entries, turn)
        for number, plan in enumerate(plans):
            cases = max(20, options.cases // (len(placements) * len(plans)))
            launch = fuzz.Launch(ranks, cases, plan, options.seed + 1000 * turn + number)
            tally.add(fuzz.fuzz(suite, mpi, launch))
    fuzz.judge(suite, f"fuzz {mpi.name} over {options.nodes} nodes, {options.placements}", tally, judged)


def main() -> None:
    def extra(parser):
        parser.set_defaults(ranks=[6])
        parser.add_argument("-N", "--nodes", type=int, default=4)
        parser.add_argument("--rate", default="1gbit")
        parser.add_argument("--buffers", default="deep")
        parser.add_argument("--placements", default="block,cyclic,random:3,uneven:3,0,1,2", metavar="P,P,...")
        parser.add_argument("--set", action="append", default=[], dest="settings", metavar="TUTTI_X=SPEC")
        parser.add_argument("--cases", type=int, default=800, help="on each MPI, over all placements")
        parser.add_argument("--each", type=int, default=5, help="cases that every algorithm must have had")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--null", action="store_true", help="without tutti: the MPI library against itself")

    suite = ClusterSuite(__doc__, extra)
    options, entries = suite.options, catalogue(suite)
    try:
        if unknown := forced(options.settings).keys() - {f"TUTTI_{name.upper()}" for name in entries}:
            raise ClusterError(f"--set {min(unknown)}: no collective of the catalogue")
        for way in ways(options.placements):  # a bad one is told before anything runs
            place(way, options.nodes, None if way.startswith("uneven") else options.ranks[0])
        with Cluster(options.nodes, options.rate, options.buffers) as suite.cluster:
            for mpi in suite.mpis():
                over(suite, mpi, options.ranks[0], entries)
    except ClusterError as error:
        if error.status != CANNOT:
            sys.exit(f"tests/cluster/fuzz.py: {error}")
        suite.skip("fuzz over nodes", str(error))
    suite.end()


if __name__ == "__main__":
    main()
