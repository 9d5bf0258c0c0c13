"""What `make demo` runs: measures this machine, prints native beside tutti, writes report.html."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from tutti.bench import command_line as bench
from tutti.bench.launch import timestamp
from tutti.bench.plan import USUAL, Plan
from tutti.errors import UserError
from tutti.output import Output
from tutti.report import command_line as report
from tutti.results import caches
from tutti.site import launch, mpi

SIZES = (8, 1 << 10, 8 << 10, 64 << 10)
LAUNCHES = 3
BUDGET = 60.0  # seconds for all launches together; a slow library's cases overdraw theirs


def rank_counts(cpus: int) -> list[int]:
    """Two ranks; one for each CPU; and more ranks than CPUs, as a small machine's user tries a large job."""
    crowded = max(8, 2 * cpus) if cpus <= 16 else cpus + 8
    return sorted({2, cpus, crowded} - {0, 1})


def plan_for(cpus: int) -> Plan:
    plan = Plan(USUAL, SIZES, rank_counts(cpus), LAUNCHES, caches=caches.USUAL)
    # What a case takes besides its time limit (warm-up, agreeing, starting the ranks) is about as long again.
    return replace(plan, seconds=min(0.2, BUDGET / plan.total / 2), budget=BUDGET)


def main() -> int:
    """Exit status 0 when everything was measured and right."""
    out = Output()
    try:
        chosen = mpi.find()
        out.line(f"MPI: {chosen.title}, {chosen.origin} ({chosen.mpiexec})")
        folder = Path("runs") / f"{timestamp()}-demo-{chosen.name}"
        measured = bench.measure(bench.Bench(plan_for(launch.cpus()), chosen, out, folder))
        status = bench.conclude(measured)
        if not measured.results:
            return status or 1
        report.write([folder], Path("report.html"))
        out.line(f"report: {Path('report.html').absolute()}")
        return status
    except UserError as error:
        error.show()
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
