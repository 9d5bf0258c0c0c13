"""The differential fuzzer over MPIs, rank counts and algorithms.

    python3 tests/mpi/fuzz.py                      a short run
    python3 tests/mpi/fuzz.py --cases 20000        the long one: that many cases on each MPI
    python3 tests/mpi/fuzz.py --cases 20000 --each 200 --table docs/fuzzing.md      and write the table there
    python3 tests/mpi/fuzz.py --null               without tutti: what the MPI library gets wrong by itself
    python3 tests/mpi/fuzz.py --parts lives names --mpi debian-mpich debian-openmpi      some parts, Debian's MPIs

Cases belong to parts (fuzz/parts.hpp): right calls, wrong arguments, datatypes, names, communicators' lives, crossed
messages, requests.  Rounds: the shipped choice, then the k-th algorithm of every collective forced by
TUTTI_<COLLECTIVE>, then compositions in groups, then the node engine, also by the variants of each collective.  By
turns, two of three MPIs, on one of them with planted faults; three ranks and more have a third of the rounds, each of
them more cases, and each MPI another third.
Afterwards: no difference, at least 90 % of the eligible calls served, enough cases for each algorithm.
"""

from __future__ import annotations

import collections
import itertools
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from fuzz_rounds import OF_THE_ENGINE, Round, by_variants, catalogue, name_of, rounds
from harness import ROOT, Mpi, Outcome, Suite, tail, turns, which

# Few ranks get most cases: with more ranks than cores MPICH's own collectives take 18 ms each.
SHARES = {1: 0.03, 2: 0.37, 3: 0.2, 4: 0.16, 5: 0.1, 7: 0.07, 8: 0.07}

USUAL = ("moves", "mistakes", "types", "names", "lives", "crossed")
PARTS = (*USUAL, "requests")

# Rooted calls that cross messages: only where short ones wait for nobody.  A scatter and an allgather in a ring for a
# bcast, which some round forces, waits for all.
CROSSING = ("lives", "crossed")


def parts_of(suite: Suite, plan: Round) -> tuple[str, ...]:
    asked = tuple(getattr(suite.options, "parts", None) or USUAL)
    waits = any(name not in OF_THE_ENGINE and spec != "node" for name, spec in plan.settings.items())
    return tuple(part for part in asked if not (waits and part in CROSSING)) or ("moves",)


def program_for(suite: Suite, mpi: Mpi) -> Path:
    """CMake builds it for the wheels; Debian's MPIs have compilers of their own, and Fortran."""
    if not mpi.name.startswith("debian-"):
        return suite.binaries / "bin" / f"tutti_fuzz_{mpi.backend}"
    program = suite.binaries / "bin" / f"tutti_fuzz_{mpi.name}"
    folder = ROOT / "fuzz"
    sources = [path for path in folder.glob("*.cpp") if path.stem not in ("catalogue", "parsers")]
    newest = max(path.stat().st_mtime for path in folder.glob("*.?pp"))
    if not program.exists() or program.stat().st_mtime < newest:
        includes = [f"-I{ROOT / name}" for name in ("src", "include")]
        compiler = f"mpicxx.{mpi.backend}"
        subprocess.run([compiler, "-std=c++20", "-O1", *includes, *sources, "-o", program, "-ldl"], check=True)
    return program


