"""tutti tune: where ranks run, how they are started there, and for which calls of an application."""

import pytest
from helpers.tunings import FOUR
from tutti.errors import UserError
from tutti.site import mpi
from tutti.site.launch import launcher_named
from tutti.site.mpi import Mpi
from tutti.tuning import used
from tutti.tuning.command_line import layouts_of
from tutti.tuning.evidence import Cell
from tutti.tuning.layout import Layout, Local


def test_a_command_of_the_users_own_is_filled_in():
    chosen = Mpi("mpich", "5.0.2", mpi.Path("/x/bin/mpiexec"), "named")
    local = Local(chosen, "run -N {nodes} --ppn {ppn} {env:-x} --")
    assert local.command(FOUR, ["app"], {"A": "1", "B": "2"}) == [
        "run", "-N", "4", "--ppn", "4", "-x", "A=1", "-x", "B=2", "--", "app",
    ]  # fmt: skip
    with pytest.raises(UserError, match=r"\{env:-x\}"):
        launcher_named("run {ranks}")


def test_layouts_are_ranks_on_nodes():
    assert layouts_of([2, 8], None, None) == [Layout(2), Layout(8)]
    assert layouts_of(None, 4, 4) == [FOUR]
    assert layouts_of([16], None, 4) == [FOUR]
    with pytest.raises(UserError, match="do not fit"):
        layouts_of([17], 4, 4)


def test_an_application_is_tuned_for_what_costs_it_most():
    many = [used.Used(Cell("bcast", size), 8, 10, seconds) for size, seconds in ((8, 5.0), (64, 3.0), (512, 0.001))]
    other = used.Used(Cell("allreduce", 8), 4, 10, 9.0)
    assert used.worth_tuning([*many, other], 8) == [Cell("bcast", 8), Cell("bcast", 64)]
    assert used.worth_tuning([other], 8) == []
