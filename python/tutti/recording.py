"""Reads what `tutti record` wrote: an application's collectives, of all ranks (docs/recording.md has the format).

>>> import pandas, tutti.recording
>>> recording = tutti.recording.load("app.rec")
>>> calls = pandas.DataFrame(recording.calls())       # a row a rank, site and kind of call
>>> samples = pandas.DataFrame(recording.samples())   # a row a rank and call that was kept with its times
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tutti.errors import UserError

HEADING = b"tutti-record 01\n"
NOWHERE = 0xFFFFFFFF
CALL = np.dtype(  # CallRecord in src/record/backend/conclude.cpp
    [
        ("site", "<u4"),
        ("communicator", "<u4"),
        ("datatype", "<u4"),
        ("op", "<u4"),
        ("root", "<i4"),
        ("collective", "u1"),
        ("in_place", "u1"),
        ("rounded", "u1"),
        ("zero", "u1"),
        ("size", "<i8"),
        ("calls", "<u8"),
        ("bytes", "<i8"),
        ("seconds", "<f8"),
        ("least", "<f8"),
        ("most", "<f8"),
    ]
)
SAMPLE = np.dtype([("entry", "<u4"), ("call", "<u4"), ("begin", "<f8"), ("end", "<f8")])


@dataclass(frozen=True)
class Part:
    """What one rank noted."""

    header: Mapping[str, Any]
    calls: np.ndarray  # of CALL
    samples: np.ndarray  # of SAMPLE

    def communicator(self, number: int) -> str:
        """Its identity: equal on all of its ranks."""
        return "" if number == NOWHERE else self.header["communicators"][number]["identity"]


@dataclass(frozen=True)
class Recording:
    """All ranks' parts, by rank."""

    path: Path
    parts: Sequence[Part]

    @property
    def ranks(self) -> int:
        return len(self.parts)

    @property
    def served(self) -> bool:
        """Whether tutti served the calls while they were recorded."""
        return bool(self.parts[0].header["served"])

    @property
    def library(self) -> str:
        """The MPI's name and version, as it says them first."""
        return " ".join(self.parts[0].header["library"].partition(",")[0].split())

    @property
    def seconds(self) -> float:
        """From the first MPI collective to MPI_Finalize, the mean over ranks."""
        return float(np.mean([part.header["end"] - part.header["begin"] for part in self.parts]))

    @property
    def one_clock(self) -> bool:
        """Whether all ranks read the same clock, so that their times can be compared."""
        return len({part.header["clock"] for part in self.parts}) == 1

    @cached_property
    def hosts(self) -> list[str]:
        """Of each rank."""
        return [part.header["host"] for part in self.parts]

    @cached_property
    def communicators(self) -> dict[str, list[int]]:
        """Ranks in MPI_COMM_WORLD of each communicator, by its identity, in the order of their ranks in it."""
        found = {}
        for part in self.parts:
            for each in part.header["communicators"]:
                if each.get("ranks") and not each["inter"]:
                    found[each["identity"]] = expand(each["ranks"])
        return found

    def calls(self) -> dict[str, np.ndarray]:
        """Columns of all ranks' notes: a row a rank, site and kind of call.  Seconds are of all its calls together."""
        parts = [calls_of(rank, part) for rank, part in enumerate(self.parts)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def samples(self) -> dict[str, np.ndarray]:
        """Columns of the calls that were kept with their times, in seconds since the first; `row`: in calls()."""
        parts, before = [], 0
        for rank, part in enumerate(self.parts):
            parts.append(samples_of(rank, part, before))
            before += len(part.calls)
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        origin = min((float(part["begin"].min()) for part in parts if len(part["begin"])), default=0.0)
        return columns | {"begin": columns["begin"] - origin, "end": columns["end"] - origin}


def expand(text: str) -> list[int]:
    """0-3,8 as numbers."""
    numbers: list[int] = []
    for item in text.split(","):
        first, _, last = item.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def named(names: Sequence[str], numbers: np.ndarray) -> np.ndarray:
    """Names by number; '' where there is none."""
    table = np.array([*names, ""], dtype=object)
    return table[np.where(numbers == NOWHERE, len(names), numbers)]


def calls_of(rank: int, part: Part) -> dict[str, np.ndarray]:
    header, notes = part.header, part.calls
    sites = [(site["object"], int(site["address"], 16), int(site["base"], 16)) for site in header["sites"]]
    members = header["communicators"]
    return {
        "rank": np.full(len(notes), rank, "i4"),
        "object": named([site[0] for site in sites], notes["site"]),
        "address": np.array([*(site[1] for site in sites), 0], "u8")[np.minimum(notes["site"], len(sites))],
        "base": np.array([*(site[2] for site in sites), 0], "u8")[np.minimum(notes["site"], len(sites))],
        "symbol": named([site["symbol"] for site in header["sites"]], notes["site"]),
        "collective": np.array(header["collectives"], dtype=object)[notes["collective"]],
        "communicator": named([each["identity"] for each in members], notes["communicator"]),
        "ranks": np.array([*(each["size"] for each in members), 0], "i4")[
            np.minimum(notes["communicator"], len(members))
        ],
        "root": notes["root"],
        "datatype": named(header["datatypes"], notes["datatype"]),
        "operator": named(header["operators"], notes["op"]),
        "in_place": notes["in_place"] == 1,
        "rounded": notes["rounded"],
        "size": notes["size"],
        "calls": notes["calls"].astype("i8"),
        "bytes": notes["bytes"],
        "seconds": notes["seconds"],
        "least": notes["least"],
        "most": notes["most"],
    }


def samples_of(rank: int, part: Part, before: int) -> dict[str, np.ndarray]:
    entry = part.samples["entry"]
    numbers = part.calls["communicator"][entry]
    identities = [each["identity"] for each in part.header["communicators"]]
    return {
        "rank": np.full(len(entry), rank, "i4"),
        "row": entry.astype("i8") + before,
        "communicator": named(identities, numbers),
        "call": part.samples["call"].astype("i8"),
        "begin": part.samples["begin"],
        "end": part.samples["end"],
    }


def part_at(data: memoryview, at: int) -> tuple[Part, int]:
    """One rank's part, and where the next begins.  Raises ValueError where the data end before it does."""
    length = int(np.frombuffer(data, "<u8", 1, at)[0])
    header = json.loads(bytes(data[at + 8 : at + 8 + length]))
    at += 8 + length
    calls = np.frombuffer(data, CALL, header["calls"], at)
    at += calls.nbytes
    samples = np.frombuffer(data, SAMPLE, header["samples"], at)
    return Part(header, calls, samples), at + samples.nbytes


def load(path: Path | str) -> Recording:
    """Raises UserError where there is no such file, or it is not a whole recording."""
    path = Path(path)
    try:
        data = memoryview(path.read_bytes())
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    if bytes(data[: len(HEADING)]) != HEADING:
        raise UserError(f"{path} is not a recording: tutti record writes them")
    parts, at = [], len(HEADING)
    try:
        while at < len(data):
            part, at = part_at(data, at)
            parts.append(part)
    except (ValueError, KeyError):
        raise UserError(f"{path} was cut short: what follows rank {len(parts) - 1} is missing") from None
    if not parts or len(parts) != parts[0].header["ranks"]:
        raise UserError(f"{path} was cut short: it holds {len(parts)} ranks")
    return Recording(path, parts)
