"""Every algorithm of the catalogue, carried out by the executor, against the MPI library on the same data.

One and two ranks, and others by turns: each number on one of the MPIs, on another the turn after.
"""

from __future__ import annotations

from harness import Suite, turns


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
    suite.end()


if __name__ == "__main__":
    main()
