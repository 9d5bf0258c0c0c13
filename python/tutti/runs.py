"""The folder that a measurement leaves behind: the one form that bench writes and report reads.

environment.json     machine, MPI, command, date, settings
results.jsonl        one object per launch, case and variant: medians, intervals, percentiles (microseconds)
samples.jsonl.gz     every sample behind them, in the order in which it was taken
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutti.errors import UserError

ENVIRONMENT, RESULTS, SAMPLES = "environment.json", "results.jsonl", "samples.jsonl.gz"
CASE = ("launch", "collective", "size", "ranks", "variant")  # what a line of results or samples is about


@dataclass(frozen=True)
class Run:
    """A measurement as it was saved; `environment` is empty where its file is missing."""

    folder: Path
    environment: Mapping[str, Any]
    results: list[dict[str, Any]]


class RunWriter:
    """Writes a run as it goes on: every finished case is on disk before the next begins."""

    def __init__(self, folder: Path, environment: Mapping[str, Any]):
        if (folder / RESULTS).exists():
            raise UserError(f"{folder} holds a run already: name another folder with -o")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.save_environment(environment)
        self._results = (folder / RESULTS).open("w")

    def save_environment(self, environment: Mapping[str, Any]) -> None:
        (self.folder / ENVIRONMENT).write_text(json.dumps(environment, indent=2, ensure_ascii=False) + "\n")

    def add(self, result: Mapping[str, Any]) -> None:
        """One result with its `samples`, which go to a file of their own."""
        rest = {key: value for key, value in result.items() if key != "samples"}
        print(json.dumps(rest), file=self._results, flush=True)
        line = {key: result[key] for key in CASE} | {"samples_us": result.get("samples", [])}
        # A gzip member for each line: what is written stays readable when the next never comes.
        with gzip.open(self.folder / SAMPLES, "at") as samples:
            print(json.dumps(line), file=samples)

    def close(self) -> None:
        self._results.close()

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
    with results.open() as text:
        return Run(folder, environment if isinstance(environment, dict) else {}, list(read_lines(text, results)))


def load_samples(folder: Path) -> dict[tuple, list[float]]:
    """Samples in microseconds by (launch, collective, size, ranks, variant); empty where there is no such file."""
    path = folder / SAMPLES
    if not path.is_file():
        return {}
    with gzip.open(path, "rt") as text:
        return {tuple(line[key] for key in CASE): line["samples_us"] for line in read_lines(text, path)}
