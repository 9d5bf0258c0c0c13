"""tutti export: Intel MPI's and UCC's choices, as variables; names of ours in every format's tables."""

import pytest
from helpers.profiles import outcomes, read
from tutti import core
from tutti.export import intel, mpich, openmpi, ucc
from tutti.export.rules import Report


@pytest.mark.parametrize(("collective", "name"), [(c, n) for c, table in openmpi.ALGORITHMS.items() for n in table])
def test_names_of_ours_in_the_tables_are_of_the_catalogue(collective, name):
    assert core.load().parse_spec(name, collective)


@pytest.mark.parametrize("tables", [intel.ALGORITHMS, intel.TOPOLOGY_AWARE, ucc.ALGORITHMS, mpich.ALGORITHMS])
def test_so_are_those_of_the_other_formats(tables):
    for collective, table in tables.items():
        assert all(core.load().parse_spec(name, collective) for name in table)


def test_intel_gets_ranges_of_sizes_and_ranks(profile):
    report = Report()
    text = intel.export(read(profile()), report)
    assert "export I_MPI_ADJUST_BCAST='1:0-65535@8-15;1:0-2147483647@16-2147483647'" in text
    assert "export I_MPI_ADJUST_ALLGATHER='3:1024-65536@16-16'" in text
    assert "export I_MPI_ADJUST_ALLTOALL='2:0-2147483647@16-16'" in text
    assert outcomes(report)[("bcast", 2)] == ("left out", "pipelined_chain is none")


def test_ucc_gets_teams_and_total_sizes(profile):
    text = ucc.export(read(profile()), Report())
    assert "bcast:0-65536:host:[8-15]:@knomial" in text and "bcast:0-inf:host:[16-inf]:@knomial" in text
    assert "allgather:16384-1048592:host:[16-16]:@ring" in text
