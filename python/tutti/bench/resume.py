"""An interrupted run that is started again: what of it counts, and what is missing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutti.bench.subjects import has_no_size
from tutti.errors import UserError
from tutti.results import caches, runs

Done = set[tuple[int, int, str]]  # (launch, ranks, case)


def case_of(result: Mapping[str, Any]) -> str:
    """As tutti-bench read it: allreduce:8%warm@last_late:2x."""
    name = result["collective"]
    call = name if has_no_size(name) else f"{name}:{result['size']}"
    (call,) = caches.with_states([call], [caches.of(result)])
    arrival = result.get("replayed") or result.get("arrival")
    return f"{call}@{arrival.replace(' ', ':', 1)}" if arrival else call


def whole_cases(results: Sequence[Mapping[str, Any]], variants: Sequence[str]) -> tuple[list[Mapping[str, Any]], Done]:
    """Results of cases that have all variants, and which cases these are."""
    found: dict[tuple[int, int, str], set[str]] = defaultdict(set)
    for result in results:
        found[result["launch"], result["ranks"], case_of(result)].add(result["variant"])
    done = {case for case, measured in found.items() if measured >= set(variants)}
    return [r for r in results if (r["launch"], r["ranks"], case_of(r)) in done], done


def with_states_said(values: Mapping[str, Any], group: str) -> Mapping[str, Any]:
    """Settings of an earlier version had one state of caches, by another name."""
    if group != "settings" or "cache" not in values:
        return values
    return {key: value for key, value in values.items() if key != "cache"} | {"caches": caches.of_settings(values)}


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is not the same in two runs' environments, as far as it decides what is measured."""
    found = []
    for group, names in (("settings", None), ("mpi", ("title", "library")), ("variables", None)):
        old, new = (with_states_said(of.get(group, {}), group) for of in (before, now))
        for name in names or sorted({*old, *new}):
            if old.get(name) != new.get(name):
                found.append(f"{name} was {json.dumps(old.get(name))} and is {json.dumps(new.get(name))}")
    return found


def resumed(
    folder: Path, environment: dict[str, Any], variants: Sequence[str]
) -> tuple[dict[str, Any], list[Mapping[str, Any]] | None, Done]:
    """Environment, results that count (None where there is no run) and cases that are done.

    Raises UserError where the folder holds another run than the one that is asked for.
    """
    if not (folder / runs.RESULTS).exists():
        return environment, None, set()
    run = runs.load(folder)
    if different := differences(run.environment, json.loads(json.dumps(environment))):
        raise UserError(f"{folder} holds another run already: name another folder with -o ({different[0]})")
    kept, done = whole_cases(run.results, variants)
    began = {"continued": [*run.environment.get("continued", []), environment["date"]]}
    return {**run.environment, **began}, kept, done
