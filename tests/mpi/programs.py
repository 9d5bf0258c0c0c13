"""Small programs under preload: a user's own messages move and are found; communicators come, go and stay.

What measures is alone.  Programs beside waiting ranks, and the cost of communicators, are on one MPI a turn.
"""

from __future__ import annotations

import re
import time

from harness import Mpi, Suite, turns

# Where a 16 MiB message needs its sender's help: no single copy, or TCP.
TRANSPORTS = {
    "openmpi": {
        "tcp": {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self"},
        "sm without single copy": {
            "OMPI_MCA_pml": "ob1",
            "OMPI_MCA_btl": "sm,self",
            "OMPI_MCA_btl_sm_use_cma": "0",
            "OMPI_MCA_smsc": "^cma,xpmem,knem",
        },
    },
    "impi": {"ofi/tcp": {"I_MPI_FABRICS": "ofi", "FI_PROVIDER": "tcp"}},
    "mpich": {"shared memory": {}},
}


def progress(suite: Suite, mpi: Mpi) -> None:
    for transport, environment in TRANSPORTS[mpi.name].items():
        for ranks in (2, 3):
            outcome = suite.start(
                mpi, ranks, [suite.binaries / f"tests/progress_{mpi.backend}"], seconds=60, environment=environment
            )
            suite.check(f"progress {mpi.name} {transport} {ranks} ranks", outcome, "progress: done")


def looks(suite: Suite, mpi: Mpi) -> None:
    """Intel MPI announces long messages in parts, while their sender calls it; natively it finds none at first."""
    for ranks in (2, 3):
        for size in (8,) if mpi.name == "impi" else (8, 60000):
            outcome = suite.start(mpi, ranks, [suite.binaries / f"tests/looks_{mpi.backend}", size], seconds=60)
            suite.check(f"looks {mpi.name} {size} B {ranks} ranks", outcome, "looks: 0 of")


def served_cost(suite: Suite, mpi: Mpi) -> None:
    """A machine that others use can only be slower, for seconds at a time: the first of five launches below the bar."""
    settings = {"TUTTI_EXPLAIN": "1"}
    for _ in range(5):
        program = [suite.binaries / f"tests/served_{mpi.backend}"]
        outcome = suite.start(mpi, 2, program, settings=settings, seconds=60)
        if "below 60 ns" in outcome.output:
            break
        time.sleep(2)
    found = re.search(r"served: ([\d.]+ ns a call)", outcome.output)
    suite.check(
        f"a served call, {found.group(1) if found else ''} {mpi.name}", outcome, "below 60 ns", "500000 by the node"
    )


def repeated(suite: Suite, mpi: Mpi) -> None:
    """What was remembered of one call must not be taken for the next where an argument differs."""
    for ranks in (2, 3, 5):
        outcome = suite.start(mpi, ranks, [suite.binaries / f"tests/repeated_{mpi.backend}", 4000], seconds=120)
        suite.check(f"repeated calls {mpi.name} {ranks} ranks", outcome, "repeated: 0 wrong of 4000")


def loss(suite: Suite, mpi: Mpi, preload: bool) -> tuple[float, float] | None:
    """Per cent that programs lose beside 8 waiting ranks, and by which they vary without these."""
    program = [suite.binaries / f"tests/neighbours_{mpi.backend}"]
    outcome = suite.start(mpi, 10, program, preload=preload, seconds=120)
    found = re.search(r"neighbours: lose (-?[\d.]+) %, vary by ([\d.]+) %", outcome.output)
    if not found:
        suite.check(f"neighbours {mpi.name}", outcome, "neighbours: lose")
        return None
    return float(found.group(1)), float(found.group(2))


def neighbours(suite: Suite, mpi: Mpi) -> None:
    """They lose less than 5 %, where nothing else takes their CPUs."""
    name = f"programs beside 8 waiting ranks, {mpi.name}"
    for _ in range(3):
        found = loss(suite, mpi, preload=True)
        if found is None:
            return
        lost, vary = found
        if lost < 5:
            native = loss(suite, mpi, preload=False)
            suite.ok(name, f"lose {lost} %, {native[0] if native else '?'} % without tutti")
            return
    if vary > 3:
        suite.skip(name, f"other programs take part of the CPUs: the speed varies by {vary} %")
    else:
        suite.fail(name, f"they lose {lost} %, more than 5")


def communicators(suite: Suite, mpi: Mpi) -> None:
    program = suite.binaries / f"tests/communicators_{mpi.backend}"
    for words in (["churn", "3000", "6"], ["keep", "1000"]):
        name = f"communicators {mpi.name} {' '.join(words)}"
        outcome = suite.start(mpi, 2, [program, *words], seconds=120)
        if outcome.status and suite.start(mpi, 2, [program, *words], preload=False, seconds=120).status:
            suite.skip(name, f"does not run on {mpi.name} without tutti either")
            continue
        suite.check(name, outcome, "communicators: right")


def churn_cost(suite: Suite, mpi: Mpi) -> None:
    """Split, three collectives, free: tutti beside native, turn by turn, best of several."""
    program = [suite.binaries / f"tests/communicators_{mpi.backend}", "churn", "4000", "3"]
    best = {True: float("inf"), False: float("inf")}
    for _ in range(suite.options.repeats):
        for preload in (True, False):
            outcome = suite.start(mpi, 2, program, preload=preload, seconds=120)
            found = re.search(r"churn: ([\d.]+) us", outcome.output)
            if not found:
                suite.check(f"churn cost {mpi.name}", outcome, "churn:")
                return
            best[preload] = min(best[preload], float(found.group(1)))
    suite.ok(
        f"churn cost {mpi.name}",
        f"tutti {best[True]:.2f} us, native {best[False]:.2f} us, ratio {best[True] / best[False]:.3f}",
    )


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--repeats", type=int, default=2))
    for mpi in suite.mpis():
        progress(suite, mpi)
        looks(suite, mpi)
        repeated(suite, mpi)
        communicators(suite, mpi)
        with suite.alone():
            served_cost(suite, mpi)
            if turns.due(turns.place_of(mpi.name), 3):
                neighbours(suite, mpi)
                churn_cost(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
