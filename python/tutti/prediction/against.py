"""Predictions beside what was measured: a run of tutti bench, or the folders of its variants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tutti import options
from tutti.errors import UserError
from tutti.output import Column
from tutti.prediction.predicting import predict_one
from tutti.results import runs


def micro(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


COLUMNS = [
    Column("collective", "collective"),
    Column("spec", "algorithm"),
    Column("size", "size", right=True, text=options.format_size),
    Column("ranks", "ranks", right=True),
    Column("cache", "caches"),
    Column("measured_us", "measured us", right=True, text=micro),
    Column("predicted_us", "predicted us", right=True, text=micro),
    Column("error", "error", right=True, text=lambda share: f"{100 * share:+.0f} %"),
    Column("how", "by"),
]


def folders(folder: Path) -> list[Path]:
    """The run, or those of its variants.  Raises UserError."""
    if not folder.is_dir():
        raise UserError(f"--against {folder}: there is no such folder")
    if (folder / runs.RESULTS).is_file():
        return [folder]
    found = sorted(each.parent for each in folder.glob(f"*/{runs.RESULTS}"))
    if not found:
        raise UserError(f"--against {folder} is not a run: there is no {runs.RESULTS} in it (tutti bench writes runs)")
    return found


def measured(folder: Path, collective: str | None) -> dict[tuple, list[float]]:
    """Medians of launches by (collective, spec, size, ranks, caches, nodes), of calls that tutti served."""
    found: dict[tuple, list[float]] = defaultdict(list)
    for each in folders(folder):
        run = runs.load(each)
        nodes = (run.environment.get("settings") or {}).get("nodes") or 1
        for row in run.results:
            spec = row.get("choice") or ""
            if spec in ("", "native") or row.get("wrong") or row.get("arrival") or not row.get("median_us"):
                continue
            if collective in (None, row["collective"]):
                key = row["collective"], spec, row["size"], row["ranks"], row.get("cache", ""), nodes
                found[key].append(row["median_us"])
    return found


def rows(folder: Path, collective: str | None, machine: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Raises UserError where nothing in the run can be predicted."""
    known = measured(folder, collective)
    if not known:
        raise UserError(
            f"--against {folder}: no call there was served by an algorithm of tutti's (tutti bench … --algorithms ring)"
        )
    for (which, spec, size, ranks, cache, nodes), times in sorted(known.items()):
        there = machine | {"nodes": nodes, "per_node": -(-ranks // nodes)}
        there["cards"] = min(there["cards"], there["per_node"])
        try:
            found = predict_one(which, spec, there, size)
        except ValueError:
            continue  # a variant of the node engine, or native between nodes
        middle, predicted = median(times), 1e6 * found.seconds
        yield {
            "kind": "against", "collective": which, "spec": spec, "size": size, "ranks": ranks, "cache": cache,
            "measured_us": middle, "predicted_us": predicted, "error": predicted / middle - 1, "how": found.how,
        }  # fmt: skip


def summary(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    errors = sorted(abs(row["error"]) for row in found)
    within = sum(error <= 0.25 for error in errors)
    return {"kind": "summary", "cells": len(errors), "median_error": median(errors), "within_25_percent": within}
