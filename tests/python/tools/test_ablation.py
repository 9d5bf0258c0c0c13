"""tools/ablation.py: which cells a learner is for, and what its gain is of times that are known."""

import subprocess
import sys
from pathlib import Path

import pytest
from tutti import core
from tutti.site import mpi

TOOLS = Path(__file__).resolve().parents[3] / "tools"
MPICH = mpi.Mpi("mpich", "5.0.2", Path("mpiexec"), "on PATH")


@pytest.fixture(scope="module")
def ablation(load_tool):
    return load_tool("ablation")


@pytest.fixture(scope="module")
def of_name(ablation):
    return {learner.name: learner for learner in ablation.LEARNERS}


def cell(ablation, without, with_, native=(2.0, 2.0, 2.0), size=8):
    key = ablation.tables.Key("bcast", "float", size, "warm")
    return ablation.Cell(key, list(native), list(without), list(with_))


def test_every_learner_of_the_engine_has_a_row(ablation):
    settings, warnings = core.read_settings(environment={"TUTTI_LEARN": ",".join(ablation.NAMES)})
    assert (settings.value("TUTTI_LEARN"), warnings) == ("all", [])


def test_one_is_left_out_on_one_side_alone(ablation, of_name):
    sides = {side: dict(ablation.settings_of(side, of_name["joint"], False)) for side in ablation.SIDES}
    assert sides["with"] == {"TUTTI_LEARN": "all"}
    settings, warnings = core.read_settings(environment=sides["without"])
    assert (settings.value("TUTTI_LEARN"), warnings) == ("stores,brief,landings,copies,spread", [])
    assert ablation.settings_of("without", of_name["joint"], True) == (("TUTTI_LEARN", "all"),)


def test_cells_are_those_that_a_learner_has_a_part_in(of_name):
    on_two, on_eight = (of_name["copies"].loop_cells(MPICH, ranks, False) for ranks in (2, 8))
    assert {"bcast:float:131072", "alltoall:float:32768"} <= set(on_two)
    assert {cell.partition(":")[0] for cell in on_eight} == {"alltoall"}
    long_gathers = {"gather:float:262144", "gather:float:1048576"}  # and, where each rank has a CPU, shorter ones
    assert long_gathers <= set(of_name["joint"].loop_cells(MPICH, 8, False))
    assert "scatter:float:65536" in of_name["joint"].loop_cells(MPICH, 2, False)
    assert of_name["spread"].loop_cells(MPICH, 8, True) == ("barrier:float:0", "allreduce:float:8")


def test_every_learner_has_cells_in_a_quick_run(ablation):
    for learner in ablation.LEARNERS:
        assert set(learner.loop_cells(MPICH, 2, True)) <= set(learner.loop_cells(MPICH, 2, False))
        assert learner.loop_cells(MPICH, 2, True)


def test_the_gain_is_that_of_all_cells_in_each_round(ablation):
    cells = [cell(ablation, [2.0, 4.0], [1.0, 2.0]), cell(ablation, [1.0, 0.5], [2.0, 1.0], size=64)]
    assert ablation.by_round(cells, "without") == pytest.approx([1.0, 1.0])
    assert ablation.estimate(cells[:1], "without").value == pytest.approx(2.0)
    assert (ablation.extreme(cells, True), ablation.extreme(cells, False)) == ("bcast 8 2.00", "bcast 64 0.50")


@pytest.mark.parametrize(
    ("without", "said"),
    [([1.10, 1.11, 1.12], "pays"), ([1.00, 1.01, 0.99], "goes"), ([1.00, 1.05, 1.10], "undecided")],
)
def test_the_verdict_is_that_of_the_whole_interval(ablation, without, said):
    assert ablation.verdict(ablation.estimate([cell(ablation, without, [1.0, 1.0, 1.0])], "without")) == said


def test_what_does_not_decide_is_beside(ablation, of_name):
    def group(state, without):
        return ablation.Group(of_name["landings"], "mpich", 2, state, [cell(ablation, without, [1.0, 1.0, 1.0])])

    rows = list(ablation.table([group("cold", [1.2, 1.2, 1.21]), group("warm", [0.5, 0.5, 0.5])]))
    assert len(rows) == 5
    assert rows[2].startswith("| landings | mpich | 2 | cold | 1 | 1.66 | 2.00 | 1.20 (")
    assert rows[3].endswith("| beside |")
    assert rows[4].startswith("| **landings** |") and rows[4].endswith("| **pays** |")


def test_a_name_that_is_none_is_one_line():
    told = subprocess.run([sys.executable, TOOLS / "ablation.py", "copis"], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (1, "ablation: there is no learner 'copis': did you mean copies?\n")
