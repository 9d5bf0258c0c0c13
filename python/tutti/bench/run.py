"""A measurement as it goes on: launch after launch of tutti-bench, each result saved as it comes."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tutti.bench import environment
from tutti.bench.launch import Launch, LaunchFailed, NeverStarted, Refused, Taken, bench_command, library_of
from tutti.bench.live import Display
from tutti.bench.plan import Plan
from tutti.bench.resume import resumed
from tutti.bench.table import case_text
from tutti.errors import UserError
from tutti.output import Output
from tutti.results import runs, samples
from tutti.site.mpi import Mpi


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
        variant: Any = None,
    ):
        """`variant`: one of bench.variants, in which this MPI's ranks are started."""
        self.variant = variant
        if variant:
            per_node = variant.per_node or per_node
        self.plan, self.mpi, self.out = plan, chosen, out
        self.library = library_of(chosen)
        self._starting = {"launcher": launcher, "nodes": nodes, "per_node": per_node, "profile": profile}
        self.failures: list[str] = []
        self._started: set[int] = set()  # numbers of ranks of which a launch came to measure
        self.hopeless: set[int] = set()  # and those of which none did
        self._told: Callable[[Sequence[Mapping[str, Any]]], None] = lambda results: None
        self.interrupted = False
        self._heard: set[str] = set()
        settings = {**dataclasses.asdict(plan), "base": "native", "contender": plan.variants[0], **self._starting}
        settings |= {"variant": dataclasses.asdict(variant)} if variant else {}
        about = environment.describe(chosen, self.library, settings)
        self.environment, kept, self._done = resumed(folder, about, plan.variants)
        self.results: list[Mapping[str, Any]] = list(kept or ())
        self.writer = runs.RunWriter(folder, self.environment, kept)
        if kept is not None:
            out.note(f"goes on with {folder}: {len(self._done)} of {plan.total} cases are there")

    def watch(self, told: Callable[[Sequence[Mapping[str, Any]]], None]) -> None:
        """`told` gets the results of each case as they come."""
        self._told = told

    def missing(self, number: int, ranks: int, cases: Sequence[str]) -> list[str]:
        """Those that an interrupted run has not measured."""
        return [case for case in cases if (number, ranks, case) not in self._done]

    def run(self) -> None:
        """Ends early, keeping what is finished, at Ctrl-C."""
        take_turns([self], self.out)

    def launch(self, number: int, ranks: int, cases: Sequence[str], advance: Callable[[int, str], None]) -> None:
        """One launch; tells `advance` each case that begins, and how many came before it.  Keeps going on failure."""
        said = f"launch {number} of {self.plan.launches}, {ranks} ranks"
        said += f", {self.variant.name}" if self.variant else ""
        try:
            for index, case in self._launch(number, ranks, cases):
                advance(index, f"{said}: {case}")
        except LaunchFailed as failure:
            if isinstance(failure, NeverStarted) and ranks not in self._started:
                self.hopeless.add(ranks)
            given_up = f"; {ranks} ranks are not started again" if ranks in self.hopeless else ""
            self.failures.append(f"{said}: {failure}{given_up}")
            self.out.warn(self.failures[-1])

    def _launch(self, number: int, ranks: int, cases: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Gives each case when it begins, as (index, text)."""
        plan, part = self.plan, self.writer.part(number, ranks)
        command = bench_command(
            self.mpi,
            self.library,
            ranks=plan.calls.started or ranks,
            variants=plan.variants,
            seconds=plan.seconds,
            precision=plan.precision,
            check=plan.check,
            cases=cases,
            settings=plan.settings | dict(self.variant.variables if self.variant else {}),
            extra=self.variant.launching(self.mpi, self._starting["launcher"]) if self.variant else (),
            bound=plan.bound,
            timing=[*plan.timing.words(), *plan.calls.words(), *(["--batch", "1"] if plan.layout else [])],
            samples=self.writer.raw(number, ranks, part),
            **self._starting,
        )
        self.out.detail(shlex.join(command))
        now, beside = "the start", {}
        which = {"launch": number} | ({"part": part} if part > 1 else {})
        pair: list[dict[str, Any]] = []
        try:
            taken = Taken(self.mpi, self.library, ranks, self._starting["launcher"])
            for event in Launch(command, self.mpi.environment(), self._message, taken=taken):
                kind = event.pop("event")
                self._started.add(ranks)
                if kind == "environment":
                    self.environment["launches"].append({**which, "command": command, **event})
                elif kind == "clock":
                    self.environment["launches"][-1].setdefault("clock", []).append(event)
                    self.writer.save_environment(self.environment)
                elif kind == "start":
                    now, beside = case_text(event), {}
                    yield event["index"], now
                elif kind == "bound":
                    beside |= {"bound_us": event["bound_us"], "bound": event}
                elif kind == "network":  # of both variants together
                    beside |= event
                elif kind == "result":
                    pair.append({**which, **event, **beside})
                    if len(pair) == len(plan.variants):
                        self._add(pair)
                        pair = []
        except Refused as refusal:  # as it would be in every launch
            raise UserError(str(refusal)) from None
        except NeverStarted:
            raise
        except LaunchFailed as failure:
            raise LaunchFailed(f"in {now}: {failure}") from None

    def _add(self, results: Sequence[dict[str, Any]]) -> None:
        # In this order, so that what an interrupt finds on disk is in the table.
        self.results += results
        self.writer.add(*results)
        self._told(results)
        for result in results:
            if not result.get("wrong"):
                continue
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
        display = stack.enter_context(Display(out, sum(bench.plan.total for bench in benches)).live())
        done, begin = 0, time.monotonic()
        for bench in benches:
            bench.watch(display.add)

        def advance(index: int, text: str) -> None:
            display.begin(done + index, text)

        try:
            for turns in zip(*(bench.plan.rounds() for bench in benches), strict=True):
                number, ranks, _ = turns[0]
                if number > 1 and budget and time.monotonic() - begin > budget:
                    out.note(f"time is up before launch {number} of {benches[0].plan.launches} at {ranks} ranks")
                    break
                for bench, (_, _, cases) in zip(benches, turns, strict=True):
                    missing = bench.missing(number, ranks, cases)
                    done += len(cases) - len(missing)
                    if missing and ranks in bench.hopeless:
                        done += len(missing)
                    elif missing:
                        bench.launch(number, ranks, missing, advance)
                        done += len(missing)
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
    busy = environment.others_busy()
    if busy > 0.2:
        out.warn(f"other processes keep {busy:.1f} CPUs busy: times will be noisy")
