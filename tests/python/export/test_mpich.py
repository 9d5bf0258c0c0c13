"""tutti export: MPICH's tree of choices, spliced into the library's own."""

import json

import pytest
from helpers.mpich_trees import GENERIC, choice
from helpers.profiles import outcomes, read
from tutti.bench.launch import library_of
from tutti.errors import UserError
from tutti.export import mpich
from tutti.export.rules import Report
from tutti.site import mpi


@pytest.fixture
def library(tmp_path):
    """A stand-in for libmpi with a tree in it, between other bytes and another tree."""
    file = tmp_path / "libmpi.so.12"
    device = b'{"collective=bcast":{"composition=MPIDI_X":{}}}'
    file.write_bytes(b"\x7fELF\0" + device + b"\0" + json.dumps(GENERIC, separators=(",", ":")).encode() + b"\0rest")
    return file


def test_mpich_keeps_its_own_tree_around_the_rules(profile, library):
    report = Report()
    tree = json.loads(mpich.export(read(profile()), library, report))
    assert list(tree) == list(GENERIC)
    assert choice(tree, "bcast", 4, 8) == "own"
    assert choice(tree, "bcast", 8, 8) == "binomial"
    assert choice(tree, "bcast", 12, 1 << 20) == "pipelined_tree"
    assert choice(tree, "bcast", 100, 1 << 20) == "binomial"
    assert choice(tree, "allgather", 16, 1 << 12) == "ring"
    assert choice(tree, "allgather", 16, 1 << 17) == "own"
    assert choice(tree, "allgather", 15, 1 << 12) == "own"
    assert choice(tree, "alltoall", 16, 1 << 12) == "scattered"
    assert choice(tree, "allreduce", 16, 1 << 17) == "smp"
    assert choice(tree, "allreduce", 16, 1 << 10) == "own"
    # The communicator of one rank a node, which smp makes, takes what runs between nodes.
    assert choice(tree, "allreduce", 4, 1 << 17, hierarchy="node_roots") == "ring"
    assert outcomes(report)[("scan", 23)][0] == "left out"
    assert outcomes(report)[("allreduce", 17)] == (
        "approximated", "MPIR_Allreduce_intra_smp, and MPIR_Allreduce_intra_ring between nodes: one rank a node sends",
    )  # fmt: skip


def test_a_library_without_rules_is_refused(profile, tmp_path):
    other = tmp_path / "libother.so"
    other.write_bytes(b"nothing")
    with pytest.raises(UserError, match="no MPICH 4"):
        mpich.generic_tree(other)


def test_thresholds_fit_an_int(profile, library):
    text = 'schema = 1\n[[rule]]\ncollective = "allgather"\nuse = "ring"\nranks = "1024"\nsize = "0:1G"\n'
    tree = json.loads(mpich.export(read(profile(text)), library, Report()))
    assert choice(tree, "allgather", 1024, 1 << 30) == "ring"


def test_the_installed_mpich_has_a_tree_to_splice_into():
    prefix = mpi.fetched_prefix("mpich")
    if prefix is None:
        pytest.skip("the build fetched no MPICH")
    tree = mpich.generic_tree(library_of(mpi.named("mpich")))
    assert {f"collective={name}" for name in mpich.ALGORITHMS} <= set(tree)
