"""tutti record: what a program called is in the recording, from every MPI; and what a recorded call costs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np
from harness import Mpi, Suite, tail
from tutti import recording
from tutti.record import gain, sites, table
from tutti.record import skew as recording_skew

SOURCES = Path(__file__).parent
CALLS, PAUSE = 20, 40  # of tests/mpi/record.c; milliseconds
FOUND = {  # function -> (collective, calls a rank, sizes), at 3 ranks
    "sum": ("allreduce", 2 * CALLS + 5, {8, 64, 128}),
    "spread": ("bcast", CALLS, {400}),
    "wait_for_all": ("barrier", 7, {0}),
    "late": ("reduce", 3, {32}),
}


class Record(Suite):
    def build(self, mpi: Mpi, name: str, *words: str) -> Path | None:
        """Compiles tests/mpi/NAME.c with debugging information; None after one failed line."""
        folder = self.binaries / "tests" / "record"
        folder.mkdir(parents=True, exist_ok=True)
        output = folder / f"{name}-{mpi.backend}"
        compiler = self.options.build / "mpi" / mpi.backend / "bin" / "mpicc"
        command = [str(compiler), "-O1", "-g", *words, str(SOURCES / f"{name}.c"), "-o", str(output), "-ldl"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return output
        self.fail(f"{name} on {mpi.name}", f"does not compile:\n{tail(result.stderr)}")
        return None

    def that(self, name: str, problem: str) -> None:
        (self.fail(name, problem) if problem else self.ok(name))


def by_function(recorded: recording.Recording) -> dict[str, np.ndarray]:
    """Rows of calls() by the function they were called from."""
    calls = recorded.calls()
    places = list(zip(calls["object"], calls["address"].tolist(), calls["base"].tolist(), calls["symbol"], strict=True))
    names = sites.of(places)
    functions = np.array([names[place].split()[-1] for place in places])
    return {name: np.flatnonzero(functions == name) for name in set(functions)}


def counted(recorded: recording.Recording) -> str:
    """'' where every call is there, with its size, on every rank; else what is wrong."""
    calls, rows = recorded.calls(), by_function(recorded)
    if set(rows) != set(FOUND):
        return f"call sites: {sorted(rows)}"
    for function, (collective, count, sizes) in FOUND.items():
        here = rows[function]
        if set(calls["collective"][here]) != {collective}:
            return f"{function}: {set(calls['collective'][here])}"
        for rank in range(recorded.ranks):
            mine = here[calls["rank"][here] == rank]
            if calls["calls"][mine].sum() != count or set(calls["size"][mine].tolist()) != sizes:
                return f"{function}: {calls['calls'][mine]} calls of {calls['size'][mine]} on rank {rank}"
    return ""


def described(recorded: recording.Recording) -> str:
    calls, rows = recorded.calls(), by_function(recorded)
    facts = [
        (set(calls["root"][rows["spread"]].tolist()), {0, 1, 2}),
        (set(calls["root"][rows["sum"]].tolist()), {-1}),
        (set(calls["operator"][rows["sum"]]), {"MPI_SUM"}),
        (set(calls["operator"][rows["late"]]), {"MPI_MAX"}),
        (set(calls["datatype"][rows["spread"]]), {"MPI_INT"}),
        (set(calls["in_place"][rows["sum"]].tolist()), {True}),
        (set(calls["ranks"][rows["sum"]].tolist()), {1, 2, 3}),
        (sorted(map(len, recorded.communicators.values())), [1, 2, 3, 3, 3, 3, 3, 3]),
    ]
    wrong = [f"{found} instead of {right}" for found, right in facts if found != right]
    return "; ".join(wrong)


def skewed(recorded: recording.Recording) -> str:
    """Rank 1 comes PAUSE late to the reductions, and their root waits for it."""
    skew, rows = recording_skew.of(recorded), by_function(recorded)
    if skew is None:
        return "no skew is known"
    late = np.isin(skew.row, rows["late"])
    if late.sum() != 9:
        return f"{late.sum()} arrivals at the reductions instead of 9"
    by_rank = [skew.late[late & (skew.place == rank)].min() for rank in range(3)]
    if by_rank[1] < 0.9e-3 * PAUSE:
        return f"rank 1 came {1e3 * by_rank[1]:.1f} ms late instead of {PAUSE}"
    root = late & (skew.place == 0)
    return "" if skew.wait[root].min() > 0.5e-3 * PAUSE else f"the root waited {skew.wait[root]} s"


def summarised(recorded: recording.Recording) -> str:
    """The table adds up."""
    measured = gain.Measured({("allreduce", 3): [(8, 2.0), (128, 2.0)]})
    summary = table.Summary(recorded, measured, gain.Chooser(recorded, None))
    calls = recorded.calls()
    if sum(row["calls"] for row in summary.rows) != calls["calls"].sum():
        return "calls are missing from the table"
    gaining = [row for row in summary.rows if row["saved"]]
    for row in gaining:
        if row["collective"] != "allreduce" or row["ranks"] != 3 or not 0 < row["saved"] <= row["seconds"] / 2 + 1e-12:
            return f"a gain of {row['saved']} s in {row}"
    return "" if gaining else "nothing gains"


def one(suite: Record, mpi: Mpi, program: Path, served: bool) -> None:
    name = f"on {mpi.name}, {'served' if served else 'native'}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "app.rec"
        settings = {"TUTTI_RECORD": str(file), "TUTTI": "on" if served else "off"}
        outcome = suite.start(mpi, 3, [program, CALLS, PAUSE], settings=settings)
        if not suite.check(f"a recorded program runs {name}", outcome, "record: right"):
            return
        if not file.exists():
            suite.fail(f"a recording {name}", "there is no file")
            return
        recorded = recording.load(file)
    suite.that(f"every call is recorded {name}", counted(recorded))
    suite.that(f"what calls are about is recorded {name}", described(recorded))
    suite.that(f"who comes late is seen {name}", skewed(recorded))
    if not served:
        suite.that(f"the table of a recording adds up {name}", summarised(recorded))


def few_samples(suite: Record, mpi: Mpi, program: Path) -> None:
    """With room for few times, the same calls' are kept on all ranks."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "app.rec"
        settings = {"TUTTI_RECORD": str(file), "TUTTI": "off", "TUTTI_RECORD_SAMPLES": "64"}
        outcome = suite.start(mpi, 2, [program, 500, 0], settings=settings)
        if not suite.check(f"a long program, little room, on {mpi.name}", outcome, "record: right"):
            return
        recorded = recording.load(file)
    kept = [len(part.samples) for part in recorded.parts]
    skew = recording_skew.of(recorded)
    calls = recorded.calls()
    whole = 0 if skew is None else len(np.unique(skew.instance))
    problem = "" if max(kept) <= 64 and min(kept) > 8 and whole > 3 else f"{kept} kept, {whole} of them on all ranks"
    if calls["calls"].sum() != 2 * (3 * 500 + 15):
        problem = f"{calls['calls'].sum()} calls"
    suite.that(f"few times are kept on {mpi.name}", problem)


