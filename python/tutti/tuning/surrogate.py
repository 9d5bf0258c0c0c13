"""What is thought of candidates that were not measured: a Gaussian process around the model's predictions.

The model (model.py) knows messages and bytes, and is wrong by what it does not know, such as how an MPI library sends a
message of 32K.  What it is wrong by is alike for candidates that are alike: of one cell, of one kind (flat, in groups,
by nodes), of one algorithm, with the same senders and pieces, at neighbouring sizes.  So its errors at what was
measured say, with how sure that is, what they are at the rest (Rasmussen & Williams, Gaussian Processes for Machine
Learning, 2006, chapter 2); and from that follows what a first look may be worth (expected improvement: Jones, Schonlau
& Welch, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tutti.tuning.evidence import Cell, Gain
from tutti.tuning.model import Model
from tutti.tuning.traits import traits

# Standard deviations of the model's errors (logarithms), by a trait that candidates have in common, and over how many
# doublings of the size they stay alike (0: at one size only).  Of greatest likelihood for exhaustive searches on
# emulated nodes, and a quarter more, since early in a tuning the model knows less than it did there.
SHARED = (
    ("any", 0.18, 0.0),
    ("kind", 0.18, 8.0),
    ("tree", 0.14, 0.0),
    ("manner", 0.09, 0.0),
    ("spec", 0.14, 8.0),
    ("spec", 0.09, 0.0),
)


def covariance(ones: Sequence[tuple[Cell, str]], others: Sequence[tuple[Cell, str]]) -> np.ndarray:
    """Of the model's errors at candidates of one collective."""
    sizes = [np.log2([cell.size + 1.0 for cell, _ in of]) for of in (ones, others)]
    distance = np.abs(sizes[0][:, None] - sizes[1][None, :])
    same_cell = distance == 0
    known = [[traits(cell.collective, spec) for cell, spec in of] for of in (ones, others)]
    found = np.zeros_like(distance)
    for name, deviation, reach in SHARED:
        names = [[of[name] for of in row] for row in known]
        number = {value: i for i, value in enumerate(dict.fromkeys(names[0] + names[1]))}
        codes = [np.array([number[value] for value in row]) for row in names]
        alike = codes[0][:, None] == codes[1][None, :]
        found += deviation**2 * alike * (np.exp(-distance / reach) if reach else same_cell)
    return found


def improvement(mean: float, deviation: float, best: float) -> float:
    """What a look at it is expected to bring above `best`."""
    if deviation <= 0:
        return max(0.0, mean - best)
    z = (mean - best) / deviation
    return (mean - best) * 0.5 * math.erfc(-z / math.sqrt(2)) + deviation * math.exp(-z * z / 2) / math.sqrt(
        2 * math.pi
    )


class Surrogate:
    """Of one layout; learns each collective by itself."""

    def __init__(self, model: Model):
        self.model = model
        self._known: dict[str, tuple[list[tuple[Cell, str]], np.ndarray, np.ndarray, dict[Cell, float]]] = {}

    def expected(self, cell: Cell, spec: str, native: float) -> float:
        """The model's gain (a logarithm); a little behind native where it has no word."""
        time = self.model.predict(cell.collective, spec, cell.size)
        return math.log(native) - math.log(time) if time else -0.1

    def learn(self, collective: str, known: Mapping[Cell, Mapping[str, Gain]]) -> None:
        """From all that is known of the collective; after the model has learnt it."""
        points, errors, noise, natives = [], [], [], {}
        for cell, of in known.items():
            if cell.collective != collective or not of:
                continue
            natives[cell] = float(np.median([gain.native_us for gain in of.values()]))
            for spec, gain in of.items():
                points.append((cell, spec))
                errors.append(gain.mean - self.expected(cell, spec, natives[cell]))
                noise.append(gain.error**2)
        if not points:
            return
        inverse = np.linalg.inv(covariance(points, points) + np.diag(noise))
        self._known[collective] = points, inverse, inverse @ np.array(errors), natives

    def judge(self, cell: Cell, specs: Sequence[str]) -> dict[str, tuple[float, float]]:
        """By spec: the gain that is expected (a logarithm), and its standard deviation."""
        if not specs or cell.collective not in self._known:
            return {}
        points, inverse, weights, natives = self._known[cell.collective]
        wanted = [(cell, spec) for spec in specs]
        between = covariance(wanted, points)
        own = sum(deviation**2 for _, deviation, _ in SHARED)
        variance = own - np.einsum("ij,jk,ik->i", between, inverse, between)
        native = natives[cell if cell in natives else nearest(natives, cell)]
        means = between @ weights + [self.expected(cell, spec, native) for spec in specs]
        deviations = np.sqrt(np.maximum(variance, 1e-9))
        return {spec: (float(mean), float(d)) for spec, mean, d in zip(specs, means, deviations, strict=True)}


def nearest(cells: Iterable[Cell], cell: Cell) -> Cell:
    return min(cells, key=lambda one: abs(math.log((one.size + 1) / (cell.size + 1))))
