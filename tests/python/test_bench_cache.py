"""Cache modes differ as a copy alone says they should."""

import pytest
from test_bench_command import an_mpi
from tutti import bench
from tutti.bench_plan import Plan
from tutti.bench_subjects import Calls
from tutti.output import Output

SIZE = 256 << 10


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """Microseconds of the quickest repetition, by mode and subject: what disturbs only lengthens."""
    found = {}
    for mode in ("warm", "fresh", "rotating", "flushed"):
        plan = Plan(
            ["memcpy", "bcast"], [SIZE], [2], launches=2, null=True, cache=mode, calls=Calls(repetitions=150)
        )  # fmt: skip
        run = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path_factory.mktemp("runs") / mode))
        assert run.failures == []
        for result in run.results:
            key = mode, result["collective"]
            found[key] = min(result["min"], found.get(key, result["min"]))
    return found


def test_a_copy_out_of_memory_takes_longer_than_one_out_of_caches(least):
    warm, fresh, rotating, flushed = (least[mode, "memcpy"] for mode in ("warm", "fresh", "rotating", "flushed"))
    assert flushed > 1.3 * warm and flushed > 1.3 * fresh
    assert warm / 1.3 < rotating < 2 * flushed


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
