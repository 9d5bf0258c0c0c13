"""Which MPI ranks started by a launcher of the user's own are given, and what is said where it is another's."""

import json
import os
import sys

import pytest
from tutti.bench import launch as bench_launch
from tutti.bench.launch import Launch, NeverStarted, Refused, Taken
from tutti.errors import UserError
from tutti.site import launch


def taken(chosen, launcher="launch -n {ranks} {env:-x}", ranks=2):
    return Taken(chosen, chosen.mpiexec.parent / "libmpi.so", ranks, launcher)


def events(text, about):
    return list(Launch([sys.executable, "-c", text], os.environ, lambda line: None, 20.0, about))


@pytest.fixture
def chosen(fake_mpi, monkeypatch):
    """Open MPI on PATH, with an MPICH beside it."""
    mpich, open_mpi = fake_mpi("mpich").prefix, fake_mpi("openmpi").prefix
    (mpich / "bin" / "mpiexec").rename(mpich / "bin" / "mpiexec.mpich")
    monkeypatch.setenv("PATH", f"{open_mpi}/bin:{mpich}/bin")
    monkeypatch.setattr("tutti.site.mpi.fetched_prefix", lambda name: None)
    monkeypatch.setattr(bench_launch, "fetched_prefix", lambda name: None)
    return launch.mpi_for(None, "mpiexec")


def test_ranks_that_are_alone_were_given_another_mpis_library(chosen, tmp_path):
    alone = f"print({json.dumps(json.dumps({'event': 'environment', 'ranks': 1}))})"
    with pytest.raises(Refused) as refusal:
        events(alone, taken(chosen))
    said = str(refusal.value)
    assert said.startswith("2 ranks were started, and a rank sees 1: the ranks were given Open MPI 5.0.11 (")
    assert "the MPI on PATH, since no --mpi names one; if --launcher starts the ranks of another" in said
    assert f"--mpi PREFIX (--mpi {tmp_path}/mpich/bin/mpiexec.mpich)" in said
    together = alone.replace('ranks\\": 1', 'ranks\\": 2')
    assert len(events(together, taken(chosen))) == 1


def test_ranks_that_end_in_their_mpi_init_say_which_mpi_they_had(chosen):
    with pytest.raises(NeverStarted, match=r"status 1: no PMI; the ranks were given Open MPI .*--mpi PREFIX"):
        events("import sys; sys.exit('no PMI')", taken(chosen))
    with pytest.raises(NeverStarted) as failure:  # by its own launcher, another MPI is no remedy
        events("import sys; sys.exit('no PMI')", taken(chosen, "mpiexec"))
    assert "the ranks were given" in str(failure.value) and "--mpi PREFIX" not in str(failure.value)


def test_a_launcher_of_an_mpi_names_the_mpi(chosen, tmp_path):
    own = f"{tmp_path}/mpich/bin/mpiexec.mpich -n {{ranks}} {{env:-x}}"
    assert (launch.mpi_for(None, own).name, launch.mpi_for(None, own).origin) == ("mpich", "of --launcher")
    assert launch.mpi_for(str(tmp_path / "openmpi"), own).name == "openmpi"
    assert launch.mpi_for(None, "a-script {env:-x}").name == "openmpi"
    with pytest.raises(UserError, match=r"^--launcher: there is no program mpirun\.mpich"):
        launch.mpi_for(None, "mpirun.mpich -n {ranks} {env:-x}")
