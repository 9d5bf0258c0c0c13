"""tools/osu_tables.py: what the OSU programs print, as cells."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"
PRINTED = """
# OSU MPI Allreduce Latency Test v7.3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
1                       0.31
1048576               101.70
"""
BARRIER = """
# OSU MPI Barrier Latency Test v7.3
# Avg Latency(us)
             0.12
"""


@pytest.fixture(scope="module")
def osu_tables(load_tool):
    return load_tool("osu_tables")


def test_a_cell_is_the_latency_of_a_size_and_a_barrier_has_none(osu_tables):
    found = {key.size: times.own for key, times in osu_tables.rows("allreduce", PRINTED)}
    assert found == {1: 0.31, 1048576: 101.7}
    assert [(key.size, times.own) for key, times in osu_tables.rows("barrier", BARRIER)] == [(0, 0.12)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-c", "bcats"], "there is no collective 'bcats' here: did you mean bcast?"),
        (["-c", "bcast"], "has no osu_bcast: name the folder of the built programs"),
    ],
)
def test_what_is_not_there_is_refused(tmp_path, words, told):
    command = [sys.executable, TOOLS / "osu_tables.py", "--programs", tmp_path, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("osu_tables: ") and done.stderr.strip().endswith(told)
