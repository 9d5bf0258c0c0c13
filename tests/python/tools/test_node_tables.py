"""tools/node_tables.py: from results to the tables of docs/performance.md."""

import pytest
from helpers.rows import launches
from tutti.results import comparison


@pytest.fixture(scope="module")
def node_tables(load_tool):
    return load_tool("node_tables")


def cells(*cases):
    """(collective, size, native us, tutti us), three launches each."""
    rows = []
    for collective, size, native, tutti in cases:
        rows += launches([native] * 3, [tutti] * 3, collective=collective, size=size, choice="node")
    return comparison.cells(rows)


def test_the_grid_has_a_row_for_each_collective_and_marks_what_is_slower(node_tables):
    table = node_tables.grid(cells(("bcast", 8, 2.0, 1.0), ("bcast", 1024, 1.0, 2.0), ("barrier", 0, 3.0, 1.0)))
    assert table.splitlines() == [
        "| | 8 | 1K |",
        "|---|---|---|",
        "| barrier | 3.00 (1) |  |",
        "| bcast | 2.00 (1) | **0.50 (2)** |",
    ]


def test_cold_and_warm_buffers_have_a_grid_each(node_tables, capsys):
    rows = launches([2.0] * 3, [1.0] * 3, choice="node") + launches([1.0] * 3, [2.0] * 3, choice="node", cache="warm")
    rows += launches([3.0] * 3, [1.0] * 3, collective="barrier", size=0, choice="node")
    node_tables.show({"MPI X": comparison.cells(rows)}, 2)
    shown = capsys.readouterr().out
    cold, warm = shown.index("### MPI X, 2 ranks, cold buffers"), shown.index("### MPI X, 2 ranks, warm buffers")
    assert "| bcast | 2.00 (1) |" in shown[cold:warm] and "| bcast | **0.50 (2)** |" in shown[warm:]
    assert shown.count("| barrier | 3.00 (1) |") == 2
    assert "MPI X, 2 ranks, each cell in all states: 1 faster, 1 slower (warm)." in shown


def test_one_state_needs_no_word(node_tables, capsys):
    found = {name: cells(("bcast", 8, 2.0, 1.0)) for name in ("A", "B")}
    node_tables.show(found, 2)
    shown = capsys.readouterr().out
    assert "### A, 2 ranks\n" in shown and "\n2 ranks. Against the fastest" in shown and "cold" not in shown


def test_what_the_mpi_serves_itself_is_said(node_tables):
    (cell,) = comparison.cells(launches([1.0] * 3, [1.0] * 3, choice="native"))
    assert node_tables.word(cell) == "own"


def test_the_summary_counts_verdicts(node_tables):
    assert node_tables.summary(cells(("bcast", 8, 2.0, 1.0), ("bcast", 16, 1.0, 2.0))) == (
        "Geometric mean of native/tutti 1.00 over 2 cells: 1 faster, 1 slower."
    )
    assert node_tables.summary([]) == "Nothing was measured."


def test_the_best_mpi_of_each_cell_is_the_fastest_native(node_tables):
    one = cells(("bcast", 8, 2.0, 1.0), ("bcast", 1024, 8.0, 1.0))
    other = cells(("bcast", 8, 3.0, 1.0), ("bcast", 1024, 2.0, 1.0))
    assert node_tables.against_best({"A": one, "B": other}) == (
        "Against the fastest of them in each cell (A in 1, B in 1): geometric mean 2.00, least 2.00 (bcast 8)."
    )
