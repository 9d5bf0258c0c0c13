"""Where one algorithm takes over from another: along the sizes, and by Thakur & Gropp's formulas beside the truth."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from tutti import core
from tutti.prediction import machines
from tutti.prediction.predicting import Prediction, best_of, predict_one

FINEST = 1.05  # sizes nearer than this are not told apart
LARGEST = 64 << 20
# Collective -> (for short messages, for long ones), as Thakur & Gropp 2002 have them.
CUTOFFS = {
    "bcast": ("binomial", "scatter_recursive_doubling_allgather"),
    "reduce_scatter": ("recursive_doubling", "pairwise"),
    "reduce_scatter_block": ("recursive_doubling", "pairwise"),
    "alltoall": ("recursive_doubling", "pairwise"),
}


def family(spec: str) -> str:
    """Without the segment: the same algorithm at another size."""
    return spec.partition("(segment")[0]


def boundary(later_wins: Callable[[int], bool], low: int, high: int) -> int:
    """The least size, to 5 %, at which the later one wins; it does not at `low`, and does at `high`."""
    while high > FINEST * low and high - low > 1:
        middle = round((low * high) ** 0.5) if low else high // 2
        middle = min(max(middle, low + 1), high - 1)
        low, high = (low, middle) if later_wins(middle) else (middle, high)
    return high


def changeovers(collective: str, machine: dict[str, Any], by_size: dict[int, list[Prediction]]) -> list[dict[str, Any]]:
    """Between neighbouring sizes whose best differ: who hands over to whom, and from which size on."""
    found = []
    sizes = sorted(by_size)
    for low, high in itertools.pairwise(sizes):
        before, after = best_of(by_size[low]).spec, best_of(by_size[high]).spec
        if family(before) == family(after):
            continue

        def later_wins(size: int, before: str = before, after: str = after) -> bool:
            one, other = (predict_one(collective, spec, machine, size).seconds for spec in (before, after))
            return other < one

        at = boundary(later_wins, low, high) if later_wins(high) and not later_wins(low) else high
        found.append({"kind": "changeover", "collective": collective, "size": at, "from": before, "to": after})
    return found


def printed(collective: str, spec: str) -> str:
    """Thakur & Gropp's formula of that algorithm."""
    wanted = "reduce_scatter_block" if collective == "reduce_scatter" else collective
    return next(
        row["printed"]
        for row in core.load().equations()
        if row["collective"] == wanted and row["spec"] == spec and row["source"].startswith("Thakur")
    )


def cutoff(collective: str, machine: dict[str, Any]) -> dict[str, Any]:
    """m* where both formulas meet, beside the size at which the simulator has the long one faster."""
    short, long = CUTOFFS[collective]
    ranks = machine["nodes"] * machine["per_node"]
    per_peer = collective in ("alltoall", "reduce_scatter_block")
    link = machine[machines.link_name(machine)]
    alpha, beta = core.load().message_time(link, 0), link["per_byte"] + 2 * link["overhead_per_byte"]
    (a1, b1, _), (a2, b2, _) = (
        core.load().evaluate_formula(printed(collective, spec), ranks, 1.0) for spec in (short, long)
    )
    formula = (a2 - a1) * alpha / ((b1 - b2) * beta) if b1 > b2 and a2 > a1 and beta else None
    if formula is not None and per_peer:
        formula /= ranks

    def long_wins(size: int) -> bool:
        one, other = (predict_one(collective, spec, machine, size).seconds for spec in (short, long))
        return other < one

    least = ranks if collective == "reduce_scatter" else 1
    truth: int | None = None
    if long_wins(LARGEST // (ranks if per_peer else 1)):
        truth = least if long_wins(least) else boundary(long_wins, least, LARGEST // (ranks if per_peer else 1))
    error = formula / truth - 1 if formula and truth else None
    return {
        "kind": "cutoff",
        "collective": collective,
        "ranks": ranks,
        "short": short,
        "long": long,
        "in_alpha_over_beta": (a2 - a1) / (b1 - b2) if b1 > b2 else None,
        "formula": formula,
        "exhaustive": truth,
        "error": error,
    }
