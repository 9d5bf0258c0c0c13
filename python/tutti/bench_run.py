"""A measurement as it goes on: launch after launch of tutti-bench, each result saved as it comes."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tutti import bench_environment, runs, samples
from tutti.bench_launch import Launch, LaunchFailed, bench_command, library_of
from tutti.bench_plan import Plan
from tutti.bench_table import case_text
from tutti.mpi import Mpi
from tutti.output import Output


class Bench:
    """Carries out a plan: launch after launch, each result saved as it comes."""

    def __init__(
        self,
        plan: Plan,
        chosen: Mpi,
        out: Output,
        folder: Path,
        *,
        launcher: str = "mpiexec",
        nodes: int | None = None,
        per_node: int | None = None,
        profile: str | None = None,
    ):
        self.plan, self.mpi, self.out = plan, chosen, out
        self.library = library_of(chosen)
        self._starting = {"launcher": launcher, "nodes": nodes, "per_node": per_node, "profile": profile}
        self.results: list[dict[str, Any]] = []
        self.failures: list[str] = []
        self.interrupted = False
        self._heard: set[str] = set()
        settings = {**dataclasses.asdict(plan), "base": "native", "contender": plan.variants[0], **self._starting}
        self.environment = bench_environment.describe(chosen, self.library, settings)
        self.writer = runs.RunWriter(folder, self.environment)

    def run(self) -> None:
        """Ends early, keeping what is finished, at Ctrl-C."""
        take_turns([self], self.out)

    def launch(self, number: int, ranks: int, cases: Sequence[str], advance: Callable[[int, str], None]) -> None:
        """One launch; tells `advance` each case that begins, and how many came before it.  Keeps going on failure."""
        said = f"launch {number} of {self.plan.launches}, {ranks} ranks"
        try:
            for index, case in self._launch(number, ranks, cases):
                advance(index, f"{said}: {case}")
        except LaunchFailed as failure:
            self.failures.append(f"{said}: {failure}")
            self.out.warn(self.failures[-1])

    def _launch(self, number: int, ranks: int, cases: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Gives each case when it begins, as (index, text)."""
        plan = self.plan
        command = bench_command(
            self.mpi,
            self.library,
            ranks=ranks,
            variants=plan.variants,
            seconds=plan.seconds,
            precision=plan.precision,
            check=plan.check,
            cases=cases,
            settings=plan.settings,
            bound=plan.bound,
            timing=plan.timing.words(),
            samples=self.writer.raw(number, ranks),
            cache=plan.cache,
            **self._starting,
        )
        self.out.detail(shlex.join(command))
        now, bound = "the start", {}
        try:
            for event in Launch(command, self.mpi.environment(), self._message):
                kind = event.pop("event")
                if kind == "environment":
                    self.environment["launches"].append({"launch": number, "command": command, **event})
                elif kind == "clock":
                    self.environment["launches"][-1].setdefault("clock", []).append(event)
                elif kind == "start":
                    now, bound = case_text(event), {}
                    yield event["index"], now
                elif kind == "bound":
                    bound = {"bound_us": event["bound_us"], "bound": event}
                elif kind == "result":
                    self._add({"launch": number, **event, **bound})
        except LaunchFailed as failure:
            raise LaunchFailed(f"in {now}: {failure}") from None

    def _add(self, result: dict[str, Any]) -> None:
        # In this order, so that what an interrupt finds on disk is in the table.
        self.results.append(result)
        self.writer.add(result)
        if result.get("wrong"):
            self.failures.append(
                f"{case_text(result)} at {result['ranks']} ranks: {result['variant']} gave a wrong "
                f"result in {result['wrong']} repetitions"
            )
            self.out.warn(self.failures[-1])

    def _message(self, line: str) -> None:
        """What ranks say on stderr is passed on, each line once."""
        if line not in self._heard:
            self._heard.add(line)
            self.out.errors.print(line, markup=False, soft_wrap=True)


def take_turns(benches: Sequence[Bench], out: Output, budget: float | None = None) -> None:
    """Carries out several plans of equal launches and ranks, launch by launch in turns, so that a machine whose speed
    drifts hits them alike.  Ends early at Ctrl-C, and after `budget` seconds (else the first plan's) once every case
    has had its first launch; what is finished is kept.
    """
    budget = budget or benches[0].plan.budget
    with contextlib.ExitStack() as stack:
        for bench in benches:
            stack.enter_context(bench.writer)
        progress = stack.enter_context(out.progress())
        task = progress.add_task("", total=sum(bench.plan.total for bench in benches))
        done, begin = 0, time.monotonic()

        def advance(index: int, text: str) -> None:
            progress.update(task, completed=done + index, description=text)

        try:
            for turns in zip(*(bench.plan.rounds() for bench in benches), strict=True):
                number, ranks, _ = turns[0]
                if number > 1 and budget and time.monotonic() - begin > budget:
                    out.note(f"time is up before launch {number} of {benches[0].plan.launches} at {ranks} ranks")
                    break
                for bench, (_, _, cases) in zip(benches, turns, strict=True):
                    bench.launch(number, ranks, cases, advance)
                    done += len(cases)
        except KeyboardInterrupt:
            for bench in benches:
                bench.interrupted = True
    for bench in benches:
        bench.writer.save_environment(bench.environment)
        if not samples.has_parquet():
            out.note(
                f"samples stay in {bench.writer.folder / samples.RAW}: pip install 'tutti[parquet]' makes them Parquet"
            )


def warn_of_load(out: Output) -> None:
    busy = bench_environment.others_busy()
    if busy > 0.2:
        out.warn(f"other processes keep {busy:.1f} CPUs busy: times will be noisy")
