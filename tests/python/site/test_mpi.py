"""Telling MPIs apart by what their launchers say, and finding them."""

import pytest
from tutti.errors import UserError
from tutti.site import mpi


@pytest.mark.parametrize(
    ("said", "name", "version"),
    [
        (
            "HYDRA build details:\n    Version:                                 4.0.2\n    Release Date: x",
            "mpich",
            "4.0.2",
        ),
        ("mpiexec (OpenRTE) 4.1.4\n\nReport bugs to", "openmpi", "4.1.4"),
        ("mpirun (Open MPI) 5.0.11\n", "openmpi", "5.0.11"),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 20260626 (id: b44796a)", "impi", "2021.18.1"),
        ("something else 1.0", "unknown", ""),
    ],
)
def test_identify(said, name, version):
    assert mpi.identify(said) == (name, version)


def test_an_mpi_by_prefix_and_by_launcher(fake_mpi):
    prefix = fake_mpi("openmpi").prefix
    for text in (str(prefix), str(prefix / "bin" / "mpiexec")):
        found = mpi.find(text)
        assert (found.title, found.backend, found.origin) == ("Open MPI 5.0.11", "openmpi", "named by --mpi")


def test_only_an_mpi_off_path_needs_its_folders_named(fake_mpi):
    prefix = fake_mpi("mpich").prefix
    variables = mpi.find(str(prefix)).environment()
    assert variables["LD_LIBRARY_PATH"].startswith(f"{prefix}/lib")
    assert variables["PATH"].startswith(f"{prefix}/bin:")


def test_path_comes_first(fake_mpi, monkeypatch):
    prefix = fake_mpi("mpich").prefix
    monkeypatch.setenv("PATH", f"{prefix}/bin")
    assert mpi.find().mpiexec == prefix / "bin" / "mpiexec"
    assert mpi.find().origin == "on PATH"


def test_no_mpi_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(mpi, "fetched_prefix", lambda name: None)
    monkeypatch.setattr(mpi.sys, "prefix", str(tmp_path))
    with pytest.raises(UserError, match="no MPI found: put an mpiexec on PATH"):
        mpi.find()
