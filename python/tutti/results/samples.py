"""Every sample of a run: each rank's beginning and end of each repetition, on the global clock.

While a run goes on, each rank writes a binary file in raw/launch-L-ranks-N (src/bench/sample_file.hpp).  When it ends,
they become samples.parquet, and results.jsonl becomes summary.parquet, where pyarrow is installed.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tutti.results import caches

RAW, SAMPLES, SUMMARY = "raw", "samples.parquet", "summary.parquet"
LAUNCHES = b"tutti.launches"  # in the metadata of samples.parquet
HEADING = b"tutti-samples 1\n"
RECORD = np.dtype(
    [("cell", "u4"), ("repetition", "u4"), ("begin", "f8"), ("end", "f8"), ("late", "f8")]
)  # struct Sample
PORTION = 1 << 20  # records that are held at a time


def raw_folder(folder: Path, launch: int, ranks: int, part: int = 1) -> Path:
    """`part`: 2 where a launch was interrupted, and its missing cases were measured in another one; and so on."""
    return folder / RAW / (f"launch-{launch:05}-ranks-{ranks:05}" + (f"-part-{part:05}" if part > 1 else ""))


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
        "cache": np.array([caches.of(row) for row in rows], dtype="U16")[place],
        "batch": of("batch", "i4"),
        "repetition": part["repetition"].astype("i4"),
        "rank": np.full(len(part), rank, "i4"),
        "begin_us": 1e6 * part["begin"],
        "end_us": 1e6 * part["end"],
        "late_us": 1e6 * part["late"],
    }


def portions(
    folder: Path, results: Sequence[Mapping[str, Any]], without: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """The raw samples of a run, some at a time: launch after launch, in each rank after rank.  `without`: folders of
    launches that are left out."""
    for launch in sorted((folder / RAW).glob("launch-*-ranks-*")):
        number, ranks, part = (*(int(word) for word in re.findall(r"\d+", launch.name)), 1)[:3]
        cells = {
            row["cell"]: row
            for row in results
            if (row["launch"], row["ranks"], row.get("part", 1)) == (number, ranks, part)
        }
        for file in sorted(launch.glob("rank-*.bin")) if cells and launch.name not in without else []:
            every = records(file)
            for begin in range(0, len(every), PORTION):
                yield columns(every[begin : begin + PORTION], cells, int(file.stem.removeprefix("rank-")))


def stated(table: Any, results: Sequence[Mapping[str, Any]]) -> Any:
    """A table of Parquet with its states of caches; those of earlier versions hold none, since a run had one."""
    if "cache" in table.column_names:
        return table
    usual = next((state for row in results if (state := caches.of(row))), caches.COLD)
    bare = np.isin(table["collective"].to_numpy().astype(str), caches.WITHOUT_BUFFERS)
    return table.add_column(table.column_names.index("arrival") + 1, "cache", [np.where(bare, "", usual)])


def launches_in(file: Path) -> list[str]:
    """Names of the raw folders whose samples are in a file of Parquet."""
    import pyarrow.parquet as pq

    return json.loads((pq.read_schema(file).metadata or {}).get(LAUNCHES, b"[]")) if file.is_file() else []


def write_parquet(folder: Path, results: Sequence[Mapping[str, Any]]) -> bool:
    """Makes summary.parquet and samples.parquet, of what is in that already and of the raw files, which it removes.
    False where there is no pyarrow.

    samples.parquet names the launches that are in it: if this is killed before the raw files are removed, they do not
    count twice.
    """
    if not has_parquet():
        return False
    import pyarrow as pa
    import pyarrow.parquet as pq

    plain = [{key: value for key, value in row.items() if not isinstance(value, dict | list)} for row in results]
    names = list(dict.fromkeys(key for row in plain for key in row))
    pq.write_table(pa.table({name: [row.get(name) for row in plain] for name in names}), folder / SUMMARY)
    before, partial = folder / SAMPLES, folder / f"{SAMPLES}.partial"
    known = launches_in(before)
    fresh = [each.name for each in sorted((folder / RAW).glob("launch-*")) if each.name not in known]
    if fresh:
        old = pq.ParquetFile(before) if before.is_file() else None
        tables = (stated(old.read_row_group(i), results) for i in range(old.num_row_groups)) if old else ()
        added = (pa.table(portion) for portion in portions(folder, results, known))
        about = {LAUNCHES: json.dumps([*known, *fresh]).encode()}
        write_tables(partial, itertools.chain(tables, added), about)
        if partial.is_file():
            partial.rename(before)
    shutil.rmtree(folder / RAW, ignore_errors=True)
    return True


def write_tables(file: Path, tables: Iterator[Any], about: Mapping[bytes, bytes]) -> None:
    """No file where there are no tables."""
    import pyarrow.parquet as pq

    file.unlink(missing_ok=True)
    writer = None
    for table in tables:
        table = table.replace_schema_metadata(about)
        writer = writer or pq.ParquetWriter(file, table.schema, compression="zstd")
        writer.write_table(table)
    if writer:
        writer.close()


def read(folder: Path, results: Sequence[Mapping[str, Any]], **where: Any) -> dict[str, np.ndarray]:
    """Columns of all samples of a run, or of those whose columns have the values in `where`: collective="bcast".

    From samples.parquet, and from raw files that are not in it yet; empty where there are neither.
    """
    parts, known = [], []
    if (folder / SAMPLES).is_file() and has_parquet():
        import pyarrow.parquet as pq

        known = launches_in(folder / SAMPLES)
        filters = [(key, "=", value) for key, value in where.items()] or None
        table = stated(pq.read_table(folder / SAMPLES, filters=filters), results)
        parts.append({name: table[name].to_numpy() for name in table.column_names})
    for portion in portions(folder, results, known):
        chosen = np.ones(len(portion["rank"]), bool)
        for key, value in where.items():
            chosen &= portion[key] == value
        parts.append({key: column[chosen] for key, column in portion.items()})
    if len(parts) == 1:
        return parts[0]
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]} if parts else {}
