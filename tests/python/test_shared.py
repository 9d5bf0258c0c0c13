"""tutti.shared without what it needs; with it, tests/mpi/examples.py runs it under the launchers."""

from __future__ import annotations

import sys

import pytest
from tutti import shared


@pytest.mark.parametrize("name", ["mpi4py.MPI", "mpi4py"])
def test_without_mpi4py_it_says_what_to_install(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    with pytest.raises(ImportError, match="pip install mpi4py"):
        shared.bcast(None, None)


def test_importing_it_needs_neither_mpi4py_nor_an_mpi():
    assert shared.KINDS[1] == "shared" and "mpi4py" not in vars(shared)
