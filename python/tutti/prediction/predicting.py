"""One size: every candidate by formula, and those that can still be the fastest by the simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tutti import core
from tutti.errors import UserError
from tutti.prediction import formulas, machines
from tutti.prediction.candidates import candidates

FORMULA, SIMULATED = "formula", "simulated"
MOST_MESSAGES = 4_000_000  # of all simulations of one size: about two seconds
MARGIN = 0.6  # formulas of some algorithms are bounds, up to 1.6 times what their schedules come to


@dataclass(frozen=True)
class Prediction:
    spec: str
    size: int
    seconds: float
    low: float | None  # None where nothing is known about the parameters' intervals
    high: float | None
    how: str
    parts: dict[str, float] | None = None  # of the longest path, where it was simulated


def simulate(collective: str, spec: str, machine: dict[str, Any], size: int, root: int = 0) -> dict[str, Any]:
    """Seconds and parts.  Raises ValueError where it cannot be simulated."""
    described = machines.at_size(machine, formulas.parts_of(collective, spec, machine, size).message)
    try:
        return core.load().simulate(collective, spec, described, root=root, bytes=size)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def messages(parts: formulas.Parts, machine: dict[str, Any]) -> float:
    """At most so many are simulated."""
    senders = machine["per_node"] if parts.link == "within" or not parts.fixed else parts.sharing
    return parts.rounds * machine["nodes"] * senders * parts.times


def by_formula(collective: str, spec: str, machine: dict[str, Any], size: int) -> Prediction:
    found = formulas.estimate(collective, spec, machine, size)
    return Prediction(spec, size, found.seconds, found.low, found.high, FORMULA)


def by_simulator(collective: str, spec: str, machine: dict[str, Any], size: int, root: int = 0) -> Prediction:
    """The interval is that of the parameters, as the formula carries it over.  Raises ValueError."""
    found = simulate(collective, spec, machine, size, root)
    low = high = None
    if machine.get("interval"):
        middle, fast, slow = (
            formulas.one_after_the_other(formulas.parts_of(collective, spec, each, size), each)
            for each in (machine, machines.at_end(machine, 0), machines.at_end(machine, 1))
        )
        if middle > 0:
            low, high = found["seconds"] * fast / middle, found["seconds"] * slow / middle
    return Prediction(spec, size, found["seconds"], low, high, SIMULATED, found["parts"])


def predict_one(collective: str, spec: str, machine: dict[str, Any], size: int) -> Prediction:
    """By the simulator, else by formula.  Raises ValueError where neither knows it."""
    try:
        return by_simulator(collective, spec, machine, size)
    except ValueError:
        return by_formula(collective, spec, machine, size)


def predict(collective: str, machine: dict[str, Any], size: int, shortlist: int, root: int = 0) -> list[Prediction]:
    """Fastest first.  Simulated are the most promising, in the order of what they can take at best, until none that
    is left can be faster than the best, or so many are."""
    known = {spec: by_formula(collective, spec, machine, size) for spec in candidates(collective, machine, size)}
    if not known:
        raise UserError(f"no algorithm of {collective} runs on {machine['nodes'] * machine['per_node']} ranks")
    best, spent, done = float("inf"), 0.0, 0
    order = sorted(known.values(), key=lambda each: ((each.low or 0) * each.seconds) ** 0.5)
    for each in order:
        if done >= shortlist:
            break
        if MARGIN * (each.low or 0) > best:
            continue
        cost = messages(formulas.parts_of(collective, each.spec, machine, size), machine)
        if spent + cost > MOST_MESSAGES:
            continue
        try:
            found = by_simulator(collective, each.spec, machine, size, root)
        except ValueError:  # node alone: no messages
            continue
        known[each.spec], spent, done = found, spent + cost, done + 1
        best = min(best, found.seconds)
    return sorted(known.values(), key=lambda each: each.seconds)


def best_of(predictions: list[Prediction]) -> Prediction:
    """The fastest that was simulated, or that no simulator knows; formulas alone decide where nothing else does."""
    able = [each for each in predictions if each.how == SIMULATED or each.spec == "node"]
    return min(able or predictions, key=lambda each: each.seconds)
