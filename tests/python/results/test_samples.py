"""Samples: raw files of ranks, Parquet of them, and times derived from either."""

import numpy as np
import pytest
from helpers.measurable import an_mpi
from tutti.bench import command_line as bench
from tutti.bench.plan import Plan
from tutti.bench.timing import Timing
from tutti.output import Output
from tutti.results import runs, sample_cells, samples

MS = 1e-3


def raw(folder, launch, ranks, rank, rows):
    """rows: (cell, repetition, begin, end, late) in seconds."""
    place = samples.raw_folder(folder, launch, ranks)
    place.mkdir(parents=True, exist_ok=True)
    body = np.array(rows, dtype=samples.RECORD).tobytes()
    (place / f"rank-{rank:05}.bin").write_bytes(samples.HEADING + body)


def result(cell, variant, collective="bcast", launch=1, **more):
    return {"launch": launch, "ranks": 2, "collective": collective, "size": 8, "variant": variant, "cell": cell,
            "batch": 2, "repetitions": 2, "median_us": 1.0, **more}  # fmt: skip


@pytest.fixture
def run(tmp_path):
    """Two ranks, two variants, two repetitions; one late, and a cell without a result."""
    results = [result(0, "tutti", bound={"flags": 1}), result(1, "native")]
    writer = runs.RunWriter(tmp_path / "run", {})
    for row in results:
        writer.add(row)
    raw(
        tmp_path / "run",
        1,
        2,
        0,
        [(0, 0, 1, 1 + MS, 0), (1, 0, 2, 2 + 2 * MS, 0), (0, 1, 3, 3 + MS, 0), (4, 0, 9, 9, 0)],
    )
    raw(tmp_path / "run", 1, 2, 1, [(0, 0, 1, 1 + 3 * MS, 0), (1, 0, 2 + MS, 2 + 2 * MS, 0), (0, 1, 3, 3 + MS, MS)])
    return writer


def test_raw_samples_and_parquet_read_alike(run):
    pytest.importorskip("pyarrow")
    results = runs.load(run.folder).results
    before = samples.read(run.folder, results)
    assert run.close() and not (run.folder / samples.RAW).exists()
    after = samples.read(run.folder, results)
    assert before.keys() == after.keys() and len(after["rank"]) == 6
    assert all((before[key] == after[key]).all() for key in before)
    assert set(samples.read(run.folder, results, variant="native")["variant"]) == {"native"}
    import pyarrow.parquet as pq

    summary = pq.read_table(run.folder / samples.SUMMARY).to_pylist()
    assert [row["variant"] for row in summary] == ["tutti", "native"] and "bound" not in summary[0]


def test_times_are_of_one_call_on_the_slowest_rank_and_leave_late_ones_out(run):
    columns = samples.read(run.folder, runs.load(run.folder).results)
    slowest = sample_cells.by_cell(sample_cells.split(columns, []))
    assert slowest[1, 2, 8, "bcast", "tutti", "", "cold"] == pytest.approx([1500])
    assert slowest[1, 2, 8, "bcast", "native", "", "cold"] == pytest.approx([1000])


def test_times_between_ranks_are_from_the_first_beginning_to_the_last_end(tmp_path):
    raw(tmp_path, 1, 2, 0, [(1, 0, 2, 2 + MS, 0)])
    raw(tmp_path, 1, 2, 1, [(1, 0, 2 + 2 * MS, 2 + 4 * MS, 0)])
    rows = [result(1, "native", timed="first_to_last")]
    found = sample_cells.by_cell(sample_cells.split(samples.read(tmp_path, rows), rows))
    assert found[1, 2, 8, "bcast", "native", "", "cold"] == pytest.approx([2000])


def test_a_record_cut_short_loses_only_itself_and_other_files_are_told(run):
    file = samples.raw_folder(run.folder, 1, 2) / "rank-00000.bin"
    file.write_bytes(file.read_bytes()[:-5])
    assert len(samples.records(file)) == 3
    file.write_bytes(b"something else entirely")
    with pytest.raises(ValueError, match="not a file of samples"):
        samples.records(file)


def test_without_pyarrow_the_raw_samples_stay_and_are_read(run, monkeypatch):
    monkeypatch.setattr(samples, "has_parquet", lambda: False)
    assert run.close() is False
    assert len(sample_cells.load_times(run.folder)) == 2


@pytest.mark.parametrize("sync", ["round", "messages", "barrier"])
def test_the_figures_of_a_run_follow_from_its_samples(tmp_path, sync):
    plan = Plan(["allreduce", "bcast"], [8, 4096], [2], launches=2, seconds=0.03, null=True, timing=Timing(sync=sync))
    measured = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert measured.failures == []
    times = sample_cells.load_times(tmp_path / "run")
    # Where hardly any start was in time, a run counts late repetitions too.
    in_time = [row for row in measured.results if row["repetitions"] - row["late"] >= 6]
    if not in_time:
        pytest.skip("this machine is too busy for ranks to start together")
    for row in in_time:
        mine = times[tuple(row.get(key, "") for key in sample_cells.CELL)]
        assert len(mine) == row["repetitions"]
        assert np.median(mine) == pytest.approx(row["median_us"], rel=0.02, abs=0.05)
