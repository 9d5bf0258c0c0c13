"""The folder that a measurement leaves behind: the one form that bench writes and report reads.

environment.json     machine, MPI, command, date, settings, clock
results.jsonl        one object per launch, case and variant: medians, intervals, percentiles (microseconds)
summary.parquet      the same, once the run has ended
samples.parquet      every rank's beginning and end of every repetition behind them; raw/ until the run has ended
"""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutti.errors import UserError
from tutti.results import caches, samples, timed

ENVIRONMENT, RESULTS = "environment.json", "results.jsonl"
CASE = ("launch", "collective", "size", "ranks", "variant")  # what a line of results is about


def replace(file: Path, text: str) -> None:
    """Complete or not at all."""
    new = file.with_name(file.name + ".new")
    new.write_text(text)
    new.replace(file)


@dataclass(frozen=True)
class Run:
    """A measurement as it was saved; `environment` is empty where its file is missing."""

    folder: Path
    environment: Mapping[str, Any]
    results: list[dict[str, Any]]


class RunWriter:
    """Writes a run as it goes on: every finished case is on disk before the next begins."""

    def __init__(self, folder: Path, environment: Mapping[str, Any], kept: Sequence[Mapping[str, Any]] | None = None):
        """`kept`: results of an interrupted run in that folder, which goes on.  Raises UserError where there is a run
        and nothing was said of it."""
        if kept is None and (folder / RESULTS).exists():
            raise UserError(f"{folder} holds a run already: name another folder with -o")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.save_environment(environment)
        self._added: list[Mapping[str, Any]] = list(kept or ())
        replace(folder / RESULTS, "".join(f"{json.dumps(result)}\n" for result in self._added))
        self._results = (folder / RESULTS).open("a")

    def save_environment(self, environment: Mapping[str, Any]) -> None:
        replace(self.folder / ENVIRONMENT, json.dumps(environment, indent=2, ensure_ascii=False) + "\n")

    def add(self, *results: Mapping[str, Any]) -> None:
        """Those of one case at once, so that a run that is killed has both variants of it or none."""
        self._added += results
        print(*(json.dumps(result) for result in results), sep="\n", file=self._results, flush=True)

    def part(self, launch: int, ranks: int) -> int:
        """The number of a further launch in place of one that was interrupted; 1 where there was none."""
        begun = {r.get("part", 1) for r in self._added if (r["launch"], r["ranks"]) == (launch, ranks)}
        return next(
            part
            for part in itertools.count(1)
            if part not in begun and not samples.raw_folder(self.folder, launch, ranks, part).exists()
        )

    def raw(self, launch: int, ranks: int, part: int = 1) -> Path:
        """Where the ranks of a launch write their samples."""
        return samples.raw_folder(self.folder, launch, ranks, part).absolute()

    def close(self) -> bool:
        """Makes Parquet of what is there; False where that cannot be, and the raw samples stay."""
        self._results.close()
        return samples.write_parquet(self.folder, self._added)

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_lines(text: io.TextIOBase, path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; a last line that was cut short is left out."""
    lines = text.read().splitlines()
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            if number == len(lines):
                return
            raise UserError(f"{path}, line {number}, is not JSON: this is not a file of results") from None
        if not isinstance(value, dict) or not set(CASE) <= value.keys():
            raise UserError(f"{path}, line {number}: there is no {', '.join(CASE)} in it")
        yield value


def load(folder: Path) -> Run:
    """Raises UserError where the folder holds no run."""
    results = folder / RESULTS
    if not results.is_file():
        raise UserError(f"{folder} is not a run: there is no {RESULTS} in it (tutti bench writes runs)")
    try:
        environment = json.loads((folder / ENVIRONMENT).read_text())
    except (OSError, ValueError):
        environment = {}
    environment = environment if isinstance(environment, dict) else {}
    with results.open() as text:
        rows = timed.said_by_all(read_lines(text, results), environment.get("launches") or [])
        rows = caches.said_by_all(rows, environment.get("settings") or {})
        return Run(folder, environment, rows)
