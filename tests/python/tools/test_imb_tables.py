"""tools/imb_tables.py: what IMB-MPI1 prints, as cells."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"
PRINTED = """
# Benchmarking Allreduce
# #processes = 2
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.03         0.05         0.04
         1024         1000         0.40         0.60         0.50

# Benchmarking Barrier
# #processes = 2
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         0.20         0.22         0.21

# All processes entering MPI_Finalize
"""


@pytest.fixture(scope="module")
def imb_tables(load_tool):
    return load_tool("imb_tables")


def test_a_cell_is_the_average_of_a_size_and_a_barrier_has_none(imb_tables):
    found = {(key.collective, key.size): times.own for key, times in imb_tables.rows(PRINTED)}
    assert found == {("allreduce", 0): 0.04, ("allreduce", 1024): 0.5, ("barrier", 0): 0.21}


def test_a_table_of_a_barrier_alone_has_a_column_for_it(imb_tables):
    key = imb_tables.tables.Key("barrier", "", 0, "imb")
    cell = imb_tables.tables.Cell(key, {"own": [2.0]}, {"own": [1.0]})
    lines = imb_tables.tables.grid([cell], "own").splitlines()
    assert lines == ["| | 0 |", "|---|---|", "| barrier | 2.00 (1) |"]


def test_a_collective_that_imb_does_not_know_is_refused():
    done = subprocess.run(
        [sys.executable, TOOLS / "imb_tables.py", "-c", "Bcats"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "imb_tables: there is no collective 'Bcats' here: did you mean Bcast?\n"