def debian(suite: Suite) -> list[Mpi]:
    """Debian's MPIs that are asked for; the suite's own list is left with the wheels."""
    options = {"mpich": (), "openmpi": ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")}
    found = []
    for name in [name for name in suite.options.mpi if name.startswith("debian-")]:
        suite.options.mpi.remove(name)
        backend = name.removeprefix("debian-")
        launcher = which(f"mpiexec.{backend}")
        if launcher and which(f"mpicxx.{backend}"):
            found.append(Mpi(name, backend, launcher, Path("/usr/lib"), options[backend]))
        else:
            suite.skip(name, "not installed: make test-deps")
    return found


class Launch(NamedTuple):
    """One run of the fuzzer's program."""

    ranks: int
    cases: int
    plan: Round
    seed: int

    def name(self, mpi: Mpi) -> str:
        forced = " ".join(f"{k}={v}" for k, v in self.plan.settings.items())
        return f"fuzz {mpi.name} {self.ranks} ranks seed {self.seed} {forced}".strip()


def started(suite: Suite, mpi: Mpi, launch: Launch, parts: tuple[str, ...], preload: bool) -> tuple[Outcome, dict]:
    """How the run ended and what it reports: nothing unless it is all right."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        numbers = ["--seed", launch.seed, "--cases", launch.cases, "--report", report]
        numbers += ["--patience", 30 if preload else 15]  # seconds a case: a hang that is not ours costs both
        drawn = ["--among", ",".join(launch.plan.among), "--parts", ",".join(parts), "--limit", launch.plan.limit]
        program = [program_for(suite, mpi), *numbers, *drawn]
        settings = launch.plan.settings
        outcome = suite.start(mpi, launch.ranks, program, seconds=900, settings=settings, preload=preload)
        right = outcome.status == 0 and report.exists()
        return outcome, json.loads(report.read_text()) if right else {}


def fuzz(suite: Suite, mpi: Mpi, launch: Launch) -> dict:
    """What the run reports.  The MPI library's own choice depends on the processor: Intel MPI's reduce waits for
    the root on some, where crossed messages then hang without tutti too.  Such a seed runs with fewer parts."""
    parts = parts_of(suite, launch.plan)
    fewer = tuple(part for part in parts if part not in CROSSING)
    for some in dict.fromkeys((parts, fewer or ("moves",), ("moves",))):
        outcome, result = started(suite, mpi, launch, some, not suite.options.null)
        if result:
            return result
        if suite.options.null or started(suite, mpi, launch, some, preload=False)[1]:
            break
        suite.skip(f"{launch.name(mpi)} {' '.join(some)}", "it is wrong without tutti too")
    suite.fail(launch.name(mpi), f"status {outcome.status}\n{tail(outcome.output)}")
    return {}


class Fault(NamedTuple):
    """What fuzz/saboteur.c spoils, and how the fuzzer says it."""

    what: str
    part: str
    collective: str
    words: str


# The part may name the one collective that is drawn: the barrier that hangs would hide the others.
PLANTED = (
    Fault("a wrong result", "moves", "allreduce", "receive buffer: data byte"),
    Fault("a byte beyond the results", "moves", "bcast", "receive buffer: byte outside the data"),
    Fault("a changed send buffer", "moves", "alltoall ", "send buffer: data byte"),
    Fault("a lost error", "mistakes", "reduce ", "the wrong call's error: got none"),
    Fault("an error handled twice", "mistakes gather", "gather ", "the error handler ran 2 times, expected 1"),
    Fault("a name that gives something else", "names scan", "scan ", "receive buffer: data byte"),
    Fault("a name that never returns", "names barrier", "barrier ", "no end of"),
    Fault("a request's wrong result", "requests bcast", "requests, ", "receive buffer: data byte"),
    Fault("a request that is complete too early", "requests allreduce", "requests, ", "receive buffer: data byte"),
    Fault("a request that never completes", "requests gather", "requests, ", "no end of"),
)


def sabotaged(suite: Suite, mpi: Mpi, part: str) -> Outcome:
    """One part of the fuzzer; the saboteur is between it and tutti."""
    saboteur = suite.binaries / f"fuzz/tutti_saboteur_{mpi.backend}.so"
    kind, _, among = part.partition(" ")
    program = [
        program_for(suite, mpi),
        "--cases",
        400,
        "--limit",
        65536,
        "--patience",
        20,
        "--parts",
        kind,
        "--among",
        among,
    ]
    preload = f"{saboteur}:{suite.library}"
    return suite.start(mpi, 3, program, preload=False, seconds=120, settings={"LD_PRELOAD": preload})


def planted(suite: Suite, mpi: Mpi) -> None:
    """Faults planted between the fuzzer and tutti are found."""
    outcomes = {part: sabotaged(suite, mpi, part) for part in dict.fromkeys(f.part for f in PLANTED)}
    for fault in PLANTED:
        outcome = outcomes[fault.part]
        lines = outcome.output.splitlines()
        told = [line + said for line, said in itertools.pairwise(lines) if "DIFFERENCE" in line or "no end of" in line]
        name = f"fuzz {mpi.name} finds {fault.what}"
        if outcome.status != 0 and any(f": {fault.collective}" in line and fault.words in line for line in told):
            suite.ok(name)
        else:
            suite.fail(name, f"status {outcome.status}\n{tail(outcome.output)}")


COUNTED = ("cases", "differences", "eligible", "served", "requests eligible", "requests served")


class Tally:
    """What the rounds over one MPI came to."""

    def __init__(self) -> None:
        self.chosen: collections.Counter[str] = collections.Counter()
        self.totals: collections.Counter[str] = collections.Counter()
        self.parts: collections.Counter[str] = collections.Counter()

    def add(self, result: dict) -> None:
        if result:
            for choice, times in result["choices"].items():
                self.chosen[choice.partition("(")[0]] += times
            self.parts.update(result["parts"])
            self.totals.update({key: result[key] for key in COUNTED})

    def short(self, entries: dict[str, list[list[str]]], least: int) -> dict[tuple[str, str], int]:
        """Algorithms that have had fewer cases, each by a spec, and how many they have had."""
        had = {
            (collective, specs[0]): self.chosen[f"{collective} {name_of(specs)}"]
            for collective, algorithms in entries.items()
            for specs in algorithms
        }
        return {pair: cases for pair, cases in had.items() if cases < least}


def over(suite: Suite, mpi: Mpi, entries: dict[str, list[list[str]]]) -> Tally:
    options, tally, launches = suite.options, Tally(), []
    variants = catalogue(suite, "variants")
    for turn, ranks in enumerate(options.ranks):
        plans = [Round({}, [])] if options.null else rounds(entries, turn) + by_variants(variants, turn)
        numbered = list(enumerate(plans))
        if ranks > 2:
            numbered = turns.share(numbered, 3, turn + turns.place_of(mpi.name))
        weights = [len(plan.among) or len(entries) for _, plan in numbered]
        for (number, plan), weight in zip(numbered, weights, strict=True):
            cases = int(options.cases * SHARES.get(ranks, 0.05) * weight / sum(weights))
            launches.append(Launch(ranks, max(20, cases), plan, options.seed + 100 * ranks + number))
    # Open MPI's launcher sleeps for most of a second: meanwhile another one runs.
    with ThreadPoolExecutor(2 if mpi.backend == "openmpi" else 1) as pool:
        for result in pool.map(lambda launch: fuzz(suite, mpi, launch), launches):
            tally.add(result)
    if not options.null:  # cases are drawn: some algorithm has had a little less than its share
        for (collective, algorithm), had in tally.short(entries, options.each).items():
            plan = Round({f"TUTTI_{collective.upper()}": algorithm}, [collective])
            launch = Launch(4, 20 + 2 * (options.each - had), plan, options.seed + 5000)
            tally.add(fuzz(suite, mpi, launch))
    judge(suite, f"fuzz {mpi.name}", tally, entries)
    return tally


def judge(suite: Suite, name: str, tally: Tally, entries: dict[str, list[list[str]]]) -> None:
    totals, least = tally.totals, suite.options.each
    share = totals["served"] / max(1, totals["eligible"])
    parts = ", ".join(f"{count} {part}" for part, count in sorted(tally.parts.items()))
    requests = totals["requests served"] / max(1, totals["requests eligible"])
    figures = f"{totals['cases']} cases, {share:.1%} of eligible calls served, {requests:.1%} of requests"
    figures += f"; on rank 0: {parts}"
    if totals["differences"]:
        suite.fail(name, f"{totals['differences']} differences in {figures}")
    elif min(share, requests if totals["requests eligible"] else 1) < 0.9 and not suite.options.null:
        suite.fail(name, f"only {figures}")
    else:
        suite.ok(name, figures)
    if suite.options.null:
        return
    if short := tally.short(entries, least):
        suite.fail(f"{name}, cases an algorithm", f"fewer than {least}: {short}")
    else:
        suite.ok(f"{name}, cases an algorithm", f"each at least {least}")


def write_table(page: Path, entries: dict[str, list[list[str]]], tallies: dict[str, Tally]) -> None:
    """Replaces the table of cases between the page's two marks."""
    begin, end = "<!-- cases: begin -->\n", "<!-- cases: end -->"
    head, _, rest = page.read_text().partition(begin)
    names = list(tallies)
    lines = [f"| collective | algorithm | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for collective, algorithms in entries.items():
        for name in ["node", *map(name_of, algorithms)]:
            cases = [tallies[mpi].chosen[f"{collective} {name}"] for mpi in names]
            if any(cases):
                lines.append(f"| {collective} | {name} | {' | '.join(map(str, cases))} |")
    totals = [tallies[mpi].totals for mpi in names]
    for row in COUNTED:
        lines.append(f"| all | {row} | {' | '.join(str(total[row]) for total in totals)} |")
    page.write_text(head + begin + "\n".join(lines) + "\n" + end + rest.partition(end)[2])


def main() -> None:
    def extra(parser):
        parser.add_argument("--cases", type=int, default=2500, help="on each MPI")
        parser.add_argument("--each", type=int, default=5, help="cases that every algorithm must have had")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--table", type=Path, help="page whose table of cases is written anew")
        parser.add_argument("--null", action="store_true", help="without tutti: the MPI library against itself")
        parser.add_argument("--parts", nargs="*", choices=PARTS, help="default: all but requests")

    suite = Suite(__doc__, extra)
    entries = catalogue(suite)
    tallies = {}
    for mpi in debian(suite) + suite.mpis():
        place = turns.place_of(mpi.name)
        if turns.due(place, len(turns.MPIS)):
            planted(suite, mpi)
        elif turns.due(place + 1, len(turns.MPIS)):
            continue
        tallies[mpi.name] = over(suite, mpi, entries)
    if suite.options.table:
        write_table(suite.options.table, entries, tallies)
    suite.end()


if __name__ == "__main__":
    main()
