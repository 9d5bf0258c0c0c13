"""Every sample of a run: each rank's beginning and end of each repetition, on the global clock.

While a run goes on, each rank writes a binary file in raw/launch-L-ranks-N (src/bench/sample_file.hpp).  When it ends,
they become samples.parquet, and results.jsonl becomes summary.parquet, where pyarrow is installed.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

RAW, SAMPLES, SUMMARY = "raw", "samples.parquet", "summary.parquet"
HEADING = b"tutti-samples 1\n"
RECORD = np.dtype(
    [("cell", "u4"), ("repetition", "u4"), ("begin", "f8"), ("end", "f8"), ("late", "f8")]
)  # struct Sample
PORTION = 1 << 20  # records that are held at a time
NUMBERS = ("launch", "ranks", "size")
CELL = (*NUMBERS, "collective", "variant", "arrival")  # what a sample is of


def raw_folder(folder: Path, launch: int, ranks: int) -> Path:
    return folder / RAW / f"launch-{launch:05}-ranks-{ranks:05}"


def has_parquet() -> bool:
    """Whether Parquet can be read and written here."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def records(file: Path) -> np.ndarray:
    """What one rank wrote; a last record that was cut short is left out."""
    with file.open("rb") as stream:
        heading = stream.read(len(HEADING))
    if heading != HEADING:
        raise ValueError(f"{file} is not a file of samples")
    count = (file.stat().st_size - len(HEADING)) // RECORD.itemsize
    return np.memmap(file, RECORD, "r", offset=len(HEADING), shape=(count,)) if count else np.empty(0, RECORD)


def columns(part: np.ndarray, cells: Mapping[int, Mapping[str, Any]], rank: int) -> dict[str, Any]:
    """Records as columns, without those of cells that have no result: the launch ended in their midst."""
    known = np.array(sorted(cells), dtype="u4")
    part = part[np.isin(part["cell"], known)]
    place = np.searchsorted(known, part["cell"])
    rows = [cells[int(cell)] for cell in known]

    def of(key: str, kind: str) -> np.ndarray:
        return np.array([row.get(key, "") for row in rows], dtype=kind)[place]

    return {
        "launch": of("launch", "i4"),
        "ranks": of("ranks", "i4"),
        "collective": of("collective", "U32"),
        "size": of("size", "i8"),
        "variant": of("variant", "U32"),
        "arrival": of("arrival", "U256"),
        "batch": of("batch", "i4"),
        "repetition": part["repetition"].astype("i4"),
        "rank": np.full(len(part), rank, "i4"),
        "begin_us": 1e6 * part["begin"],
        "end_us": 1e6 * part["end"],
        "late_us": 1e6 * part["late"],
    }


def portions(folder: Path, results: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The raw samples of a run, some at a time: launch after launch, in each rank after rank."""
    for launch in sorted((folder / RAW).glob("launch-*-ranks-*")):
        number, ranks = (int(word) for word in re.findall(r"\d+", launch.name))
        cells = {row["cell"]: row for row in results if (row["launch"], row["ranks"]) == (number, ranks)}
        for file in sorted(launch.glob("rank-*.bin")) if cells else []:
            every = records(file)
            for begin in range(0, len(every), PORTION):
                yield columns(every[begin : begin + PORTION], cells, int(file.stem.removeprefix("rank-")))


def write_parquet(folder: Path, results: Sequence[Mapping[str, Any]]) -> bool:
    """Makes samples.parquet and summary.parquet, and removes the raw files.  False where there is no pyarrow."""
    if not has_parquet():
        return False
    import pyarrow as pa
    import pyarrow.parquet as pq

    plain = [{key: value for key, value in row.items() if not isinstance(value, dict | list)} for row in results]
    names = list(dict.fromkeys(key for row in plain for key in row))
    pq.write_table(pa.table({name: [row.get(name) for row in plain] for name in names}), folder / SUMMARY)
    partial, writer = folder / f"{SAMPLES}.partial", None
    for portion in portions(folder, results):
        table = pa.table(portion)
        writer = writer or pq.ParquetWriter(partial, table.schema, compression="zstd")
        writer.write_table(table)
    if writer:
        writer.close()
        partial.rename(folder / SAMPLES)
    shutil.rmtree(folder / RAW, ignore_errors=True)
    return True


def read(folder: Path, results: Sequence[Mapping[str, Any]], **where: Any) -> dict[str, np.ndarray]:
    """Columns of all samples of a run, or of those whose columns have the values in `where`: collective="bcast".

    From samples.parquet, else from the raw files; empty where there are neither.
    """
    if (folder / SAMPLES).is_file() and has_parquet():
        import pyarrow.parquet as pq

        filters = [(key, "=", value) for key, value in where.items()] or None
        table = pq.read_table(folder / SAMPLES, filters=filters)
        return {name: table[name].to_numpy() for name in table.column_names}
    parts = []
    for portion in portions(folder, results):
        chosen = np.ones(len(portion["rank"]), bool)
        for key, value in where.items():
            chosen &= portion[key] == value
        parts.append({key: column[chosen] for key, column in portion.items()})
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]} if parts else {}


def times(samples: Mapping[str, np.ndarray], between_ranks: bool) -> dict[tuple, np.ndarray]:
    """Microseconds of one call for each repetition of each (launch, ranks, size, collective, variant, arrival):
    the slowest rank's, or, `between_ranks`, from the first rank's beginning to the last one's end.  Without late ones.
    """
    if not samples:
        return {}
    codes = [np.unique(samples[name], return_inverse=True) for name in CELL]
    cell = np.ravel_multi_index([code for _, code in codes], [len(values) for values, _ in codes])
    order = np.argsort(cell, kind="stable")
    found = {}
    for part in np.split(order, np.flatnonzero(np.diff(cell[order])) + 1):
        key = tuple(samples[name][part[0]].item() if name in NUMBERS else samples[name][part[0]] for name in CELL)
        found[key] = _times_of({name: column[part] for name, column in samples.items()}, between_ranks)
    return found


def _times_of(cell: Mapping[str, np.ndarray], between_ranks: bool) -> np.ndarray:
    repetitions, place = np.unique(cell["repetition"], return_inverse=True)
    count = len(repetitions)
    late, first, last, longest = np.zeros(count), np.full(count, np.inf), np.full(count, -np.inf), np.zeros(count)
    np.maximum.at(late, place, cell["late_us"])
    np.minimum.at(first, place, cell["begin_us"])
    np.maximum.at(last, place, cell["end_us"])
    np.maximum.at(longest, place, cell["end_us"] - cell["begin_us"])
    return ((last - first if between_ranks else longest) / cell["batch"][0])[late == 0]
