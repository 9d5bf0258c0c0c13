"""Results in memory that ranks share: right data, who may write where, how long they live, errors, memory.

.venv/bin/python tests/mpi/shared.py             every placement and number of ranks on every MPI; a table of 32 MiB
.venv/bin/python tests/mpi/shared.py --mib 256   the figures of docs/shared-results.md

By turns a third of the placements, of the lives and of the larger numbers of ranks on each MPI, and the table on one.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from confine import Watch, inside, process_namespaces, small_shm, works
from harness import Mpi, Outcome, Suite, tail, turns
from robust import TRANSPORTS

# Words before the program: ranks by turns on hosts of different names, which tutti takes for nodes.
HOST = 'hostname node$(( ${{PMI_RANK:-$OMPI_COMM_WORLD_RANK}} {0} )) && exec "$0" "$@"'
# How many ranks, and which of them are together.
EMULATED = {
    "two nodes by turns": (4, HOST.format("% 2")),
    "nodes of two ranks": (3, HOST.format("/ 2")),
    "one rank and the others": (3, HOST.format("> 0")),
}
DATA = "shared data: right"


def program(suite: Suite, mpi: Mpi, part: str) -> Path:
    return suite.binaries / f"tests/shared_{part}_{mpi.backend}"


def own_hosts() -> list[str] | None:
    """Words before a shell command that may then rename its host."""
    ways = (["unshare", "--uts"], ["unshare", "--user", "--map-root-user", "--uts"])
    return next((words for words in ways if works([*words, *inside("hostname tutti-test")])), None)


def right_data(suite: Suite, mpi: Mpi) -> None:
    few, more = ([n for n in suite.options.ranks if (n <= 2) == small] for small in (True, False))
    for ranks in (*few, *turns.share(more, 3, turns.place_of(mpi.name))):
        words = ["short"] if ranks > 3 else []
        outcome = suite.start(mpi, ranks, [program(suite, mpi, "data"), *words], seconds=300)
        suite.check(f"data {mpi.name} {ranks} ranks", outcome, DATA)


def without_engine(suite: Suite, mpi: Mpi) -> None:
    """Where the MPI's collectives move the data and nothing is shared."""
    for settings in ({"TUTTI": "off"}, {"TUTTI_NODE_MEMORY": "1K"}):
        name = " ".join(f"{key}={value}" for key, value in settings.items())
        outcome = suite.start(mpi, 2, [program(suite, mpi, "data"), "short"], settings=settings, seconds=300)
        suite.check(f"data {mpi.name} 2 ranks {name}", outcome, DATA)


def several_nodes(suite: Suite, mpi: Mpi) -> None:
    words = own_hosts()
    if words is None:
        suite.skip(f"several nodes {mpi.name}", "hosts cannot be renamed here (unshare --uts)")
        return
    for name in turns.share([*EMULATED], 3, turns.place_of(mpi.name)):
        ranks, setup = EMULATED[name]
        command = [*words, "sh", "-c", setup, program(suite, mpi, "data"), "short"]
        outcome = suite.start(mpi, ranks, command, seconds=300)
        suite.check(f"data {mpi.name} {ranks} ranks, {name}", outcome, DATA)
    command = [*words, "sh", "-c", EMULATED["two nodes by turns"][1], program(suite, mpi, "lives"), "kind"]
    outcome = suite.start(mpi, 4, command, seconds=60)
    both = (
        outcome.output.count("shared kind: shared: \n") == 4 == outcome.output.count("shared kind: copy on write: \n")
    )
    judge(suite, f"two nodes share {mpi.name}", both, outcome)


def linked(suite: Suite, mpi: Mpi) -> None:
    """Not preloaded: the program's own calls go to the MPI, and tutti's find the same one."""
    words = ["env", f"LD_LIBRARY_PATH={mpi.libraries}:{suite.library.parent}"]
    for part, needs in (("data", DATA), ("lives", "shared lives: right")):
        more = ["lives"] if part == "lives" else ["short"]
        for settings in ({}, {"TUTTI": "off"}):
            command = [*words, program(suite, mpi, part), *more]
            outcome = suite.start(mpi, 2, command, preload=False, settings=settings, seconds=120)
            suite.check(f"linked {part} {mpi.name} {' '.join(settings.values())}".strip(), outcome, needs)


def judge(suite: Suite, name: str, good: bool, outcome: Outcome) -> None:
    if good:
        suite.ok(name)
    else:
        suite.fail(name, f"status {outcome.status}; it printed:\n{tail(outcome.output)}")


