"""The layouts of IMB and OSU, from samples."""

import numpy as np
import pytest
from tutti.bench import formats
from tutti.bench.formats import Line, lines
from tutti.results import runs

SAMPLES = {
    # Two launches of one cell on two ranks, two repetitions each; rank 1 takes longer.
    "launch": np.array([1] * 4 + [2] * 4),
    "ranks": np.full(8, 2),
    "collective": np.array(["allreduce"] * 8),
    "size": np.full(8, 64),
    "variant": np.array(["native"] * 8),
    "batch": np.full(8, 2),
    "rank": np.array([0, 0, 1, 1] * 2),
    "begin_us": np.zeros(8),
    "end_us": np.array([2, 4, 6, 6, 4, 8, 10, 10], float),
    "late_us": np.zeros(8),
}


def test_times_are_each_ranks_mean_and_medians_of_the_launches():
    assert lines(SAMPLES) == {("native", "allreduce", 2): [Line(64, 2, least=2.25, most=4.0, mean=3.125)]}
    assert lines({}) == {}


@pytest.mark.parametrize("layout", ["imb", "osu"])
def test_a_layout_has_its_columns_and_one_line_a_size(layout):
    table = [Line(8, 1000, 1.0, 3.0, 2.0), Line(4096, 640, 10.0, 30.0, 20.0)]
    text = getattr(formats, layout)("native", "bcast", 4, table)
    rows = [line.split() for line in text if line and not line.startswith("#") and line.strip()[0].isdigit()]
    if layout == "imb":
        assert "t_min[usec]  t_max[usec]  t_avg[usec]" in "\n".join(text) and "# #processes = 4 " in text
        assert rows == [["8", "1000", "1.00", "3.00", "2.00"], ["4096", "640", "10.00", "30.00", "20.00"]]
    else:
        assert any(line.startswith("# Size       Avg Latency(us)") for line in text)
        assert rows == [["8", "2.00", "1.00", "3.00", "1000"], ["4096", "20.00", "10.00", "30.00", "640"]]


def test_a_barrier_has_no_size():
    table = [Line(0, 1000, 1.0, 3.0, 2.0)]
    assert formats.imb("native", "barrier", 2, table)[-2].split() == ["1000", "1.00", "3.00", "2.00"]
    assert formats.osu("native", "barrier", 2, table)[-2].split() == ["2.00", "1.00", "3.00", "1000"]


def test_osu_counts_the_whole_vector_of_reduce_scatter_block():
    assert formats.osu("native", "reduce_scatter_block", 4, [Line(8, 1, 1, 1, 1)])[-2].startswith("32 ")


def test_the_command_prints_the_layout_and_measures_warm(tutti, tmp_path):
    done = tutti("bench", "bcast", "-n", "2", "-s", "8,1K", "--null", "--format", "imb", "--sync", "barrier",
                 "--launches", "1", "--seconds", "0.05", "-o", tmp_path / "run")  # fmt: skip
    if "no MPI" in done.stderr or "not in this installation" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert "# Benchmarking Bcast" in done.stdout and "(again)" in done.stdout and "native/again" not in done.stdout
    run = runs.load(tmp_path / "run")
    assert run.environment["settings"]["caches"] == ["warm"]
    assert {(row["cache"], row["batch"]) for row in run.results} == {("warm", 1)}


def test_a_layout_is_of_one_state_of_caches(tutti):
    done = tutti("bench", "bcast", "--format", "osu", "--cache", "warm,cold")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "--format osu prints one state of caches: --cache warm" in done.stderr
