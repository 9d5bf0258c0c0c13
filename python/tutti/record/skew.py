"""How late ranks came to a program's collectives, from the calls that a recording kept with their times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tutti.record.early import avoidable
from tutti.recording import Recording


@dataclass(frozen=True)
class Skew:
    """Of each kept call of which all ranks' times are there, a row a rank (seconds).

    `row`: of Recording.calls(); `wait`: how long this rank was in the call while some rank had not come to it;
    `avoidable`: the part of that which the call's meaning does not ask for;
    `late`: how long it came after the first rank; `apart`: the last rank after the first; `duration`: in the call.
    `instance` numbers the calls, `place` is the rank in the communicator.
    """

    row: np.ndarray
    instance: np.ndarray
    place: np.ndarray
    wait: np.ndarray
    avoidable: np.ndarray
    late: np.ndarray
    apart: np.ndarray
    duration: np.ndarray


def places(recording: Recording, samples: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Of each sample the rank in its communicator (-1: not known), and the communicator's size."""
    place, size = np.full(len(samples["rank"]), -1), np.zeros(len(samples["rank"]), int)
    for identity, members in recording.communicators.items():
        here = np.flatnonzero(samples["communicator"] == identity)
        index = np.full(recording.ranks, -1)
        index[members] = np.arange(len(members))
        place[here], size[here] = index[samples["rank"][here]], len(members)
    return place, size


def kinds(recording: Recording, rows: np.ndarray) -> np.ndarray:
    """(collective, root, size) of each of these rows of Recording.calls()."""
    calls = recording.calls()
    table = np.empty((len(rows), 3), dtype=object)
    for column, name in enumerate(("collective", "root", "size")):
        table[:, column] = calls[name][rows]
    return table


def of(recording: Recording) -> Skew | None:
    """None where ranks do not share a clock, or no call is there as a whole."""
    samples = recording.samples()
    if not recording.one_clock or not len(samples["rank"]):
        return None
    place, size = places(recording, samples)
    _, communicator = np.unique(samples["communicator"].astype(str), return_inverse=True)
    pairs = np.stack([communicator, samples["call"]], axis=1)
    _, instance, present = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    instance = instance.reshape(-1)
    whole = (present[instance] == size) & (size > 1)
    if not whole.any():
        return None
    begin, end, instance = samples["begin"][whole], samples["end"][whole], instance[whole]
    first, last = np.full(len(present), np.inf), np.full(len(present), -np.inf)
    np.minimum.at(first, instance, begin)
    np.maximum.at(last, instance, begin)
    row, place = samples["row"][whole], place[whole]
    return Skew(
        row=row,
        instance=instance,
        place=place,
        avoidable=avoidable(begin, end, instance, place, kinds(recording, row)),
        wait=np.minimum(end, last[instance]) - begin,
        late=begin - first[instance],
        apart=(last - first)[instance],
        duration=end - begin,
    )


def delays(skew: Skew, rows: np.ndarray, ranks: int, most: int = 1000) -> np.ndarray:
    """Arrivals at the calls of these rows: a line a call, in it each rank's delay after the first rank, in seconds.

    Calls of which not every rank's row is among `rows` are left out.
    """
    chosen = np.isin(skew.row, rows)
    instances, index, present = np.unique(skew.instance[chosen], return_inverse=True, return_counts=True)
    table = np.zeros((len(instances), ranks))
    table[index, skew.place[chosen]] = skew.late[chosen]
    return table[present == ranks][:most]