def lives(suite: Suite, mpi: Mpi) -> None:
    for number, words in enumerate((["access"], ["forked"], ["lives"], ["churn", "100"])):
        for ranks in turns.share((1, 2, 4), 3, number + turns.place_of(mpi.name)):
            outcome = suite.start(mpi, ranks, [program(suite, mpi, "lives"), *words], seconds=120)
            suite.check(f"{' '.join(words)} {mpi.name} {ranks} ranks", outcome, f"shared {words[0]}: right")


def nothing_left(suite: Suite, mpi: Mpi) -> None:
    with suite.alone(), tempfile.TemporaryDirectory(prefix="tutti-shared-") as folder:
        watch = Watch(folder)
        outcome = suite.start(
            mpi, 3, [program(suite, mpi, "lives"), "access"], seconds=60, environment=watch.environment
        )
        judge(suite, f"nothing is left {mpi.name}", outcome.status == 0 and not watch.left().ours, outcome)


def errors(suite: Suite, mpi: Mpi) -> None:
    """Beside PMPI's answers where the library checks its arguments (MPICH's wheel does not)."""
    checks = 0 if mpi.name == "mpich" else 1
    for ranks in (1, 3):
        outcome = suite.start(mpi, ranks, [program(suite, mpi, "lives"), "errors", checks], seconds=60)
        suite.check(f"errors {mpi.name} {ranks} ranks", outcome, "shared errors: right")


def private(
    suite: Suite, mpi: Mpi, name: str, why: str, ranks: int, settings: dict[str, str], before=(), **more
) -> None:
    """The result is right, private, and says why."""
    command = [*before, program(suite, mpi, "lives"), "kind"]
    outcome = suite.start(mpi, ranks, command, seconds=60, settings=settings, **more)
    told = len(re.findall(rf"^shared kind: private: .*{re.escape(why)}", outcome.output, re.MULTILINE))
    judge(suite, f"{name} {mpi.name}", outcome.status == 0 and told == 2 * ranks, outcome)


def namespaces(suite: Suite, mpi: Mpi) -> None:
    """Ranks that do not see one another's processes; MPIs can do that over some transports alone."""
    name, before, environment = f"PID namespaces {mpi.name}", process_namespaces([]), TRANSPORTS[mpi.name]
    if before is None:
        suite.skip(name, "unshare --pid is not allowed here")
        return
    native = [*before, suite.binaries / f"tests/robust_{mpi.backend}", "check", 4]
    if status := suite.start(mpi, 3, native, preload=False, seconds=60, environment=environment).status:
        suite.skip(name, f"it does not run without tutti either (status {status})")
        return
    private(suite, mpi, "PID namespaces", "no other rank", 3, {}, before, environment=environment)


def kinds(suite: Suite, mpi: Mpi) -> None:
    private(suite, mpi, "one rank", "no other rank", 1, {})
    private(suite, mpi, "switched off", "TUTTI=off", 3, {"TUTTI": "off"})
    private(suite, mpi, "cap", "TUTTI_NODE_MEMORY", 3, {"TUTTI_NODE_MEMORY": "8K"})
    namespaces(suite, mpi)
    # memfd needs no /dev/shm, but the MPI does: large enough for that.
    if within := small_shm("64M"):
        outcome = suite.start(mpi, 3, [program(suite, mpi, "lives"), "kind"], seconds=60, within=within)
        judge(suite, f"small /dev/shm {mpi.name}", outcome.output.count("shared kind: shared: \n") == 3, outcome)
    else:
        suite.skip(f"small /dev/shm {mpi.name}", "a file system cannot be mounted here")


def memory(suite: Suite, mpi: Mpi) -> None:
    """8 ranks: one table together where MPI_Bcast makes eight."""
    if not turns.due(turns.place_of(mpi.name), 3):
        return
    mib = suite.options.mib
    outcome = suite.start(mpi, 8, [program(suite, mpi, "memory"), mib], seconds=600)
    name = f"memory {mpi.name} 8 ranks {mib} MiB"
    found = re.search(
        r"native: ([\d.]+) s, (\d+) MiB\nshared: ([\d.]+) s, (-?\d+) MiB, with the source (\d+)", outcome.output
    )
    if outcome.status or not found or "shared memory: right" not in outcome.output:
        judge(suite, name, False, outcome)
        return
    figures = ", ".join(found.group(0).splitlines())
    good = int(found.group(4)) < mib * 300 / 256 and int(found.group(2)) >= 8 * mib
    (suite.ok if good else suite.fail)(name, figures)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mib", type=int, default=32, help="of the table")


def main() -> None:
    suite = Suite(__doc__, options)
    for mpi in suite.mpis():
        for part in (right_data, without_engine, several_nodes, linked, lives, nothing_left, errors, kinds, memory):
            part(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
