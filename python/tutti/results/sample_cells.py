"""The samples of a run, one cell after the other, as matrices of repetitions by ranks.

What a distribution is made of: samples.py reads and writes the files, here their rows are put together again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tutti.results import caches, runs, samples, timed
from tutti.results.runs import Run

AT_ONCE = 20_000_000  # rows that are held at a time, about 60 bytes each; above, one collective after the other
FEWEST = 6  # where fewer repetitions were in time, late ones count too, as in the run's own figures
TOLERANCE = 0.05  # part of the skew by which a rank may miss the moment its arrival pattern gives it
CELL = ("launch", "ranks", "size", "collective", "variant", "arrival", "cache")  # what a sample is of


@dataclass(frozen=True)
class CellSamples:
    """All repetitions of one variant in one cell of one launch; microseconds of one call, on the global clock.

    `begin` and `end` are (repetitions, ranks); `late` says for each repetition whether a rank missed its start.
    """

    launch: int
    ranks: int
    collective: str
    size: int
    variant: str
    arrival: str
    cache: str
    batch: int
    begin: np.ndarray
    end: np.ndarray
    late: np.ndarray
    timed: str = timed.SLOWEST


def codes(column: Any) -> tuple[np.ndarray, list]:
    """Numbers in place of values, and the values: of a column of numpy's or of Arrow's."""
    if isinstance(column, np.ndarray):
        values, places = np.unique(column, return_inverse=True)
        return places, values.tolist()
    coded = column.dictionary_encode() if not str(column.type).startswith("dictionary") else column.unify_dictionaries()
    coded = coded.combine_chunks()
    if hasattr(coded, "chunks"):
        coded = coded.chunk(0) if coded.num_chunks else None
    if coded is None:
        return np.empty(0, int), []
    return coded.indices.to_numpy(zero_copy_only=False), coded.dictionary.to_pylist()


def tables(run: Run) -> Iterator[Mapping[str, Any]]:
    """The columns of a run's samples, all at once where they are few enough."""
    file = run.folder / samples.SAMPLES
    if not (file.is_file() and samples.has_parquet()):
        if columns := samples.read(run.folder, run.results):
            yield columns
        return
    import pyarrow.parquet as pq

    words = ["collective", "variant", "arrival", "cache"]
    parts: list[Any] = [None]
    if pq.read_metadata(file).num_rows > AT_ONCE:
        parts = [[("collective", "=", name)] for name in dict.fromkeys(row["collective"] for row in run.results)]
    for part in parts:
        table = samples.stated(pq.read_table(file, filters=part, read_dictionary=words), run.results)
        if table.num_rows:
            yield {name: table[name] if name in CELL else table[name].to_numpy() for name in table.column_names}


def cells(run: Run) -> Iterator[CellSamples]:
    """Every cell, variant and launch of a run's samples.  Repetitions that some rank did not finish are left out."""
    for columns in tables(run):
        yield from split(columns, run.results)


def split(columns: Mapping[str, Any], results: Iterable[Mapping[str, Any]]) -> Iterator[CellSamples]:
    """`results` say how a cell's time is defined, and by how much its ranks were skewed."""
    known = {tuple((row | {"cache": caches.of(row)}).get(name, "") for name in CELL): row for row in results}
    coded = [codes(columns[name]) for name in CELL]
    cell = np.ravel_multi_index([places for places, _ in coded], [max(1, len(values)) for _, values in coded])
    order = np.lexsort((columns["rank"], columns["repetition"], cell))
    cell = cell[order]
    for part in np.split(order, np.flatnonzero(np.diff(cell)) + 1):
        first = part[0]
        what = {name: values[places[first]] for name, (places, values) in zip(CELL, coded, strict=True)}
        repetition = columns["repetition"][part]
        _, starts, counts = np.unique(repetition, return_index=True, return_counts=True)
        whole = starts[counts == what["ranks"]]
        if not len(whole):
            continue
        rows = part[whole[:, None] + np.arange(what["ranks"])]
        batch = int(columns["batch"][first])
        row = known.get(
            tuple(what[name] for name in CELL), {"collective": what["collective"], "arrival": what["arrival"]}
        )
        skew = row.get("skew_us") or 0
        yield CellSamples(
            **what,
            batch=batch,
            begin=columns["begin_us"][rows],
            end=columns["end_us"][rows],
            late=columns["late_us"][rows].max(axis=1) > TOLERANCE * skew,
            timed=timed.of(row),
        )


def in_time(cell: CellSamples) -> np.ndarray:
    """Which repetitions count."""
    kept = ~cell.late
    return kept if kept.sum() >= FEWEST else np.ones(len(kept), bool)


def times(cell: CellSamples, kept: Sequence[bool] | np.ndarray) -> np.ndarray:
    """Microseconds of one call for each kept repetition, by the definition of the run's own figures."""
    begin, end = cell.begin[kept], cell.end[kept]
    if cell.timed == timed.AFTER_LAST:
        return (end.max(axis=1) - begin.max(axis=1)) / cell.batch
    if cell.timed == timed.TOGETHER:
        return (end.max(axis=1) - begin.min(axis=1)) / cell.batch
    return (end - begin).max(axis=1) / cell.batch


def by_cell(all_of_them: Iterable[CellSamples]) -> dict[tuple, np.ndarray]:
    """Times of every repetition that was in time, by what CELL names."""
    return {tuple(getattr(one, name) for name in CELL): times(one, ~one.late) for one in all_of_them}


def load_times(folder: Path) -> dict[tuple, np.ndarray]:
    """As by_cell, of a run's folder."""
    return by_cell(cells(runs.load(folder)))
