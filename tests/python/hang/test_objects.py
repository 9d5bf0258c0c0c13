"""Whose code it is, by the name of its object."""

from __future__ import annotations

import os

import pytest
from tutti.hang.objects import Mapping, Objects, exported


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("libmpi.so.12", "mpi"),
        ("libmpich.so.12.1.1", "mpi"),
        ("libmpifort.so.12", "mpi"),
        ("libopen-pal.so.80", "mpi"),
        ("mca_pml_ucx.so", "mpi"),
        ("libucp.so.0", "mpi"),
        ("libc.so.6", "library"),
        ("libc-2.31.so", "library"),
        ("libstdc++.so.6.0.30", "library"),
        ("ld-linux-x86-64.so.2", "library"),
        ("libtutti-mpich.so", "library"),
        ("[vdso]", "library"),
        ("", "library"),
        ("app", "program"),
        ("libmine.so", "program"),
        ("libcolours.so.1", "program"),
        ("libopenblas.so.0", "program"),
        ("MPI.cpython-311-x86_64-linux-gnu.so", "program"),
        ("app (deleted)", "program"),
    ],
)
def test_kinds(name, kind):
    path = f"/opt/lib/{name}" if name and not name.startswith("[") else name
    assert Mapping(0, 1, True, path, 0).kind == kind


def test_own_mappings():
    own = Objects(os.getpid())
    library = next(each for each in own.mappings if each.name.startswith("libc") and each.kind == "library")
    assert own.at(library.begin) == library
    assert own.at(library.end - 1) == library
    assert own.at(1) is None
    assert "read" in exported(library.path).values()
    assert own.memory(library.base, 4) == b"\x7fELF"
    assert own.memory(1, 8) == b""


def test_of_a_process_that_is_gone_nothing_is_known():
    gone = Objects(2**22 + 1)
    assert gone.mappings == []
    assert gone.at(4096) is None
    assert not gone.uses_mpi()
    assert not gone.preloaded()