def nowhere_to_write(suite: Record, mpi: Mpi, program: Path) -> None:
    outcome = suite.start(mpi, 2, [program, 2], settings={"TUTTI_RECORD": "/nonexistent/app.rec"})
    said = outcome.output.count("cannot write /nonexistent/app.rec")
    suite.check(f"a file that cannot be written on {mpi.name}", outcome, "record: right", "No such file")
    suite.that(f"it is said once on {mpi.name}", "" if said == 1 else f"{said} times")


def main() -> None:
    suite = Record(__doc__)
    for mpi in suite.mpis():
        program, cost = suite.build(mpi, "record"), suite.build(mpi, "record_cost")
        if not program or not cost:
            continue
        for served in (False, True):
            one(suite, mpi, program, served)
        few_samples(suite, mpi, program)
        nowhere_to_write(suite, mpi, program)
        for value in ("off", "on"):
            with tempfile.TemporaryDirectory() as folder:
                settings = {"TUTTI_RECORD": f"{folder}/cost.rec", "TUTTI": value}
                with suite.alone():
                    outcome = suite.start(mpi, 1, [cost], settings=settings)
            figures = next((line[8:] for line in outcome.output.splitlines() if line.startswith("record: barrier")), "")
            if suite.check(f"the cost of recording on {mpi.name}, TUTTI={value}", outcome, "below 200 ns"):
                suite.say(f"  {figures}")
    suite.end()


if __name__ == "__main__":
    main()
