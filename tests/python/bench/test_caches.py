"""States of caches: how they are named, and that they differ as a copy alone says they should."""

import json

import pytest
from helpers.folders import result, write
from helpers.made_runs import make
from helpers.measurable import an_mpi
from tutti.bench import command_line as bench
from tutti.bench.cases import with_cases
from tutti.bench.plan import Plan
from tutti.bench.resume import case_of, differences
from tutti.bench.subjects import Calls
from tutti.output import Output
from tutti.results import caches, runs, sample_cells, samples
from tutti.results.caches import STATES

SIZE = 256 << 10


def test_states_are_named_and_the_old_word_is_one_of_them():
    assert caches.parse("cold,warm") == ("cold", "warm") == caches.USUAL
    assert caches.parse("rotating, Warm,cold") == ("cold", "warm")
    for text, said in (
        ("warn", "did you mean warm"),
        ("", "there are cold, warm, fresh, flushed"),
        ("warm,", "there are"),
    ):
        with pytest.raises(ValueError, match=said):
            caches.parse(text)


def test_each_case_is_measured_in_each_state_but_for_what_has_no_buffers():
    plan = Plan(["barrier", "bcast"], [8], [2], launches=1, caches=("cold", "warm"), arrivals=("", "bell:1x"))
    assert plan.cases == [
        "barrier", "barrier@bell:1x", "bcast:8", "bcast:8@bell:1x", "bcast:8%warm", "bcast:8%warm@bell:1x",
    ]  # fmt: skip
    given = with_cases(plan, {2: ["barrier", "scan:8@replay:a%b"]})
    assert given.cases == ["barrier", "scan:8@replay:a%b", "scan:8%warm@replay:a%b"]
    assert given.total == 3


def test_a_result_says_its_state_or_its_run_does_or_it_is_cold(tmp_path):
    rows = [result(size=8), result(size=64, cache="warm"), result(collective="barrier", size=0)]
    old = runs.load(write(tmp_path / "old", rows, {"settings": {"cache": "flushed"}})).results
    assert [caches.of(row) for row in old] == ["flushed", "warm", ""]
    assert [case_of(row) for row in old] == ["bcast:8%flushed", "bcast:64%warm", "barrier"]
    older = runs.load(write(tmp_path / "older", rows, {"settings": {"cache": "rotating"}})).results
    assert [row.get("cache") for row in older] == ["cold", "warm", None]
    assert case_of(older[0]) == "bcast:8"


def test_a_run_of_an_earlier_version_goes_on():
    before = {"settings": {"cache": "rotating", "seconds": 0.5}}
    assert differences(before, {"settings": {"caches": ["cold"], "seconds": 0.5}}) == []
    other = differences(before, {"settings": {"caches": ["cold", "warm"], "seconds": 0.5}})
    assert other == ['caches was ["cold"] and is ["cold", "warm"]']


def test_samples_of_an_earlier_version_have_the_state_of_their_run(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    folder = make(tmp_path / "run", collectives=("barrier", "bcast"), sizes=(8,), ranks=(2,), launches=1)
    file = folder / samples.SAMPLES
    pq.write_table(pq.read_table(file).drop_columns(["cache"]), file)
    settings = folder / runs.ENVIRONMENT
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"settings": {"cache": "warm"}}))
    results = folder / runs.RESULTS
    results.write_text(results.read_text().replace(', "cache": "cold"', ""))
    run = runs.load(folder)
    assert set(samples.read(folder, run.results)["cache"]) == {"", "warm"}
    assert {(one.collective, one.cache) for one in sample_cells.cells(run)} == {("barrier", ""), ("bcast", "warm")}


def test_the_state_is_in_the_results_the_samples_and_the_table(tutti, tmp_path):
    an_mpi()
    done = tutti("bench", "barrier", "bcast", "-n", "2", "-s", "8", "--null", "--launches", "2", "--seconds", "0.02",
                 "--cache", "rotating,warm", "-o", tmp_path / "run")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "buffers" in done.stdout and done.stdout.count(" warm ") == 1 == done.stdout.count(" cold ")
    assert "ratios, cold: " in done.stdout and "ratios, warm: " in done.stdout
    run = runs.load(tmp_path / "run")
    assert run.environment["settings"]["caches"] == ["cold", "warm"]
    assert {(row["collective"], row.get("cache")) for row in run.results} == {
        ("barrier", None), ("bcast", "cold"), ("bcast", "warm"),
    }  # fmt: skip
    assert {(one.collective, one.cache) for one in sample_cells.cells(run)} == {
        ("barrier", ""), ("bcast", "cold"), ("bcast", "warm"),
    }  # fmt: skip


def test_a_state_that_is_none_is_refused(tutti):
    done = tutti("bench", "bcast", "--cache", "cold,worm")
    assert done.returncode == 2 and "did you mean warm?" in done.stderr


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """Microseconds of the quickest repetition, by state and subject: what disturbs only lengthens."""
    plan = Plan(["memcpy", "bcast"], [SIZE], [2], launches=2, null=True, caches=STATES, calls=Calls(repetitions=150))
    run = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path_factory.mktemp("runs") / "run"))
    assert run.failures == [] and len(run.results) == 2 * 2 * len(STATES) * 2
    found = {}
    for row in run.results:
        key = row["cache"], row["collective"]
        found[key] = min(row["min"], found.get(key, row["min"]))
    return found


def test_a_copy_out_of_memory_takes_longer_than_one_out_of_caches(least):
    warm, fresh, cold, flushed = (least[mode, "memcpy"] for mode in ("warm", "fresh", "cold", "flushed"))
    assert flushed > 1.3 * warm and flushed > 1.3 * fresh
    assert warm / 1.3 < cold < 2 * flushed


def test_a_broadcast_pays_for_cold_buffers_what_a_copy_pays(least):
    """It reads the root's buffer and writes the other's: a copy between cold buffers, and one through warm ones."""
    copy = least["flushed", "memcpy"] - least["warm", "memcpy"]
    call = least["flushed", "bcast"] - least["warm", "bcast"]
    assert copy / 5 < call < 5 * copy


def test_ranks_with_different_numbers_of_sets_take_the_same_variant_at_a_time(tmp_path):
    """A root has longer buffers, so fewer sets of them; passes through the sets must not turn the order on it alone."""
    plan = Plan(["reduce", "gather", "scatter"], [2 << 20], [2], launches=1, spec="node", calls=Calls(repetitions=100))
    run = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert run.failures == []
    assert len(run.results) == 3 * 2
