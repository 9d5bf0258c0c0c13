"""The report's distributions: what follows from samples, and which of them count."""

import numpy as np
import pytest
from helpers.made_runs import Made, make
from helpers.measurable import an_mpi
from helpers.pages import text_of
from tutti.bench import command_line as bench
from tutti.bench.plan import Plan
from tutti.output import Output
from tutti.report.measured import measurements
from tutti.report.study import Study
from tutti.results import runs, sample_cells, samples


def test_figures_of_a_distribution_follow_from_its_samples(tmp_path):
    folder = make(tmp_path / "a", collectives=("bcast",), sizes=(8,), ranks=(3,), launches=2, nodes=3)
    study = Study(measurements([runs.load(folder)])[0])
    (distribution,) = study.distributions.values()
    spread = distribution.variants["native"]
    columns = samples.read(folder, [], variant="native")
    own = columns["end_us"] - columns["begin_us"]
    calls = list(zip(columns["launch"], columns["repetition"], strict=True))
    slowest = {call: max(t for t, c in zip(own, calls, strict=True) if c == call) for call in set(calls)}
    times = np.array(list(slowest.values()))
    assert spread.count == len(times) == 80
    assert (spread.least, spread.most) == pytest.approx((times.min(), times.max()))
    assert (spread.mean, spread.deviation) == pytest.approx((times.mean(), times.std()))
    assert spread.above_least[0] == pytest.approx((times > 2 * times.min()).mean())
    assert spread.above_mean[0] == pytest.approx((times > times.mean() + times.std()).mean())
    assert spread.histogram.sum() == pytest.approx(1)
    assert [part.mean for part in spread.ranks] == pytest.approx([own[columns["rank"] == r].mean() for r in range(3)])
    assert len(spread.nodes) == 3 and spread.worst.call == pytest.approx(times.max())
    assert abs(np.searchsorted(np.sort(times), spread.usual.call * 1.0000001) - 40) <= 1


def test_repetitions_that_a_rank_did_not_finish_or_that_were_late_do_not_count(tmp_path):
    made = Made(collectives=("bcast",), sizes=(8,), ranks=(2,), launches=1, repetitions=20, variants=("native",))
    folder = make(tmp_path / "a", made)
    import pyarrow.parquet as pq

    file = folder / samples.SAMPLES
    table = pq.read_table(file)
    late = table["late_us"].to_numpy().copy()
    late[3] = 5.0
    table = table.set_column(table.column_names.index("late_us"), "late_us", [late]).slice(0, 39)
    pq.write_table(table, file)
    (distribution,) = Study(measurements([runs.load(folder)])[0]).distributions.values()
    assert (distribution.variants["native"].count, distribution.variants["native"].late) == (18, 1)


def test_samples_too_many_for_the_memory_are_read_in_parts(tmp_path, monkeypatch):
    run = runs.load(make(tmp_path / "a", ranks=(2, 3), launches=2, repetitions=8))

    def found():
        return {(c.launch, c.ranks, c.collective, c.size, c.variant): c.end.sum() for c in sample_cells.cells(run)}

    whole = found()
    monkeypatch.setattr(sample_cells, "AT_ONCE", 100)
    assert len(list(sample_cells.tables(run))) == 2
    assert found() == whole and len(whole) == 2 * 2 * 2 * 3 * 2


def test_raw_samples_of_an_interrupted_run_are_read_too(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "has_parquet", lambda: False)
    folder = make(tmp_path / "a", ranks=(2,), launches=1, repetitions=10)
    assert (folder / samples.RAW).is_dir()
    assert len(Study(measurements([runs.load(folder)])[0]).distributions) == 6


def test_a_measured_run_says_on_which_node_each_rank_was(tmp_path, monkeypatch):
    monkeypatch.setenv("TUTTI_PRETEND_NODES", "block:1")
    plan = Plan(["allreduce"], [8], [2], launches=1, seconds=0.02, null=True)
    done = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert [launch["nodes"] for launch in done.environment["launches"]] == [[0, 1]]
    (distribution,) = Study(measurements([runs.load(tmp_path / "run")])[0]).distributions.values()
    assert {len(spread.nodes) for spread in distribution.variants.values()} == {2}
    assert "native beside itself" in text_of(tmp_path, tmp_path / "run")
