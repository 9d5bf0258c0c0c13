"""What tutti decides under preload: lives of communicators, threads, errors, settings, ranks that differ, reports.

By turns each kind of lives is on one number of ranks of three, on each MPI another.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from harness import Mpi, Outcome, Suite, turns

# Words before the program that make rank 1 differ from the others: Hydra and Open MPI tell a rank its number.
RANK_1_ALONE = 'if [ "$PMI_RANK$OMPI_COMM_WORLD_RANK" = 1 ]; then {0}; fi; exec "$0" "$@"'

FLAT = {"TUTTI_ALLREDUCE": "ring", "TUTTI_BCAST": "binomial"}


def program(suite: Suite, mpi: Mpi, name: str) -> Path:
    return suite.binaries / f"tests/state_{name}_{mpi.backend}"


def runs_natively(suite: Suite, mpi: Mpi, name: str, words: list) -> bool:
    """Some MPIs lack what a program asks of them: sessions (Intel), checks of arguments (MPICH's wheel)."""
    if suite.start(mpi, 2, words, preload=False, seconds=60).status == 0:
        return True
    suite.skip(name, f"does not run on {mpi.name} without tutti either")
    return False


def judge(suite: Suite, name: str, good: bool, why: str) -> None:
    if good:
        suite.ok(name)
    else:
        suite.fail(name, why)


def lives(suite: Suite, mpi: Mpi) -> None:
    for session, words in enumerate(([], ["session"])):
        for forced, settings in enumerate(({}, FLAT)):
            command = [program(suite, mpi, "lives"), *words]
            name = f"lives {mpi.name} {' '.join(words + list(settings.values()))}".strip()
            if words and not runs_natively(suite, mpi, name, command):
                continue
            for ranks in turns.share((2, 3, 5), 3, 2 * session + forced + turns.place_of(mpi.name)):
                outcome = suite.start(mpi, ranks, command, settings=settings, seconds=90)
                suite.check(f"{name} {ranks} ranks", outcome, "lives: right")


def threads(suite: Suite, mpi: Mpi) -> None:
    for settings in ({}, FLAT):
        outcome = suite.start(mpi, 2, [program(suite, mpi, "threads")], settings=settings, seconds=90)
        suite.check(f"threads {mpi.name} {' '.join(settings.values())}".strip(), outcome, "threads:")


def errors(suite: Suite, mpi: Mpi) -> None:
    command = [program(suite, mpi, "errors")]
    if runs_natively(suite, mpi, f"errors {mpi.name}", command):
        suite.check(f"errors {mpi.name}", suite.start(mpi, 2, command, seconds=60), "errors: right")


def differing_ranks(suite: Suite, mpi: Mpi) -> None:
    """The others say that they wait for a rank without tutti; a rank with other settings follows rank 0."""
    for lacks in ("unset LD_PRELOAD", "export TUTTI=off"):
        command = ["sh", "-c", RANK_1_ALONE.format(lacks), program(suite, mpi, "lives")]
        for seconds in (6, 30):  # it waits for ever; on a busy machine it begins late
            outcome = suite.start(mpi, 3, command, settings={"TUTTI_PATIENCE": "2"}, seconds=seconds)
            told = all(words in outcome.output for words in ("has waited 2 s for the other ranks", "does not preload"))
            if told:
                break
        judge(suite, f"{lacks} on rank 1 alone {mpi.name}", told, f"not told; it printed:\n{outcome.output[-800:]}")
    for setting in ("TUTTI_ALLREDUCE=native", "TUTTI_BCAST=binomial", "TUTTI_WINDOW=1"):
        command = ["sh", "-c", RANK_1_ALONE.format(f"export {setting}"), program(suite, mpi, "lives")]
        outcome = suite.start(mpi, 3, command, settings={"TUTTI_EXPLAIN": "1"}, seconds=60)
        suite.check(f"{setting} on rank 1 alone {mpi.name}", outcome, "lives: right", "by the node engine")


def count(outcome: Outcome, text: str) -> int:
    return sum(text in line for line in outcome.output.splitlines())


def warnings(suite: Suite, mpi: Mpi) -> None:
    """A misspelt word is said once, and the choice is made as if it were absent."""
    outcome = suite.start(
        mpi, 3, [program(suite, mpi, "lives")], seconds=60, settings={"TUTTI_ALLREDUCE": "rign", "TUTTI_EXPLAIN": "1"}
    )
    if (
        suite.check(
            f"misspelt setting {mpi.name}",
            outcome,
            "lives: right",
            "TUTTI_ALLREDUCE",
            "'ring'",
            "tutti: allreduce 4 B on 3 ranks, 1 node: node",
        )
        and count(outcome, "rign") != 1
    ):
        suite.fail(f"misspelt setting {mpi.name}", f"said {count(outcome, 'rign')} times")


def report(suite: Suite, mpi: Mpi, folder: Path, settings: dict[str, str]) -> dict:
    path = folder / "report.json"
    path.unlink(missing_ok=True)
    suite.start(mpi, 2, [program(suite, mpi, "lives")], settings=settings | {"TUTTI_REPORT": str(path)}, seconds=60)
    return json.loads(path.read_text().splitlines()[-1]) if path.exists() else {}


def reports(suite: Suite, mpi: Mpi) -> None:
    cases = {
        "served": ({}, lambda r: r["node"] > 0 and r["flat"] == 0 and r["reason"] == ""),
        "by messages": (FLAT, lambda r: r["flat"] > 0 and r["node"] == 0 and r["eligible"] == r["flat"]),
        "native": (
            {"TUTTI_ALLREDUCE": "native", "TUTTI_BCAST": "native"},
            lambda r: r["node"] + r["flat"] == 0 and "TUTTI_" in r["reason"],
        ),
        "no memory": (
            {"TUTTI_NODE_MEMORY": "1K"},
            lambda r: r["node"] + r["flat"] == 0 and "TUTTI_NODE_MEMORY" in r["reason"],
        ),
    }
    with tempfile.TemporaryDirectory(prefix="tutti-state-") as folder:
        for name, (settings, right) in cases.items():
            found = report(suite, mpi, Path(folder), settings)
            adds_up = found and found["calls"] == sum(one["calls"] for one in found["collectives"].values())
            judge(suite, f"report {name} {mpi.name}", adds_up and right(found), f"it says {found}")


def logs(suite: Suite, mpi: Mpi) -> None:
    with tempfile.TemporaryDirectory(prefix="tutti-state-") as folder:
        outcome = suite.start(mpi, 3, [program(suite, mpi, "lives")], settings={"TUTTI_LOG": f"{folder}/log.%h.%p"})
        files = list(Path(folder).glob("log.*.*"))
        written = len(files) == 3 and all("by the node engine" in path.read_text() for path in files)
        judge(suite, f"log {mpi.name}", outcome.status == 0 and written, f"status {outcome.status}, {len(files)} files")


def private_communicators(suite: Suite, mpi: Mpi) -> None:
    """Made and given back, and no more than MPI can spare."""
    for words in (["churn", "3000", "6"], ["keep", "1000"]):
        command = [suite.binaries / f"tests/communicators_{mpi.backend}", *words]
        name = f"private communicators {mpi.name} {' '.join(words)}"
        if runs_natively(suite, mpi, name, command):
            suite.check(name, suite.start(mpi, 2, command, settings=FLAT, seconds=150), "communicators: right")


def main() -> None:
    suite = Suite(__doc__)
    for mpi in suite.mpis():
        for part in (lives, threads, errors, differing_ranks, warnings, reports, logs, private_communicators):
            part(suite, mpi)
    suite.end()


if __name__ == "__main__":
    main()
