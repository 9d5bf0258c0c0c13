"""Where ranks run, and how tutti-bench is started there: by an MPI's launcher, srun, or a command of the user's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tutti.bench.launch import Launch, Taken, bench_words, library_of
from tutti.site import crowding, launch
from tutti.site.mpi import Mpi

WARM_UPS = 3  # calls of either variant: each is as long as a sample where ranks share processors


@dataclass(frozen=True, order=True)
class Layout:
    """`ranks` on `nodes`, `per_node` at most on each."""

    ranks: int
    nodes: int = 1
    per_node: int = 0

    def __post_init__(self) -> None:
        if not self.per_node:
            object.__setattr__(self, "per_node", -(-self.ranks // self.nodes))

    def __str__(self) -> str:
        where = "1 node" if self.nodes == 1 else f"{self.nodes} nodes of {self.per_node}"
        return f"{self.ranks} ranks on {where}"

    @property
    def keys(self) -> dict[str, str]:
        """As a rule of a profile asks for it."""
        return {"nodes": str(self.nodes), "ranks": str(self.ranks)} | (
            {"ppn": str(self.per_node)} if self.nodes > 1 else {}
        )


class Runner(Protocol):
    """Starts the words of a program on a layout; gives the events of tutti-bench as they come."""

    def __call__(
        self, layout: Layout, words: Sequence[str], variables: Mapping[str, str]
    ) -> Iterator[dict[str, Any]]: ...


@dataclass
class Local:
    """By a launcher as launch.Job has it."""

    mpi: Mpi
    launcher: str = "mpiexec"
    patience: float = 120.0
    oversubscribe: bool = False
    said: list[str] = field(default_factory=list)
    on_message: Callable[[str], None] | None = None

    def check(self, layout: Layout) -> None:
        """Raises UserError where this machine is too small for it."""
        crowding.check([layout.ranks], layout.nodes, self.launcher, self.oversubscribe)

    def command(self, layout: Layout, words: Sequence[str], variables: Mapping[str, str]) -> list[str]:
        per_node = layout.per_node if layout.nodes > 1 or self.launcher not in ("mpiexec", "srun") else None
        return launch.Job(self.mpi, layout.ranks, layout.nodes, per_node, self.launcher, variables, bound=True).command(
            words
        )

    def __call__(self, layout, words, variables):
        command, environment = self.command(layout, words, variables), self.mpi.environment()
        taken = Taken(self.mpi, library_of(self.mpi), layout.ranks, self.launcher)
        yield from Launch(command, environment, self._message, self.patience, taken)

    def _message(self, line: str) -> None:
        if line not in self.said:
            self.said.append(line)
            if self.on_message:
                self.on_message(line)


@dataclass(frozen=True)
class Timed:
    """One result of tutti-bench, and the seconds that its case took."""

    result: Mapping[str, Any]
    seconds: float


def measure(
    runner: Runner, chosen: Mpi, layout: Layout, cases: Sequence[str], profile: str, seconds: float
) -> Iterator[Timed]:
    """Native beside tutti by the rules of that profile, case after case.  Raises LaunchFailed."""
    words = bench_words(
        chosen, library_of(chosen), variants=("tutti", "native"), cases=cases, seconds=seconds, precision=0.02,
        timing=("--warm-ups", str(WARM_UPS)),
    )  # fmt: skip
    variables = {"LD_PRELOAD": launch.preload(), "TUTTI_PROFILE": profile}
    began = time.monotonic()
    for event in runner(layout, words, variables):
        kind = event.pop("event")
        if kind == "start":
            began = time.monotonic()
        elif kind == "result":
            yield Timed(event, time.monotonic() - began)
