"""Every algorithm of the catalogue, carried out by the executor, against the MPI library on the same data; and what a
plan knows is not looked up again.

One and two ranks, and others by turns: each number on one of the MPIs, on another the turn after.
"""

from __future__ import annotations

from harness import Mpi, Suite, turns

# A spec for each collective that plan_lookups.cpp makes, by who serves it.
MESSAGES = {
    **dict.fromkeys(("BARRIER",), "dissemination"),
    **dict.fromkeys(("BCAST", "GATHER", "SCATTER", "REDUCE"), "binomial"),
    **dict.fromkeys(("ALLGATHER", "ALLGATHERV", "ALLREDUCE"), "ring"),
    **dict.fromkeys(("ALLTOALL", "ALLTOALLV", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK"), "pairwise"),
    "SCAN": "recursive_doubling",
}
SERVED_BY = {
    "the node engine": dict.fromkeys(MESSAGES, "node"),
    "messages": MESSAGES,
    "nodes and the MPI between them": dict.fromkeys(MESSAGES, "node(native)"),
    "nodes and messages between them": {name: f"node({spec})" for name, spec in MESSAGES.items()},
}


def looks_nothing_up_again(suite: Suite, mpi: Mpi) -> None:
    for who, specs in SERVED_BY.items():
        settings = {f"TUTTI_{name}": spec for name, spec in specs.items()}
        if who.startswith("nodes"):
            settings["TUTTI_PRETEND_NODES"] = "block:2"
        program = [suite.binaries / f"tests/plan_lookups_{mpi.backend}"]
        outcome = suite.start(mpi, 4, program, preload=False, settings=settings)
        suite.check(f"plans of {who} look nothing up again, {mpi.name}", outcome, "0 collectives look something up")


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--seed", type=int, default=1))
    for mpi in suite.mpis():
        few, more = ([n for n in suite.options.ranks if (n <= 2) == small] for small in (True, False))
        for ranks in (*few, *turns.share(more, 3, turns.place_of(mpi.name))):
            # All cases where ranks have a processor each.  MPICH does not yield while it waits: with more ranks than
            # processors a reference takes milliseconds.
            every = 1 if ranks <= 2 else 8 * ranks if mpi.name == "mpich" else 8
            program = [suite.binaries / f"tests/executor_{mpi.backend}", suite.options.seed, every]
            outcome = suite.start(mpi, ranks, program, preload=False, seconds=180)
            suite.check(f"executor {mpi.name} {ranks} ranks", outcome, " 0 differences")
        if mpi.name == "mpich":  # the same code whatever the MPI
            looks_nothing_up_again(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
