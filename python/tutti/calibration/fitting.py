"""From times of messages to parameters: pieces of Hockney's model, L, o, g, G, S, each with its interval."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tutti.results.statistics import Estimate, median, median_estimate

LEAST = 3  # sizes of a piece
MOST_PIECES = 4
NOISE = 0.02  # relative: what times of one protocol differ from a straight line by
JUMP = 1.3  # α of the next piece over that of the one before, from which on the protocol is taken for rendezvous


@dataclass(frozen=True)
class Piece:
    start: int  # bytes
    latency: float  # seconds
    per_byte: float


def line(sizes: np.ndarray, times: np.ndarray) -> tuple[float, float, float]:
    """(α, β, sum of squared relative errors), neither negative, of least relative error."""
    best = None
    rows = np.stack([1 / times, sizes / times], axis=1)
    for columns in ([0, 1], [0], [1]):
        found, *_ = np.linalg.lstsq(rows[:, columns], np.ones(len(times)), rcond=None)
        both = np.zeros(2)
        both[columns] = found
        if (both >= 0).all():
            error = float(((rows @ both - 1) ** 2).sum())
            if best is None or error < best[2]:
                best = float(both[0]), float(both[1]), error
            if columns == [0, 1]:
                break
    return best or (float(times.mean()), 0.0, float("inf"))


def pieces_of(times: Mapping[int, float]) -> list[Piece]:
    """As few straight lines as describe the times to within their noise: dynamic programming over where they begin,
    with the Bayesian information criterion for how many."""
    sizes = sorted(times)
    x, y = np.array(sizes, dtype=float), np.array([times[size] for size in sizes])
    count = len(sizes)
    fits = {
        (i, j): line(x[i:j], y[i:j]) for i in range(count) for j in range(i + LEAST, count + 1)
    } or {(0, count): line(x, y)}  # fmt: skip
    # best[k][j]: (error, cuts) of the first j sizes in k pieces.
    best: list[dict[int, tuple[float, tuple[int, ...]]]] = [{0: (0.0, ())}]
    for _ in range(MOST_PIECES):
        row: dict[int, tuple[float, tuple[int, ...]]] = {}
        for (i, j), fit in fits.items():
            if i in best[-1]:
                error, cuts = best[-1][i]
                if j not in row or error + fit[2] < row[j][0]:
                    row[j] = error + fit[2], (*cuts, i)
        best.append(row)
    able = [row[count] for row in best[1:] if count in row]
    score = [count * np.log(error / count + NOISE**2) + 3 * len(cuts) * np.log(count) for error, cuts in able]
    cuts = (*able[int(np.argmin(score))][1], count)
    found = [(sizes[i] if i else 0, *fits[i, j][:2]) for i, j in itertools.pairwise(cuts)]
    return [Piece(*each) for each in found]


def rendezvous_of(pieces: Sequence[Piece]) -> int | None:
    """The size from which on messages wait for their receivers: where α leaps up; None where it nowhere does."""
    for before, after in itertools.pairwise(pieces):
        if after.latency > JUMP * before.latency and after.start > 0:
            return after.start
    return None


@dataclass(frozen=True)
class Launch:
    """What one launch measured, in seconds: one message by its size, and from one short message to the next."""

    messages: Mapping[int, float]
    interval: float


@dataclass(frozen=True)
class Link:
    latency: Estimate
    overhead: Estimate
    gap: Estimate
    per_byte: Estimate
    pieces: list[Piece]
    rendezvous: int | None


def link_of(launches: Sequence[Launch]) -> Link:
    """Raises ValueError where too few sizes were measured.

    A burst tells the longer of o and g.  It is taken for o, as far as a message of the least size has room for two of
    them; what is left of that message is L.
    """
    sizes = set.intersection(*(set(launch.messages) for launch in launches))
    if len(sizes) < LEAST:
        raise ValueError(f"{len(sizes)} sizes were measured, and {LEAST} are needed")
    middle = {size: median([launch.messages[size] for launch in launches]) for size in sizes}
    pieces, least = pieces_of(middle), min(sizes)
    last = [size for size in sorted(sizes) if size >= pieces[-1].start]

    def overhead(launch: Launch) -> float:
        return max(0.0, min(launch.interval, 0.45 * launch.messages[least]))

    def slope(launch: Launch) -> float:
        return line(np.array(last, dtype=float), np.array([launch.messages[size] for size in last]))[1]

    return Link(
        latency=median_estimate([launch.messages[least] - 2 * overhead(launch) for launch in launches]),
        overhead=median_estimate([overhead(launch) for launch in launches]),
        gap=median_estimate([max(0.0, launch.interval) for launch in launches]),
        per_byte=median_estimate([slope(launch) for launch in launches]),
        pieces=pieces,
        rendezvous=rendezvous_of(pieces),
    )
