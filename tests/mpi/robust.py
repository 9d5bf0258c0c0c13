"""The node engine where something is taken away: a rank (kill -9), shared memory, memory, the sight of other processes.

.venv/bin/python tests/mpi/robust.py           each collective killed on all MPIs, at one length; by turns on one MPI
.venv/bin/python tests/mpi/robust.py --full    at three lengths, with 2, 3 and 6 ranks
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from confine import MemoryGroup, Watch, process_namespaces, small_shm
from harness import Mpi, Outcome, Suite, tail, turns

# With the options of those whose long blocks are copied once, from another process's memory.
COPIED_ONCE = (
    *("bcast", "gather", "gatherv", "scatter", "scatterv"),
    *("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"),
    *("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block"),
)
OTHERS = ("barrier", "scan", "exscan")
LENGTHS = (2, 3000, 100_000)  # short, medium, long; elements of 4 bytes
MEBIBYTE = 1 << 20


def on_node(name: str, single_copy: bool = True) -> dict[str, str]:
    option = "(single_copy=1K)" if single_copy and name in COPIED_ONCE else ""
    return {f"TUTTI_{name.upper()}": f"node{option}"}


def all_on_node() -> dict[str, str]:
    return {variable: spec for name in (*COPIED_ONCE, *OTHERS) for variable, spec in on_node(name).items()}


def program(suite: Suite, mpi: Mpi) -> Path:
    return suite.binaries / f"tests/robust_{mpi.backend}"


def kill(suite: Suite, mpi: Mpi, name: str, count: int, ranks: int, folder: str) -> str:
    """One rank ends by SIGKILL inside the collective.  Empty, or what was left or went wrong."""
    watch = Watch(folder)
    outcome = suite.start(
        mpi,
        ranks,
        [program(suite, mpi), "die", name, count],
        seconds=40,
        settings=on_node(name) | {"TUTTI_EXPLAIN": "1"},
        environment=watch.environment,
    )
    left = watch.left()
    suite.libraries_left |= {Path(path).name.split("_")[0] for path in left.libraries}
    if "robust: warm" not in outcome.output or ": node" not in outcome.output:
        return f"it did not get warm on the node engine (status {outcome.status}):\n{tail(outcome.output)}"
    if outcome.status in (0, 124):
        return f"the launcher did not end the job (status {outcome.status}):\n{tail(outcome.output)}"
    return "; ".join(f"it left {thing}" for thing in (*left.ours, *left.processes))


def kills(suite: Suite, mpi: Mpi) -> None:
    """Every collective at one length (--full: at all); by turns a third of them on each MPI.  What is left behind is
    looked for in the whole machine: hence alone."""
    full = suite.options.full
    for number, name in enumerate((*COPIED_ONCE, *OTHERS)):
        if not full and not turns.due(number + turns.place_of(mpi.name), 3):
            continue
        for count in LENGTHS if full else (LENGTHS[number // 3 % len(LENGTHS)],):
            for ranks in (2, 3, 6) if full else (3,):
                with (
                    suite.alone(),
                    tempfile.TemporaryDirectory(prefix="tutti-robust-", ignore_cleanup_errors=True) as folder,
                ):
                    why = kill(suite, mpi, name, count, ranks, folder)
                what = f"kill -9 {mpi.name} {name} {4 * count} B {ranks} ranks"
                suite.fail(what, why) if why else suite.ok(what)


def checked(suite: Suite, mpi: Mpi, what: str, program: list, preload: bool = True, ranks: int = 3, **more) -> Outcome:
    """A run with correct results; what was served is told."""
    with tempfile.TemporaryDirectory(prefix="tutti-robust-") as folder:
        settings = all_on_node() | {"TUTTI_REPORT": f"{folder}/report"} | more.pop("settings", {})
        outcome = suite.start(mpi, ranks, program, preload=preload, settings=settings, seconds=100, **more)
        report = Path(folder) / "report"
        served = json.loads(report.read_text()) if report.exists() else None
    if not preload:
        return outcome
    if outcome.status == 0 and "robust: right" in outcome.output and served:
        share = f"{served['node']} of {served['calls']} calls by the node engine, {served['flat']} by messages"
        suite.ok(f"{what} {mpi.name}", f"{share}{'; ' if served['reason'] else ''}{served['reason']}")
    else:
        suite.fail(f"{what} {mpi.name}", f"status {outcome.status}; its output ends:\n{tail(outcome.output)}")
    return outcome


def beside_native(suite: Suite, mpi: Mpi, what: str, words: list, **more) -> None:
    """As the MPI is, or by another transport; what it cannot do itself is skipped."""
    for environment in ({}, TRANSPORTS[mpi.name]):
        native = checked(suite, mpi, what, words, preload=False, environment=environment, **more)
        if native.status == 0:
            checked(suite, mpi, what, words, environment=environment, **more)
            return
    suite.skip(f"{what} {mpi.name}", f"it does not run without tutti either (status {native.status})")


def cap(suite: Suite, mpi: Mpi) -> None:
    words = [program(suite, mpi), "check", 4]
    for most in ("1M", "2M"):
        checked(suite, mpi, f"a cap of {most}", words, settings={"TUTTI_NODE_MEMORY": most})


# How each MPI can do it at all, where its own shared memory or its own reading of other processes fails.
TRANSPORTS = {
    "openmpi": {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self"},
    "mpich": {"MPIR_CVAR_CH4_CMA_ENABLE": "0"},
    "impi": {"I_MPI_FABRICS": "ofi", "FI_PROVIDER": "tcp"},
}


def shared_memory_denied(suite: Suite, mpi: Mpi) -> None:
    """/dev/shm without a free byte; ranks that do not see one another's processes; both."""
    within = small_shm("256m")
    words = [program(suite, mpi), "check", 4, "/dev/shm/filled"]
    if within is None:
        suite.skip(f"a full /dev/shm {mpi.name}", "no mount namespace is allowed here")
    else:
        beside_native(suite, mpi, "a full /dev/shm", words, within=within)
    ways: dict[str, list[str]] = {"PID namespaces": []}
    if suite.options.full:
        ways["PID namespaces with their own /proc"] = ["--mount-proc"]
    for name, more in ways.items():
        apart = process_namespaces(more)
        if apart is None:
            suite.skip(f"ranks in separate {name} {mpi.name}", "no PID namespace is allowed here")
            continue
        beside_native(suite, mpi, f"ranks in separate {name}", [*apart, *words[:-1]])
        if within and suite.options.full:
            beside_native(suite, mpi, f"ranks in separate {name}, a full /dev/shm", [*apart, *words], within=within)


def memory_group(suite: Suite, mpi: Mpi) -> None:
    """16 MiB above what native needs, communicators that all want an engine included."""
    what = "a memory control group with 16 MiB above native's need"
    words = [program(suite, mpi), "check", 12]
    with MemoryGroup() as group:
        if group is None:
            return suite.skip(f"{what} {mpi.name}", "no memory control group can be made here")
        if checked(suite, mpi, what, words, preload=False, within=group.entered()).status != 0:
            return suite.skip(f"{what} {mpi.name}", "it does not run without tutti either")
        need = group.peak()
    with MemoryGroup() as group:
        group.limit(need + 16 * MEBIBYTE)
        checked(suite, mpi, f"{what} ({need // MEBIBYTE} MiB)", words, within=group.entered())
    return None


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--full", action="store_true"))
    for mpi in suite.mpis():
        suite.libraries_left = set()
        kills(suite, mpi)
        if suite.libraries_left:
            suite.say(f"{mpi.name} itself left, and it was removed: {', '.join(sorted(suite.libraries_left))}")
        for part in (cap, shared_memory_denied, memory_group):
            part(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
